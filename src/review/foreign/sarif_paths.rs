//! Where a SARIF location's file is: URIs, and the bases that they are relative to.

use percent_encoding::percent_decode_str;

use crate::review::document::Document;
use crate::review::node::{Kind, Node};
use crate::review::rule;

/// How many bases may stand on one another.
const DEPTH: usize = 16;

/// The path of an `artifactLocation`: absolute where a base or the URI is, else relative to the root.
pub(super) fn path(document: &Document, run: &Node, location: &Node) -> Option<String> {
    let by_index = || {
        let index = rule::line_or_zero(document, value(location, "index")?)?;
        value(run, "artifacts")?.items().get(index as usize).and_then(|artifact| value(artifact, "location"))
    };
    let named = if value(location, "uri").is_some() { Some(location) } else { by_index() }?;
    let uri = text(named, "uri")?;
    let whole = based(run, uri, text(named, "uriBaseId"), 0);
    Some(plain(&whole))
}

fn based(run: &Node, uri: &str, base: Option<&str>, depth: usize) -> String {
    let base = base.filter(|_| depth < DEPTH && !has_scheme(uri));
    let base = base.and_then(|id| value(value(run, "originalUriBaseIds")?, id));
    match base {
        Some(base) => {
            // A base without a URI is the root of what was analysed.
            let front =
                text(base, "uri").map_or(String::new(), |front| based(run, front, text(base, "uriBaseId"), depth + 1));
            if front.is_empty() || front.ends_with('/') { format!("{front}{uri}") } else { format!("{front}/{uri}") }
        }
        None => uri.to_owned(),
    }
}

fn has_scheme(uri: &str) -> bool {
    uri.split_once("://").is_some_and(|(scheme, _)| scheme.bytes().all(|b| b.is_ascii_alphanumeric()))
}

/// A file's URI as a path, its escapes undone.
fn plain(uri: &str) -> String {
    let bare = uri.strip_prefix("file://").map_or(uri, |rest| rest.strip_prefix("localhost").unwrap_or(rest));
    let decoded = percent_decode_str(bare).decode_utf8_lossy().into_owned();
    // `/C:/a` of a URI is `C:/a` of the system that wrote it.
    match decoded.as_bytes() {
        [b'/', drive, b':', b'/', ..] if drive.is_ascii_alphabetic() => decoded[1..].to_owned(),
        _ => decoded,
    }
}

pub(super) fn value<'d>(node: &'d Node, key: &str) -> Option<&'d Node> {
    node.get(key).map(|member| &member.value)
}

pub(super) fn text<'d>(node: &'d Node, key: &str) -> Option<&'d str> {
    match &value(node, key)?.kind {
        Kind::Text(text) => Some(text),
        _ => None,
    }
}

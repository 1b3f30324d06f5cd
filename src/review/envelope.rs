//! What a tool wraps around a model's answer: opened once, and only where the run succeeded.

use super::document::Document;
use super::node::{Kind, Node};
use super::problem::{Fault, Problem};
use super::problems::Problems;
use super::rule;

/// The document inside, where there is an envelope: Claude Code's `--output-format json` and `stream-json`.
///
/// # Errors
///
/// The reviewer failed, did not end, or its answer is no JSON: each is no review, and never an empty one.
pub(super) fn open(document: Document) -> Result<Document, Problems> {
    let (message, pointer) = match &document.root().kind {
        Kind::Object(_) if is(document.root(), "result") => (document.root(), String::new()),
        Kind::List(items) if items.first().is_some_and(is_message) => {
            match items.iter().enumerate().rev().find(|(_, item)| is(item, "result")) {
                Some((at, item)) => (item, format!("/{at}")),
                None => {
                    let end = document.root().span().end;
                    let fault =
                        Fault::ReviewerFailed { said: "it ended without a message of type \"result\"".to_owned() };
                    return Err(refused(&document, String::new(), end.saturating_sub(1)..end, fault));
                }
            }
        }
        _ => return Ok(document),
    };
    let value = |field: &str| message.get(field).map(|member| &member.value);
    let text = |field: &str| value(field).and_then(|node| rule::text(&document, node));
    let failed = value("is_error").is_some_and(|node| matches!(node.kind, Kind::Bool(true)));
    let subtype = text("subtype").filter(|subtype| *subtype != "success");
    if failed || subtype.is_some() {
        let said = subtype.or(text("result")).unwrap_or("it gave no reason").to_owned();
        let span = message.span().start..message.span().start + 1;
        return Err(refused(&document, pointer, span, Fault::ReviewerFailed { said }));
    }
    if let Some(answer) = value("structured_output").filter(|node| !matches!(node.kind, Kind::Null)) {
        let answer = answer.clone();
        return Ok(document.within(format!("{pointer}/structured_output"), answer));
    }
    match value("result").filter(|node| matches!(node.kind, Kind::Text(_))).cloned() {
        Some(answer) => document.inside(format!("{pointer}/result"), &answer),
        None => {
            let fault = Fault::ReviewerFailed { said: "its result is empty".to_owned() };
            let span = message.span().start..message.span().start + 1;
            Err(refused(&document, pointer, span, fault))
        }
    }
}

/// Whether it is a list of messages.
pub(super) fn is_stream(document: &Document) -> bool {
    document.root().items().first().is_some_and(is_message)
}

fn is(node: &Node, kind: &str) -> bool {
    let has = ["is_error", "subtype", "result", "structured_output"].iter().any(|key| node.get(key).is_some());
    node.get("type").is_some_and(|member| matches!(&member.value.kind, Kind::Text(text) if &**text == kind)) && has
}

fn is_message(node: &Node) -> bool {
    let kinds = ["system", "assistant", "user", "result", "rate_limit_event", "stream_event"];
    node.get("type").is_some_and(|member| matches!(&member.value.kind, Kind::Text(text) if kinds.contains(&&**text)))
}

fn refused(document: &Document, pointer: String, span: std::ops::Range<usize>, fault: Fault) -> Problems {
    let problem = Problem::new(document.source(), pointer, span, fault);
    Problems::new(document.source().clone(), vec![problem])
}

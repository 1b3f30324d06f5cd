//! Markdown and HTML that does something: tags, images, links to requests, suggestions, open fences.

use super::address;
use super::change::{Change, is_escaped};
use super::edit::EditKind;
use super::layout::{CodeBlock, Layout, Link, LinkKind};
use super::span;

/// The first `<` of every HTML block. Once it is gone, what was inside is Markdown again and is looked
/// at in the next round, so that its code stays as it is.
pub(super) fn html_blocks(text: &str, layout: &Layout) -> Vec<Change> {
    let opening = layout.html_blocks.iter().filter_map(|block| Some(block.start + text[block.clone()].find('<')?));
    opening.map(|at| Change::replace(at..at + 1, "&lt;", EditKind::Html)).collect()
}

/// Every `<` outside code, images and kept links that begins a tag, a comment, or what may become one
/// when something follows. `a < b` and `Map<K, V>` begin none.
pub(super) fn tags(text: &str, layout: &Layout) -> Vec<Change> {
    let mut code = layout.code.iter().peekable();
    let mut images = layout.images.iter().peekable();
    let mut links = layout.links.iter().peekable();
    let mut changes = Vec::new();
    for (at, _) in text.match_indices('<') {
        while code.next_if(|code| code.end <= at).is_some() {}
        while images.next_if(|image| image.end <= at).is_some() {}
        while links.next_if(|link| link.range.end <= at).is_some() {}
        let inside = |range: Option<&&std::ops::Range<usize>>| range.is_some_and(|range| range.start <= at);
        if inside(code.peek()) || inside(images.peek()) || is_escaped(text, at) {
            continue;
        }
        let link = links.peek().filter(|link| link.range.start <= at);
        let auto = link.is_some_and(|link| link.kind == LinkKind::Auto && link.range.start == at);
        let kept = match link {
            Some(link) if auto => is_kept_auto_link(&link.target),
            Some(link) => angle(text, link) == Some(at),
            None => false,
        };
        if !kept && (auto || begins_tag(&text[at + 1..])) {
            changes.push(Change::replace(at..at + 1, "&lt;", EditKind::Html));
        }
    }
    changes
}

/// CommonMark's openings of raw HTML (sections 4.6 and 6.6), whole or not.
fn begins_tag(rest: &str) -> bool {
    if rest.starts_with(['!', '?']) {
        return true;
    }
    let name = rest.strip_prefix('/').unwrap_or(rest);
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return false;
    }
    let after = name.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '-').chars().next();
    after.is_none_or(|c| c.is_whitespace() || matches!(c, '/' | '>'))
}

/// `<https://…>` and `<a@b.c>` stay. `<std::io::Error>` is an address to CommonMark too, and stays
/// readable as text; so is `<!--@ann>`.
pub(super) fn is_kept_auto_link(target: &str) -> bool {
    let scheme = target.split(':').next().unwrap_or_default();
    let known = ["http", "https", "mailto"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    let mail = || {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+');
        let named = target.split_once('@').filter(|(name, host)| name.chars().all(plain) && host.chars().all(plain));
        named.is_some_and(|(name, _)| name.ends_with(|c: char| c.is_ascii_alphanumeric()))
    };
    (known && target.len() > scheme.len()) || mail()
}

/// Where the `<` of `[text](<target>)` is.
fn angle(text: &str, link: &Link) -> Option<usize> {
    let tail = text[link.text.end..link.range.end].strip_prefix("](")?;
    let target = tail.trim_start();
    target.starts_with('<').then_some(link.range.end - target.len())
}

/// Images, which become links: nothing is loaded into the reader's browser.
pub(super) fn images(text: &str, layout: &Layout) -> Vec<Change> {
    layout
        .images
        .iter()
        .filter(|image| text[image.start..].starts_with('!'))
        .map(|image| {
            let before = image.start.checked_sub(1).filter(|at| text.as_bytes()[*at] == b'!');
            match before {
                // Without its own mark, the one before would make it an image again.
                Some(at) if !is_escaped(text, at) => Change::replace(at..at + 2, "\\!", EditKind::Image),
                _ => Change::replace(image.start..image.start + 1, "", EditKind::Image),
            }
        })
        .collect()
}

/// Links to what notes its mentions: their text, and their target as code.
pub(super) fn links(text: &str, layout: &Layout, fence: &str) -> Vec<Change> {
    let acts = |link: &&Link| address::is_request_url(&link.target) || address::is_short_reference(&link.target);
    let mut changes = Vec::new();
    for link in layout.links.iter().filter(acts) {
        let target = span::wrap_in(&link.target, &span::longer(fence, &link.target));
        let words = text[link.text.clone()].trim();
        if link.kind == LinkKind::Auto {
            changes.push(Change::replace(link.range.clone(), target, EditKind::RequestUrl));
            continue;
        }
        changes.push(Change::replace(link.range.start..link.text.start, "", EditKind::RequestUrl));
        // A text that is the address itself becomes code by its own.
        let tail = match words {
            _ if words == link.target && address::is_request_url(words) => String::new(),
            "" => target,
            _ => format!(" ({target})"),
        };
        changes.push(Change { range: link.text.end..link.range.end, with: tail, kind: EditKind::RequestUrl });
    }
    changes
}

/// Fences of both forges that offer their content for applying.
pub(super) fn suggestions(text: &str, layout: &Layout) -> Vec<Change> {
    let offered = |block: &&CodeBlock| {
        block.info.as_ref().is_some_and(|info| info.trim_start().to_ascii_lowercase().starts_with("suggestion"))
    };
    let infos = layout.blocks.iter().filter(offered).map(|block| {
        let line = text[block.range.clone()].lines().next().unwrap_or_default();
        let info = line.trim_start().trim_start_matches(['`', '~']).trim_start();
        let end = block.range.start + line.len();
        Change::replace(end - info.len()..end, "text", EditKind::Suggestion)
    });
    infos.collect()
}

/// A fence that is still open at the end would swallow what follows the field.
pub(super) fn open_fence(text: &str, layout: &Layout) -> Option<Change> {
    let block = layout.blocks.last().filter(|block| block.top && block.info.is_some())?;
    let source = &text[block.range.clone()];
    let at_end = text[block.range.end..].trim_matches('\n').is_empty();
    let opening = source.trim_start_matches(' ');
    let mark = opening.chars().next()?;
    let length = opening.len() - opening.trim_start_matches(mark).len();
    let last = source.trim_end_matches('\n').rsplit_once('\n').map(|(_, last)| last);
    let closed = last.is_some_and(|last| {
        let run = last.trim_start_matches(' ');
        let indent = last.len() - run.len();
        let run = run.trim_end_matches([' ', '\t']);
        indent <= 3 && run.len() >= length && run.chars().all(|c| c == mark)
    });
    (at_end && !closed).then(|| {
        let line_end = if text.ends_with('\n') { "" } else { "\n" };
        let fence = mark.to_string().repeat(length);
        Change::insert(text.len(), &format!("{line_end}{fence}"), EditKind::OpenFence)
    })
}

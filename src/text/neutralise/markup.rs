//! Markdown and HTML that does something: tags, images, links to requests, suggestions, open fences.

use super::address;
use super::change::{Change, is_escaped};
use super::edit::EditKind;
use super::layout::{Layout, Link, LinkKind};
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
    let mut last_bare = None;
    for (at, _) in text.match_indices('<') {
        while code.next_if(|code| code.end <= at).is_some() {}
        while images.next_if(|image| image.end <= at).is_some() {}
        while let Some(link) = links.next_if(|link| link.range.end <= at) {
            last_bare = (link.kind == LinkKind::Bare).then_some(link);
        }
        let inside = |range: Option<&&std::ops::Range<usize>>| range.is_some_and(|range| range.start <= at);
        let link = links.peek().filter(|link| link.range.start <= at);
        // A backslash that an address has swallowed escapes nothing.
        let swallowed = last_bare.is_some_and(|bare: &Link| bare.range.end == at);
        if inside(code.peek()) || inside(images.peek()) || (is_escaped(text, at) && !swallowed) {
            continue;
        }
        let auto = link.is_some_and(|link| link.kind == LinkKind::Auto && link.range.start == at);
        let kept = match link {
            Some(link) if auto => is_kept_auto_link(&link.target),
            Some(link) => angle(text, link) == Some(at),
            None => false,
        };
        let tag = layout.tags.binary_search(&at).is_ok();
        if tag || (!kept && (auto || begins_tag(&text[at + 1..]))) {
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

/// Links to what notes its mentions, and links that are none to a plain page: their text, and their
/// target as code. Bare addresses are dealt with as prose.
pub(super) fn links(text: &str, layout: &Layout, fence: &str) -> Vec<Change> {
    let mut changes = Vec::new();
    for link in layout.links.iter().filter(|link| link.kind != LinkKind::Bare) {
        let words = text[link.text.clone()].trim();
        let kind = if address::is_request_url(&link.target) || address::is_short_reference(&link.target) {
            EditKind::RequestUrl
        } else if link.kind == LinkKind::Auto && !is_kept_auto_link(&link.target) {
            // Its bracket is escaped like a tag's.
            continue;
        } else if !address::is_plain(&link.target) || address::is_disguised(words, &link.target) {
            EditKind::Link
        } else {
            continue;
        };
        let shown = if link.kind == LinkKind::Auto { words } else { &link.target };
        let target = span::wrap_in(shown, &span::longer(fence, shown));
        if link.kind == LinkKind::Auto {
            changes.push(Change::replace(link.range.clone(), target, kind));
            continue;
        }
        changes.push(Change::replace(link.range.start..link.text.start, "", kind));
        // A text that is the address itself becomes code by its own.
        let tail = match words {
            _ if words == link.target && address::is_request_url(words) => String::new(),
            "" => target,
            _ => format!(" ({target})"),
        };
        changes.push(Change { range: link.text.end..link.range.end, with: tail, kind });
    }
    changes
}

/// Definitions of links that are none to a plain page, wherever they are used: another part of the assembled
/// text may use them, and of one that nobody uses nobody would see a word.
pub(super) fn definitions(text: &str, layout: &Layout) -> Vec<Change> {
    const LONGEST: usize = 4096;
    let contained = |c: char| c.is_ascii_digit() || matches!(c, ' ' | '\t' | '>' | '*' | '+' | '-' | '.' | ')' | ':');
    let begins = |end: usize| {
        // No label is longer than 999 characters, and containers before it take a few more.
        let from = (end.saturating_sub(LONGEST)..=end).find(|at| text.is_char_boundary(*at))?;
        let label = from + text[from..end].rfind(['[', ']']).filter(|at| text.as_bytes()[from + *at] == b'[')?;
        let line = text[from..label].rfind('\n').map_or(from, |at| from + at + 1);
        let note = text[label + 1..end].starts_with('^') && end > label + 2;
        (!is_escaped(text, label) && text[line..label].chars().all(contained) && !note && !layout.in_code(label))
            .then_some(label)
    };
    let plain = |target: &str| {
        let target = target.trim_start().trim_start_matches('<');
        let ends = |c: char| c.is_whitespace() || c == '>';
        let end = target.char_indices().take(LONGEST).find(|(_, c)| ends(*c));
        let end = end.or_else(|| target.char_indices().nth(LONGEST)).map_or(target.len(), |(at, _)| at);
        address::is_plain(&target[..end]) && !address::is_request_url(&target[..end])
    };
    let definitions =
        text.match_indices("]:").filter(|(at, _)| !plain(&text[at + 2..])).filter_map(|(at, _)| begins(at));
    definitions.map(|at| Change::insert(at, "\\", EditKind::Link)).collect()
}

/// Formulas, which become code.
pub(super) fn maths(text: &str, layout: &Layout, fence: &str) -> Vec<Change> {
    let formulas = layout.maths.iter().cloned();
    formulas
        .map(|range| {
            let shown = &text[range.clone()];
            let fence = span::longer(fence, shown);
            Change::replace(range.clone(), span::wrap_in(shown, &fence), EditKind::Maths)
        })
        .collect()
}

/// What one backslash makes plain.
pub(super) fn marked(layout: &Layout) -> Vec<Change> {
    layout.plain.iter().map(|(at, kind)| Change::insert(*at, "\\", *kind)).collect()
}

/// Info strings for which GitHub or GitLab draws or computes something: GitHub's "Creating diagrams",
/// GitLab's Mermaid, PlantUML, Kroki, maths and JSON tables.
const DRAWN: &[&str] = &[
    "actdiag",
    "blockdiag",
    "bpmn",
    "bytefield",
    "c4plantuml",
    "d2",
    "dbml",
    "diagramsnet",
    "ditaa",
    "erd",
    "excalidraw",
    "geojson",
    "graphviz",
    "json:table",
    "json_table",
    "math",
    "mermaid",
    "nomnoml",
    "nwdiag",
    "packetdiag",
    "pikchr",
    "plantuml",
    "rackdiag",
    "seqdiag",
    "stl",
    "structurizr",
    "svgbob",
    "symbolator",
    "tikz",
    "topojson",
    "umlet",
    "vega",
    "vegalite",
    "wavedrom",
    "wireviz",
];

/// Whether a forge does more with a fence than show it, by its info string.
pub(super) fn fence_kind(info: &str) -> Option<EditKind> {
    let info = info.trim_start().to_ascii_lowercase();
    if info.starts_with("suggestion") {
        return Some(EditKind::Suggestion);
    }
    let drawn = |known: &&str| {
        let rest = info.strip_prefix(known);
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '+')))
    };
    DRAWN.iter().any(drawn).then_some(EditKind::Diagram)
}

/// Fences that offer their content for applying, or that are drawn.
pub(super) fn fences(text: &str, layout: &Layout) -> Vec<Change> {
    let acting = layout.blocks.iter().filter_map(|block| Some((block, fence_kind(block.info.as_deref()?)?)));
    let infos = acting.map(|(block, kind)| {
        let line = text[block.range.clone()].lines().next().unwrap_or_default();
        let info = line.trim_start().trim_start_matches(['`', '~']).trim_start();
        let end = block.range.start + line.len();
        Change::replace(end - info.len()..end, "text", kind)
    });
    infos.collect()
}

/// A fence that is still open at the end would swallow what follows the field.
pub(super) fn open_fence(text: &str, layout: &Layout) -> Option<Change> {
    let block = layout.blocks.last().filter(|block| block.top && block.info.is_some())?;
    let source = &text[block.range.clone()];
    let opening = source.trim_start_matches(' ');
    let mark = opening.chars().next()?;
    let length = opening.len() - opening.trim_start_matches(mark).len();
    (!block.closed).then(|| {
        let line_end = if text.ends_with('\n') { "" } else { "\n" };
        let fence = mark.to_string().repeat(length);
        Change::insert(text.len(), &format!("{line_end}{fence}"), EditKind::OpenFence)
    })
}

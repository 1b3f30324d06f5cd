//! Fields that stand inside a line of the assembled text.

use comrak::nodes::NodeValue;

use super::change::{Change, is_escaped};
use super::edit::{Clean, EditKind, Tally};
use super::layout::Layout;
use super::pass::{Settled, content, purged, settle};
use super::{markup, proof, span, strong};
use crate::text::{Dialect, excerpt};

/// A list item is the strictest of the places where such a field stands: whatever opens a block
/// anywhere opens one at its beginning.
const ITEM: &str = "- ";

/// A field of one line: a reason, `us`, one of `good`. Markdown inside the line stays; what would open
/// a block, or reach beyond the field, is escaped.
pub fn inline(text: &str, dialect: Dialect) -> Clean {
    let mut tally = Tally::default();
    let text = joined(&purged(text, &mut tally), &mut tally);
    line(&text, tally, dialect)
}

/// The beginning of a longer text as a field of one line. It is cut only after its secrets are gone.
pub(crate) fn short(text: &str, limit: usize, dialect: Dialect) -> Clean {
    let mut tally = Tally::default();
    let text = joined(purged(text, &mut tally).trim(), &mut tally);
    line(&excerpt(&text, limit), tally, dialect)
}

/// A path or another word to be shown as it is: a code span. Line breaks become spaces.
pub fn code(text: &str) -> Clean {
    let mut tally = Tally::default();
    let text = joined(&purged(text, &mut tally), &mut tally);
    tally.clean(span::wrap(&text))
}

fn joined(text: &str, tally: &mut Tally) -> String {
    let breaks = ['\n', '\t', '\u{2028}', '\u{2029}'];
    tally.add(EditKind::Joined, text.matches(breaks).count());
    text.replace(breaks, " ")
}

fn line(text: &str, tally: Tally, dialect: Dialect) -> Clean {
    let before = tally.clone();
    let strongest = || {
        let mut tally = before.clone();
        let text = tally.take(strong::line(text));
        tally.clean(text)
    };
    if strong::is_slow(text) {
        return strongest();
    }
    let item = format!("{ITEM}{}", text.trim());
    let settled = settle(&item, tally, |item, _| {
        let layout = Layout::of(item, dialect);
        let html = markup::html_blocks(item, &layout);
        if !html.is_empty() {
            return html;
        }
        if let Some(opening) = opening(item, dialect) {
            return vec![opening];
        }
        let mut changes = content(item, &layout, dialect);
        changes.extend(loose_ends(item, &layout));
        changes
    });
    match settled {
        Settled::Clean(mut clean) if proof::part(&clean.text, dialect).is_ok() => {
            clean.text.drain(..ITEM.len().min(clean.text.len()));
            clean
        }
        Settled::Clean(_) | Settled::Not => strongest(),
    }
}

/// The escape that keeps the field from opening a block, a command included.
fn opening(item: &str, dialect: Dialect) -> Option<Change> {
    let text = &item[ITEM.len()..];
    if text.is_empty() {
        return None;
    }
    let command = text.strip_prefix('/').is_some_and(|rest| rest.starts_with(char::is_alphabetic));
    if command {
        return Some(Change::insert(ITEM.len(), "\\", EditKind::Command));
    }
    if is_in_line(item, dialect) && !text.starts_with(':') {
        return None;
    }
    // A number is escaped behind its digits, everything else in front.
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let escapable = text[digits..].starts_with(|c: char| c.is_ascii_punctuation() && c != '\\');
    escapable.then(|| Change::insert(ITEM.len() + digits, "\\", EditKind::BlockStart))
}

/// Whether an item of a list is one paragraph with something in it.
fn is_in_line(item: &str, dialect: Dialect) -> bool {
    dialect.parse(item, |root, _| {
        let only = |node: comrak::nodes::Node<'_>, wanted: fn(&NodeValue) -> bool| {
            node.next_sibling().is_none() && wanted(&node.data().value)
        };
        let list = root.first_child().filter(|list| only(list, |value| matches!(value, NodeValue::List(_))));
        let item = list
            .and_then(|list| list.first_child())
            .filter(|item| only(item, |value| matches!(value, NodeValue::Item(_))));
        let text = item
            .and_then(|item| item.first_child())
            .filter(|text| only(text, |value| matches!(value, NodeValue::Paragraph)));
        text.is_some_and(|text| text.first_child().is_some())
    })
}

fn in_link(layout: &Layout, at: usize) -> bool {
    layout.links.iter().any(|link| link.range.contains(&at))
}

/// Back-ticks without a partner, a backslash at the end that would escape what follows, and blanks
/// that something taken away has left at the ends.
fn loose_ends(item: &str, layout: &Layout) -> Vec<Change> {
    let ticks = item.match_indices('`').map(|(at, _)| at).filter(|at| !layout.in_code(*at) && !is_escaped(item, *at));
    let mut changes: Vec<Change> = ticks.map(|at| Change::insert(at, "\\", EditKind::Loose)).collect();
    let dollars = item.match_indices('$').map(|(at, _)| at);
    let dollars = dollars.filter(|at| !layout.in_code(*at) && !is_escaped(item, *at) && !in_link(layout, *at));
    changes.extend(dollars.map(|at| Change::insert(at, "\\", EditKind::Loose)));
    // Brackets without a partner: another field of the same line may have the partner.
    let mut open = Vec::new();
    for (at, bracket) in item.match_indices(['[', ']']).filter(|(at, _)| !layout.in_code(*at) && !is_escaped(item, *at))
    {
        if bracket == "[" {
            open.push(at);
        } else {
            open.pop();
        }
    }
    changes.extend(open.into_iter().map(|at| Change::insert(at, "\\", EditKind::Loose)));
    // With something behind it this is an address to GitLab.
    if item.ends_with("://") && !layout.in_code(item.len() - 1) {
        changes.push(Change::insert(item.len() - 1, "\\", EditKind::Loose));
    }
    if is_escaped(item, item.len()) {
        changes.push(Change::insert(item.len(), "\\", EditKind::Loose));
    }
    let text = &item[ITEM.len()..];
    let blanks = text.len() - text.trim_start().len();
    if blanks > 0 {
        changes.push(Change::replace(ITEM.len()..ITEM.len() + blanks, "", EditKind::Loose));
    } else if text.trim_end() != text {
        changes.push(Change::replace(item.trim_end().len().max(ITEM.len())..item.len(), "", EditKind::Loose));
    }
    changes
}

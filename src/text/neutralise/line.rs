//! Fields that stand inside a line of the assembled text.

use pulldown_cmark::{Event, Options, Parser, Tag};

use super::change::{Change, is_escaped};
use super::edit::{Clean, EditKind, Tally};
use super::layout::Layout;
use super::pass::{content, purged, settle};
use super::{markup, span};
use crate::text::excerpt;

/// A list item is the strictest of the places where such a field stands: whatever opens a block
/// anywhere opens one at its beginning.
const ITEM: &str = "- ";

/// A field of one line: a reason, `us`, one of `good`. Markdown inside the line stays; what would open
/// a block, or reach beyond the field, is escaped.
pub fn inline(text: &str) -> Clean {
    let mut tally = Tally::default();
    let text = joined(&purged(text, &mut tally), &mut tally);
    line(&text, tally)
}

/// The beginning of a longer text as a field of one line. It is cut only after its secrets are gone.
pub(crate) fn short(text: &str, limit: usize) -> Clean {
    let mut tally = Tally::default();
    let text = joined(purged(text, &mut tally).trim(), &mut tally);
    line(&excerpt(&text, limit), tally)
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

fn line(text: &str, tally: Tally) -> Clean {
    let item = format!("{ITEM}{}", text.trim());
    let clean = settle(&item, tally, |item, _| {
        let layout = Layout::of(item);
        let html = markup::html_blocks(item, &layout);
        if !html.is_empty() {
            return html;
        }
        if let Some(opening) = opening(item) {
            return vec![opening];
        }
        // Another field of the same line may have left a bracket open.
        let mut changes = content(item, &layout, true);
        changes.extend(loose_ends(item, &layout));
        changes
    });
    let mut clean = clean.unwrap_or_else(|item, mut tally| {
        tally.add(EditKind::AsCode, 1);
        let text = span::wrap(item.strip_prefix(ITEM).unwrap_or(&item));
        tally.clean(format!("{ITEM}{text}"))
    });
    clean.text.drain(..ITEM.len().min(clean.text.len()));
    clean
}

/// The escape that keeps the field from opening a block, a command included.
fn opening(item: &str) -> Option<Change> {
    let text = &item[ITEM.len()..];
    if text.is_empty() {
        return None;
    }
    let command = text.strip_prefix('/').is_some_and(|rest| rest.starts_with(char::is_alphabetic));
    if command {
        return Some(Change::insert(ITEM.len(), "\\", EditKind::Command));
    }
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_TASKLISTS | Options::ENABLE_GFM;
    let mut events = Parser::new_ext(item, options);
    let in_item = matches!(events.next(), Some(Event::Start(Tag::List(_))))
        && matches!(events.next(), Some(Event::Start(Tag::Item)));
    // An empty item is a definition of a link, which nobody would see.
    let in_line = in_item
        && match events.next() {
            Some(Event::Start(tag)) => {
                matches!(tag, Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. })
            }
            Some(Event::Text(_) | Event::Code(_) | Event::InlineHtml(_) | Event::FootnoteReference(_)) => true,
            _ => false,
        };
    if in_line {
        return None;
    }
    // A number is escaped behind its digits, everything else in front.
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    Some(Change::insert(ITEM.len() + digits, "\\", EditKind::BlockStart))
}

/// Back-ticks without a partner, a backslash at the end that would escape what follows, and blanks
/// that something taken away has left at the ends.
fn loose_ends(item: &str, layout: &Layout) -> Vec<Change> {
    let ticks = item.match_indices('`').map(|(at, _)| at).filter(|at| !layout.in_code(*at) && !is_escaped(item, *at));
    let mut changes: Vec<Change> = ticks.map(|at| Change::insert(at, "\\", EditKind::Loose)).collect();
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

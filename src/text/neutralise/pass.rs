//! The pass itself: rounds of looking and changing, until there is nothing left to change.
//!
//! A change can bring out what it hid (a tag that held a mention, a link that began a line with its
//! text), so that the text is looked at again as it now is. A text without a finding in a round is
//! its own result, which is also why the pass over a result changes nothing.

use std::borrow::Cow;

use super::change::{Change, apply};
use super::commands::{self, What};
use super::controls;
use super::edit::{Clean, EditKind, Tally};
use super::fence;
use super::idle::is_idle;
use super::layout::Layout;
use super::{markup, proof, prose, secrets, span, strong};
use crate::text::Dialect;

/// More than any text needs that was not written to need them.
const ROUNDS: usize = 12;

/// From this round on HTML is escaped wherever it is, whatever becomes of code inside it.
const THOROUGH: usize = 6;

/// A field of Markdown: a finding's body, the verdict. What cannot act passes byte for byte.
pub fn block(text: &str, dialect: Dialect) -> Clean {
    let mut tally = Tally::default();
    let purged = purged(text, &mut tally);
    if is_idle(&purged) { tally.clean(purged.into_owned()) } else { looked_over(text, dialect) }
}

/// The pass itself, and the proof over what it leaves.
pub(super) fn looked_over(text: &str, dialect: Dialect) -> Clean {
    if strong::is_slow(text) {
        return strong::block(text);
    }
    let settled = settle(text, Tally::default(), |text, round| {
        let layout = Layout::of(text, dialect);
        let mut changes = structure(text, &layout, round);
        if changes.is_empty() {
            changes = content(text, &layout, dialect);
        }
        if changes.is_empty() && !layout.visible {
            changes = unseen(text);
        }
        changes
    });
    match settled {
        Settled::Clean(clean) if proof::part(&clean.text, dialect).is_ok() => clean,
        Settled::Clean(_) | Settled::Not => strong::block(text),
    }
}

/// The first sign of every line of a text of which nobody would see anything.
fn unseen(text: &str) -> Vec<Change> {
    let mut at = 0;
    let mut changes = Vec::new();
    for line in text.split_inclusive('\n') {
        let first = at + line.len() - line.trim_start().len();
        at += line.len();
        if text[first..at].starts_with(|c: char| c.is_ascii_punctuation() && c != '\\') {
            changes.push(Change::insert(first, "\\", EditKind::Unseen));
        }
    }
    changes
}

/// What a text is when its rounds are over.
pub(super) enum Settled {
    Clean(Clean),
    /// Still changing.
    Not,
}

/// Changes a text until `look` finds nothing more, characters and secrets before everything else.
pub(super) fn settle(text: &str, mut tally: Tally, look: impl Fn(&str, usize) -> Vec<Change>) -> Settled {
    let mut text = purged(text, &mut tally).into_owned();
    for round in 0..ROUNDS {
        let changes = look(&text, round);
        if changes.is_empty() {
            return Settled::Clean(tally.clean(text));
        }
        text = apply(&text, changes, &mut tally);
        // What was taken out may have stood inside a token.
        if let Cow::Owned(purged) = purged(&text, &mut tally) {
            text = purged;
        }
    }
    Settled::Not
}

/// Without characters that nobody sees, and without secrets.
pub(crate) fn purged<'a>(text: &'a str, tally: &mut Tally) -> Cow<'a, str> {
    match controls::strip(text, tally) {
        Cow::Borrowed(text) => secrets::redact(text, tally),
        Cow::Owned(text) => Cow::Owned(secrets::redact(&text, tally).into_owned()),
    }
}

/// HTML blocks: as long as there are any, what is Markdown in them is not known.
fn structure(text: &str, layout: &Layout, round: usize) -> Vec<Change> {
    if round < THOROUGH || layout.html_blocks.is_empty() {
        return markup::html_blocks(text, layout);
    }
    let tags = text.match_indices('<').filter(|(at, _)| !layout.in_code(*at));
    tags.map(|(at, _)| Change::replace(at..at + 1, "&lt;", EditKind::Html)).collect()
}

/// Everything else.
pub(super) fn content(text: &str, layout: &Layout, dialect: Dialect) -> Vec<Change> {
    let ticks = span::lone_fence(text, layout);
    let mut changes = markup::tags(text, layout);
    changes.extend(markup::images(text, layout));
    changes.extend(markup::links(text, layout, &ticks));
    changes.extend(markup::fences(text, layout));
    changes.extend(markup::maths(text, layout, &ticks));
    changes.extend(markup::marked(layout));
    changes.extend(prose::changes(text, layout, &ticks, dialect));
    let fences = fence::protecting(text, layout);
    // A marker in prose is a comment of HTML, and no longer one by now.
    let hits = commands::find(text, layout, &fences, dialect).filter(|hit| hit.in_code || hit.what != What::Marker);
    changes.extend(hits.map(|hit| hit.change(text)));
    changes.extend(markup::open_fence(text, layout));
    if changes.is_empty() {
        // By now no link and no image of this text uses one.
        changes = markup::definitions(text, layout);
    }
    changes
}

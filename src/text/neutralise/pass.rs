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
use super::{markup, prose, secrets, span};

/// More than any text needs that was not written to need them.
const ROUNDS: usize = 12;

/// From this round on HTML is escaped wherever it is, whatever becomes of code inside it.
const THOROUGH: usize = 6;

/// A field of Markdown: a finding's body, the verdict. What cannot act passes byte for byte.
pub fn block(text: &str) -> Clean {
    let mut tally = Tally::default();
    let purged = purged(text, &mut tally);
    if is_idle(&purged) { tally.clean(purged.into_owned()) } else { looked_over(text) }
}

/// The pass itself.
pub(super) fn looked_over(text: &str) -> Clean {
    settle(text, Tally::default(), |text, round| {
        let layout = Layout::of(text);
        let mut changes = structure(text, &layout, round);
        if changes.is_empty() {
            changes = content(text, &layout, false);
        }
        changes
    })
    .unwrap_or_else(|text, tally| as_code(&text, tally))
}

/// What a text is when its rounds are over.
pub(super) enum Settled {
    Clean(Clean),
    /// Still changing.
    Not(String, Tally),
}

impl Settled {
    pub(super) fn unwrap_or_else(self, otherwise: impl FnOnce(String, Tally) -> Clean) -> Clean {
        match self {
            Settled::Clean(clean) => clean,
            Settled::Not(text, tally) => otherwise(text, tally),
        }
    }
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
    Settled::Not(text, tally)
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

/// Everything else. `open_bracket` says whether a bracket may be open before the text.
pub(super) fn content(text: &str, layout: &Layout, open_bracket: bool) -> Vec<Change> {
    let ticks = span::lone_fence(text, layout);
    let mut changes = markup::tags(text, layout);
    changes.extend(markup::images(text, layout));
    changes.extend(markup::links(text, layout, &ticks));
    changes.extend(markup::suggestions(text, layout));
    changes.extend(prose::changes(text, layout, &ticks, open_bracket));
    let fences = fence::protecting(text, layout);
    // A marker in prose is a comment of HTML, and no longer one by now.
    let hits = commands::find(text, layout, &fences).filter(|hit| hit.in_code || hit.what != What::Marker);
    changes.extend(hits.map(|hit| hit.change(text)));
    changes.extend(markup::open_fence(text, layout));
    changes
}

/// The whole text as one code block that nothing inside can close.
fn as_code(text: &str, mut tally: Tally) -> Clean {
    tally.add(EditKind::AsCode, 1);
    let mut inner = text.to_owned();
    while inner.contains("```") {
        inner = inner.replace("```", "``\u{200B}`");
    }
    tally.clean(format!("```text\n{inner}\n```"))
}

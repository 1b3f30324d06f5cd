//! Edits on the source by range, so that whatever is not named stays byte for byte.

use std::ops::Range;

use super::edit::{EditKind, Tally};

/// What a reader does not see and a forge does not look through: it breaks up names.
pub(super) const ZERO_WIDTH_SPACE: &str = "\u{200B}";

/// A piece of the text and what takes its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    pub range: Range<usize>,
    pub with: String,
    pub kind: EditKind,
}

impl Change {
    pub(super) fn insert(at: usize, text: &str, kind: EditKind) -> Self {
        Self { range: at..at, with: text.to_owned(), kind }
    }

    pub(super) fn replace(range: Range<usize>, with: impl Into<String>, kind: EditKind) -> Self {
        Self { range, with: with.into(), kind }
    }
}

/// Makes the changes. Of two that overlap the first wins; the other is found again in the next round.
pub(super) fn apply(text: &str, mut changes: Vec<Change>, tally: &mut Tally) -> String {
    changes.sort_by_key(|change| (change.range.start, change.range.end));
    let mut changed = String::with_capacity(text.len() + 16);
    let mut done = 0;
    // Two rules may have the same word on the same place.
    changes.dedup_by(|b, a| a.range == b.range && a.with == b.with);
    for change in changes {
        if change.range.start < done {
            continue;
        }
        changed.push_str(&text[done..change.range.start]);
        changed.push_str(&change.with);
        tally.add(change.kind, 1);
        done = change.range.end;
    }
    changed.push_str(&text[done..]);
    changed
}

/// Whether the byte at `at` stands behind an odd number of backslashes.
pub(super) fn is_escaped(text: &str, at: usize) -> bool {
    text.as_bytes()[..at].iter().rev().take_while(|b| **b == b'\\').count() % 2 == 1
}

//! An anchor in the forge's own terms.

use crate::anchor::Anchor;
use crate::change::{Change, DiffLine, LineKind};
use crate::forge::Kind;
use crate::review::{LineRange, Side};
use crate::text::RangeNote;

/// Side and lines as they are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Landing<'a> {
    pub side: Side,
    pub range: LineRange,
    /// The range's first and last line; of one hunk.
    pub first: &'a DiffLine,
    pub last: &'a DiffLine,
    /// What the text has to say, because the forge will not show it.
    pub note: Option<RangeNote>,
}

/// Where the forge puts a comment for this anchor.
///
/// GitHub ("create a review", `side`): RIGHT is for added and context lines, LEFT for deleted ones. So a
/// LEFT range is drawn in to its first and last deleted line, and one without any goes to RIGHT by its
/// new numbers. GitLab takes both sides as written, but its page names only the last line of a range.
pub fn land<'a>(kind: Kind, change: &'a Change, anchor: &Anchor) -> Landing<'a> {
    let (first, last) = anchor.ends(change);
    let written = RangeNote { side: anchor.side, range: anchor.range };
    let as_written = Landing { side: anchor.side, range: anchor.range, first, last, note: None };
    match (kind, anchor.side) {
        (Kind::GitLab, _) => Landing { note: (!anchor.range.is_single()).then_some(written), ..as_written },
        (Kind::GitHub, Side::Right) => as_written,
        (Kind::GitHub, Side::Left) => match deleted_ends(change, anchor) {
            Some((first, last)) => {
                let range = LineRange::new(first.old, last.old);
                Landing { range, first, last, note: (range != anchor.range).then_some(written), ..as_written }
            }
            None => Landing { side: Side::Right, range: LineRange::new(first.new, last.new), ..as_written },
        },
    }
}

/// The first and the last deleted line of the anchor's range; `None` when it has none, or is on RIGHT.
pub(super) fn deleted_ends<'a>(change: &'a Change, anchor: &Anchor) -> Option<(&'a DiffLine, &'a DiffLine)> {
    let mut deleted = anchor.lines(change).filter(|line| line.kind == LineKind::Removed);
    let first = deleted.next()?;
    Some((first, deleted.last().unwrap_or(first)))
}

//! Carrying a finding from the commit that was reviewed to the head that stands now.
//!
//! RIGHT lines are carried along `reviewed..head`, LEFT lines along the two merge bases. A line that
//! nobody touched moves with its file; one that was itself changed or removed is stale.

use crate::change::{Change, Content, FileDelta, Hunk, LineKind, Missing};
use crate::review::{Finding, LineRange, Place, Side, candidates};

/// The two ways the images moved since the review.
#[derive(Debug)]
pub struct Journey<'a> {
    /// From the reviewed commit to the head.
    pub right: &'a Change,
    /// From the merge base of the reviewed commit to that of the head.
    pub left: &'a Change,
}

/// Where a finding's lines went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Carried {
    /// It stands where it stood, or names no line.
    Same,
    Moved {
        path: String,
        place: Place,
    },
    /// A line of it was changed or removed, or its file was deleted.
    Stale,
}

/// Carries one finding.
pub fn carry(finding: &Finding, journey: &Journey<'_>) -> Carried {
    finding.place.map_or(Carried::Same, |place| carry_place(&finding.path, place, journey))
}

/// The name of the finding's file in the old image, where it names a renamed one on LEFT by its new name. `own` is the
/// change that was reviewed.
pub fn old_name(finding: &Finding, own: &Change) -> Option<String> {
    finding.place.filter(|place| place.side == Side::Left)?;
    for path in candidates(&finding.path) {
        if own.by_old_path(&path).is_some() {
            return None;
        }
        if let Some((_, delta)) = own.by_new_path(&path) {
            return delta.old_path().map(str::to_owned);
        }
    }
    None
}

/// Carries lines of a file.
pub fn carry_place(path: &str, place: Place, journey: &Journey<'_>) -> Carried {
    let change = match place.side {
        Side::Right => journey.right,
        Side::Left => journey.left,
    };
    for path in candidates(path) {
        if let Some((_, delta)) = change.by_old_path(&path) {
            return along(delta, &path, place);
        }
        if change.missing(&path) == Missing::Untouched {
            return Carried::Same;
        }
    }
    // The reviewed commit has no such file: the place was wrong from the start, and anchoring says how.
    Carried::Same
}

fn along(delta: &FileDelta, path: &str, place: Place) -> Carried {
    let Some(new_path) = delta.new_path() else { return Carried::Stale };
    let range = match &delta.content {
        Content::Text(text) => carry_range(&text.hunks, place.range),
        Content::Binary => None,
        // Renamed or its mode changed: every line is where it was.
        Content::None(_) => Some(place.range),
    };
    match range {
        None => Carried::Stale,
        Some(range) if range == place.range && new_path == path => Carried::Same,
        Some(range) => Carried::Moved { path: new_path.to_owned(), place: Place { side: place.side, range } },
    }
}

/// The range's lines in the new image; `None` where one of them was touched.
fn carry_range(hunks: &[Hunk], range: LineRange) -> Option<LineRange> {
    if range.is_reversed() {
        return Some(range);
    }
    let removed = hunks.iter().flat_map(|hunk| &hunk.lines).filter(|line| line.kind == LineKind::Removed);
    let touched = removed.into_iter().any(|line| (range.start..=range.end).contains(&line.old));
    if touched {
        return None;
    }
    Some(LineRange::new(carry_line(hunks, range.start)?, carry_line(hunks, range.end)?))
}

/// An untouched line's number in the new image.
fn carry_line(hunks: &[Hunk], number: u32) -> Option<u32> {
    let mut shift = 0i64;
    for hunk in hunks {
        if let Some(at) = hunk.find(Side::Left, number) {
            let line = &hunk.lines[at];
            return (line.kind == LineKind::Context).then_some(line.new);
        }
        // A hunk without old lines names the line before it as its start.
        let before = if hunk.old_len == 0 { hunk.old_start < number } else { hunk.old_start <= number };
        if !before {
            break;
        }
        shift += i64::from(hunk.new_len) - i64::from(hunk.old_len);
    }
    u32::try_from(i64::from(number) + shift).ok()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use bytes::Bytes;

    use super::*;
    use crate::change::{CommitId, Commits, DiffLine, Image, Paths, Text};
    use crate::review::State;

    /// Old: a b c d e f g h i j. New: a X b c d e f g i j, that is one line in after 1, and 8 (h) out.
    fn hunks() -> Vec<Hunk> {
        let line =
            |kind, old, new, text: &'static str| DiffLine { kind, old, new, text: Bytes::from_static(text.as_bytes()) };
        use LineKind::{Added, Context, Removed};
        vec![
            Hunk {
                old_start: 1,
                old_len: 2,
                new_start: 1,
                new_len: 3,
                lines: vec![line(Context, 1, 1, "a"), line(Added, 2, 2, "X"), line(Context, 2, 3, "b")],
            },
            Hunk {
                old_start: 7,
                old_len: 3,
                new_start: 8,
                new_len: 2,
                lines: vec![line(Context, 7, 8, "g"), line(Removed, 8, 9, "h"), line(Context, 9, 9, "i")],
            },
        ]
    }

    fn change(deltas: Vec<FileDelta>, untouched: &[&str]) -> Change {
        let id = CommitId::parse(&"0".repeat(40)).unwrap();
        let missing = untouched.iter().map(|path| ((*path).to_owned(), Missing::Untouched)).collect::<HashMap<_, _>>();
        Change::new(Commits { base: None, merge_base: id.clone(), head: id }, deltas, missing)
    }

    fn text(paths: Paths) -> FileDelta {
        FileDelta {
            paths,
            content: Content::Text(Text { old: Image::default(), new: Image::default(), hunks: hunks() }),
        }
    }

    fn finding(path: &str, side: Side, start: u32, end: u32) -> Finding {
        Finding {
            index: 0,
            pointer: "/findings/0".to_owned(),
            id: None,
            path: path.to_owned(),
            place: Some(Place { side, range: LineRange::new(start, end) }),
            severity: None,
            confidence: None,
            body: "b".to_owned(),
            snippet: None,
            state: State::Active,
            defect: None,
            replies: Vec::new(),
        }
    }

    fn moved(path: &str, side: Side, start: u32, end: u32) -> Carried {
        Carried::Moved { path: path.to_owned(), place: Place { side, range: LineRange::new(start, end) } }
    }

    #[test]
    fn untouched_lines_move_and_touched_ones_are_stale() {
        let nothing = change(vec![], &[]);
        let right = change(vec![text(Paths::Modified { path: "f".to_owned() })], &["same"]);
        let journey = Journey { right: &right, left: &nothing };
        for (start, end, expected) in [
            (1, 1, Carried::Same),
            (2, 2, moved("f", Side::Right, 3, 3)),
            (4, 5, moved("f", Side::Right, 5, 6)),
            (7, 7, moved("f", Side::Right, 8, 8)),
            (8, 8, Carried::Stale),
            (7, 9, Carried::Stale),
            (9, 9, Carried::Same),
            (10, 10, Carried::Same),
            (1, 2, moved("f", Side::Right, 1, 3)),
        ] {
            assert_eq!(carry(&finding("f", Side::Right, start, end), &journey), expected, "{start}-{end}");
        }
        assert_eq!(carry(&finding("same", Side::Right, 3, 3), &journey), Carried::Same);
        assert_eq!(carry(&finding("never", Side::Right, 3, 3), &journey), Carried::Same);
    }

    #[test]
    fn c49_left_lines_go_along_the_merge_bases_and_names_follow_renames() {
        let nothing = change(vec![], &["old"]);
        let left = change(vec![text(Paths::Renamed { old: "old".to_owned(), new: "new".to_owned() })], &[]);
        let journey = Journey { right: &nothing, left: &left };
        assert_eq!(carry(&finding("old", Side::Left, 4, 4), &journey), moved("new", Side::Left, 5, 5));
        assert_eq!(carry(&finding("./old", Side::Left, 1, 1), &journey), moved("new", Side::Left, 1, 1));
        assert_eq!(carry(&finding("old", Side::Right, 4, 4), &journey), Carried::Same);
    }

    #[test]
    fn a_renamed_file_is_known_on_left_by_both_names() {
        let own = change(vec![text(Paths::Renamed { old: "old".to_owned(), new: "new".to_owned() })], &[]);
        let name = |path: &str, side| old_name(&finding(path, side, 4, 4), &own);
        assert_eq!(name("new", Side::Left).as_deref(), Some("old"));
        assert_eq!(name("./new", Side::Left).as_deref(), Some("old"));
        assert_eq!((name("old", Side::Left), name("new", Side::Right), name("other", Side::Left)), (None, None, None));
    }

    #[test]
    fn a_deleted_file_is_stale_and_a_pure_rename_keeps_the_lines() {
        let nothing = change(vec![], &[]);
        let gone = FileDelta { paths: Paths::Deleted { old: "gone".to_owned() }, content: Content::Binary };
        let pure = FileDelta {
            paths: Paths::Renamed { old: "a".to_owned(), new: "b".to_owned() },
            content: Content::None(crate::change::NoText::PureRename),
        };
        let right = change(vec![gone, pure], &[]);
        let journey = Journey { right: &right, left: &nothing };
        assert_eq!(carry(&finding("gone", Side::Right, 1, 1), &journey), Carried::Stale);
        assert_eq!(carry(&finding("a", Side::Right, 5, 5), &journey), moved("b", Side::Right, 5, 5));
    }
}

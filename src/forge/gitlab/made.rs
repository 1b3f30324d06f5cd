//! Where a note was made, by its position.

use serde_json::Value;

use super::wire::StoredPosition;
use crate::change::CommitId;
use crate::gate::{Made, Numbers};
use crate::review::Side;

/// `None` where the position does not say all of it. GitLab carries a position to the head itself while its line is
/// there; then its commits are those of the head, and what it says is as right as before.
pub fn made(position: &StoredPosition) -> Option<Made> {
    let last = Numbers { old: position.old_line, new: position.new_line };
    let first = first(&position.line_range, last).unwrap_or(last);
    // A range on LEFT may end at a context line, which has both numbers.
    let side = if first.new.and(last.new).is_some() { Side::Right } else { Side::Left };
    let new_path = position.new_path.clone().or_else(|| position.old_path.clone())?;
    Some(Made {
        commit: CommitId::parse(position.head_sha.as_deref()?)?,
        merge_base: position.base_sha.as_deref().and_then(CommitId::parse),
        old_path: position.old_path.clone(),
        new_path,
        side,
        first,
        last: (last != Numbers::default()).then_some(last)?,
    })
}

/// The first line of a range. GitLab carries the numbers of the last line and leaves the codes of `line_range` as they
/// were sent, so only their distance counts.
fn first(range: &Value, last: Numbers) -> Option<Numbers> {
    let (start, end) = (end(&range["start"])?, end(&range["end"])?);
    let carried = |last: Option<u32>, start: u32, end: u32| {
        u32::try_from(i64::from(last?) - i64::from(end) + i64::from(start)).ok()
    };
    let kind = range["start"]["type"].as_str();
    Some(Numbers {
        old: carried(last.old, start.0, end.0).filter(|_| kind != Some("new")),
        new: carried(last.new, start.1, end.1).filter(|_| kind != Some("old")),
    })
}

/// Both counters of a line code, `sha1(path)_old_new`.
fn end(end: &Value) -> Option<(u32, u32)> {
    let mut parts = end["line_code"].as_str()?.rsplit('_');
    let (new, old) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some((old, new))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn position(old_line: Option<u32>, new_line: Option<u32>, line_range: Value) -> StoredPosition {
        StoredPosition {
            base_sha: Some("b".repeat(40)),
            head_sha: Some("a".repeat(40)),
            old_path: Some("old.rs".into()),
            new_path: Some("new.rs".into()),
            old_line,
            new_line,
            line_range,
        }
    }

    #[test]
    fn a_position_says_its_commits_both_paths_and_the_numbers_of_both_ends() {
        let end = |kind: Value, old: u32, new: u32| json!({"line_code": format!("{}_{old}_{new}", "e".repeat(40)), "type": kind});
        let numbers = |old, new| Numbers { old, new };
        for (old, new, range, side, first) in [
            (None, Some(9), Value::Null, Side::Right, numbers(None, Some(9))),
            (Some(7), None, Value::Null, Side::Left, numbers(Some(7), None)),
            (Some(7), Some(9), Value::Null, Side::Right, numbers(Some(7), Some(9))),
            (
                Some(7),
                Some(9),
                json!({"start": end(json!("new"), 5, 6), "end": end(Value::Null, 7, 9)}),
                Side::Right,
                numbers(None, Some(6)),
            ),
            (
                Some(7),
                Some(9),
                json!({"start": end(json!("old"), 5, 6), "end": end(Value::Null, 7, 9)}),
                Side::Left,
                numbers(Some(5), None),
            ),
            // Carried three lines down by GitLab, with the codes as they were sent.
            (
                Some(7),
                Some(12),
                json!({"start": end(Value::Null, 5, 7), "end": end(Value::Null, 7, 9)}),
                Side::Right,
                numbers(Some(5), Some(10)),
            ),
            (None, Some(9), json!({"start": "?", "end": null}), Side::Right, numbers(None, Some(9))),
        ] {
            let found = made(&position(old, new, range.clone())).unwrap();
            assert_eq!((found.side, found.first, found.last), (side, first, numbers(old, new)), "{range}");
            assert_eq!((found.old_path.as_deref(), found.new_path.as_str()), (Some("old.rs"), "new.rs"));
            assert_eq!(found.merge_base.unwrap().as_str(), "b".repeat(40));
        }
        assert_eq!(made(&position(None, None, Value::Null)), None);
        assert_eq!(made(&StoredPosition { head_sha: None, ..position(None, Some(1), Value::Null) }), None);
    }
}

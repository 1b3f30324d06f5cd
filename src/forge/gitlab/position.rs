//! A comment's place in GitLab's terms, made from the diff lines at its ends.
//!
//! Source: GitLab REST, "Create a new thread in the merge request diff"; `Gitlab::Diff::Position` and
//! `Gitlab::Git.diff_line_code` of its published source.

use serde::Serialize;
use sha1::{Digest, Sha1};

use super::refs::Refs;
use crate::change::LineKind;
use crate::forge::OutgoingComment;
use crate::gate::Point;

/// `position` of a new discussion. Numbers are the last line's; what is absent is left out, never null.
#[derive(Debug, Serialize)]
pub struct Position<'a> {
    position_type: &'static str,
    base_sha: &'a str,
    start_sha: &'a str,
    head_sha: &'a str,
    /// Always both: with one missing, Gitaly takes a renamed file for an added one.
    old_path: &'a str,
    new_path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line_range: Option<Range>,
}

#[derive(Debug, Serialize)]
struct Range {
    start: End,
    end: End,
}

/// One end of a range. Numbers in it are refused by GitLab's JSON schema.
#[derive(Debug, Serialize)]
struct End {
    line_code: String,
    /// None for a context line.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
}

impl<'a> Position<'a> {
    pub fn new(refs: &'a Refs, comment: &'a OutgoingComment) -> Self {
        let last = comment.last;
        let end = |point: Point| End { line_code: line_code(&comment.new_path, point), kind: kind(point) };
        let range = || Range { start: end(comment.first), end: end(last) };
        Self {
            position_type: "text",
            base_sha: refs.base.as_str(),
            start_sha: refs.start.as_str(),
            head_sha: refs.head.as_str(),
            old_path: &comment.old_path,
            new_path: &comment.new_path,
            old_line: (last.kind != LineKind::Added).then_some(last.old),
            new_line: (last.kind != LineKind::Removed).then_some(last.new),
            line_range: (!comment.range.is_single()).then(range),
        }
    }
}

fn kind(point: Point) -> Option<&'static str> {
    match point.kind {
        LineKind::Added => Some("new"),
        LineKind::Removed => Some("old"),
        LineKind::Context => None,
    }
}

/// `sha1(path)_old_new`, both counters always there.
fn line_code(path: &str, point: Point) -> String {
    format!("{}_{}_{}", hex::encode(Sha1::digest(path.as_bytes())), point.old, point.new)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::change::CommitId;
    use crate::review::{LineRange, Side};

    fn point(kind: LineKind, old: u32, new: u32) -> Point {
        Point { kind, old, new }
    }

    fn refs() -> Refs {
        let commit = |c: char| CommitId::parse(&c.to_string().repeat(40)).unwrap();
        Refs { base: commit('b'), start: commit('5'), head: commit('a') }
    }

    fn comment(first: Point, last: Point, paths: (&str, &str), range: LineRange) -> OutgoingComment {
        OutgoingComment {
            finding: 0,
            path: paths.1.into(),
            old_path: paths.0.into(),
            new_path: paths.1.into(),
            side: Side::Right,
            range,
            first,
            last,
            body: "x".into(),
        }
    }

    #[test]
    fn c29_only_a_context_line_has_both_numbers_and_both_paths_are_always_there() {
        for (line, paths, numbers) in [
            (point(LineKind::Added, 7, 9), ("old.rs", "new.rs"), json!({"new_line": 9})),
            (point(LineKind::Removed, 7, 9), ("old.rs", "new.rs"), json!({"old_line": 7})),
            (point(LineKind::Context, 7, 9), ("old.rs", "new.rs"), json!({"old_line": 7, "new_line": 9})),
            (point(LineKind::Added, 0, 1), ("a.rs", "a.rs"), json!({"new_line": 1})),
            (point(LineKind::Removed, 1, 0), ("a.rs", "a.rs"), json!({"old_line": 1})),
        ] {
            let comment = comment(line, line, paths, LineRange::line(1));
            let refs = refs();
            let mut expected = json!({
                "position_type": "text", "base_sha": "b".repeat(40), "start_sha": "5".repeat(40),
                "head_sha": "a".repeat(40), "old_path": paths.0, "new_path": paths.1,
            });
            expected.as_object_mut().unwrap().extend(numbers.as_object().unwrap().clone());
            assert_eq!(serde_json::to_value(Position::new(&refs, &comment)).unwrap(), expected);
        }
    }

    #[test]
    fn c29_a_range_has_line_codes_and_types_and_no_numbers() {
        // `printf new.rs | sha1sum`
        let sha = "e6d049e7e635307aff069ed13eadd2e56f36bc52";
        let path = "new.rs";
        let comment = comment(
            point(LineKind::Added, 0, 1),
            point(LineKind::Context, 4, 9),
            ("old.rs", path),
            LineRange::new(1, 9),
        );
        let refs = refs();
        let json = serde_json::to_value(Position::new(&refs, &comment)).unwrap();
        assert_eq!(
            json["line_range"],
            json!({
                "start": {"line_code": format!("{sha}_0_1"), "type": "new"},
                "end": {"line_code": format!("{sha}_4_9")},
            })
        );
        assert_eq!((&json["old_line"], &json["new_line"]), (&json!(4), &json!(9)), "the last line's");
    }
}

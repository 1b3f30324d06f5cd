//! The JSON of a review. One key too many and GitHub refuses all of it, so nothing is ever null.

use serde::Serialize;

use crate::forge::OutgoingComment;

/// Body of `POST /repos/{owner}/{repo}/pulls/{number}/reviews`.
#[derive(Debug, Serialize)]
pub struct OutgoingReview<'a> {
    commit_id: &'a str,
    body: &'a str,
    /// There is no other event here: nothing is approved and no change requested.
    event: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<OutgoingLine<'a>>,
}

#[derive(Debug, Serialize)]
struct OutgoingLine<'a> {
    path: &'a str,
    /// The range's last line.
    line: u32,
    side: &'static str,
    /// Only for a range: a start that equals the line is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    start_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_side: Option<&'static str>,
    body: &'a str,
}

impl<'a> OutgoingReview<'a> {
    pub fn new(commit: &'a str, body: &'a str, comments: &[&'a OutgoingComment]) -> Self {
        let line = |comment: &&'a OutgoingComment| {
            let range = !comment.range.is_single();
            OutgoingLine {
                path: &comment.path,
                line: comment.range.end,
                side: comment.side.as_str(),
                start_line: range.then_some(comment.range.start),
                start_side: range.then_some(comment.side.as_str()),
                body: &comment.body,
            }
        };
        Self { commit_id: commit, body, event: "COMMENT", comments: comments.iter().map(line).collect() }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::change::LineKind;
    use crate::gate::Point;
    use crate::review::{LineRange, Side};

    pub fn comment(finding: usize, path: &str, side: Side, range: LineRange, body: &str) -> OutgoingComment {
        let point = |line| Point { kind: LineKind::Added, old: line, new: line };
        OutgoingComment {
            finding,
            path: path.into(),
            old_path: path.into(),
            new_path: path.into(),
            side,
            range,
            first: point(range.start),
            last: point(range.end),
            body: body.into(),
        }
    }

    #[test]
    fn exactly_the_known_keys_are_sent_and_the_start_only_for_a_range() {
        let one = comment(0, "a.rs", Side::Right, LineRange::line(7), "x");
        let range = comment(1, "b.rs", Side::Left, LineRange::new(3, 5), "y");
        let json = serde_json::to_value(OutgoingReview::new("abc", "sum", &[&one, &range])).unwrap();
        assert_eq!(
            json,
            serde_json::json!({
                "commit_id": "abc", "body": "sum", "event": "COMMENT",
                "comments": [
                    {"path": "a.rs", "line": 7, "side": "RIGHT", "body": "x"},
                    {"path": "b.rs", "line": 5, "side": "LEFT", "start_line": 3, "start_side": "LEFT", "body": "y"},
                ],
            })
        );
        let alone = serde_json::to_value(OutgoingReview::new("abc", "sum", &[])).unwrap();
        assert_eq!(alone, serde_json::json!({"commit_id": "abc", "body": "sum", "event": "COMMENT"}));
    }
}

//! The known field that an unknown one probably means: by case and separators, by a synonym, by a
//! few letters that are off.

use super::document::Document;
use super::finding::{Severity, Side, State};
use super::near::nearest;
use super::node::{Kind, Member, Node};
use super::rule;

/// Words for one thing. The first known field of a format that is among them is the one that is meant.
const SYNONYMS: [&[&str]; 10] = [
    &["path", "file", "filename", "file_path", "filepath", "file_name", "relative_path", "absolute_file_path"],
    &[
        "line",
        "start_line",
        "line_number",
        "lineno",
        "line_no",
        "line_num",
        "line_start",
        "start",
        "begin_line",
        "from_line",
        "first_line",
        "lines",
        "line_range",
        "position",
        "range",
        "row",
        "new_line",
        "old_line",
    ],
    &["end_line", "line_end", "end", "to_line", "last_line", "stop_line"],
    &["side", "diff_side", "start_side"],
    &["severity", "level", "priority", "criticality"],
    &["confidence", "confidence_score", "certainty", "probability"],
    &["body", "message", "comment", "text", "description", "content", "details", "claim"],
    &["snippet", "code_snippet", "excerpt", "quoted_code", "existing_code"],
    &["state", "status", "disposition", "resolution", "dismissed", "resolved"],
    &["findings", "comments", "issues", "results", "problems"],
];

/// How an unknown name was recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// Case and separators aside it is the known name.
    Spelling,
    Synonym,
    /// A few letters are off.
    Distance,
}

/// The known field that a key means, if it looks like one.
pub(super) fn meaning<'k>(key: &str, known: &[&'k str]) -> Option<(&'k str, By)> {
    let bare = squeezed(key);
    if let Some(known) = known.iter().find(|known| squeezed(known) == bare) {
        return Some((known, By::Spelling));
    }
    let group = SYNONYMS.iter().find(|group| group.iter().any(|word| squeezed(word) == bare));
    let synonym = group.and_then(|group| known.iter().find(|known| group.contains(known)));
    if let Some(known) = synonym {
        return Some((known, By::Synonym));
    }
    nearest(key, known).map(|known| (known, By::Distance))
}

fn squeezed(key: &str) -> String {
    key.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}

/// An unknown field of a finding whose value would be lost: its place, its state, its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Misnamed<'d> {
    pub member: &'d Member,
    pub known: &'static str,
    /// Whether the known field is not there and takes the value as it is.
    pub sure: bool,
}

/// The fields of a finding that look like a known one that they are not. One that is null, that says
/// what the known field says too, or whose value no such field could have is none of them.
pub(super) fn misnamed<'d>(document: &Document, node: &'d Node, known: &[&'static str]) -> Vec<Misnamed<'d>> {
    let unknown = node.members().iter().filter(|member| !known.contains(&&*member.key));
    let mut found: Vec<Misnamed<'d>> = unknown
        .filter_map(|member| {
            let (field, by) = meaning(&member.key, known)?;
            let right = node.get(field).map(|right| &right.value).filter(|right| !matches!(right.kind, Kind::Null));
            let said_already = right.is_some_and(|right| document.raw(right) == document.raw(&member.value));
            // Beside the text that is required, another one is no loss of place or state.
            let extra = by == By::Synonym && right.is_some() && matches!(field, "path" | "file" | "severity" | "body");
            let plausible = match by {
                By::Spelling => !matches!(member.value.kind, Kind::Null),
                By::Synonym => could_be(document, &member.value, field),
                By::Distance => field != "id" && could_be(document, &member.value, field),
            };
            let sure = right.is_none() && !is_offset(&member.key) && is_allowed(document, &member.value, field);
            (plausible && !said_already && !extra).then_some(Misnamed { member, known: field, sure })
        })
        .collect();
    for at in 0..found.len() {
        let twice = found.iter().filter(|other| other.known == found[at].known).count() > 1;
        found[at].sure &= !twice;
    }
    found
}

/// GitHub counts a `position` in the diff and not in the file.
fn is_offset(key: &str) -> bool {
    squeezed(key) == "position"
}

/// Whether the value could be one of that field, in whatever spelling.
fn could_be(document: &Document, value: &Node, field: &str) -> bool {
    let text = rule::text(document, value);
    let word = |words: &[&str]| text.is_some_and(|text| words.iter().any(|word| word.eq_ignore_ascii_case(text)));
    match field {
        "line" | "start_line" | "end_line" | "confidence" => match &value.kind {
            Kind::Number | Kind::List(_) | Kind::Object(_) => true,
            Kind::Text(text) => text.len() <= 24 && text.contains(|c: char| c.is_ascii_digit()),
            Kind::Null | Kind::Bool(_) => false,
        },
        "side" => word(&["LEFT", "RIGHT", "old", "new", "before", "after"]),
        "severity" => text.is_some() || matches!(value.kind, Kind::Number),
        "state" => text.is_some() || matches!(value.kind, Kind::Bool(_)),
        "findings" | "comments" => matches!(value.kind, Kind::List(_)),
        _ => text.is_some(),
    }
}

/// Whether the field takes the value as it is written.
fn is_allowed(document: &Document, value: &Node, field: &str) -> bool {
    match field {
        "line" | "start_line" | "end_line" => rule::line(document, value).is_some(),
        "side" => rule::text(document, value).and_then(Side::parse).is_some(),
        "severity" => rule::text(document, value).and_then(Severity::parse).is_some(),
        "confidence" => rule::confidence(document, value).is_some(),
        "state" => rule::text(document, value).and_then(State::parse).is_some(),
        "path" | "file" => rule::path(document, value).is_some(),
        "id" => rule::id(document, value).is_some(),
        "body" | "claim" | "evidence" => rule::some_text(document, value).is_some(),
        _ => rule::text(document, value).is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::{By, meaning, misnamed};
    use crate::review::dai::FINDING;
    use crate::review::{Document, Source};

    #[test]
    fn c67_a_name_is_known_by_case_separators_synonym_or_a_letter() {
        for (key, expected) in [
            ("startLine", Some(("start_line", By::Spelling))),
            ("End-Line", Some(("end_line", By::Spelling))),
            ("line_number", Some(("line", By::Synonym))),
            ("line_start", Some(("line", By::Synonym))),
            ("lines", Some(("line", By::Synonym))),
            ("position", Some(("line", By::Synonym))),
            ("status", Some(("state", By::Synonym))),
            ("message", Some(("body", By::Synonym))),
            ("file", Some(("path", By::Synonym))),
            ("confidance", Some(("confidence", By::Distance))),
            ("category", None),
            ("title", None),
            ("rule", None),
        ] {
            assert_eq!(meaning(key, &FINDING), expected, "{key}");
        }
        assert_eq!(meaning("comments", &["summary", "findings"]), Some(("findings", By::Synonym)));
        assert_eq!(meaning("path", &["id", "file", "claim"]), Some(("file", By::Synonym)));
    }

    #[test]
    fn c67_what_says_nothing_else_or_cannot_be_meant_is_no_loss() {
        let found = |text: &str| {
            let document = Document::parse(Source::new("f", text)).unwrap();
            let found = misnamed(&document, document.root(), &FINDING);
            found.iter().map(|one| (one.member.key.to_string(), one.known, one.sure)).collect::<Vec<_>>()
        };
        for (text, expected) in [
            (r#"{"startLine": 3}"#, vec![("startLine", "start_line", true)]),
            (r#"{"line_number": "3"}"#, vec![("line_number", "line", false)]),
            (r#"{"lines": [3, 5]}"#, vec![("lines", "line", false)]),
            (r#"{"position": 3}"#, vec![("position", "line", false)]),
            (r#"{"line": 3, "startLine": 4}"#, vec![("startLine", "start_line", true)]),
            (r#"{"line": 3, "line_number": 4}"#, vec![("line_number", "line", false)]),
            (r#"{"line": 3, "line_number": 3}"#, vec![]),
            (r#"{"line_number": 3, "lineno": 4}"#, vec![("line_number", "line", false), ("lineno", "line", false)]),
            (r#"{"status": "dismissed"}"#, vec![("status", "state", true)]),
            (r#"{"status": "open"}"#, vec![("status", "state", false)]),
            (r#"{"dismissed": true}"#, vec![("dismissed", "state", false)]),
            (r#"{"startLine": null, "link": "https://e.org/12345678901234567890"}"#, vec![]),
            (r#"{"body": "x", "message": "y", "path": "a", "file": "b", "severity": "low", "level": 3}"#, vec![]),
            (r#"{"size": 3, "uid": "7", "category": "x"}"#, vec![]),
        ] {
            let expected: Vec<_> = expected.into_iter().map(|(a, b, c)| (a.to_owned(), b, c)).collect();
            assert_eq!(found(text), expected, "{text}");
        }
    }
}

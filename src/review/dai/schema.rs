//! The published schema of the format: true to the reader as far as a schema can say it.

use serde_json::{Value, json};

use super::read::{MAX_BODY, MAX_NAME};
use crate::review::finding::{Severity, Side, State};
use crate::review::reading::MAX_FINDINGS;
use crate::review::schema::{any_case, any_path, commit, not_blank, nullable, one_line, optional_line};

/// What a schema cannot say, the reader alone holds: unique ids and keys, one value under two
/// names, whole numbers in digits only.
pub(in crate::review) fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "dai review",
        "description": "A code review: its findings, each at a place in the change, and what heads the posted summary.",
        "type": "object",
        "required": ["findings"],
        "properties": {
            "$schema": { "type": ["string", "null"], "description": "This schema, for editors." },
            "head": nullable(commit("The full id of the commit that was reviewed.")),
            "result_sha": nullable(commit("Another name of head; where both stand they are equal.")),
            "reviewer": {
                "type": ["string", "null"],
                "maxLength": MAX_NAME,
                "description": "Who wrote the review, by a short name: its identity among several reviews of one request. Absent: the name of the file."
            },
            "us": { "type": ["string", "null"], "description": "The story or ticket." },
            "version": { "type": ["string", "null"], "description": "The version of the change." },
            "checkStatus": { "type": ["string", "null"], "description": "Whether the change is up to date with its checks." },
            "dod": { "type": ["string", "null"], "description": "How much of the definition of done holds." },
            "summary": { "type": ["string", "null"], "description": "The judgement on the whole change, in Markdown." },
            "good": {
                "type": ["array", "null"],
                "items": { "type": "string" },
                "description": "What is good, concretely."
            },
            "findings": {
                "type": "array",
                "maxItems": MAX_FINDINGS,
                "items": { "$ref": "#/$defs/finding" },
                "description": "May be empty: that is how a clean review is reported."
            }
        },
        "$defs": { "finding": finding() }
    })
}

fn finding() -> Value {
    json!({
        "type": "object",
        "required": ["path", "severity", "body"],
        "properties": {
            "id": nullable(one_line("Unique in the file.")),
            "path": any_path("Relative to the repository's root, as in the diff; an absolute one must lie below that root."),
            "line": optional_line("Counted from 1 in the image that side names. Absent: the file as a whole."),
            "start_line": optional_line("Another name of line; beside it, and without end_line, the range is from start_line to line."),
            "end_line": optional_line("Included. Absent: the same as line."),
            "side": nullable(any_case(
                [Side::Right, Side::Left].map(Side::as_str),
                "RIGHT is the new image, which is the default, LEFT the old one. Any case.",
            )),
            "severity": any_case(Severity::ALL.map(Severity::as_str), "Any case."),
            "confidence": { "type": ["number", "null"], "minimum": 0, "maximum": 1 },
            "body": {
                "allOf": [
                    not_blank("What is wrong, why, and what to do, in Markdown."),
                    { "maxLength": MAX_BODY }
                ]
            },
            "snippet": {
                "type": ["string", "null"],
                "description": "The text of the line or lines; it is checked against the diff."
            },
            "state": nullable(any_case(
                State::ALL.map(State::as_str),
                "Absent: active. Findings in any other state are kept and listed, and never posted.",
            ))
        },
        "if": number("end_line"),
        "then": { "anyOf": [number("line"), number("start_line")] }
    })
}

/// The field is there, and not null.
fn number(field: &str) -> Value {
    json!({ "required": [field], "properties": { field: { "type": "integer" } } })
}

#[cfg(test)]
mod tests {
    use super::super::read::{DOCUMENT, FINDING};
    use crate::review::schema::assert_names;

    #[test]
    fn the_schema_names_the_fields_that_are_read() {
        let schema = super::schema();
        assert_names(&schema, &DOCUMENT);
        assert_names(&schema["$defs"]["finding"], &FINDING);
    }
}

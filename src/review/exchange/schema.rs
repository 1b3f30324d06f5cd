//! The published schema of the exchange.

use serde_json::{Value, json};

use crate::review::finding::State;
use crate::review::reading::MAX_FINDINGS;
use crate::review::schema::{any_case, line_or_zero, not_blank, nullable, one_line, relative_path};

/// What a schema cannot say, the reader alone holds: unique ids and keys, whole numbers in digits
/// only, and what stands in the patch.
pub(in crate::review) fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "leanreview review exchange",
        "description": "A unified diff and the comments on it.",
        "type": "object",
        "required": ["leanreview_review", "patch"],
        "properties": {
            "leanreview_review": { "const": 1, "description": "The version of the format." },
            "title": nullable(json!({ "type": "string" })),
            "summary": nullable(json!({
                "type": "string",
                "description": "The judgement on the whole change, in Markdown."
            })),
            "patch": {
                "type": ["array", "string"],
                "items": { "type": "string" },
                "pattern": "[^\\s\\u0085]",
                "contains": { "pattern": "[^\\s\\u0085]" },
                "description": "The diff, a line an element and no final empty one, or one text."
            },
            "comments": {
                "type": ["array", "null"],
                "maxItems": MAX_FINDINGS,
                "items": { "$ref": "#/$defs/comment" }
            }
        },
        "$defs": { "comment": comment(), "reply": reply() }
    })
}

fn comment() -> Value {
    json!({
        "type": "object",
        "required": ["path", "body"],
        "properties": {
            "id": nullable(one_line("Unique in the file; given on writing where it is missing.")),
            "author": nullable(json!({ "type": "string" })),
            "path": relative_path("As in the patch."),
            "side": nullable(json!({
                "type": "string",
                "examples": ["RIGHT", "LEFT"],
                "description": "RIGHT is the new image, LEFT the old one; any other word reads as RIGHT."
            })),
            "start_line": nullable(line_or_zero("In the patch's numbers; 0 or absent: the file as a whole.")),
            "end_line": nullable(line_or_zero("Included; 0 or absent: the same as start_line.")),
            "body": not_blank("In Markdown."),
            "state": nullable(any_case(
                State::ALL.map(State::as_str),
                "Absent: active. Only active comments are posted."
            )),
            "snippet": nullable(json!({ "type": "string", "description": "The text of the line or lines." })),
            "at": nullable(json!({ "type": "string", "description": "When it was written." })),
            "replies": nullable(json!({ "type": "array", "items": { "$ref": "#/$defs/reply" } }))
        }
    })
}

fn reply() -> Value {
    json!({
        "type": "object",
        "required": ["body"],
        "properties": {
            "author": nullable(json!({ "type": "string" })),
            "body": { "type": "string" },
            "at": nullable(json!({ "type": "string" }))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::read::{COMMENT, DOCUMENT, REPLY};
    use crate::review::schema::assert_names;

    #[test]
    fn the_schema_names_the_fields_that_are_read() {
        let schema = super::schema();
        assert_names(&schema, &DOCUMENT);
        assert_names(&schema["$defs"]["comment"], &COMMENT);
        assert_names(&schema["$defs"]["reply"], &REPLY);
    }
}

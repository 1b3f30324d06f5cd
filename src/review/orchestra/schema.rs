//! The published schema of the format.

use serde_json::{Value, json};

use super::read::{MAX, MAX_FIELD, SEVERITIES};
use crate::review::schema::{commit, line_or_zero, not_blank, nullable, one_line, relative_path};

/// What a schema cannot say, the reader alone holds: unique ids and keys, whole numbers in digits
/// only, and that the bound of a field is in bytes; a schema counts characters.
pub(in crate::review) fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Orchestra review",
        "description": "What an independent reviewer found in a result. No blocking finding: accepted.",
        "type": "object",
        "required": ["findings"],
        "properties": {
            "$schema": { "type": ["string", "null"], "description": "This schema, for editors." },
            "result_sha": nullable(commit("The commit that was judged. The reviewer leaves it out.")),
            "findings": { "type": "array", "maxItems": MAX, "items": { "$ref": "#/$defs/finding" } }
        },
        "$defs": { "finding": finding() }
    })
}

fn finding() -> Value {
    json!({
        "type": "object",
        "required": ["id", "severity", "file", "claim", "evidence"],
        "properties": {
            "id": bounded(one_line("Unique in the file.")),
            "severity": {
                "enum": SEVERITIES.map(|(word, _)| word),
                "description": "blocker and important block, minor does not."
            },
            "file": bounded({
                let mut path = relative_path("Relative to the repository's root.");
                path["pattern"] = json!(ONE_LINE);
                path["allOf"] = json!([{ "pattern": "[^\\s\\u0085]" }]);
                path
            }),
            "line": nullable(line_or_zero("In the new image; 0 or absent: the file as a whole.")),
            "claim": bounded(line_of_text("What is wrong.")),
            "evidence": bounded(line_of_text("What shows it."))
        }
    })
}

/// A tab ends no line.
const ONE_LINE: &str = "^[^\\u0000-\\u0008\\u000a-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$";

fn line_of_text(description: &str) -> Value {
    let mut text = not_blank(description);
    text["allOf"] = json!([{ "pattern": text["pattern"] }]);
    text["pattern"] = json!(ONE_LINE);
    text
}

fn bounded(mut text: Value) -> Value {
    text["maxLength"] = json!(MAX_FIELD);
    text
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

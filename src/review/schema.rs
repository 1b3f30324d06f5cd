//! The published schemas, JSON Schema 2020-12, and the pieces they share.

use serde_json::{Value, json};

use super::finding::Format;
use super::{dai, exchange, orchestra};

/// The JSON Schema of a format. Open to unknown fields, as the readers are.
pub fn schema(format: Format) -> Value {
    match format {
        Format::Dai => dai::schema(),
        Format::Exchange => exchange::schema(),
        Format::Orchestra => orchestra::schema(),
        // Others' formats are theirs to publish.
        Format::Foreign(_) => json!(true),
    }
}

/// The strict form of our own format, for the structured output of models.
pub fn schema_for_model() -> Value {
    dai::for_model()
}

/// One of some words in any case. The pattern says it for validators, the examples for writers.
pub(super) fn any_case<const N: usize>(words: [&str; N], description: &str) -> Value {
    let either = |c: char| match (c.to_ascii_lowercase(), c.to_ascii_uppercase()) {
        (low, up) if low == up => low.to_string(),
        (low, up) => format!("[{low}{up}]"),
    };
    let words_in_any_case = words.each_ref().map(|word| word.chars().map(either).collect::<String>()).join("|");
    json!({
        "type": "string",
        "pattern": format!("^({words_in_any_case})$"),
        "examples": &words[..],
        "description": description
    })
}

/// What may be left out may be null. Keywords about texts and numbers say nothing of a null.
pub(super) fn nullable(mut field: Value) -> Value {
    field["type"] = json!([field["type"], "null"]);
    field
}

pub(super) fn commit(description: &str) -> Value {
    json!({ "type": "string", "pattern": "^([0-9A-Fa-f]{40}|[0-9A-Fa-f]{64})$", "description": description })
}

pub(super) fn line(description: &str) -> Value {
    json!({ "type": "integer", "minimum": 1, "maximum": u32::MAX, "description": description })
}

/// [`line`] or null, which says nothing.
pub(super) fn optional_line(description: &str) -> Value {
    nullable(line(description))
}

pub(super) fn line_or_zero(description: &str) -> Value {
    json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX, "description": description })
}

/// White space is what Unicode calls it, and the zero-width no-break space.
pub(super) fn not_blank(description: &str) -> Value {
    json!({ "type": "string", "pattern": "[^\\s\\u0085]", "description": description })
}

pub(super) fn one_line(description: &str) -> Value {
    json!({
        "type": "string",
        "allOf": [
            { "pattern": "[^\\s\\u0085]" },
            { "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*$" }
        ],
        "description": description
    })
}

/// Without `..`, and naming something.
pub(super) fn any_path(description: &str) -> Value {
    let mut path = relative_path(description);
    let outside = ["^([A-Za-z]:)?([/\\\\]|\\.[/\\\\])*\\.?$", "(^|[/\\\\])\\.\\.([/\\\\]|$)", "\\u0000"];
    path["not"] = json!({ "anyOf": outside.map(|pattern| json!({ "pattern": pattern })) });
    path
}

/// Neither absolute nor with `..`, and naming something.
pub(super) fn relative_path(description: &str) -> Value {
    json!({
        "type": "string",
        "not": {
            "anyOf": [
                { "pattern": "^(\\.?[/\\\\])*\\.?$" },
                { "pattern": "^[/\\\\]" },
                { "pattern": "^[A-Za-z]:[/\\\\]" },
                { "pattern": "(^|[/\\\\])\\.\\.([/\\\\]|$)" },
                { "pattern": "\\u0000" }
            ]
        },
        "description": description
    })
}

/// The properties of an object of a schema are exactly the fields that are read.
#[cfg(test)]
pub(super) fn assert_names(object: &Value, known: &[&str]) {
    let mut named: Vec<_> = object["properties"].as_object().unwrap().keys().map(String::as_str).collect();
    let mut known = known.to_vec();
    named.sort_unstable();
    known.sort_unstable();
    assert_eq!(named, known);
}

//! The schema that a model's structured output is held to. The tools that do so take strict schemas
//! only: a closed object as the root, every object closed, every property required, what is optional
//! nullable, and none of `allOf`, `not`, `if` and the `dependent` keywords.

use serde_json::{Value, json};

use crate::review::finding::{Severity, Side};

/// What a model writes; the reader takes it as any review of this format. What is only a program's or a
/// person's to write (`state`, `result_sha`) is not in it.
pub(in crate::review) fn for_model() -> Value {
    let mut schema = closed(json!({
        "head": optional("string", "The full id of the commit that you reviewed; null where you do not know it."),
        "summary": optional("string", "The judgement on the whole change, in Markdown."),
        "good": {
            "type": ["array", "null"],
            "items": { "type": "string" },
            "description": "What is good, concretely."
        },
        "findings": {
            "type": "array",
            "items": finding(),
            "description": "Empty where there is nothing to report."
        }
    }));
    schema["title"] = json!("dai review");
    schema
}

fn finding() -> Value {
    let sides = [Side::Right, Side::Left].map(Side::as_str);
    closed(json!({
        "id": optional("string", "Unique in the file, in one line."),
        "path": {
            "type": "string",
            "description": "Relative to the repository's root, as in the diff; no leading slash, no \"..\"."
        },
        "side": {
            "type": ["string", "null"],
            "enum": [sides[0], sides[1], null],
            "description": "RIGHT: the file after the change; LEFT: before it, for deleted lines. null: RIGHT."
        },
        "line": optional("integer", "Counted from 1 in the file that side names; null: the file as a whole."),
        "end_line": optional("integer", "The last line of a range, included; null: the same as line."),
        "severity": {
            "type": "string",
            "enum": Severity::ALL.map(Severity::as_str),
            "description": "high and medium block the change."
        },
        "confidence": optional("number", "How sure you are, from 0 to 1."),
        "snippet": optional("string", "The text of that line or those lines, verbatim."),
        "body": { "type": "string", "description": "What is wrong, why, and what to do, in Markdown." }
    }))
}

fn closed(properties: Value) -> Value {
    let names: Vec<&String> = properties.as_object().into_iter().flat_map(|object| object.keys()).collect();
    let required = json!(names);
    json!({ "type": "object", "additionalProperties": false, "required": required, "properties": properties })
}

fn optional(kind: &str, description: &str) -> Value {
    json!({ "type": [kind, "null"], "description": description })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::for_model;
    use crate::review::dai::{DOCUMENT, FINDING};
    use crate::review::read;

    /// What the strict form of structured output refuses, by OpenAI's published list.
    fn breaches(schema: &Value, at: &str, found: &mut Vec<String>) {
        let Some(object) = schema.as_object() else { return };
        for word in ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"] {
            if object.contains_key(word) {
                found.push(format!("{at}: {word}"));
            }
        }
        if let Some(properties) = object.get("properties").and_then(Value::as_object) {
            if object.get("additionalProperties") != Some(&json!(false)) {
                found.push(format!("{at}: open"));
            }
            let required: Vec<&str> = object
                .get("required")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            for (name, property) in properties {
                if !required.contains(&&**name) {
                    found.push(format!("{at}/{name}: not required"));
                }
                breaches(property, &format!("{at}/{name}"), found);
            }
        }
        for (name, inner) in object.get("$defs").and_then(Value::as_object).into_iter().flatten() {
            breaches(inner, &format!("{at}/$defs/{name}"), found);
        }
        if let Some(items) = object.get("items") {
            breaches(items, &format!("{at}/items"), found);
        }
    }

    #[test]
    fn the_strict_form_has_no_breach_and_the_open_one_has_many() {
        let of = |schema: &Value| {
            let mut found = Vec::new();
            breaches(schema, "", &mut found);
            found
        };
        assert_eq!(of(&for_model()), [""; 0]);
        assert_eq!(for_model()["type"], "object");
        assert!(of(&crate::review::dai::schema()).len() > 8, "the walk finds what there is to find");
    }

    #[test]
    fn what_it_allows_is_read_and_its_names_are_the_formats() {
        let schema = for_model();
        let names = |schema: &Value| schema["properties"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert!(names(&schema).iter().all(|name| DOCUMENT.contains(&&**name)));
        assert!(names(&schema["properties"]["findings"]["items"]).iter().all(|name| FINDING.contains(&&**name)));
        let file = json!({
            "head": null, "summary": null, "good": null,
            "findings": [{
                "id": null, "path": "a", "side": null, "line": null, "end_line": null, "severity": "low",
                "confidence": null, "snippet": null, "body": "b"
            }]
        });
        let validator = jsonschema::validator_for(&schema).unwrap();
        assert!(validator.is_valid(&file));
        let (review, _) = read(file.to_string().as_bytes(), "f").unwrap();
        assert!(review.warnings.is_empty() && review.findings[0].place.is_none());
    }
}

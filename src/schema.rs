//! The JSON Schema of a published type.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::Value;

/// The formats of JSON Schema 2020-12 (validation, section 7.3). A strict validator refuses any other.
const FORMATS: [&str; 19] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

/// The schema, without the names of Rust's numbers as formats.
pub fn of<T: JsonSchema>(settings: SchemaSettings) -> Value {
    let settings = settings.with_transform(RecursiveTransform(without_unknown_format));
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

fn without_unknown_format(schema: &mut Schema) {
    let known = schema.get("format").and_then(Value::as_str).is_some_and(|format| FORMATS.contains(&format));
    if !known {
        schema.remove("format");
    }
}

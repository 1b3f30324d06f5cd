//! Bodies: JSON, or a form whose keys nest in brackets.

use serde_json::{Map, Value};

use crate::support::server::Request;

/// The body's parameters as one object; a form's values are all strings.
pub(super) fn parameters(request: &Request) -> Result<Map<String, Value>, String> {
    let kind = request.header("content-type").unwrap_or_default();
    if kind.starts_with("application/json") {
        return match serde_json::from_slice(&request.body) {
            Ok(Value::Object(object)) => Ok(object),
            _ => Err("the body is no JSON object".to_owned()),
        };
    }
    if kind.starts_with("application/x-www-form-urlencoded") {
        let mut object = Map::new();
        for (key, value) in url::form_urlencoded::parse(&request.body) {
            let (first, rest) = key.split_once('[').unwrap_or((&key, ""));
            let mut path = vec![first];
            path.extend(rest.trim_end_matches(']').split("][").filter(|part| !part.is_empty()));
            nest(&mut object, &path, &value);
        }
        return Ok(object);
    }
    Err(format!("a body of the type {kind:?}"))
}

fn nest(object: &mut Map<String, Value>, path: &[&str], value: &str) {
    match path {
        [] => {}
        [last] => drop(object.insert((*last).to_owned(), Value::from(value))),
        [first, rest @ ..] => {
            let inner = object.entry((*first).to_owned()).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(inner) = inner {
                nest(inner, rest, value);
            }
        }
    }
}

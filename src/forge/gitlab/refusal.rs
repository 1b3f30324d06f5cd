//! What an answer that is no success means.
//!
//! Source: GitLab's REST documentation, "Status codes" and "Rate limit responses".

use std::time::SystemTime;

use serde_json::Value;

use crate::forge::http::throttle;
use crate::forge::{Answer, Secrets, Trouble};

/// The longest piece of a body that goes into a message.
const QUOTE: usize = 300;

/// 404 reads as "no such request"; whether the project is hidden takes another call.
pub fn read(answer: &Answer, secrets: &Secrets) -> Trouble {
    let status = answer.status.as_u16();
    let body: Option<Value> = answer.json().ok();
    let said = |key: &str| body.as_ref().map(|body| flat(&body[key])).filter(|text| !text.is_empty());
    let message = said("message").or_else(|| said("error_description")).or_else(|| said("error"));
    let message = message.unwrap_or_else(|| plain(&String::from_utf8_lossy(&answer.body)));
    let message: String = secrets.redact(&message).chars().take(QUOTE).collect();
    if throttle(answer, SystemTime::now()).is_some() {
        return Trouble::Throttled { message };
    }
    match status {
        401 => Trouble::BadToken { message },
        403 => Trouble::Forbidden { message, needs: said("scope").map(|scope| format!("scope {scope}")) },
        404 => Trouble::NoRequest,
        400..=499 => Trouble::Refused { status, sentences: vec![sentence(status, &message)], suspects: Vec::new() },
        _ => Trouble::Server { status, message: sentence(status, &message) },
    }
}

/// A message without the status, which is told beside it, and in words where it is about the line.
fn sentence(status: u16, message: &str) -> String {
    let rest = message.strip_prefix(&status.to_string()).map_or(message, str::trim_start);
    let rest = rest.strip_prefix("Bad request - ").unwrap_or(rest);
    if rest.contains(":line_code") {
        return format!("GitLab finds no such line in its diff: {rest}");
    }
    match rest.is_empty() {
        true => "without a word".to_owned(),
        false => rest.to_owned(),
    }
}

/// A body that is no JSON: a word of the server's, or the page of a proxy before it.
fn plain(body: &str) -> String {
    match body.trim_start().starts_with('<') {
        true => "an HTML page".to_owned(),
        false => body.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

/// A message is a string, a list, or an object of lists by field.
fn flat(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(flat).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            fields.iter().map(|(field, fault)| format!("{field} {}", flat(fault))).collect::<Vec<_>>().join("; ")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::{HeaderMap, StatusCode};

    use super::*;

    #[test]
    fn every_refusal_is_told_from_the_others() {
        let m = |message: &str| message.to_owned();
        let refused =
            |status, sentence: &str| Trouble::Refused { status, sentences: vec![m(sentence)], suspects: vec![] };
        for (status, body, expected) in [
            (401, r#"{"message":"401 Unauthorized"}"#, Trouble::BadToken { message: m("401 Unauthorized") }),
            (
                401,
                r#"{"error":"invalid_token","error_description":"Token is expired."}"#,
                Trouble::BadToken { message: m("Token is expired.") },
            ),
            (
                403,
                r#"{"error":"insufficient_scope","error_description":"The request requires higher privileges","scope":"api"}"#,
                Trouble::Forbidden {
                    message: m("The request requires higher privileges"),
                    needs: Some(m("scope api")),
                },
            ),
            (403, r#"{"message":"403 Forbidden"}"#, Trouble::Forbidden { message: m("403 Forbidden"), needs: None }),
            (404, r#"{"message":"404 Not found"}"#, Trouble::NoRequest),
            (
                400,
                r#"{"message":"400 Bad request - Note {:line_code=>[\"can't be blank\", \"must be a valid line code\"]}"}"#,
                refused(
                    400,
                    r#"GitLab finds no such line in its diff: Note {:line_code=>["can't be blank", "must be a valid line code"]}"#,
                ),
            ),
            (
                422,
                r#"{"message":{"note":["is too long (maximum is 1000000 characters)"]}}"#,
                refused(422, "note is too long (maximum is 1000000 characters)"),
            ),
            (413, "too big", refused(413, "too big")),
            (429, "Retry later\n", Trouble::Throttled { message: m("Retry later") }),
            (
                500,
                r#"{"message":"500 Internal Server Error"}"#,
                Trouble::Server { status: 500, message: m("Internal Server Error") },
            ),
            (502, "", Trouble::Server { status: 502, message: m("without a word") }),
            (302, "\n<html>sign in</html>", Trouble::Server { status: 302, message: m("an HTML page") }),
        ] {
            let answer = Answer {
                status: StatusCode::from_u16(status).unwrap(),
                headers: HeaderMap::new(),
                body: Bytes::copy_from_slice(body.as_bytes()),
            };
            assert_eq!(read(&answer, &Secrets::default()), expected, "{status} {body}");
        }
    }
}

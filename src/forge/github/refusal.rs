//! What an answer that is no success means.
//!
//! Sources: GitHub REST, "Troubleshooting the REST API" and "Rate limits"; the sentences of a 422 as
//! users quote them.

use std::time::SystemTime;

use super::wire::Refusal;
use crate::forge::http::throttle;
use crate::forge::{Answer, Secrets, Trouble};

/// The longest piece of a body that is no JSON (a proxy's page) that goes into a message.
const QUOTE: usize = 200;

/// 404 reads as "no such request"; whether the project is hidden takes another call.
pub fn read(answer: &Answer, secrets: &Secrets) -> Trouble {
    let status = answer.status.as_u16();
    let body: Option<Refusal> = answer.json().ok();
    let message = secrets.redact(&match &body {
        Some(body) if !body.message.is_empty() => body.message.clone(),
        _ => String::from_utf8_lossy(&answer.body).split_whitespace().collect::<Vec<_>>().join(" "),
    });
    let message: String = message.chars().take(QUOTE).collect();
    if throttle(answer, SystemTime::now()).is_some() {
        return Trouble::Throttled { message };
    }
    let sentences: Vec<String> = match body {
        Some(body) if status == 422 => sentences(&body).iter().map(|s| secrets.redact(s)).collect(),
        _ => Vec::new(),
    };
    let says = |word: &str| {
        let has = |text: &String| text.to_ascii_lowercase().contains(word);
        has(&message) || sentences.iter().any(has)
    };
    let needs = || {
        let named = ["x-accepted-github-permissions", "x-accepted-oauth-scopes"];
        named.into_iter().find_map(|header| answer.header(header).filter(|value| !value.is_empty()).map(str::to_owned))
    };
    match status {
        401 => Trouble::BadToken { message },
        403 if answer.header("x-github-sso").is_some() => {
            let header = answer.header("x-github-sso").unwrap_or_default();
            let url = header.split(';').find_map(|part| part.trim().strip_prefix("url=")).map(str::to_owned);
            Trouble::SingleSignOn { url }
        }
        403 if says("not accessible by integration") => Trouble::Integration { message, needs: needs() },
        403 | 422 | 423 if says("archived") => Trouble::Archived,
        403 | 422 | 423 if says("locked") => Trouble::Locked,
        422 if says("one pending review") => Trouble::Pending { url: None },
        403 => Trouble::Forbidden { message, needs: needs() },
        404 => Trouble::NoRequest,
        400..=499 => {
            let sentences = if sentences.is_empty() { vec![message] } else { sentences };
            Trouble::Refused { status, sentences, suspects: Vec::new() }
        }
        _ => Trouble::Server { status, message },
    }
}

/// The clauses of `errors`, whatever their shape; the message where there are none.
fn sentences(body: &Refusal) -> Vec<String> {
    let object = |error: &serde_json::Value| match error {
        serde_json::Value::String(text) => text.clone(),
        error => match error["message"].as_str() {
            Some(message) => message.to_owned(),
            None => {
                let part = |key: &str| error[key].as_str().unwrap_or_default().to_owned();
                [part("resource"), part("field"), part("code")].join(" ").trim().to_owned()
            }
        },
    };
    let mut all: Vec<String> = match &body.errors {
        serde_json::Value::Array(errors) => errors.iter().map(object).collect(),
        serde_json::Value::Null => Vec::new(),
        error => vec![object(error)],
    };
    all.retain(|sentence| !sentence.is_empty());
    if all.is_empty() && !body.message.is_empty() {
        all.push(body.message.clone());
    }
    all
}

/// Whether a refusal is about where comments are, so that leaving one out may help.
pub fn is_about_places(sentences: &[String]) -> bool {
    let words = ["line", "path", "hunk", "position", "side"];
    sentences.iter().any(|sentence| {
        let lower = sentence.to_ascii_lowercase();
        lower.split(|c: char| !c.is_ascii_alphabetic()).any(|word| words.contains(&word))
    })
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::{HeaderMap, HeaderName, StatusCode};

    use super::*;

    fn answer(status: u16, headers: &[(&str, &str)], body: &str) -> Answer {
        let pair = |(name, value): &(&str, &str)| (name.parse::<HeaderName>().unwrap(), value.parse().unwrap());
        Answer {
            status: StatusCode::from_u16(status).unwrap(),
            headers: HeaderMap::from_iter(headers.iter().map(pair)),
            body: Bytes::copy_from_slice(body.as_bytes()),
        }
    }

    #[test]
    fn every_refusal_is_told_from_the_others() {
        let m = |message: &str| message.to_owned();
        let refused = |status, sentences: &[&str]| Trouble::Refused {
            status,
            sentences: sentences.iter().map(|s| (*s).to_owned()).collect(),
            suspects: vec![],
        };
        let clauses = "Line could not be resolved, Path could not be resolved, and Line could not be resolved";
        let one = format!(r#"{{"message":"Unprocessable Entity","errors":["{clauses}"]}}"#);
        let plain = format!(r#"{{"message":"Validation Failed","errors":"{clauses}"}}"#);
        for (status, headers, body, expected) in [
            (401, vec![], r#"{"message":"Bad credentials"}"#, Trouble::BadToken { message: m("Bad credentials") }),
            (
                403,
                vec![("x-github-sso", "required; url=https://github.com/orgs/o/sso?x=1")],
                r#"{"message":"Resource protected by organization SAML enforcement."}"#,
                Trouble::SingleSignOn { url: Some(m("https://github.com/orgs/o/sso?x=1")) },
            ),
            (
                403,
                vec![("x-accepted-github-permissions", "pull_requests=write")],
                r#"{"message":"Resource not accessible by integration"}"#,
                Trouble::Integration {
                    message: m("Resource not accessible by integration"),
                    needs: Some(m("pull_requests=write")),
                },
            ),
            (
                403,
                vec![("x-accepted-github-permissions", "pull_requests=write")],
                r#"{"message":"Resource not accessible by personal access token"}"#,
                Trouble::Forbidden {
                    message: m("Resource not accessible by personal access token"),
                    needs: Some(m("pull_requests=write")),
                },
            ),
            (403, vec![], r#"{"message":"Repository was archived so is read-only."}"#, Trouble::Archived),
            (403, vec![], r#"{"message":"This conversation is locked"}"#, Trouble::Locked),
            (404, vec![], r#"{"message":"Not Found"}"#, Trouble::NoRequest),
            (422, vec![], &one, refused(422, &[clauses])),
            (422, vec![], &plain, refused(422, &[clauses])),
            (
                422,
                vec![],
                r#"{"message":"Validation Failed","errors":[{"resource":"PullRequestReviewComment","code":"invalid","field":"path"}]}"#,
                refused(422, &["PullRequestReviewComment path invalid"]),
            ),
            (
                422,
                vec![],
                r#"{"message":"Validation Failed","errors":[{"code":"custom","message":"path is invalid"}]}"#,
                refused(422, &["path is invalid"]),
            ),
            (
                422,
                vec![],
                r#"{"message":"Unprocessable Entity","errors":["User can only have one pending review per pull request"]}"#,
                Trouble::Pending { url: None },
            ),
            (
                422,
                vec![],
                r#"{"message":"Validation Failed","errors":["was submitted too quickly"]}"#,
                Trouble::Throttled { message: m("Validation Failed") },
            ),
            (
                403,
                vec![("x-ratelimit-remaining", "0")],
                r#"{"message":"API rate limit exceeded for user ID 1."}"#,
                Trouble::Throttled { message: m("API rate limit exceeded for user ID 1.") },
            ),
            (429, vec![("retry-after", "900")], "", Trouble::Throttled { message: m("") }),
            (
                502,
                vec![],
                "<html>\n  <p>Bad gateway</p></html>",
                Trouble::Server { status: 502, message: m("<html> <p>Bad gateway</p></html>") },
            ),
        ] {
            assert_eq!(read(&answer(status, &headers, body), &Secrets::default()), expected, "{status} {body}");
        }
    }

    #[test]
    fn a_token_that_a_server_echoes_is_taken_out() {
        let mut secrets = Secrets::default();
        secrets.add("ghp_s3cret");
        let trouble = read(&answer(401, &[], r#"{"message":"Bad token ghp_s3cret"}"#), &secrets);
        assert_eq!(trouble, Trouble::BadToken { message: "Bad token [redacted]".into() });
    }

    #[test]
    fn a_refusal_about_places_is_told_from_any_other() {
        for (sentence, places) in [
            ("Line could not be resolved, Path could not be resolved, and Line could not be resolved", true),
            ("Pull request review thread line must be part of the diff", true),
            ("start line must precede the end line", true),
            ("Pull request review thread start line must be part of the same hunk as the line", true),
            ("Pull request review thread diff hunk can't be blank", true),
            ("path diff too large", true),
            ("Body is too long (maximum is 65536 characters)", false),
            ("commit_id is not part of the pull request", false),
            ("The request was submitted offline", false),
        ] {
            assert_eq!(is_about_places(&[sentence.to_owned()]), places, "{sentence}");
        }
    }
}

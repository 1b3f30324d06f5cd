//! Whether an answer means "not now", in all the shapes the forges give it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::Answer;

/// "Not now": the call was not done, and may be made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Throttle {
    /// When to come back, if the answer says so.
    pub after: Option<Duration>,
}

/// GitHub: 429, or 403 with `retry-after` or a spent `x-ratelimit-*`, or a 403 that speaks of its
/// secondary limit, or 422 with "was submitted too quickly" or the code `abuse`. GitLab: 429, with
/// `Retry-After`, with `RateLimit-Reset`, or with nothing but the text "Retry later".
pub fn throttle(answer: &Answer, now: SystemTime) -> Option<Throttle> {
    let spent = ["x-ratelimit-remaining", "ratelimit-remaining"].iter().any(|h| answer.header(h) == Some("0"));
    let says = |words: &[&str]| {
        let text = String::from_utf8_lossy(&answer.body).to_ascii_lowercase();
        words.iter().any(|word| text.contains(word))
    };
    let throttled = match answer.status.as_u16() {
        429 => true,
        403 => {
            answer.header("retry-after").is_some()
                || answer.header("x-ratelimit-remaining") == Some("0")
                || says(&["secondary rate limit", "rate limit exceeded", "abuse detection"])
        }
        422 => says(&["was submitted too quickly"]) || has_code(answer, "abuse"),
        _ => false,
    };
    if !throttled {
        return None;
    }
    let reset = || {
        let at = ["x-ratelimit-reset", "ratelimit-reset"].iter().find_map(|h| answer.header(h)?.parse().ok())?;
        let left = (UNIX_EPOCH + Duration::from_secs(at)).duration_since(now).unwrap_or_default();
        // The reset is told in whole seconds.
        spent.then(|| left + Duration::from_secs(1))
    };
    Some(Throttle { after: retry_after(answer, now).or_else(reset) })
}

/// `Retry-After`: seconds, or the date of the moment (RFC 9110, 10.2.3); one that has passed is now.
pub fn retry_after(answer: &Answer, now: SystemTime) -> Option<Duration> {
    let value = answer.header("retry-after")?;
    let until = |at: SystemTime| at.duration_since(now).unwrap_or_default();
    value.parse().map(Duration::from_secs).or_else(|_| httpdate::parse_http_date(value).map(until)).ok()
}

fn has_code(answer: &Answer, code: &str) -> bool {
    let Ok(body) = answer.json::<serde_json::Value>() else { return false };
    let errors = body["errors"].as_array().map_or(&[][..], Vec::as_slice);
    errors.iter().any(|error| error["code"] == code)
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
    fn every_shape_of_not_now_is_known_and_a_plain_refusal_is_none() {
        let now = UNIX_EPOCH + Duration::from_secs(1_000);
        let wait = |seconds: u64| Some(Throttle { after: Some(Duration::from_secs(seconds)) });
        let someday = Some(Throttle { after: None });
        for (status, headers, body, expected) in [
            (429, vec![("retry-after", "7")], "", wait(7)),
            (429, vec![], "Retry later\n", someday),
            // 1,000 seconds after the epoch it was 00:16:40.
            (429, vec![("retry-after", "Thu, 01 Jan 1970 00:17:17 GMT")], "", wait(37)),
            (429, vec![("retry-after", "Thursday, 01-Jan-70 00:17:17 GMT")], "", wait(37)),
            (429, vec![("retry-after", "Thu Jan  1 00:17:17 1970")], "", wait(37)),
            (403, vec![("retry-after", "Thu, 01 Jan 1970 01:16:40 GMT")], "{}", wait(3_600)),
            (429, vec![("retry-after", "Thu, 01 Jan 1970 00:16:00 GMT")], "", wait(0)),
            (429, vec![("retry-after", "Thu, 32 Jan 1970 00:17:17 GMT")], "", someday),
            (429, vec![("retry-after", "soon")], "", someday),
            (
                429,
                vec![("retry-after", "soon"), ("ratelimit-remaining", "0"), ("ratelimit-reset", "1030")],
                "",
                wait(31),
            ),
            (429, vec![("ratelimit-remaining", "0"), ("ratelimit-reset", "1030")], "", wait(31)),
            (403, vec![("retry-after", "60")], "{}", wait(60)),
            (403, vec![("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1009")], "{}", wait(10)),
            (403, vec![("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "900")], "{}", wait(1)),
            (403, vec![], r#"{"message":"You have exceeded a secondary rate limit."}"#, someday),
            (403, vec![("x-ratelimit-remaining", "4999")], r#"{"message":"Forbidden"}"#, None),
            (403, vec![], r#"{"message":"Resource not accessible by integration"}"#, None),
            (422, vec![], r#"{"message":"Validation Failed","errors":["was submitted too quickly"]}"#, someday),
            (422, vec![], r#"{"errors":[{"resource":"PullRequestReview","code": "abuse"}]}"#, someday),
            (422, vec![], r#"{"errors":["Line could not be resolved: abuse"]}"#, None),
            (200, vec![("x-ratelimit-remaining", "0")], "{}", None),
            (503, vec![("retry-after", "5")], "", None),
        ] {
            assert_eq!(throttle(&answer(status, &headers, body), now), expected, "{status} {headers:?} {body}");
        }
    }
}

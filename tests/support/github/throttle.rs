//! The ways in which GitHub says "slower".

use serde_json::json;

use crate::support::server::Response;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Throttle {
    /// 403, secondary limit, `retry-after` in seconds.
    Secondary403(u64),
    /// 429, secondary limit, `retry-after` in seconds.
    Secondary429(u64),
    /// 403, the hour's limit is used up: `x-ratelimit-remaining: 0` and the second of the epoch at which it is full again.
    Used403(u64),
    /// 429, the same.
    Used429(u64),
    /// 422 "was submitted too quickly".
    TooQuickly,
    /// 422 with the code `abuse`.
    Abuse,
}

impl Throttle {
    pub fn response(self) -> Response {
        let secondary = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
        let used = |status, reset: u64| {
            Response::json(status, &json!({ "message": "API rate limit exceeded for user ID 1." }))
                .header("x-ratelimit-limit", 5000)
                .header("x-ratelimit-remaining", 0)
                .header("x-ratelimit-reset", reset)
        };
        match self {
            Self::Secondary403(wait) => {
                Response::json(403, &json!({ "message": secondary })).header("retry-after", wait)
            }
            Self::Secondary429(wait) => {
                Response::json(429, &json!({ "message": secondary })).header("retry-after", wait)
            }
            Self::Used403(reset) => used(403, reset),
            Self::Used429(reset) => used(429, reset),
            Self::TooQuickly => Response::json(
                422,
                &json!({ "message": "Validation Failed", "errors": ["was submitted too quickly"], "status": "422" }),
            ),
            Self::Abuse => Response::json(
                422,
                &json!({
                    "message": "Validation Failed",
                    "errors": [{ "resource": "PullRequestReview", "field": "base", "code": "abuse" }],
                }),
            ),
        }
    }
}

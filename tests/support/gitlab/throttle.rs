//! The ways in which GitLab says "slower".

use serde_json::json;

use crate::support::server::Response;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Throttle {
    /// `Retry-After` and `RateLimit-*`, seconds; plain text.
    WithHeaders(u64),
    /// The limit of one endpoint (`notes_create`): JSON, and no header.
    OfEndpoint,
    /// "Retry later", and no header.
    Plain,
}

impl Throttle {
    pub fn response(self) -> Response {
        match self {
            Self::WithHeaders(wait) => Response::text(429, "text/plain", "Retry later\n")
                .header("retry-after", wait)
                .header("ratelimit-limit", 60)
                .header("ratelimit-observed", 61)
                .header("ratelimit-remaining", 0),
            Self::OfEndpoint => {
                let error = "This endpoint has been requested too many times. Try again later.";
                Response::json(429, &json!({ "message": { "error": error } }))
            }
            Self::Plain => Response::text(429, "text/plain", "Retry later\n"),
        }
    }
}

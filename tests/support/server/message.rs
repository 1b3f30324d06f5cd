//! Requests as they arrived, responses as they leave.

use std::time::Duration;

use percent_encoding::percent_decode_str;
use serde_json::Value;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub method: String,
    /// As sent, escapes and all, without the query.
    pub path: String,
    /// As sent, without the `?`.
    pub query: String,
    /// Names in lower case, in the order of arrival.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Request {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// The path's segments, each with its escapes decoded, so that `a%2Fb` is one segment.
    pub fn segments(&self) -> Vec<String> {
        let decode = |s: &str| percent_decode_str(s).decode_utf8_lossy().into_owned();
        self.path.trim_start_matches('/').split('/').map(decode).collect()
    }

    /// The query's pairs, decoded.
    pub fn parameters(&self) -> Vec<(String, String)> {
        url::form_urlencoded::parse(self.query.as_bytes()).into_owned().collect()
    }

    pub fn parameter(&self, name: &str) -> Option<String> {
        self.parameters().into_iter().find(|(n, _)| n == name).map(|(_, value)| value)
    }

    /// The body as JSON; panics when it is none.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("the request's body is JSON")
    }

    /// The URL that the client used, up to the path.
    pub fn origin(&self) -> String {
        format!("http://{}", self.header("host").unwrap_or("127.0.0.1"))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Response {
    pub fn json(status: u16, body: &Value) -> Self {
        Self::text(status, "application/json; charset=utf-8", body.to_string())
    }

    pub fn text(status: u16, kind: &str, body: impl Into<Vec<u8>>) -> Self {
        Self { status, headers: vec![("content-type".to_owned(), kind.to_owned())], body: body.into() }
    }

    /// An error page as a proxy in front of a forge gives it.
    pub fn html(status: u16) -> Self {
        Self::text(status, "text/html", format!("<html><body><h1>{status}</h1></body></html>"))
    }

    pub fn header(mut self, name: &str, value: impl std::fmt::Display) -> Self {
        self.headers.push((name.to_owned(), value.to_string()));
        self
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut out = format!("HTTP/1.1 {} Status\r\n", self.status);
        for (name, value) in &self.headers {
            out.push_str(&format!("{name}: {value}\r\n"));
        }
        if self.status != 204 {
            out.push_str(&format!("content-length: {}\r\n", self.body.len()));
        }
        let mut out = (out + "\r\n").into_bytes();
        out.extend_from_slice(&self.body);
        out
    }
}

/// What the connection sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    Whole(Response),
    /// Status, headers, half of the body; then the connection ends.
    Half(Response),
    /// No byte; the connection ends.
    Cut,
    /// No byte for this long (or until the client leaves); then the connection ends.
    Hang(Duration),
}

//! What a server said, read whole.

use bytes::Bytes;
use http::{HeaderMap, StatusCode, header};
use serde::de::DeserializeOwned;

/// Status, headers and the whole body, 64 MiB at most.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Answer {
    pub fn is_success(&self) -> bool {
        self.status.is_success()
    }

    /// # Errors
    ///
    /// The place and kind of what does not fit `T`.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_slice(&self.body)
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok().map(str::trim)
    }

    /// The `rel="next"` of the `Link` header (RFC 8288), as written: it may be relative.
    pub fn next_link(&self) -> Option<String> {
        let links = self.headers.get_all(header::LINK).iter().filter_map(|value| value.to_str().ok());
        links.flat_map(|value| value.split(",")).find_map(|link| {
            let (target, parameters) = link.split_once('>')?;
            let next = parameters.split(';').any(|p| matches!(p.trim(), "rel=\"next\"" | "rel=next"));
            next.then(|| target.trim().strip_prefix('<').map(str::to_owned))?
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page_is_read_from_the_link_header() {
        for (link, next) in [
            (r#"<https://h/x?page=2>; rel="next", <https://h/x?page=9>; rel="last""#, Some("https://h/x?page=2")),
            (r#"<https://h/x?page=1>; rel="prev", <https://h/x?page=3>; rel="next""#, Some("https://h/x?page=3")),
            (r#"<https://h/x?page=1>; rel="prev""#, None),
            (r#"</x?page=2>; rel="next""#, Some("/x?page=2")),
            ("nonsense", None),
        ] {
            let headers = HeaderMap::from_iter([(header::LINK, link.parse().unwrap())]);
            let answer = Answer { status: StatusCode::OK, headers, body: Bytes::new() };
            assert_eq!(answer.next_link().as_deref(), next, "{link}");
        }
    }
}

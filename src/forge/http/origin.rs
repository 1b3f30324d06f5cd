//! Scheme, host and port: who a token may be shown to.

use std::fmt;

use url::Url;

/// Where a URL leads, without the path.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Origin {
    scheme: String,
    host: String,
    /// The host, with the port where it is not the scheme's own.
    authority: String,
}

impl Origin {
    pub fn of(url: &Url) -> Self {
        let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
        // The parser leaves a port that is the scheme's own out.
        let authority = url.port().map_or_else(|| host.clone(), |port| format!("{host}:{port}"));
        Self { scheme: url.scheme().to_owned(), host, authority }
    }

    /// As people write it: with the port, where there is one to name.
    pub fn authority(&self) -> &str {
        &self.authority
    }

    /// Whether calls stay on this machine, where no proxy belongs.
    pub fn is_loopback(&self) -> bool {
        let bare = self.host.trim_start_matches('[').trim_end_matches(']');
        self.host == "localhost" || bare.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.authority)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(url: &str) -> Origin {
        Origin::of(&url.parse().unwrap())
    }

    #[test]
    fn scheme_host_and_port_all_count() {
        let api = origin("https://api.github.com/repos/");
        for (url, same) in [
            ("https://api.github.com/repositories/1", true),
            ("https://api.github.com:443/x", true),
            ("https://API.GitHub.com/x", true),
            ("http://api.github.com/x", false),
            ("https://api.github.com:8443/x", false),
            ("https://github.com/x", false),
            ("https://api.github.com.evil.example/x", false),
            ("https://api.github.com@evil.example/x", false),
        ] {
            assert_eq!(origin(url) == api, same, "{url}");
        }
    }

    #[test]
    fn loopback_is_told_from_the_rest() {
        for (url, loopback) in [
            ("http://127.0.0.1:1/", true),
            ("http://[::1]:1/", true),
            ("http://localhost/", true),
            ("http://10.0.0.1/", false),
            ("http://localhost.example/", false),
        ] {
            assert_eq!(origin(url).is_loopback(), loopback, "{url}");
        }
    }
}

//! The name and port by which a forge is known.

use std::fmt;

/// A host, lower-cased, and its port where that is not the scheme's own. An IPv6 address is held
/// without its brackets; a name of other scripts stays as it was given, so that it equals only itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Host {
    name: String,
    port: Option<u16>,
}

impl Host {
    /// A host by its name alone; `None` where that cannot be one.
    ///
    /// The doors that the forges keep open for networks without ssh mean the forges themselves:
    /// GitHub's "Using SSH over the HTTPS port", GitLab's "altssh.gitlab.com".
    pub fn named(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        let name = match name.as_str() {
            "ssh.github.com" | "www.github.com" => "github.com".to_owned(),
            "altssh.gitlab.com" | "www.gitlab.com" => "gitlab.com".to_owned(),
            _ => name,
        };
        let is_name = |char: char| char.is_alphanumeric() || matches!(char, '-' | '.' | '_');
        let well_formed = !name.is_empty()
            && !name.starts_with(['-', '.'])
            && (name.chars().all(is_name) || name.parse::<std::net::Ipv6Addr>().is_ok());
        well_formed.then_some(Self { name, port: None })
    }

    /// `NAME` or `NAME:PORT`, an IPv6 address in brackets.
    pub fn parse(authority: &str) -> Option<Self> {
        let (name, port) = match authority.strip_prefix('[') {
            Some(rest) => {
                let (name, after) = rest.split_once(']')?;
                name.parse::<std::net::Ipv6Addr>().ok()?;
                (name, if after.is_empty() { None } else { Some(after.strip_prefix(':')?) })
            }
            None => match authority.split_once(':') {
                Some((name, port)) => (name, Some(port)),
                None => (authority, None),
            },
        };
        let host = Self::named(name)?;
        match port {
            // As in a URL, where a colon may stand with nothing behind it.
            None | Some("") => Some(host),
            Some(port) if port.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(host.with_port(port.parse().ok().filter(|port| *port != 0)))
                    .filter(|host: &Self| host.port.is_some())
            }
            Some(_) => None,
        }
    }

    pub fn with_port(self, port: Option<u16>) -> Self {
        Self { port, ..self }
    }

    /// Without the port that its scheme has anyway.
    pub fn of_scheme(self, scheme: Scheme) -> Self {
        let port = self.port.filter(|port| Some(*port) != scheme.web_port());
        self.with_port(port)
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn port(&self) -> Option<u16> {
        self.port
    }

    /// Whether what is sent to it stays on this machine: 127.0.0.0/8, ::1, localhost.
    pub fn is_loopback(&self) -> bool {
        self.name == "localhost" || self.name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
    }

    /// github.com, where `GH_TOKEN` belongs, and the `*.ghe.com` of "GitHub Enterprise Cloud with data
    /// residency", where it belongs too.
    pub fn is_github_cloud(&self) -> bool {
        self.name == "github.com" || self.is_ghe_tenant()
    }

    pub(super) fn is_ghe_tenant(&self) -> bool {
        self.name.strip_suffix(".ghe.com").is_some_and(|tenant| !tenant.is_empty())
    }

    /// Whether the name can hardly be that of a machine on a network, but is one of an ssh
    /// configuration: `work`, `github.com-work`.
    pub fn looks_like_ssh_alias(&self) -> bool {
        if self.name == "localhost" || self.name.parse::<std::net::IpAddr>().is_ok() {
            return false;
        }
        match self.name.rsplit_once('.') {
            None => true,
            // A top-level domain is letters alone, or the encoding of such.
            Some((_, top)) => !(top.starts_with("xn--") || top.chars().all(char::is_alphabetic)),
        }
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.contains(':') {
            true => write!(f, "[{}]", self.name)?,
            false => f.write_str(&self.name)?,
        }
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

/// How a remote's URL, or a page's, is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scheme {
    Https,
    Http,
    /// `ssh://` and the short `host:path`.
    Ssh,
    Git,
}

impl Scheme {
    pub fn as_str(self) -> &'static str {
        match self {
            Scheme::Https => "https",
            Scheme::Http => "http",
            Scheme::Ssh => "ssh",
            Scheme::Git => "git",
        }
    }

    pub(super) fn parse(word: &str) -> Option<Self> {
        Some(match word.to_ascii_lowercase().as_str() {
            "https" | "git+https" => Scheme::Https,
            "http" | "git+http" => Scheme::Http,
            "ssh" | "git+ssh" | "ssh+git" => Scheme::Ssh,
            "git" => Scheme::Git,
            _ => return None,
        })
    }

    /// Whether the port of such a URL is the one that pages and the API are served from. The port of
    /// ssh says nothing about them.
    pub fn is_web(self) -> bool {
        matches!(self, Scheme::Https | Scheme::Http)
    }

    fn web_port(self) -> Option<u16> {
        match self {
            Scheme::Https => Some(443),
            Scheme::Http => Some(80),
            Scheme::Ssh | Scheme::Git => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_ports_and_addresses() {
        for (written, shown) in [
            ("GitHub.COM", Some("github.com")),
            ("git.corp:8443", Some("git.corp:8443")),
            ("git.corp:", Some("git.corp")),
            ("[::1]:8080", Some("[::1]:8080")),
            ("[::1]", Some("[::1]")),
            ("bücher.example", Some("bücher.example")),
            ("ssh.github.com:443", Some("github.com:443")),
            ("altssh.gitlab.com", Some("gitlab.com")),
            ("", None),
            ("-oProxyCommand=x", None),
            ("a b", None),
            ("a/b", None),
            ("git.corp:0", None),
            ("git.corp:+80", None),
            ("git.corp:70000", None),
            ("git.corp:1:2", None),
            ("[::1", None),
            ("[git.corp]", None),
            ("gitlab.com%2eevil.example", None),
            ("evil.example\\", None),
        ] {
            assert_eq!(Host::parse(written).map(|host| host.to_string()).as_deref(), shown, "{written:?}");
        }
    }

    #[test]
    fn what_is_loopback() {
        for (name, expected) in [
            ("localhost", true),
            ("127.0.0.1", true),
            ("127.255.0.9", true),
            ("::1", true),
            ("128.0.0.1", false),
            ("127.0.0.1.evil.example", false),
            ("localhost.evil.example", false),
            ("0.0.0.0", false),
            ("github.com", false),
        ] {
            assert_eq!(Host::named(name).unwrap().is_loopback(), expected, "{name}");
        }
    }

    #[test]
    fn the_cloud_is_its_own_names_only() {
        for (name, expected) in [
            ("github.com", true),
            ("acme.ghe.com", true),
            ("ghe.com", false),
            ("evilghe.com", false),
            ("github.com.evil.example", false),
            ("notgithub.com", false),
            ("ｇithub.com", false),
        ] {
            assert_eq!(Host::named(name).unwrap().is_github_cloud(), expected, "{name}");
        }
    }

    #[test]
    fn c39_aliases_of_an_ssh_configuration() {
        for (name, expected) in [
            ("work", true),
            ("github.com-work", true),
            ("gh_work", true),
            ("localhost", false),
            ("10.0.0.7", false),
            ("git.corp", false),
            ("git.xn--p1ai", false),
            ("гит.рф", false),
        ] {
            assert_eq!(Host::named(name).unwrap().looks_like_ssh_alias(), expected, "{name}");
        }
    }
}

//! What a remote's URL says: host and project, and nothing of the credentials that may stand in it.

use super::host::{Host, Scheme};

/// A remote's URL, taken apart. There is none for a path on this machine, for `ext::` and its kind, and
/// for whatever else names no project on a host.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RemoteAddress {
    pub scheme: Scheme,
    /// The port is kept for http and https only: that of ssh is not the one the API is served from.
    pub host: Host,
    /// The whole path, without the slashes around it and without `.git`. A sub-path that the forge is
    /// installed under is still part of it.
    pub path: String,
}

/// Takes a remote's URL apart, as it stands after `insteadOf`.
///
/// The shapes are those of git's manual, "GIT URLS": `scheme://[user@]host[:port]/path` and the short
/// `[user@]host:path`.
pub fn parse(url: &str) -> Option<RemoteAddress> {
    // A back-slash is a slash to some URL parsers and none to others: two hosts in one URL.
    if url.starts_with('-') || url.contains(|char: char| char.is_control() || char.is_whitespace() || char == '\\') {
        return None;
    }
    match url.split_once("://") {
        Some((scheme, rest)) => {
            let scheme = Scheme::parse(scheme)?;
            let (authority, path) = rest.split_once('/')?;
            address(scheme, Host::parse(without_user(authority))?, path)
        }
        None => {
            let (place, path) = short_form(url)?;
            address(Scheme::Ssh, Host::parse(place)?, path)
        }
    }
}

/// `[user@]host:path`, `[user@][::1]:path` or `[user@host:port]:path` with the brackets, as host and path.
fn short_form(url: &str) -> Option<(&str, &str)> {
    let (place, path) = match url.find('[').filter(|at| *at == 0 || url[..*at].ends_with('@')) {
        Some(open) => {
            let close = url.find("]:")?;
            let inside = url.get(open + 1..close)?;
            let is_address = inside.parse::<std::net::Ipv6Addr>().is_ok();
            (if is_address { &url[open..=close] } else { inside }, &url[close + 2..])
        }
        None => url.split_once(':')?,
    };
    let is_drive = place.len() == 1;
    (!is_drive && !place.contains('/')).then_some((without_user(place), path))
}

fn without_user(authority: &str) -> &str {
    authority.rsplit_once('@').map_or(authority, |(_, host)| host)
}

fn address(scheme: Scheme, host: Host, path: &str) -> Option<RemoteAddress> {
    let host = if scheme.is_web() { host.of_scheme(scheme) } else { host.with_port(None) };
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path).trim_end_matches('/');
    is_project_path(path).then(|| RemoteAddress { scheme, host, path: path.to_owned() })
}

/// Whether a path can be a project's on either forge: parts of letters, digits, `-`, `_` and `.`. It
/// goes into the paths of API calls and of refs, so nothing else is let through.
pub fn is_project_path(path: &str) -> bool {
    let is_part = |part: &str| {
        !matches!(part, "" | "." | "..")
            && !part.starts_with('-')
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~' | b'+'))
    };
    path.split('/').all(is_part)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The URL that the parts would be written as.
    fn written(address: &RemoteAddress) -> String {
        format!("{}://{}/{}", address.scheme.as_str(), address.host, address.path)
    }

    fn shown(url: &str) -> Option<String> {
        parse(url).map(|address| written(&address))
    }

    #[test]
    fn every_shape_of_git_s_manual() {
        for (url, expected) in [
            ("https://github.com/acme/widgets.git", "https://github.com/acme/widgets"),
            ("https://github.com/acme/widgets/", "https://github.com/acme/widgets"),
            ("https://github.com:443/acme/widgets", "https://github.com/acme/widgets"),
            ("HTTPS://GitHub.com/Acme/Widgets.git/", "https://github.com/Acme/Widgets"),
            ("http://127.0.0.1:8080/a/b.git", "http://127.0.0.1:8080/a/b"),
            ("http://git.corp:80/a/b", "http://git.corp/a/b"),
            ("https://git.corp:8443/gitlab/a/b/c.git", "https://git.corp:8443/gitlab/a/b/c"),
            ("http://[::1]:8080/a/b", "http://[::1]:8080/a/b"),
            ("ssh://git@git.corp:2222/a/b.git", "ssh://git.corp/a/b"),
            ("ssh://git@ssh.github.com:443/acme/widgets.git", "ssh://github.com/acme/widgets"),
            ("ssh://git@altssh.gitlab.com:443/acme/widgets.git", "ssh://gitlab.com/acme/widgets"),
            ("git+ssh://git@git.corp/a/b", "ssh://git.corp/a/b"),
            ("git://git.corp:9418/a/b.git", "git://git.corp/a/b"),
            ("git@github.com:acme/widgets.git", "ssh://github.com/acme/widgets"),
            ("github.com:acme/widgets", "ssh://github.com/acme/widgets"),
            ("git@git.corp:/a/b.git", "ssh://git.corp/a/b"),
            ("git@forge:a/b.git", "ssh://forge/a/b"),
            ("git@[::1]:a/b", "ssh://[::1]/a/b"),
            ("[git@git.corp:2222]:a/b.git", "ssh://git.corp/a/b"),
            ("git@[git.corp:2222]:a/b.git", "ssh://git.corp/a/b"),
            ("org-1234@github.com:acme/widgets.git", "ssh://github.com/acme/widgets"),
        ] {
            assert_eq!(shown(url).as_deref(), Some(expected), "{url}");
        }
    }

    #[test]
    fn what_names_no_project_on_a_host() {
        for url in [
            "",
            "/srv/git/widgets.git",
            "../widgets",
            "./a:b",
            "widgets",
            "C:/src/widgets",
            "C:\\src\\widgets",
            "file:///srv/git/widgets.git",
            "ext::sh -c whoami",
            "ext::sh",
            "ext::a/b",
            "-oProxyCommand=x:a/b",
            "--upload-pack=x",
            "ssh://-oProxyCommand=x/a/b",
            "https://github.com",
            "https://github.com/",
            "https:///a/b",
            "https://github.com/a/../b",
            "https://github.com/a/%2e%2e/b",
            "https://github.com/a/b?x=1",
            "https://evil.example\\@github.com/a/b",
            "https://gitlab.com%2eevil.example/a/b",
            "rsync://h/a/b",
            "github.com:a@evil.example/b",
            "a]:b[/c",
        ] {
            assert_eq!(shown(url), None, "{url}");
        }
    }

    #[test]
    fn credentials_are_dropped_wherever_they_stand() {
        for url in [
            "https://user:s3cret@git.corp/a/b.git",
            "https://s3cret@git.corp/a/b.git",
            "https://gitlab-ci-token:s3cret@git.corp/a/b.git",
            "https://user:p@s3cret@git.corp/a/b.git",
            "ssh://s3cret@git.corp/a/b",
            "s3cret@git.corp:a/b",
        ] {
            let address = parse(url).unwrap();
            assert_eq!((address.host.name(), address.path.as_str()), ("git.corp", "a/b"), "{url}");
            assert!(!format!("{address:?}").contains("s3cret"), "{url}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_taken_apart_or_refused(url in "\\PC{0,40}|[a-z:/@.\\[\\]0-9-]{0,30}") {
            if let Some(address) = parse(&url) {
                prop_assert!(is_project_path(&address.path));
                // What was understood says the same again.
                prop_assert_eq!(parse(&written(&address)), Some(address));
            }
        }
    }
}

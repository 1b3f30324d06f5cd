//! What the environment says about hosts: which forge they are, where it is installed, and which host
//! CI's own variables are about.

use super::ci::Ci;
use super::host::{Host, Scheme};
use super::remote_url::RemoteAddress;
use super::target_error::TargetError;
use super::{Decision, Kind};
use crate::settings::Env;

/// A forge's address as people set it: `git.corp`, `git.corp:8443`, `git.corp/gitlab`,
/// `https://git.corp/gitlab`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// `None` where only a name was given.
    pub scheme: Option<Scheme>,
    pub host: Host,
    /// The sub-path it is installed under, without slashes around it; mostly empty.
    pub path: String,
}

impl Instance {
    pub fn parse(text: &str) -> Option<Self> {
        let (scheme, rest) = match text.trim().split_once("://") {
            Some((scheme, rest)) => (Some(Scheme::parse(scheme).filter(|scheme| scheme.is_web())?), rest),
            None => (None, text.trim()),
        };
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let host = Host::parse(authority)?.of_scheme(scheme.unwrap_or(Scheme::Https));
        let path = path.trim_matches('/').to_owned();
        let well_formed = path.is_empty() || super::remote_url::is_project_path(&path);
        well_formed.then_some(Self { scheme, host, path })
    }

    /// Whether a host, met with this scheme, is this very one: by name, and by port where both are
    /// those of web servers. Another port of a machine may be another person's server.
    pub fn is(&self, host: &Host, scheme: Scheme) -> bool {
        self.host.name() == host.name() && (!scheme.is_web() || self.host.port() == host.port())
    }

    fn is_bare(&self) -> bool {
        self.scheme.is_none() && self.host.port().is_none() && self.path.is_empty()
    }
}

/// The hosts that the environment names. Dot-env files have no say in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hosts {
    /// `GH_HOST`.
    pub github: Option<Instance>,
    /// `GITLAB_HOST`.
    pub gitlab: Option<Instance>,
    /// The server of the CI that this runs in.
    pub ci: Option<(Kind, Instance)>,
}

impl Hosts {
    /// # Errors
    ///
    /// [`TargetError::Variable`] where `GH_HOST` or `GITLAB_HOST` is no host.
    pub fn read(env: &Env, ci: Option<&Ci>) -> Result<Self, TargetError> {
        let named = |variable: &'static str| {
            let broken = || TargetError::Variable { variable, expected: "a host, such as git.example.com" };
            match env.text(variable).map_err(|_| broken())? {
                None => Ok(None),
                Some(text) => Instance::parse(text).map(Some).ok_or_else(broken),
            }
        };
        let ci = ci.map(|ci| (ci.kind, ci.server.clone()));
        let mut gitlab = named("GITLAB_HOST")?;
        // In CI it is often set to `$CI_SERVER_HOST`, which leaves out the server's port and path.
        if let (Some(bare), Some((Kind::GitLab, server))) = (&gitlab, &ci)
            && bare.is_bare()
            && bare.host.name() == server.host.name()
        {
            gitlab = Some(server.clone());
        }
        Ok(Self { github: named("GH_HOST")?, gitlab, ci })
    }

    /// The forge of a host, by what is said of it or what everybody knows; never by its looks.
    pub fn speaks(&self, host: &Host) -> Option<(Kind, Decision)> {
        let is = |instance: &Instance| instance.host.name() == host.name();
        if self.github.as_ref().is_some_and(is) {
            Some((Kind::GitHub, Decision::Variable("GH_HOST")))
        } else if self.gitlab.as_ref().is_some_and(is) {
            Some((Kind::GitLab, Decision::Variable("GITLAB_HOST")))
        } else if host.is_github_cloud() {
            Some((Kind::GitHub, Decision::KnownHost))
        } else if host.name() == "gitlab.com" {
            Some((Kind::GitLab, Decision::KnownHost))
        } else {
            let (kind, _) = self.ci.as_ref().filter(|(_, server)| is(server))?;
            Some((*kind, Decision::Ci))
        }
    }

    /// The address of the GitLab that answers at this host, where one is named.
    pub fn gitlab_at(&self, host: &Host, scheme: Scheme) -> Option<&Instance> {
        self.named_gitlabs().find(|instance| instance.is(host, scheme))
    }

    fn named_gitlabs(&self) -> impl Iterator<Item = &Instance> {
        let ci = self.ci.as_ref().filter(|(kind, _)| *kind == Kind::GitLab).map(|(_, server)| server);
        self.gitlab.iter().chain(ci)
    }

    /// A remote's or a page's path without the sub-path that the forge is installed under. The sub-path
    /// is known from `GITLAB_HOST`, from CI's server, or from the API base that is given; an ssh URL has none.
    pub fn project<'a>(&self, address: &'a RemoteAddress, api_path: &str) -> &'a str {
        if !address.scheme.is_web() {
            return &address.path;
        }
        let here = self.gitlab_at(&address.host, address.scheme).map(|instance| instance.path.as_str());
        let below = |sub_path: &str| {
            let rest = address.path.strip_prefix(sub_path)?.strip_prefix('/')?;
            rest.contains('/').then_some(rest)
        };
        [here.unwrap_or_default(), api_path].into_iter().find_map(below).unwrap_or(&address.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forge::remote_url;

    #[test]
    fn c39_every_way_to_write_a_host() {
        for (written, expected) in [
            ("git.corp", Some((None, "git.corp", ""))),
            ("Git.Corp:8443", Some((None, "git.corp:8443", ""))),
            ("git.corp:443", Some((None, "git.corp", ""))),
            ("git.corp:8443/gitlab/", Some((None, "git.corp:8443", "gitlab"))),
            ("https://git.corp", Some((Some(Scheme::Https), "git.corp", ""))),
            ("http://127.0.0.1:8080/a/b/", Some((Some(Scheme::Http), "127.0.0.1:8080", "a/b"))),
            ("http://git.corp:80", Some((Some(Scheme::Http), "git.corp", ""))),
            ("https://user:pw@git.corp", None),
            ("ssh://git.corp", None),
            ("git.corp/../x", None),
            ("git corp", None),
            ("-x", None),
            ("https://", None),
        ] {
            let read = Instance::parse(written);
            let read = read.as_ref().map(|read| (read.scheme, read.host.to_string(), read.path.as_str()));
            let expected = expected.map(|(scheme, host, path)| (scheme, host.to_owned(), path));
            assert_eq!(read, expected, "{written}");
        }
    }

    fn hosts(env: &[(&str, &str)]) -> Hosts {
        let env = Env::of(env.iter().copied());
        Hosts::read(&env, Ci::of(&env).unwrap().as_ref()).unwrap()
    }

    #[test]
    fn c39_the_forge_of_a_host_is_known_or_said() {
        let actions =
            [("GITHUB_ACTIONS", "true"), ("GITHUB_REPOSITORY", "a/b"), ("GITHUB_SERVER_URL", "https://ghes.corp")];
        let gitlab_ci = [("GITLAB_CI", "true"), ("CI_SERVER_URL", "https://git.corp:8443/gitlab")];
        let gh_host = [("GH_HOST", "git.corp")];
        let gitlab_host = [("GITLAB_HOST", "https://git.corp/gitlab")];
        let both = [("GH_HOST", "git.corp"), ("GITLAB_HOST", "git.corp")];
        for (env, host, expected) in [
            (&[][..], "github.com", Some((Kind::GitHub, Decision::KnownHost))),
            (&[], "acme.ghe.com", Some((Kind::GitHub, Decision::KnownHost))),
            (&[], "gitlab.com", Some((Kind::GitLab, Decision::KnownHost))),
            (&[], "git.corp", None),
            (&[], "gitlab.corp", None),
            (&[], "github.corp", None),
            (&gh_host, "git.corp", Some((Kind::GitHub, Decision::Variable("GH_HOST")))),
            (&gitlab_host, "git.corp", Some((Kind::GitLab, Decision::Variable("GITLAB_HOST")))),
            (&gitlab_host, "gitlab.com", Some((Kind::GitLab, Decision::KnownHost))),
            (&both, "git.corp", Some((Kind::GitHub, Decision::Variable("GH_HOST")))),
            (&actions, "ghes.corp", Some((Kind::GitHub, Decision::Ci))),
            (&actions[1..], "ghes.corp", None),
            (&gitlab_ci, "git.corp", Some((Kind::GitLab, Decision::Ci))),
            (&gitlab_ci[1..], "git.corp", None),
        ] {
            assert_eq!(hosts(env).speaks(&Host::named(host).unwrap()), expected, "{host} under {env:?}");
        }
    }

    #[test]
    fn c39_the_sub_path_is_taken_off_where_it_is_known() {
        for (gitlab_host, api_path, url, expected) in [
            ("git.corp/gitlab", "", "https://git.corp/gitlab/a/b.git", "a/b"),
            ("git.corp/gitlab", "", "git@git.corp:gitlab/a/b.git", "gitlab/a/b"),
            ("git.corp/gitlab", "", "git@git.corp:a/b.git", "a/b"),
            ("git.corp/gitlab", "", "https://git.corp/gitlab/b.git", "gitlab/b"),
            ("git.corp/gitlab", "", "https://git.corp/gitlabs/a/b.git", "gitlabs/a/b"),
            ("git.corp/gitlab", "", "https://other.corp/gitlab/a/b.git", "gitlab/a/b"),
            ("git.corp:8443/x/y", "", "https://git.corp:8443/x/y/a/b/c.git", "a/b/c"),
            ("", "gitlab", "https://git.corp/gitlab/a/b.git", "a/b"),
            ("", "", "https://git.corp/gitlab/a/b.git", "gitlab/a/b"),
        ] {
            let address = remote_url::parse(url).unwrap();
            assert_eq!(hosts(&[("GITLAB_HOST", gitlab_host)]).project(&address, api_path), expected, "{url}");
        }
    }

    #[test]
    fn a_host_that_is_none_is_said_by_the_variable_s_name() {
        let env = Env::of([("GITLAB_HOST", "https://user:s3cret@git.corp")]);
        let error = Hosts::read(&env, None).unwrap_err();
        assert!(error.to_string().contains("GITLAB_HOST") && !error.to_string().contains("s3cret"), "{error}");
    }
}

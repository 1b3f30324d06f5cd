//! The projects that a repository's remotes name.

use std::fmt;

use super::host::{Host, Scheme};
use super::instance::Hosts;
use super::remote_url::{self, RemoteAddress};

/// A remote as the repository's configuration has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    pub name: String,
    /// `None` where the URL names no project on a host. The URL itself is not kept: it may hold a token.
    pub address: Option<RemoteAddress>,
    /// `remote.NAME.gh-resolved`.
    pub gh_resolved: Option<String>,
}

impl Remote {
    /// `url` is the one that git fetches from: after `insteadOf`.
    pub fn new(name: impl Into<String>, url: &str, gh_resolved: Option<&str>) -> Self {
        Self { name: name.into(), address: remote_url::parse(url), gh_resolved: gh_resolved.map(str::to_owned) }
    }
}

/// One project on one host, and the remotes that are of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// With the port of an http or https remote, where there is one.
    pub host: Host,
    pub scheme: Scheme,
    /// Without the sub-path that the forge is installed under.
    pub project: String,
    /// The remotes' names, the one to fetch from first.
    pub remotes: Vec<String>,
}

impl Candidate {
    /// The remote to fetch from.
    pub fn remote(&self) -> &str {
        self.remotes.first().map_or("", String::as_str)
    }

    /// Whether this is a project, ports of ssh aside. Both forges ignore case in paths.
    pub fn is(&self, host: &Host, scheme: Scheme, project: &str) -> bool {
        let comparable = self.scheme.is_web() && scheme.is_web();
        self.host.name() == host.name()
            && (!comparable || self.host.port() == host.port())
            && self.project.eq_ignore_ascii_case(project)
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {} ({})", self.project, self.host, self.remotes.join(", "))
    }
}

pub(super) fn listed(candidates: &[Candidate]) -> String {
    if candidates.is_empty() {
        return "no project".to_owned();
    }
    candidates.iter().map(Candidate::to_string).collect::<Vec<_>>().join("; ")
}

/// The projects among the remotes, whatever the order in which git lists them: that of `origin` first,
/// then that of `upstream`, then by the remotes' names. `api_path` is the sub-path of a given API base.
pub fn candidates(remotes: &[Remote], hosts: &Hosts, api_path: &str) -> Vec<Candidate> {
    let mut ordered: Vec<_> = remotes.iter().collect();
    ordered.sort_by_key(|remote| (remote.name != "origin", remote.name != "upstream", remote.name.clone()));
    let mut found: Vec<Candidate> = Vec::new();
    for remote in ordered {
        let Some(address) = &remote.address else { continue };
        let project = hosts.project(address, api_path);
        if !project.contains('/') {
            continue;
        }
        match found.iter_mut().find(|known| known.is(&address.host, address.scheme, project)) {
            Some(known) => {
                known.remotes.push(remote.name.clone());
                if address.scheme.is_web() && !known.scheme.is_web() {
                    (known.host, known.scheme) = (address.host.clone(), address.scheme);
                }
            }
            None => found.push(Candidate {
                host: address.host.clone(),
                scheme: address.scheme,
                project: project.to_owned(),
                remotes: vec![remote.name.clone()],
            }),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(remotes: &[(&str, &str)]) -> Vec<String> {
        let remotes: Vec<_> = remotes.iter().map(|(name, url)| Remote::new(*name, url, None)).collect();
        candidates(&remotes, &Hosts::default(), "").iter().map(Candidate::to_string).collect()
    }

    #[test]
    fn remotes_of_one_project_are_one_candidate() {
        let fork = ("origin", "git@github.com:me/widgets.git");
        let target = ("upstream", "https://github.com/acme/widgets");
        let again = ("backup", "ssh://git@github.com/Acme/Widgets.git");
        let expected = ["me/widgets on github.com (origin)", "acme/widgets on github.com (upstream, backup)"];
        for order in [[fork, target, again], [again, target, fork], [target, again, fork]] {
            assert_eq!(shown(&order), expected);
        }
    }

    #[test]
    fn c39_a_port_of_the_web_tells_apart_and_one_of_ssh_does_not() {
        assert_eq!(
            shown(&[("a", "ssh://git@git.corp:2222/g/p"), ("b", "https://git.corp:8443/g/p")]),
            ["g/p on git.corp:8443 (a, b)"]
        );
        assert_eq!(shown(&[("a", "https://git.corp:9443/g/p"), ("b", "https://git.corp:8443/g/p")]).len(), 2);
    }

    #[test]
    fn a_path_or_a_single_name_is_no_candidate() {
        assert_eq!(shown(&[("a", "/srv/p.git"), ("b", "https://git.corp/p.git")]), Vec::<String>::new());
    }
}

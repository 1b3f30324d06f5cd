//! Which of the projects among the remotes is meant.

use super::candidate::{Candidate, Remote, candidates};
use super::host::{Host, Scheme};
use super::instance::Hosts;
use super::remote_url::{self, RemoteAddress, is_project_path};
use super::target_error::TargetError;
use super::{Decision, Reference};

/// The project that was chosen, or those to choose from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Choice {
    Found(Candidate, Decision),
    Ask(Vec<Candidate>),
}

/// What the choice is made from.
pub(super) struct Asked<'a> {
    pub remotes: &'a [Remote],
    pub reference: Option<&'a Reference>,
    /// `-R`.
    pub project: Option<&'a str>,
    /// `--remote`.
    pub remote: Option<&'a str>,
    /// CI's server and project.
    pub ci: Option<(&'a Host, Scheme, &'a str)>,
    /// REF is left out, and CI names the request's number.
    pub by_ci_alone: bool,
    pub hosts: &'a Hosts,
    pub api_path: &'a str,
}

/// A project that was asked for by name.
#[derive(Debug, Clone)]
struct Wanted {
    host: Option<(Host, Scheme)>,
    project: String,
    said_by: Decision,
}

impl Wanted {
    fn shown(&self) -> String {
        match &self.host {
            Some((host, _)) => format!("{} on {host}", self.project),
            None => self.project.clone(),
        }
    }

    /// A page's URL knows the port that the web is served from; an ssh remote does not.
    fn refine(&self, candidate: Candidate) -> Candidate {
        match &self.host {
            Some((host, scheme)) if scheme.is_web() && !candidate.scheme.is_web() => {
                Candidate { host: host.clone(), scheme: *scheme, ..candidate }
            }
            _ => candidate,
        }
    }

    fn is(&self, candidate: &Candidate) -> bool {
        match &self.host {
            Some((host, scheme)) => candidate.is(host, *scheme, &self.project),
            // `gh` also takes HOST/OWNER/REPO.
            None => {
                candidate.project.eq_ignore_ascii_case(&self.project)
                    || format!("{}/{}", candidate.host, candidate.project).eq_ignore_ascii_case(&self.project)
            }
        }
    }
}

/// In this order: `--remote`; the project that REF or `-R` names; CI's; the only one; the one that `gh`
/// marked; else it is to be asked. A project that is named and that no remote is of is never replaced
/// by another.
pub(super) fn choose(asked: &Asked<'_>) -> Result<Choice, TargetError> {
    if asked.remotes.is_empty() {
        return Err(TargetError::NoRemotes);
    }
    let found = candidates(asked.remotes, asked.hosts, asked.api_path);
    let wanted = asked.wanted()?;
    if let Some(name) = asked.remote {
        return asked.by_remote(name, &found, wanted);
    }
    if let Some(wanted) = wanted {
        let mut of_it: Vec<_> = found.iter().filter(|candidate| wanted.is(candidate)).cloned().collect();
        return match of_it.len() {
            0 => Err(TargetError::NoSuchProject { wanted: wanted.shown(), candidates: found }),
            1 => Ok(Choice::Found(wanted.refine(of_it.remove(0)), wanted.said_by)),
            _ => Ok(Choice::Ask(of_it)),
        };
    }
    if let Some((host, scheme, project)) = asked.ci {
        if let Some(candidate) = found.iter().find(|candidate| candidate.is(host, scheme, project)) {
            return Ok(Choice::Found(candidate.clone(), Decision::Ci));
        }
        if asked.by_ci_alone {
            return Err(TargetError::CiProject { project: format!("{project} on {host}"), candidates: found });
        }
    }
    match found.as_slice() {
        [] => {
            Err(TargetError::NoProjects { remotes: asked.remotes.iter().map(|remote| remote.name.clone()).collect() })
        }
        [only] => Ok(Choice::Found(only.clone(), Decision::OnlyProject)),
        _ => match marked_by_gh(asked.remotes, &found) {
            Some(marked) => Ok(Choice::Found(marked.clone(), Decision::GhResolved)),
            None => Ok(Choice::Ask(found)),
        },
    }
}

impl Asked<'_> {
    /// What REF and `-R` name together.
    fn wanted(&self) -> Result<Option<Wanted>, TargetError> {
        let by_reference = match self.reference {
            None | Some(Reference::Number(_)) => None,
            Some(Reference::InProject { project, .. }) => {
                Some(Wanted { host: None, project: project.clone(), said_by: Decision::Reference })
            }
            Some(Reference::Page(page)) => {
                let address = RemoteAddress { scheme: page.scheme, host: page.host.clone(), path: page.path.clone() };
                Some(self.at(address, Decision::Reference))
            }
        };
        let by_flag = self.project.map(|text| self.flag(text)).transpose()?;
        match (by_reference, by_flag) {
            (Some(reference), Some(flag)) if !reference.project.eq_ignore_ascii_case(&flag.project) => {
                Err(TargetError::ProjectTwice { reference: reference.shown(), flag: flag.shown() })
            }
            (Some(reference), Some(flag)) if reference.host.is_none() => Ok(Some(flag)),
            (Some(reference), _) => Ok(Some(reference)),
            (None, flag) => Ok(flag),
        }
    }

    fn flag(&self, text: &str) -> Result<Wanted, TargetError> {
        let said_by = Decision::Flag("-R");
        if text.contains(':') {
            let address = remote_url::parse(text).ok_or(TargetError::Project { text: shown_project(text) })?;
            return Ok(self.at(address, said_by));
        }
        let project = text.trim_matches('/');
        if !project.contains('/') || !is_project_path(project) {
            return Err(TargetError::Project { text: shown_project(text) });
        }
        Ok(Wanted { host: None, project: project.to_owned(), said_by })
    }

    fn at(&self, address: RemoteAddress, said_by: Decision) -> Wanted {
        let project = self.hosts.project(&address, self.api_path).to_owned();
        Wanted { host: Some((address.host, address.scheme)), project, said_by }
    }

    fn by_remote(&self, name: &str, found: &[Candidate], wanted: Option<Wanted>) -> Result<Choice, TargetError> {
        let said_by = Decision::Flag("--remote");
        let known = || self.remotes.iter().map(|remote| remote.name.clone());
        if !known().any(|remote| remote == name) {
            return Err(TargetError::UnknownRemote { name: name.to_owned(), known: known().collect() });
        }
        let candidate = found.iter().find(|candidate| candidate.remotes.iter().any(|of| of == name));
        let elsewhere = |has: String, wanted: &Wanted| TargetError::RemoteElsewhere {
            remote: name.to_owned(),
            has,
            wanted: wanted.shown(),
        };
        // The remote that was named is the one that is fetched from.
        let chosen = |candidate: &Candidate| {
            Choice::Found(Candidate { remotes: vec![name.to_owned()], ..candidate.clone() }, said_by)
        };
        match (candidate, wanted) {
            (Some(candidate), None) => Ok(chosen(candidate)),
            (Some(candidate), Some(wanted)) if wanted.is(candidate) => Ok(chosen(&wanted.refine(candidate.clone()))),
            // An alias of an ssh configuration, or a path on this machine: it cannot be told which host
            // is behind it, but whoever names the remote and the host says so.
            (candidate, Some(Wanted { host: Some((host, scheme)), project, .. }))
                if candidate.is_none_or(|it| self.is_alias(it) && it.project.eq_ignore_ascii_case(&project)) =>
            {
                Ok(Choice::Found(Candidate { host, scheme, project, remotes: vec![name.to_owned()] }, said_by))
            }
            (Some(candidate), Some(wanted)) => {
                Err(elsewhere(format!("{} on {}", candidate.project, candidate.host), &wanted))
            }
            (None, _) => Err(TargetError::RemoteWithoutProject { name: name.to_owned() }),
        }
    }

    fn is_alias(&self, candidate: &Candidate) -> bool {
        is_alias(self.hosts, &candidate.host, candidate.scheme)
    }
}

/// Whether a host is likely one of an ssh configuration, and nobody says that it is a real one.
pub(super) fn is_alias(hosts: &Hosts, host: &Host, scheme: Scheme) -> bool {
    scheme == Scheme::Ssh && host.looks_like_ssh_alias() && hosts.speaks(host).is_none()
}

/// `-R` as it may be shown: it may be a URL, and that may have a password in it.
fn shown_project(text: &str) -> String {
    text.rsplit_once('@').map_or(text, |(_, rest)| rest).to_owned()
}

/// The one project that `gh repo set-default` marked: `base` on a remote of it, or its name on a remote
/// of a fork.
fn marked_by_gh<'a>(remotes: &[Remote], found: &'a [Candidate]) -> Option<&'a Candidate> {
    let mut marked: Option<&Candidate> = None;
    for remote in remotes {
        let (Some(address), Some(mark)) = (&remote.address, remote.gh_resolved.as_deref()) else { continue };
        let candidate = match mark {
            "base" => found.iter().find(|candidate| candidate.remotes.contains(&remote.name)),
            project => found.iter().find(|candidate| candidate.is(&address.host, address.scheme, project)),
        };
        match (marked, candidate) {
            (_, None) => {}
            (Some(first), Some(other)) if first != other => return None,
            (_, some) => marked = some,
        }
    }
    marked
}

#[cfg(test)]
mod tests;

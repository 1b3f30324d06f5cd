//! The request that a run is about: forge, host, project, API base and number, each with how it was
//! decided.

use std::io;
use std::path::Path;

use url::Url;

use super::api_base::{api_base, sub_path};
use super::candidate::{Candidate, Remote};
use super::choice::{Asked, Choice, choose, is_alias};
use super::ci::{Ci, Named};
use super::host::{Host, Scheme};
use super::instance::Hosts;
use super::remote_url::RemoteAddress;
use super::target_error::TargetError;
use super::{Decision, Kind, Reference, gitea};
use crate::settings::Env;

/// Everything that the target is decided from.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    pub reference: Option<&'a Reference>,
    /// `-R`.
    pub project: Option<&'a str>,
    /// `--remote`.
    pub remote: Option<&'a str>,
    /// `--forge`.
    pub forge: Option<Kind>,
    /// `--api-url`.
    pub api_url: Option<&'a str>,
    pub remotes: &'a [Remote],
    /// The real environment: dot-env files choose no host.
    pub env: &'a Env,
}

/// A project on a forge, and where its API is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    pub kind: Kind,
    /// The host by which the token is chosen.
    pub host: Host,
    /// How the remote, or REF's page, speaks to the host.
    pub scheme: Scheme,
    /// `owner/repo`, `group/sub/project`.
    pub project: String,
    /// GitLab's number for the project, where CI gives it.
    pub project_id: Option<u64>,
    /// Ends in `/`.
    pub api: Url,
    /// The name of the remote to fetch from.
    pub remote: String,
    pub decided: Decided,
}

/// How each fact of a [`Site`] was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decided {
    pub remote: Decision,
    pub kind: Decision,
    pub api: Decision,
}

impl Site {
    /// The sub-path that the API's base shows a GitLab to be installed under, without slashes around it;
    /// mostly empty.
    pub(super) fn sub_path(&self) -> &str {
        let path = self.api.path().trim_matches('/');
        path.strip_suffix("api/v4").unwrap_or_default().trim_end_matches('/')
    }

    /// The project of another remote of this forge: its path without the installation's sub-path, which
    /// an ssh URL does not have.
    pub fn project_at(&self, address: &RemoteAddress) -> String {
        let below = address.path.strip_prefix(self.sub_path()).and_then(|rest| rest.strip_prefix('/'));
        below.filter(|_| address.scheme.is_web()).unwrap_or(&address.path).to_owned()
    }

    /// Whether a remote is on this forge's host. A port of ssh tells nothing, one of the web does.
    pub fn is_at(&self, address: &RemoteAddress) -> bool {
        let comparable = self.scheme.is_web() && address.scheme.is_web();
        self.host.name() == address.host.name() && (!comparable || self.host.port() == address.host.port())
    }
}

/// Which request of the project is meant.
#[derive(Debug)]
pub enum Number {
    Given(u64),
    /// REF is left out: the open request whose source is the current branch.
    OfBranch {
        /// In CI: the job runs for a push.
        pushed: bool,
    },
}

/// The answer to a [`Question`].
#[derive(Debug)]
pub enum Resolution {
    Found(Box<Site>, Number),
    /// Several projects are among the remotes and nothing says which is meant. Ask, and resolve again with
    /// the answer's [`Candidate::remote`] as `--remote`; where nobody can be asked it is
    /// [`TargetError::Ambiguous`].
    Ask(Vec<Candidate>),
}

/// Decides which project, on which forge, and which request. No network, and no file but CI's event,
/// which `read_event` reads ([`ci::read_event`](super::ci::read_event)), and only where REF is left out.
///
/// # Errors
///
/// [`TargetError`], each a usage error.
pub fn resolve(
    question: &Question<'_>,
    read_event: impl FnOnce(&Path) -> io::Result<Vec<u8>>,
) -> Result<Resolution, TargetError> {
    let Question { env, reference, .. } = *question;
    gitea::refuse(env, question.api_url, reference)?;
    let ci = Ci::of(env)?;
    let hosts = Hosts::read(env, ci.as_ref())?;
    let api_path = sub_path(question.api_url, env, ci.as_ref())?;
    // Which branch a runner has checked out says nothing about which request was meant.
    let by_ci = match (reference, &ci) {
        (None, Some(ci)) => Some(ci.names(read_event)?),
        _ => None,
    };
    let ci_project = ci.as_ref().and_then(|ci| {
        let scheme = ci.server.scheme.unwrap_or(Scheme::Https);
        Some((&ci.server.host, scheme, ci.project.as_deref()?))
    });
    let choice = choose(&Asked {
        remotes: question.remotes,
        reference,
        project: question.project,
        remote: question.remote,
        ci: ci_project,
        by_ci_alone: matches!(by_ci, Some(Named::Request(_))),
        hosts: &hosts,
        api_path: &api_path,
    })?;
    let (candidate, said_by) = match choice {
        Choice::Ask(candidates) => return Ok(Resolution::Ask(candidates)),
        Choice::Found(candidate, said_by) => (candidate, said_by),
    };
    let is_ci_s = ci_project.is_some_and(|(host, scheme, project)| candidate.is(host, scheme, project));
    let number = match (reference, by_ci) {
        (Some(reference), _) => Number::Given(reference.number()),
        (None, Some(Named::Request(number))) if is_ci_s => Number::Given(number),
        // A number is one of CI's project alone.
        (None, Some(Named::Request(number))) => {
            return Err(TargetError::CiElsewhere {
                number,
                ci: ci_project.map(|(_, _, project)| project.to_owned()),
                asked: candidate.project,
            });
        }
        (None, Some(Named::Branch)) => Number::OfBranch { pushed: true },
        (None, None) => Number::OfBranch { pushed: false },
    };
    let (kind, kind_by) = speaks(question, &hosts, &candidate)?;
    let (api, api_by) = api_base(kind, &candidate.host, candidate.scheme, question.api_url, env, ci.as_ref(), &hosts)?;
    let site = Site {
        kind,
        project_id: ci.as_ref().filter(|ci| is_ci_s && ci.kind == kind).and_then(|ci| ci.project_id),
        remote: candidate.remote().to_owned(),
        host: candidate.host,
        scheme: candidate.scheme,
        project: candidate.project,
        api,
        decided: Decided { remote: said_by, kind: kind_by, api: api_by },
    };
    Ok(Resolution::Found(Box::new(site), number))
}

fn speaks(question: &Question<'_>, hosts: &Hosts, candidate: &Candidate) -> Result<(Kind, Decision), TargetError> {
    let host = &candidate.host;
    let by_flag = question.forge.map(|kind| (kind, Decision::Flag("--forge")));
    gitea::refuse_host(host)?;
    let (kind, said_by) = by_flag.or_else(|| hosts.speaks(host)).ok_or_else(|| TargetError::UnknownForge {
        host: host.clone(),
        remote: candidate.remote().to_owned(),
        alias: is_alias(hosts, host, candidate.scheme),
    })?;
    if let Some(Reference::Page(page)) = question.reference
        && page.shape != kind
    {
        return Err(TargetError::OtherForge { page: page.shape, host: host.clone(), kind });
    }
    if kind == Kind::GitHub && candidate.project.split('/').count() != 2 {
        return Err(TargetError::NotOwnerAndRepo { project: candidate.project.clone() });
    }
    Ok((kind, said_by))
}

#[cfg(test)]
mod tests;

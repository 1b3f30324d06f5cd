//! The three commits of a merge request's diff, once GitLab has made it.

use std::time::Duration;

use super::endpoint::Versions;
use super::project::GitLab;
use super::wire::{DiffRefs, MergeRequest, Version};
use crate::change::CommitId;
use crate::forge::{Fault, Trouble, WaitFor};

/// `diff_refs`, whole: a position with a missing or a mixed-up one is answered 500, with or without a
/// note left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refs {
    pub base: CommitId,
    pub start: CommitId,
    pub head: CommitId,
}

impl Refs {
    /// `None` unless all three are there.
    pub fn whole(refs: &DiffRefs) -> Option<Self> {
        let commit = |sha: &Option<String>| CommitId::parse(sha.as_deref()?);
        Some(Self { base: commit(&refs.base_sha)?, start: commit(&refs.start_sha)?, head: commit(&refs.head_sha)? })
    }

    fn of(request: &MergeRequest) -> Option<Self> {
        Self::whole(request.diff_refs.as_ref()?)
    }
}

/// The request, once its diff is that of its head: after a push it trails for some seconds. A closed or
/// merged one never gets another, so there the diff is what it is.
///
/// # Errors
///
/// [`Trouble::DiffNotReady`] when the run's minute for this was not enough.
pub async fn ready(gitlab: &GitLab, number: u64) -> Result<(MergeRequest, Refs), Trouble> {
    let http = gitlab.api().http();
    let mut pause = Duration::from_secs(1);
    loop {
        let request = gitlab.merge_request(number).await?;
        let open = matches!(request.state.as_str(), "opened" | "locked");
        let head = request.sha.as_deref().and_then(CommitId::parse);
        let current = |refs: &Refs| !open || head.as_ref().is_none_or(|head| *head == refs.head);
        if let Some(refs) = Refs::of(&request).filter(|refs| current(refs)) {
            return Ok((request, refs));
        }
        if open && http.diff_budget() >= pause && http.wait(WaitFor::Diff, pause).await.is_ok() {
            let left = http.diff_budget().max(Duration::from_secs(1));
            pause = (pause * 2).min(Duration::from_secs(8)).min(left);
            continue;
        }
        if http.interrupt().is_raised() {
            return Err(Trouble::Fault(Fault::Interrupted));
        }
        // Servers have been seen to keep `diff_refs` null for a diff that they have.
        return match newest_version(gitlab, number).await?.filter(|refs| current(refs)) {
            Some(refs) => Ok((request, refs)),
            None => Err(Trouble::DiffNotReady { expected: request.sha.unwrap_or_else(|| "its head".to_owned()) }),
        };
    }
}

async fn newest_version(gitlab: &GitLab, number: u64) -> Result<Option<Refs>, Trouble> {
    let versions = Versions { project: gitlab.project(), request: number };
    match gitlab.api().read::<Vec<Version>>(&versions).await {
        Ok(versions) => Ok(versions.into_iter().next().and_then(|newest| Refs::whole(&newest.into()))),
        Err(Trouble::NoRequest) => Ok(None),
        Err(trouble) => Err(trouble),
    }
}

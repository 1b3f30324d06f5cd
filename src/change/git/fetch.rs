//! Getting the commits of a request from its remote.
//!
//! The user's own git does it, with its ssh, its stored credentials and its proxies. It moves no
//! branch, writes no `FETCH_HEAD`, and in a whole clone never cuts the history.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::process::Command;

use git2::Reference;

use super::command::{NETWORK, pasted, without_credentials};
use super::error::GitError;
use super::kept::RequestRefs;
use super::remote::PROTOCOLS;
use super::repo::{Network, Repo};
use crate::change::CommitId;

/// Which of a request's refs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Slot {
    Head,
    Base,
    /// The commit that an older review is of.
    Reviewed,
}

impl Slot {
    pub const ALL: [Self; 3] = [Slot::Head, Slot::Base, Slot::Reviewed];

    pub fn as_str(self) -> &'static str {
        match self {
            Slot::Head => "head",
            Slot::Base => "base",
            Slot::Reviewed => "reviewed",
        }
    }
}

/// How often a server is asked for several commits: it names one that it does not have at a time.
const CALLS: usize = 8;

/// What is wanted of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Want {
    /// The commit that the forge named. A server that refuses ids is asked for the ref, which must
    /// then be that commit.
    Commit { id: CommitId, or_ref: Option<String> },
    /// Whatever the ref is: `refs/pull/22/head`, `refs/merge-requests/22/head`.
    Ref(String),
}

impl Repo {
    /// Fetches one commit from `remote`, a remote's name or a URL, and keeps it in the request's ref.
    ///
    /// A commit that is here already is kept without a word to the server.
    pub fn fetch(&mut self, remote: &str, want: &Want, refs: &RequestRefs, slot: Slot) -> Result<CommitId, GitError> {
        let target = refs.name(slot);
        match want {
            Want::Ref(name) => self.fetch_ref(remote, name, &target),
            Want::Commit { id, or_ref } => {
                if self.has_commit(id) {
                    // Where that cannot be written the commit is here all the same; `keep` tells of it.
                    let _ = self.set_ref(&target, self.oid(id));
                    return Ok(id.clone());
                }
                match (self.fetch_one(remote, id.as_str(), &target), or_ref) {
                    (Ok(()), _) => self.fetched(remote, id.as_str(), &target),
                    (Err(error), Some(name)) if refuses_ids(&error) => self.fetch_ref_at(remote, name, id, &target),
                    (Err(error), _) => Err(error),
                }
            }
        }
    }

    /// Fetches commits that are not here, all in one call, and keeps no ref of them: git drops them in time, and then
    /// they are fetched again. Gives those that cannot be had; what a server does not have is left out of the next call.
    pub fn fetch_commits(&mut self, remote: &str, ids: &BTreeSet<CommitId>) -> Result<BTreeSet<CommitId>, GitError> {
        let mut wanted: BTreeSet<CommitId> = ids.iter().filter(|id| !self.has_commit(id)).cloned().collect();
        let mut lacking = BTreeSet::new();
        for _ in 0..CALLS {
            if wanted.is_empty() {
                break;
            }
            let sources: Vec<&str> = wanted.iter().map(CommitId::as_str).collect();
            match self.fetch_refspecs(remote, &sources) {
                Ok(()) => {
                    self.reread()?;
                    break;
                }
                Err(GitError::Fetch { words, .. }) => {
                    let named = |id: &CommitId| words.contains(id.as_str());
                    let (refused, rest): (BTreeSet<_>, BTreeSet<_>) = wanted.into_iter().partition(named);
                    wanted = if refused.is_empty() { BTreeSet::new() } else { rest };
                    lacking.extend(refused);
                }
                Err(error) => return Err(error),
            }
        }
        lacking.extend(ids.iter().filter(|id| !self.has_commit(id)).cloned());
        Ok(lacking)
    }

    fn fetch_ref(&mut self, remote: &str, name: &str, target: &str) -> Result<CommitId, GitError> {
        if !name.starts_with("refs/") || !Reference::is_valid_name(name) {
            return Err(GitError::BadRef { git_ref: name.to_owned() });
        }
        self.fetch_one(remote, name, target)?;
        self.fetched(remote, name, target)
    }

    fn fetch_ref_at(
        &mut self,
        remote: &str,
        name: &str,
        wanted: &CommitId,
        target: &str,
    ) -> Result<CommitId, GitError> {
        let before = self.inner.refname_to_id(target).ok();
        let found = self.fetch_ref(remote, name, target)?;
        if found == *wanted {
            return Ok(found);
        }
        self.set_ref(target, before)?;
        Err(GitError::RefMoved {
            remote: without_credentials(remote),
            git_ref: name.to_owned(),
            wanted: wanted.clone(),
            found,
        })
    }

    /// The commit that the ref now is.
    fn fetched(&mut self, remote: &str, source: &str, target: &str) -> Result<CommitId, GitError> {
        self.reread()?;
        let found = self.inner.find_reference(target).and_then(|found| found.peel_to_commit());
        match found {
            Ok(commit) => self.commit_id(commit.id()),
            Err(_) => Err(GitError::Fetch {
                remote: without_credentials(remote),
                words: format!("{source} is no commit there"),
                command: self.shown(&self.arguments(remote, &[&format!("+{source}:{target}")])),
            }),
        }
    }

    fn fetch_one(&self, remote: &str, source: &str, target: &str) -> Result<(), GitError> {
        self.fetch_refspecs(remote, &[&format!("+{source}:{target}")])
    }

    fn fetch_refspecs(&self, remote: &str, refspecs: &[&str]) -> Result<(), GitError> {
        self.checked_remote(remote)?;
        let arguments = self.arguments(remote, refspecs);
        let command = self.shown(&arguments);
        if self.network == Network::Forbidden {
            let sources: Vec<&str> = refspecs.iter().map(|spec| source(spec)).collect();
            return Err(GitError::NeedsNetwork {
                what: format!("fetching {} from {}", sources.join(", "), without_credentials(remote)),
                command,
            });
        }
        let mut git = self.networked_git();
        git.args(self.keep_remote_head(remote)).args(&arguments);
        match self.run_for(git, NETWORK)? {
            Some(said) if said.status.success() => Ok(()),
            Some(said) => Err(GitError::Fetch { remote: without_credentials(remote), words: said.words, command }),
            None => Err(GitError::NoGit { what: "fetching the commits of the request" }),
        }
    }

    fn arguments(&self, remote: &str, refspecs: &[&str]) -> Vec<OsString> {
        let fixed = ["fetch", "--no-tags", "--no-write-fetch-head", "--refmap=", "--no-recurse-submodules"];
        // In a whole clone a depth would truncate the history that is there.
        let depth = self.is_shallow().then_some("--depth=1");
        fixed
            .into_iter()
            .chain(["--no-auto-maintenance"])
            .chain(depth)
            .chain(["--end-of-options", remote])
            .chain(refspecs.iter().copied())
            .map(OsString::from)
            .collect()
    }

    /// git from 2.48 on sets `refs/remotes/NAME/HEAD` along with a fetch.
    fn keep_remote_head(&self, remote: &str) -> Vec<String> {
        let named = self.remote(remote).is_ok_and(|named| named.is_some()) && !remote.contains('=');
        if named { vec!["-c".to_owned(), format!("remote.{remote}.followRemoteHEAD=never")] } else { Vec::new() }
    }

    fn shown(&self, arguments: &[OsString]) -> String {
        let start = ["git".into(), "-C".into(), self.root().as_os_str().to_owned()];
        pasted(start.iter().chain(arguments))
    }

    /// The owner's git, for the protocols that only name a server.
    pub(super) fn networked_git(&self) -> Command {
        let mut git = self.owners_git();
        git.env("GIT_ALLOW_PROTOCOL", PROTOCOLS);
        git
    }
}

/// What a refspec asks the server for.
fn source(refspec: &str) -> &str {
    refspec.trim_start_matches('+').split(':').next().unwrap_or_default()
}

/// Whether the server has it but gives out no bare ids, or does not have it under that id.
fn refuses_ids(error: &GitError) -> bool {
    let refusals = ["unadvertised object", "not our ref", "couldn't find remote ref", "no such remote ref"];
    matches!(error, GitError::Fetch { words, .. } if refusals.iter().any(|refusal| words.to_lowercase().contains(refusal)))
}

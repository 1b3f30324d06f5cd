//! The merge base that the diff starts from.

use std::collections::{HashSet, VecDeque};
use std::process::Command;

use git2::Oid;

use super::error::GitError;
use super::repo::Repo;
use crate::change::CommitId;
use crate::warning::{Code, Warning};

/// As far as is looked without git.
const FAR: usize = 10_000;

/// The merge base of two commits; of a criss-cross history one of several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergeBase {
    /// The one that `git merge-base` names first.
    pub chosen: CommitId,
    pub others: Vec<CommitId>,
}

impl MergeBase {
    /// What is to be said where the history leaves a choice that the forge did not make.
    pub fn warning(&self) -> Option<Warning> {
        let others: Vec<&str> = self.others.iter().map(CommitId::short).collect();
        (!others.is_empty()).then(|| {
            Warning::run(
                Code::MergeBases,
                format!(
                    "the history has {} merge bases: the change is taken from {}, a forge may take it from {}",
                    others.len() + 1,
                    self.chosen.short(),
                    others.join(" or ")
                ),
            )
        })
    }
}

impl Repo {
    /// The best common ancestors of two commits that are here, by `git merge-base`: it uses commit-graphs, orders
    /// several as the forges do, and refuses a damaged commit where libgit2 would wait for the rest of it for ever.
    pub fn merge_base(&self, base: &CommitId, head: &CommitId) -> Result<MergeBase, GitError> {
        let ends = (self.commit(base)?.id(), self.commit(head)?.id());
        let git = match self.sealed_git() {
            Ok(git) => git,
            // Git has no directory to run in, which is told where it would be needed.
            Err(fault) => {
                let found = self.ancestor_without_git(base, head).map_err(|_| fault)?;
                return self.first_of(&[found], base, head);
            }
        };
        let bases = match self.git_merge_bases(git, ends)? {
            Some(bases) => bases,
            None => Vec::from([self.ancestor_without_git(base, head)?]),
        };
        self.first_of(&bases, base, head)
    }

    /// The one of the two that is an ancestor of the other.
    fn ancestor_without_git(&self, base: &CommitId, head: &CommitId) -> Result<Oid, GitError> {
        for (old, new) in [(base, head), (head, base)] {
            let wanted = self.commit(old)?.id();
            let mut seen = HashSet::from([self.commit(new)?.id()]);
            let mut next = VecDeque::from_iter(seen.iter().copied());
            while let Some(id) = next.pop_front() {
                if id == wanted {
                    return Ok(id);
                }
                let commit = self.commit(&self.commit_id(id)?)?;
                let parents = commit.parent_ids().filter(|parent| seen.len() < FAR && self.is_here(*parent));
                next.extend(parents.collect::<Vec<_>>().into_iter().filter(|parent| seen.insert(*parent)));
            }
        }
        Err(GitError::NoGit { what: "working out the merge base" })
    }

    /// Not cut off by a shallow clone.
    fn is_here(&self, id: Oid) -> bool {
        self.inner.odb().is_ok_and(|odb| odb.exists(id))
    }

    fn first_of(&self, bases: &[Oid], base: &CommitId, head: &CommitId) -> Result<MergeBase, GitError> {
        let mut ids = bases.iter().map(|id| self.commit_id(*id));
        match ids.next() {
            Some(chosen) => Ok(MergeBase { chosen: chosen?, others: ids.collect::<Result<_, _>>()? }),
            None => Err(GitError::NoMergeBase {
                base: base.clone(),
                head: head.clone(),
                shallow: self.is_shallow(),
                remote: self.likely_remote(),
            }),
        }
    }

    /// `None` where there is no `git`.
    fn git_merge_bases(&self, mut git: Command, ends: (Oid, Oid)) -> Result<Option<Vec<Oid>>, GitError> {
        git.args(["merge-base", "--all", &ends.0.to_string(), &ends.1.to_string()]);
        let Some(said) = self.run(git)? else { return Ok(None) };
        match said.status.code() {
            Some(0) => {}
            // Nothing in common, and nothing said.
            Some(1) if said.words.is_empty() => return Ok(Some(Vec::new())),
            _ => {
                let command = format!("git merge-base --all {} {}", ends.0, ends.1);
                return Err(GitError::Child { command, words: said.words });
            }
        }
        let format = self.inner.object_format();
        let listed = String::from_utf8_lossy(&said.stdout);
        Ok(Some(listed.lines().filter_map(|line| Oid::from_str_ext(line, format).ok()).collect()))
    }
}

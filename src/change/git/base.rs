//! The merge base that the diff starts from.

use git2::{ErrorCode, Oid};

use super::error::GitError;
use super::repo::Repo;
use crate::change::CommitId;
use crate::warning::{Code, Warning};

/// About 30,000 objects. Below it the walk takes less than the start of a process.
const LARGE_INDEX: u64 = 1 << 20;

/// Who worked the merge base out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    Git,
    Libgit2,
}

/// The merge base of two commits; of a criss-cross history one of several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergeBase {
    /// The one that `git merge-base` names first.
    pub chosen: CommitId,
    pub others: Vec<CommitId>,
    pub how: How,
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
    /// The best common ancestors of two commits that are here.
    ///
    /// With a commit-graph git is asked, since libgit2 ignores the graphs that git writes by default
    /// and then walks the whole history; also in a large repository, where git walks faster than
    /// libgit2 by more than it takes to start; and where there are several, for git's order.
    pub fn merge_base(&self, base: &CommitId, head: &CommitId) -> Result<MergeBase, GitError> {
        let ends = (self.commit(base)?.id(), self.commit(head)?.id());
        if (self.has_commit_graph() || self.is_large())
            && let Some(bases) = self.git_merge_bases(ends)?
        {
            return self.first_of(&bases, How::Git, base, head);
        }
        let bases = match self.inner.merge_bases(ends.0, ends.1) {
            Ok(bases) => bases.to_vec(),
            Err(error) if error.code() == ErrorCode::NotFound => Vec::new(),
            Err(error) => return Err(GitError::object(format!("the history of {base} and {head}"), &error)),
        };
        if bases.len() > 1
            && let Some(bases) = self.git_merge_bases(ends)?
        {
            return self.first_of(&bases, How::Git, base, head);
        }
        self.first_of(&bases, How::Libgit2, base, head)
    }

    fn first_of(&self, bases: &[Oid], how: How, base: &CommitId, head: &CommitId) -> Result<MergeBase, GitError> {
        let mut ids = bases.iter().map(|id| self.commit_id(*id));
        match ids.next() {
            Some(chosen) => Ok(MergeBase { chosen: chosen?, others: ids.collect::<Result<_, _>>()?, how }),
            None => Err(GitError::NoMergeBase {
                base: base.clone(),
                head: head.clone(),
                shallow: self.is_shallow(),
                remote: self.likely_remote(),
            }),
        }
    }

    /// A shallow repository's graph is not used by git either.
    fn has_commit_graph(&self) -> bool {
        let info = self.common_dir.join("objects").join("info");
        !self.is_shallow() && (info.join("commit-graph").is_file() || info.join("commit-graphs").is_dir())
    }

    /// By the size of the packs' indexes, which is told without reading them.
    fn is_large(&self) -> bool {
        let packs = std::fs::read_dir(self.common_dir.join("objects").join("pack"));
        let sizes = packs.into_iter().flatten().flatten().filter_map(|entry| {
            let is_index = entry.path().extension().is_some_and(|extension| extension == "idx");
            if is_index { entry.metadata().ok().map(|met| met.len()) } else { None }
        });
        sizes.sum::<u64>() > LARGE_INDEX
    }

    /// `None` where there is no `git`, or no directory for it to run in.
    fn git_merge_bases(&self, ends: (Oid, Oid)) -> Result<Option<Vec<Oid>>, GitError> {
        let Ok(mut git) = self.sealed_git() else { return Ok(None) };
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

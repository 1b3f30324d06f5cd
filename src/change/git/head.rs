//! What is checked out, and which branch of which remote it follows.

use git2::{ErrorCode, ReferenceType};

use super::error::GitError;
use super::repo::Repo;

/// What HEAD is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head {
    Branch {
        name: String,
        upstream: Option<Upstream>,
    },
    /// A commit and no branch, as CI checks out.
    Detached,
    /// A branch without a commit.
    Unborn {
        name: String,
    },
}

/// Where a branch is pulled from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upstream {
    /// A remote's name, or a URL, as `branch.NAME.remote` has it; `.` is this repository.
    pub remote: String,
    /// The full name there: `refs/heads/topic`, or `refs/pull/22/head` after `gh pr checkout`.
    pub merge: String,
}

impl Upstream {
    /// The branch's short name, `None` where it is no branch.
    pub fn branch(&self) -> Option<&str> {
        self.merge.strip_prefix("refs/heads/")
    }
}

impl Repo {
    /// What is checked out here.
    pub fn head(&self) -> Result<Head, GitError> {
        let failed = |error: &git2::Error| GitError::object("HEAD", error);
        let head = self.inner.find_reference("HEAD").map_err(|error| failed(&error))?;
        if head.kind() != Some(ReferenceType::Symbolic) {
            return Ok(Head::Detached);
        }
        let target = head.symbolic_target_bytes().unwrap_or_default();
        let target = String::from_utf8_lossy(target).into_owned();
        let name = target.strip_prefix("refs/heads/").unwrap_or(&target).to_owned();
        match self.inner.find_reference(&target) {
            Ok(_) => Ok(Head::Branch { upstream: self.upstream(&name)?, name }),
            Err(error) if error.code() == ErrorCode::NotFound => Ok(Head::Unborn { name }),
            Err(error) => Err(failed(&error)),
        }
    }

    fn upstream(&self, branch: &str) -> Result<Option<Upstream>, GitError> {
        let config = self.config()?;
        let value = |key: &str| config.last(&format!("branch.{branch}.{key}")).map(str::to_owned);
        Ok(value("remote").zip(value("merge")).map(|(remote, merge)| Upstream { remote, merge }))
    }
}

//! A pull or merge request as the forge tells of it.

use super::ForgeError;
use crate::change::CommitId;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Open,
    Closed,
    Merged,
}

impl State {
    pub fn as_str(self) -> &'static str {
        match self {
            State::Open => "open",
            State::Closed => "closed",
            State::Merged => "merged",
        }
    }
}

/// What is needed of a request to take its diff and to post to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The page for people.
    pub url: String,
    pub state: State,
    pub draft: bool,
    pub locked: bool,
    /// Whether the project is archived, as far as an answer says that is read anyway: GitHub's of the
    /// request, GitLab's of a branch's project.
    pub archived: bool,
    pub head: CommitId,
    /// The base branch's name, and the commit the forge says it stands at.
    pub base_branch: String,
    pub base: CommitId,
    /// The merge base as the forge computes it: `None` where it has none to tell to this token (404, 403), an
    /// error where it did not tell for any other reason.
    pub merge_base: Result<Option<CommitId>, ForgeError>,
}

//! A revision that is none: why, and which name was probably meant.

use git2::{ErrorCode, ObjectType};

use super::{GitError, Repo};
use crate::review::distance;

/// Why a revision names no commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoCommit {
    /// Nothing here is called so; the nearest name that something has.
    NotHere { near: Option<String> },
    /// The branch that is checked out has none.
    Unborn,
    /// Several objects' ids begin so.
    Ambiguous,
    /// Not how a revision is written.
    Unreadable,
    /// An object of this kind.
    Other(&'static str),
}

/// Where a branch's or a tag's name ends and steps from there begin.
const STEPS: [char; 4] = ['~', '^', '@', ':'];

impl Repo {
    /// Why `rev` did not become a commit.
    pub(super) fn unknown(&self, rev: &str, error: &git2::Error) -> GitError {
        let why = match error.code() {
            _ if is_head(rev) && self.inner.head().is_err_and(|e| e.code() == ErrorCode::UnbornBranch) => {
                NoCommit::Unborn
            }
            ErrorCode::Ambiguous => NoCommit::Ambiguous,
            ErrorCode::NotFound => NoCommit::NotHere { near: self.nearest(rev) },
            _ => match self.inner.revparse_single(rev).ok().and_then(|object| object.kind()) {
                Some(ObjectType::Tree) => NoCommit::Other("tree"),
                Some(ObjectType::Blob) => NoCommit::Other("file"),
                // A tag of one of those.
                Some(ObjectType::Tag) => NoCommit::Other("tag of something else"),
                Some(_) => return GitError::object(format!("the commit `{rev}`"), error),
                None => NoCommit::Unreadable,
            },
        };
        GitError::UnknownRevision { rev: rev.to_owned(), why, shallow: self.is_shallow() }
    }

    /// The branch or tag that was probably meant. A remote's branch is found without the remote's name too.
    fn nearest(&self, rev: &str) -> Option<String> {
        let (name, steps) = rev.split_at(rev.find(STEPS).unwrap_or(rev.len()));
        // The name is right, and the way from there leads nowhere.
        if self.inner.revparse_single(name).is_ok() {
            return None;
        }
        let typed = name.to_lowercase();
        let references = self.inner.references().ok()?;
        let mut best: Option<(usize, String)> = None;
        for reference in references.flatten() {
            let Ok(full) = reference.name() else { continue };
            for (prefix, own) in [("refs/heads/", true), ("refs/tags/", true), ("refs/remotes/", false)] {
                let Some(short) = full.strip_prefix(prefix) else { continue };
                let bare = if own { None } else { short.split_once('/').map(|(_, branch)| branch) };
                let names = [Some(short), bare].into_iter().flatten();
                let distances = names.filter_map(|known| distance(&typed, &known.to_lowercase()));
                if let Some(distance) = distances.min().filter(|d| best.as_ref().is_none_or(|(least, _)| d < least)) {
                    best = Some((distance, short.to_owned()));
                }
            }
        }
        best.map(|(_, short)| format!("{short}{steps}"))
    }
}

fn is_head(rev: &str) -> bool {
    rev.split(STEPS).next().is_some_and(|name| name == "HEAD" || name.is_empty())
}

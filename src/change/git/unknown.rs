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

/// What git says where an object is not as it was written.
const DAMAGE: [&str; 5] = ["corrupt", "unable to unpack", "bad object", "could not parse", "is truncated"];

impl Repo {
    /// Why `rev` did not become a commit; git's words where it was git that was asked.
    pub(super) fn unknown(&self, rev: &str, words: Option<&str>) -> GitError {
        let is_damaged = |words: &&str| DAMAGE.iter().any(|damage| words.contains(damage));
        if let Some(words) = words.filter(is_damaged) {
            let words = words.lines().next().unwrap_or_default().to_owned();
            return GitError::Object { what: format!("the history of `{rev}`"), words };
        }
        let unborn = is_head(rev) && self.inner.head().is_err_and(|e| e.code() == ErrorCode::UnbornBranch);
        let why = match self.kind_of(rev) {
            _ if unborn => NoCommit::Unborn,
            Err(ErrorCode::Ambiguous) => NoCommit::Ambiguous,
            Err(ErrorCode::NotFound) => NoCommit::NotHere { near: self.nearest(rev) },
            Err(_) => NoCommit::Unreadable,
            Ok(ObjectType::Tree) => NoCommit::Other("tree"),
            Ok(ObjectType::Blob) => NoCommit::Other("file"),
            // A tag of one of those.
            Ok(ObjectType::Tag) => NoCommit::Other("tag of something else"),
            Ok(_) => {
                let words = words.unwrap_or_default().lines().next().unwrap_or_default().to_owned();
                return GitError::Object { what: format!("the commit `{rev}`"), words };
            }
        };
        GitError::UnknownRevision { rev: rev.to_owned(), why, shallow: self.is_shallow() }
    }

    /// What it names instead. Nothing is followed through the history: where the name itself is right, the way from
    /// there leads nowhere.
    fn kind_of(&self, rev: &str) -> Result<ObjectType, ErrorCode> {
        // `^{tree}` peels, `^{/text}`, `^2` and `~3` walk.
        let walks = |at: usize| !rev[at..].starts_with("^{") || rev[at..].starts_with("^{/");
        let is_name = !rev.starts_with(':') && !rev.match_indices(['~', '^']).any(|(at, _)| walks(at));
        let name = rev.split(['~', '^']).next().unwrap_or_default();
        match self.inner.revparse_single(if is_name { rev } else { name }) {
            Ok(object) if is_name => object.kind().ok_or(ErrorCode::GenericError),
            Ok(object) => match object.peel_to_commit() {
                Ok(_) => Err(ErrorCode::NotFound),
                Err(_) => object.kind().ok_or(ErrorCode::GenericError),
            },
            Err(error) => Err(error.code()),
        }
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

//! The commits a change lies between.

use std::fmt;

/// A full object id in lower-case hex: 40 digits, or 64 in a SHA-256 repository.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CommitId(String);

impl CommitId {
    /// `None` unless `hex` is 40 or 64 hex digits; upper case is folded.
    pub fn parse(hex: &str) -> Option<Self> {
        let right = matches!(hex.len(), 40 | 64) && hex.bytes().all(|b| b.is_ascii_hexdigit());
        right.then(|| Self(hex.to_ascii_lowercase()))
    }

    /// git's null id, which names no commit.
    pub(super) fn null() -> Self {
        Self("0".repeat(40))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first ten digits, for people.
    pub fn short(&self) -> &str {
        &self.0[..10]
    }
}

impl fmt::Display for CommitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The ends of a change. The diff is `merge_base..head`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commits {
    /// The tip of the base branch, where it is known.
    pub base: Option<CommitId>,
    pub merge_base: CommitId,
    pub head: CommitId,
}

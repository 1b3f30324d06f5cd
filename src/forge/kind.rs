//! What differs between the forges before any call is made.

use std::fmt;

use crate::text::Dialect;

/// A forge's make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    GitHub,
    GitLab,
}

impl Kind {
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::GitHub => "github",
            Kind::GitLab => "gitlab",
        }
    }

    /// Whose Markdown its comments are.
    pub fn dialect(self) -> Dialect {
        match self {
            Kind::GitHub => Dialect::GitHub,
            Kind::GitLab => Dialect::GitLab,
        }
    }

    /// How alike two files must be, in percent, for the forge to pair them as a rename.
    /// GitHub: git's default. GitLab: Gitaly passes `--find-renames=30%`.
    pub fn rename_threshold(self) -> u8 {
        match self {
            Kind::GitHub => 50,
            Kind::GitLab => 30,
        }
    }

    /// The longest body of a comment or a summary, in characters.
    /// GitHub: 65,536 as its 422 says. GitLab: `notes` are limited to 1,000,000.
    pub fn body_limit(self) -> usize {
        match self {
            Kind::GitHub => 65_536,
            Kind::GitLab => 1_000_000,
        }
    }

    /// How the forge writes a request's number: `#22`, `!22`.
    pub fn sigil(self) -> char {
        match self {
            Kind::GitHub => '#',
            Kind::GitLab => '!',
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::GitHub => "GitHub",
            Kind::GitLab => "GitLab",
        })
    }
}

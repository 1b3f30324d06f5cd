//! The hidden last line of everything this program posts: what makes a rerun recognise it.
//!
//! `<!-- dai v1 finding=<16 hex> place=<16 hex> -->` under a comment,
//! `<!-- dai v1 review=<16 hex> head=<40 or 64 hex> -->` under a summary.

use std::fmt;

use sha2::{Digest as _, Sha256};

use crate::change::CommitId;

/// The first eight bytes of a SHA-256, written as 16 hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tag(pub [u8; 8]);

impl Tag {
    /// Hashes fields so that no two lists of fields collide by moving a border: each is preceded by
    /// its length in bytes, as eight bytes, big-endian.
    pub fn of<'a>(fields: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut hash = Sha256::new();
        for field in fields {
            hash.update((field.len() as u64).to_be_bytes());
            hash.update(field);
        }
        let mut first = [0; 8];
        first.copy_from_slice(&hash.finalize()[..8]);
        Self(first)
    }

    /// Sixteen lower-case hex digits.
    pub fn parse(hex: &str) -> Option<Self> {
        if hex.bytes().any(|b| b.is_ascii_uppercase()) {
            return None;
        }
        let mut tag = [0; 8];
        hex::decode_to_slice(hex, &mut tag).ok()?;
        Some(Self(tag))
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

/// What the last line of a posted text says it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Marker {
    Finding { finding: Tag, place: Tag },
    Review { review: Tag, head: CommitId },
}

impl fmt::Display for Marker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Marker::Finding { finding, place } => write!(f, "<!-- dai v1 finding={finding} place={place} -->"),
            Marker::Review { review, head } => write!(f, "<!-- dai v1 review={review} head={head} -->"),
        }
    }
}

impl Marker {
    /// Reads the last line of a stored text; forges may have added `\r` or blank ends.
    pub fn read(body: &str) -> Option<Self> {
        let last = body.trim_end().rsplit(['\n', '\r']).next()?;
        let inner = last.strip_prefix("<!-- dai v1 ")?.strip_suffix(" -->")?;
        let (first, second) = inner.split_once(' ')?;
        match (first.split_once('=')?, second.split_once('=')?) {
            (("finding", finding), ("place", place)) => {
                Some(Marker::Finding { finding: Tag::parse(finding)?, place: Tag::parse(place)? })
            }
            (("review", review), ("head", head)) if head.bytes().all(|b| !b.is_ascii_uppercase()) => {
                Some(Marker::Review { review: Tag::parse(review)?, head: CommitId::parse(head)? })
            }
            _ => None,
        }
    }
}

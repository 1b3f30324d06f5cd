//! The hidden last line of everything this program posts: what makes a rerun recognise it.
//!
//! `<!-- dai v1 finding=<16 hex> place=<16 hex> -->` under a comment,
//! `<!-- dai v1 review=<16 hex> head=<40 or 64 hex> -->` under a summary.

use std::fmt;

use sha2::{Digest as _, Sha256};

use crate::change::CommitId;
use crate::review::Side;

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

/// The mark of a place, which outlives a push that moves its lines: the path as sent, `LEFT` only
/// where a deleted line is among the lines, their text (one `\r` at the end of each off, joined by
/// `\n`), and how many earlier places of the file's image have the same text.
pub fn place_tag<'a>(path: &str, side: Side, lines: impl IntoIterator<Item = &'a [u8]>, ordinal: usize) -> Tag {
    let lines: Vec<&[u8]> = lines.into_iter().map(without_cr).collect();
    let (text, ordinal) = (lines.join(&b'\n'), ordinal.to_string());
    Tag::of([path.as_bytes(), side.as_str().as_bytes(), &text, ordinal.as_bytes()])
}

/// The mark of a finding: its place, in hex, and its [body](plain_body). Severity, confidence and id
/// may change without making it another one.
pub fn finding_tag(place: Tag, body: &str) -> Tag {
    Tag::of([place.to_string().as_bytes(), plain_body(body).as_bytes()])
}

/// A body as it is compared: CRLF as LF, no white space around it.
pub fn plain_body(body: &str) -> String {
    body.replace("\r\n", "\n").trim().to_owned()
}

/// A line as it is compared: one `\r` at its end off.
pub fn without_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
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

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// The vectors were computed by another program, and pin the marks for ever: a comment posted by
    /// any version is recognised by every later one.
    #[test]
    fn the_marks_are_those_of_the_vectors() {
        let vectors: Value = serde_json::from_str(include_str!("../../fixtures/markers.json")).unwrap();
        let list = |key: &str| vectors[key].as_array().filter(|list| !list.is_empty()).unwrap().clone();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        for vector in list("places") {
            let lines: Vec<String> = vector["lines"].as_array().unwrap().iter().map(text).collect();
            let side = Side::parse(&text(&vector["side"])).unwrap();
            let ordinal = vector["ordinal"].as_u64().unwrap() as usize;
            let tag = place_tag(&text(&vector["path"]), side, lines.iter().map(String::as_bytes), ordinal);
            assert_eq!(tag.to_string(), text(&vector["place"]), "{vector}");
        }
        for vector in list("findings") {
            let place = Tag::parse(&text(&vector["place"])).unwrap();
            assert_eq!(finding_tag(place, &text(&vector["body"])).to_string(), text(&vector["finding"]), "{vector}");
        }
    }
}

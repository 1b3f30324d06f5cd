//! The hidden line under everything this program posts: what makes a rerun recognise it.
//!
//! `<!-- dai v1 finding=<16 hex> place=<16 hex> [by=<16 hex>] -->` under a comment,
//! `<!-- dai v1 review=<16 hex> head=<40 or 64 hex> [by=default|<16 hex>] [text=<16 hex>] -->` under a summary.
//! Version 0.1 wrote neither `by` nor `text`. Fields that are not known are passed over.

use std::fmt;
use std::ops::Range;

use sha2::{Digest as _, Sha256};

use super::dialect::{Dialect, plain_lines};
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

/// Which of an account's reviews of one request a text is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ReviewId {
    /// That of the request's default file, and of everything that names no review.
    #[default]
    Default,
    Named(Tag),
}

impl ReviewId {
    /// By the name that the review gives itself.
    pub fn of_reviewer(name: &str) -> Self {
        Self::Named(Tag::of([&b"reviewer"[..], name.as_bytes()]))
    }

    /// By the name of its file.
    pub fn of_file(name: &str) -> Self {
        Self::Named(Tag::of([&b"file"[..], name.as_bytes()]))
    }

    fn parse(word: &str) -> Option<Self> {
        if word == DEFAULT { Some(Self::Default) } else { Tag::parse(word).map(Self::Named) }
    }
}

const DEFAULT: &str = "default";

impl fmt::Display for ReviewId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReviewId::Default => f.write_str(DEFAULT),
            ReviewId::Named(tag) => tag.fmt(f),
        }
    }
}

/// What a posted text says it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Marker {
    Finding {
        finding: Tag,
        place: Tag,
        by: ReviewId,
    },
    Review {
        /// What the call carried that made it.
        review: Tag,
        head: CommitId,
        by: ReviewId,
        /// The [words](words_tag) above the marker as they were written last; 0.1 did not say.
        text: Option<Tag>,
    },
}

const OPENING: &str = "<!-- dai v1 ";

/// A comment of the default file's review has the very marker that version 0.1 gave it.
impl fmt::Display for Marker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Marker::Finding { finding, place, by } => {
                write!(f, "{OPENING}finding={finding} place={place}")?;
                if *by != ReviewId::Default {
                    write!(f, " by={by}")?;
                }
            }
            Marker::Review { review, head, by, text } => {
                write!(f, "{OPENING}review={review} head={head} by={by}")?;
                if let Some(text) = text {
                    write!(f, " text={text}")?;
                }
            }
        }
        f.write_str(" -->")
    }
}

impl Marker {
    /// The marker of a stored text.
    pub fn read(body: &str, dialect: Dialect) -> Option<Self> {
        Self::find(body, dialect).map(|(marker, _)| marker)
    }

    /// The last marker that is alone on a line outside code and quotes, and that line, whatever people wrote
    /// behind it. The last one, since a reviewer's own words are always above the marker.
    pub fn find(body: &str, dialect: Dialect) -> Option<(Self, Range<usize>)> {
        // Most texts of a request have none, and parsing costs more than looking.
        if !body.contains(OPENING) {
            return None;
        }
        let read = |line: Range<usize>| Some((Self::of_line(&body[line.clone()])?, line));
        plain_lines(body, dialect).into_iter().rev().find_map(read)
    }

    /// Forges may have added blank ends; four blanks in front would make it code.
    pub(super) fn of_line(line: &str) -> Option<Self> {
        let line = line.trim_end();
        let unindented = line.trim_start_matches(' ');
        if line.len() - unindented.len() > 3 {
            return None;
        }
        let inner = unindented.strip_prefix(OPENING)?.strip_suffix(" -->")?;
        let mut fields = inner.split(' ').map(|field| field.split_once('='));
        let (first, second) = (fields.next()??, fields.next()??);
        let (mut by, mut text) = (ReviewId::Default, None);
        for field in fields {
            match field? {
                ("by", id) => by = ReviewId::parse(id)?,
                ("text", tag) => text = Some(Tag::parse(tag)?),
                _ => {}
            }
        }
        match (first, second) {
            (("finding", finding), ("place", place)) => {
                Some(Marker::Finding { finding: Tag::parse(finding)?, place: Tag::parse(place)?, by })
            }
            (("review", review), ("head", head)) if head.bytes().all(|b| !b.is_ascii_uppercase()) => {
                Some(Marker::Review { review: Tag::parse(review)?, head: CommitId::parse(head)?, by, text })
            }
            _ => None,
        }
    }

    /// The marker over these words, made by the same call.
    pub fn over(self, words: &str) -> Self {
        match self {
            Marker::Review { review, head, by, .. } => {
                Marker::Review { review, head, by, text: Some(words_tag(words)) }
            }
            finding @ Marker::Finding { .. } => finding,
        }
    }

    /// Whether both were made by one call: what a summary says may have been edited since.
    pub fn same_call(&self, other: &Self) -> bool {
        let call = |marker: &Self| match marker.clone() {
            Marker::Review { review, head, by, .. } => Marker::Review { review, head, by, text: None },
            finding @ Marker::Finding { .. } => finding,
        };
        call(self) == call(other)
    }
}

/// The mark of the words above a summary's marker, by which a later run knows whether a person changed them.
pub fn words_tag(words: &str) -> Tag {
    Tag::of([plain_words(words).as_bytes()])
}

/// Words as they are compared: forges change `\r` and white space at the end.
pub fn plain_words(words: &str) -> String {
    words.replace('\r', "").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

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
        for vector in list("reviews") {
            let id = match vector.get("reviewer") {
                Some(name) => ReviewId::of_reviewer(&text(name)),
                None => ReviewId::of_file(&text(&vector["file"])),
            };
            assert_eq!(id.to_string(), text(&vector["by"]), "{vector}");
        }
        for vector in list("words") {
            assert_eq!(words_tag(&text(&vector["words"])).to_string(), text(&vector["text"]), "{vector}");
        }
    }

    /// The markers of version 0.1 are read as ever, and each is written as it is read.
    #[test]
    fn a_line_is_read_as_the_vectors_say() {
        let vectors: Value = serde_json::from_str(include_str!("../../fixtures/markers.json")).unwrap();
        for vector in vectors["lines"].as_array().unwrap() {
            let line = vector["line"].as_str().unwrap();
            let read = Marker::read(line, Dialect::GitHub);
            assert_eq!(read.as_ref().map(facts), Some(vector["reads"].clone()).filter(|v| !v.is_null()), "{line}");
            let Some(marker) = read else { continue };
            assert_eq!(Marker::read(&marker.to_string(), Dialect::GitLab), Some(marker));
        }
    }

    fn facts(marker: &Marker) -> Value {
        match marker {
            Marker::Finding { finding, place, by } => {
                json!({ "finding": finding.to_string(), "place": place.to_string(), "by": by.to_string() })
            }
            Marker::Review { review, head, by, text } => {
                let text = text.map(|text| text.to_string());
                json!({ "review": review.to_string(), "head": head.as_str(), "by": by.to_string(), "text": text })
            }
        }
    }

    const MARKER: &str = "<!-- dai v1 finding=0101010101010101 place=0202020202020202 -->";
    const OTHER: &str = "<!-- dai v1 finding=0303030303030303 place=0202020202020202 -->";

    #[test]
    fn c55_a_marker_counts_wherever_it_is_alone_on_a_line_outside_code_and_quotes() {
        for (counts, text) in [
            (true, "Words.\n\n{}".to_owned()),
            (true, "Words.\r\n\r\n{}\r\n\r\n".to_owned()),
            (true, "Words.\n{}".to_owned()),
            (true, "Words.\n\n{}\n\nEdit: done".to_owned()),
            (true, "Words.\n\n{}\nEdit: done".to_owned()),
            (true, "Words.\n\n{}\n\n-- \nAnn\nSent from my phone".to_owned()),
            (true, "~~Words.~~\n\n{}".to_owned()),
            (true, "~~\nWords.\n\n{}\n~~".to_owned()),
            (true, "<details>\nWords.\n\n{}\n</details>".to_owned()),
            (true, "<!--\nWords.\n\n{}".to_owned()),
            (true, "- Words.\n{}".to_owned()),
            (true, format!("{{}}\n\n> {OTHER}")),
            (true, format!("{{}}\n\n```\n{OTHER}\n```")),
            (true, format!("{{}}\n\nOn Tuesday Ann wrote:\n> Words.\n>\n> {OTHER}\n")),
            // Of two the last: a reviewer's own words are always above.
            (true, format!("{OTHER}\n\n{{}}")),
            (false, "Words. {}".to_owned()),
            (false, "~~{}~~".to_owned()),
            (false, "> {}".to_owned()),
            (false, "> Words.\n> {}\n\nI see.".to_owned()),
            (false, "```\n{}\n```".to_owned()),
            (false, "```\n{}".to_owned()),
            (false, "Words.\n\n    {}".to_owned()),
            (false, "`{}`".to_owned()),
        ] {
            let text = text.replace("{}", MARKER);
            let found = Marker::find(&text, Dialect::GitHub);
            assert_eq!(found.as_ref().map(|(_, line)| &text[line.clone()]), counts.then_some(MARKER), "{text}");
        }
        let quoted = format!(">>>\n{MARKER}\n>>>");
        assert_eq!(Marker::read(&quoted, Dialect::GitLab), None);
    }
}

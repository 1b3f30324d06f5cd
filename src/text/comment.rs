//! A comment at a line, as it is posted.

use super::marker::Marker;
use super::neutralise::{Clean, block};
use crate::review::{Confidence, LineRange, Reply, Severity, Side};

/// What a comment is made of.
#[derive(Debug, Clone)]
pub struct CommentFacts<'a> {
    pub severity: Option<Severity>,
    pub confidence: Option<Confidence>,
    pub body: &'a str,
    /// The range as written, where the forge will not show it.
    pub range_note: Option<RangeNote>,
    pub replies: &'a [Reply],
    pub marker: Marker,
}

/// A range to be named in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RangeNote {
    pub side: Side,
    pub range: LineRange,
}

/// The comment, its marker the last line.
pub fn comment(facts: &CommentFacts<'_>) -> Clean {
    let badge = facts.severity.map_or("no severity", Severity::as_str);
    let confidence = facts.confidence.map_or_else(|| "no confidence".to_owned(), |c| format!("confidence {c}"));
    let note = facts.range_note.map_or_else(String::new, |note| format!("\n\nLines {} on {}.", note.range, note.side));
    let body = block(facts.body);
    let text = format!("**{badge}**, {confidence}\n\n{}{note}\n\n{}", body.text, facts.marker);
    Clean { text, edits: body.edits }
}

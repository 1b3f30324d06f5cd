//! A finding as the summary tells of it.

use std::cmp::Ordering;

use crate::review::{Confidence, Place, Reply, Severity};

/// One finding of the file. The summary orders them itself, so that the file's order plays no part.
#[derive(Debug, Clone)]
pub struct Entry<'a> {
    /// Its number in the file as the preview counts it; only a dismissed finding is named by it.
    pub number: usize,
    pub path: &'a str,
    /// Where it goes, or the place as written for one that has none; absent for a file as a whole.
    pub place: Option<Place>,
    pub severity: Option<Severity>,
    pub confidence: Option<Confidence>,
    pub body: &'a str,
    pub replies: &'a [Reply],
    pub shown: Shown<'a>,
    /// The comment of it that exists on the forge, whatever keeps the finding back now.
    pub existing: Option<Existing<'a>>,
}

/// A comment that exists on the forge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Existing<'a> {
    pub url: Option<&'a str>,
}

/// Where readers find it. Reasons are one-line fragments; they may hold text from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown<'a> {
    /// As a comment at its line, whichever run posted it.
    AtLine,
    /// It names no line: here, with its whole body.
    Here,
    /// A person rejected it: number and place, no word of it.
    Dismissed,
    /// A filter, a state or an earlier comment keeps it back.
    Suppressed { reason: &'a str },
    /// It has no place: here, with its whole body, since it reaches nobody elsewhere.
    Rejected { reason: &'a str },
    /// In a thread of its own: the forge did not keep its line.
    Adrift,
    /// The forge refused this comment: here, with its whole body.
    Failed { reason: &'a str },
    /// Whether the comment stands could not be learned.
    Unknown { reason: &'a str },
    /// The run stopped before it.
    NotAttempted { reason: &'a str },
}

impl Shown<'_> {
    /// Whether it passed the gate, whatever the forge then said.
    pub(super) fn passed(self) -> bool {
        match self {
            Shown::AtLine
            | Shown::Here
            | Shown::Adrift
            | Shown::Failed { .. }
            | Shown::Unknown { .. }
            | Shown::NotAttempted { .. } => true,
            Shown::Dismissed | Shown::Suppressed { .. } | Shown::Rejected { .. } => false,
        }
    }
}

/// The order of the plan: severity (none last), confidence (none counts as full), then the place and the text.
pub(super) fn order(a: &Entry<'_>, b: &Entry<'_>) -> Ordering {
    let confidence = |entry: &Entry<'_>| entry.confidence.unwrap_or(Confidence::FULL);
    let lines = |entry: &Entry<'_>| entry.place.map(|place| (place.range.start, place.range.end, place.side));
    b.severity
        .cmp(&a.severity)
        .then_with(|| confidence(b).cmp(&confidence(a)))
        .then_with(|| a.path.cmp(b.path))
        .then_with(|| lines(a).cmp(&lines(b)))
        .then_with(|| a.body.cmp(b.body))
}

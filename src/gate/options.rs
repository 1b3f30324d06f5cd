//! What a run asks of the gate, and which run it is.

use crate::anchor::Relocate;
use crate::change::CommitId;
use crate::forge::Kind;
use crate::review::{Confidence, Severity};
use crate::text::marker::ReviewId;

/// The filters, the cap, and whether proposals are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    pub min_severity: Option<Severity>,
    pub min_confidence: Option<Confidence>,
    /// The most comments at lines; 0 leaves the summary alone.
    pub max_comments: Option<usize>,
    pub relocate: Relocate,
    /// Which review of the request it is.
    pub review: ReviewId,
}

/// Whether a finding is posted beside an own comment with another wording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Again {
    #[default]
    No,
    Yes,
}

/// What a plan is for: everything of the digest that is not text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    pub kind: Kind,
    pub host: String,
    pub project: String,
    pub number: u64,
    pub head: CommitId,
    pub merge_base: CommitId,
    pub again: Again,
    pub review: ReviewId,
}

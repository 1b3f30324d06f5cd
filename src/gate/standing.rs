//! What this account's earlier runs left on the request, as the forge lists it.

use super::existing::{Located, Made};
use crate::change::CommitId;
use crate::text::marker::{ReviewId, Tag};
use crate::warning::Warning;

/// A comment that carries our marker and is ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnComment {
    pub finding: Tag,
    pub place: Tag,
    /// The review that it is of.
    pub by: ReviewId,
    pub url: Option<String>,
    pub stands: Stands,
    /// `None` where the forge does not say, and for one without a line.
    pub made: Option<Made>,
    pub located: Located,
}

/// Where readers meet a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stands {
    AtLine,
    /// In a thread of its own: the forge stored it without its position.
    Adrift,
}

/// A summary that carries our marker and is ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnSummary {
    /// The review's or the note's id, to edit it by.
    pub id: u64,
    pub review: Tag,
    pub head: CommitId,
    /// The review that it is of.
    pub by: ReviewId,
    /// The mark of the words that were written last, where its marker says.
    pub text: Option<Tag>,
    pub body: String,
    pub url: Option<String>,
}

/// Everything of ours on a request. Oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Standing {
    pub comments: Vec<OwnComment>,
    pub summaries: Vec<OwnSummary>,
    /// The page of an unfinished review of this account's, with which the forge takes no other.
    pub draft: Option<String>,
    /// Markers by other accounts: said, never counted.
    pub warnings: Vec<Warning>,
}

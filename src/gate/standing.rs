//! What this account's earlier runs left on the request, as the forge lists it.

use std::collections::HashSet;
use std::ops::Range;

use super::existing::{Located, Made};
use crate::change::CommitId;
use crate::text::marker::{ReviewId, Tag};
use crate::text::{Dialect, own_words};
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
    pub body: String,
    /// Where in it our own words are, as long as nobody changed them.
    pub words: Option<Range<usize>>,
    pub url: Option<String>,
}

/// Everything of ours on a request. Oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Standing {
    pub comments: Vec<OwnComment>,
    pub summaries: Vec<OwnSummary>,
    /// The pages of all comments, whoever wrote them.
    pub listed: HashSet<String>,
    /// What an earlier run posted and is not listed any more.
    pub deleted: Vec<OwnComment>,
    /// The page of a pending review of this account's, with which the forge takes no other.
    pub draft: Option<String>,
    /// Markers by other accounts: said, never counted.
    pub warnings: Vec<Warning>,
}

impl Standing {
    /// Finds our own words in the summaries, once all comments are known.
    pub fn find_words(&mut self, dialect: Dialect) {
        // Version 0.1 knew of one review only.
        let of_default = self.comments.iter().filter(|own| own.by == ReviewId::Default);
        let carried: Vec<Tag> = of_default.map(|own| own.finding).collect();
        for summary in &mut self.summaries {
            summary.words = own_words(&summary.body, dialect, &carried);
        }
    }
}

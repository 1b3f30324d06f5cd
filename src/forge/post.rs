//! What is handed over for posting, and what became of it.

use super::{ForgeError, Trouble};
use crate::change::CommitId;
use crate::gate::{OwnSummary, Point};
use crate::reason::ReasonCode;
use crate::review::{LineRange, Side};
use crate::text::Alarm;
use crate::text::marker::ReviewId;
use crate::warning::{Code, Warning};

/// Everything one run posts to one request.
pub struct Post<'a> {
    /// The head that was validated; the forge's must still be it.
    pub commit: CommitId,
    /// The branch that it goes into, and the commit that its diff starts from: a request that was
    /// aimed elsewhere has the same head and another diff.
    pub base_branch: String,
    pub merge_base: CommitId,
    /// In the order in which they are posted. GitHub takes 50 at most in a call; the caller sees to it.
    pub comments: Vec<OutgoingComment>,
    pub summary: SummaryPlan,
    /// Which review of the request it is.
    pub by: ReviewId,
    /// Writes the summary for what became of the comments (one outcome each, in their order), marker
    /// included. Where it goes out together with them, they are taken as posted, without URLs. What it
    /// refuses is never sent: a forge's own words have come into the text by then.
    pub text: &'a (dyn Fn(&[ItemOutcome]) -> Result<String, Alarm> + Sync),
    pub expectation: Expectation,
    /// Hears what became of the comments so far, in their order, each time one more is settled or about to be
    /// sent.
    pub settled: &'a (dyn Fn(&[ItemOutcome]) + Sync),
}

/// Whether `--expect` named the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expectation {
    /// The plan of this digest and no other: nothing may be left out on the way.
    Digest,
    /// Whatever lands.
    None,
}

/// What is to become of the summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SummaryPlan {
    /// A new one.
    Write,
    /// This one is edited, unless its text is right already. On GitHub only where there is no comment to
    /// post: a review with comments brings a summary of its own.
    Update(OwnSummary),
    /// What stands stays as it is; again, not on GitHub with comments to post.
    Leave { url: Option<String> },
}

/// One comment at lines, in the forge's terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutgoingComment {
    /// Index into the review's findings.
    pub finding: usize,
    /// The path as sent: the new name, the old one for a deleted file.
    pub path: String,
    /// Both names, one of them twice for added and deleted files.
    pub old_path: String,
    pub new_path: String,
    pub side: Side,
    pub range: LineRange,
    pub first: Point,
    pub last: Point,
    /// Exactly what is posted, the marker as its last line.
    pub body: String,
}

impl OutgoingComment {
    pub fn is_renamed(&self) -> bool {
        self.old_path != self.new_path
    }
}

/// Why the forge does not show what was sent to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailCode {
    ForgeRefused,
    /// Stored, without its position.
    Demoted,
}

impl FailCode {
    pub fn reason(self) -> ReasonCode {
        match self {
            FailCode::ForgeRefused => ReasonCode::ForgeRefused,
            FailCode::Demoted => ReasonCode::Demoted,
        }
    }
}

/// Why an item was never sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeldCode {
    HeadMoved,
    DigestDiffers,
    ForgeRefused,
    RateLimited,
    Interrupted,
}

impl HeldCode {
    pub fn reason(self) -> ReasonCode {
        match self {
            HeldCode::HeadMoved => ReasonCode::HeadMoved,
            HeldCode::DigestDiffers => ReasonCode::DigestDiffers,
            HeldCode::ForgeRefused => ReasonCode::ForgeRefused,
            HeldCode::RateLimited => ReasonCode::RateLimited,
            HeldCode::Interrupted => ReasonCode::Interrupted,
        }
    }
}

/// What became of one comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ItemOutcome {
    Posted {
        url: Option<String>,
    },
    /// Another run posted the same meanwhile, and this one did not.
    Stands {
        url: Option<String>,
    },
    Failed {
        code: FailCode,
        message: String,
    },
    /// Left out after the forge refused the whole review: `forge_disagrees`.
    Disagrees {
        detail: String,
    },
    Unknown {
        message: String,
    },
    NotAttempted {
        code: HeldCode,
        message: String,
    },
}

impl ItemOutcome {
    /// What is true of an item should the run end while it is sent.
    pub(super) fn in_flight() -> Self {
        ItemOutcome::Unknown { message: "the run ended while it was sent".to_owned() }
    }

    /// What this makes of an item that was being sent, or was about to be: refused, or not done at all.
    pub(super) fn stopped(trouble: &Trouble) -> Self {
        let message = trouble.to_string();
        match trouble.held_code() {
            HeldCode::ForgeRefused if !trouble.never_left() => {
                ItemOutcome::Failed { code: FailCode::ForgeRefused, message }
            }
            HeldCode::Interrupted => {
                ItemOutcome::NotAttempted { code: HeldCode::Interrupted, message: trouble.before_it() }
            }
            code => ItemOutcome::NotAttempted { code, message },
        }
    }
}

/// What became of the summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SummaryOutcome {
    Posted { url: Option<String> },
    Updated { url: Option<String> },
    AlreadyPosted { url: Option<String> },
    Failed { message: String },
    Unknown { message: String },
    NotAttempted { code: HeldCode, message: String },
}

impl SummaryOutcome {
    /// As [`ItemOutcome::stopped`].
    pub(super) fn stopped(trouble: &Trouble) -> Self {
        match ItemOutcome::stopped(trouble) {
            ItemOutcome::NotAttempted { code, message } => SummaryOutcome::NotAttempted { code, message },
            _ => SummaryOutcome::Failed { message: trouble.to_string() },
        }
    }
}

/// What became of a [`Post`].
#[derive(Debug, Clone)]
pub struct Outcome {
    /// One for each of the comments, in their order.
    pub items: Vec<ItemOutcome>,
    pub summary: SummaryOutcome,
    /// The summary's text as it was sent last, where one was.
    pub summary_text: Option<String>,
    /// What ended the run before its end, or made all of it fail.
    pub stop: Option<ForgeError>,
    pub warnings: Vec<Warning>,
    /// What stands twice, since another run posted the same at the same time.
    pub twins: Vec<Twin>,
}

/// Two texts with one marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Twin {
    /// `None` for the summary.
    pub finding: Option<usize>,
    /// This run's, and the other's.
    pub urls: [Option<String>; 2],
}

impl Outcome {
    /// Nothing was sent.
    pub(super) fn not_attempted(comments: usize, stop: ForgeError) -> Self {
        let (code, message) = (stop.held_code(), stop.to_string());
        Self {
            items: vec![ItemOutcome::NotAttempted { code, message: message.clone() }; comments],
            summary: SummaryOutcome::NotAttempted { code, message },
            summary_text: None,
            stop: Some(stop),
            warnings: Vec::new(),
            twins: Vec::new(),
        }
    }
}

/// What is said of a summary that is left as it is.
pub fn changed_by_person(url: Option<&str>) -> Warning {
    let url = url.unwrap_or("no URL");
    let message = format!(
        "the summary that stands is not the one that was sent: a person changed its words, so it is left as it is: {url}; \
         what it would say now is in the preview and the report"
    );
    Warning::run(Code::ChangedByPerson, message)
}

/// Whether a stored text is what was sent, but for `\r` and trailing white space, which forges change.
pub(super) fn same_text(sent: &str, stored: &str) -> bool {
    let plain = |text: &str| text.replace('\r', "").trim_end().to_owned();
    plain(sent) == plain(stored)
}

#[cfg(test)]
mod tests {
    use super::same_text;

    #[test]
    fn forges_may_change_carriage_returns_and_the_end_and_nothing_else() {
        assert!(same_text("a\nb", "a\r\nb\r\n "));
        assert!(!same_text("a\nb", "a\n b"));
        assert!(!same_text("a", "A"));
    }
}

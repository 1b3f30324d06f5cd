//! `--strict` and `--fail-on`: the gate's no, over the whole file. It never holds a post back.

use std::fmt;

use super::plan::{Fate, Hold, Plan};
use crate::review::{Review, Severity};

/// Why the run ends with the gate's no. At least one of both lists has an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// Findings that `--strict` does not let pass, by index.
    pub rejected: Vec<usize>,
    /// Findings at or above `--fail-on`, by index.
    pub grave: Vec<usize>,
    pub fail_on: Option<Severity>,
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let findings =
            |count: usize| if count == 1 { "1 finding is".to_owned() } else { format!("{count} findings are") };
        if !self.rejected.is_empty() {
            write!(f, "{} rejected (--strict)", findings(self.rejected.len()))?;
        }
        let border = if self.rejected.is_empty() || self.grave.is_empty() { "" } else { ", " };
        match self.fail_on {
            Some(severity) if !self.grave.is_empty() => {
                write!(f, "{border}{} at or above {severity} (--fail-on)", findings(self.grave.len()))
            }
            _ => Ok(()),
        }
    }
}

/// `None` when nothing of what was asked speaks against the review. A finding without a severity is
/// not at or above any.
pub fn judgement(plan: &Plan, review: &Review, strict: bool, fail_on: Option<Severity>) -> Option<Judgement> {
    let indices = |of: &dyn Fn(&super::Item) -> bool| -> Vec<usize> {
        plan.items.iter().filter(|item| of(item)).map(|item| item.finding).collect()
    };
    let rejected = indices(&|item| strict && matches!(item.fate, Fate::Rejected(_)));
    let grave = indices(&|item| {
        let severity = review.findings.get(item.finding).and_then(|finding| finding.severity);
        counts(&item.fate) && fail_on.is_some_and(|least| severity.is_some_and(|severity| severity >= least))
    });
    (!rejected.is_empty() || !grave.is_empty()).then_some(Judgement { rejected, grave, fail_on })
}

/// Whether a finding of this fate is one of the review's: kept back by the cap or by what stands, it
/// still is; dismissed, filtered or without a place, it is not.
fn counts(fate: &Fate) -> bool {
    match fate {
        Fate::Ready
        | Fate::Posted { .. }
        | Fate::AlreadyPosted { .. }
        | Fate::Summary
        | Fate::Failed { .. }
        | Fate::Unknown { .. }
        | Fate::NotAttempted { .. } => true,
        Fate::Suppressed(hold) => {
            matches!(hold, Hold::OverMaxComments { .. } | Hold::AlreadyCommented { .. } | Hold::Deleted { .. })
        }
        Fate::Rejected(_) => false,
    }
}

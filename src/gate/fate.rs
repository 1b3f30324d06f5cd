//! The published words for what becomes of a finding.

use std::fmt;

use super::plan::{Fate, Hold};
use crate::reason::ReasonCode;
use crate::review::Defect;

impl Hold {
    /// The published reason code.
    pub fn code(&self) -> ReasonCode {
        match self {
            Hold::Dismissed => ReasonCode::Dismissed,
            Hold::Orphaned => ReasonCode::Orphaned,
            Hold::Stale => ReasonCode::Stale,
            Hold::Written(Defect::UnclearField { .. } | Defect::TwoSides) => ReasonCode::UnclearField,
            Hold::Written(Defect::PathOutside { .. }) => ReasonCode::PathOutside,
            Hold::Anchor(rejection) => rejection.fault.code(),
            Hold::Duplicate { .. } => ReasonCode::Duplicate,
            Hold::BodyTooLong { .. } => ReasonCode::BodyTooLong,
            Hold::ForgeDisagrees { .. } => ReasonCode::ForgeDisagrees,
            Hold::BelowMinSeverity { .. } => ReasonCode::BelowMinSeverity,
            Hold::BelowMinConfidence { .. } => ReasonCode::BelowMinConfidence,
            Hold::OverMaxComments { .. } => ReasonCode::OverMaxComments,
            Hold::AlreadyCommented { .. } | Hold::Deleted { .. } => ReasonCode::AlreadyCommented,
        }
    }

    /// A person's word, a filter and what stands suppress; everything else rejects.
    pub fn fate(self) -> Fate {
        match self {
            Hold::Dismissed
            | Hold::BelowMinSeverity { .. }
            | Hold::BelowMinConfidence { .. }
            | Hold::OverMaxComments { .. }
            | Hold::AlreadyCommented { .. }
            | Hold::Deleted { .. } => Fate::Suppressed(self),
            Hold::Orphaned
            | Hold::Stale
            | Hold::Written(_)
            | Hold::Anchor(_)
            | Hold::Duplicate { .. }
            | Hold::BodyTooLong { .. }
            | Hold::ForgeDisagrees { .. } => Fate::Rejected(self),
        }
    }
}

/// The reason, as a fragment; text from outside is escaped where it is shown.
impl fmt::Display for Hold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Hold::Dismissed => f.write_str("a person rejected it"),
            Hold::Orphaned => f.write_str("its place is not in the patch that it was written for"),
            Hold::Stale => f.write_str(
                "its lines have changed since it was written: write its place anew, in an exchange with `dai review check --write`",
            ),
            Hold::Written(defect) => defect.fmt(f),
            Hold::Anchor(rejection) => rejection.fmt(f),
            Hold::Duplicate { of } => write!(f, "the same words at the same place as finding {of} (counted from 0)"),
            Hold::BodyTooLong { characters, limit } => {
                write!(f, "the comment has {characters} characters, and the forge takes {limit}: shorten the body")
            }
            Hold::ForgeDisagrees { detail } => f.write_str(detail),
            Hold::BelowMinSeverity { severity, min } => write!(f, "{severity} is below --min-severity {min}"),
            Hold::BelowMinConfidence { confidence, min } => write!(f, "{confidence} is below --min-confidence {min}"),
            Hold::OverMaxComments { max } => write!(f, "over --max-comments {max}"),
            Hold::AlreadyCommented { url } => {
                f.write_str("an own comment with another wording stands there")?;
                if let Some(url) = url {
                    write!(f, " ({url})")?;
                }
                f.write_str("; --again posts beside it")
            }
            Hold::Deleted { url } => {
                f.write_str("you posted this comment")?;
                if let Some(url) = url {
                    write!(f, " at {url}")?;
                }
                f.write_str(", and it is no longer there; --again posts it again")
            }
        }
    }
}

impl Fate {
    /// The reason's published code and its message, where there is one.
    pub fn reason(&self) -> Option<(ReasonCode, String)> {
        match self {
            Fate::Ready | Fate::Posted { .. } | Fate::AlreadyPosted { .. } | Fate::Summary => None,
            Fate::Suppressed(hold) | Fate::Rejected(hold) => Some((hold.code(), hold.to_string())),
            Fate::Failed { code, message } | Fate::NotAttempted { code, message } => Some((*code, message.clone())),
            Fate::Unknown { message } => Some((ReasonCode::NoAnswer, message.clone())),
        }
    }
}

//! The exit codes, which scripts and CI rely on.

use std::process::ExitCode;

/// How a run ended. The numbers are a published contract and never change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Exit {
    /// A preview was shown, or everything that passed the gate stands on the forge.
    Done = 0,
    /// The gate says no: `--strict`, `--fail-on`, `verdict`, or too many comments for one review.
    Gate = 1,
    /// The command line cannot be acted on.
    Usage = 2,
    /// The review file is missing, unreadable or invalid.
    Review = 3,
    /// Git cannot give the change.
    Git = 4,
    /// The forge refused or cannot be reached; nothing was posted.
    Forge = 5,
    /// Posted in part, or the outcome of a call is unknown.
    Partial = 6,
    /// The head, or the plan, is not the one that was meant; nothing was posted.
    Stale = 7,
    /// No token where one is needed, or the forge refuses it.
    Token = 8,
    /// Interrupted by SIGINT or SIGTERM.
    Interrupted = 130,
}

impl Exit {
    /// Every code, in the order of the numbers.
    pub const ALL: [Self; 10] = [
        Self::Done,
        Self::Gate,
        Self::Usage,
        Self::Review,
        Self::Git,
        Self::Forge,
        Self::Partial,
        Self::Stale,
        Self::Token,
        Self::Interrupted,
    ];

    /// What it says, as in the README and the man page.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Done => "preview shown, or everything that passed the gate stands on the forge",
            Self::Gate => {
                "the gate says no: `--strict`, `--fail-on`, `verdict`, or more than 50 comments for one GitHub review \
                 without `--max-comments`"
            }
            Self::Usage => "usage",
            Self::Review => "the review file is missing, unreadable or invalid",
            Self::Git => "git cannot give the change",
            Self::Forge => "the forge refused or cannot be reached; nothing was posted",
            Self::Partial => "posted in part, or the outcome of a call is unknown; the report says which items",
            Self::Stale => {
                "stale: the head is not the reviewed commit, it moved, or the plan is not `--expect`'s; nothing was posted"
            }
            Self::Token => "no token where one is needed, or the forge refuses it",
            Self::Interrupted => "interrupted; what was already posted is reported",
        }
    }

    /// The number the process ends with.
    pub fn code(self) -> u8 {
        self as u8
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.code())
    }
}

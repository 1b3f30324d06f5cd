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

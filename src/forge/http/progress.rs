//! What the layer tells while it works: people watch it, `-vv` prints it.

use std::time::Duration;

/// Why a run stands still.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitFor {
    /// The forge asked for a pause.
    Throttle,
    /// A read failed in a way that may pass.
    Retry,
    /// The outcome of a write is looked for once more.
    Look,
    /// GitLab has not made the diff of the newest push yet.
    Diff,
    /// So as to stay below the forge's limit of writes a minute.
    Pacing,
}

/// How one exchange went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Called<'a> {
    Answered { status: u16, bytes: usize },
    Failed(&'a str),
}

/// One thing worth telling. Nothing in it holds a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event<'a> {
    Called {
        method: &'a str,
        url: &'a str,
        outcome: Called<'a>,
        took: Duration,
    },
    Waiting {
        why: WaitFor,
        how_long: Duration,
        /// What may still be waited in this run, after this.
        left: Duration,
        host: &'a str,
    },
    /// `done` of `of` comments have been dealt with.
    Posting {
        done: usize,
        of: usize,
    },
}

/// Hears the events.
pub trait Progress: Send + Sync {
    fn event(&self, event: Event<'_>);
}

//! What a forge refuses, said with what to do next and with the exit code it means.

use super::http::Shifting;
use super::{Fault, HeldCode, Http};
use crate::change::CommitId;
use crate::exit::Exit;
use crate::text::Alarm;

/// A thing that could not be done on a forge.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("could not {doing} on {host}: {trouble}")]
pub struct ForgeError {
    pub host: Box<str>,
    pub doing: Doing,
    pub trouble: Trouble,
    /// Which variable a token is, or would be, taken from.
    pub variable: Box<str>,
}

/// What was being done, in words that fit behind "could not".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Doing {
    /// Nothing would have been changed by it.
    #[error("{0}")]
    Reading(Box<str>),
    #[error("{0}")]
    Writing(Box<str>),
}

impl Doing {
    pub(super) fn reading(what: impl Into<Box<str>>) -> Self {
        Self::Reading(what.into())
    }

    pub(super) fn writing(what: impl Into<Box<str>>) -> Self {
        Self::Writing(what.into())
    }
}

/// Why, with the facts. Texts of the forge are free of secrets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    #[error("`{project}` is not a project, which is `owner/repo`")]
    NoProject { project: String },
    #[error("there is no token")]
    NoToken,
    /// 401.
    #[error("the token is not accepted ({message})")]
    BadToken { message: String },
    /// 403, or 404 on a write to what can be read.
    #[error("the token may not do it ({message})")]
    Forbidden { message: String, needs: Option<String> },
    /// 403 of a token whose run may only read: a fork's, or Dependabot's.
    #[error("the token of this run may not write ({message})")]
    Integration { message: String, needs: Option<String> },
    /// 403 with `X-GitHub-SSO`.
    #[error("the token is not authorised for the organisation's single sign-on")]
    SingleSignOn { url: Option<String> },
    /// 404 for the request and for its project.
    #[error("the project does not exist, or the token may not see it (404)")]
    Hidden,
    /// 404 for the request of a project that can be seen.
    #[error("there is no such request in the project (404)")]
    NoRequest,
    /// 404 for a list of a request that can be seen.
    #[error("the forge answers 404 for the request's {list}, though not for the request itself")]
    NoList { list: &'static str },
    #[error("the forge asks for a pause that is longer than this run waits ({message})")]
    Throttled { message: String },
    #[error("its conversation is locked")]
    Locked,
    #[error("the project is archived and so read-only")]
    Archived,
    #[error("a pending review of yours stands in the way")]
    Pending { url: Option<String> },
    #[error("the head is no longer {expected} but {now}")]
    HeadMoved { expected: CommitId, now: CommitId },
    /// The same head, from another base branch or merge base: the places are of a diff that is no more.
    #[error("its diff no longer starts from {expected} but from {now}")]
    BaseMoved { expected: String, now: String },
    /// GitLab: the diff of the newest push is not made.
    #[error("the diff of {expected} is not ready")]
    DiffNotReady { expected: String },
    /// A 4xx that is about what was sent.
    #[error("it is refused ({status}: {})", sentences.join("; "))]
    Refused { status: u16, sentences: Vec<String>, suspects: Vec<Suspect> },
    /// A text of ours, held back by the last look at it.
    #[error(transparent)]
    Acts(#[from] Alarm),
    /// The review's POST left a summary without its comments.
    #[error("the review was stored without its comments")]
    Orphan { url: Option<String> },
    /// A 5xx, and any other answer that says nothing of what was asked.
    #[error("the server answered {status} ({message})")]
    Server { status: u16, message: String },
    /// An answer that does not read as it should.
    #[error("the answer cannot be understood ({cause})")]
    Unreadable { cause: String },
    /// A list of several pages that was another one each time.
    #[error("the list changed while it was read, {readings} times in a row")]
    Shifting { readings: usize },
    /// A write whose outcome was looked for in vain.
    #[error("it is not known whether it was done ({cause})")]
    Unlearned { cause: String },
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// A comment that may be what a refusal is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suspect {
    /// Index into the review's findings.
    pub finding: usize,
    /// `path:line`, with the side.
    pub place: String,
    pub why: String,
}

impl From<Shifting> for Trouble {
    fn from(Shifting { readings }: Shifting) -> Self {
        Trouble::Shifting { readings }
    }
}

impl Trouble {
    pub(super) fn unreadable(error: &serde_json::Error) -> Self {
        Trouble::Unreadable { cause: error.to_string() }
    }

    /// A 404 that was about the project itself.
    pub(super) fn of_project(self) -> Self {
        match self {
            Trouble::NoRequest => Trouble::Hidden,
            trouble => trouble,
        }
    }

    /// A 404 that was about a list of a request that is there.
    pub(super) fn of_list(self, list: &'static str) -> Self {
        match self {
            Trouble::NoRequest => Trouble::NoList { list },
            trouble => trouble,
        }
    }

    /// Where whose token it is was refused, and nothing else would tell its comments from others'.
    pub(super) fn nameless(self) -> Self {
        let (message, needs) = match self {
            Trouble::Forbidden { message, needs } | Trouble::Integration { message, needs } => (message, needs),
            Trouble::NoRequest => ("404".to_owned(), None),
            trouble => return trouble,
        };
        let message = format!("it may not ask whose token it is, and so could not know its own comments: {message}");
        Trouble::Forbidden { message, needs }
    }

    /// Whether not even a try reached the forge.
    pub(super) fn never_left(&self) -> bool {
        matches!(self, Trouble::Fault(Fault::NotSent { .. } | Fault::Unusable { .. } | Fault::Interrupted))
    }

    /// The code of the items that this kept from being sent.
    pub(super) fn held_code(&self) -> HeldCode {
        match self {
            Trouble::HeadMoved { .. } | Trouble::DiffNotReady { .. } => HeldCode::HeadMoved,
            // The merge base is part of the digest.
            Trouble::BaseMoved { .. } => HeldCode::DigestDiffers,
            Trouble::Throttled { .. } => HeldCode::RateLimited,
            Trouble::Fault(Fault::Interrupted) => HeldCode::Interrupted,
            _ => HeldCode::ForgeRefused,
        }
    }

    /// What is said of the items that were not tried any more.
    pub(super) fn before_it(&self) -> String {
        match self {
            Trouble::Fault(Fault::Interrupted) => "the run was interrupted before it".to_owned(),
            Trouble::Unlearned { .. } => {
                "the run stopped before it: it is not known what became of an earlier one".to_owned()
            }
            trouble => format!("the run stopped before it: {trouble}"),
        }
    }

    /// What this, as the end of a write, says of it.
    pub(super) fn of_write(&self) -> OfWrite {
        match self {
            Trouble::Server { .. }
            | Trouble::Unreadable { .. }
            | Trouble::Shifting { .. }
            | Trouble::Unlearned { .. } => OfWrite::Open,
            Trouble::Fault(fault) if !fault.never_happened() => OfWrite::Open,
            Trouble::Fault(_) | Trouble::Acts(_) => OfWrite::NeverSent,
            _ => OfWrite::Refused,
        }
    }
}

/// What is known of a write by how it ended, before anybody looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OfWrite {
    NeverSent,
    /// An answer says no. It may be that of a proxy, after the forge has done it.
    Refused,
    /// Nothing: it may be done, and may be listed late.
    Open,
}

impl ForgeError {
    pub(super) fn new(http: &Http, variable: &str, doing: Doing, trouble: Trouble) -> Self {
        let trouble = match trouble {
            // Nobody's token is at fault where none was shown.
            Trouble::BadToken { .. } | Trouble::Forbidden { .. } if !http.has_token() => Trouble::NoToken,
            trouble => trouble,
        };
        Self { host: http.host().into(), doing, trouble, variable: variable.into() }
    }

    pub fn exit(&self) -> Exit {
        match &self.trouble {
            Trouble::NoToken
            | Trouble::BadToken { .. }
            | Trouble::Forbidden { .. }
            | Trouble::Integration { .. }
            | Trouble::SingleSignOn { .. }
            | Trouble::Hidden => Exit::Token,
            Trouble::HeadMoved { .. } | Trouble::BaseMoved { .. } | Trouble::DiffNotReady { .. } => Exit::Stale,
            Trouble::NoProject { .. } => Exit::Usage,
            Trouble::Fault(Fault::Interrupted) => Exit::Interrupted,
            Trouble::Unlearned { .. } => Exit::Partial,
            _ => Exit::Forge,
        }
    }

    /// The code of the items that this kept from being sent.
    pub fn held_code(&self) -> HeldCode {
        self.trouble.held_code()
    }

    /// Whether something of what was refused is there to be seen all the same.
    pub fn left_something(&self) -> bool {
        matches!(self.trouble, Trouble::Orphan { .. })
    }

    /// Whether its help is to run again.
    pub fn says_to_run_again(&self) -> bool {
        matches!(
            self.trouble,
            Trouble::Throttled { .. }
                | Trouble::Server { .. }
                | Trouble::Unlearned { .. }
                | Trouble::DiffNotReady { .. }
                | Trouble::Shifting { .. }
                | Trouble::Orphan { .. }
                | Trouble::Fault(Fault::NotSent { .. } | Fault::NoAnswer { .. } | Fault::Interrupted)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(trouble: Trouble) -> ForgeError {
        ForgeError {
            host: "api.github.com".into(),
            doing: Doing::writing("post the review"),
            trouble,
            variable: "GH_TOKEN".into(),
        }
    }

    #[test]
    fn every_trouble_has_its_exit_code_and_its_word_for_unsent_items() {
        let sha = |c: char| CommitId::parse(&c.to_string().repeat(40)).unwrap();
        let message = String::new;
        for (trouble, exit, held) in [
            (Trouble::NoToken, Exit::Token, HeldCode::ForgeRefused),
            (Trouble::BadToken { message: message() }, Exit::Token, HeldCode::ForgeRefused),
            (Trouble::Forbidden { message: message(), needs: None }, Exit::Token, HeldCode::ForgeRefused),
            (Trouble::Hidden, Exit::Token, HeldCode::ForgeRefused),
            (Trouble::NoRequest, Exit::Forge, HeldCode::ForgeRefused),
            (Trouble::Locked, Exit::Forge, HeldCode::ForgeRefused),
            (Trouble::Archived, Exit::Forge, HeldCode::ForgeRefused),
            (Trouble::Pending { url: None }, Exit::Forge, HeldCode::ForgeRefused),
            (Trouble::HeadMoved { expected: sha('a'), now: sha('b') }, Exit::Stale, HeldCode::HeadMoved),
            (Trouble::BaseMoved { expected: message(), now: message() }, Exit::Stale, HeldCode::DigestDiffers),
            (Trouble::Throttled { message: message() }, Exit::Forge, HeldCode::RateLimited),
            (Trouble::Fault(Fault::Interrupted), Exit::Interrupted, HeldCode::Interrupted),
            (Trouble::Unlearned { cause: message() }, Exit::Partial, HeldCode::ForgeRefused),
        ] {
            let error = error(trouble);
            assert_eq!((error.exit(), error.held_code()), (exit, held), "{error:?}");
            assert!(!error.help().is_empty());
        }
    }
}

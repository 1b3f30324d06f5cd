//! The forges: which one, where, with what token, and what they answer.

mod access;
mod advice;
mod api;
mod error;
mod github;
mod gitlab;
mod http;
mod identity;
mod kind;
#[cfg(test)]
mod loopback;
mod post;
mod request;
mod strangers;

pub use access::Access;
pub use api::{FilePatch, Forge, HeadBranch, OpenRequest, Patches, RawPatch};
pub use error::{ForgeError, Suspect, Trouble};
pub use github::GitHub;
pub use gitlab::GitLab;
pub use http::{
    Answer, Called, Event, Fault, Http, Interrupt, Origin, Pace, Progress, Secrets, Setup, Silent, Unreached, WaitFor,
};
pub use identity::{Author, Identity};
pub use kind::Kind;
pub use post::{Consent, FailCode, HeldCode, ItemOutcome, Outcome, OutgoingComment, Post, SummaryOutcome, SummaryPlan};
pub use request::{Request, State};

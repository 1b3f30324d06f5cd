//! The forges: which one, where, with what token, and what they answer.

mod access;
mod advice;
mod api;
mod api_base;
mod candidate;
mod choice;
pub mod ci;
mod decision;
mod error;
mod gitea;
mod github;
mod gitlab;
pub mod host;
mod http;
mod identity;
pub mod instance;
mod kind;
#[cfg(test)]
mod loopback;
mod post;
mod reference;
pub mod remote_url;
mod request;
mod secrets;
mod strangers;
pub mod target;
mod target_error;
pub mod token;

pub use access::Access;
pub use api::{Forge, HeadBranch, OpenRequest, Patches, RawPatch, hunks_of};
pub use candidate::Remote;
pub use decision::Decision;
pub use error::{Doing, ForgeError, Suspect, Trouble};
pub use github::GitHub;
pub use gitlab::GitLab;
pub use host::Host;
pub use http::{Answer, Called, Event, Fault, HURRY, Http, Interrupt, Origin, Pace, Progress, Setup, WaitFor};
pub use identity::{Author, Identity};
pub use kind::Kind;
pub use post::{
    Expectation, FailCode, HeldCode, ItemOutcome, Outcome, OutgoingComment, Post, SummaryOutcome, SummaryPlan, Twin,
    changed_by_person,
};
pub use reference::{Reference, ReferenceError};
pub use request::{Request, State};
pub use secrets::Secrets;
pub use target::Site;
pub use target_error::TargetError;
pub use token::TokenError;

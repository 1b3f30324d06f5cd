//! The forges: which one, where, with what token, and what they answer.

mod api_base;
mod candidate;
mod choice;
pub mod ci;
mod decision;
pub mod host;
pub mod instance;
mod kind;
mod reference;
pub mod remote_url;
mod request;
mod secrets;
pub mod target;
mod target_error;
pub mod token;

pub use candidate::{Candidate, Remote};
pub use decision::Decision;
pub use host::{Host, Scheme};
pub use kind::Kind;
pub use reference::{Page, Reference, ReferenceError};
pub use remote_url::RemoteAddress;
pub use request::{Request, State};
pub use secrets::Secrets;
pub use target::{Site, Target};
pub use target_error::{ApiBaseFault, TargetError, UnreadableEvent};
pub use token::{Token, TokenError, TokenFault};

//! The forges: which one, where, with what token, and what they answer.

pub mod host;
mod kind;
mod reference;
pub mod remote_url;
mod request;

pub use host::{Host, Scheme};
pub use kind::Kind;
pub use reference::{Page, Reference, ReferenceError};
pub use remote_url::RemoteAddress;
pub use request::{Request, State};

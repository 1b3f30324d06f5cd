//! The forges: which one, where, with what token, and what they answer.

mod kind;
mod request;

pub use kind::Kind;
pub use request::{Request, State};

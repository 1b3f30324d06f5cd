//! The leanreview review exchange, version 1: a unified diff and the comments on it in one document.

mod document;
mod mend;
mod read;
mod schema;
mod write;

pub use document::{Answer, Comment, Comments, Exchange, Spelling};
pub use mend::{Given, Mended};
pub(super) use read::read_review;
pub use read::{read, review};
pub(super) use schema::schema;
pub use write::from_review;

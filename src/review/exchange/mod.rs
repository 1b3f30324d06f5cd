//! The leanreview review exchange, version 1: a unified diff and the comments on it in one document.

mod document;
mod grade;
mod mend;
mod read;
mod schema;
mod write;

pub use document::{Answer, Comment, Comments, Exchange, Spelling};
pub use grade::graded;
pub use mend::{Given, Mended, write_into};
pub(super) use read::{COMMENT, before, read_review};
pub use read::{read, review};
pub(super) use schema::schema;
pub use write::from_review;

//! Orchestra's review: few findings, each of a few short lines, bound to the commit it judged.

mod read;
mod schema;
mod write;

pub(super) use read::{FINDING, MAX_FIELD, is_one_line, read, word};
pub(super) use schema::schema;
pub use write::write;

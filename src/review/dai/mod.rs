//! The program's own format.

mod read;
mod schema;
mod write;

pub(super) use read::read;
pub(super) use schema::schema;
pub use write::write;

#[cfg(test)]
pub(super) use read::{DOCUMENT, FINDING};

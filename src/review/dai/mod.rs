//! The program's own format.

mod for_model;
mod read;
mod schema;
mod write;

pub(super) use for_model::for_model;
pub(super) use read::read;
pub(super) use schema::schema;
pub use write::write;

#[cfg(test)]
pub(super) use read::DOCUMENT;
pub(super) use read::FINDING;

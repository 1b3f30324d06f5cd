//! The one pass every posted word goes through, so that a model's text cannot act with a person's rights.
//!
//! A CommonMark parser says what is code, what is a link and what is HTML; what is taken away is taken
//! away in the source by range, so that everything else passes byte for byte, and every change is
//! counted. Two views are kept apart throughout: readers and forges look for names in the rendered
//! text, commands are looked for in the raw lines.

mod address;
mod change;
mod commands;
mod controls;
mod edit;
mod fence;
mod glyph;
mod idle;
mod inert;
mod layout;
mod line;
mod markup;
mod pass;
mod prose;
mod secrets;
mod span;

#[cfg(test)]
mod tests;

pub(crate) use edit::Tally;
pub use edit::{Clean, Edit, EditKind};
pub(crate) use inert::whole;
pub use inert::{Alarm, assert_inert};
pub(crate) use line::short;
pub use line::{code, inline};
pub use pass::block;
pub(crate) use pass::purged;
pub(crate) use secrets::without_keys;

//! The one pass every posted word goes through, so that a model's text cannot act with a person's rights.
//!
//! The parser that the forge runs says what is code, what is a link and what is HTML; what is taken away
//! is taken away in the source by range, so that everything else passes byte for byte, and every change is
//! counted. What is left is proved on the forge's own tree, and shown as code where the proof fails. Two views are kept apart throughout: readers and forges look for names in the rendered
//! text, commands are looked for in the raw lines.

mod address;
mod bots;
mod change;
mod commands;
mod controls;
mod edit;
mod fence;
mod form;
mod glyph;
mod idle;
mod inert;
mod layout;
mod line;
mod markup;
mod names;
mod pass;
mod proof;
mod prose;
mod secrets;
mod span;
mod strong;

#[cfg(test)]
mod tests;

pub(crate) use address::is_comment_page;
pub(crate) use edit::Tally;
pub use edit::{Clean, Edit, EditKind};
pub(crate) use form::{Form, Pass};
pub use inert::{Alarm, assert_inert};
pub(crate) use inert::{assert_body, whole};
pub use line::{code, inline};
pub use pass::block;
pub(crate) use pass::purged;
pub use proof::Acting;
pub(crate) use secrets::without_keys;

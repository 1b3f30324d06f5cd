//! The one pass every posted word goes through, so that a model's text cannot act with a person's rights.

mod commands;
mod controls;
mod edit;
mod fence;
mod inert;
mod layout;
mod span;

pub(crate) use edit::Tally;
pub use edit::{Clean, Edit, EditKind};
pub(crate) use inert::whole;
pub use inert::{Alarm, assert_inert};
pub use span::code;

/// A field of Markdown: a finding's body, the summary.
pub fn block(text: &str) -> Clean {
    let mut tally = Tally::default();
    let text = controls::strip(text, &mut tally);
    let text = tally.take(whole(&text));
    tally.clean(text)
}

/// A field that stands inside a line: a reason, `us`, one of `good`.
pub fn inline(text: &str) -> Clean {
    let mut tally = Tally::default();
    let text = controls::strip(text, &mut tally).replace('\n', " ");
    tally.clean(text)
}

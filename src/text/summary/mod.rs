//! The summary: one text a head that says what the review found, what was kept back, and why.

mod entry;
mod fit;
mod head;
mod lists;
mod render;

#[cfg(test)]
mod tests;

pub use entry::{Entry, Existing, Shown};
pub use head::says_nothing_found;
pub use render::{Summary, SummaryFacts, summary_body};

//! What a reviewer wrote: the file, its findings, and every fault of it. Knows neither git nor forges.

mod answer;
mod blocking;
mod convert;
pub mod dai;
mod document;
mod edit;
mod error;
mod excerpt;
pub mod exchange;
mod finding;
pub mod load;
mod near;
mod node;
pub mod orchestra;
mod path;
mod problem;
mod problems;
mod quote;
mod read;
mod reading;
mod renumber;
mod rule;
mod schema;
mod source;
mod strict;
#[cfg(test)]
mod tests;
mod texts;

pub use answer::{Answer, Unheld, answered};
pub use convert::{LeftOut, What};
pub use document::Document;
pub use edit::{Edits, Nowhere};
pub use error::ReviewError;
pub use finding::{Confidence, Finding, Format, Heading, LineRange, Place, Reply, Review, Severity, Side, State};
pub(crate) use near::{distance, nearest};
pub use node::{Kind, Member, Node};
pub use path::candidates;
pub use problem::{Allowed, Fault, Found, MAX_DEPTH, Problem};
pub use problems::{Look, Problems};
pub use quote::{Quoted, acts, quoted};
pub use read::{read, sniff};
pub use renumber::renumber;
pub use schema::schema;
pub use source::{Position, Source};

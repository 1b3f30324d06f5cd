//! What a reviewer wrote: the file, its findings, and every fault of it. Knows neither git nor forges.

mod answer;
mod blocking;
mod cause;
mod convert;
pub mod dai;
mod defect;
mod described;
mod document;
mod edit;
mod envelope;
mod error;
mod excerpt;
pub mod exchange;
mod finding;
mod foreign;
pub mod load;
mod meant;
mod misnamed;
mod near;
mod node;
pub mod orchestra;
mod path;
mod place;
mod problem;
mod problems;
mod quote;
mod read;
mod reading;
mod renumber;
mod rule;
mod schema;
mod source;
mod spec;
mod strict;
#[cfg(test)]
mod tests;
mod texts;
mod unescape;

pub use answer::{Answer, Unheld, answered};
pub use cause::Cause;
pub use convert::{LeftOut, What};
pub use defect::Defect;
pub use document::Document;
pub use edit::{Edits, Nowhere};
pub use error::ReviewError;
pub use finding::{
    Confidence, Finding, Foreign, Format, Heading, LineRange, Place, Reply, Review, Severity, Side, State,
};
pub use misnamed::{Rename, renames};
pub(crate) use near::{distance, nearest};
pub use node::{Kind, Member, Node};
pub use path::candidates;
pub use problem::{Allowed, Fault, Found, MAX_DEPTH, Problem};
pub use problems::{Look, Problems};
pub use quote::{Quoted, acts, quoted};
pub use read::{read, read_as};
pub use renumber::renumber;
pub use schema::{schema, schema_for_model};
pub use source::{Position, Source};
pub use spec::{FORMATS, FormatSpec, sniff};

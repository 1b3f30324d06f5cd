//! What a reviewer wrote: the file, its findings, and every fault of it. Knows neither git nor forges.

mod finding;
mod path;

pub use finding::{Confidence, Finding, Format, Heading, LineRange, Place, Reply, Review, Severity, Side, State};
pub use path::candidates;

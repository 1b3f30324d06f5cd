//! What goes out: states, filters, the cap, what stands already; the plan and its digest. Pure.

mod plan;
mod standing;

pub use plan::{Digest, Fate, Hold, Item, Plan, Point, Spot};
pub use standing::{OwnComment, OwnSummary, Standing};

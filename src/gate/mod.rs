//! What goes out: states, filters, the cap, what stands already; the plan and its digest. Pure.

mod build;
mod cross_check;
mod digest;
mod existing;
mod fate;
mod judgement;
mod landing;
mod options;
mod others;
mod overlay;
mod plan;
mod standing;
mod tags;

pub use build::plan_carried;
pub use cross_check::{CrossCheck, ForgeFile};
pub use existing::{Located, Made, MadeAt, Numbers};
pub use judgement::judgement;
pub use options::{Again, Identity, Options};
pub use others::other_reviews;
pub use plan::{Digest, Fate, Hold, Item, Plan, Point};
pub use standing::{OwnComment, OwnSummary, Standing, Stands};

#[cfg(test)]
mod tests;

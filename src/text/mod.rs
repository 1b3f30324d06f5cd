//! What readers see on the forge: comments, the summary, and the one pass that takes away what acts.

mod comment;
pub mod marker;
mod neutralise;

pub use comment::{CommentFacts, RangeNote, comment};
pub use neutralise::{Clean, Edit, EditKind, block, inline};

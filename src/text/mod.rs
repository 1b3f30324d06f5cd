//! What readers see on the forge: comments, the summary, and the one pass that takes away what acts.

mod comment;
mod dialect;
mod excerpt;
mod footer;
pub mod marker;
mod neutralise;
mod own_words;
mod summary;
mod unseen;

pub use comment::{Comment, CommentFacts, RangeNote, comment};
pub use dialect::{Dialect, plain_lines};
pub use excerpt::{excerpt, first_line};
pub use footer::with_marker;
pub(crate) use neutralise::without_keys;
pub use neutralise::{Acting, Alarm, Clean, Edit, EditKind, assert_inert, block, code, inline};
pub use own_words::{Rewrite, disowned, own_words, rewrite};
pub use summary::{Entry, Existing, Shown, Summary, SummaryFacts, says_nothing_found, summary_body};
pub(crate) use unseen::Seen;

//! The repository's side of a change: where it is, which commits, and the diff between them.
//!
//! libgit2 reads objects; `git` itself is asked where it alone gives the forge's answer (rename
//! pairing), where it is much faster (merge bases with a commit-graph), and for everything that
//! touches a network, since credentials, ssh and proxies are its owner's to configure. What comes
//! with a change (attributes, `.gitmodules`, ref names) is obeyed nowhere.

mod base;
mod batch;
mod brought;
mod clean;
mod command;
mod diff;
mod error;
mod fetch;
mod head;
mod images;
mod kept;
mod loose;
mod objects;
mod pairs;
mod remote;
mod repo;
mod scratch;
mod spelling;
mod tracked;
mod tree;
mod unified;
mod unknown;
mod view;

pub use base::{How, MergeBase};
pub(crate) use command::quoted;
pub use error::{GitError, RemoteFault};
pub use fetch::{Slot, Want};
pub use head::{Head, Upstream};
pub use images::hunks;
pub use kept::{Kept, RequestRefs};
pub use remote::Remote;
pub use repo::{Network, Repo};
pub(super) use spelling::unquoted;
pub use unknown::NoCommit;

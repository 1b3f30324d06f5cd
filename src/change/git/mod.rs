//! The repository's side of a change: where it is, which commits, and the diff between them.
//!
//! libgit2 reads objects; `git` itself is asked where the repository is and whose, what its configuration says,
//! where it alone gives the forge's answer (rename pairing), for every walk through the history, and for
//! everything that touches a network, since credentials, ssh and proxies are its owner's to configure. What comes
//! with a change (attributes, `.gitmodules`, ref names) is obeyed nowhere.

mod base;
mod batch;
mod brought;
mod clean;
mod command;
mod config;
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
mod revision;
mod scratch;
mod setup;
mod spelling;
mod tracked;
mod tree;
mod unified;
mod unknown;
mod view;

pub use base::MergeBase;
pub(crate) use command::quoted;
pub use command::{LOCAL as LOCAL_LIMIT, NETWORK as NETWORK_LIMIT};
pub use error::{GitError, RemoteFault};
pub use fetch::{Slot, Want};
pub use head::{Head, Upstream};
pub use images::hunks;
pub use kept::{Kept, RequestRefs};
pub use remote::Remote;
pub use repo::{NamedBy, Network, Repo};
pub(super) use spelling::unquoted;
pub use unknown::NoCommit;

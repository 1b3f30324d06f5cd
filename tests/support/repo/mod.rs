//! Real git repositories in temporary directories, out of reach of the machine's own configuration.

mod clones;
mod fingerprint;
mod git;
mod upstream;
mod work;

pub use clones::Cloned;
pub use fingerprint::Fingerprint;
pub use git::{Scratch, environment, git, git_bytes, try_git};
pub use upstream::{ShaWants, Upstream};
pub use work::Repo;

//! What is under review: commits, files, hunks and lines. Knows neither findings nor forges' APIs.

mod commits;
mod delta;
pub mod git;
mod hunk;
mod near_path;
pub mod patch;
mod patch_change;
#[cfg(test)]
mod patch_damage_tests;
mod patch_hunk;
mod patch_names;
mod patch_read;
#[cfg(test)]
mod patch_tests;
mod set;

pub use commits::{CommitId, Commits};
pub use delta::{Content, FileDelta, Image, NoText, Paths, Text};
pub use hunk::{DiffLine, Hunk, LineKind};
pub use set::{Change, Missing};

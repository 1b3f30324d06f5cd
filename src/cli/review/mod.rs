//! Work with a review file, without a forge.

pub mod bind;
pub mod brief;
mod file;
pub mod triage;
pub mod verdict;

//! Work with a review file, without a forge.

pub mod bind;
pub mod brief;
pub mod check;
pub mod convert;
mod file;
mod only;
mod target;
pub mod triage;
pub mod verdict;

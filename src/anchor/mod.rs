//! Where a finding lands: pure, from a `Review` and a `Change` to a `Verdict` per finding.

pub mod carry;
mod file;
mod grams;
mod lines;
mod message;
mod resolver;
mod rows;
mod side;
mod snippet;
pub mod trace;
mod verdict;

pub(crate) use lines::LineIndex;
pub use resolver::{Relocate, Resolver, resolve};
pub(crate) use rows::Rows;
pub use verdict::{Anchor, Fault, Nearest, NotInDiff, OtherSide, Proposal, Rejection, Verdict, Why};

#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;

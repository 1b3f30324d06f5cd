//! Where a finding lands: pure, from a `Review` and a `Change` to a `Verdict` per finding.

mod file;
mod grams;
mod lines;
mod message;
mod resolver;
mod rows;
mod side;
mod snippet;
mod verdict;

pub use resolver::{Relocate, Resolver, resolve};
pub use verdict::{Anchor, Fault, Nearest, NotInDiff, OtherSide, Proposal, Rejection, Verdict, Why};

#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;

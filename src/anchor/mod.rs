//! Where a finding lands: pure, from a `Review` and a `Change` to a `Verdict` per finding.

mod verdict;

pub use verdict::{Anchor, Fault, Nearest, NotInDiff, OtherSide, Proposal, Rejection, Verdict, Why};

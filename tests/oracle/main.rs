//! The change as git itself tells it: every comparison here takes its truth from `git`, read by a
//! parser of its own, and never from the code under test.

#![expect(clippy::unwrap_used, reason = "a test that cannot set up its repository has nothing to say")]
#![expect(clippy::print_stderr, reason = "the seed repeats a run that failed")]

mod cases;
mod check;
mod clones;
mod fetching;
mod generate;
mod histories;
mod lab;
mod many;
mod opening;
mod random;
mod sealed;
mod truth;

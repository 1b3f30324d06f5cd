//! GitHub: one review with all its comments, made in one call, or nothing.
//!
//! Source of the rules: GitHub REST, "Create a review for a pull request" and its neighbours, and what
//! users report of it. The raw answers are read here and not octocrab's errors, which lose one of the
//! two shapes of a 422.

mod api;
mod culprit;
mod look;
mod outgoing;
mod project;
mod readback;
mod refusal;
mod review;
mod standing;
mod summary;
#[cfg(test)]
mod tests;
mod wire;

pub use project::GitHub;

//! GitLab: one discussion for each comment, then the summary as a note. Not atomic, and not said to be.
//!
//! Source of the rules: GitLab's REST documentation, "Discussions API" and "Merge requests API", and its
//! published source where that says more. The endpoints are the `gitlab` crate's; what it lacks is in
//! [`endpoint`], and the raw answers are read here.

mod api;
mod diffs;
mod discussion;
mod endpoint;
mod look;
mod made;
mod pacer;
mod position;
mod project;
mod readback;
mod refs;
mod refusal;
mod standing;
#[cfg(test)]
mod tests;
mod wire;

pub use project::GitLab;

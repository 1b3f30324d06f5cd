//! Preview and post against a GitHub.

mod consent;
mod limits;
mod merge_base;
mod posting;
mod states;
mod tokens;

//! Preview and post against a GitHub.

mod consent;
mod limits;
mod posting;
mod states;
mod tokens;

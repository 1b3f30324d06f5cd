//! `dai forge …`, and what it shares with whoever else needs the change of a request: which request,
//! what is asked of its forge, which commits.

mod args;
mod options;
pub mod review;
mod run;
mod scene;
mod session;
mod subject;
mod which;

pub use args::{ReviewArgs, forges};
pub use subject::{Subject, kept_commits};

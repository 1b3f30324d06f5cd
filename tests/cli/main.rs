//! The built program against real repositories and the loopback forges, as its users run it.

#[path = "../support/mod.rs"]
mod support;

mod actions;
mod anchoring;
mod files;
mod git;
mod github;
mod gitlab;
mod init_demo;
mod light;
mod local;
mod once;
mod options;
mod output;
mod which;
mod widgets;

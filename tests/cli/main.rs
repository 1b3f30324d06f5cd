//! The built program against real repositories and the loopback forges, as its users run it.

#[path = "../support/mod.rs"]
mod support;

#[path = "../acting/mod.rs"]
mod acting;
mod actions;
mod agents;
mod anchoring;
mod bases;
mod check;
mod convert;
mod exchange;
mod files;
mod git;
mod git_view;
mod github;
mod gitlab;
mod hostile;
mod init_demo;
mod light;
mod local;
mod many;
mod once;
mod options;
mod output;
mod promises;
mod readme;
mod review_file;
mod reviewers;
mod schemas;
mod which;
mod widgets;

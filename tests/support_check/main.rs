//! The loopback forges and the rest of the tests' own ground, put to the test themselves.

#[path = "../support/mod.rs"]
mod support;

mod client;
mod github;
mod gitlab;
mod ground;
mod scene;
mod wire;

//! The loopback GitLab: every refusal and every acceptance.

mod commands;
mod ground;
mod placing;
mod reading;
mod trouble;

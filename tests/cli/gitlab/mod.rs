//! `dai forge review` against a GitLab on the loopback interface.

mod cases;
pub mod ground;
mod lives;
mod partly;
mod places;
mod stopped;
mod tokens;
mod versions;

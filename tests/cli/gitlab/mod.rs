//! `dai forge review` against a GitLab on the loopback interface.

pub mod ground;
mod partly;
mod places;

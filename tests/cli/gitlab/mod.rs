//! `dai forge review` against a GitLab on the loopback interface.

mod ground;
mod partly;
mod places;

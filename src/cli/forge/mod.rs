//! `dai forge …`: what needs a pull or merge request.

pub mod review;

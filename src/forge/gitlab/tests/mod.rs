//! Held against a small server that refuses and loses answers.

pub mod fake;
mod posting;
mod reading;

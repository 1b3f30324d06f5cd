//! Held against a small server that refuses and loses answers.

mod fake;
mod posting;
mod reading;

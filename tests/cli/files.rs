//! The review file: what is read, what is not, and what is said of a bad one.

mod content;
mod default;
mod order;

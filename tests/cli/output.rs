//! What stands on the two streams.

mod errors;
mod pages;
mod report;
mod streams;

//! The built program, driven as a person or CI would drive it.

#[path = "../support/mod.rs"]
mod support;

mod gitlab;

//! Work with a review file, without a forge.

pub mod bind;

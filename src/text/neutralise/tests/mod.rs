//! The pass against the dangers it is there for, against ordinary texts, and against hostile alphabets.

#[path = "../../../../tests/acting/mod.rs"]
mod acting;
mod hostile;
mod ordinary;
mod rows;

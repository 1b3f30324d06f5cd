//! The pass against the dangers it is there for, against ordinary texts, and against hostile alphabets.

mod forges;
mod hostile;
mod ordinary;
mod rows;

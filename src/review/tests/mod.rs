//! Readers against samples, cases, arbitrary reviews and arbitrary damage.

mod arbitrary;
mod dai;
mod samples;

//! Readers against samples, cases, arbitrary reviews and arbitrary damage.

mod arbitrary;
mod dai;
mod exchange;
mod foreign;
mod orchestra;
mod samples;

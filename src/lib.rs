//! The gate between a model's review of a change and the forge that would publish it.
//!
//! One direction, one type at each arrow:
//!
//! ```text
//! review file ── review ──▶ Review ┐
//!                                  ├─ anchor ──▶ Verdict per finding ── gate ──▶ Plan ──┬─ output ──▶ preview, report
//! repository ─── change ──▶ Change ┘                                     ▲              └─ forge ───▶ Outcome per item
//!                                                   what stands already ─┘
//! ```
//!
//! Everything from [`review::Review`] and [`change::Change`] to `gate::Plan` is pure: no I/O, no
//! clock, no environment. Only `change`'s git side and `forge`'s calls touch the world.

pub mod anchor;
pub mod atomic;
pub mod brief;
pub mod change;
mod cli;
mod codes;
mod consent;
pub mod exit;
mod forge;
mod gate;
pub mod output;
mod parallel;
pub mod reason;
pub mod review;
mod schema;
pub mod settings;
pub mod text;
pub mod warning;

pub use cli::main;

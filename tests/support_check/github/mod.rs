//! The loopback GitHub: every refusal and every acceptance.

mod ground;
mod placing;
mod reading;
mod trouble;

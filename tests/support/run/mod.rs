//! The built program, run as a person or CI would run it, and its output made comparable.

mod normalise;
mod program;
mod signals;
mod terminal;

pub use normalise::Normal;
pub use program::{Answer, Dai, Running, Signal, send};
pub use terminal::Terminal;

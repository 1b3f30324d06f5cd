//! The preview for people, the report for programs, progress. Decides nothing.

mod console;
mod describe;
mod escape;
mod excerpt;
mod heading;
mod paint;
pub mod preview;
mod progress;
pub mod report;
mod runner;
mod ui;

pub use console::{Console, Form};
pub use describe::{Written, fill, findings};
pub use escape::{clip, fold, visible, width};
pub use excerpt::{Row, code_lines, excerpt};
pub use paint::{ColorChoice, Paint};
pub use progress::{Reporter, human};
pub use ui::{Spinner, Ui, Verbosity};

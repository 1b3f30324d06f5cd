//! The command line.

use std::process::ExitCode;

/// Runs the program on this process's arguments.
pub fn main() -> ExitCode {
    crate::exit::Exit::Done.into()
}

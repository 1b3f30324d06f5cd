//! `--input-format`: what a review file is, where its content does not say it.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Args, Command};
use std::ffi::OsStr;

use crate::review::{FORMATS, Format};

/// The option, for every command that reads a review file.
#[derive(Debug, Clone, Default, Args)]
pub struct InputFormat {
    /// Read the file as this format, whatever it looks like
    #[arg(long, value_name = "FORMAT", value_parser = Names)]
    pub input_format: Option<Format>,
}

/// A name of the table of formats.
///
/// # Errors
///
/// The names, where it is none.
pub fn input_format(word: &str) -> Result<Format, String> {
    let names = || FORMATS.iter().map(|spec| spec.name).collect::<Vec<_>>().join(", ");
    Format::by_name(word).ok_or_else(|| format!("expected one of {}", names()))
}

#[derive(Debug, Clone, Copy)]
struct Names;

impl TypedValueParser for Names {
    type Value = Format;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Format, clap::Error> {
        input_format.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(FORMATS.iter().map(|spec| PossibleValue::new(spec.name))))
    }
}

//! `dai schema`: the JSON Schema (2020-12) of each format, for editors and for models.

use clap::{Args, ValueEnum};

use super::Failure;
use crate::brief::Packet;
use crate::exit::Exit;
use crate::output::report::Report;
use crate::output::{Form, Ui};

#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// Which format
    #[arg(value_enum)]
    format: Published,
    /// The strict form that the structured output of models takes; of `dai` only
    #[arg(long)]
    for_model: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Published {
    /// The review file
    Dai,
    /// The leanreview review exchange, version 1
    Exchange,
    /// Orchestra's review
    Orchestra,
    /// The packet of `dai review brief`
    Brief,
    /// What --format json prints
    Report,
}

impl Published {
    pub fn schema(self) -> serde_json::Value {
        match self {
            Published::Dai => crate::review::schema(crate::review::Format::Dai),
            Published::Exchange => crate::review::schema(crate::review::Format::Exchange),
            Published::Orchestra => crate::review::schema(crate::review::Format::Orchestra),
            Published::Brief => Packet::schema(),
            Published::Report => Report::schema(),
        }
    }
}

pub fn run(args: &SchemaArgs, ui: &Ui) -> Result<Exit, Failure> {
    let schema = match (args.format, args.for_model) {
        (Published::Dai, true) => crate::review::schema_for_model(),
        (format, false) => format.schema(),
        (_, true) => {
            return Err(Failure::usage(
                "--for-model is for the format that a model is to write",
                "run: dai schema dai --for-model",
            ));
        }
    };
    ui.result(&format!("{schema:#}\n"), Form::Json).map_err(|fault| Failure::stdout(&fault))?;
    Ok(Exit::Done)
}

//! `dai review check`: a review file of any format, read and anchored without network.

mod mend;
mod report;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::file::Opened;
use super::only;
use super::target::{Named, Target};
use crate::change::git::{Network, Repo};
use crate::cli::input_format::InputFormat;
use crate::cli::{Failure, Place};
use crate::exit::Exit;
use crate::forge::Kind;
use crate::output::{Form, Ui, preview};
use crate::review::Format as Of;
use crate::settings::Env;

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
An exchange is held against the patch in it; any other file against the change from --base to --head, else \
against what an earlier `dai forge review` fetched of the request that .dai/reviews/<n>.json is named by; else \
only the file is checked, and said so.\n\
Exit codes: 0 done, 1 --strict says no, 2 usage, 3 review file, 4 git.")]
pub struct CheckArgs {
    /// The review file; `-` is stdin [default: the only one in .dai/reviews/]
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub input: InputFormat,
    /// Bring an exchange's states up to date, and give it the ids and snippets it lacks
    #[arg(long)]
    pub write: bool,
    /// Write the proposals that are sure into the file, and rename the misnamed fields that are sure
    #[arg(long)]
    pub fix: bool,
    /// Hold it against the change from this local revision
    #[arg(long, value_name = "REV", value_hint = clap::ValueHint::Other)]
    pub base: Option<String>,
    /// Hold it against the change up to this local revision [default: HEAD]
    #[arg(long, value_name = "REV", value_hint = clap::ValueHint::Other, requires = "base")]
    pub head: Option<String>,
    /// By which forge's rules
    #[arg(long, value_name = "FORGE", value_parser = crate::cli::forge::forges())]
    pub forge: Option<Kind>,
    /// Exit 1 when a finding is rejected
    #[arg(long)]
    pub strict: bool,
    /// For people or for programs
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    #[default]
    Text,
    Json,
}

/// # Errors
///
/// Exit 1 under `--strict`; 2 for what cannot be written; 3 for a file that is no review, with every
/// fault; 4 for revisions that are none.
pub fn run(args: &CheckArgs, place: &Place<'_>, env: &Env, ui: &Ui) -> Result<Exit, Failure> {
    let file = match &args.file {
        Some(file) => file.clone(),
        None => only::review(place)?,
    };
    if file == Path::new("-") && (args.write || args.fix) {
        return Err(Failure::usage("stdin cannot be written to", "name the review file"));
    }
    // What the change is taken from is asked for first, as in `dai forge review`.
    if args.base.is_some() {
        Repo::discover(place.dir, Network::Forbidden)?;
    }
    let renamed = if args.fix { Opened::rename_fields(place.dir, &file)? } else { Vec::new() };
    renamed.iter().for_each(|line| ui.note(line));
    let mut opened = Opened::read_as(place.dir, &file, args.input.input_format)?;
    if args.fix || args.write {
        opened.writable()?;
    }
    if args.write && opened.review.format != Of::Exchange {
        return Err(Failure::usage(
            "--write is for an exchange, and this is another format",
            "to take the sure proposals, use --fix",
        ));
    }
    let named = Named { file: &file, base: args.base.as_deref(), head: args.head.as_deref(), forge: args.forge };
    let target = |opened: &Opened| Target::of(&named, &opened.review, &opened.document, place, env, ui);
    let mut against = target(&opened)?;
    if args.fix || args.write {
        let mended = mend::mend(&opened, &against, args.fix, args.write)?;
        if mended.told.is_empty() && renamed.is_empty() {
            ui.note("nothing to write: the file stays as it is");
        } else if !mended.told.is_empty() {
            opened.save(&mended.text)?;
            mended.told.iter().for_each(|line| ui.note(line));
            against = target(&opened)?;
        }
    }
    let sure = mend::sure_of(&opened, &against).len();
    let checked = report::checked(opened.review, &opened.shown, &against, args.strict);
    checked.warnings.iter().for_each(|warning| ui.warn(warning));
    let (text, form) = match args.format {
        Format::Json => (checked.report.to_json(), Form::Json),
        Format::Text => (preview::render(&checked.report, &checked.extras(ui.result_columns()), ui.out), Form::Text),
    };
    ui.result(&text, form).map_err(|fault| Failure::stdout(&fault))?;
    if sure > 0 && !args.fix {
        let many = if sure == 1 { "1 proposal is".to_owned() } else { format!("{sure} proposals are") };
        ui.note(&format!("{many} sure: --fix writes what is proposed into the file"));
    }
    match checked.refusal {
        Some(refusal) => Err(refusal),
        None => Ok(Exit::Done),
    }
}

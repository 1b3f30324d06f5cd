//! `dai review bind`: the reviewed commit, written into the file.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::change::git::{Network, Repo};
use crate::cli::Failure;
use crate::cli::review::file::Opened;
use crate::exit::Exit;
use crate::output::{Ui, visible};
use crate::review::{Edits, Format, Review};

#[derive(Debug, Clone, Args)]
#[command(after_help = "Exit codes: 0 done, 2 usage, 3 review file, 4 git, 7 bound to another commit already.")]
pub struct BindArgs {
    /// The review file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The commit that was reviewed
    #[arg(long, value_name = "REV", value_hint = clap::ValueHint::Other, default_value = "HEAD")]
    pub commit: String,
}

/// # Errors
///
/// Exit 2 for an exchange and for stdin, 3 for a file that is no review or cannot be written, 4 for an
/// unknown revision, 7 for a file that is bound to another commit.
pub fn run(args: &BindArgs, dir: &Path, ui: &Ui) -> Result<Exit, Failure> {
    if args.file == Path::new("-") {
        return Err(Failure::usage("stdin cannot be bound to a commit", "name the review file"));
    }
    let commit = Repo::discover(dir, Network::Forbidden)?.resolve(&args.commit)?;
    let mut opened = Opened::read(dir, &args.file)?;
    let shown = visible(&opened.shown).into_owned();
    opened.writable()?;
    let Some(field) = field(&opened.review, &dir.join(&args.file)) else {
        return Err(Failure::usage(
            format!("{} is an exchange, which has no field for a commit", shown),
            "nothing is to be done: the patch in it says what was reviewed",
        ));
    };
    match &opened.review.head {
        Some(bound) if *bound == commit.as_str() => {
            ui.note(&format!("{} is bound to {commit} already", shown));
            return Ok(Exit::Done);
        }
        Some(bound) => {
            return Err(Failure::new(Exit::Stale, format!("{} is bound to another commit", shown))
                .cause(format!("it names {bound}, and not {commit}"))
                .help("a review is of one commit: review the other anew, or carry this one to it with --trace"));
        }
        None => {}
    }
    let mut edits = Edits::of(&opened.document);
    edits.set_first("", field, commit.as_str()).map_err(|fault| {
        Failure::new(Exit::Review, format!("cannot edit {}", shown)).cause(fault).help("report this with the file")
    })?;
    let bound = edits.apply();
    opened.save(&bound)?;
    ui.note(&format!("{} is bound to {commit}", shown));
    Ok(Exit::Done)
}

/// The format's field for the reviewed commit. A review without findings is of both formats that have
/// one, and in Orchestra's folder it is Orchestra's that is looked for.
fn field(review: &Review, file: &Path) -> Option<&'static str> {
    let in_its_folder = || {
        let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
        file.parent().and_then(Path::file_name).is_some_and(|name| name == ".orchestra")
    };
    match review.format {
        Format::Dai if review.findings.is_empty() && in_its_folder() => Some("result_sha"),
        Format::Dai => Some("head"),
        Format::Orchestra => Some("result_sha"),
        Format::Exchange | Format::Foreign(_) => None,
    }
}

//! `dai review convert`: a review file in another format, and what that one cannot hold.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::file::Opened;
use super::target::{Between, Named};
use crate::atomic::{self, Audience};
use crate::change::git::{Network, Repo};
use crate::cli::input_format::InputFormat;
use crate::cli::{Failure, Place};
use crate::exit::Exit;
use crate::forge::Kind;
use crate::output::{Form, Ui, visible};
use crate::review::exchange::{self, Exchange};
use crate::review::load::MAX_BYTES;
use crate::review::{Format, LeftOut, Review, dai, orchestra};
use crate::settings::Env;

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
An exchange embeds the change's diff: between --base and --head, else what an earlier `dai forge review` fetched \
of the request that .dai/reviews/<n>.json is named by. It has no severity; a finding's severity and confidence \
go into the comment's author (`dai: high, confidence 0.9`), and come back from there.\n\
Exit codes: 0 done, 1 --strict says no, 2 usage, 3 review file, 4 git.")]
pub struct ConvertArgs {
    /// The review file; `-` is stdin
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[command(flatten)]
    pub input: InputFormat,
    /// The format to write
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: To,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// For an exchange: embed the change from this local revision
    #[arg(long, value_name = "REV", value_hint = clap::ValueHint::Other)]
    pub base: Option<String>,
    /// For an exchange: embed the change up to this local revision [default: HEAD]
    #[arg(long, value_name = "REV", value_hint = clap::ValueHint::Other, requires = "base")]
    pub head: Option<String>,
    /// By which forge's rules renames are paired
    #[arg(long, value_name = "FORGE", value_parser = crate::cli::forge::forges())]
    pub forge: Option<Kind>,
    /// Exit 1 when something is left out
    #[arg(long)]
    pub strict: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum To {
    /// The review file of `dai`
    Dai,
    /// A leanreview review exchange, version 1
    Exchange,
    /// An Orchestra review
    Orchestra,
}

/// # Errors
///
/// Exit 1 under `--strict`, the result being written all the same; 2 where an exchange has no change to
/// embed; 3 for a file that is no review, or a result that cannot be written; 4 for revisions that are none.
pub fn run(args: &ConvertArgs, place: &Place<'_>, env: &Env, ui: &Ui) -> Result<Exit, Failure> {
    if args.base.is_some() {
        Repo::discover(place.dir, Network::Forbidden)?;
    }
    let opened = Opened::read_as(place.dir, &args.file, args.input.input_format)?;
    opened.review.warnings.iter().for_each(|warning| ui.warn(warning));
    let mut source = match opened.review.format {
        Format::Exchange => exchange::read(&opened.document).ok().map(|(exchange, _)| exchange),
        Format::Dai | Format::Orchestra | Format::Foreign(_) => None,
    };
    if let (To::Dai, Some(exchange)) = (args.to, &mut source) {
        // The numbers count in the patch, which stays behind: its lines go along, and tell a number that
        // holds no more.
        exchange.quote();
    }
    let (review, mut left_out) = match &source {
        Some(exchange) => exchange::graded(exchange),
        None => (opened.review, Vec::new()),
    };
    let (text, lost) = match (args.to, source) {
        (To::Dai, _) => dai::write(&review),
        (To::Orchestra, _) => orchestra::write(&review),
        (To::Exchange, Some(exchange)) => {
            // The same format holds all of it.
            left_out.clear();
            (written(exchange), Vec::new())
        }
        (To::Exchange, None) => embedding(args, &review, place, env, ui)?,
    };
    left_out.extend(lost);
    if text.len() > MAX_BYTES {
        return Err(Failure::new(
            Exit::Review,
            format!("the result is larger than {} MiB, the limit of a review file", MAX_BYTES >> 20),
        )
        .help("a change of this size does not fit into an exchange: name a smaller one with --base and --head"));
    }
    match &args.output {
        None => ui.result(&text, Form::Document).map_err(|fault| Failure::stdout(&fault))?,
        Some(path) => {
            atomic::write(&place.dir.join(path), text.as_bytes(), Audience::Everyone).map_err(|fault| {
                Failure::new(Exit::Review, format!("cannot write {}", path.display()))
                    .cause(fault)
                    .help("see whether the file and its folder can be written")
            })?;
            ui.note(&format!("wrote {}", visible(&path.display().to_string())));
        }
    }
    left_out.iter().for_each(|lost: &LeftOut| ui.note(&format!("left out: {lost}")));
    if args.strict && !left_out.is_empty() {
        let many =
            if left_out.len() == 1 { "1 thing was".to_owned() } else { format!("{} things were", left_out.len()) };
        return Err(Failure::new(Exit::Gate, format!("{many} left out (--strict)"))
            .help("the result is written as far as the format holds it; what it lacks is named above"));
    }
    Ok(Exit::Done)
}

/// As the format is written: with the ids and the snippets that were missing. What is stale waits for
/// `check --write`, and is not revived on the way.
fn written(mut exchange: Exchange) -> String {
    exchange.complete();
    exchange.write()
}

fn embedding(
    args: &ConvertArgs,
    review: &Review,
    place: &Place<'_>,
    env: &Env,
    ui: &Ui,
) -> Result<(String, Vec<LeftOut>), Failure> {
    let named = Named { file: &args.file, base: args.base.as_deref(), head: args.head.as_deref(), forge: args.forge };
    let between = Between::find(&named, place, env, ui)?.map_err(|why| {
        Failure::usage("an exchange embeds the change's diff, and no change is named", "add --base REV --head REV")
            .cause(why)
    })?;
    between.warnings.iter().for_each(|warning| ui.warn(warning));
    let (diff, told) = between.repo.unified(&between.commits, between.kind.rename_threshold())?;
    told.iter().for_each(|warning| ui.warn(warning));
    if diff.is_empty() {
        return Err(Failure::usage(
            "an exchange embeds the change's diff, and there is no change between the two commits",
            "name a base and a head that differ: --base REV --head REV",
        ));
    }
    let (exchange, left_out) = exchange::from_review(review, &String::from_utf8_lossy(&diff));
    Ok((written(exchange), left_out))
}

//! `dai review verdict`: whether a blocking finding stands, and what the review is bound to.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;

use super::file::Opened;
use crate::change::CommitId;
use crate::change::git::{Network, Repo};
use crate::cli::Failure;
use crate::cli::input_format::InputFormat;
use crate::exit::Exit;
use crate::output::{Form, Ui, clip, visible};
use crate::review::{Finding, Format, Review, State};
use crate::text::first_line;

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Blocking are findings of high and medium severity that are not dismissed; in an exchange, which has no \
severities, every active comment.\n\
Exit codes: 0 accepted, 1 blocked, 3 review file, 4 git, 7 bound to another commit or to none.")]
pub struct VerdictArgs {
    /// The review file; `-` is stdin
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[command(flatten)]
    pub input: InputFormat,
    /// Only a review of this commit counts
    #[arg(long, value_name = "REV", value_hint = clap::ValueHint::Other)]
    pub commit: Option<String>,
}

/// # Errors
///
/// Exit 3 for a file that is no review, 4 for an unknown revision, 7 for a review that `--commit` is not
/// the commit of.
pub fn run(args: &VerdictArgs, dir: &Path, ui: &Ui) -> Result<Exit, Failure> {
    let wanted = args.commit.as_deref().map(|rev| commit(dir, rev)).transpose()?;
    let opened = Opened::read_as(dir, &args.file, args.input.input_format)?;
    for warning in &opened.review.warnings {
        ui.warn(warning);
    }
    if let Some(wanted) = wanted {
        is_of(&opened, &wanted)?;
    }
    ui.result(&told(&opened.review), Form::Text).map_err(|fault| Failure::stdout(&fault))?;
    Ok(if opened.review.blocking().next().is_none() { Exit::Done } else { Exit::Gate })
}

/// A full id says itself what it is; everything else is the repository's to tell.
fn commit(dir: &Path, rev: &str) -> Result<CommitId, Failure> {
    match CommitId::parse(rev) {
        Some(id) => Ok(id),
        None => Ok(Repo::discover(dir, Network::Forbidden)?.resolve(rev)?),
    }
}

fn is_of(opened: &Opened, wanted: &CommitId) -> Result<(), Failure> {
    let shown = visible(&opened.shown);
    let file = if opened.is_stdin() { "FILE" } else { &*shown };
    let refused = |what: String| Err(Failure::new(Exit::Stale, what));
    match (&opened.review.head, opened.review.format) {
        (Some(bound), _) if bound == wanted.as_str() => Ok(()),
        (Some(bound), _) => refused(format!("{shown} is bound to {bound}, not to {wanted}"))
            .map_err(|failure| failure.help("review that commit anew")),
        (None, Format::Exchange) => {
            refused(format!("{shown} is bound to no commit: an exchange has no field for one, only its patch")).map_err(
                |failure| failure.help(format!("`dai review convert {file} --to dai` gives a file that can be bound")),
            )
        }
        (None, Format::Dai | Format::Orchestra | Format::Foreign(_)) => {
            refused(format!("{shown} is bound to no commit, so it is no verdict on {wanted}")).map_err(|failure| {
                failure.help(format!("if it is of that one: dai review bind {file} --commit {wanted}"))
            })
        }
    }
}

/// The whole answer, for people.
fn told(review: &Review) -> String {
    let blocking: Vec<&Finding> = review.blocking().collect();
    let (noun, all) = (noun(review.format), review.findings.len());
    let mut out = match (blocking.len(), all) {
        (0, 0) => format!("accepted: there is no {noun}\n"),
        (0, 1) => format!("accepted: the only {noun} does not block\n"),
        (0, _) => format!("accepted: none of {all} {noun}s blocks\n"),
        (1, 1) => format!("blocked: the only {noun} blocks\n"),
        (1, _) => format!("blocked: 1 of {all} {noun}s blocks\n"),
        (some, _) => format!("blocked: {some} of {all} {noun}s block\n"),
    };
    for finding in blocking {
        // Writing into a string cannot fail.
        let _ = writeln!(out, "  {}", row(finding));
    }
    let dismissed = review.findings.iter().filter(|finding| finding.state == State::Dismissed).count();
    if dismissed > 0 {
        let _ = writeln!(out, "{dismissed} dismissed, which does not count");
    }
    if review.format == Format::Exchange {
        out.push_str("an exchange has no severities: every active comment blocks\n");
        let of = |state: State| review.findings.iter().filter(|finding| finding.state == state).count();
        let waiting = [State::Orphaned, State::Stale].map(|state| (of(state), state.as_str()));
        let waiting = waiting.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}"));
        let waiting = waiting.collect::<Vec<_>>().join(" and ");
        if !waiting.is_empty() {
            let _ = writeln!(out, "{waiting}, which is not active and does not block: `dai review check` tells why");
        }
    }
    out.push_str(&match (&review.head, review.format) {
        (Some(head), _) => format!("bound to {head}\n"),
        (None, Format::Exchange) => "bound to no commit: an exchange has no field for one, only its patch\n".to_owned(),
        (None, _) => {
            "bound to no commit: `dai review bind` writes the one that was reviewed into the file\n".to_owned()
        }
    });
    out
}

fn noun(format: Format) -> &'static str {
    if format == Format::Exchange { "comment" } else { "finding" }
}

fn row(finding: &Finding) -> String {
    let severity = finding.severity.map_or("", |severity| severity.as_str());
    let place = match finding.place {
        Some(place) => format!("{}:{} {}", finding.path, place.range, place.side),
        None => finding.path.clone(),
    };
    let state = match finding.state {
        State::Active | State::Dismissed => String::new(),
        state => format!(" ({})", state.as_str()),
    };
    let text = visible(first_line(&finding.body)).into_owned();
    format!("{severity:<6} {}{state}  {}", visible(&place), clip(&text, 90)).trim_start().to_owned()
}

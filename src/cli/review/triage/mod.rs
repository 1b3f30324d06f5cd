//! `dai review triage`: one finding after another, asked at a terminal; the file stays the gate.

mod editor;
mod ground;
mod question;
mod sheet;

use std::path::PathBuf;

use clap::Args;

use super::file::Opened;
use crate::cli::{Failure, Place};
use crate::exit::Exit;
use crate::output::{Paint, Ui, visible};
use crate::review::{Answer, Look, State, answered};
use crate::settings::Env;

use ground::Ground;
use question::{Said, Whole};

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Every answer is written into the file at once, and only the bytes of what it changes. The code around a \
finding is the change's: between --base and --head, else what an earlier `dai forge review` fetched of the \
request whose number the file is named by; of an exchange its own patch. $VISUAL or $EDITOR edits a text.\n\
Exit codes: 0 done, 2 usage or no terminal, 3 review file, 4 git, 130 interrupted.")]
pub struct TriageArgs {
    /// The review file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Show the code of the change from this local revision
    #[arg(long, value_name = "REV", value_hint = clap::ValueHint::Other)]
    pub base: Option<String>,
    /// Show the code of the change up to this local revision [default: HEAD]
    #[arg(long, value_name = "REV", requires = "base")]
    pub head: Option<String>,
}

/// What came of the questions.
#[derive(Debug, Default)]
struct Tally {
    kept: usize,
    dismissed: usize,
    /// Dismissed before: not asked about.
    passed: usize,
    changed: usize,
}

/// # Errors
///
/// Exit 2 where nobody can be asked; 3 for a file that is no review, or that changes under the questions;
/// 4 for revisions that are none; 130 at Ctrl-C. What was answered before is in the file.
pub fn run(args: &TriageArgs, place: &Place<'_>, env: &Env, ui: &Ui) -> Result<Exit, Failure> {
    if args.file.as_os_str() == "-" || !ui.can_ask() {
        return Err(by_hand(args));
    }
    let mut opened = Opened::read(place.dir, &args.file)?;
    opened.writable()?;
    for warning in &opened.review.warnings {
        ui.warn(warning);
    }
    let ground = Ground::of(args, &opened.review, &opened.document, place, env, ui)?;
    let format = opened.review.format;
    if !format.has_dismissal() {
        ui.note(
            "Orchestra's format has on purpose no word for a dismissed finding; to dismiss some, triage what \
             `dai review convert FILE --to dai -o OTHER` writes",
        );
    }
    let mut tally = Tally::default();
    let mut at = 0;
    let ended = loop {
        if at == opened.review.findings.len() {
            break Ok(());
        }
        if opened.review.findings[at].state == State::Dismissed {
            tally.passed += 1;
            at += 1;
            continue;
        }
        match one(&mut opened, at, &ground, env, ui, &mut tally) {
            Ok(Whole::Next) => at += 1,
            Ok(Whole::Again) => {}
            Ok(Whole::Quit) => break Ok(()),
            Err(failure) => break Err(failure),
        }
    };
    tell(&tally, &opened, ui);
    ended.map(|()| Exit::Done)
}

/// One finding, one answer.
fn one(
    opened: &mut Opened,
    at: usize,
    ground: &Ground,
    env: &Env,
    ui: &Ui,
    tally: &mut Tally,
) -> Result<Whole, Failure> {
    let finding = opened.review.findings[at].clone();
    let look = ground.look(&finding);
    ui.err_block(&sheet::sheet(&finding, opened.review.findings.len(), &look, ui.err));
    let format = opened.review.format;
    let edited;
    let (answer, whole) = match question::ask(format, look.proposal.is_some(), ui)? {
        Said::Keep => {
            tally.kept += 1;
            return Ok(Whole::Next);
        }
        Said::Quit => return Ok(Whole::Quit),
        Said::Dismiss => (Answer::Dismiss, Whole::Next),
        Said::Severity => match question::severity()? {
            Some(severity) => (Answer::Severity(severity), Whole::Again),
            None => return Ok(Whole::Again),
        },
        Said::Edit => match editor::edit(&finding.body, env) {
            Ok(Some(text)) => {
                edited = text;
                (Answer::Text(&edited), Whole::Again)
            }
            Ok(None) => {
                ui.note("the text is as it was");
                return Ok(Whole::Again);
            }
            Err(fault) => {
                ui.note(&format!("the editor failed, and the text is as it was: {fault}"));
                return Ok(Whole::Again);
            }
        },
        Said::Accept => match &look.proposal {
            Some(proposal) => (Answer::Move { path: &proposal.path, place: proposal.place }, Whole::Again),
            None => return Ok(Whole::Again),
        },
    };
    let text = match answered(&opened.document, format, &finding, answer) {
        Ok(edits) if edits.is_empty() => return Ok(whole),
        Ok(edits) => edits.apply(),
        Err(unheld) => {
            ui.note(&format!("not saved: {unheld}"));
            return Ok(Whole::Again);
        }
    };
    match opened.save(&text) {
        // The answer would make the file invalid: the person is told why, and asked again.
        Err(Failure { review: Some(error), .. }) => {
            ui.err_block(&error.render(Look { colour: ui.err == Paint::Colour, width: ui.width() }));
            ui.note("not saved: the file is as it was");
            Ok(Whole::Again)
        }
        Err(failure) => Err(failure),
        Ok(()) => {
            match answer {
                Answer::Dismiss => tally.dismissed += 1,
                _ => tally.changed += 1,
            }
            ui.note("saved");
            Ok(whole)
        }
    }
}

fn tell(tally: &Tally, opened: &Opened, ui: &Ui) {
    let count = |count: usize, what: &str| (count > 0).then(|| format!("{count} {what}"));
    let told: Vec<String> = [
        count(tally.kept, "kept"),
        count(tally.dismissed, "dismissed"),
        count(tally.changed, if tally.changed == 1 { "change" } else { "changes" }),
        count(tally.passed, "dismissed before, not asked about (their \"state\" is the way back)"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let told = if told.is_empty() { "nothing was answered".to_owned() } else { told.join(", ") };
    ui.note(&format!("{}: {told}", visible(&opened.shown)));
}

/// Where nobody can be asked: how it is done without questions.
fn by_hand(args: &TriageArgs) -> Failure {
    let name = args.file.display().to_string();
    let file = if name == "-" { "FILE" } else { &name };
    Failure::usage(
        "triage asks one question after another, and there is no terminal to ask at",
        format!("by hand: \"state\": \"dismissed\" in {file} keeps a finding from being posted; \"severity\", \"body\" and \"line\" are what they say"),
    )
    .help(format!("Orchestra's format has no dismissal: `dai review convert {file} --to dai -o OTHER` gives a file that has"))
    .help(format!("`dai review check {file}` then tells what does not hold"))
}

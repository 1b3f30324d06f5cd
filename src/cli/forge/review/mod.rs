//! `dai forge review`: read the review file, take the change, anchor, filter, show; post with `--yes`.

mod assess;
mod command;
mod existing;
mod file;
mod journey;
mod lock;
mod post;
mod recall;
mod receipt;
mod show;
mod stage;
mod summary;

use std::path::Path;

pub use assess::named;
pub use journey::by_patch;

use super::args::ReviewArgs;
use super::run::Run;
use super::scene::{self, RequestPlace, Scene};
use super::session::Session;
use super::{subject, which};
use crate::change::CommitId;
use crate::change::git::NamedBy;
use crate::cli::{Failure, Place};
use crate::exit::Exit;
use crate::forge::Reference;
use crate::output::Ui;
use crate::review::Format;
use crate::settings::Env;
use crate::warning::{Code, Warning};

use assess::Postable;
use file::ReviewFile;
use stage::Stage;

/// Runs the command.
pub fn run(typed: &ReviewArgs, place: &Place<'_>, env: &Env, ui: &Ui) -> Result<Exit, Failure> {
    let mut run = subject::run("dai forge review", typed, place, env, ui)?;
    let mut warnings = run.told.clone();
    let (file, (scene, told)) = match (run.args.base.clone(), run.args.head.clone()) {
        (Some(base), Some(head)) => {
            let file = read_file(&run, run.reference.as_ref().map(Reference::number))?;
            (file, scene::local(&run, &base, &head)?)
        }
        (Some(base), None) => {
            let (request, file) = without_api(&run)?;
            (file, scene::fetched(&mut run, request, &base)?)
        }
        _ if run.args.offline => {
            let (request, file) = without_api(&run)?;
            (file, scene::kept(&run, request)?)
        }
        _ => return online(run, warnings),
    };
    file.check_against(&run.repo, &scene.commits)?;
    warnings.extend(told);
    bound(&mut run, scene, file, warnings)
}

/// The preview that `dai demo` ends with.
pub fn preview_demo(dir: &Path, env: &Env, ui: &Ui) -> Result<Exit, Failure> {
    let args = ReviewArgs {
        base: Some("main".to_owned()),
        head: Some("coupon".to_owned()),
        from: Some(".dai/reviews/1.json".into()),
        min_severity: Some(crate::review::Severity::Medium),
        ..ReviewArgs::default()
    };
    // What a person set for their own reviews would refuse the demo, or show another one.
    run(&args, &Place { dir, named_by: NamedBy::Folder, typed: &[] }, &env.without_settings(), ui)
}

fn read_file(run: &Run<'_>, number: Option<u64>) -> Result<ReviewFile, Failure> {
    let mut file = file::read(run.args.from.as_deref(), run.args.input.input_format, run.dir, &run.repo, number)?;
    if file.review.replace_texts(|text| run.secrets.redact_content(text)) {
        let message = "the review holds a token of this run, which is shown and posted as [redacted]";
        file.review.warnings.push(Warning::run(Code::Redacted, message));
    }
    // An exchange names no commit: it brings the patch that it was written for.
    if run.args.trace && file.review.head.is_none() && file.review.format != Format::Exchange {
        return Err(Failure::usage(
            "--trace needs to know which commit was reviewed, and the file names none",
            "write it into the file with `dai review bind FILE --commit REV`",
        ));
    }
    Ok(file)
}

/// The request's address and the file, where no API is asked.
fn without_api(run: &Run<'_>) -> Result<(RequestPlace, ReviewFile), Failure> {
    let request = subject::request(run)?;
    let file = read_file(run, Some(request.number))?;
    Ok((request, file))
}

fn online(mut run: Run<'_>, mut warnings: Vec<Warning>) -> Result<Exit, Failure> {
    let (site, number) = which::site(&run)?;
    // A file that is named, or that REF names, is looked at before anything is asked of a network.
    let early = match number {
        Some(_) => Some(read_file(&run, number)?),
        None => None,
    };
    let session = Session::open(&site, &run.settings, run.secrets.clone(), run.ui)?;
    if let Some(absence) = session.absence().filter(|_| run.args.yes.is_given()) {
        return Err(absence.clone().into());
    }
    let number = match number {
        Some(number) => number,
        None => which::of_branch(&run, &site, &session)?,
    };
    let file = match early {
        Some(file) => file,
        None => read_file(&run, Some(number))?,
    };
    let lock = match run.args.yes.is_given() {
        true => {
            let patience = lock::PATIENCE.mul_f64(session.pace.scale);
            Some(lock::acquire(run.repo.common_dir(), patience, run.ui, || session.interrupted())?)
        }
        false => None,
    };
    let (scene, told) = scene::online(&mut run, RequestPlace { site, number }, session)?;
    file.check_against(&run.repo, &scene.commits)?;
    warnings.extend(told);
    let ended = bound(&mut run, scene, file, warnings);
    drop(lock);
    ended
}

/// Whether the file is of the request's head, and what follows where it is not.
fn bound(run: &mut Run<'_>, scene: Scene, mut file: ReviewFile, mut warnings: Vec<Warning>) -> Result<Exit, Failure> {
    let head = &scene.commits.head;
    scene::expected_head(run.args.expect_head.as_ref(), head, file.review.head.as_deref())?;
    let reviewed = match file.review.head.clone() {
        Some(reviewed) if reviewed != head.as_str() => reviewed,
        of_head => {
            // An exchange is bound by its patch: every line of it is held against the change.
            if of_head.is_none() && scene.request.is_some() && file.review.format != Format::Exchange {
                warnings.push(Warning::run(Code::Unbound, "the review names no commit that it is of (`head`)"));
            }
            return Stage { run, scene, file, warnings }.go();
        }
    };
    // Between local revisions the lines are shown as written where the reviewed commit is not at hand.
    let at_hand = CommitId::parse(&reviewed).is_some_and(|commit| run.repo.has_commit(&commit));
    if scene.request.is_none() && !run.args.trace && !at_hand {
        return Stage { run, scene, file, warnings }.go();
    }
    let (old, new) = (reviewed[..reviewed.len().min(10)].to_owned(), head.short().to_owned());
    if run.args.yes.is_given() && !run.args.trace {
        let refusal =
            Failure::new(Exit::Stale, format!("the review is of {old}, and the head is {new}; nothing was posted"))
                .help(
                    "look at the preview, then add --trace to carry each finding to the head, or review the head anew",
                );
        return Stage { run, scene, file, warnings }.refuse(refusal);
    }
    let carried = journey::carry(run, &scene, &mut file.review, &reviewed);
    scene.interrupted()?;
    (file.written, file.reviewed) = carried?;
    if run.args.trace {
        return Stage { run, scene, file, warnings }.go();
    }
    let message =
        format!("the review is of {old}, and the head is {new}: shown as --trace carries it; a post needs --trace");
    warnings.push(Warning::run(Code::HeadMoved, message));
    Stage { run, scene, file, warnings }.preview(Postable::No)
}

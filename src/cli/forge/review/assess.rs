//! From a scene and a review to a plan: the hunks of the named files, the forge's own patch, what
//! stands already.

use std::collections::{BTreeSet, HashMap};

use super::existing;
use super::file::ReviewFile;
use super::journey;
use super::recall::{Recall, Waited};
use super::summary::{self, Draft};
use crate::anchor::Relocate;
use crate::change::Change;
use crate::change::patch::Patch;
use crate::cli::Failure;
use crate::cli::forge::run::Run;
use crate::cli::forge::scene::{RequestPlace, Scene, not_compared};
use crate::cli::forge::session::Session;
use crate::forge::{Kind, RawPatch, hunks_of};
use crate::gate::{self, Again, CrossCheck, ForgeFile, Identity, Options, Plan, Standing};
use crate::review::{Finding, Review, candidates};
use crate::warning::{Code, Warning};

/// A plan with everything it was made from.
pub struct Assessment {
    pub change: Change,
    pub plan: Plan,
    pub standing: Standing,
    /// The summary as the plan stands now.
    pub draft: Draft,
    pub warnings: Vec<Warning>,
}

/// Whether a digest may be given: only for what could be posted as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Postable {
    Yes,
    /// Local revisions, offline, or a head that has moved.
    No,
}

pub fn assess(
    run: &mut Run<'_>,
    scene: &Scene,
    file: &mut ReviewFile,
    postable: Postable,
) -> Result<Assessment, Failure> {
    let named = named(&file.review, file.patch.as_ref());
    let spinner = run.ui.spinner("reading the change");
    let read = run.repo.change(&scene.commits, &named, scene.kind.rename_threshold());
    drop(spinner);
    scene.interrupted()?;
    let (change, mut warnings) = read?;
    let lost = match &file.patch {
        Some(patch) => journey::by_patch(patch, &change, &mut file.review, &mut file.written),
        None => HashMap::new(),
    };
    let review = &file.review;
    let options = Options {
        min_severity: run.args.min_severity,
        min_confidence: run.args.min_confidence,
        max_comments: run.args.max_comments,
        relocate: if run.args.relocate { Relocate::Sure } else { Relocate::Never },
        review: file.id(),
    };
    let (cross_check, mut standing) = ask(run, scene, &change, &mut warnings)?;
    existing::locate(run, scene, file, &change, &mut standing)?;
    warnings.extend(standing.warnings.iter().cloned());
    let mut plan = gate::plan_carried(review, &change, &options, &cross_check, scene.kind, &lost);
    if let (Postable::Yes, Some(place)) = (postable, &scene.place) {
        let identity = Identity {
            kind: scene.kind,
            host: place.host(),
            project: place.site.project.clone(),
            number: place.number,
            head: scene.commits.head.clone(),
            merge_base: scene.commits.merge_base.clone(),
            again: again(run),
            review: file.id(),
        };
        // Over the text as it would be with nothing there, so that a rerun has the first run's digest.
        let summary = summary::draft(review, &plan, scene.kind);
        plan.seal(&identity, &summary.body.text);
    }
    warnings.extend(unshown(&cross_check, &plan, scene.kind));
    plan.stand(&standing, again(run));
    warnings.extend(gate::other_reviews(&plan, &standing));
    let draft = summary::draft(review, &plan, scene.kind);
    if draft.cut > 0 {
        let message =
            format!("the summary is cut to {}'s limit: {} entries are counted, not listed", scene.kind, draft.cut);
        warnings.push(Warning::run(Code::Cut, message));
    }
    Ok(Assessment { change, plan, standing, draft, warnings })
}

pub fn again(run: &Run<'_>) -> Again {
    if run.args.again { Again::Yes } else { Again::No }
}

/// Every spelling of every path that a finding at a line has, and both names of its file in the patch
/// that it was written for.
pub fn named(review: &Review, patch: Option<&Patch>) -> BTreeSet<String> {
    let in_patch = |finding: &Finding| {
        let file = patch.and_then(|patch| patch.file(finding.place?.side, &finding.path));
        let names = file.into_iter().flat_map(|file| [&file.old_path, &file.new_path]).flatten();
        names.filter_map(|name| name.utf8().map(str::to_owned)).collect::<Vec<_>>()
    };
    let at_lines = review.findings.iter().filter(|finding| finding.place.is_some());
    paths(&review.findings).chain(at_lines.flat_map(in_patch)).collect()
}

/// Every spelling of every path that a finding at a line has.
pub fn paths(findings: &[Finding]) -> impl Iterator<Item = String> {
    findings.iter().filter(|finding| finding.place.is_some()).flat_map(|finding| candidates(&finding.path))
}

/// The reads that preview and post share. A preview goes on without them, and says so once.
fn ask(
    run: &Run<'_>,
    scene: &Scene,
    change: &Change,
    warnings: &mut Vec<Warning>,
) -> Result<(CrossCheck, Standing), Failure> {
    let (Some(session), Some(place)) = (&scene.session, &scene.place) else {
        return Ok((CrossCheck::NotCompared, Standing::default()));
    };
    let mut unread = Vec::from_iter(scene.unread_merge_base());
    let paths: BTreeSet<String> = change.deltas().iter().map(|delta| delta.path().to_owned()).collect();
    let cross_check = if paths.is_empty() {
        CrossCheck::NotCompared
    } else {
        let patches = session.wait("reading the forge's own patch", session.forge.patches(place.number, &paths));
        match patches {
            Ok(patches) => {
                let files = patches.into_iter().map(|(path, file)| (path, forge_file(scene.kind, &file)));
                CrossCheck::Files(files.collect::<HashMap<_, _>>())
            }
            Err(failure) if run.args.yes.is_given() || failure.is_interrupt() => return Err(failure),
            Err(failure) => {
                unread.push(format!("the places with {}'s own patch ({})", scene.kind, failure.message));
                CrossCheck::NotCompared
            }
        }
    };
    let standing = match session.absence() {
        None => match read_patiently(run, session, place) {
            Ok(standing) => standing,
            Err(failure) if run.args.yes.is_given() || failure.is_interrupt() => return Err(failure),
            Err(failure) => {
                unread.push(format!("what stands there already ({})", failure.message));
                Standing::default()
            }
        },
        Some(absence) => {
            unread.push(format!("what stands there already ({absence})"));
            Standing::default()
        }
    };
    warnings.extend(not_compared(&unread));
    Ok((cross_check, standing))
}

/// Reads what is there, and what was there. A post waits for what an earlier run sent and the lists lack.
fn read_patiently(run: &Run<'_>, session: &Session, place: &RequestPlace) -> Result<Standing, Failure> {
    let read = || session.wait("reading what is there already", session.forge.standing(place.number));
    let mut standing = read()?;
    let recall = Recall::read(&run.repo, place);
    let mut waited = Waited::No;
    if run.args.yes.is_given() {
        let mut pauses = recall.pauses();
        waited = Waited::Enough;
        while recall.lacks(&standing)
            && let Some(pause) = pauses.next()
        {
            if !session.wait("waiting for what an earlier run sent", session.forge.pause(pause))? {
                waited = Waited::No;
                break;
            }
            standing = read()?;
        }
    }
    standing.deleted = recall.deleted(&standing, waited);
    Ok(standing)
}

/// What is said of each place that the forge has shown no diff for, and that is posted by git's alone.
fn unshown(cross_check: &CrossCheck, plan: &Plan, kind: Kind) -> Vec<Warning> {
    let CrossCheck::Files(files) = cross_check else { return Vec::new() };
    let places = plan.order.iter().filter_map(|at| Some((*at, plan.items[*at].spot.as_ref()?.path.as_str())));
    let places = places.filter(|(_, path)| files.get(*path) == Some(&ForgeFile::Unshown));
    let said = places.map(|(at, path)| {
        let message = format!("{kind} does not show the diff of {path} (perhaps it is collapsed): not compared");
        Warning::finding(Code::NotCompared, at, message)
    });
    said.collect()
}

fn forge_file(kind: Kind, raw: &RawPatch) -> ForgeFile {
    match raw {
        RawPatch::Text(text) => {
            let hunks = hunks_of(text);
            // GitLab sends an empty text for a file that it shows without one.
            if hunks.is_empty() && kind == Kind::GitLab { ForgeFile::NoPatch } else { ForgeFile::Hunks(hunks) }
        }
        RawPatch::Absent => ForgeFile::NoPatch,
        RawPatch::TooLarge => ForgeFile::TooLarge,
        RawPatch::Collapsed => ForgeFile::Collapsed,
        RawPatch::Unshown => ForgeFile::Unshown,
        RawPatch::BeyondList => ForgeFile::BeyondList,
    }
}

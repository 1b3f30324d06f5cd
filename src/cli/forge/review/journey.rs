//! A review of another state of the change: its findings are carried to the head along the commits
//! between, or by the patch that an exchange brings.

use std::collections::{BTreeSet, HashMap};

use super::assess;
use super::file::Reviewed;
use crate::anchor::Rejection;
use crate::anchor::carry::{Carried as ByPatch, Carrier};
use crate::anchor::trace::{Carried, Journey, carry as carry_finding, old_name};
use crate::change::git::{Slot, Want};
use crate::change::patch::Patch;
use crate::change::{Change, CommitId, Commits};
use crate::cli::Failure;
use crate::cli::forge::run::Run;
use crate::cli::forge::scene::{Scene, base_of};
use crate::exit::Exit;
use crate::output::Written;
use crate::review::{Format, Review, Side, State};

/// Moves every finding of the review to where its lines stand at the head, and tells where they stood and in what.
///
/// # Errors
///
/// Exit 4: the reviewed commit cannot be had, or for findings on LEFT its merge base with the base.
pub fn carry(
    run: &mut Run<'_>,
    scene: &Scene,
    review: &mut Review,
    reviewed: &str,
) -> Result<(Written, Option<Reviewed>), Failure> {
    // An exchange brings the patch that it was written for, and is carried by that.
    if review.format == Format::Exchange {
        return Ok((Written::default(), None));
    }
    let mut named = assess::named(review, None);
    let reviewed = CommitId::parse(reviewed)
        .ok_or_else(|| Failure::new(Exit::Git, format!("{reviewed} is no commit")).help("give its full id"))?;
    let on_left = review.findings.iter().any(|f| f.place.is_some_and(|place| place.side == Side::Left));
    let base = if on_left { base(run, scene)? } else { None };
    fetch(run, scene, &reviewed)?;
    let right = between(run, scene, &reviewed, &scene.commits.head, &named)?;
    let old_base = if on_left { Some(old_base(run, scene, base.as_ref(), &reviewed)?) } else { None };
    let (own, left) = match &old_base {
        Some(old_base) => {
            let own = between(run, scene, old_base, &reviewed, &named)?;
            named.extend(own.deltas().iter().filter_map(|delta| delta.old_path().map(str::to_owned)));
            (own, between(run, scene, old_base, &scene.commits.merge_base, &named)?)
        }
        None => {
            let nothing = between(run, scene, &reviewed, &reviewed, &BTreeSet::new())?;
            (nothing.clone(), nothing)
        }
    };
    let journey = Journey { right: &right, left: &left };
    let mut written = Written::default();
    for finding in &mut review.findings {
        let as_written = finding.place.map(|place| (finding.path.clone(), place));
        if let Some(old_name) = old_name(finding, &own) {
            finding.path = old_name;
        }
        match carry_finding(finding, &journey) {
            Carried::Same => {}
            Carried::Moved { path, place } => (finding.path, finding.place) = (path, Some(place)),
            Carried::Stale => {
                if finding.state == State::Active {
                    finding.state = State::Stale;
                }
            }
        }
        let carried = finding.place.map(|place| (finding.path.clone(), place));
        if carried != as_written {
            written.extend(as_written.map(|as_written| (finding.index, as_written)));
        }
    }
    Ok((written, Some(Reviewed { commit: reviewed, merge_base: old_base })))
}

/// Moves the findings of an exchange from its patch to the change, tells where they stood, and gives
/// those that have no sure place there, by index.
pub fn by_patch(
    patch: &Patch,
    change: &Change,
    review: &mut Review,
    written: &mut Written,
) -> HashMap<usize, Rejection> {
    let patch = patch.change();
    let carrier = Carrier::new(&patch, change);
    let mut lost = HashMap::new();
    for finding in &mut review.findings {
        match carrier.carry(finding) {
            ByPatch::Exact => {}
            ByPatch::Moved { path, place } => {
                let (old_path, old_place) = (std::mem::replace(&mut finding.path, path), finding.place.replace(place));
                written.extend(old_place.map(|old_place| (finding.index, (old_path, old_place))));
            }
            ByPatch::Ambiguous(rejection) | ByPatch::Gone(rejection) | ByPatch::Nowhere(rejection) => {
                lost.insert(finding.index, rejection);
            }
        }
    }
    lost
}

fn fetch(run: &mut Run<'_>, scene: &Scene, commit: &CommitId) -> Result<(), Failure> {
    let Some(place) = &scene.place else {
        if run.repo.has_commit(commit) {
            return Ok(());
        }
        return Err(Failure::new(Exit::Git, format!("the reviewed commit {commit} is not here")).help("fetch it first"));
    };
    let want = Want::Commit { id: commit.clone(), or_ref: None };
    run.repo.fetch(&place.site.remote, &want, &place.refs(), Slot::Reviewed)?;
    Ok(())
}

/// The base as it is now: the reviewed commit may have had more of it in it than the head has, and then
/// the merge base of today is older than that of the review. `None` where no forge was asked.
pub fn base(run: &mut Run<'_>, scene: &Scene) -> Result<Option<CommitId>, Failure> {
    let (Some(place), Some(request)) = (&scene.place, &scene.request) else { return Ok(None) };
    let spinner = run.ui.spinner("fetching the base");
    let want = base_of(request);
    let base = run.repo.fetch(&place.site.remote, &want, &place.refs(), Slot::Reviewed)?;
    drop(spinner);
    Ok(Some(base))
}

/// The merge base that the reviewed commit had: LEFT numbers are of its image.
fn old_base(run: &Run<'_>, scene: &Scene, base: Option<&CommitId>, reviewed: &CommitId) -> Result<CommitId, Failure> {
    let local = || scene.commits.base.as_ref().filter(|base| run.repo.has_commit(base));
    let base = base.or_else(local).unwrap_or(&scene.commits.merge_base);
    Ok(run.repo.merge_base(base, reviewed)?.chosen)
}

fn between(
    run: &Run<'_>,
    scene: &Scene,
    old: &CommitId,
    new: &CommitId,
    named: &BTreeSet<String>,
) -> Result<Change, Failure> {
    let commits = Commits { base: None, merge_base: old.clone(), head: new.clone() };
    Ok(run.repo.change(&commits, named, scene.kind.rename_threshold())?.0)
}

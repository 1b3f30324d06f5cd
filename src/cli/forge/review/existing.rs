//! Where the existing comments are in the change under review: the commits that they were made at, and what lies
//! between those and the head.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::file::ReviewFile;
use super::{assess, journey};
use crate::anchor::Relocate;
use crate::anchor::trace::{self, Carried, Journey};
use crate::change::git::GitError;
use crate::change::{Change, CommitId, Commits};
use crate::cli::Failure;
use crate::cli::forge::run::Run;
use crate::cli::forge::scene::Scene;
use crate::gate::{Made, MadeAt, OwnComment, Standing};
use crate::output::{Verbosity, Written};
use crate::review::{Finding, Review, Side};

/// A commit that comments were made at, with the merge base of its diff where the forge tells it.
type Origin = (CommitId, Option<CommitId>);

/// The comments of each.
type Origins<'a> = BTreeMap<Origin, Vec<&'a mut OwnComment>>;

/// Locates every own comment of which the forge says where it was made. One whose commit cannot be had stays to be
/// decided by its marker.
pub fn locate(
    run: &mut Run<'_>,
    scene: &Scene,
    file: &ReviewFile,
    change: &Change,
    standing: &mut Standing,
) -> Result<(), Failure> {
    let mut origins = Origins::new();
    for comment in &mut standing.comments {
        if let Some(made) = &comment.made {
            origins.entry((made.commit.clone(), made.merge_base.clone())).or_default().push(comment);
        }
    }
    if origins.is_empty() {
        return Ok(());
    }
    fetch(run, scene, &origins)?;
    let base = base(run, scene, &origins)?;
    let trail = Trail { run, scene, review: as_written(file), file, base, nothing: nothing(&scene.commits) };
    for ((commit, merge_base), mut comments) in origins {
        let of_head = commit == scene.commits.head
            && merge_base.as_ref().is_none_or(|merge_base| *merge_base == scene.commits.merge_base);
        if of_head {
            let journey = Journey { right: &trail.nothing, left: &trail.nothing };
            trail.made_at(Some(change), journey, &[]).locate(comments);
            continue;
        }
        if let Err(error) = trail.locate(&commit, merge_base.as_ref(), &mut comments) {
            let message = format!("comments made at {commit} are recognised by their markers alone: {error}");
            run.ui.trace(Verbosity::Verbose, &message);
        }
    }
    Ok(())
}

/// The review with the places as in the file.
fn as_written(file: &ReviewFile) -> Review {
    let mut review = file.review.clone();
    for finding in &mut review.findings {
        if let Some((path, place)) = file.written.get(&finding.index) {
            (finding.path, finding.place) = (path.clone(), Some(*place));
        }
    }
    review
}

/// A change that leaves every line where it is.
fn nothing(commits: &Commits) -> Change {
    Change::new(commits.clone(), Vec::new(), HashMap::new())
}

/// Fetches what is not here, in one call. A failure decides nothing: markers do, then.
fn fetch(run: &mut Run<'_>, scene: &Scene, origins: &Origins<'_>) -> Result<(), Failure> {
    let named = origins.keys().flat_map(|(commit, merge_base)| std::iter::once(commit).chain(merge_base));
    let absent: BTreeSet<CommitId> = named.filter(|id| !run.repo.has_commit(id)).cloned().collect();
    let (Some(place), false) = (&scene.place, absent.is_empty()) else { return Ok(()) };
    let spinner = run.ui.spinner("fetching the commits that comments were made at");
    let fetched = run.repo.fetch_commits(&place.site.remote, &absent);
    drop(spinner);
    scene.interrupted()?;
    if let Err(error) = fetched {
        run.ui.trace(Verbosity::Verbose, &format!("the commits that comments were made at cannot be had: {error}"));
    }
    Ok(())
}

/// The tip of the base, where a comment on LEFT needs it: GitHub does not say what its diff started from.
fn base(run: &mut Run<'_>, scene: &Scene, origins: &Origins<'_>) -> Result<Option<CommitId>, Failure> {
    let older = origins.iter().filter(|((commit, base), _)| base.is_none() && *commit != scene.commits.head);
    let mut sides = older.flat_map(|(_, comments)| comments).filter_map(|comment| Some(comment.made.as_ref()?.side));
    if !sides.any(|side| side == Side::Left) {
        return Ok(None);
    }
    let base = journey::base(run, scene);
    scene.interrupted()?;
    Ok(base.ok().flatten())
}

/// What the way from any commit to the head is found by.
struct Trail<'a, 'r> {
    run: &'a Run<'r>,
    scene: &'a Scene,
    file: &'a ReviewFile,
    review: Review,
    base: Option<CommitId>,
    nothing: Change,
}

impl<'a> Trail<'a, '_> {
    fn made_at<'c>(&self, own: Option<&'c Change>, journey: Journey<'c>, findings: &'c [Finding]) -> MadeAt<'c> {
        let relocate = if self.run.args.relocate { Relocate::Sure } else { Relocate::Never };
        MadeAt { own, journey, findings, kind: self.scene.kind, relocate }
    }

    fn locate(
        &self,
        commit: &CommitId,
        merge_base: Option<&CommitId>,
        comments: &mut [&mut OwnComment],
    ) -> Result<(), GitError> {
        let made: Vec<Made> = comments.iter().filter_map(|comment| comment.made.clone()).collect();
        let new_paths = made.iter().map(|made| made.new_path.clone()).collect();
        let right = self.between(commit, &self.scene.commits.head, &new_paths)?;
        let comments = comments.iter_mut().map(|comment| &mut **comment);
        let Some(merge_base) = self.merge_base(merge_base, commit) else {
            self.made_at(None, Journey { right: &right, left: &self.nothing }, &[]).locate(comments);
            return Ok(());
        };
        let (findings, mut paths) = self.findings_at(commit, &merge_base)?;
        paths.extend(made.iter().flat_map(|made| made.old_path.iter().chain([&made.new_path])).cloned());
        let own = self.between(&merge_base, commit, &paths)?;
        let findings = self.by_patch(&own).unwrap_or(findings);
        paths.extend(own.deltas().iter().filter_map(|delta| delta.old_path().map(str::to_owned)));
        let left = self.between(&merge_base, &self.scene.commits.merge_base, &paths)?;
        self.made_at(Some(&own), Journey { right: &right, left: &left }, &findings).locate(comments);
        Ok(())
    }

    /// What the diff of that commit started from.
    fn merge_base(&self, named: Option<&CommitId>, commit: &CommitId) -> Option<CommitId> {
        let repo = &self.run.repo;
        if let Some(named) = named {
            return Some(named.clone()).filter(|named| repo.has_commit(named));
        }
        let local = || self.scene.commits.base.as_ref().filter(|base| repo.has_commit(base));
        let base = self.base.as_ref().or_else(local).unwrap_or(&self.scene.commits.merge_base);
        repo.merge_base(base, commit).ok().map(|found| found.chosen)
    }

    /// The findings that stand at that commit, with their places there, and the paths to look for.
    fn findings_at(
        &self,
        commit: &CommitId,
        merge_base: &CommitId,
    ) -> Result<(Vec<Finding>, BTreeSet<String>), GitError> {
        let mut named = assess::named(&self.review, self.file.patch.as_ref());
        let Some(reviewed) = &self.file.reviewed else { return Ok((Vec::new(), named)) };
        let mut findings = self.review.findings.clone();
        if reviewed.commit == *commit {
            return Ok((findings, named));
        }
        let right = self.between(&reviewed.commit, commit, &named)?;
        let left = match &reviewed.merge_base {
            Some(from) => {
                let own = self.between(from, &reviewed.commit, &named)?;
                for finding in &mut findings {
                    if let Some(old_name) = trace::old_name(finding, &own) {
                        named.insert(old_name.clone());
                        finding.path = old_name;
                    }
                }
                self.between(from, merge_base, &named)?
            }
            None => self.nothing.clone(),
        };
        let journey = Journey { right: &right, left: &left };
        findings.retain_mut(|finding| match trace::carry(finding, &journey) {
            Carried::Same => true,
            Carried::Moved { path, place } => {
                (finding.path, finding.place) = (path, Some(place));
                true
            }
            Carried::Stale => false,
        });
        let paths = assess::paths(&findings).collect();
        Ok((findings, paths))
    }

    /// The findings of an exchange, carried by its patch to the change of that commit.
    fn by_patch(&self, own: &Change) -> Option<Vec<Finding>> {
        let patch = self.file.patch.as_ref()?;
        let mut review = self.review.clone();
        let lost = journey::by_patch(patch, own, &mut review, &mut Written::default());
        review.findings.retain(|finding| !lost.contains_key(&finding.index));
        Some(review.findings)
    }

    fn between(&self, old: &CommitId, new: &CommitId, named: &BTreeSet<String>) -> Result<Change, GitError> {
        if old == new {
            return Ok(self.nothing.clone());
        }
        let commits = Commits { base: None, merge_base: old.clone(), head: new.clone() };
        Ok(self.run.repo.change(&commits, named, self.scene.kind.rename_threshold())?.0)
    }
}

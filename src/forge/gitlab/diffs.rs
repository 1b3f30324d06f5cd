//! The files of a request as GitLab lists them, which differs by version.
//!
//! Source: GitLab REST, "Merge requests": `…/diffs` came with 15.7; before it `…/changes` has all files in
//! one answer, with `overflow` where some are left out. `collapsed` and `too_large` came with 18.4.

use std::collections::BTreeSet;

use gitlab::api::projects::merge_requests::MergeRequestDiffs;

use super::api::built;
use super::endpoint::Changes;
use super::project::GitLab;
use super::wire::{ChangesAnswer, Diff};
use crate::forge::{Patches, RawPatch, Trouble};

/// The patches of the named files.
pub async fn of(gitlab: &GitLab, number: u64, named: &BTreeSet<String>) -> Result<Patches, Trouble> {
    if named.is_empty() {
        return Ok(Patches::new());
    }
    match paged(gitlab, number, named).await {
        Ok(diffs) => Ok(patches(diffs, named)),
        Err(Trouble::NoRequest) => {
            let endpoint = Changes { project: gitlab.project(), request: number };
            let read = gitlab.api().read::<ChangesAnswer>(&endpoint).await;
            let answer = read.map_err(|trouble| trouble.of_list("files"))?;
            let mut patches = patches(answer.changes, named);
            if answer.overflow {
                named.iter().for_each(|name| _ = patches.entry(name.clone()).or_insert(RawPatch::Unshown));
            }
            Ok(patches)
        }
        Err(trouble) => Err(trouble),
    }
}

async fn paged(gitlab: &GitLab, number: u64, named: &BTreeSet<String>) -> Result<Vec<Diff>, Trouble> {
    let list = MergeRequestDiffs::builder().project(gitlab.project().clone()).merge_request(number).build();
    let mut missing = named.clone();
    let mut seen = 0;
    let enough = |diffs: &[Diff]| {
        diffs[seen..].iter().for_each(|diff| _ = missing.remove(&diff.new_path));
        seen = diffs.len();
        missing.is_empty()
    };
    gitlab.api().pages(&built(list)?, enough).await
}

fn patches(diffs: Vec<Diff>, named: &BTreeSet<String>) -> Patches {
    let mut patches = Patches::new();
    for diff in diffs.into_iter().filter(|diff| named.contains(&diff.new_path)) {
        // A type change is listed twice, the file that goes first, and a position is looked up in
        // the first.
        patches.entry(diff.new_path.clone()).or_insert_with(|| patch(diff));
    }
    patches
}

fn patch(diff: Diff) -> RawPatch {
    match (diff.too_large, diff.collapsed) {
        (Some(true), _) => RawPatch::TooLarge,
        _ if !diff.diff.is_empty() => RawPatch::Text(diff.diff),
        (_, Some(true)) => RawPatch::Collapsed,
        (_, Some(false)) => RawPatch::Absent,
        (_, None) => RawPatch::Unshown,
    }
}

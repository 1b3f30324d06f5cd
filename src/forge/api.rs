//! What the rest of the program asks of a forge.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use async_trait::async_trait;

use super::{ForgeError, Outcome, Post, Request};
use crate::change::{Hunk, patch};
use crate::consent::Consent;
use crate::gate::Standing;

/// A project on a forge. Every method may fail with the exit codes 5 and 8, and 130 when interrupted.
#[async_trait]
pub trait Forge: Send + Sync {
    /// The request, with the forge's own merge base where it can be had.
    async fn request(&self, number: u64) -> Result<Request, ForgeError>;

    /// The forge's own patches of the files with these names: the new one, the old one for a deleted
    /// file. A name that the forge does not list is absent from the answer.
    async fn patches(&self, number: u64, named: &BTreeSet<String>) -> Result<Patches, ForgeError>;

    /// What stands on the request and is ours. Without a token nothing is ours, and no call is made.
    async fn standing(&self, number: u64) -> Result<Standing, ForgeError>;

    /// Waits within what the run may wait; `false` where that is spent.
    async fn pause(&self, how_long: Duration) -> Result<bool, ForgeError>;

    /// The open requests that would bring this branch in.
    async fn find_open(&self, head: &HeadBranch) -> Result<Vec<OpenRequest>, ForgeError>;

    /// Posts. What went wrong is in the outcome: a part may stand all the same.
    async fn post(&self, number: u64, post: &Post<'_>, consent: Consent) -> Outcome;
}

/// A branch and the project it is pushed to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadBranch {
    /// `owner/repo` or `group/sub/project`.
    pub project: String,
    pub branch: String,
}

/// A request to choose from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenRequest {
    pub number: u64,
    pub title: String,
    pub url: String,
}

/// The forge's own patches, by the name the forge knows each file by.
pub type Patches = BTreeMap<String, RawPatch>;

/// The hunks of a [`RawPatch::Text`]. A type change has those of a file that goes, and then of one that
/// comes; no line in a hunk looks like the beginning of the second, since each has a sign.
pub fn hunks_of(text: &str) -> Vec<Hunk> {
    let comes = text.find("\n@@ -0,0 ").map_or(text.len(), |at| at + 1);
    let (goes, comes) = text.as_bytes().split_at(comes);
    let (mut hunks, _) = patch::hunks(goes);
    hunks.extend(patch::hunks(comes).0);
    hunks
}

/// The hunks as the forge gives them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RawPatch {
    /// Hunks from the first `@@` on, without file headers; of a type change those of both files.
    Text(String),
    /// Listed without a patch: nothing can be commented on there, whatever the local diff shows.
    Absent,
    /// GitLab: over the limit for one file; no line of it takes a comment.
    TooLarge,
    /// GitLab: folded on the page for size; its lines take comments all the same.
    Collapsed,
    /// GitLab before 18.4: shown without a patch, and it does not say why.
    Unshown,
    /// GitHub: not among the files that it lists, and its list has an end.
    BeyondList,
}

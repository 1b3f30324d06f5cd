//! What the forge stores.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde_json::Value;

use crate::support::diff::{FileDiff, between};
use crate::support::repo::Upstream;

/// The similarity from which on Gitaly sees a rename, in percent.
pub(super) const RENAMES: u8 = 30;

pub struct World {
    root: PathBuf,
    /// By full path.
    pub projects: BTreeMap<String, Project>,
    /// By token.
    pub accounts: BTreeMap<String, Account>,
    /// Old full path to the new one.
    pub renamed: BTreeMap<String, String>,
    /// Lines that ran as commands.
    pub quick_actions: Vec<String>,
    /// Which GitLab this is.
    pub release: Release,
    ids: u64,
}

/// A version of GitLab, major and minor.
///
/// Source: GitLab's REST documentation and its history notes: `…/diffs` since 15.7, `collapsed` and `too_large` in it since
/// 18.4; `…/changes` is there in all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release(pub u32, pub u32);

impl Release {
    pub const NEWEST: Self = Self(18, 4);

    pub(super) fn has_diffs(self) -> bool {
        self >= Self(15, 7)
    }

    pub(super) fn says_collapsed(self) -> bool {
        self >= Self(18, 4)
    }

    /// `generated_file` in a file's row.
    pub(super) fn says_generated(self) -> bool {
        self >= Self(16, 9)
    }
}

impl World {
    pub(super) fn new(root: PathBuf) -> Self {
        Self {
            root,
            projects: BTreeMap::new(),
            accounts: BTreeMap::new(),
            renamed: BTreeMap::new(),
            quick_actions: Vec::new(),
            release: Release::NEWEST,
            ids: 300,
        }
    }

    pub fn upstream(&self, project: &str) -> Upstream {
        Upstream::under(&self.root, project)
    }

    pub(super) fn id(&mut self) -> u64 {
        self.ids += 1;
        self.ids
    }

    /// A time that grows with the id: later things are newer.
    pub(super) fn time(id: u64) -> String {
        format!("2026-02-01T{:02}:{:02}:{:02}.000Z", id / 3600 % 24, id / 60 % 60, id % 60)
    }
}

#[derive(Debug, Clone)]
pub struct Project {
    pub id: u64,
    pub private: bool,
    pub archived: bool,
    /// Number and path of the project that this one is a fork of.
    pub forked_from: Option<(u64, String)>,
    pub default_branch: String,
    pub requests: BTreeMap<u64, MergeRequest>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestState {
    Opened,
    Closed,
    Merged,
    /// While a merge is under way.
    Locked,
}

impl RequestState {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Opened => "opened",
            Self::Closed => "closed",
            Self::Merged => "merged",
            Self::Locked => "locked",
        }
    }
}

/// Where a request's commits come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Same,
    /// A fork with this project id.
    Fork(u64),
    /// A fork that is gone: `source_project_id` is null.
    Deleted,
}

/// One push to a request. `base` is the merge base at that time, `start` the target's tip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    pub id: u64,
    pub base: String,
    pub start: String,
    pub head: String,
}

#[derive(Debug, Clone)]
pub struct MergeRequest {
    pub iid: u64,
    pub title: String,
    pub author: User,
    pub state: RequestState,
    pub draft: bool,
    pub discussion_locked: bool,
    pub source_branch: String,
    pub source: Source,
    pub target_branch: String,
    /// Oldest first.
    pub versions: Vec<Version>,
    /// So many reads of the request still have `diff_refs: null`.
    pub unready: u32,
    /// So many reads of the request still have the version before the last.
    pub trailing: u32,
    pub discussions: Vec<Discussion>,
    /// New paths of files over the patch limit: no text in `diffs`, no place for a comment.
    pub too_large: BTreeSet<String>,
    /// New paths of files that `diffs` shows collapsed; comments are taken.
    pub collapsed: BTreeSet<String>,
    /// New paths of files whose `diff` is empty, as with `-diff` in the attributes; no place for a comment.
    pub without_diff: BTreeSet<String>,
    /// How many files `changes` lists before it says `overflow`.
    pub overflows_at: Option<usize>,
    /// Places (path and new or old line) that are refused although they are in the diff.
    pub refused: BTreeSet<(String, u32)>,
    /// No page of a list has more items than this, the last or not: what the reader may not see was taken out after paging.
    pub short_pages: Option<usize>,
}

impl MergeRequest {
    pub(super) fn head_ref(&self) -> String {
        format!("refs/merge-requests/{}/head", self.iid)
    }

    /// The version that readers see now, if any.
    pub(super) fn shown_version(&self) -> Option<&Version> {
        let back = if self.trailing > 0 { 2 } else { 1 };
        self.versions.iter().nth_back(back - 1).filter(|_| self.unready == 0)
    }

    pub fn latest(&self) -> &Version {
        self.versions.last().expect("a request has a version")
    }

    /// The whole diff of a version.
    pub(super) fn files(version: &Version, upstream: &Upstream) -> Vec<FileDiff> {
        between(upstream.path(), &version.base, &version.head, RENAMES, &[])
    }

    pub fn notes(&self) -> impl Iterator<Item = &Note> {
        self.discussions.iter().flat_map(|d| &d.notes)
    }
}

#[derive(Debug, Clone)]
pub struct Discussion {
    /// Forty hex digits.
    pub id: String,
    /// A plain note of its own, not a thread.
    pub individual: bool,
    pub notes: Vec<Note>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum NoteKind {
    /// `type` null.
    Plain,
    /// In a thread without a position.
    Thread,
    /// At a line; the position as it was sent.
    Diff(Value),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    pub id: u64,
    pub author: User,
    pub body: String,
    pub kind: NoteKind,
    pub system: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub username: String,
    pub id: u64,
    pub bot: bool,
}

impl User {
    pub fn person(username: &str) -> Self {
        let id = username.bytes().fold(11, |id, b| (id * 31 + u64::from(b)) % 10_000_019);
        Self { username: username.to_owned(), id, bot: false }
    }

    pub fn bot(username: &str) -> Self {
        Self { bot: true, ..Self::person(username) }
    }
}

/// What a token may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Scope `api`, in every project.
    Api,
    /// Scope `read_api`: writes are 403 `insufficient_scope`.
    ReadApi,
    /// Scope `api`, but no member: private projects are 404.
    Outsider,
    /// `CI_JOB_TOKEN`: nobody, as far as these endpoints go.
    Job,
}

/// Who a token is.
#[derive(Debug, Clone)]
pub struct Account {
    pub user: User,
    pub access: Access,
}

impl Account {
    pub fn person(username: &str) -> Self {
        Self { user: User::person(username), access: Access::Api }
    }

    /// A project's or group's access token; it posts as a bot user.
    pub fn project_token(project: u64) -> Self {
        Self { user: User::bot(&format!("project_{project}_bot_0a1b2c")), access: Access::Api }
    }

    pub fn with(self, access: Access) -> Self {
        Self { access, ..self }
    }
}

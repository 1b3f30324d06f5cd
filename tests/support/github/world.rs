//! What the forge stores.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::place::Refusals;
use crate::support::diff::{FileDiff, between};
use crate::support::repo::Upstream;

pub struct World {
    root: PathBuf,
    pub projects: BTreeMap<String, Project>,
    /// By token.
    pub accounts: BTreeMap<String, Account>,
    /// Old full name to the new one.
    pub renamed: BTreeMap<String, String>,
    /// How a refused review is worded.
    pub refusals: Refusals,
    /// Whether LEFT in a renamed file is taken under the new path: likely, but nobody has said so.
    pub takes_left_in_renamed: bool,
    ids: u64,
}

impl World {
    pub(super) fn new(root: PathBuf) -> Self {
        Self {
            root,
            projects: BTreeMap::new(),
            accounts: BTreeMap::new(),
            renamed: BTreeMap::new(),
            refusals: Refusals::Sentence,
            takes_left_in_renamed: true,
            ids: 1000,
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
        format!("2026-02-01T{:02}:{:02}:{:02}Z", id / 3600 % 24, id / 60 % 60, id % 60)
    }
}

#[derive(Debug, Clone)]
pub struct Project {
    pub id: u64,
    pub private: bool,
    pub archived: bool,
    pub default_branch: String,
    pub pulls: BTreeMap<u64, Pull>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PullState {
    Open,
    Closed,
    Merged,
}

/// Where a request's commits come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    pub branch: String,
    pub repo: HeadRepo,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeadRepo {
    /// The target itself.
    Same,
    /// A fork of this owner.
    Fork(String),
    /// A fork of this owner that is gone: `head.repo` is null.
    Deleted(String),
}

impl Head {
    /// A branch of the target repository; it need not stand any longer when the request's own ref was pushed.
    pub fn branch(name: &str) -> Self {
        Self { branch: name.to_owned(), repo: HeadRepo::Same }
    }

    /// A fork's branch; its commit must have been pushed to `refs/pull/<n>/head` before.
    pub fn fork(owner: &str, branch: &str) -> Self {
        Self { branch: branch.to_owned(), repo: HeadRepo::Fork(owner.to_owned()) }
    }
}

#[derive(Debug, Clone)]
pub struct Pull {
    pub number: u64,
    pub title: String,
    pub author: User,
    pub state: PullState,
    pub draft: bool,
    /// The status of the refusal of a write, where the conversation is locked: 403, or 422.
    pub locked: Option<u16>,
    pub base_branch: String,
    /// `base.sha`: the base branch's tip when the request was opened. It stays behind when the branch moves, as on the real forge.
    pub base_sha: String,
    pub head: Head,
    pub reviews: Vec<Review>,
    pub comments: Vec<Comment>,
    /// New paths of files whose `patch` is left out (too large, `-diff`), and that therefore take no comment.
    pub without_patch: BTreeSet<String>,
    /// Places that are refused although they are in the diff.
    pub refused: BTreeSet<(String, u32)>,
    /// A review of more comments than this runs into the server's own limit: 502, nothing stored.
    pub times_out_above: Option<usize>,
}

impl Pull {
    pub(super) fn head_ref(&self) -> String {
        format!("refs/pull/{}/head", self.number)
    }

    pub fn head_sha(&self, upstream: &Upstream) -> String {
        upstream.commit(&self.head_ref()).expect("the request's head was pushed")
    }

    /// The merge base that the diff up to `commit` begins at: of the branch, or of `base.sha` once the branch contains the head.
    pub(super) fn merge_base(&self, upstream: &Upstream, commit: &str) -> Option<String> {
        let branch = format!("refs/heads/{}", self.base_branch);
        let base = if self.state == PullState::Merged { &self.base_sha } else { &branch };
        upstream.merge_base(base, commit)
    }

    /// The request's diff up to `commit`, with git's own rename threshold; nothing for unrelated histories.
    pub(super) fn files(&self, upstream: &Upstream, commit: &str) -> Vec<FileDiff> {
        let base = self.merge_base(upstream, commit);
        base.map(|base| between(upstream.path(), &base, commit, 50, &[])).unwrap_or_default()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub login: String,
    pub id: u64,
    /// `type` is `Bot` in place of `User`.
    pub bot: bool,
}

impl User {
    pub fn person(login: &str) -> Self {
        let id = login.bytes().fold(7, |id, b| (id * 31 + u64::from(b)) % 10_000_019);
        Self { login: login.to_owned(), id, bot: false }
    }

    pub fn bot(login: &str) -> Self {
        Self { bot: true, ..Self::person(login) }
    }
}

/// What a token may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Write,
    /// Reads private projects too; writes are 403 "Resource not accessible by integration".
    Read,
    /// Sees public projects only; private ones are 404.
    Public,
    /// The organisation wants single sign-on: 403 with `X-GitHub-SSO`.
    SingleSignOn,
}

/// Who a token is.
#[derive(Debug, Clone)]
pub struct Account {
    pub user: User,
    pub access: Access,
    /// `GET /user` answers; App and Actions tokens get 403.
    pub is_person: bool,
}

impl Account {
    pub fn person(login: &str) -> Self {
        Self { user: User::person(login), access: Access::Write, is_person: true }
    }

    /// An App's installation token; it posts as `<slug>[bot]`.
    pub fn app(slug: &str) -> Self {
        Self { user: User::bot(&format!("{slug}[bot]")), access: Access::Write, is_person: false }
    }

    /// The token of an Actions run.
    pub fn actions() -> Self {
        let user = User { login: "github-actions[bot]".to_owned(), id: 41_898_282, bot: true };
        Self { user, access: Access::Write, is_person: false }
    }

    pub fn with(self, access: Access) -> Self {
        Self { access, ..self }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReviewState {
    Commented,
    Pending,
    Approved,
    ChangesRequested,
    Dismissed,
}

#[derive(Debug, Clone)]
pub struct Review {
    pub id: u64,
    pub user: User,
    pub body: String,
    pub state: ReviewState,
    pub commit: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
}

impl Side {
    pub fn word(self) -> &'static str {
        match self {
            Self::Left => "LEFT",
            Self::Right => "RIGHT",
        }
    }
}

/// A place as it was posted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub path: String,
    pub side: Side,
    pub start_line: Option<u32>,
    pub line: u32,
}

#[derive(Debug, Clone)]
pub struct Comment {
    pub id: u64,
    /// `None` for a reply outside a review.
    pub review: Option<u64>,
    pub user: User,
    pub body: String,
    pub place: Place,
    /// The commit that it was made on.
    pub commit: String,
}

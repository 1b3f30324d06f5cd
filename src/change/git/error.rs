//! Why git cannot give the change, and what to do about it.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use super::NoCommit;
use super::command::NotRun;
use crate::change::CommitId;
use crate::exit::Exit;

/// What is wrong with the name or address of a remote.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RemoteFault {
    #[error("is empty")]
    Empty,
    #[error("begins with `-`, which git would read as an option")]
    LikeAnOption,
    #[error("runs a program (`{0}::`) instead of naming a server")]
    Program(String),
    #[error("uses the protocol `{0}`, and only https, http, ssh, git and file are spoken")]
    Protocol(String),
}

/// Git cannot give the change.
///
/// The messages name the object they are about; [`GitError::help`] says what to do next.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    #[error("no git repository at {dir} or above it")]
    NoRepository { dir: PathBuf },
    #[error("the repository at {path} belongs to another user")]
    OtherOwner { path: PathBuf },
    #[error("the git directory {path} is among the files of {top}: it comes with a change, and is not obeyed")]
    Brought { path: PathBuf, top: PathBuf },
    #[error("the repository at {path} uses `{what}`, which cannot be read here")]
    Unsupported { path: PathBuf, what: String },
    #[error("the repository at {path} cannot be opened: {words}")]
    Open { path: PathBuf, words: String },
    #[error("{named} is set, and git finds no repository by it: {words}")]
    Named { named: String, words: String },
    #[error("`{rev}` is not a revision: it begins with `-`")]
    LikeAnOption { rev: String },
    #[error("`{rev}` {}", no_commit(.why))]
    UnknownRevision { rev: String, why: NoCommit, shallow: bool },
    #[error("the commit {id} is not in this repository")]
    MissingCommit { id: CommitId, shallow: bool, remote: Option<String> },
    #[error("{} {} of the change {} not in this repository, {first} for one", .count, plural(*.count, "object", "objects"), plural(*.count, "is", "are"))]
    MissingObjects { count: usize, first: String, command: String },
    #[error("{base} and {head} have no common ancestor here")]
    NoMergeBase { base: CommitId, head: CommitId, shallow: bool, remote: Option<String> },
    #[error("{what} is needed, and this run uses no network")]
    NeedsNetwork { what: String, command: String },
    #[error("the remote `{remote}` {fault}")]
    Refused { remote: String, fault: RemoteFault },
    #[error("`git fetch` from {remote} failed: {words}")]
    Fetch { remote: String, words: String, command: String },
    #[error("{git_ref} of {remote} is {found}, not {wanted}")]
    RefMoved { remote: String, git_ref: String, wanted: CommitId, found: CommitId },
    #[error("`{git_ref}` is not a name that a ref can have")]
    BadRef { git_ref: String },
    #[error("`git` is not on the PATH, and {what} needs it")]
    NoGit { what: &'static str },
    #[error("`{command}` failed: {words}")]
    Child { command: String, words: String },
    #[error("`{command}` was ended after {} s", .limit.as_secs())]
    TooSlow { command: String, limit: Duration },
    #[error("{what} cannot be read: {words}")]
    Object { what: String, words: String },
    #[error("{what}")]
    Io { what: &'static str, source: io::Error },
}

/// What [`GitError::Io`] is about where git has no directory to run in.
pub(super) const NO_DIRECTORY: &str = "making a temporary directory failed";

fn no_commit(why: &NoCommit) -> String {
    match why {
        NoCommit::NotHere { .. } => "names no commit of this repository".to_owned(),
        NoCommit::Unborn => "names no commit: the branch that is checked out has none yet".to_owned(),
        NoCommit::Ambiguous => "names no commit: several objects' ids begin so".to_owned(),
        NoCommit::Unreadable => "is not how a revision is written".to_owned(),
        NoCommit::Other(kind) => format!("names no commit, but a {kind}"),
    }
}

fn plural<'a>(count: usize, one: &'a str, many: &'a str) -> &'a str {
    if count == 1 { one } else { many }
}

impl GitError {
    pub(super) fn object(what: impl Into<String>, error: &git2::Error) -> Self {
        Self::Object { what: what.into(), words: error.message().to_owned() }
    }

    /// A child that was not run to its end; one that is not there is told where it is missed.
    pub(super) fn not_run(command: &str, fault: NotRun) -> Self {
        match fault {
            NotRun::NoProgram => Self::NoGit { what: "reading the repository" },
            NotRun::TooSlow(limit) => Self::TooSlow { command: command.to_owned(), limit },
            NotRun::Io(source) => Self::Io { what: "running git failed", source },
        }
    }

    /// An object whose file was cut short.
    pub(super) fn cut(what: impl Into<String>) -> Self {
        Self::Object { what: what.into(), words: "its file ends too early".to_owned() }
    }

    /// Every one of them is git's failure to give the change.
    pub fn exit(&self) -> Exit {
        Exit::Git
    }

    /// What to do next, with the exact command where there is one.
    pub fn help(&self) -> Option<String> {
        let deepen = |remote: &Option<String>| {
            let remote = remote.as_deref().unwrap_or("origin");
            format!("this clone is shallow; run `git fetch --unshallow {remote}`")
        };
        Some(match self {
            Self::NoRepository { .. } => "run inside a clone of the project, or name it with `-C DIR`".to_owned(),
            Self::OtherOwner { path } => {
                let path = super::command::quoted(&path.to_string_lossy());
                format!("if you trust it, run `git config --global --add safe.directory {path}`")
            }
            Self::Brought { top, .. } => {
                let top = super::command::quoted(&top.to_string_lossy());
                format!("run at the clone's own top, or name it: `-C {top}`")
            }
            Self::Unsupported { what, .. } if what.starts_with("extensions.refstorage") => {
                "run `git refs migrate --ref-format=files`, or work in a clone made with `git clone --ref-format=files`"
                    .to_owned()
            }
            Self::Unsupported { what, .. } if what.starts_with("extensions.partialclone") => {
                "put `git` on the PATH, or work in a full clone".to_owned()
            }
            Self::Unsupported { what, .. } if what.starts_with("repository format") => {
                "work in a clone of repository format 0 or 1".to_owned()
            }
            Self::Unsupported { .. } => "work in a clone without that extension".to_owned(),
            Self::Open { .. } => "see what `git status` says there".to_owned(),
            Self::Named { .. } => "unset the variable, or let it name a repository".to_owned(),
            Self::TooSlow { command, .. } => format!("run it by hand to see what it waits for: `{command}`"),
            Self::LikeAnOption { .. } => "give a commit, a branch or a tag".to_owned(),
            Self::UnknownRevision { why: NoCommit::NotHere { near: Some(near) }, .. } => {
                format!("did you mean `{near}`?")
            }
            Self::UnknownRevision { why: NoCommit::Unborn, .. } => "commit something first".to_owned(),
            Self::UnknownRevision { why: NoCommit::Ambiguous, .. } => "give more of its digits".to_owned(),
            Self::UnknownRevision { why: NoCommit::Unreadable | NoCommit::Other(_), .. } => {
                "give a commit, a branch or a tag".to_owned()
            }
            Self::UnknownRevision { shallow: true, .. } => deepen(&None),
            Self::UnknownRevision { rev, .. } => {
                format!("look for it with `git rev-parse --verify {}`, or fetch it first", super::command::quoted(rev))
            }
            Self::MissingCommit { id, remote, .. } => {
                let remote = super::command::quoted(remote.as_deref().unwrap_or("origin"));
                format!("run `git fetch {remote} {id}`")
            }
            Self::MissingObjects { command, .. } | Self::NeedsNetwork { command, .. } => format!("run `{command}`"),
            Self::NoMergeBase { shallow: true, remote, .. } => deepen(remote),
            Self::NoMergeBase { .. } => {
                "the histories are unrelated: check that the base is the branch the change is meant for".to_owned()
            }
            Self::Refused { .. } => "name another remote with `--remote`".to_owned(),
            Self::Fetch { command, .. } => format!("run it by hand to see why: `{command}`"),
            Self::BadRef { .. } => "fetch the commit by its full id".to_owned(),
            Self::RefMoved { .. } => "the request has moved on; run again".to_owned(),
            Self::NoGit { .. } => "install git, or put it on the PATH".to_owned(),
            Self::Child { .. } | Self::Object { .. } => "check the repository with `git fsck`".to_owned(),
            Self::Io { what: NO_DIRECTORY, .. } => {
                "name a folder that can be written in the environment variable TMPDIR".to_owned()
            }
            Self::Io { .. } => return None,
        })
    }
}

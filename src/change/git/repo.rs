//! Where the repository is, and what it says about itself.

use std::cell::OnceCell;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use git2::{ErrorClass, ErrorCode, ObjectFormat, Oid, Repository, RepositoryOpenFlags};

use super::brought;
use super::command::{self, NotRun, Output};
use super::config::Config;
use super::error::{GitError, NO_DIRECTORY};
use super::loose;
use super::scratch::Scratch;
use super::setup::Setup;
use super::view::View;
use crate::change::CommitId;

/// Whether this run may speak to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Network {
    Allowed,
    /// `--offline`, or a change between local revisions.
    Forbidden,
}

/// What says which repository is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedBy {
    /// The folder, or the caller's `GIT_DIR` and `GIT_WORK_TREE`.
    Caller,
    /// The folder alone.
    Folder,
}

/// An opened repository: a clone, a bare one, or a linked worktree, with SHA-1 or SHA-256 ids.
pub struct Repo {
    pub(super) inner: Repository,
    pub(super) common_dir: PathBuf,
    pub(super) network: Network,
    git_dir: PathBuf,
    work_tree: Option<PathBuf>,
    pub(super) program: OsString,
    pub(super) config: OnceCell<Config>,
    scratch: OnceCell<Scratch>,
    view: Option<View>,
}

impl Repo {
    /// Looks from `dir` upwards, or where the caller's `GIT_DIR` and `GIT_WORK_TREE` say, as git does.
    pub fn discover(dir: &Path, network: Network) -> Result<Self, GitError> {
        Self::discover_with(dir, network, OsStr::new("git"))
    }

    /// As [`Repo::discover`], for a folder that may have nothing to do with the caller's repository.
    pub fn discover_by(dir: &Path, network: Network, named_by: NamedBy) -> Result<Self, GitError> {
        Self::discovered(dir, network, OsStr::new("git"), named_by)
    }

    /// As [`Repo::discover`], with another program than the `git` of the PATH.
    pub fn discover_with(dir: &Path, network: Network, program: &OsStr) -> Result<Self, GitError> {
        Self::discovered(dir, network, program, NamedBy::Caller)
    }

    fn discovered(dir: &Path, network: Network, program: &OsStr, named_by: NamedBy) -> Result<Self, GitError> {
        // As git does: what comes in is verified, and not again whenever it is read.
        git2::opts::strict_hash_verification(false);
        let named = command::named_repository().filter(|_| named_by == NamedBy::Caller);
        let Some(setup) = Setup::ask(program, dir, named_by)? else {
            return match named {
                Some(named) => Err(GitError::Named { named, words: "`git` is not on the PATH".to_owned() }),
                None => Self::without_git(dir, network, program),
            };
        };
        if named.is_none() {
            brought::check(dir, &setup.git_dir)?;
        }
        let opened = |error: &git2::Error| unopened(&setup.git_dir, error);
        // git has agreed to whose it is; opened as if it were bare, libgit2 does not judge it again by its own rules.
        let (inner, view) = match Repository::open_bare(&setup.git_dir) {
            Ok(inner) => (inner, None),
            // Clones made partial by an older git carry this; libgit2 refuses them, although it can
            // read every object that is here.
            Err(error) if error.message().ends_with("extensions.partialclone") => {
                let view = View::over(&setup.git_dir, &setup.common_dir)?;
                (view.open().map_err(|error| opened(&error))?, Some(view))
            }
            Err(error) => return Err(opened(&error)),
        };
        Ok(Self::of(inner, setup, view, network, program))
    }

    /// With what libgit2 makes of it by itself: enough for what is read here and goes nowhere.
    fn without_git(dir: &Path, network: Network, program: &OsStr) -> Result<Self, GitError> {
        let none: [&OsStr; 0] = [];
        let inner =
            Repository::open_ext(dir, RepositoryOpenFlags::empty(), none).map_err(|error| unopened(dir, &error))?;
        brought::check(dir, inner.path())?;
        let setup = Setup {
            git_dir: tidy(inner.path()),
            common_dir: tidy(inner.commondir()),
            work_tree: inner.workdir().map(tidy),
        };
        Ok(Self::of(inner, setup, None, network, program))
    }

    fn of(inner: Repository, setup: Setup, view: Option<View>, network: Network, program: &OsStr) -> Self {
        Self {
            inner,
            common_dir: setup.common_dir,
            git_dir: setup.git_dir,
            work_tree: setup.work_tree,
            network,
            program: program.to_owned(),
            config: OnceCell::new(),
            scratch: OnceCell::new(),
            view,
        }
    }

    /// The top of the work tree; the git directory itself of a bare repository.
    pub fn root(&self) -> &Path {
        self.work_tree.as_deref().unwrap_or(&self.git_dir)
    }

    /// This work tree's git directory.
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// What all linked worktrees share.
    pub fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    pub fn is_bare(&self) -> bool {
        self.work_tree.is_none()
    }

    /// Whether its history was cut by `--depth`.
    pub fn is_shallow(&self) -> bool {
        self.common_dir.join("shallow").is_file()
    }

    pub fn network(&self) -> Network {
        self.network
    }

    /// Whether the commit itself is here; its ancestors and files need not be.
    pub fn has_commit(&self, id: &CommitId) -> bool {
        self.oid(id).is_some_and(|id| !loose::is_cut(&self.inner, id) && self.inner.find_commit(id).is_ok())
    }

    /// A second handle, for what would change the first one.
    pub(super) fn opened_anew(&self) -> Result<Repository, GitError> {
        let opened = match &self.view {
            Some(view) => view.open(),
            None => Repository::open_bare(&self.git_dir),
        };
        opened.map_err(|error| unopened(&self.git_dir, &error))
    }

    /// libgit2 reads the shallow boundary when it opens a repository, and a fetch moves it.
    pub(super) fn reread(&mut self) -> Result<(), GitError> {
        self.inner = self.opened_anew()?;
        self.scratch = OnceCell::new();
        Ok(())
    }

    /// The commit to look up, `MissingCommit` where it is not here.
    pub(super) fn commit(&self, id: &CommitId) -> Result<git2::Commit<'_>, GitError> {
        let oid = self.oid(id);
        if oid.is_some_and(|oid| loose::is_cut(&self.inner, oid)) {
            return Err(GitError::cut(format!("the commit {id}")));
        }
        oid.and_then(|oid| self.inner.find_commit(oid).ok()).ok_or_else(|| GitError::MissingCommit {
            id: id.clone(),
            shallow: self.is_shallow(),
            remote: self.likely_remote(),
        })
    }

    /// `None` for an id of the other object format.
    pub(super) fn oid(&self, id: &CommitId) -> Option<Oid> {
        Oid::from_str_ext(id.as_str(), self.inner.object_format()).ok().filter(|_| {
            let digits = if self.inner.object_format() == ObjectFormat::Sha1 { 40 } else { 64 };
            id.as_str().len() == digits
        })
    }

    pub(super) fn commit_id(&self, id: Oid) -> Result<CommitId, GitError> {
        CommitId::parse(&id.to_string())
            .ok_or_else(|| GitError::Object { what: id.to_string(), words: "not a full object id".to_owned() })
    }

    /// `git` with its owner's configuration, in this repository.
    pub(super) fn owners_git(&self) -> Command {
        let mut command = command::owners(&self.program, self.root());
        command.env("GIT_DIR", &self.git_dir);
        command
    }

    /// `git` over this repository's objects and nothing else of it.
    pub(super) fn sealed_git(&self) -> Result<Command, GitError> {
        Ok(self.scratch()?.git(&self.program, &self.common_dir))
    }

    /// Made when it is first needed.
    pub(super) fn scratch(&self) -> Result<&Scratch, GitError> {
        if let Some(scratch) = self.scratch.get() {
            return Ok(scratch);
        }
        let made = Scratch::new(&self.common_dir, self.inner.object_format())
            .map_err(|source| GitError::Io { what: NO_DIRECTORY, source })?;
        Ok(self.scratch.get_or_init(|| made))
    }

    /// Runs what reads this repository; `None` where there is no `git`.
    pub(super) fn run(&self, command: Command) -> Result<Option<Output>, GitError> {
        self.run_for(command, command::LOCAL)
    }

    /// The same, for as long as this.
    pub(super) fn run_for(&self, command: Command, limit: Duration) -> Result<Option<Output>, GitError> {
        let start = [command.get_program().to_owned()];
        let words: Vec<_> = start.into_iter().chain(command.get_args().map(OsStr::to_owned)).collect();
        match command::run(command, None, limit) {
            Ok(output) => Ok(Some(output)),
            Err(NotRun::NoProgram) => Ok(None),
            Err(fault) => Err(GitError::not_run(&command::pasted(&words), fault)),
        }
    }
}

fn tidy(path: &Path) -> PathBuf {
    path.components().collect()
}

fn unopened(path: &Path, error: &git2::Error) -> GitError {
    let (path, words) = (path.to_owned(), error.message().to_owned());
    match error.code() {
        ErrorCode::Owner => {
            let owned = words.split('\'').nth(1).map_or(path, PathBuf::from);
            GitError::OtherOwner { path: owned }
        }
        ErrorCode::NotFound if error.class() == ErrorClass::Repository => GitError::NoRepository { dir: path },
        _ => match words.strip_prefix("unsupported extension name ") {
            Some(name) => GitError::Unsupported { path, what: name.to_owned() },
            None if words.starts_with("unsupported repository version") => {
                let version = words.split(|c: char| !c.is_ascii_digit()).find(|digits| !digits.is_empty());
                GitError::Unsupported { path, what: format!("repository format {}", version.unwrap_or("?")) }
            }
            None => GitError::Open { path, words },
        },
    }
}

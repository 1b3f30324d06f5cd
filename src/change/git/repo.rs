//! Where the repository is, and what it says about itself.

use std::cell::OnceCell;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use git2::{ErrorClass, ErrorCode, ObjectFormat, Oid, Repository, RepositoryOpenFlags};

use super::brought;
use super::command::{self, NotRun, Output};
use super::error::{GitError, NO_DIRECTORY};
use super::loose;
use super::scratch::Scratch;
use super::view::View;
use crate::change::CommitId;

/// Whether this run may speak to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Network {
    Allowed,
    /// `--offline`, or a change between local revisions.
    Forbidden,
}

/// An opened repository: a clone, a bare one, or a linked worktree, with SHA-1 or SHA-256 ids.
pub struct Repo {
    pub(super) inner: Repository,
    pub(super) common_dir: PathBuf,
    pub(super) network: Network,
    git_dir: PathBuf,
    work_tree: Option<PathBuf>,
    pub(super) program: OsString,
    scratch: OnceCell<Scratch>,
    view: Option<View>,
}

impl Repo {
    /// Looks from `dir` upwards, as git does, but without `GIT_DIR` and its kind.
    pub fn discover(dir: &Path, network: Network) -> Result<Self, GitError> {
        Self::discover_with(dir, network, OsStr::new("git"))
    }

    /// As [`Repo::discover`], with another program than the `git` of the PATH.
    pub fn discover_with(dir: &Path, network: Network, program: &OsStr) -> Result<Self, GitError> {
        // As git does: what comes in is verified, and not again whenever it is read.
        git2::opts::strict_hash_verification(false);
        let none: [&OsStr; 0] = [];
        match Repository::open_ext(dir, RepositoryOpenFlags::empty(), none) {
            Ok(inner) => {
                brought::check(dir, inner.path())?;
                Ok(Self {
                    common_dir: tidy(inner.commondir()),
                    git_dir: tidy(inner.path()),
                    work_tree: inner.workdir().map(tidy),
                    inner,
                    network,
                    program: program.to_owned(),
                    scratch: OnceCell::new(),
                    view: None,
                })
            }
            // Clones made partial by an older git carry this; libgit2 refuses them, although it can
            // read every object that is here.
            Err(error) if error.message().ends_with("extensions.partialclone") => {
                let view = View::over(dir, program)?;
                brought::check(dir, view.git_dir())?;
                let inner = view.open().map_err(|error| unopened(view.git_dir(), &error))?;
                Ok(Self {
                    common_dir: view.common_dir().to_owned(),
                    git_dir: view.git_dir().to_owned(),
                    work_tree: view.work_tree().map(Path::to_owned),
                    inner,
                    network,
                    program: program.to_owned(),
                    scratch: OnceCell::new(),
                    view: Some(view),
                })
            }
            Err(error) => Err(unopened(dir, &error)),
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

    /// The commit that a revision names: a branch, a tag, an id, `HEAD~2`.
    pub fn resolve(&self, rev: &str) -> Result<CommitId, GitError> {
        if rev.starts_with('-') {
            return Err(GitError::LikeAnOption { rev: rev.to_owned() });
        }
        let named = self.inner.resolve_reference_from_short_name(rev).ok().and_then(|named| named.target());
        if let Some(id) = named.or_else(|| self.oid(&CommitId::parse(rev)?))
            && loose::is_cut(&self.inner, id)
        {
            return Err(GitError::cut(format!("the object {id}, which `{rev}` names,")));
        }
        let found = self.inner.revparse_single(rev).and_then(|object| object.peel_to_commit());
        match found {
            Ok(commit) => self.commit_id(commit.id()),
            Err(error) => Err(self.unknown(rev, &error)),
        }
    }

    /// Whether the commit itself is here; its ancestors and files need not be.
    pub fn has_commit(&self, id: &CommitId) -> bool {
        self.oid(id).is_some_and(|id| !loose::is_cut(&self.inner, id) && self.inner.find_commit(id).is_ok())
    }

    pub(super) fn view_promisor(&self) -> Option<&str> {
        self.view.as_ref().and_then(View::promisor)
    }

    /// A second handle, for what would change the first one.
    pub(super) fn opened_anew(&self) -> Result<Repository, GitError> {
        let opened = match &self.view {
            Some(view) => view.open(),
            None => Repository::open(&self.git_dir),
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

    /// Runs it; `None` where there is no `git`.
    pub(super) fn run(&self, command: Command) -> Result<Option<Output>, GitError> {
        match command::run(command, None) {
            Ok(output) => Ok(Some(output)),
            Err(NotRun::NoProgram) => Ok(None),
            Err(NotRun::Io(source)) => Err(GitError::Io { what: "running git failed", source }),
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

//! A repository whose configuration libgit2 refuses, seen without the refused line.
//!
//! git before 2.27 marked partial clones with `extensions.partialClone`. The view is a directory of
//! links to the real refs, objects and index, beside a copy of the configuration without that line.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use git2::{Config, Repository};
use tempfile::TempDir;

use super::command::{self, NotRun};
use super::error::{GitError, NO_DIRECTORY};

pub(super) struct View {
    dir: TempDir,
    git_dir: PathBuf,
    common_dir: PathBuf,
    work_tree: Option<PathBuf>,
    promisor: Option<String>,
}

impl View {
    /// `git` says where the repository is, and whether its owner may be trusted.
    pub fn over(dir: &Path, program: &OsStr) -> Result<Self, GitError> {
        let ask = |what: &[&str]| {
            let mut git = command::owners(program, dir);
            git.args(["rev-parse", "--path-format=absolute"]).args(what);
            match command::run(git, None) {
                Ok(said) if said.status.success() => Ok(String::from_utf8_lossy(&said.stdout).into_owned()),
                Ok(said) if said.words.contains("dubious ownership") => {
                    Err(GitError::OtherOwner { path: dir.to_owned() })
                }
                Ok(said) => Err(GitError::Open { path: dir.to_owned(), words: first_line(&said.words) }),
                Err(NotRun::NoProgram) => {
                    Err(GitError::Unsupported { path: dir.to_owned(), what: "extensions.partialclone".to_owned() })
                }
                Err(NotRun::Io(source)) => Err(GitError::Io { what: "running git failed", source }),
            }
        };
        let said = ask(&["--is-bare-repository", "--git-dir", "--git-common-dir"])?;
        let mut lines = said.lines();
        let bare = lines.next() == Some("true");
        let mut path = || lines.next().map(PathBuf::from).unwrap_or_default();
        let (git_dir, common_dir) = (path(), path());
        let work_tree =
            if bare { None } else { Some(PathBuf::from(ask(&["--show-toplevel"])?.trim_end_matches('\n'))) };
        let dir = linked(&git_dir, &common_dir).map_err(|source| GitError::Io { what: NO_DIRECTORY, source })?;
        let promisor = without_extension(&dir.path().join("config"))
            .map_err(|error| GitError::Open { path: git_dir.clone(), words: error.message().to_owned() })?;
        Ok(Self { dir, git_dir, common_dir, work_tree, promisor })
    }

    pub fn open(&self) -> Result<Repository, git2::Error> {
        Repository::open_bare(self.dir.path())
    }

    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    pub fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    /// The remote that has what this clone left out.
    pub fn promisor(&self) -> Option<&str> {
        self.promisor.as_deref()
    }

    pub fn work_tree(&self) -> Option<&Path> {
        self.work_tree.as_deref()
    }
}

/// Takes the line out and gives its value.
fn without_extension(config: &Path) -> Result<Option<String>, git2::Error> {
    let mut config = Config::open(config)?;
    let promisor = config.get_string("extensions.partialclone").ok();
    config.remove("extensions.partialclone")?;
    config.set_bool("core.bare", true)?;
    Ok(promisor)
}

fn linked(git_dir: &Path, common_dir: &Path) -> io::Result<TempDir> {
    let dir = tempfile::Builder::new().prefix("dai-").tempdir()?;
    for name in ["objects", "refs", "packed-refs", "shallow"] {
        if common_dir.join(name).exists() {
            link(&common_dir.join(name), &dir.path().join(name))?;
        }
    }
    if git_dir.join("index").exists() {
        link(&git_dir.join("index"), &dir.path().join("index"))?;
    }
    fs::copy(git_dir.join("HEAD"), dir.path().join("HEAD"))?;
    fs::copy(common_dir.join("config"), dir.path().join("config"))?;
    Ok(dir)
}

#[cfg(unix)]
fn link(to: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(to, at)
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "a clone with extensions.partialClone needs links"))
}

fn first_line(words: &str) -> String {
    words.lines().next().unwrap_or_default().to_owned()
}

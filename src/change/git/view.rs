//! A repository whose configuration libgit2 refuses, seen without the refused line.
//!
//! git before 2.27 marked partial clones with `extensions.partialClone`. The view is a directory of
//! links to the real refs, objects and index, beside a copy of the configuration without that line.

use std::fs;
use std::io;
use std::path::Path;

use git2::{Config, Repository};
use tempfile::TempDir;

use super::error::{GitError, NO_DIRECTORY};

pub(super) struct View {
    dir: TempDir,
}

impl View {
    pub fn over(git_dir: &Path, common_dir: &Path) -> Result<Self, GitError> {
        let dir = linked(git_dir, common_dir).map_err(|source| GitError::Io { what: NO_DIRECTORY, source })?;
        without_extension(&dir.path().join("config"))
            .map_err(|error| GitError::Open { path: git_dir.to_owned(), words: error.message().to_owned() })?;
        Ok(Self { dir })
    }

    pub fn open(&self) -> Result<Repository, git2::Error> {
        Repository::open_bare(self.dir.path())
    }
}

/// Takes the line out.
fn without_extension(config: &Path) -> Result<(), git2::Error> {
    let mut config = Config::open(config)?;
    config.remove("extensions.partialclone")?;
    config.set_bool("core.bare", true)
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

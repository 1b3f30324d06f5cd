//! Whether git tracks a file: what a branch under review can put there must not choose anything.

use std::path::{Component, Path};

use git2::ObjectType;

use super::error::GitError;
use super::repo::Repo;
use crate::change::CommitId;

impl Repo {
    /// Whether the index has the file, or a link or submodule on the way to it.
    ///
    /// `path` is relative to the root, with `/`. Where it cannot be told, the answer is yes: the
    /// file is then not read, which is the harmless mistake.
    pub fn is_tracked(&self, path: &str) -> bool {
        if self.is_bare() {
            return false;
        }
        if !plain(path) {
            return true;
        }
        match self.inner.index() {
            Ok(index) => {
                ancestors(path).any(|path| (0..=3).any(|stage| index.get_path(Path::new(path), stage).is_some()))
            }
            // Sparse and split indexes are git's alone; a broken one is nobody's.
            Err(_) => self.git_tracks(path).unwrap_or(true),
        }
    }

    fn git_tracks(&self, path: &str) -> Option<bool> {
        let mut git = self.owners_git();
        git.env("GIT_WORK_TREE", self.root());
        git.env("GIT_LITERAL_PATHSPECS", "1").args(["-c", "core.fsmonitor=false", "ls-files", "-z", "--cached", "--"]);
        git.args(ancestors(path));
        let said = self.run(git).ok()??;
        let listed = |path: &str| said.stdout.split(|b| *b == 0).any(|name| name == path.as_bytes());
        said.status.success().then(|| ancestors(path).any(listed))
    }

    /// Whether the commit has the file, or a link or submodule on the way to it.
    pub fn commit_has_path(&self, commit: &CommitId, path: &str) -> Result<bool, GitError> {
        let tree =
            self.commit(commit)?.tree().map_err(|error| GitError::object(format!("the tree of {commit}"), &error))?;
        if !plain(path) {
            return Ok(true);
        }
        for path in ancestors(path) {
            match tree.get_path(Path::new(path)) {
                Ok(entry) if entry.kind() != Some(ObjectType::Tree) => return Ok(true),
                Ok(_) => {}
                Err(error) if error.class() == git2::ErrorClass::Tree => {}
                Err(error) => return Err(GitError::object(format!("{path} of {commit}"), &error)),
            }
        }
        Ok(false)
    }
}

/// What an index can hold: relative, and nothing that climbs.
fn plain(path: &str) -> bool {
    !path.is_empty()
        && !path.contains('\0')
        && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

/// The path and every directory above it, from the top down.
fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at]).chain([path]).filter(|path| !path.is_empty())
}

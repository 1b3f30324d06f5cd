//! Whether git tracks a file: what a branch under review can put there must not choose anything.

use std::path::{Component, Path};

use git2::{ObjectType, Oid, Tree};

use super::error::GitError;
use super::loose;
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
    ///
    /// `base` is the other end of the change: the diff between them is what a treeless clone is told to fetch.
    pub fn commit_has_path(&self, commit: &CommitId, path: &str, base: &CommitId) -> Result<bool, GitError> {
        let base = self.commit(base)?.tree_id();
        let top = self.commit(commit)?.tree_id();
        let mut id = top;
        if !plain(path) {
            return Ok(true);
        }
        for part in path.split('/').filter(|part| !part.is_empty()) {
            let tree = self.tree_on_the_way(id, (base, top))?;
            match tree.get_name(part) {
                None => return Ok(false),
                Some(entry) if entry.kind() != Some(ObjectType::Tree) => return Ok(true),
                Some(entry) => id = entry.id(),
            }
        }
        Ok(false)
    }

    /// A treeless clone left it on the server.
    fn tree_on_the_way(&self, id: Oid, range: (Oid, Oid)) -> Result<Tree<'_>, GitError> {
        if loose::is_cut(&self.inner, id) {
            return Err(GitError::cut(format!("the tree {id}")));
        }
        self.provide([id], range)?;
        self.inner.find_tree(id).map_err(|error| GitError::object(format!("the tree {id}"), &error))
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

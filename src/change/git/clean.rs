//! Whether the work tree is what its commit says.

use super::error::GitError;
use super::repo::Repo;

impl Repo {
    /// The paths that `git status` lists, files that it does not track among them: none of a clean tree. A
    /// bare repository has no tree, and none.
    ///
    /// # Errors
    ///
    /// Needs `git`: filters and line ends are its owner's to configure.
    pub fn unclean(&self) -> Result<Vec<String>, GitError> {
        if self.is_bare() {
            return Ok(Vec::new());
        }
        let mut git = self.owners_git();
        git.env("GIT_WORK_TREE", self.root())
            .args(["-c", "core.fsmonitor=false", "status", "--porcelain=v1", "-z", "--no-renames"])
            .args(["--untracked-files=normal", "--ignore-submodules=none"]);
        let said = self.run(git)?.ok_or(GitError::NoGit { what: "telling whether the tree is clean" })?;
        if !said.status.success() {
            return Err(GitError::Child { command: "git status".to_owned(), words: said.words });
        }
        let entries = said.stdout.split(|byte| *byte == 0).filter_map(|entry| entry.get(3..));
        Ok(entries.map(|path| String::from_utf8_lossy(path).into_owned()).collect())
    }
}

//! The change as text: git's own unified diff, with nobody's configuration and nobody's attributes in it.

use super::error::GitError;
use super::pairs::{RENAME_LIMIT, limited};
use super::repo::Repo;
use crate::change::Commits;
use crate::warning::Warning;

impl Repo {
    /// The change `merge_base..head` as `git diff` writes it by default, names unquoted where they can be.
    /// `rename_threshold` is in percent.
    ///
    /// # Errors
    ///
    /// Needs `git`. In a partial clone, what the diff reads is fetched first.
    pub fn unified(&self, commits: &Commits, rename_threshold: u8) -> Result<(Vec<u8>, Vec<Warning>), GitError> {
        let tree = |commit| Ok::<_, GitError>(self.commit(commit)?.tree_id());
        let (old, new) = (tree(&commits.merge_base)?, tree(&commits.head)?);
        self.provide_for_reading(old, new)?;
        let mut git = self.sealed_git()?;
        git.args(["-c", "core.quotePath=false", "diff-tree", "-r", "--patch", "--full-index", "--no-color"])
            .args(["--no-ext-diff", "--no-textconv", "--unified=3", "--inter-hunk-context=0"])
            .args(["--diff-algorithm=myers", "--indent-heuristic", "--src-prefix=a/", "--dst-prefix=b/"])
            .args(["--ignore-submodules=none", "--submodule=short"])
            .arg(format!("-M{rename_threshold}%"))
            .arg(format!("-l{RENAME_LIMIT}"))
            .args([old.to_string(), new.to_string()]);
        let said = self.run(git)?.ok_or(GitError::NoGit { what: "writing the diff as text" })?;
        if !said.status.success() {
            let command = format!("git diff-tree -r -p -M{rename_threshold}% {old} {new}");
            return Err(GitError::Child { command, words: said.words });
        }
        let warnings = limited(&said.words).into_iter().collect();
        Ok((said.stdout, warnings))
    }
}

//! Which commit a revision names.

use git2::Oid;

use super::error::GitError;
use super::loose;
use super::repo::Repo;
use crate::change::CommitId;

impl Repo {
    /// The commit that a revision names: a branch, a tag, an id, `HEAD~2`.
    ///
    /// A plain name of a commit that is whole is read by libgit2. Whatever takes steps through the history is git's to
    /// follow: libgit2 waits for ever for the rest of a commit that was cut short.
    pub fn resolve(&self, rev: &str) -> Result<CommitId, GitError> {
        if rev.starts_with('-') {
            return Err(GitError::LikeAnOption { rev: rev.to_owned() });
        }
        // git would take what is appended below for a revision of its own.
        if rev.is_empty() {
            return Err(self.unknown(rev, None));
        }
        let named = self.inner.resolve_reference_from_short_name(rev).ok().and_then(|named| named.target());
        if let Some(id) = named.or_else(|| self.oid(&CommitId::parse(rev)?)) {
            if loose::is_cut(&self.inner, id) {
                return Err(GitError::cut(format!("the object {id}, which `{rev}` names,")));
            }
            if let Ok(commit) = self.inner.find_commit(id) {
                return self.commit_id(commit.id());
            }
        }
        match self.by_git(&format!("{rev}^{{commit}}"))? {
            Some(Ok(id)) => self.commit_id(id),
            Some(Err(words)) => Err(self.unknown(rev, Some(&words))),
            None => match self.inner.revparse_single(rev).and_then(|object| object.peel_to_commit()) {
                Ok(commit) => self.commit_id(commit.id()),
                Err(_) => Err(self.unknown(rev, None)),
            },
        }
    }

    /// What `git rev-parse` makes of it: the id, or its words; `None` where there is no `git`.
    fn by_git(&self, rev: &str) -> Result<Option<Result<Oid, String>>, GitError> {
        let mut git = self.owners_git();
        git.args(["rev-parse", "--verify", "--end-of-options", rev]);
        let Some(said) = self.run(git)? else { return Ok(None) };
        let id = std::str::from_utf8(&said.stdout).ok().map(str::trim);
        let id = id.and_then(|id| Oid::from_str_ext(id, self.inner.object_format()).ok());
        Ok(Some(id.filter(|_| said.status.success()).ok_or(said.words)))
    }
}

//! Objects that a partial clone left on the server.

use std::collections::{BTreeSet, HashMap};

use git2::{OdbLookupFlags, Oid, Tree};

use super::command::{self, NETWORK, NotRun, pasted};
use super::error::GitError;
use super::loose;
use super::repo::{Network, Repo};
use super::tree::{Entry, Kind, is_gone};

/// What the trees of a change differ in, as far as they are here.
#[derive(Default)]
struct Differences {
    gone: Vec<Oid>,
    deleted: Vec<Entry>,
    added: Vec<Entry>,
    /// Both images of every file that is changed.
    modified: Vec<Entry>,
}

impl Repo {
    /// The remote that has promised what is missing; `None` in a whole clone.
    pub(super) fn promisor(&self) -> Result<Option<&str>, GitError> {
        Ok(self.config()?.promisor())
    }

    /// Makes sure that the objects are here, by one fetch of exactly those that are not.
    pub(super) fn provide(&self, wanted: impl IntoIterator<Item = Oid>, range: (Oid, Oid)) -> Result<(), GitError> {
        // The user's own git fetches, for the diff, just what the diff needs.
        let instead =
            || format!("git -C {} diff -M30% {} {}", command::quoted(&self.root().to_string_lossy()), range.0, range.1);
        let odb = self.inner.odb().map_err(|error| GitError::object("the object store", &error))?;
        let absent = |id: &Oid| !odb.exists_ext(*id, OdbLookupFlags::NO_REFRESH);
        let wanted: BTreeSet<Oid> = wanted.into_iter().collect();
        if !wanted.iter().any(absent) {
            return Ok(());
        }
        odb.refresh().map_err(|error| GitError::object("the object store", &error))?;
        let missing: Vec<Oid> = wanted.into_iter().filter(absent).collect();
        let Some(first) = missing.first() else { return Ok(()) };
        let left = |missing: &[Oid], command: String| GitError::MissingObjects {
            count: missing.len(),
            first: first.to_string(),
            command,
        };
        let Some(remote) = self.promisor()? else {
            return Err(left(&missing, "git fsck".to_owned()));
        };
        if self.network == Network::Forbidden {
            let what =
                format!("reading {} objects of the change that this partial clone left on the server", missing.len());
            return Err(GitError::NeedsNetwork { what, command: instead() });
        }
        self.fetch_objects(remote, &missing)?;
        odb.refresh().map_err(|error| GitError::object("the object store", &error))?;
        let still: Vec<Oid> = missing.iter().copied().filter(absent).collect();
        if still.is_empty() { Ok(()) } else { Err(left(&still, instead())) }
    }

    /// As git does it for itself: the ids on stdin, no negotiation, and no blobs below a tree.
    fn fetch_objects(&self, remote: &str, ids: &[Oid]) -> Result<(), GitError> {
        self.checked_remote(remote)?;
        let io = |source| GitError::Io { what: "handing object ids to git failed", source };
        let list: String = ids.iter().flat_map(|id| [id.to_string(), "\n".to_owned()]).collect();
        let input = command::as_input(list.as_bytes()).map_err(io)?;
        let mut git = self.networked_git();
        // Given as configuration, since `--filter` would be written down in a clone that has none.
        git.args(["-c", "fetch.negotiationAlgorithm=noop", "-c", &format!("remote.{remote}.promisor=true")])
            .args(["-c", &format!("remote.{remote}.partialclonefilter=blob:none")])
            .args(["fetch", "--no-tags", "--no-write-fetch-head", "--refmap=", "--no-recurse-submodules"])
            .args(["--no-auto-maintenance", "--stdin", "--end-of-options", remote]);
        match command::run(git, Some(input), NETWORK) {
            Ok(said) if said.status.success() => Ok(()),
            Ok(said) => Err(GitError::Fetch {
                remote: command::without_credentials(remote),
                words: said.words,
                command: pasted(&["git".into(), "fetch".into(), remote.into(), ids[0].to_string().into()]),
            }),
            Err(NotRun::NoProgram) => Err(GitError::NoGit { what: "fetching what a partial clone left out" }),
            Err(fault) => Err(GitError::not_run(&format!("git fetch {remote}"), fault)),
        }
    }

    /// In a partial clone, makes sure that rename pairing finds what it reads: every tree that
    /// differs, and every file that is added or deleted.
    pub(super) fn provide_for_pairing(&self, old: Oid, new: Oid) -> Result<(), GitError> {
        if self.promisor()?.is_none() {
            return Ok(());
        }
        let found = self.all_differences(old, new)?;
        if found.added.is_empty() || found.deleted.is_empty() {
            return Ok(());
        }
        let files = found.added.iter().chain(&found.deleted).filter(|entry| entry.kind == Kind::File);
        self.provide(files.map(|entry| entry.id), (old, new))
    }

    /// In a partial clone, makes sure that every file which differs is here, both images of it.
    pub(super) fn provide_for_reading(&self, old: Oid, new: Oid) -> Result<(), GitError> {
        if self.promisor()?.is_none() {
            return Ok(());
        }
        let found = self.all_differences(old, new)?;
        let all = found.added.iter().chain(&found.deleted).chain(&found.modified);
        self.provide(all.filter(|entry| entry.kind != Kind::Submodule).map(|entry| entry.id), (old, new))
    }

    /// The differences, once every tree that differs is here.
    fn all_differences(&self, old: Oid, new: Oid) -> Result<Differences, GitError> {
        loop {
            let found = self.differences(old, new)?;
            if found.gone.is_empty() {
                return Ok(found);
            }
            self.provide(found.gone, (old, new))?;
        }
    }

    fn differences(&self, old: Oid, new: Oid) -> Result<Differences, GitError> {
        let mut found = Differences::default();
        let mut pairs = vec![(Some(old), Some(new))];
        while let Some((old, new)) = pairs.pop() {
            let (old, new) = (self.tree_or_gone(old, &mut found.gone)?, self.tree_or_gone(new, &mut found.gone)?);
            let named = |tree: &Option<Tree<'_>>| -> HashMap<Vec<u8>, (Oid, u32)> {
                let entries = tree.iter().flat_map(Tree::iter);
                entries.map(|e| (e.name_bytes().to_owned(), (e.id(), e.filemode().unsigned_abs()))).collect()
            };
            let (old, mut new) = (named(&old), named(&new));
            let is_tree = |side: &Option<(Oid, u32)>| {
                side.filter(|(id, mode)| Entry::new(*id, *mode).is_none()).map(|(id, _)| id)
            };
            let file = |side: Option<(Oid, u32)>| side.and_then(|(id, mode)| Entry::new(id, mode));
            let both: Vec<_> = old.into_iter().map(|(name, old)| (Some(old), new.remove(&name))).collect();
            for (old, new) in both.into_iter().chain(new.into_values().map(|new| (None, Some(new)))) {
                if old == new {
                    continue;
                }
                let trees = (is_tree(&old), is_tree(&new));
                if trees.0.is_some() || trees.1.is_some() {
                    pairs.push(trees);
                }
                match (file(old), file(new)) {
                    (Some(old), None) => found.deleted.push(old),
                    (None, Some(new)) => found.added.push(new),
                    (Some(old), Some(new)) => found.modified.extend([old, new]),
                    (None, None) => {}
                }
            }
        }
        Ok(found)
    }

    fn tree_or_gone(&self, id: Option<Oid>, gone: &mut Vec<Oid>) -> Result<Option<Tree<'_>>, GitError> {
        let Some(id) = id else { return Ok(None) };
        if loose::is_cut(&self.inner, id) {
            return Err(GitError::cut(format!("the tree {id}")));
        }
        match self.inner.find_tree(id) {
            Ok(tree) => Ok(Some(tree)),
            Err(error) if is_gone(&self.inner, id, &error) => {
                gone.push(id);
                Ok(None)
            }
            Err(error) => Err(GitError::object(format!("the tree {id}"), &error)),
        }
    }
}

//! Which deleted and which added file are one renamed file.
//!
//! The forges ask git, and libgit2 pairs differently, so git is asked here too; only where there is
//! none does libgit2 stand in, and a warning says so.

use std::collections::HashMap;

use git2::{Delta, DiffFindOptions, DiffOptions, Index, ObjectFormat, Oid};

use super::error::GitError;
use super::repo::Repo;
use super::tree::Entry;
use crate::warning::{Code, Warning};

/// git's own `diff.renameLimit`, which the forges leave as it is.
pub(super) const RENAME_LIMIT: usize = 1000;

/// The names of a change that stand in one image only, as bytes.
#[derive(Debug, Default)]
pub(super) struct Names {
    renames: Vec<Rename>,
    by_old: HashMap<Vec<u8>, usize>,
    by_new: HashMap<Vec<u8>, usize>,
    /// Names that it can spell.
    utf8: Vec<String>,
    /// Names that JSON cannot spell, of whatever the change does to them.
    not_utf8: Vec<Vec<u8>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rename {
    pub old_path: Vec<u8>,
    pub old: Entry,
    pub new_path: Vec<u8>,
    pub new: Entry,
}

impl Names {
    /// The rename that has this name on either side.
    pub fn rename(&self, path: &str) -> Option<&Rename> {
        let at = self.by_old.get(path.as_bytes()).or_else(|| self.by_new.get(path.as_bytes()))?;
        self.renames.get(*at)
    }

    pub fn not_utf8(&self) -> &[Vec<u8>] {
        &self.not_utf8
    }

    /// Every name of the change that JSON can spell.
    pub fn utf8(&self) -> impl Iterator<Item = &str> + Clone {
        self.utf8.iter().map(String::as_str)
    }

    fn add_rename(&mut self, rename: Rename) {
        let at = self.renames.len();
        self.by_old.insert(rename.old_path.clone(), at);
        self.by_new.insert(rename.new_path.clone(), at);
        self.renames.push(rename);
    }

    fn add_name(&mut self, name: &[u8]) {
        match std::str::from_utf8(name) {
            Ok(name) => self.utf8.push(name.to_owned()),
            Err(_) => self.not_utf8.push(name.to_owned()),
        }
    }

    /// Reads `git diff-tree -r --raw -z -M`: `:MODE MODE ID ID STATUS`, NUL, the name, and for a
    /// rename NUL and the new name. `None` where it is not that.
    fn parse(raw: &[u8], format: ObjectFormat) -> Option<Self> {
        let mut names = Self::default();
        let mut fields = raw.split(|byte| *byte == 0);
        loop {
            let head = fields.next()?;
            if head.is_empty() {
                return fields.next().is_none().then_some(names);
            }
            let head = std::str::from_utf8(head.strip_prefix(b":")?).ok()?;
            let facts: Vec<&str> = head.split(' ').collect();
            let [old_mode, new_mode, old_id, new_id, status] = facts[..] else { return None };
            let path = fields.next().filter(|path| !path.is_empty())?;
            names.add_name(path);
            if status.starts_with(['R', 'C']) {
                let entry = |id: &str, mode: &str| {
                    Entry::new(Oid::from_str_ext(id, format).ok()?, u32::from_str_radix(mode, 8).ok()?)
                };
                let new_path = fields.next().filter(|path| !path.is_empty())?;
                names.add_name(new_path);
                names.add_rename(Rename {
                    old_path: path.to_owned(),
                    old: entry(old_id, old_mode)?,
                    new_path: new_path.to_owned(),
                    new: entry(new_id, new_mode)?,
                });
            }
        }
    }
}

/// What is to be said where git did not compare all the files.
pub(super) fn limited(words: &str) -> Option<Warning> {
    words.contains("rename detection was skipped").then(|| {
        Warning::run(
            Code::RenameLimit,
            format!(
                "the change adds and deletes more files than git compares (its limit is {RENAME_LIMIT}): \
                 only exact renames are paired, here and by the forge"
            ),
        )
    })
}

impl Repo {
    /// The change's renames and unspellable names, and what is to be said about them.
    pub(super) fn names(&self, old: Oid, new: Oid, threshold: u8) -> Result<(Names, Vec<Warning>), GitError> {
        let mut git = self.sealed_git()?;
        git.args(["diff-tree", "-r", "--raw", "-z", "--no-abbrev", "--no-ext-diff", "--ignore-submodules=none"])
            .arg(format!("-M{threshold}%"))
            .arg(format!("-l{RENAME_LIMIT}"))
            .args([old.to_string(), new.to_string()]);
        let failed = |words: &str| GitError::Child {
            command: format!("git diff-tree -r --raw -M{threshold}% {old} {new}"),
            words: words.to_owned(),
        };
        let Some(said) = self.run(git)? else { return self.names_without_git(old, new, threshold) };
        if !said.status.success() {
            return Err(failed(&said.words));
        }
        let names = Names::parse(&said.stdout, self.inner.object_format())
            .ok_or_else(|| failed("its output is not what git documents"))?;
        Ok((names, limited(&said.words).into_iter().collect()))
    }

    fn names_without_git(&self, old: Oid, new: Oid, threshold: u8) -> Result<(Names, Vec<Warning>), GitError> {
        let read = || -> Result<Names, git2::Error> {
            // libgit2 reads attributes through the index even between two trees; an empty one, and
            // in a handle of its own, keeps both out.
            let repo = self.opened_anew().map_err(|error| git2::Error::from_str(&error.to_string()))?;
            repo.set_index(&mut Index::new_ext(self.inner.object_format())?)?;
            let trees = (repo.find_tree(old)?, repo.find_tree(new)?);
            let mut options = DiffOptions::new();
            options.force_text(true).ignore_submodules(false);
            let mut diff = repo.diff_tree_to_tree(Some(&trees.0), Some(&trees.1), Some(&mut options))?;
            let mut find = DiffFindOptions::new();
            find.renames(true).rename_threshold(u16::from(threshold)).rename_limit(RENAME_LIMIT);
            diff.find_similar(Some(&mut find))?;
            let mut names = Names::default();
            for delta in diff.deltas() {
                let (old, new) = (delta.old_file(), delta.new_file());
                for name in [old.path_bytes(), new.path_bytes()].into_iter().flatten() {
                    names.add_name(name);
                }
                let entry = |file: &git2::DiffFile<'_>| Entry::new(file.id(), i32::from(file.mode()).unsigned_abs());
                if let (Delta::Renamed, Some(old_path), Some(new_path), Some(before), Some(after)) =
                    (delta.status(), old.path_bytes(), new.path_bytes(), entry(&old), entry(&new))
                {
                    names.add_rename(Rename {
                        old_path: old_path.to_owned(),
                        old: before,
                        new_path: new_path.to_owned(),
                        new: after,
                    });
                }
            }
            Ok(names)
        };
        let names = read().map_err(|error| GitError::object(format!("the change {old}..{new}"), &error))?;
        let warning = Warning::run(
            Code::NoGit,
            "`git` is not on the PATH, so renames are paired by libgit2: where the forge pairs a renamed file \
             differently, its lines outside the forge's hunks may look commentable here",
        );
        Ok((names, vec![warning]))
    }
}

//! A repository's state before and after, to prove that a run changed nothing.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use sha1::{Digest, Sha1};

use super::Repo;

/// Refs, HEAD, index, work tree, configuration, `FETCH_HEAD`, the shallow boundary and the reflogs, each under a name:
/// `ref refs/heads/main`, `git HEAD`, `git logs/HEAD`, `file src/app.rs`. Objects are left out: a fetch may add some.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint {
    entries: BTreeMap<String, String>,
}

impl Fingerprint {
    pub(super) fn of(repo: &Repo) -> Self {
        let mut entries = BTreeMap::new();
        for line in repo.git(&["for-each-ref", "--format=%(refname) %(objectname)%(symref)"]).lines() {
            let (name, value) = line.split_once(' ').expect("a ref and its value");
            entries.insert(format!("ref {name}"), value.to_owned());
        }
        let directory = |flag: &str| PathBuf::from(repo.git(&["rev-parse", "--path-format=absolute", flag]));
        let common = directory("--git-common-dir");
        for git_dir in [directory("--git-dir"), common] {
            for name in
                ["HEAD", "index", "config", "config.worktree", "FETCH_HEAD", "ORIG_HEAD", "shallow", "info/attributes"]
            {
                if let Ok(bytes) = fs::read(git_dir.join(name)) {
                    entries.insert(format!("git {name}"), digest(&bytes));
                }
            }
            walk(&git_dir.join("logs"), Path::new("logs"), "git", &mut entries);
        }
        if repo.git(&["rev-parse", "--is-bare-repository"]) == "false" {
            walk(repo.path(), Path::new(""), "file", &mut entries);
        }
        Self { entries }
    }

    /// The names of everything that was added, removed or changed between the two.
    pub fn changes(&self, after: &Self) -> Vec<String> {
        let names = self.entries.keys().chain(after.entries.keys());
        let mut changed: Vec<_> =
            names.filter(|n| self.entries.get(*n) != after.entries.get(*n)).map(String::clone).collect();
        changed.sort();
        changed.dedup();
        changed
    }

    /// Panics when anything changed but entries whose name starts with one of `allowed`, such as `ref refs/dai/`.
    #[track_caller]
    pub fn assert_same_but(&self, after: &Self, allowed: &[&str]) {
        let mut changed = self.changes(after);
        changed.retain(|name| !allowed.iter().any(|prefix| name.starts_with(prefix)));
        assert!(changed.is_empty(), "the repository was changed: {changed:#?}");
    }
}

fn digest(bytes: &[u8]) -> String {
    hex::encode(Sha1::digest(bytes))
}

fn walk(dir: &Path, shown: &Path, kind: &str, entries: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        if kind == "file" && shown == Path::new("") && entry.file_name() == ".git" {
            continue;
        }
        let (path, shown) = (entry.path(), shown.join(entry.file_name()));
        let meta = path.symlink_metadata().expect("an entry of the directory");
        if meta.is_dir() {
            walk(&path, &shown, kind, entries);
            continue;
        }
        let content = if meta.is_symlink() {
            fs::read_link(&path).expect("a symbolic link").as_os_str().as_bytes().to_vec()
        } else {
            fs::read(&path).unwrap_or_default()
        };
        let mode = std::os::unix::fs::PermissionsExt::mode(&meta.permissions());
        entries.insert(format!("{kind} {}", shown.display()), format!("{mode:o} {}", digest(&content)));
    }
}

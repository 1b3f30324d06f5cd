//! Real repositories in a temporary directory, made by git with nothing of this machine's settings.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use dai::change::git::{Network, Repo};
use dai::change::{Change, CommitId, Commits, Missing};
use tempfile::TempDir;

pub struct Lab {
    dir: TempDir,
}

impl Lab {
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("home")).unwrap();
        Self { dir }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// A new repository with a work tree on branch `main`.
    pub fn init(&self, name: &str) -> Work {
        self.init_with(name, &[])
    }

    pub fn init_with(&self, name: &str, options: &[&str]) -> Work {
        let path = self.path(name);
        self.git(self.dir.path(), &[&["init", "-q", "-b", "main"], options, &[path.to_str().unwrap()]].concat());
        self.work(name)
    }

    /// `git clone OPTIONS file://FROM TO`: the protocol, so that depth and filters are obeyed.
    pub fn clone(&self, from: &Path, name: &str, options: &[&str]) -> Work {
        let url = format!("file://{}", from.display());
        let path = self.path(name);
        self.git(self.dir.path(), &[&["clone", "-q"], options, &[&url, path.to_str().unwrap()]].concat());
        self.work(name)
    }

    pub fn work(&self, name: &str) -> Work {
        Work { path: self.path(name), home: self.path("home") }
    }

    pub fn git(&self, at: &Path, args: &[&str]) -> String {
        Work { path: at.to_owned(), home: self.path("home") }.git(args)
    }
}

/// One repository's directory.
pub struct Work {
    pub path: PathBuf,
    home: PathBuf,
}

impl Work {
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", &self.home);
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null").env("LC_ALL", "C");
        for (who, name) in [("AUTHOR", "Ada"), ("COMMITTER", "Ada")] {
            command.env(format!("GIT_{who}_NAME"), name).env(format!("GIT_{who}_EMAIL"), "ada@example.org");
            command.env(format!("GIT_{who}_DATE"), "2024-01-01T00:00:00Z");
        }
        command.args(["-c", "protocol.file.allow=always"]).args(args).current_dir(&self.path).stdin(Stdio::null());
        command
    }

    pub fn output(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// What git prints, trimmed; panics with git's words when it fails.
    pub fn git(&self, args: &[&str]) -> String {
        let output = self.output(args);
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.path.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    pub fn remove(&self, path: &str) -> &Self {
        fs::remove_file(self.path.join(path)).unwrap();
        self
    }

    /// Everything of the work tree as a commit of the current branch.
    pub fn commit(&self, message: &str) -> CommitId {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.id("HEAD")
    }

    pub fn id(&self, rev: &str) -> CommitId {
        CommitId::parse(&self.git(&["rev-parse", &format!("{rev}^{{commit}}")])).unwrap()
    }
}

/// The change between two commits, the first being the merge base.
pub fn between(merge_base: &CommitId, head: &CommitId) -> Commits {
    Commits { base: None, merge_base: merge_base.clone(), head: head.clone() }
}

/// `count` lines that differ from one another and from those of another `word`.
pub fn lines(word: &str, count: usize) -> String {
    (1..=count).map(|n| format!("{word} line {n} of the file\n")).collect()
}

/// The repository at a path, as the product opens it for a preview.
pub fn open(path: &Path) -> Repo {
    Repo::discover(path, Network::Forbidden).unwrap()
}

/// Why the change does not know a path; `None` where it does. Which other path is near is not the oracle's to say.
pub fn missing(change: &Change, name: &str) -> Option<Missing> {
    let known = change.by_old_path(name).is_some() || change.by_new_path(name).is_some();
    let why = (!known).then(|| change.missing(name));
    why.map(|why| if matches!(why, Missing::Near(_)) { Missing::Absent } else { why })
}

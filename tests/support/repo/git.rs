//! Running `git` so that nothing of the machine or of CI shows through.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A temporary directory with an empty home in it; gone with the last value that holds it.
#[derive(Debug)]
pub struct Scratch {
    dir: TempDir,
}

impl Scratch {
    pub fn new() -> Self {
        let dir = tempfile::Builder::new().prefix("dai-test-").tempdir().expect("a temporary directory");
        std::fs::create_dir(dir.path().join("home")).expect("a home directory");
        Self { dir }
    }

    /// The directory itself, with symbolic links in its own path resolved.
    pub fn path(&self) -> PathBuf {
        self.dir.path().canonicalize().expect("the temporary directory stands")
    }

    /// An empty home directory.
    pub fn home(&self) -> PathBuf {
        self.path().join("home")
    }
}

/// The whole environment of a child: no `GIT_*` of the caller, no CI variable, no system or user configuration.
pub fn environment(home: &Path) -> Vec<(OsString, OsString)> {
    let mut all: Vec<(OsString, OsString)> = vec![
        ("HOME".into(), home.into()),
        ("XDG_CONFIG_HOME".into(), home.join(".config").into()),
        ("GIT_CONFIG_NOSYSTEM".into(), "1".into()),
        ("GIT_TERMINAL_PROMPT".into(), "0".into()),
        ("LANG".into(), "C.UTF-8".into()),
        ("LC_ALL".into(), "C.UTF-8".into()),
        ("TZ".into(), "UTC".into()),
        ("TMPDIR".into(), std::env::temp_dir().into()),
        ("NO_PROXY".into(), "127.0.0.1,localhost".into()),
    ];
    all.extend(std::env::var_os("PATH").map(|path| (OsString::from("PATH"), path)));
    all
}

/// Seconds since the epoch of the first commit of every repository: 2026-01-01.
const FIRST_COMMIT: i64 = 1_767_225_600;

/// A `git` in `dir`; `tick` moves author's and committer's date, so that commits have an order and stable names.
pub fn command(home: &Path, dir: &Path, tick: i64) -> Command {
    let date = format!("{} +0000", FIRST_COMMIT + tick * 60);
    let mut git = Command::new("git");
    git.env_clear().envs(environment(home)).current_dir(dir).stdin(Stdio::null());
    for who in ["AUTHOR", "COMMITTER"] {
        git.env(format!("GIT_{who}_NAME"), "Ann Author").env(format!("GIT_{who}_EMAIL"), "ann@example.org");
        git.env(format!("GIT_{who}_DATE"), &date);
    }
    git
}

/// Runs git in `dir` with an empty home, whatever comes of it.
pub fn try_git<A: AsRef<OsStr>>(dir: &Path, args: &[A]) -> Output {
    let nowhere = Path::new("/nonexistent");
    command(nowhere, dir, 0).args(args).output().expect("git is there")
}

/// What git prints, byte for byte; panics with git's own words when it fails.
pub fn git_bytes<A: AsRef<OsStr>>(dir: &Path, args: &[A]) -> Vec<u8> {
    succeeded(args, try_git(dir, args))
}

/// What git prints, trimmed.
pub fn git<A: AsRef<OsStr>>(dir: &Path, args: &[A]) -> String {
    String::from_utf8_lossy(&git_bytes(dir, args)).trim_end().to_owned()
}

pub(super) fn succeeded<A: AsRef<OsStr>>(args: &[A], output: Output) -> Vec<u8> {
    let said: Vec<_> = args.iter().map(|a| a.as_ref().to_string_lossy().into_owned()).collect();
    assert!(output.status.success(), "git {} failed: {}", said.join(" "), String::from_utf8_lossy(&output.stderr));
    output.stdout
}

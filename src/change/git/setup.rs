//! Where git says that the repository is, and that whoever runs this may use it.
//!
//! git is asked and not libgit2: the two read `safe.directory` in different ways, and only git knows what the
//! caller's `GIT_DIR`, `GIT_WORK_TREE` and `GIT_CONFIG_*` mean.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::command::{self, LOCAL, NotRun};
use super::error::GitError;
use super::repo::NamedBy;

/// git's answer.
#[derive(Debug)]
pub(super) struct Setup {
    pub git_dir: PathBuf,
    pub common_dir: PathBuf,
    /// `None` of a bare repository.
    pub work_tree: Option<PathBuf>,
}

impl Setup {
    /// `None` where there is no `git`.
    pub fn ask(program: &OsStr, dir: &Path, named_by: NamedBy) -> Result<Option<Self>, GitError> {
        let mut git = match named_by {
            NamedBy::Caller => command::callers(program, dir),
            NamedBy::Folder => command::owners(program, dir),
        };
        // The last one prints no line at all where there is no work tree.
        git.args(["rev-parse", "--absolute-git-dir", "--git-common-dir", "--is-bare-repository", "--show-cdup"]);
        let said = match command::run(git, None, LOCAL) {
            Ok(said) => said,
            Err(NotRun::NoProgram) => return Ok(None),
            Err(fault) => return Err(GitError::not_run("git rev-parse", fault)),
        };
        if !said.status.success() {
            return Err(refused(dir, &said.words));
        }
        let mut lines = said.stdout.split(|byte| *byte == b'\n').map(path_of);
        let mut next = || lines.next().filter(|path| !path.as_os_str().is_empty()).map(|path| tidy(&dir.join(path)));
        let unclear = || GitError::Open { path: dir.to_owned(), words: "git does not say where it is".to_owned() };
        let git_dir = next().ok_or_else(unclear)?;
        let common_dir = next().ok_or_else(unclear)?;
        let is_bare = lines.next().ok_or_else(unclear)?.as_os_str() == "true";
        // Behind the last line's end there is one more piece, which is empty.
        let rest: Vec<PathBuf> = lines.collect();
        let work_tree = match rest.as_slice() {
            [up, _] => Some(tidy(&dir.join(up))),
            // Inside the git directory itself.
            _ if !is_bare && git_dir.file_name() == Some(OsStr::new(".git")) => git_dir.parent().map(Path::to_owned),
            _ => None,
        };
        Ok(Some(Self { git_dir, common_dir, work_tree }))
    }
}

/// Without links and `..`, as git and libgit2 name both.
fn tidy(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.components().collect())
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).trim_end_matches('\r'))
}

/// By git's own words, which are always English here.
fn refused(dir: &Path, words: &str) -> GitError {
    let path = dir.to_owned();
    if words.contains("dubious ownership") {
        let owned = words.split('\'').nth(1).map_or(path, PathBuf::from);
        return GitError::OtherOwner { path: owned };
    }
    if words.starts_with("fatal: not a git repository (or any") {
        return GitError::NoRepository { dir: path };
    }
    if words.starts_with("fatal: unknown repository extension") {
        let what = words.lines().nth(1).unwrap_or_default().trim();
        return GitError::Unsupported { path, what: format!("extensions.{what}") };
    }
    if words.contains("git repo version") {
        let version = words.split(|c: char| !c.is_ascii_digit()).rfind(|digits| !digits.is_empty());
        return GitError::Unsupported { path, what: format!("repository format {}", version.unwrap_or("?")) };
    }
    let first = words.lines().next().unwrap_or_default();
    let words = first.strip_prefix("fatal: ").unwrap_or(first).to_owned();
    match command::named_repository() {
        Some(named) => GitError::Named { named, words },
        None => GitError::Open { path, words },
    }
}

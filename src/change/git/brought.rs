//! A git directory that a change brings.
//!
//! Any folder with `HEAD`, `objects` and `refs` in it is a bare repository to git, and so it is to
//! whoever stands in it. A branch can hold such a folder, with a configuration that names programs and
//! servers. `.git` itself, as a folder or as a file, is the one name that no tree may have.

use std::path::{Path, PathBuf};

use git2::Repository;

use super::error::GitError;

/// Refuses a git directory that was found because `dir` is in it, where another repository has it among
/// its files.
pub(super) fn check(dir: &Path, git_dir: &Path) -> Result<(), GitError> {
    let (Ok(dir), Ok(git_dir)) = (dir.canonicalize(), git_dir.canonicalize()) else { return Ok(()) };
    if !dir.starts_with(&git_dir) {
        return Ok(());
    }
    // What lies between may be of the same make, so that none of it has a say.
    for top in git_dir.ancestors().skip(1).filter(|above| above.join(".git").symlink_metadata().is_ok()) {
        let below = git_dir.strip_prefix(top).unwrap_or(&git_dir);
        if has(top, below) {
            return Err(GitError::Brought { path: git_dir.clone(), top: top.to_owned() });
        }
    }
    Ok(())
}

/// Whether the repository at `top` tracks anything in the folder. Where it cannot be told, the answer
/// is yes: a refusal is the harmless mistake.
fn has(top: &Path, folder: &Path) -> bool {
    if folder.components().any(|part| part.as_os_str() == ".git") {
        return false;
    }
    // Whose it is plays no part in what is tracked there, and nothing of it is obeyed.
    let outer = git_dir_of(top).and_then(|outer| Repository::open_bare(outer).ok());
    let Some(outer) = outer else { return true };
    let Ok(index) = outer.index() else { return true };
    // An index names its files as git does, whatever the system's separator.
    let parts: Vec<_> = folder.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    index.find_prefix(format!("{}/", parts.join("/"))).is_ok()
}

/// `.git` itself, or the place that a file of that name has written in it.
fn git_dir_of(top: &Path) -> Option<PathBuf> {
    let entry = top.join(".git");
    if entry.is_dir() {
        return Some(entry);
    }
    let named = std::fs::read_to_string(&entry).ok()?;
    Some(top.join(named.strip_prefix("gitdir:")?.trim()))
}

//! A repository that a test writes, commit by commit.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use super::Fingerprint;
use super::git::{Scratch, command, succeeded};

/// A repository with a work tree (or a bare one, from a bare clone). Commits get dates one minute apart, the first one on
/// 2026-01-01, so the same steps give the same commit names on every machine.
#[derive(Debug, Clone)]
pub struct Repo {
    scratch: Arc<Scratch>,
    dir: PathBuf,
    ticks: Arc<AtomicI64>,
}

impl Repo {
    /// An empty repository whose first branch is `main`.
    pub fn new() -> Self {
        Self::with_format("sha1")
    }

    /// An empty repository of SHA-256 objects.
    pub fn sha256() -> Self {
        Self::with_format("sha256")
    }

    fn with_format(format: &str) -> Self {
        let scratch = Arc::new(Scratch::new());
        let dir = scratch.path().join("work");
        fs::create_dir(&dir).expect("a directory for the repository");
        let repo = Self::adopt(scratch, dir);
        repo.git(&["init", "--quiet", "--initial-branch=main", &format!("--object-format={format}")]);
        repo
    }

    /// Wraps a repository that already stands at `dir`.
    pub(super) fn adopt(scratch: Arc<Scratch>, dir: PathBuf) -> Self {
        Self { scratch, dir, ticks: Arc::new(AtomicI64::new(0)) }
    }

    /// The work tree's root, or the git directory of a bare repository.
    pub fn path(&self) -> &Path {
        &self.dir
    }

    /// The home directory that this repository's git sees; give it to the program to share a `.gitconfig`.
    pub fn home(&self) -> PathBuf {
        self.scratch.home()
    }

    /// Runs git here, whatever comes of it.
    pub fn try_git<A: AsRef<OsStr>>(&self, args: &[A]) -> Output {
        let tick = self.ticks.load(Ordering::Relaxed);
        command(&self.home(), &self.dir, tick).args(args).output().expect("git is there")
    }

    /// What git prints here, byte for byte; panics when it fails.
    pub fn git_bytes<A: AsRef<OsStr>>(&self, args: &[A]) -> Vec<u8> {
        succeeded(args, self.try_git(args))
    }

    /// What git prints here, without the line end.
    pub fn git<A: AsRef<OsStr>>(&self, args: &[A]) -> String {
        String::from_utf8_lossy(&self.git_bytes(args)).trim_end().to_owned()
    }

    fn place(&self, path: impl AsRef<[u8]>) -> PathBuf {
        let place = self.dir.join(OsStr::from_bytes(path.as_ref()));
        fs::create_dir_all(place.parent().expect("a path inside the repository")).expect("parent directories");
        place
    }

    /// Writes a file of the work tree; the path is bytes, so that names that are not UTF-8 can be made.
    pub fn write(&self, path: impl AsRef<[u8]>, content: impl AsRef<[u8]>) -> &Self {
        fs::write(self.place(path), content).expect("the file can be written");
        self
    }

    /// Removes a file of the work tree.
    pub fn remove(&self, path: impl AsRef<[u8]>) -> &Self {
        fs::remove_file(self.place(path)).expect("the file stands");
        self
    }

    /// Renames in the work tree.
    pub fn rename(&self, from: impl AsRef<[u8]>, to: impl AsRef<[u8]>) -> &Self {
        fs::rename(self.place(from), self.place(to)).expect("the file stands");
        self
    }

    /// Puts a symbolic link in the place of whatever stands there.
    pub fn symlink(&self, path: impl AsRef<[u8]>, target: &str) -> &Self {
        let place = self.place(path);
        if place.symlink_metadata().is_ok() {
            fs::remove_file(&place).expect("the old entry goes");
        }
        symlink(target, place).expect("a symbolic link");
        self
    }

    /// Sets or clears the executable bit.
    pub fn executable(&self, path: impl AsRef<[u8]>, yes: bool) -> &Self {
        let mode = if yes { 0o755 } else { 0o644 };
        fs::set_permissions(self.place(path), fs::Permissions::from_mode(mode)).expect("the file stands");
        self
    }

    /// Stages a submodule entry; the commit need not exist anywhere.
    pub fn gitlink(&self, path: &str, commit: &str) -> &Self {
        // An empty directory stands for a submodule that was not checked out: `add -A` leaves it alone.
        fs::create_dir_all(self.dir.join(path)).expect("the submodule's directory");
        self.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{commit},{path}")]);
        self
    }

    /// Stages everything and commits, also when nothing changed; gives the commit's full name.
    pub fn commit(&self, message: &str) -> String {
        self.ticks.fetch_add(1, Ordering::Relaxed);
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--no-verify", "-m", message]);
        self.head()
    }

    /// The full name of HEAD's commit.
    pub fn head(&self) -> String {
        self.rev("HEAD")
    }

    /// The full name of what `spec` names.
    pub fn rev(&self, spec: &str) -> String {
        self.git(&["rev-parse", "--verify", "--end-of-options", spec])
    }

    /// The merge base that git picks.
    pub fn merge_base(&self, a: &str, b: &str) -> String {
        self.git(&["merge-base", a, b])
    }

    /// Makes a branch at HEAD and switches to it.
    pub fn switch_new(&self, branch: &str) -> &Self {
        self.git(&["switch", "--quiet", "-c", branch]);
        self
    }

    /// Switches to a branch, or detaches HEAD at a commit.
    pub fn switch(&self, to: &str) -> &Self {
        self.git(&["checkout", "--quiet", to]);
        self
    }

    /// Starts a history of its own, with an empty work tree.
    pub fn orphan(&self, branch: &str) -> &Self {
        self.git(&["switch", "--quiet", "--orphan", branch]);
        self
    }

    /// Merges with a merge commit, in favour of ours where both sides changed; gives the commit.
    pub fn merge(&self, other: &str) -> String {
        self.ticks.fetch_add(1, Ordering::Relaxed);
        self.git(&["merge", "--quiet", "--no-ff", "-X", "ours", "-m", "merge", other]);
        self.head()
    }

    /// Sets a value of the repository's own configuration.
    pub fn config(&self, key: &str, value: &str) -> &Self {
        self.git(&["config", key, value]);
        self
    }

    /// Sets a value of the user's configuration, the one in [`Repo::home`].
    pub fn user_config(&self, key: &str, value: &str) -> &Self {
        self.git(&["config", "--global", key, value]);
        self
    }

    /// Adds a remote without contacting it.
    pub fn remote(&self, name: &str, url: &str) -> &Self {
        self.git(&["remote", "add", name, url]);
        self
    }

    /// A linked work tree of this repository at a new directory beside it, on a detached `rev`.
    pub fn worktree(&self, rev: &str) -> Self {
        let number = self.scratch.path().read_dir().expect("the scratch directory").count();
        let dir = self.scratch.path().join(format!("linked-{number}"));
        self.git(&[
            OsStr::new("worktree"),
            "add".as_ref(),
            "--quiet".as_ref(),
            "--detach".as_ref(),
            dir.as_os_str(),
            rev.as_ref(),
        ]);
        Self { scratch: Arc::clone(&self.scratch), dir, ticks: Arc::clone(&self.ticks) }
    }

    /// What stands here now, to be held against what stands here later.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(self)
    }
}

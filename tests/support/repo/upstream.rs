//! The forge's side of a project: a bare repository with the refs of its requests.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Repo;
use super::git::{Scratch, git, git_bytes, try_git};

/// Which wants the server takes besides the tips that it advertises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShaWants {
    /// Any object, as GitHub and GitLab do.
    Any,
    /// Only advertised tips. Holds for protocol version 0: with version 2 git itself takes any object, so the loopback
    /// server stops speaking version 2 then; over `file://` set `protocol.version=0` in the clone.
    TipsOnly,
}

/// A bare repository at `<root>/<project>.git`.
#[derive(Debug, Clone)]
pub struct Upstream {
    dir: PathBuf,
    _scratch: Option<Arc<Scratch>>,
}

impl Upstream {
    /// Makes it under a forge's root; `project` is `owner/repo` or `group/sub/project`.
    pub fn under(root: &Path, project: &str) -> Self {
        let dir = root.join(format!("{project}.git"));
        if !dir.exists() {
            fs::create_dir_all(&dir).expect("the project's directory");
            git(&dir, &["init", "--quiet", "--bare", "--initial-branch=main"]);
            for setting in ["uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant", "http.uploadpack"] {
                git(&dir, &["config", setting, "true"]);
            }
        }
        Self { dir, _scratch: None }
    }

    /// One of its own, without a forge in front of it.
    pub fn alone(project: &str) -> Self {
        let scratch = Arc::new(Scratch::new());
        Self { _scratch: Some(Arc::clone(&scratch)), ..Self::under(&scratch.path().join("srv"), project) }
    }

    pub fn path(&self) -> &Path {
        &self.dir
    }

    /// The URL that makes git use its transport instead of copying files.
    pub fn file_url(&self) -> String {
        format!("file://{}", self.dir.display())
    }

    pub fn git<A: AsRef<OsStr>>(&self, args: &[A]) -> String {
        git(&self.dir, args)
    }

    pub fn git_bytes<A: AsRef<OsStr>>(&self, args: &[A]) -> Vec<u8> {
        git_bytes(&self.dir, args)
    }

    /// The full name of a commit, or `None`; tags are peeled.
    pub fn commit(&self, spec: &str) -> Option<String> {
        let output = try_git(
            &self.dir,
            &["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{spec}^{{commit}}")],
        );
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
    }

    /// The merge base that git picks, or `None` for unrelated histories.
    pub fn merge_base(&self, a: &str, b: &str) -> Option<String> {
        let output = try_git(&self.dir, &["merge-base", a, b]);
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
    }

    /// Whether `older` is `newer` or one of its ancestors.
    pub fn contains(&self, newer: &str, older: &str) -> bool {
        try_git(&self.dir, &["merge-base", "--is-ancestor", older, newer]).status.success()
    }

    /// Takes branches (or refspecs) from a repository, by force.
    pub fn push(&self, from: &Repo, refspecs: &[&str]) -> &Self {
        let dir = self.dir.display().to_string();
        let mut args = vec!["push", "--quiet", "--force", &dir];
        args.extend(refspecs);
        from.git(&args);
        self
    }

    /// Brings a commit of `from` here under the forge's ref of a request, `refs/pull/7/head` or the like; no branch is
    /// needed, as with a fork or a deleted branch.
    pub fn push_request(&self, from: &Repo, commit: &str, request_ref: &str) -> &Self {
        self.push(from, &[&format!("{commit}:{request_ref}")])
    }

    pub fn set_ref(&self, name: &str, commit: &str) -> &Self {
        self.git(&["update-ref", name, commit]);
        self
    }

    pub fn delete_branch(&self, name: &str) -> &Self {
        self.git(&["update-ref", "-d", &format!("refs/heads/{name}")]);
        self
    }

    pub fn sha_wants(&self, wants: ShaWants) -> &Self {
        let any = if wants == ShaWants::Any { "true" } else { "false" };
        self.git(&["config", "uploadpack.allowAnySHA1InWant", any]);
        self
    }

    /// What [`Upstream::sha_wants`] set.
    pub fn takes_any_sha(&self) -> bool {
        self.git(&["config", "--default", "false", "uploadpack.allowAnySHA1InWant"]) == "true"
    }

    /// Removes the repository, as when its project is deleted.
    pub fn delete(&self) {
        fs::remove_dir_all(&self.dir).expect("the bare repository stands");
    }
}

//! Clones of every kind that users and CI have.

use std::sync::Arc;

use super::Repo;
use super::git::{Scratch, command, succeeded};

/// A clone that is about to be made; plain `Cloned::of(url).make()` is a full one with its default branch checked out.
#[derive(Debug)]
pub struct Cloned {
    url: String,
    options: Vec<String>,
    configuration: Vec<(String, String)>,
}

impl Cloned {
    /// Of an `http://127.0.0.1:…`, a `file://…` URL, or a plain path (which shares objects and ignores depth).
    pub fn of(url: impl Into<String>) -> Self {
        Self { url: url.into(), options: Vec::new(), configuration: Vec::new() }
    }

    fn option(mut self, option: impl Into<String>) -> Self {
        self.options.push(option.into());
        self
    }

    /// Cut off after `depth` commits, of one branch only: what CI has.
    pub fn shallow(self, depth: u32) -> Self {
        self.option(format!("--depth={depth}"))
    }

    /// Without blobs; the server must allow filters, see [`super::Upstream`].
    pub fn partial(self) -> Self {
        self.option("--filter=blob:none")
    }

    /// Without blobs and trees.
    pub fn treeless(self) -> Self {
        self.option("--filter=tree:0")
    }

    pub fn bare(self) -> Self {
        self.option("--bare")
    }

    pub fn no_checkout(self) -> Self {
        self.option("--no-checkout")
    }

    /// Checks out this branch, with its upstream set.
    pub fn branch(self, name: &str) -> Self {
        self.option(format!("--branch={name}"))
    }

    /// The remote's name in place of `origin`.
    pub fn origin(self, name: &str) -> Self {
        self.option(format!("--origin={name}"))
    }

    /// A value of the clone's own configuration, set before its first fetch.
    pub fn config(mut self, key: &str, value: &str) -> Self {
        self.configuration.push((key.to_owned(), value.to_owned()));
        self
    }

    pub fn make(self) -> Repo {
        let scratch = Arc::new(Scratch::new());
        let dir = scratch.path().join("clone");
        let mut args = vec!["clone".to_owned(), "--quiet".to_owned()];
        args.extend(self.options);
        args.extend(self.configuration.iter().map(|(key, value)| format!("--config={key}={value}")));
        args.extend(["--".to_owned(), self.url, dir.display().to_string()]);
        let output = command(&scratch.home(), &scratch.path(), 0).args(&args).output().expect("git is there");
        succeeded(&args, output);
        Repo::adopt(scratch, dir)
    }
}

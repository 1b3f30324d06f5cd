//! One request on each loopback forge, a clone of its project, a canary that nothing may wake, and a `git` that tells what
//! it was started with.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::github::{Account, GitHub, Head};
use crate::support::gitlab::{self, GitLab};
use crate::support::repo::{Cloned, Repo, Scratch};
use crate::support::run::Dai;

pub const HUB_PROJECT: &str = "acme/widgets";
pub const LAB_PROJECT: &str = "group/sub/widgets";
/// Of no known shape, so that only the knowledge of what the run holds can hide it.
pub const TOKEN: &str = "Zq7-canary_token-5f3c9e1b7d20";
pub const NUMBER: u64 = 22;
/// What shortens the waits of a run: a second takes so much of one.
const HURRY: &str = "DAI_TEST_HURRY";

pub fn numbered(count: u32) -> String {
    (1..=count).map(|n| format!("line {n}\n")).collect()
}

/// An author's repository: `a.rs` of `main` has 40 lines, `topic` changes the fifth, and `more` does the rest.
pub fn author(more: impl FnOnce(&Repo)) -> Repo {
    let author = Repo::new();
    author.write("a.rs", numbered(40)).commit("base");
    author.switch_new("topic").write("a.rs", numbered(40).replace("line 5\n", "line five\n"));
    more(&author);
    author.commit("change");
    author
}

pub fn finding(line: u32, body: &str) -> Value {
    json!({ "path": "a.rs", "line": line, "severity": "high", "body": body })
}

/// Request 22 of a project on GitHub.
pub struct Hub {
    pub forge: GitHub,
    pub author: Repo,
    pub clone: Repo,
    pub head: String,
}

impl Hub {
    pub fn new() -> Self {
        Self::of(author(|_| ()))
    }

    /// A request of the author's branch `topic` into `main`.
    pub fn of(author: Repo) -> Self {
        let forge = GitHub::start();
        forge.upstream(HUB_PROJECT).push(&author, &["main", "topic"]);
        forge.stage.open(HUB_PROJECT, NUMBER, Head::branch("topic"), "main");
        forge.stage.account(TOKEN, Account::person("ann"));
        let clone = Cloned::of(forge.clone_url(HUB_PROJECT)).make();
        let head = author.rev("topic");
        Self { forge, author, clone, head }
    }

    pub fn review(&self, findings: &[Value]) -> &Self {
        let review = json!({ "head": self.head, "summary": "The judgement.", "findings": findings });
        self.clone.write(".dai/reviews/22.json", review.to_string());
        self
    }

    /// `dai` in the clone, told of the forge and of the token.
    pub fn dai(&self) -> Dai {
        let run = Dai::in_repo(&self.clone).env("GH_ENTERPRISE_TOKEN", TOKEN);
        run.env("GITHUB_API_URL", self.forge.api_url()).env("DAI_FORGE", "github").env(HURRY, "0.05")
    }

    /// `dai forge review 22` and more.
    pub fn run(&self, args: &[&str]) -> Dai {
        self.dai().args(["forge", "review", "22"]).args(args.iter().copied())
    }

    /// Every text that stands on the request.
    pub fn bodies(&self) -> Vec<String> {
        self.forge.stage.pull(NUMBER, |pull| {
            let reviews = pull.reviews.iter().map(|review| review.body.clone());
            reviews.chain(pull.comments.iter().map(|comment| comment.body.clone())).collect()
        })
    }
}

/// Request 22 of a project on GitLab.
pub struct Lab {
    pub forge: GitLab,
    pub clone: Repo,
    pub head: String,
}

impl Lab {
    pub fn new() -> Self {
        Self::of(author(|_| ()))
    }

    pub fn of(author: Repo) -> Self {
        let forge = GitLab::start();
        forge.upstream(LAB_PROJECT).push(&author, &["main", "topic"]);
        forge.stage.open(LAB_PROJECT, NUMBER, "topic", "main");
        forge.stage.account(TOKEN, gitlab::Account::person("ann"));
        let clone = Cloned::of(forge.clone_url(LAB_PROJECT)).make();
        let head = author.rev("topic");
        Self { forge, clone, head }
    }

    pub fn review(&self, findings: &[Value]) -> &Self {
        self.write(&json!({ "head": self.head, "summary": "The judgement.", "findings": findings }))
    }

    pub fn write(&self, review: &Value) -> &Self {
        self.clone.write(".dai/reviews/22.json", review.to_string());
        self
    }

    pub fn dai(&self) -> Dai {
        let host = self.forge.api_url().replace("/api/v4", "");
        Dai::in_repo(&self.clone).env("GITLAB_HOST", host).env("GITLAB_TOKEN", TOKEN).env(HURRY, "0.05")
    }

    pub fn run(&self, args: &[&str]) -> Dai {
        self.dai().args(["forge", "review", "22"]).args(args.iter().copied())
    }

    /// Every text that stands on the request.
    pub fn bodies(&self) -> Vec<String> {
        self.forge.stage.request(NUMBER, |request| request.notes().map(|note| note.body.clone()).collect())
    }
}

/// A file that only something hostile would make.
pub struct Canary {
    scratch: Scratch,
}

impl Canary {
    pub fn new() -> Self {
        Self { scratch: Scratch::new() }
    }

    pub fn path(&self) -> PathBuf {
        self.scratch.path().join("awake")
    }

    /// A shell command that wakes it.
    pub fn command(&self) -> String {
        format!("touch {}", self.path().display())
    }

    /// A program that wakes it, whatever it is given.
    pub fn program(&self) -> String {
        let path = self.scratch.path().join("wake");
        executable(&path, &format!("#!/bin/sh\ntouch {}\nexit 0\n", self.path().display()));
        path.display().to_string()
    }

    #[track_caller]
    pub fn assert_asleep(&self) {
        assert!(!self.path().exists(), "something of the change was run");
    }

    /// Proof that a trap works: it is sprung on purpose.
    #[track_caller]
    pub fn assert_awake(&self) {
        assert!(self.path().exists(), "the trap of this test does not work");
        fs::remove_file(self.path()).expect("the canary goes back to sleep");
    }
}

pub fn executable(path: &Path, text: &str) {
    fs::write(path, text).expect("the script can be written");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("the script can be run");
}

/// A `git` first on the path that writes down its arguments and its environment, and then is git.
pub struct ListeningGit {
    scratch: Scratch,
}

impl ListeningGit {
    pub fn new() -> Self {
        let scratch = Scratch::new();
        let script = format!(
            "#!/bin/sh\n{{ printf '%s\\0' \"$0\" \"$@\"; echo; env; echo; }} >> '{0}/heard'\n\
             PATH=\"${{PATH#{0}:}}\"\nexport PATH\nexec git \"$@\"\n",
            scratch.path().display()
        );
        executable(&scratch.path().join("git"), &script);
        Self { scratch }
    }

    pub fn path(&self) -> OsString {
        let mut all = self.scratch.path().into_os_string();
        all.push(":");
        all.push(std::env::var_os("PATH").unwrap_or_default());
        all
    }

    /// Everything that it was started with.
    #[track_caller]
    pub fn heard(&self) -> String {
        let bytes = fs::read(self.scratch.path().join("heard")).expect("git was started");
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

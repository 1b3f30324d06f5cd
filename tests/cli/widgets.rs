//! Request 22 of the project acme/widgets on a loopback GitHub, a clone of it, and a review file in that clone.

use serde_json::{Value, json};

use crate::local::numbered;
use crate::support::github::{Account, GitHub, Head};
use crate::support::repo::{Cloned, Repo};
use crate::support::run::{Dai, Normal};

pub const PROJECT: &str = "acme/widgets";
pub const TOKEN: &str = "ghp_0123456789abcdefghijABCDEFGHIJ0123";
/// The one write that posts.
pub const REVIEWS: &str = "/repos/acme/widgets/pulls/22/reviews";

/// `a.rs` has two hunks, `old.rs` is renamed to `new.rs` with one line changed, `gone.rs` is deleted, `made.rs` is added.
pub struct Widgets {
    pub forge: GitHub,
    /// What the request's author has.
    pub author: Repo,
    /// What the user of the program has.
    pub clone: Repo,
    pub base: String,
    pub head: String,
}

impl Widgets {
    pub fn new() -> Self {
        Self::on(GitHub::start())
    }

    /// On a GitHub that was started otherwise.
    pub fn on(forge: GitHub) -> Self {
        let author = Repo::new();
        author.write("a.rs", numbered(40)).write("old.rs", numbered(20)).write("gone.rs", "x\ny\n").commit("base");
        author.switch_new("topic").write("made.rs", "one\ntwo\n");
        let changed = numbered(40).replace("line 5\n", "line five\nline five and a half\n").replace("line 30\n", "");
        author.write("a.rs", changed).rename("old.rs", "new.rs");
        author.write("new.rs", numbered(20).replace("line 10\n", "line ten\n")).remove("gone.rs").commit("head");
        Self::of(forge, author)
    }

    /// A request of the branch `topic` into `main` of the author's repository.
    pub fn of(forge: GitHub, author: Repo) -> Self {
        let (base, head) = (author.rev("main"), author.rev("topic"));
        forge.upstream(PROJECT).push(&author, &["main", "topic"]);
        forge.stage.open(PROJECT, 22, Head::branch("topic"), "main");
        forge.stage.account(TOKEN, Account::person("ann"));
        let clone = Cloned::of(forge.clone_url(PROJECT)).make();
        Self { forge, author, clone, base, head }
    }

    /// Writes the default review file of the request.
    pub fn review(&self, review: &Value) -> &Self {
        self.clone.write(".dai/reviews/22.json", serde_json::to_vec_pretty(review).expect("a document"));
        self
    }

    /// Writes a review with these findings that is bound to the head.
    pub fn findings(&self, findings: &[Value]) -> &Self {
        self.review(&json!({ "head": self.head, "summary": "The change holds.", "findings": findings }))
    }

    /// `dai` in the clone, with a token.
    pub fn dai(&self) -> Dai {
        self.dai_in(&self.clone)
    }

    /// The same in another clone.
    pub fn dai_in(&self, clone: &Repo) -> Dai {
        let run = Dai::in_repo(clone).env("GH_ENTERPRISE_TOKEN", TOKEN);
        run.env("GITHUB_API_URL", self.forge.api_url()).env("DAI_FORGE", "github")
    }

    /// `dai forge review 22` and more.
    pub fn run(&self, args: &[&str]) -> Dai {
        self.dai().args(["forge", "review", "22"]).args(args.iter().copied())
    }

    /// The digest that a preview prints.
    #[track_caller]
    pub fn digest(&self, args: &[&str]) -> String {
        let report = self.run(args).args(["--format", "json"]).run().exits(0).json();
        report["digest"].as_str().expect("a digest").to_owned()
    }

    /// How many reviews and comments stand.
    pub fn stored(&self) -> (usize, usize) {
        self.forge.stage.pull(22, |pull| (pull.reviews.len(), pull.comments.len()))
    }

    /// The places of the comments that stand, in their order: `a.rs RIGHT 5`, `a.rs RIGHT 5-6`.
    pub fn places(&self) -> Vec<String> {
        self.forge.stage.pull(22, |pull| {
            let place = |p: &crate::support::github::Place| {
                let start = p.start_line.map(|start| format!("{start}-")).unwrap_or_default();
                format!("{} {} {start}{}", p.path, p.side.word(), p.line)
            };
            pull.comments.iter().map(|comment| place(&comment.place)).collect()
        })
    }

    /// Makes output comparable.
    pub fn normal(&self) -> Normal {
        Normal::new().repo(&self.clone)
    }
}

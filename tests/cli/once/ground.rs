//! One change on either forge, a review of it, and what stands afterwards.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::faults::Fault;
use crate::support::github::{self, GitHub, Head};
use crate::support::gitlab::{self, GitLab, NoteKind};
use crate::support::repo::{Cloned, Repo};
use crate::support::run::{Answer, Dai};
use crate::support::server::Desk;

pub const PROJECT: &str = "acme/widgets";
pub const NUMBER: u64 = 22;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    GitHub,
    GitLab,
}

pub const BOTH: [Which; 2] = [Which::GitHub, Which::GitLab];

pub enum Forge {
    GitHub(Box<GitHub>),
    GitLab(Box<GitLab>),
}

/// A request on a forge, and a clone to work in.
pub struct Lab {
    pub forge: Forge,
    /// Where the change was made.
    pub work: Repo,
    pub clone: Repo,
    pub base: String,
    pub head: String,
}

/// A comment at a line, as the forge has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    pub id: u64,
    pub author: String,
    pub path: String,
    /// The old and the new line on GitLab; on GitHub one of them, by its side.
    pub old_line: Option<u64>,
    pub new_line: Option<u64>,
    pub body: String,
}

/// A review's text on GitHub, a plain note on GitLab.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    pub id: u64,
    pub author: String,
    pub body: String,
}

pub fn numbered(count: u32) -> String {
    (1..=count).map(|n| format!("line {n}\n")).collect()
}

/// `numbered(60)` with line 5 made two, 30 taken out, and one put in after 50. Commentable on RIGHT: 2-9, 28-33, 48-54;
/// deleted: 5 and 30.
pub fn changed() -> String {
    numbered(60)
        .replace("line 5\n", "line five\nline five and a half\n")
        .replace("line 30\n", "")
        .replace("line 50\n", "line 50\nadded fifty\n")
}

impl Lab {
    /// `a.rs` changed, `old.rs` renamed to `new.rs` with line 10 changed, `gone.rs` deleted, `made.rs` added.
    pub fn new(which: Which) -> Self {
        let work = Repo::new();
        work.write("a.rs", numbered(60)).write("old.rs", numbered(20)).write("gone.rs", "x\ny\n");
        let base = work.commit("base");
        work.switch_new("topic").write("a.rs", changed()).write("made.rs", "one\ntwo\n").remove("gone.rs");
        work.rename("old.rs", "new.rs").write("new.rs", numbered(20).replace("line 10\n", "line ten\n"));
        let head = work.commit("change");
        let forge = match which {
            Which::GitHub => {
                let forge = GitHub::start();
                forge.upstream(PROJECT).push(&work, &["main", "topic"]);
                forge.stage.open(PROJECT, NUMBER, Head::branch("topic"), "main");
                forge.stage.account("secret", github::Account::person("ann"));
                Forge::GitHub(Box::new(forge))
            }
            Which::GitLab => {
                let forge = GitLab::start();
                forge.upstream(PROJECT).push(&work, &["main", "topic"]);
                forge.stage.open(PROJECT, NUMBER, "topic", "main");
                forge.stage.account("secret", gitlab::Account::person("ann"));
                Forge::GitLab(Box::new(forge))
            }
        };
        let url = match &forge {
            Forge::GitHub(forge) => forge.clone_url(PROJECT),
            Forge::GitLab(forge) => forge.clone_url(PROJECT),
        };
        let clone = Cloned::of(url).make();
        Self { forge, work, clone, base, head }
    }

    pub fn which(&self) -> Which {
        match self.forge {
            Forge::GitHub(_) => Which::GitHub,
            Forge::GitLab(_) => Which::GitLab,
        }
    }

    pub fn github(&self) -> &GitHub {
        let Forge::GitHub(forge) = &self.forge else { panic!("this is no GitHub") };
        forge
    }

    pub fn gitlab(&self) -> &GitLab {
        let Forge::GitLab(forge) = &self.forge else { panic!("this is no GitLab") };
        forge
    }

    pub fn desk(&self) -> &Desk {
        match &self.forge {
            Forge::GitHub(forge) => forge,
            Forge::GitLab(forge) => forge,
        }
    }

    /// The call that carries comments: the review, or a discussion.
    pub fn on_comments(&self) -> Fault {
        match self.which() {
            Which::GitHub => Fault::on("POST", "/repos/*/*/pulls/*/reviews"),
            Which::GitLab => Fault::on("POST", "/projects/*/merge_requests/*/discussions"),
        }
    }

    /// The read of the request itself.
    pub fn on_request(&self) -> Fault {
        match self.which() {
            Which::GitHub => Fault::on("GET", "/repos/*/*/pulls/*"),
            Which::GitLab => Fault::on("GET", "/projects/*/merge_requests/*"),
        }
    }

    /// The list that a look reads first.
    pub fn on_look(&self) -> Fault {
        match self.which() {
            Which::GitHub => Fault::on("GET", "/repos/*/*/pulls/*/reviews"),
            Which::GitLab => Fault::on("GET", "/projects/*/merge_requests/*/discussions"),
        }
    }

    pub fn file(&self) -> PathBuf {
        self.clone.path().join(format!(".dai/reviews/{NUMBER}.json"))
    }

    pub fn receipt(&self) -> PathBuf {
        self.clone.path().join(format!(".dai/reviews/{NUMBER}.posted.json"))
    }

    /// Writes the review where it is looked for.
    pub fn write_review(&self, review: &Value) -> &Self {
        fs::create_dir_all(self.file().parent().expect("a folder")).expect("the folder of reviews");
        fs::write(self.file(), review.to_string()).expect("the review");
        self
    }

    /// These findings, bound to the head.
    pub fn review(&self, findings: &[Value]) -> &Self {
        self.write_review(&json!({ "head": self.head, "summary": "The judgement.", "findings": findings }))
    }

    /// `dai forge review 22`, with a report for programs.
    pub fn dai<'a>(&self, args: impl IntoIterator<Item = &'a str>) -> Dai {
        self.dai_as("json", args)
    }

    /// The same in another format.
    pub fn dai_as<'a>(&self, format: &str, args: impl IntoIterator<Item = &'a str>) -> Dai {
        self.run_in(&self.clone, format, args)
    }

    /// One more clone of the request's repository.
    pub fn another_clone(&self) -> Repo {
        let url = match &self.forge {
            Forge::GitHub(forge) => forge.clone_url(PROJECT),
            Forge::GitLab(forge) => forge.clone_url(PROJECT),
        };
        Cloned::of(url).make()
    }

    /// The same as [`Lab::dai`], in this clone.
    pub fn dai_in<'a>(&self, clone: &Repo, args: impl IntoIterator<Item = &'a str>) -> Dai {
        self.run_in(clone, "json", args)
    }

    fn run_in<'a>(&self, clone: &Repo, format: &str, args: impl IntoIterator<Item = &'a str>) -> Dai {
        let (kind, api) = match &self.forge {
            Forge::GitHub(forge) => ("github", forge.api_url()),
            Forge::GitLab(forge) => ("gitlab", forge.api_url()),
        };
        let run = Dai::in_repo(clone).args(["forge", "review", "22", "--format", format]);
        let run = run.args(["--forge", kind, "--api-url", &api]).args(args);
        let host = self.desk().origin().trim_start_matches("http://").to_owned();
        match self.which() {
            Which::GitHub => run.env("GH_ENTERPRISE_TOKEN", "secret"),
            Which::GitLab => run.env("GITLAB_TOKEN", "secret").env("GITLAB_HOST", host),
        }
    }

    #[track_caller]
    pub fn post(&self) -> Answer {
        self.dai(["--yes"]).run()
    }

    pub fn comments(&self) -> Vec<Stored> {
        match &self.forge {
            Forge::GitHub(forge) => forge.stage.pull(NUMBER, |pull| {
                let stored = |c: &github::Comment| {
                    let line = Some(u64::from(c.place.line));
                    let left = c.place.side == github::Side::Left;
                    Stored {
                        id: c.id,
                        author: c.user.login.clone(),
                        path: c.place.path.clone(),
                        old_line: line.filter(|_| left),
                        new_line: line.filter(|_| !left),
                        body: c.body.clone(),
                    }
                };
                pull.comments.iter().map(stored).collect()
            }),
            Forge::GitLab(forge) => forge.stage.request(NUMBER, |request| {
                let stored = |note: &gitlab::Note| {
                    let NoteKind::Diff(position) = &note.kind else { return None };
                    Some(Stored {
                        id: note.id,
                        author: note.author.username.clone(),
                        path: position["new_path"].as_str().expect("a path").to_owned(),
                        old_line: position["old_line"].as_u64(),
                        new_line: position["new_line"].as_u64(),
                        body: note.body.clone(),
                    })
                };
                request.notes().filter_map(stored).collect()
            }),
        }
    }

    /// Oldest first.
    pub fn summaries(&self) -> Vec<Summary> {
        match &self.forge {
            Forge::GitHub(forge) => forge.stage.pull(NUMBER, |pull| {
                let summary =
                    |r: &github::Review| Summary { id: r.id, author: r.user.login.clone(), body: r.body.clone() };
                pull.reviews.iter().map(summary).collect()
            }),
            Forge::GitLab(forge) => forge.stage.request(NUMBER, |request| {
                let plain = request.notes().filter(|note| !matches!(note.kind, NoteKind::Diff(_)));
                let summary = |note: &gitlab::Note| Summary {
                    id: note.id,
                    author: note.author.username.clone(),
                    body: note.body.clone(),
                };
                plain.map(summary).collect()
            }),
        }
    }

    /// A person edits a comment or a summary on the page.
    pub fn edit(&self, id: u64, change: impl FnOnce(&str) -> String) {
        match &self.forge {
            Forge::GitHub(forge) => forge.stage.edit(NUMBER, id, change),
            Forge::GitLab(forge) => forge.stage.edit(NUMBER, id, change),
        }
    }

    /// A person deletes a comment on the page.
    pub fn delete(&self, id: u64) {
        match &self.forge {
            Forge::GitHub(forge) => forge.stage.delete_comment(NUMBER, id),
            Forge::GitLab(forge) => forge.stage.delete_note(NUMBER, id),
        }
    }

    /// The same as `edit`, to be run by a fault.
    pub fn editing(
        &self,
        id: u64,
        change: impl Fn(&str) -> String + Send + Sync + 'static,
    ) -> Box<dyn Fn() + Send + Sync> {
        match &self.forge {
            Forge::GitHub(forge) => {
                let stage = forge.stage.clone();
                Box::new(move || stage.edit(NUMBER, id, &change))
            }
            Forge::GitLab(forge) => {
                let stage = forge.stage.clone();
                Box::new(move || stage.edit(NUMBER, id, &change))
            }
        }
    }

    /// Takes away everything that was posted, and what was recorded.
    pub fn wipe(&self) {
        match &self.forge {
            Forge::GitHub(forge) => forge.stage.pull(NUMBER, |pull| {
                pull.reviews.clear();
                pull.comments.clear();
            }),
            Forge::GitLab(forge) => forge.stage.request(NUMBER, |request| request.discussions.clear()),
        }
        self.desk().clear_faults();
        self.desk().forget_requests();
    }

    /// Pushes another head to the request.
    pub fn push(&self, commit: &str) {
        match &self.forge {
            Forge::GitHub(forge) => forge.stage.push(NUMBER, &self.work, commit),
            Forge::GitLab(forge) => forge.stage.push(NUMBER, &self.work, commit),
        }
    }

    /// What moves the head, to be run by a fault.
    pub fn pushing(&self, commit: &str) -> Box<dyn Fn() + Send + Sync> {
        let (work, commit) = (self.work.clone(), commit.to_owned());
        match &self.forge {
            Forge::GitHub(forge) => {
                let stage = forge.stage.clone();
                Box::new(move || stage.push(NUMBER, &work, &commit))
            }
            Forge::GitLab(forge) => {
                let stage = forge.stage.clone();
                Box::new(move || stage.push(NUMBER, &work, &commit))
            }
        }
    }

    /// What aims the request, whose head stays, at a branch that stands at this commit; to be run by a fault.
    pub fn aiming_at(&self, branch: &str, base: &str, head: &str) -> Box<dyn Fn() + Send + Sync> {
        let (work, branch, base, head) = (self.work.clone(), branch.to_owned(), base.to_owned(), head.to_owned());
        let spec = format!("{base}:refs/heads/{branch}");
        match &self.forge {
            Forge::GitHub(forge) => {
                forge.upstream(PROJECT).push(&self.work, &[&spec]);
                let stage = forge.stage.clone();
                Box::new(move || {
                    let (base_branch, base_sha) = (branch.clone(), base.clone());
                    stage.pull(NUMBER, |pull| (pull.base_branch, pull.base_sha) = (base_branch, base_sha));
                })
            }
            Forge::GitLab(forge) => {
                forge.upstream(PROJECT).push(&self.work, &[&spec]);
                let stage = forge.stage.clone();
                Box::new(move || {
                    stage.request(NUMBER, |request| request.target_branch = branch.clone());
                    // GitLab makes the diff anew.
                    stage.push(NUMBER, &work, &head);
                })
            }
        }
    }

    /// Panics unless exactly these texts stand, once each, and one summary of this account.
    #[track_caller]
    pub fn stands(&self, words: &[&str]) {
        let comments = self.comments();
        for word in words {
            let count = comments.iter().filter(|c| c.body.contains(word)).count();
            assert_eq!(count, 1, "{word:?} on {:?}: {comments:#?}", self.which());
        }
        assert_eq!(comments.len(), words.len(), "on {:?}: {comments:#?}", self.which());
        let summaries = self.summaries();
        assert_eq!(summaries.len(), 1, "on {:?}: {summaries:#?}", self.which());
    }
}

/// A finding at a line of `a.rs`, high.
pub fn at(line: u32, body: &str) -> Value {
    json!({ "path": "a.rs", "line": line, "severity": "high", "body": body })
}

/// The statuses of the report's findings.
#[track_caller]
pub fn statuses(answer: &Answer) -> Vec<String> {
    let report = answer.json();
    let findings = report["findings"].as_array().expect("findings");
    findings.iter().map(|f| f["status"].as_str().expect("a status").to_owned()).collect()
}

/// The codes of the report's warnings.
#[track_caller]
pub fn warnings(answer: &Answer) -> Vec<String> {
    let report = answer.json();
    let warnings = report["warnings"].as_array().expect("warnings");
    warnings.iter().map(|w| w["code"].as_str().expect("a code").to_owned()).collect()
}

//! A merge request on a loopback GitLab, a clone of its project, and a review of it.

use std::cell::RefCell;

use serde_json::{Value, json};

use crate::support::gitlab::{Account, GitLab, Note, NoteKind};
use crate::support::repo::{Cloned, Repo};
use crate::support::run::{Answer, Dai, Normal};
use crate::support::server::Request;

pub const PROJECT: &str = "group/sub/widgets";
pub const IID: u64 = 7;
pub const TOKEN: &str = "glpat-secret-of-ann";
pub const DISCUSSIONS: &str = "/projects/*/merge_requests/7/discussions";
pub const NOTES: &str = "/projects/*/merge_requests/7/notes";

pub struct Ground {
    pub forge: GitLab,
    pub work: Repo,
    pub clone: Repo,
    pub base: String,
    pub head: String,
    findings: RefCell<Vec<Value>>,
}

pub fn numbered(count: u32) -> String {
    (1..=count).map(|n| format!("line {n}\n")).collect()
}

impl Ground {
    /// The request leads from what `before` writes to what `after` makes of it. The installation is under `/gitlab`.
    pub fn of(before: impl FnOnce(&Repo), after: impl FnOnce(&Repo)) -> Self {
        Self::below("/gitlab", before, after)
    }

    pub fn below(sub_path: &str, before: impl FnOnce(&Repo), after: impl FnOnce(&Repo)) -> Self {
        let forge = GitLab::below(sub_path);
        let work = Repo::new();
        before(&work);
        let base = work.commit("base");
        work.switch_new("topic");
        after(&work);
        let head = work.commit("change");
        forge.upstream(PROJECT).push(&work, &["main", "topic"]);
        forge.stage.open(PROJECT, IID, "topic", "main");
        forge.stage.account(TOKEN, Account::person("ann"));
        let clone = Cloned::of(forge.clone_url(PROJECT)).make();
        Self { forge, work, clone, base, head, findings: RefCell::default() }
    }

    /// `a.rs`: line 5 becomes two lines, line 30 goes, 20 lines lie between the hunks. `made.rs` is new, `gone.rs` deleted.
    pub fn plain() -> Self {
        Self::of(
            |work| {
                work.write("a.rs", numbered(40)).write("gone.rs", "x\ny\n");
            },
            |work| {
                let changed = numbered(40).replace("line 5\n", "line five\nand a half\n").replace("line 30\n", "");
                work.write("a.rs", changed).write("made.rs", "one\ntwo\nthree\n").remove("gone.rs");
            },
        )
    }

    /// Five findings at lines of [`Ground::plain`], in the order in which they are posted.
    pub fn five(self) -> Self {
        for (at, line) in [3, 4, 5, 6, 7].into_iter().enumerate() {
            self.find("a.rs", line, &format!("Number {}.", at + 1));
        }
        self
    }

    /// One more finding; what is given of it goes over `{"severity": "medium", "side": "RIGHT"}`.
    pub fn add(&self, finding: Value) -> &Self {
        let mut whole = json!({ "severity": "medium", "side": "RIGHT" });
        for (key, value) in finding.as_object().expect("an object") {
            whole[key] = value.clone();
        }
        self.findings.borrow_mut().push(whole);
        self
    }

    pub fn find(&self, path: &str, line: u32, body: &str) -> &Self {
        self.add(json!({ "path": path, "line": line, "body": body }))
    }

    /// The review file's text, bound to the head.
    pub fn review(&self) -> String {
        self.review_of(&self.head)
    }

    pub fn review_of(&self, head: &str) -> String {
        json!({ "head": head, "summary": "The judgement.", "findings": *self.findings.borrow() }).to_string()
    }

    /// `dai forge review` in the clone with the review at its default place and the token in the environment.
    pub fn dai(&self) -> Dai {
        self.clone.write(".dai/reviews/7.json", self.review());
        self.bare().args(["forge", "review"])
    }

    /// The program without arguments, told of the forge and of the token; its waits are short.
    pub fn bare(&self) -> Dai {
        let host = self.forge.api_url().replace("/api/v4", "");
        Dai::in_repo(&self.clone).env("GITLAB_HOST", host).env("GITLAB_TOKEN", TOKEN).env("DAI_TEST_HURRY", "0.005")
    }

    pub fn preview(&self) -> Answer {
        self.dai().arg("7").run()
    }

    pub fn post(&self) -> Answer {
        self.dai().args(["7", "--yes"]).run()
    }

    /// The report of a post.
    pub fn report(&self, code: i32) -> Value {
        self.dai().args(["7", "--yes", "--format", "json"]).run().exits(code).json()
    }

    pub fn notes(&self) -> Vec<Note> {
        self.forge.stage.request(IID, |request| request.notes().cloned().collect())
    }

    /// The notes at lines.
    pub fn comments(&self) -> Vec<(String, Value)> {
        let at_line = |note: Note| match note.kind {
            NoteKind::Diff(position) => Some((note.body, position)),
            NoteKind::Plain | NoteKind::Thread => None,
        };
        self.notes().into_iter().filter_map(at_line).collect()
    }

    /// The text of the only summary.
    #[track_caller]
    pub fn summary(&self) -> String {
        let mut plain: Vec<_> = self.notes().into_iter().filter(|note| note.kind == NoteKind::Plain).collect();
        assert_eq!(plain.len(), 1, "summaries: {plain:#?}");
        plain.remove(0).body
    }

    /// How many of the stored comments have these words.
    pub fn times(&self, words: &str) -> usize {
        self.comments().iter().filter(|(body, _)| body.contains(words)).count()
    }

    pub fn discussions_sent(&self) -> Vec<Request> {
        let sent = self.forge.writes().into_iter().map(|recorded| recorded.request);
        sent.filter(|request| request.path.ends_with("/discussions")).collect()
    }

    /// A preview made comparable; the digest depends on every word that would be posted.
    pub fn shown(&self, text: &str) -> String {
        let text = self.normal().apply(text);
        match text.split_once("--expect ") {
            Some((before, after)) => format!("{before}--expect [DIGEST]{}", after.get(16..).unwrap_or_default()),
            None => text,
        }
    }

    pub fn normal(&self) -> Normal {
        Normal::new().repo(&self.clone)
    }
}

/// `status` of each finding, in the file's order.
pub fn statuses(report: &Value) -> Vec<String> {
    report["findings"].as_array().expect("findings").iter().map(|f| word(&f["status"])).collect()
}

/// `reason.code` of each finding, empty where there is none.
pub fn codes(report: &Value) -> Vec<String> {
    report["findings"].as_array().expect("findings").iter().map(|f| word(&f["reason"]["code"])).collect()
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

//! Posting and reading against a small GitHub that can lose answers.

use super::super::GitHub;
use super::super::outgoing::tests::comment;
use crate::change::CommitId;
use crate::consent::of_a_typed_yes;
use crate::exit::Exit;
use crate::forge::loopback::{self, Reply, Seen, Server, access, block_on};
use crate::forge::{Expectation, Forge, ItemOutcome, Outcome, OutgoingComment, Post, SummaryPlan};
use crate::review::{LineRange, Side};
use crate::text::marker::ReviewId;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

pub const CLAUSES: &str = "Line could not be resolved and Path could not be resolved";

/// What the server does with a review it is sent.
#[derive(Clone, Copy, PartialEq)]
pub enum On {
    Write,
    /// Writes, and then the answer is lost.
    WriteAndCut,
    WriteAnd502,
    Only502,
    /// Writes the summary alone.
    Orphan502,
    /// Writes the summary and the first comment.
    Part502,
    Orphan422,
    Refuse,
    /// Refuses whatever has a comment on LEFT.
    RefuseLeft,
    /// Writes, answers 502, and lists no more.
    Then500,
}

pub struct Store {
    pub on: On,
    pub head: String,
    pub locked: bool,
    pub archived: bool,
    pub broken: bool,
    /// The next write is answered so, once.
    pub throttle: Option<(u16, &'static str)>,
    pub reviews: Vec<Value>,
    pub comments: Vec<Vec<Value>>,
}

pub struct Fake {
    pub server: Server,
    pub state: Arc<Mutex<Store>>,
}

pub fn sha(c: char) -> String {
    c.to_string().repeat(40)
}

impl Fake {
    pub fn new(on: On) -> Self {
        Self::with(on, |_| {})
    }

    pub fn with(on: On, change: impl FnOnce(&mut Store)) -> Self {
        let mut state = Store {
            on,
            head: sha('a'),
            locked: false,
            archived: false,
            broken: false,
            throttle: None,
            reviews: vec![],
            comments: vec![],
        };
        change(&mut state);
        let state = Arc::new(Mutex::new(state));
        let shared = state.clone();
        let server = Server::start(move |seen| shared.lock().unwrap().answer(seen));
        Self { server, state }
    }

    pub fn github(&self) -> GitHub {
        GitHub::new(&access(&self.server.base(), "o/r")).unwrap()
    }

    pub fn posts(&self) -> Vec<Value> {
        self.server.seen().iter().filter(|seen| seen.method == "POST").map(Seen::json).collect()
    }
}

pub fn user() -> Value {
    json!({"id": 7, "login": "me", "type": "User"})
}

impl Store {
    fn answer(&mut self, seen: &Seen) -> Reply {
        let path = seen.target.split('?').next().unwrap().to_owned();
        let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        match (seen.method.as_str(), parts.as_slice()) {
            ("GET", ["user"]) => loopback::json(200, user()),
            ("GET", ["repos", "o", "r", "pulls", "22"]) => loopback::json(200, self.pull()),
            ("GET", ["repos", "o", "r", "pulls", "22", "files"]) => loopback::json(200, "[]"),
            (_, ["repos", "o", "r", "pulls", "22", "reviews", ..]) if self.broken => loopback::json(500, "{}"),
            ("GET", [.., "22", "comments"]) => loopback::json(200, json!(self.comments.concat())),
            ("GET", [.., "reviews"]) => loopback::json(200, json!(self.reviews)),
            ("GET", [.., "reviews", id, "comments"]) => {
                let at: usize = id.parse().unwrap();
                loopback::json(200, json!(self.comments[at]))
            }
            ("PUT", [.., "reviews", id]) => {
                let at: usize = id.parse().unwrap();
                self.reviews[at]["body"] = seen.json()["body"].clone();
                loopback::json(200, &self.reviews[at])
            }
            ("POST", [.., "reviews"]) => self.post(&seen.json()),
            _ => loopback::json(404, json!({"message": "Not Found"})),
        }
    }

    fn pull(&self) -> Value {
        json!({
            "number": 22, "html_url": "https://h/22", "state": "open", "draft": false, "locked": self.locked,
            "merged_at": null, "head": {"ref": "topic", "sha": self.head, "repo": null},
            "base": {"ref": "main", "sha": sha('b'), "repo": {"full_name": "o/r", "archived": self.archived}},
        })
    }

    fn post(&mut self, sent: &Value) -> Reply {
        let none = vec![];
        let comments = sent["comments"].as_array().unwrap_or(&none).clone();
        let refused = || loopback::json(422, json!({"message": "Unprocessable Entity", "errors": [CLAUSES]}));
        let left = comments.iter().any(|comment| comment["side"] == "LEFT");
        if let Some((status, message)) = self.throttle.take() {
            return loopback::json(status, json!({"message": "no", "errors": [message], "documentation_url": message}));
        }
        let on = self.on;
        match on {
            On::Only502 => return loopback::json(502, "<html>"),
            On::Refuse => return refused(),
            On::RefuseLeft if left => return refused(),
            _ => {}
        }
        let id = self.reviews.len();
        let review = json!({
            "id": id, "user": user(), "body": sent["body"], "state": "COMMENTED", "html_url": format!("https://h/r{id}"),
        });
        self.reviews.push(review.clone());
        let stored = |(at, comment): (usize, &Value)| {
            json!({
                "id": 100 * id + at, "user": user(), "body": comment["body"], "path": comment["path"], "line": comment["line"],
                "start_line": comment["start_line"], "pull_request_review_id": id,
                "html_url": format!("https://h/r{id}c{at}"),
            })
        };
        let whole = !matches!(on, On::Orphan502 | On::Orphan422);
        let count = if on == On::Part502 { 1 } else { comments.len() };
        self.comments.push(if whole { comments.iter().take(count).enumerate().map(stored).collect() } else { vec![] });
        match on {
            On::WriteAndCut => Reply::Cut,
            On::WriteAnd502 | On::Orphan502 | On::Part502 => loopback::json(502, "<html>"),
            On::Orphan422 => refused(),
            On::Then500 => {
                self.broken = true;
                loopback::json(502, "<html>")
            }
            _ => loopback::json(200, review),
        }
    }
}

pub fn text(items: &[ItemOutcome]) -> String {
    let out = items.iter().filter(|item| matches!(item, ItemOutcome::Disagrees { .. })).count();
    format!("summary, {out} left out\n\n<!-- dai v1 review={:016x} head={} -->", 1 + out, sha('a'))
}

pub fn body(n: u8) -> String {
    format!("text {n}\n\n<!-- dai v1 finding={n:016x} place={n:016x} -->")
}

pub fn two() -> Vec<OutgoingComment> {
    vec![
        comment(3, "a.rs", Side::Right, LineRange::new(5, 7), &body(1)),
        OutgoingComment { old_path: "older.rs".into(), ..comment(4, "b.rs", Side::Left, LineRange::line(9), &body(2)) },
    ]
}

pub fn run(fake: &Fake, comments: Vec<OutgoingComment>, summary: SummaryPlan, expectation: Expectation) -> Outcome {
    let commit = CommitId::parse(&sha('a')).unwrap();
    let (base_branch, merge_base) = ("main".to_owned(), CommitId::parse(&sha('b')).unwrap());
    let post = Post {
        by: ReviewId::Default,
        commit,
        base_branch,
        merge_base,
        comments,
        summary,
        text: &|items| Ok(text(items)),
        expectation,
        settled: &|_| {},
    };
    block_on(async { fake.github().post(22, &post, of_a_typed_yes()).await })
}

pub fn run_two(fake: &Fake) -> Outcome {
    run(fake, two(), SummaryPlan::Write, Expectation::None)
}

pub fn exit(outcome: &Outcome) -> Exit {
    outcome.stop.as_ref().map_or(Exit::Done, |stop| stop.exit())
}

pub fn posted(urls: [&str; 2]) -> Vec<ItemOutcome> {
    urls.map(|url| ItemOutcome::Posted { url: Some(url.into()) }).to_vec()
}

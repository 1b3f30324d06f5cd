//! Posting and reading against a small GitLab that refuses, demotes and loses answers.

use super::super::GitLab;
use crate::change::{CommitId, LineKind};
use crate::consent::of_a_typed_yes;
use crate::exit::Exit;
use crate::forge::loopback::{self, Reply, Seen, Server, access, block_on};
use crate::forge::{Access, Expectation, Forge, HeldCode, ItemOutcome, Outcome, OutgoingComment, Post, SummaryPlan};
use crate::gate::Point;
use crate::review::{LineRange, Side};
use crate::text::marker::ReviewId;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

pub const REQUEST: &str = "/sub/api/v4/projects/g%2Fs%2Fp/merge_requests/4";

/// What the server does with one write.
#[derive(Clone, Copy, PartialEq)]
pub enum On {
    Write,
    WriteAnd500,
    WriteAndCut,
    Only500,
    /// Writes nothing, while somebody else posts the same text.
    OnlyBobs500,
    /// Writes, answers 500, and lists no more.
    Then500,
    Demote,
    Answer(u16),
    /// Moves the head after writing.
    Push,
}

pub struct Store {
    /// For each write in turn; afterwards all is well.
    pub on: Vec<On>,
    pub writes: usize,
    pub broken: bool,
    pub head: String,
    /// How often `diff_refs` is still null.
    pub unready: usize,
    pub locked: bool,
    pub archived: bool,
    /// Under another path than the one that is asked for.
    pub moved: bool,
    pub notes: Vec<Value>,
    /// After so many reads of the request its head is this.
    pub push_after: Option<(usize, String)>,
    pub reads: usize,
}

pub struct Fake {
    pub server: Server,
    pub store: Arc<Mutex<Store>>,
}

pub fn sha(c: char) -> String {
    c.to_string().repeat(40)
}

impl Fake {
    pub fn new(on: &[On]) -> Self {
        Self::with(on, |_| {})
    }

    pub fn with(on: &[On], change: impl FnOnce(&mut Store)) -> Self {
        let mut store = Store {
            on: on.to_vec(),
            writes: 0,
            broken: false,
            head: sha('a'),
            unready: 0,
            locked: false,
            archived: false,
            moved: false,
            notes: vec![],
            push_after: None,
            reads: 0,
        };
        change(&mut store);
        let store = Arc::new(Mutex::new(store));
        let shared = store.clone();
        let server = Server::start(move |seen| shared.lock().unwrap().answer(seen));
        Self { server, store }
    }

    pub fn access(&self) -> Access {
        Access { variable: "GITLAB_TOKEN".into(), ..access(&format!("{}sub/api/v4/", self.server.base()), "g/s/p") }
    }

    pub fn gitlab(&self) -> GitLab {
        GitLab::new(&self.access()).unwrap()
    }

    pub fn writes(&self) -> Vec<Seen> {
        self.server.seen().into_iter().filter(|seen| seen.method != "GET").collect()
    }

    pub fn bodies(&self) -> Vec<String> {
        let store = self.store.lock().unwrap();
        store.notes.iter().map(|note| note["body"].as_str().unwrap().to_owned()).collect()
    }
}

impl Store {
    fn answer(&mut self, seen: &Seen) -> Reply {
        let (path, query) = seen.target.split_once('?').unwrap_or((&seen.target, ""));
        if path == "/sub/api/v4/user" {
            return loopback::json(200, json!({"id": 7, "username": "me"}));
        }
        if path == "/sub/api/v4/projects/g%2Fs%2Fp" {
            let path = if self.moved { "g/new" } else { "g/s/p" };
            return loopback::json(200, json!({"id": 1, "archived": self.archived, "path_with_namespace": path}));
        }
        if self.moved && seen.method != "GET" && path.starts_with(REQUEST) {
            return loopback::json(
                405,
                json!({"message": "405 Method Not Allowed - Non GET methods are not allowed for moved projects"}),
            );
        }
        let Some(rest) = path.strip_prefix(REQUEST).or(path.strip_prefix("/sub/api/v4/projects/1/merge_requests/4"))
        else {
            return loopback::json(404, r#"{"message":"404"}"#);
        };
        match (seen.method.as_str(), rest) {
            ("GET", "") => loopback::json(200, self.request()),
            ("GET", "/versions") => loopback::json(404, "{}"),
            ("GET", _) if self.broken => loopback::json(500, "{}"),
            ("GET", "/discussions") => self.page(query, |note| json!({"id": "d", "notes": [note]})),
            ("GET", "/notes") => self.page(query, Value::clone),
            ("POST", "/discussions") => {
                let sent = seen.json();
                self.write(sent["body"].as_str().unwrap().to_owned(), Some(sent["position"].clone()))
            }
            ("POST", "/notes") => self.write(seen.json()["body"].as_str().unwrap().to_owned(), None),
            ("PUT", _) => {
                let id: usize = rest.strip_prefix("/notes/").unwrap().parse().unwrap();
                self.notes[id]["body"] = seen.json()["body"].clone();
                loopback::json(200, &self.notes[id])
            }
            _ => loopback::json(404, "{}"),
        }
    }

    fn request(&mut self) -> Value {
        if let Some((_, head)) = self.push_after.take_if(|(after, _)| *after <= self.reads) {
            self.head = head;
        }
        self.reads += 1;
        let refs = json!({"base_sha": sha('b'), "start_sha": sha('5'), "head_sha": self.head});
        let ready = self.unready == 0;
        self.unready = self.unready.saturating_sub(1);
        json!({
            "iid": 4, "web_url": "https://h/4", "state": "opened", "sha": self.head, "target_branch": "main",
            "discussion_locked": self.locked, "diff_refs": if ready { refs } else { Value::Null },
        })
    }

    /// Two a page, and an empty page in the middle, as where a reader may not see what is on it.
    fn page(&self, query: &str, each: impl Fn(&Value) -> Value) -> Reply {
        let page: usize = query.split('&').find_map(|q| q.strip_prefix("page=")).unwrap().parse().unwrap();
        let mut pages: Vec<&[Value]> = self.notes.chunks(2).collect();
        pages.insert(pages.len().min(1), &[]);
        let items: Vec<Value> = pages.get(page - 1).unwrap_or(&&[][..]).iter().map(each).collect();
        let next = if page < pages.len() { (page + 1).to_string() } else { String::new() };
        Reply::Whole(200, vec![("x-next-page", next)], json!(items).to_string())
    }

    fn write(&mut self, body: String, position: Option<Value>) -> Reply {
        let on = self.on.get(self.writes).copied().unwrap_or(On::Write);
        self.writes += 1;
        match on {
            On::Only500 => return loopback::json(500, r#"{"message":"500"}"#),
            On::Answer(429) => {
                return Reply::Whole(429, vec![("retry-after", "9999".into())], "Retry later".to_owned());
            }
            On::Answer(status) => return loopback::json(status, json!({"message": format!("{status} no")})),
            _ => {}
        }
        let thread = position.is_some();
        let position = position.filter(|_| on != On::Demote);
        let (id, username) = if on == On::OnlyBobs500 { (8, "bob") } else { (7, "me") };
        let note = json!({
            "id": self.notes.len(), "type": position.as_ref().map(|_| "DiffNote"), "body": body,
            "author": {"id": id, "username": username}, "system": false,
            "position": position.map(|p| json!({"old_line": p["old_line"], "new_line": p["new_line"]})),
        });
        self.notes.push(note.clone());
        match on {
            On::WriteAnd500 | On::OnlyBobs500 => loopback::json(500, "{}"),
            On::WriteAndCut => Reply::Cut,
            On::Then500 => {
                self.broken = true;
                loopback::json(500, "{}")
            }
            _ => {
                if on == On::Push {
                    self.head = sha('c');
                }
                loopback::json(201, if thread { json!({"id": "d", "notes": [note]}) } else { note })
            }
        }
    }
}

pub fn text(items: &[ItemOutcome]) -> String {
    let posted = items.iter().filter(|item| matches!(item, ItemOutcome::Posted { .. })).count();
    format!("{posted} posted\n\n<!-- dai v1 review={posted:016x} head={} -->", sha('a'))
}

pub fn body(n: usize) -> String {
    format!("text {n}\n\n<!-- dai v1 finding={n:016x} place={n:016x} -->")
}

pub fn comments(of: usize) -> Vec<OutgoingComment> {
    let comment = |n: usize| {
        let point = Point { kind: LineKind::Context, old: 10 + n as u32, new: 20 + n as u32 };
        OutgoingComment {
            finding: n,
            path: "new.rs".into(),
            old_path: "old.rs".into(),
            new_path: "new.rs".into(),
            side: Side::Right,
            range: LineRange::line(20 + n as u32),
            first: point,
            last: point,
            body: body(n),
        }
    };
    (0..of).map(comment).collect()
}

pub fn run_with(fake: &Fake, comments: Vec<OutgoingComment>, summary: SummaryPlan) -> Outcome {
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
        expectation: Expectation::None,
        settled: &|_| {},
    };
    block_on(async { fake.gitlab().post(4, &post, of_a_typed_yes()).await })
}

pub fn run(fake: &Fake, of: usize) -> Outcome {
    run_with(fake, comments(of), SummaryPlan::Write)
}

pub fn exit(outcome: &Outcome) -> Exit {
    outcome.stop.as_ref().map_or(Exit::Done, |stop| stop.exit())
}

pub fn words(outcome: &Outcome) -> Vec<&'static str> {
    let word = |item: &ItemOutcome| match item {
        ItemOutcome::Posted { .. } => "posted",
        ItemOutcome::Stands { .. } => "already posted",
        ItemOutcome::Failed { code, .. } => code.reason().as_str(),
        ItemOutcome::Disagrees { .. } => "disagrees",
        ItemOutcome::Unknown { .. } => "unknown",
        ItemOutcome::NotAttempted { code: HeldCode::ForgeRefused, .. } => "not attempted",
        ItemOutcome::NotAttempted { code, .. } => code.reason().as_str(),
    };
    outcome.items.iter().map(word).collect()
}

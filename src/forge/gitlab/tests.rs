//! Posting and reading against a small GitLab that refuses, demotes and loses answers.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::GitLab;
use crate::change::{CommitId, LineKind};
use crate::exit::Exit;
use crate::forge::loopback::{self, Reply, Seen, Server, access, block_on};
use crate::forge::{
    Access, Consent, FailCode, Forge, HeadBranch, HeldCode, ItemOutcome, Outcome, OutgoingComment, Post, RawPatch,
    SummaryOutcome, SummaryPlan,
};
use crate::gate::{OwnSummary, Point};
use crate::review::{LineRange, Side};
use crate::text::marker::Tag;
use crate::warning::Code;

const REQUEST: &str = "/sub/api/v4/projects/g%2Fs%2Fp/merge_requests/4";

/// What the server does with one write.
#[derive(Clone, Copy, PartialEq)]
enum On {
    Write,
    WriteAnd500,
    WriteAndCut,
    Only500,
    /// Writes, answers 500, and lists no more.
    Then500,
    Demote,
    Answer(u16),
    /// Moves the head after writing.
    Push,
}

struct Store {
    /// For each write in turn; afterwards all is well.
    on: Vec<On>,
    writes: usize,
    broken: bool,
    head: String,
    /// How often `diff_refs` is still null.
    unready: usize,
    locked: bool,
    archived: bool,
    notes: Vec<Value>,
}

struct Fake {
    server: Server,
    store: Arc<Mutex<Store>>,
}

fn sha(c: char) -> String {
    c.to_string().repeat(40)
}

impl Fake {
    fn new(on: &[On]) -> Self {
        Self::with(on, |_| {})
    }

    fn with(on: &[On], change: impl FnOnce(&mut Store)) -> Self {
        let mut store = Store {
            on: on.to_vec(),
            writes: 0,
            broken: false,
            head: sha('a'),
            unready: 0,
            locked: false,
            archived: false,
            notes: vec![],
        };
        change(&mut store);
        let store = Arc::new(Mutex::new(store));
        let shared = store.clone();
        let server = Server::start(move |seen| shared.lock().unwrap().answer(seen));
        Self { server, store }
    }

    fn access(&self) -> Access {
        Access { variable: "GITLAB_TOKEN".into(), ..access(&format!("{}sub/api/v4/", self.server.base()), "g/s/p") }
    }

    fn gitlab(&self) -> GitLab {
        GitLab::new(&self.access()).unwrap()
    }

    fn writes(&self) -> Vec<Seen> {
        self.server.seen().into_iter().filter(|seen| seen.method != "GET").collect()
    }

    fn bodies(&self) -> Vec<String> {
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
            return loopback::json(200, json!({"id": 1, "archived": self.archived}));
        }
        let Some(rest) = path.strip_prefix(REQUEST) else { return loopback::json(404, r#"{"message":"404"}"#) };
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
            ("POST", "/notes") => self.write(form_body(&seen.body), None),
            ("PUT", _) => {
                let id: usize = rest.strip_prefix("/notes/").unwrap().parse().unwrap();
                self.notes[id]["body"] = json!(form_body(&seen.body));
                loopback::json(200, &self.notes[id])
            }
            _ => loopback::json(404, "{}"),
        }
    }

    fn request(&mut self) -> Value {
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
        let note = json!({
            "id": self.notes.len(), "type": position.as_ref().map(|_| "DiffNote"), "body": body,
            "author": {"id": 7, "username": "me"}, "system": false,
            "position": position.map(|p| json!({"old_line": p["old_line"], "new_line": p["new_line"]})),
        });
        self.notes.push(note.clone());
        match on {
            On::WriteAnd500 => loopback::json(500, "{}"),
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

fn form_body(form: &str) -> String {
    let pairs = url::form_urlencoded::parse(form.as_bytes());
    pairs.into_owned().find(|(name, _)| name == "body").unwrap().1
}

fn text(items: &[ItemOutcome]) -> String {
    let posted = items.iter().filter(|item| matches!(item, ItemOutcome::Posted { .. })).count();
    format!("{posted} posted\n\n<!-- dai v1 review={posted:016x} head={} -->", sha('a'))
}

fn body(n: usize) -> String {
    format!("text {n}\n\n<!-- dai v1 finding={n:016x} place={n:016x} -->")
}

fn comments(of: usize) -> Vec<OutgoingComment> {
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

fn run_with(fake: &Fake, comments: Vec<OutgoingComment>, summary: SummaryPlan) -> Outcome {
    let commit = CommitId::parse(&sha('a')).unwrap();
    let post = Post { commit, comments, summary, text: &text, consent: Consent::Open };
    block_on(async { fake.gitlab().post(4, &post).await })
}

fn run(fake: &Fake, of: usize) -> Outcome {
    run_with(fake, comments(of), SummaryPlan::Write)
}

fn exit(outcome: &Outcome) -> Exit {
    outcome.stop.as_ref().map_or(Exit::Done, |stop| stop.exit())
}

fn words(outcome: &Outcome) -> Vec<&'static str> {
    let word = |item: &ItemOutcome| match item {
        ItemOutcome::Posted { .. } => "posted",
        ItemOutcome::Failed { code, .. } => code.as_str(),
        ItemOutcome::Disagrees { .. } => "disagrees",
        ItemOutcome::Unknown { .. } => "unknown",
        ItemOutcome::NotAttempted { code: HeldCode::ForgeRefused, .. } => "not attempted",
        ItemOutcome::NotAttempted { code, .. } => code.as_str(),
    };
    outcome.items.iter().map(word).collect()
}

#[test]
fn a_discussion_for_each_comment_and_then_the_summary() {
    let fake = Fake::new(&[]);
    let outcome = run(&fake, 2);
    let posted = |n: usize| ItemOutcome::Posted { url: Some(format!("https://h/4#note_{n}")) };
    assert_eq!(outcome.items, [posted(0), posted(1)]);
    assert_eq!(outcome.summary, SummaryOutcome::Posted { url: Some("https://h/4#note_2".into()) });
    assert_eq!((outcome.warnings.as_slice(), outcome.stop.is_none()), (&[][..], true));
    let writes = fake.writes();
    let call = |n: usize| writes[n].call();
    assert_eq!(call(0), format!("POST {REQUEST}/discussions"));
    assert_eq!(call(2), format!("POST {REQUEST}/notes"));
    assert_eq!(writes[0].headers["private-token"], "s3cret");
    assert_eq!(
        writes[0].json(),
        json!({
            "body": body(0),
            "position": {
                "position_type": "text", "base_sha": sha('b'), "start_sha": sha('5'), "head_sha": sha('a'),
                "old_path": "old.rs", "new_path": "new.rs", "old_line": 10, "new_line": 20,
            },
        })
    );
    assert_eq!(fake.bodies(), [body(0), body(1), text(&outcome.items)]);
}

#[test]
fn c30_a_refused_discussion_is_its_own_affair_and_the_summary_tells_the_truth() {
    for status in [400, 404, 413, 422] {
        let fake = Fake::new(&[On::Write, On::Answer(status)]);
        let outcome = run(&fake, 3);
        assert_eq!(words(&outcome), ["posted", "forge_refused", "posted"], "{status}");
        assert_eq!((exit(&outcome), fake.writes().len()), (Exit::Done, 4));
        assert!(fake.bodies()[2].starts_with("2 posted"), "{:?}", fake.bodies());
    }
}

#[test]
fn a_refused_token_or_a_long_throttle_stops_the_run_and_the_summary() {
    for (status, first, rest, code) in [
        (401, "forge_refused", "not attempted", Exit::Token),
        (403, "forge_refused", "not attempted", Exit::Token),
        (429, "rate_limited", "rate_limited", Exit::Forge),
    ] {
        let fake = Fake::new(&[On::Write, On::Answer(status)]);
        let outcome = run(&fake, 4);
        assert_eq!(words(&outcome), ["posted", first, rest, rest], "{status}");
        assert!(matches!(outcome.summary, SummaryOutcome::NotAttempted { .. }), "{outcome:?}");
        assert_eq!((exit(&outcome), fake.writes().len()), (code, 2));
    }
}

#[test]
fn c31_a_lost_answer_is_found_again_and_never_sent_twice() {
    for on in [On::WriteAnd500, On::WriteAndCut] {
        let fake = Fake::new(&[on, on, on]);
        let outcome = run(&fake, 2);
        assert_eq!((words(&outcome), exit(&outcome)), (vec!["posted", "posted"], Exit::Done));
        assert_eq!(outcome.summary, SummaryOutcome::Posted { url: Some("https://h/4#note_2".into()) });
        assert_eq!(fake.bodies().len(), 3);
    }
}

#[test]
fn a_500_that_wrote_nothing_is_that_items() {
    let fake = Fake::new(&[On::Only500]);
    assert_eq!(words(&run(&fake, 2)), ["forge_refused", "posted"]);
    assert_eq!(fake.bodies().len(), 2);
}

#[test]
fn an_outcome_that_a_look_cannot_settle_stops_the_run() {
    let fake = Fake::new(&[On::Write, On::Then500]);
    let outcome = run(&fake, 3);
    assert_eq!(words(&outcome), ["posted", "unknown", "not attempted"]);
    assert_eq!((exit(&outcome), fake.writes().len()), (Exit::Partial, 2));
}

#[test]
fn a_comment_without_its_position_is_demoted() {
    let fake = Fake::new(&[On::Demote]);
    let outcome = run(&fake, 2);
    assert!(
        matches!(&outcome.items[0], ItemOutcome::Failed { code: FailCode::Demoted, message } if message.contains("#note_0"))
    );
    assert_eq!(words(&outcome)[1], "posted");
}

#[test]
fn c33_the_head_is_checked_before_the_first_write_and_a_later_move_is_said() {
    let fake = Fake::with(&[], |store| store.head = sha('c'));
    let outcome = run(&fake, 1);
    assert_eq!((words(&outcome), exit(&outcome), fake.writes().len()), (vec!["head_moved"], Exit::Stale, 0));

    let fake = Fake::new(&[On::Push]);
    let outcome = run(&fake, 2);
    assert_eq!((words(&outcome), exit(&outcome)), (vec!["posted", "posted"], Exit::Done));
    assert_eq!(outcome.warnings.iter().map(|w| w.code).collect::<Vec<_>>(), [Code::HeadMoved]);
}

#[test]
fn c34_diff_refs_are_waited_for_and_not_forever() {
    let fake = Fake::with(&[], |store| store.unready = 2);
    let request = block_on(async { fake.gitlab().request(4).await }).unwrap();
    assert_eq!((request.merge_base.unwrap().as_str(), request.start.unwrap().as_str()), (&*sha('b'), &*sha('5')));
    let fake = Fake::with(&[], |store| store.unready = 2);
    assert_eq!(words(&run(&fake, 1)), ["posted"]);
    let fake = Fake::with(&[], |store| store.unready = usize::MAX);
    let error = block_on(async { fake.gitlab().request(4).await }).unwrap_err();
    assert_eq!(error.exit(), Exit::Stale, "{error}");
    assert!(fake.server.calls().len() < 20);
}

#[test]
fn a_version_stands_in_for_diff_refs_that_stay_null() {
    let server = Server::start(|seen| match seen.target.as_str() {
        "/projects/9/merge_requests/4/versions" => loopback::json(
            200,
            json!([{"base_commit_sha": sha('b'), "start_commit_sha": sha('5'), "head_commit_sha": sha('a')}]),
        ),
        _ => loopback::json(
            200,
            json!({"iid": 4, "web_url": "u", "state": "opened", "sha": sha('a'), "target_branch": "m", "diff_refs": null}),
        ),
    });
    let gitlab = GitLab::new(&access(&server.base(), "9")).unwrap();
    let request = block_on(async { gitlab.request(4).await }).unwrap();
    assert_eq!((request.head.as_str(), request.base.as_str()), (&*sha('a'), &*sha('5')));
}

#[test]
fn locked_and_archived_are_refused_before_the_first_write() {
    for fake in [Fake::with(&[], |store| store.locked = true), Fake::with(&[], |store| store.archived = true)] {
        let outcome = run(&fake, 1);
        assert_eq!((words(&outcome), exit(&outcome)), (vec!["not attempted"], Exit::Forge));
        assert_eq!(fake.writes().len(), 0);
    }
}

#[test]
fn without_a_token_nothing_is_sent_and_nothing_is_ours() {
    let fake = Fake::new(&[]);
    let gitlab = GitLab::new(&Access { token: None, ..fake.access() }).unwrap();
    let commit = CommitId::parse(&sha('a')).unwrap();
    let post = Post { commit, comments: comments(1), summary: SummaryPlan::Write, text: &text, consent: Consent::Open };
    let outcome = block_on(async { gitlab.post(4, &post).await });
    assert_eq!((exit(&outcome), fake.server.calls().len()), (Exit::Token, 0));
    let help = outcome.stop.unwrap().help();
    assert!(help.contains("GITLAB_TOKEN") && help.contains("`api`") && help.contains("CI_JOB_TOKEN"), "{help}");
    assert_eq!(block_on(async { gitlab.standing(4).await }).unwrap(), Default::default());
    assert_eq!(fake.server.calls().len(), 0);
}

#[test]
fn a_rerun_finds_everything_on_all_pages() {
    let fake = Fake::new(&[]);
    run(&fake, 5);
    let standing = block_on(async { fake.gitlab().standing(4).await }).unwrap();
    assert_eq!((standing.comments.len(), standing.summaries.len()), (5, 1), "the middle page is empty");
    assert_eq!(standing.comments[4].url.as_deref(), Some("https://h/4#note_4"));
}

#[test]
fn a_summary_is_edited_only_where_it_is_not_true_anymore() {
    let own = |body: &str| OwnSummary {
        id: 0,
        review: Tag([1; 8]),
        head: CommitId::parse(&sha('a')).unwrap(),
        body: body.into(),
        url: Some("https://h/4#note_0".into()),
    };
    let note = json!({"id": 0, "type": null, "body": "old", "author": {"id": 7, "username": "me"}, "position": null});
    let url = Some("https://h/4#note_0".to_owned());
    for (stored, expected, writes) in [
        ("old".to_owned(), SummaryOutcome::Updated { url: url.clone() }, 1),
        (text(&[]) + "\r\n", SummaryOutcome::AlreadyPosted { url }, 0),
    ] {
        let fake = Fake::with(&[], |store| store.notes.push(note.clone()));
        let outcome = run_with(&fake, vec![], SummaryPlan::Update(own(&stored)));
        assert_eq!((outcome.summary, fake.writes().len()), (expected, writes));
    }
}

#[test]
fn c50_patches_tell_too_large_collapsed_and_absent_apart() {
    let server = Server::start(|_| {
        let diff = |new: &str, old: &str, diff: &str, too_large: bool, collapsed: bool| json!({"new_path": new, "old_path": old, "diff": diff, "too_large": too_large, "collapsed": collapsed});
        loopback::json(
            200,
            json!([
                diff("text", "before", "@@ -1 +1 @@\n-a\n+b\n", false, false),
                diff("large", "large", "", true, false),
                diff("folded", "folded", "", false, true),
                diff("folded2", "folded2", "@@ -1 +1 @@\n-a\n+b\n", false, true),
                diff("empty", "empty", "", false, false),
                diff("unnamed", "unnamed", "x", false, false),
            ]),
        )
    });
    let gitlab = GitLab::new(&access(&server.base(), "9")).unwrap();
    let named = ["text", "large", "folded", "folded2", "empty", "missing"].map(str::to_owned);
    let patches = block_on(async { gitlab.patches(4, &BTreeSet::from(named)).await }).unwrap();
    let hunk = || RawPatch::Text("@@ -1 +1 @@\n-a\n+b\n".into());
    let raw: Vec<_> = patches.iter().map(|(name, patch)| (name.as_str(), patch.raw.clone())).collect();
    assert_eq!(
        raw,
        [
            ("empty", RawPatch::Absent),
            ("folded", RawPatch::Collapsed),
            ("folded2", hunk()),
            ("large", RawPatch::TooLarge),
            ("text", hunk()),
        ]
    );
    assert_eq!(patches["text"].previous.as_deref(), Some("before"));
}

#[test]
fn the_request_of_a_branch_is_told_from_that_of_another_projects_branch() {
    let server = Server::start(|seen| match seen.target.as_str() {
        "/projects/me%2Fp" => loopback::json(200, json!({"id": 8})),
        _ => {
            let request = |iid: u64, source: u64| {
                json!({
                    "iid": iid, "title": "t", "web_url": "u", "state": "opened", "sha": sha('a'), "target_branch": "m",
                    "source_branch": "feat/x", "source_project_id": source,
                })
            };
            loopback::json(200, json!([request(1, 9), request(2, 8)]))
        }
    });
    let gitlab = GitLab::new(&access(&server.base(), "9")).unwrap();
    let head = HeadBranch { project: "me/p".into(), branch: "feat/x".into() };
    let found = block_on(async { gitlab.find_open(&head).await }).unwrap();
    assert_eq!(found.iter().map(|open| open.number).collect::<Vec<_>>(), [2]);
    assert!(server.calls()[0].contains("source_branch=feat%2Fx"), "{:?}", server.calls());
}

//! Posting and reading against a small GitHub that can lose answers.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::GitHub;
use super::outgoing::tests::comment;
use crate::change::CommitId;
use crate::exit::Exit;
use crate::forge::loopback::{self, Reply, Seen, Server, access, block_on};
use crate::forge::{
    Consent, FailCode, Forge, HeadBranch, HeldCode, ItemOutcome, Outcome, OutgoingComment, Post, RawPatch, State,
    SummaryOutcome, SummaryPlan, Trouble,
};
use crate::gate::OwnSummary;
use crate::review::{LineRange, Side};
use crate::text::marker::Tag;

const CLAUSES: &str = "Line could not be resolved and Path could not be resolved";

/// What the server does with a review it is sent.
#[derive(Clone, Copy, PartialEq)]
enum On {
    Write,
    /// Writes, and then the answer is lost.
    WriteAndCut,
    WriteAnd502,
    Only502,
    /// Writes the summary alone.
    Orphan502,
    Orphan422,
    Refuse,
    /// Refuses whatever has a comment on LEFT.
    RefuseLeft,
    /// Writes, answers 502, and lists no more.
    Then500,
}

struct Store {
    on: On,
    head: String,
    locked: bool,
    archived: bool,
    broken: bool,
    reviews: Vec<Value>,
    comments: Vec<Vec<Value>>,
}

struct Fake {
    server: Server,
    state: Arc<Mutex<Store>>,
}

fn sha(c: char) -> String {
    c.to_string().repeat(40)
}

impl Fake {
    fn new(on: On) -> Self {
        Self::with(on, |_| {})
    }

    fn with(on: On, change: impl FnOnce(&mut Store)) -> Self {
        let mut state = Store {
            on,
            head: sha('a'),
            locked: false,
            archived: false,
            broken: false,
            reviews: vec![],
            comments: vec![],
        };
        change(&mut state);
        let state = Arc::new(Mutex::new(state));
        let shared = state.clone();
        let server = Server::start(move |seen| shared.lock().unwrap().answer(seen));
        Self { server, state }
    }

    fn github(&self) -> GitHub {
        GitHub::new(&access(&self.server.base(), "o/r")).unwrap()
    }

    fn posts(&self) -> Vec<Value> {
        self.server.seen().iter().filter(|seen| seen.method == "POST").map(Seen::json).collect()
    }
}

fn user() -> Value {
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
                "user": user(), "body": comment["body"], "path": comment["path"], "line": comment["line"],
                "html_url": format!("https://h/r{id}c{at}"),
            })
        };
        let whole = !matches!(on, On::Orphan502 | On::Orphan422);
        self.comments.push(if whole { comments.iter().enumerate().map(stored).collect() } else { vec![] });
        match on {
            On::WriteAndCut => Reply::Cut,
            On::WriteAnd502 | On::Orphan502 => loopback::json(502, "<html>"),
            On::Orphan422 => refused(),
            On::Then500 => {
                self.broken = true;
                loopback::json(502, "<html>")
            }
            _ => loopback::json(200, review),
        }
    }
}

fn text(items: &[ItemOutcome]) -> String {
    let out = items.iter().filter(|item| matches!(item, ItemOutcome::Disagrees { .. })).count();
    format!("summary, {out} left out\n\n<!-- dai v1 review={:016x} head={} -->", 1 + out, sha('a'))
}

fn body(n: u8) -> String {
    format!("text {n}\n\n<!-- dai v1 finding={n:016x} place={n:016x} -->")
}

fn two() -> Vec<OutgoingComment> {
    vec![
        comment(3, "a.rs", Side::Right, LineRange::new(5, 7), &body(1)),
        OutgoingComment { old_path: "older.rs".into(), ..comment(4, "b.rs", Side::Left, LineRange::line(9), &body(2)) },
    ]
}

fn run(fake: &Fake, comments: Vec<OutgoingComment>, summary: SummaryPlan, consent: Consent) -> Outcome {
    let commit = CommitId::parse(&sha('a')).unwrap();
    let post = Post { commit, comments, summary, text: &text, consent };
    block_on(async { fake.github().post(22, &post).await })
}

fn run_two(fake: &Fake) -> Outcome {
    run(fake, two(), SummaryPlan::Write, Consent::Open)
}

fn exit(outcome: &Outcome) -> Exit {
    outcome.stop.as_ref().map_or(Exit::Done, |stop| stop.exit())
}

fn posted(urls: [&str; 2]) -> Vec<ItemOutcome> {
    urls.map(|url| ItemOutcome::Posted { url: Some(url.into()) }).to_vec()
}

#[test]
fn one_call_carries_everything_and_is_read_back() {
    let fake = Fake::new(On::Write);
    let outcome = run_two(&fake);
    assert_eq!(outcome.items, posted(["https://h/r0c0", "https://h/r0c1"]));
    assert_eq!(outcome.summary, SummaryOutcome::Posted { url: Some("https://h/r0".into()) });
    assert_eq!(outcome.warnings, []);
    assert_eq!(
        fake.posts(),
        [json!({
            "commit_id": sha('a'), "event": "COMMENT", "body": text(&[]),
            "comments": [
                {"path": "a.rs", "start_line": 5, "start_side": "RIGHT", "line": 7, "side": "RIGHT", "body": body(1)},
                {"path": "b.rs", "line": 9, "side": "LEFT", "body": body(2)},
            ],
        })]
    );
}

#[test]
fn c31_a_lost_answer_is_found_again_and_never_sent_twice() {
    for on in [On::WriteAndCut, On::WriteAnd502] {
        let fake = Fake::new(on);
        let outcome = run_two(&fake);
        assert_eq!(outcome.items, posted(["https://h/r0c0", "https://h/r0c1"]));
        assert_eq!((exit(&outcome), fake.posts().len()), (Exit::Done, 1));
    }
}

#[test]
fn an_equal_review_of_an_earlier_run_is_not_taken_for_the_one_that_was_lost() {
    let earlier = json!({"id": 0, "user": user(), "body": text(&[]), "state": "COMMENTED", "html_url": "https://h/r0"});
    let stored =
        |n: u8, path: &str| json!({"user": user(), "body": body(n), "path": path, "html_url": "https://h/old"});
    let fake = Fake::with(On::Only502, |state| {
        state.reviews = vec![earlier];
        state.comments = vec![vec![stored(1, "a.rs"), stored(2, "b.rs")]];
    });
    let outcome = run_two(&fake);
    assert!(matches!(outcome.items[0], ItemOutcome::Failed { .. }), "{outcome:?}");
}

#[test]
fn a_502_that_wrote_nothing_is_a_refusal_and_not_repeated() {
    let fake = Fake::new(On::Only502);
    let outcome = run_two(&fake);
    assert!(matches!(outcome.items[0], ItemOutcome::Failed { code: FailCode::ForgeRefused, .. }), "{outcome:?}");
    assert_eq!((exit(&outcome), fake.posts().len()), (Exit::Forge, 1));
    assert!(fake.server.count("GET /repos/o/r/pulls/22/reviews?per_page=100") >= 3, "it may come late");
}

#[test]
fn where_the_look_fails_too_the_outcome_is_unknown() {
    let fake = Fake::new(On::Then500);
    let outcome = run_two(&fake);
    assert!(outcome.items.iter().all(|item| matches!(item, ItemOutcome::Unknown { .. })), "{outcome:?}");
    assert!(matches!(outcome.summary, SummaryOutcome::Unknown { .. }));
    assert_eq!((exit(&outcome), fake.posts().len()), (Exit::Partial, 1));
}

#[test]
fn c03_an_orphan_is_edited_loses_its_marker_and_counts_as_not_posted() {
    for on in [On::Orphan502, On::Orphan422] {
        let fake = Fake::new(on);
        let outcome = run_two(&fake);
        assert!(outcome.items.iter().all(|item| matches!(item, ItemOutcome::Failed { .. })), "{outcome:?}");
        assert!(matches!(outcome.stop.as_ref().unwrap().trouble, Trouble::Orphan { .. }));
        assert_eq!((exit(&outcome), fake.posts().len()), (Exit::Forge, 1));
        let stored = fake.state.lock().unwrap().reviews[0]["body"].as_str().unwrap().to_owned();
        assert!(stored.contains("not completed") && !stored.contains("<!--"), "{stored}");
    }
}

#[test]
fn c03_a_guessed_place_is_left_out_once_and_goes_into_the_summary() {
    let fake = Fake::new(On::RefuseLeft);
    let outcome = run_two(&fake);
    assert_eq!(outcome.items[0], ItemOutcome::Posted { url: Some("https://h/r0c0".into()) });
    assert!(matches!(outcome.items[1], ItemOutcome::Disagrees { .. }));
    let posts = fake.posts();
    assert_eq!((posts.len(), posts[1]["comments"].as_array().unwrap().len()), (2, 1));
    assert!(posts[1]["body"].as_str().unwrap().starts_with("summary, 1 left out"));
    assert_eq!((exit(&outcome), outcome.summary_text.as_deref()), (Exit::Done, posts[1]["body"].as_str()));
}

#[test]
fn c03_under_an_expected_digest_nothing_is_left_out_and_the_suspects_are_named() {
    let fake = Fake::new(On::RefuseLeft);
    let outcome = run(&fake, two(), SummaryPlan::Write, Consent::Expected);
    assert_eq!((exit(&outcome), fake.posts().len()), (Exit::Forge, 1));
    let stop = outcome.stop.unwrap();
    assert!(stop.to_string().contains(CLAUSES), "{stop}");
    // The loopback server lists no file at all, so both are outside its patch.
    assert!(
        stop.help().contains("finding 3 at a.rs:5-7 RIGHT") && stop.help().contains("finding 4"),
        "{}",
        stop.help()
    );
}

#[test]
fn c03_refused_again_is_the_end() {
    let fake = Fake::new(On::Refuse);
    let outcome = run_two(&fake);
    assert_eq!((exit(&outcome), fake.posts().len()), (Exit::Forge, 2));
    assert!(outcome.items.iter().all(|item| matches!(item, ItemOutcome::Failed { .. })), "{outcome:?}");
}

#[test]
fn c32_a_draft_is_named_and_nothing_sent() {
    let draft = json!({"id": 0, "user": user(), "body": "", "state": "PENDING", "html_url": "https://h/draft"});
    let fake = Fake::with(On::Write, |state| state.reviews.push(draft));
    let outcome = run_two(&fake);
    let stop = outcome.stop.as_ref().unwrap();
    assert!(stop.help().contains("https://h/draft"), "{}", stop.help());
    assert_eq!((exit(&outcome), fake.posts().len()), (Exit::Forge, 0));
    assert_eq!(block_on(async { fake.github().pending(22).await }).unwrap().as_deref(), Some("https://h/draft"));
}

#[test]
fn c33_a_moved_head_a_lock_and_an_archive_stop_before_the_first_write() {
    type Case = (fn(&mut Store), Exit, HeldCode);
    let cases: [Case; 3] = [
        (|state| state.head = sha('c'), Exit::Stale, HeldCode::HeadMoved),
        (|state| state.locked = true, Exit::Forge, HeldCode::ForgeRefused),
        (|state| state.archived = true, Exit::Forge, HeldCode::ForgeRefused),
    ];
    for (change, code, held) in cases {
        let fake = Fake::with(On::Write, change);
        let outcome = run_two(&fake);
        assert_eq!((exit(&outcome), fake.posts().len()), (code, 0));
        assert!(matches!(&outcome.items[1], ItemOutcome::NotAttempted { code, .. } if *code == held), "{outcome:?}");
    }
}

#[test]
fn an_interrupt_before_the_write_sends_nothing() {
    let fake = Fake::new(On::Write);
    let access = access(&fake.server.base(), "o/r");
    access.interrupt.raise();
    let commit = CommitId::parse(&sha('a')).unwrap();
    let post = Post { commit, comments: two(), summary: SummaryPlan::Write, text: &text, consent: Consent::Open };
    let outcome = block_on(async { GitHub::new(&access).unwrap().post(22, &post).await });
    assert_eq!((exit(&outcome), fake.posts().len()), (Exit::Interrupted, 0));
}

#[test]
fn a_summary_is_edited_only_where_it_is_not_true_anymore() {
    let own = |stored: &str| OwnSummary {
        id: 0,
        review: Tag([1; 8]),
        head: CommitId::parse(&sha('a')).unwrap(),
        body: stored.into(),
        url: Some("https://h/r0".into()),
    };
    let review = json!({"id": 0, "user": user(), "body": "old", "state": "COMMENTED"});
    let url = Some("https://h/r0".to_owned());
    for (stored, expected, puts) in [
        ("old".to_owned(), SummaryOutcome::Updated { url: url.clone() }, 1),
        (text(&[]).replace('\n', "\r\n") + "\n", SummaryOutcome::AlreadyPosted { url }, 0),
    ] {
        let fake = Fake::with(On::Write, |state| state.reviews.push(review.clone()));
        let outcome = run(&fake, vec![], SummaryPlan::Update(own(&stored)), Consent::Open);
        assert_eq!((outcome.summary, fake.posts().len()), (expected, 0));
        assert_eq!(fake.server.count("PUT /repos/o/r/pulls/22/reviews/0"), puts);
    }
}

#[test]
fn a_review_without_comments_is_posted_with_its_summary_alone() {
    let fake = Fake::new(On::Write);
    let outcome = run(&fake, vec![], SummaryPlan::Write, Consent::Open);
    assert_eq!(outcome.summary, SummaryOutcome::Posted { url: Some("https://h/r0".into()) });
    assert_eq!(fake.posts(), [json!({"commit_id": sha('a'), "event": "COMMENT", "body": text(&[])})]);
}

#[test]
fn the_merge_base_is_that_of_the_branch_unless_merged() {
    for (state, merged_at, wanted, range) in [
        ("open", Value::Null, State::Open, "release%2F1...".to_owned() + &sha('a')),
        ("closed", Value::Null, State::Closed, "release%2F1...".to_owned() + &sha('a')),
        ("closed", json!("2026-01-01T00:00:00Z"), State::Merged, sha('b') + "..." + &sha('a')),
    ] {
        let pull = json!({
            "number": 22, "html_url": "u", "state": state, "merged_at": merged_at,
            "head": {"ref": "topic", "sha": sha('a'), "repo": null},
            "base": {"ref": "release/1", "sha": sha('b'), "repo": null},
        });
        let server = Server::start(move |seen| match seen.target.contains("/compare/") {
            true => loopback::json(200, json!({"merge_base_commit": {"sha": sha('d')}})),
            false => loopback::json(200, &pull),
        });
        let github = GitHub::new(&access(&server.base(), "o/r")).unwrap();
        let request = block_on(async { github.request(22).await }).unwrap();
        assert_eq!((request.state, request.merge_base.unwrap().as_str()), (wanted, &*sha('d')));
        assert_eq!(server.calls()[1], format!("GET /repos/o/r/compare/{range}?per_page=1"));
    }
}

#[test]
fn a_404_is_a_missing_request_or_a_hidden_project() {
    for (project, exit) in [(200, Exit::Forge), (404, Exit::Token)] {
        let server = Server::start(move |seen| match seen.target.as_str() {
            "/repos/o/r" => loopback::json(project, json!({"full_name": "o/r"})),
            _ => loopback::json(404, json!({"message": "Not Found"})),
        });
        let github = GitHub::new(&access(&server.base(), "o/r")).unwrap();
        let error = block_on(async { github.request(22).await }).unwrap_err();
        assert_eq!(error.exit(), exit, "{error}");
    }
}

#[test]
fn patches_are_read_page_by_page_until_all_named_files_were_seen() {
    let server = Server::start(|seen| {
        let page: usize = seen.target.split("&page=").nth(1).map_or(1, |page| page.parse().unwrap());
        let host = &seen.headers["host"];
        let link = format!("<http://{host}/repos/o/r/pulls/22/files?per_page=100&page={}>; rel=\"next\"", page + 1);
        let files = json!([
            {"filename": format!("f{page}"), "patch": "@@ -1 +1 @@\n-a\n+b"},
            {"filename": format!("n{page}"), "previous_filename": format!("o{page}")},
        ]);
        Reply::Whole(200, vec![("link", link)], files.to_string())
    });
    let github = GitHub::new(&access(&server.base(), "o/r")).unwrap();
    let named = BTreeSet::from(["f1".to_owned(), "n2".to_owned()]);
    let patches = block_on(async { github.patches(22, &named).await }).unwrap();
    assert_eq!(server.calls().len(), 2);
    assert_eq!(patches["f1"].raw, RawPatch::Text("@@ -1 +1 @@\n-a\n+b".into()));
    assert_eq!((&patches["n2"].raw, patches["n2"].previous.as_deref()), (&RawPatch::Absent, Some("o2")));
    assert_eq!(patches.len(), 2);
}

#[test]
fn only_requests_of_that_very_branch_are_found() {
    let server = Server::start(|_| {
        let pull = |number: u64, branch: &str, repo: Value| {
            json!({
                "number": number, "title": "t", "html_url": "u", "state": "open", "merged_at": null,
                "head": {"ref": branch, "sha": sha('a'), "repo": repo}, "base": {"ref": "main", "sha": sha('b'), "repo": null},
            })
        };
        let fork = json!({"full_name": "Me/r"});
        let other = json!({"full_name": "o/r"});
        loopback::json(
            200,
            json!([
                pull(1, "feat/x", fork.clone()),
                pull(2, "feat/x", other),
                pull(3, "y", fork),
                pull(4, "feat/x", Value::Null)
            ]),
        )
    });
    let github = GitHub::new(&access(&server.base(), "o/r")).unwrap();
    let head = HeadBranch { project: "me/r".into(), branch: "feat/x".into() };
    let found = block_on(async { github.find_open(&head).await }).unwrap();
    assert_eq!(found.iter().map(|open| open.number).collect::<Vec<_>>(), [1]);
    assert_eq!(server.calls(), ["GET /repos/o/r/pulls?state=open&head=me:feat%2Fx&per_page=100"]);
}

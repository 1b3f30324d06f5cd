//! `dai review verdict`.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::local::Local;
use crate::support::repo::Repo;
use crate::support::run::{Answer, Dai, Normal};

fn verdict(repo: &Repo, review: &Value, args: &[&str]) -> Answer {
    let run = Dai::in_repo(repo).args(["review", "verdict", "-"]).args(args.iter().copied());
    run.stdin(review.to_string()).run()
}

fn dai(severity: &str, state: &str) -> Value {
    json!({ "findings": [{ "path": "a.rs", "line": 5, "severity": severity, "body": "b", "state": state }] })
}

fn orchestra(severity: &str) -> Value {
    json!({ "findings": [{ "id": "f", "severity": severity, "file": "a.rs", "line": 5, "claim": "c", "evidence": "e" }] })
}

fn exchange(state: &str) -> Value {
    let patch = ["--- a/a.rs", "+++ b/a.rs", "@@ -1 +1 @@", "-x", "+y"];
    json!({ "leanreview_review": 1, "patch": patch, "comments": [
        { "path": "a.rs", "start_line": 1, "body": "b", "state": state }
    ]})
}

#[test]
fn it_exits_1_when_a_blocking_finding_stands_and_0_when_none_does() {
    let repo = Repo::new();
    for (review, code) in [
        (dai("high", "active"), 1),
        (dai("medium", "active"), 1),
        (dai("low", "active"), 0),
        (dai("high", "dismissed"), 0),
        (dai("high", "orphaned"), 1),
        (dai("medium", "stale"), 1),
        (json!({ "findings": [] }), 0),
        (orchestra("blocker"), 1),
        (orchestra("important"), 1),
        (orchestra("minor"), 0),
        (exchange("active"), 1),
        (exchange("dismissed"), 0),
        (exchange("orphaned"), 0),
        (exchange("stale"), 0),
    ] {
        let answer = verdict(&repo, &review, &[]).exits(code);
        assert!(answer.out().starts_with(if code == 0 { "accepted: " } else { "blocked: " }), "{answer}");
        assert!(answer.out().contains("bound to no commit"), "{answer}");
    }
}

#[test]
fn what_blocks_is_listed_and_what_it_is_bound_to_is_said() {
    let change = Local::two_hunks();
    let review = json!({ "head": change.repo.head(), "findings": [
        { "path": "a.rs", "line": 5, "end_line": 6, "severity": "HIGH", "body": "```\ncode\n```\nThe first words.\nMore." },
        { "path": "a.rs", "severity": "medium", "body": "x".repeat(200), "state": "stale" },
        { "path": "odd\u{1b}[31m", "line": 1, "side": "left", "severity": "medium", "body": "An escape: \u{1b}[2J" },
        { "path": "a.rs", "line": 5, "severity": "low", "body": "Does not block." },
        { "path": "a.rs", "line": 5, "severity": "high", "body": "Rejected by a person.", "state": "dismissed" }
    ]});
    let answer = verdict(&change.repo, &review, &[]).exits(1);
    assert_snapshot!("verdict_blocked", Normal::new().apply(answer.out()));
    assert_eq!(answer.err(), "");
    let answer = verdict(&change.repo, &exchange("active"), &[]).exits(1);
    assert_snapshot!("verdict_exchange", answer.out());
    // What does not block for its state is said: it may be a place that the reviewer got wrong.
    let mut waiting = exchange("stale");
    waiting["comments"].as_array_mut().expect("a list").extend([
        json!({ "path": "a.rs", "start_line": 9, "body": "b" }),
        json!({ "path": "a.rs", "start_line": 1, "body": "b", "state": "orphaned" }),
    ]);
    let answer = verdict(&change.repo, &waiting, &[]).exits(0);
    assert!(answer.out().contains("\n2 orphaned and 1 stale, which"), "{answer}");
    let clean = verdict(&change.repo, &json!({ "findings": [] }), &[]).exits(0);
    assert_snapshot!("verdict_clean", clean.out());
}

#[test]
fn with_a_commit_only_a_review_of_it_counts() {
    let change = Local::two_hunks();
    let (head, base) = (change.repo.head(), change.repo.rev("main"));
    let bound = |commit: &str| json!({ "head": commit, "findings": [] });
    for rev in ["HEAD", "topic", head.as_str(), &head.to_uppercase()] {
        verdict(&change.repo, &bound(&head), &["--commit", rev]).exits(0);
    }
    let blocked = json!({ "result_sha": head, "findings": orchestra("blocker")["findings"] });
    verdict(&change.repo, &blocked, &["--commit", "HEAD"]).exits(1);
    let other = verdict(&change.repo, &bound(&base), &["--commit", "HEAD"]).exits(7);
    assert_eq!(other.out(), "", "a verdict on another commit is none");
    assert_snapshot!("verdict_other", Normal::new().apply(other.err()));
    // Nor does one that only begins like it.
    for shared in [10, 39] {
        let last = if head.ends_with('0') { "1" } else { "0" };
        let alike = format!("{}{}", &head[..shared], last.repeat(40 - shared));
        assert_ne!(alike, head);
        verdict(&change.repo, &bound(&alike), &["--commit", "HEAD"]).exits(7);
        verdict(&change.repo, &bound(&alike), &["--commit", &head]).exits(7);
    }
    let unbound = verdict(&change.repo, &json!({ "findings": [] }), &["--commit", "HEAD"]).exits(7);
    assert_snapshot!("verdict_unbound", Normal::new().apply(unbound.err()));
    let patch = verdict(&change.repo, &exchange("dismissed"), &["--commit", "HEAD"]).exits(7);
    assert_snapshot!("verdict_no_field", Normal::new().apply(patch.err()));
    verdict(&change.repo, &bound(&head), &["--commit", "nowhere"]).exits(4).says("nowhere");
}

#[test]
fn a_full_id_needs_no_repository_and_a_name_does() {
    let outside = tempfile::tempdir().expect("a folder");
    let id = "a".repeat(40);
    let review = json!({ "head": id, "findings": [] }).to_string();
    let run =
        |rev: &str| Dai::at(outside.path()).args(["review", "verdict", "-", "--commit", rev]).stdin(review.clone());
    run(&id).run().exits(0);
    run("HEAD").run().exits(4);
}

#[test]
fn the_bounds_of_orchestras_format_are_exact() {
    let repo = Repo::new();
    let with = |field: &str, text: String| {
        let mut review = orchestra("minor");
        review["findings"][0][field] = json!(text);
        review
    };
    for field in ["id", "file", "claim", "evidence"] {
        for text in ["a".repeat(500), "é".repeat(250)] {
            verdict(&repo, &with(field, text), &[]).exits(0);
        }
        for text in ["a".repeat(501), format!("{}a", "é".repeat(250)), "é".repeat(251)] {
            verdict(&repo, &with(field, text), &[]).exits(3).says("500");
        }
    }
    let many = |count: usize| {
        let one = |at: usize| json!({ "id": format!("f{at}"), "severity": "minor", "file": "a", "line": 0, "claim": "c", "evidence": "e" });
        json!({ "findings": (0..count).map(one).collect::<Vec<_>>() })
    };
    verdict(&repo, &many(40), &[]).exits(0);
    verdict(&repo, &many(41), &[]).exits(3).says("40");
}

#[test]
fn a_file_that_is_not_there_or_no_review_is_3() {
    let repo = Repo::new();
    let run = |file: &str| Dai::in_repo(&repo).args(["review", "verdict", file]).run();
    let missing = run("none.json").exits(3);
    assert_snapshot!("verdict_missing", missing.err());
    repo.write("bad.json", "{\"findings\": [{\"path\": \"a\", \"severity\": \"grave\", \"body\": \"b\"}]}");
    run("bad.json").exits(3).says("/findings/0/severity");
    Dai::in_repo(&repo).args(["review", "verdict"]).run().exits(2);
}

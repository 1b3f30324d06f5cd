//! `dai review check`: every format, without network, and changes of single values in place.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::local::{Local, at, fates, quoting, range, with};
use crate::support::repo::{Repo, Scratch};
use crate::support::run::{Answer, Dai};
use crate::widgets::Widgets;

/// The shape of an example in which a hunk's header counts one line too many on each side.
pub const MISCOUNTED: &str = r#"{
  "leanreview_review": 1,
  "title": "Retry on timeout",
  "patch": [
    "diff --git a/client.go b/client.go",
    "--- a/client.go",
    "+++ b/client.go",
    "@@ -10,5 +10,6 @@ func get() error {",
    " \tres, err := do()",
    "-\treturn err",
    "+\tif timeout(err) {",
    "+\t\treturn retry()",
    " \t}",
    " }"
  ],
  "comments": [
    {
      "path": "client.go",
      "side": "RIGHT",
      "start_line": 11,
      "body": "Retry needs a limit."
    }
  ]
}
"#;

/// A file of its own, in no repository.
fn outside(name: &str, text: &str) -> (Scratch, PathBuf) {
    let scratch = Scratch::new();
    let file = scratch.path().join(name);
    fs::write(&file, text).expect("the file can be written");
    (scratch, file)
}

fn check(scratch: &Scratch, args: &[&str]) -> Answer {
    Dai::at(scratch.path()).args(["review", "check"]).args(args.iter().copied()).run()
}

/// The lines that differ, as `-old` and `+new`.
fn diff(before: &str, after: &str) -> String {
    let lines = |text: &str| text.split('\n').map(str::to_owned).collect::<Vec<_>>();
    let (old, new) = (lines(before), lines(after));
    let gone = old.iter().filter(|line| !new.contains(line)).map(|line| format!("-{line}\n"));
    let come = new.iter().filter(|line| !old.contains(line)).map(|line| format!("+{line}\n"));
    gone.chain(come).collect()
}

/// The report passes the published schema.
pub fn valid(report: &Value) {
    let schema = Dai::at(".").args(["schema", "report"]).run().exits(0).json();
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let refused: Vec<_> = validator.iter_errors(report).map(|error| error.to_string()).collect();
    assert!(refused.is_empty(), "{refused:?}");
}

#[test]
fn a_hunk_that_counts_one_line_too_many_anchors_its_comment_and_is_named() {
    let (scratch, _) = outside("topic.review.json", MISCOUNTED);
    let answer = check(&scratch, &["topic.review.json", "--strict"]).exits(0);
    assert!(answer.err().contains("\"@@ -10,5 +10,6 @@ func get() error {\""), "{answer}");
    insta::assert_snapshot!(
        "an_exchange_outside_any_repository",
        format!("{}--- stderr\n{}", answer.out(), answer.err())
    );
    let report = check(&scratch, &["topic.review.json", "--format", "json"]).exits(0).json();
    valid(&report);
    assert_eq!((&report["mode"], &report["counts"]["ready"]), (&json!("check"), &json!(1)));
    assert_eq!(report["findings"][0]["anchored"], json!(["\tif timeout(err) {"]));
    assert_eq!(report["warnings"][0]["code"], "lenient");
}

#[test]
fn no_comment_anchors_in_another_files_lines_or_beside_its_own() {
    let review = |patch: Value, comments: &[(&str, u32)]| {
        let one = |(path, line): &(&str, u32)| json!({ "path": path, "start_line": line, "body": "b" });
        let comments: Vec<_> = comments.iter().map(one).collect();
        json!({ "leanreview_review": 1, "patch": patch, "comments": comments }).to_string()
    };
    // Counted one line too many on each side, right before the header of a file without `diff --git`.
    let patch = "--- a/one.rs\n+++ b/one.rs\n@@ -1,4 +1,4 @@\n a\n-b\n+c\n d\n--- a/two.rs\n+++ b/two.rs\n@@ -50,2 +50,3 @@\n x\n+y\n z\n";
    let (scratch, _) = outside("t.json", &review(json!(patch), &[("one.rs", 51), ("two.rs", 51), ("one.rs", 2)]));
    let answer = check(&scratch, &["t.json", "--format", "json"]).exits(0).says("@@ -1,4 +1,4 @@");
    let report = answer.json();
    assert_eq!(fates(&report), ["orphaned", "ready", "ready"]);
    let anchored: Vec<_> = (1..3).map(|at| report["findings"][at]["anchored"][0].clone()).collect();
    assert_eq!(anchored, ["y", "c"]);
    // Lines that kept their ends, in a list; and a text with an empty line behind every one.
    let patch = "--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";
    let list: Vec<_> = patch.split_inclusive('\n').collect();
    let (scratch, _) = outside("t.json", &review(json!(list), &[("a", 2), ("a", 3)]));
    let report = check(&scratch, &["t.json", "--format", "json"]).exits(0).json();
    assert_eq!(fates(&report), ["ready", "ready"]);
    assert_eq!(report["findings"][1]["anchored"], json!(["three"]));
    let spread = format!("--- a/a\n+++ b/a\n{}", &patch[16..].replace('\n', "\n\n"));
    let (scratch, _) = outside("t.json", &review(json!(spread), &[("a", 2), ("a", 3)]));
    let answer = check(&scratch, &["t.json", "--format", "json"]).exits(0).says("@@ -1,3 +1,3 @@");
    assert_eq!(fates(&answer.json()), ["orphaned", "orphaned"]);
}

#[test]
fn write_gives_states_ids_and_snippets_and_no_other_byte() {
    let comments = r#"
    { "path": "client.go", "start_line": 11, "body": "a" },
    { "id": "x", "path": "client.go", "start_line": 11, "body": "b", "state": "stale", "at": "2026" },
    { "id": "y", "path": "client.go", "start_line": 99, "body": "c" },
    {"id":"z","path":"gone.go","start_line":1,"body":"d","state":"dismissed"}
  "#;
    let text =
        MISCOUNTED.replace(&MISCOUNTED[MISCOUNTED.find("\n    {").unwrap()..MISCOUNTED.rfind(']').unwrap()], comments);
    let (scratch, file) = outside("topic.review.json", &text);
    let answer = check(&scratch, &["topic.review.json", "--write"]).exits(0);
    let written = fs::read_to_string(&file).unwrap();
    insta::assert_snapshot!("the_bytes_that_write_changes", diff(&text, &written));
    insta::assert_snapshot!("what_write_says", answer.err());
    // Twice is once.
    check(&scratch, &["topic.review.json", "--write"]).exits(0).says("nothing to write");
    assert_eq!(fs::read_to_string(&file).unwrap(), written);
    let states: Vec<_> = serde_json::from_str::<Value>(&written).unwrap()["comments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|comment| comment["state"].as_str().unwrap_or("-").to_owned())
        .collect();
    assert_eq!(states, ["-", "active", "orphaned", "dismissed"]);
}

#[test]
fn fix_takes_the_sure_proposals_and_changes_their_numbers_only() {
    let local = Local::two_hunks();
    let findings = [
        quoting("a.rs", 9, "line five and a half"),
        quoting("a.rs", 4, "line 4"),
        with(range("a.rs", 7, 8), json!({ "snippet": "line five\nline five and a half" })),
        quoting("a.rs", 8, "half"),
        at("a.rs", 20),
        with(quoting("a.rs", 9, "line five"), json!({ "state": "dismissed" })),
    ];
    let text = serde_json::to_string_pretty(&json!({ "head": local.repo.head(), "findings": findings })).unwrap();
    local.repo.write("my.json", &text);
    let run = |args: &[&str]| {
        let run = Dai::in_repo(&local.repo).args(["review", "check", "my.json", "--base", "main"]);
        run.args(args.iter().copied()).run()
    };
    let report = run(&["--format", "json"]).exits(0).json();
    valid(&report);
    let codes = ["snippet_mismatch", "ready", "snippet_mismatch", "snippet_mismatch", "line_not_in_diff", "dismissed"];
    assert_eq!(fates(&report), codes);
    let first = &report["findings"][0];
    assert_eq!((&first["proposal"]["line"], &first["nearest"][0]["text"]), (&json!(6), &json!("line 8")));
    run(&["--strict"]).exits(1).says("4 findings are rejected (--strict)");

    let answer = run(&[]).exits(0).says("2 proposals are sure");
    insta::assert_snapshot!("a_check_for_people", answer.out());
    let answer = run(&["--fix"]).exits(0);
    let fixed = String::from_utf8(fs::read(local.repo.path().join("my.json")).unwrap()).unwrap();
    insta::assert_snapshot!("what_fix_says", answer.err());
    let expected = text
        .replacen("\"line\": 9,", "\"line\": 6,", 1)
        .replace("\"line\": 7,", "\"line\": 5,")
        .replace("\"end_line\": 8,", "\"end_line\": 6,");
    assert_eq!(diff(&text, &fixed), diff(&text, &expected));
    assert_eq!(fixed, expected, "every other byte is as it was");
    run(&["--fix"]).exits(0).says("nothing to write");
}

#[test]
fn fix_mends_an_exchange_by_its_own_patch_and_revives_no_orphan() {
    let with_comment = |comment: Value| {
        let mut document: Value = serde_json::from_str(MISCOUNTED).unwrap();
        document["comments"] = json!([comment]);
        serde_json::to_string(&document).unwrap()
    };
    let comment = json!({ "path": "client.go", "start_line": 40, "body": "x", "snippet": "return retry()" });
    let text = with_comment(comment.clone());
    let (scratch, file) = outside("t.review.json", &text);
    let report = check(&scratch, &["t.review.json", "--format", "json"]).exits(0).json();
    let finding = &report["findings"][0];
    assert_eq!((&finding["reason"]["code"], &finding["proposal"]["line"]), (&json!("orphaned"), &json!(12)));
    check(&scratch, &["t.review.json", "--fix", "--strict"]).exits(0);
    assert_eq!(fs::read_to_string(&file).unwrap(), text.replace("\"start_line\":40", "\"start_line\":12"));

    let orphan = with_comment(with(comment, json!({ "state": "orphaned" })));
    fs::write(&file, &orphan).unwrap();
    check(&scratch, &["t.review.json", "--fix", "--write", "--strict"]).exits(1);
    let after: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert_eq!((&after["comments"][0]["start_line"], &after["comments"][0]["state"]), (&json!(40), &json!("orphaned")));
}

#[test]
fn a_default_file_is_held_against_what_an_earlier_run_fetched() {
    let widgets = Widgets::new();
    widgets.findings(&[
        at("a.rs", 5),
        at("a.rs", 20),
        json!({ "path": "a.rs", "severity": "low", "body": "All of it." }),
    ]);
    let before = widgets.dai().args(["review", "check", "--format", "json"]).run().exits(0);
    assert_eq!(fates(&before.json()), ["not_attempted", "not_attempted", "summary"], "nothing was fetched yet");
    widgets.run(&[]).run().exits(0);
    let (api, git) = (widgets.forge.requests().len(), widgets.forge.git_requests().len());
    let report = widgets.dai().args(["review", "check", "--format", "json"]).run().exits(0).json();
    valid(&report);
    assert_eq!(fates(&report), ["ready", "line_not_in_diff", "summary"]);
    assert_eq!(report["commits"]["head"], json!(widgets.head));
    assert_eq!((widgets.forge.requests().len(), widgets.forge.git_requests().len()), (api, git), "no network");
}

#[test]
fn where_there_is_nothing_to_anchor_against_only_the_file_is_checked_and_that_is_said() {
    let review = json!({ "findings": [
        at("a", 1), { "path": "a", "severity": "low", "body": "b" }, with(at("a", 2), json!({ "state": "stale" })),
        with(at("a", 3), json!({ "state": "dismissed" })),
    ] });
    let (scratch, _) = outside("r.json", &review.to_string());
    let answer = check(&scratch, &["r.json"]).exits(0).says("only the file was checked");
    insta::assert_snapshot!("only_the_file", answer.out());
    let report = check(&scratch, &["r.json", "--format", "json"]).exits(0).json();
    valid(&report);
    assert_eq!(fates(&report), ["not_attempted", "summary", "stale", "dismissed"]);
    check(&scratch, &["r.json", "--fix"]).exits(0).says("nothing to write");
    let (scratch, _) = outside("r.json", r#"{"findings": [{"path": "/a"}]}"#);
    let answer = check(&scratch, &["r.json", "--format", "json"]).exits(3);
    assert_eq!(answer.out(), "");
    check(&scratch, &["r.json", "--base", "main"]).exits(4);
}

#[test]
fn orchestras_review_is_checked_and_fixed_too() {
    let local = Local::two_hunks();
    let finding = |line: u32| json!({ "id": format!("f{line}"), "severity": "minor", "file": "a.rs", "line": line, "claim": "c", "evidence": "e" });
    local.repo.write("o.json", json!({ "findings": [finding(5), finding(20), finding(0)] }).to_string());
    let run = Dai::in_repo(&local.repo).args(["review", "check", "o.json", "--base", "main", "--head", "topic"]);
    let report = run.args(["--format", "json"]).run().exits(0).json();
    valid(&report);
    assert_eq!(fates(&report), ["ready", "line_not_in_diff", "summary"]);
}

#[test]
fn without_a_file_the_only_review_is_read_and_of_several_the_list_is_given() {
    let repo = Repo::new();
    repo.write("a", "1\n").commit("base");
    let run = || Dai::in_repo(&repo).args(["review", "check"]).run();
    run().exits(2).says("there is no review in .dai/reviews/");
    repo.write(".dai/reviews/7.json", r#"{"findings": []}"#).write(".dai/reviews/7.posted.json", "{}");
    run().exits(0);
    repo.write(".dai/reviews/8.json", r#"{"findings": []}"#);
    run().exits(2).says("7.json").says("8.json");
}

#[test]
fn what_cannot_be_written_is_refused_and_left_alone() {
    let review = json!({ "findings": [] }).to_string();
    let (scratch, file) = outside("r.json", &review);
    check(&scratch, &["r.json", "--write"]).exits(2).says("--write is for an exchange");
    check(&scratch, &["-", "--fix"]).exits(2);
    check(&scratch, &["r.json", "--head", "x"]).exits(2);
    assert_eq!(fs::read_to_string(&file).unwrap(), review);
    fs::write(scratch.path().join("real"), MISCOUNTED).unwrap();
    std::os::unix::fs::symlink("real", scratch.path().join("link.json")).unwrap();
    check(&scratch, &["link.json", "--write"]).exits(3).says("cannot write");
    assert_eq!(fs::read_to_string(scratch.path().join("real")).unwrap(), MISCOUNTED);
    assert!(scratch.path().join("link.json").is_symlink());
}

//! `dai review convert`: one format into another, and what the target cannot hold.

use std::fs;

use serde_json::{Value, json};

use crate::local::{Local, at, fates, left, range, with};
use crate::support::run::{Answer, Dai};

fn convert(local: &Local, args: &[&str]) -> Answer {
    Dai::in_repo(&local.repo).args(["review", "convert"]).args(args.iter().copied()).run()
}

fn dai() -> Value {
    json!({ "summary": "Judged.", "findings": [
        with(at("./a.rs", 5), json!({ "severity": "high", "confidence": 0.25, "id": "f1" })),
        with(range("a.rs", 5, 6), json!({ "state": "dismissed" })),
        left("a.rs", 30),
        json!({ "path": "a.rs", "severity": "low", "body": "The file as a whole." }),
    ] })
}

#[test]
fn a_review_goes_to_leanreview_and_back_with_what_a_person_dismissed_there() {
    let local = Local::two_hunks();
    local.repo.write("r.json", dai().to_string());
    let answer =
        convert(&local, &["r.json", "--to", "exchange", "--base", "main", "-o", "t.review.json", "--strict"]).exits(0);
    assert_eq!(answer.out(), "");
    let read = |name: &str| fs::read_to_string(local.repo.path().join(name)).unwrap();
    let text = read("t.review.json");
    let exchange: Value = serde_json::from_str(&text).unwrap();
    // The diff in it is git's.
    let patch: Vec<&str> = exchange["patch"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    assert_eq!(patch.join("\n"), local.repo.git(&["diff", "--full-index", "main...topic"]));
    insta::assert_snapshot!("a_review_as_an_exchange", text.replace(patch[1], "index [BLOBS]"));
    // It stands in leanreview as it is, and a second writing changes nothing.
    let again = convert(&local, &["t.review.json", "--to", "exchange", "--strict"]).exits(0);
    assert_eq!(again.out(), text);
    let checked =
        Dai::in_repo(&local.repo).args(["review", "check", "t.review.json", "--format", "json"]).run().exits(0);
    assert_eq!(fates(&checked.json()), ["ready", "dismissed", "ready", "summary"]);

    // Held against the change itself, it is carried there by its patch.
    let run = Dai::in_repo(&local.repo).args(["review", "check", "t.review.json", "--base", "main"]);
    let checked = run.args(["--format", "json"]).run().exits(0).json();
    assert_eq!(fates(&checked), ["ready", "dismissed", "ready", "summary"]);
    assert_eq!(checked["commits"]["head"], json!(local.repo.head()));

    // A person dismisses the first one.
    local.repo.write("t.review.json", text.replacen("\"state\": \"active\"", "\"state\": \"dismissed\"", 1));
    convert(&local, &["t.review.json", "--to", "dai", "-o", "back.json", "--strict"]).exits(0);
    let back: Value = serde_json::from_str(&read("back.json")).unwrap();
    let mut expected = dai();
    for (before, after) in
        expected["findings"].as_array_mut().unwrap().iter_mut().zip(back["findings"].as_array().unwrap())
    {
        // What a conversion adds: an id, the patch's lines, the path as the diff has it.
        for field in ["id", "snippet", "path"] {
            before[field] = after[field].clone();
        }
        if after["snippet"].is_null() {
            before.as_object_mut().unwrap().remove("snippet");
        }
    }
    expected["findings"][0]["state"] = json!("dismissed");
    assert_eq!(back, expected);
    assert_eq!(back["findings"][0]["path"], "a.rs");
}

#[test]
fn what_the_target_cannot_hold_is_left_out_named_and_exit_1_under_strict() {
    let local = Local::two_hunks();
    local.repo.write("r.json", dai().to_string());
    let answer = convert(&local, &["r.json", "--to", "orchestra", "--strict"]).exits(1);
    insta::assert_snapshot!("what_orchestra_cannot_hold", answer.err());
    assert!(answer.json()["findings"].as_array().unwrap().is_empty());
    convert(&local, &["r.json", "--to", "orchestra"]).exits(0);

    let exchange = r#"{"leanreview_review": 1, "title": "T", "patch": ["--- a/a", "+++ b/a", "@@ -1 +1 @@", "-x", "+y"],
        "comments": [{"author": "ann", "path": "a", "start_line": 1, "body": "b", "at": "2026"}]}"#;
    local.repo.write("x.review.json", exchange);
    let answer = convert(&local, &["x.review.json", "--to", "dai"]).exits(0);
    insta::assert_snapshot!("what_dai_cannot_hold", answer.err());
    assert_eq!(answer.json(), json!({ "findings": [] }));
}

#[test]
fn no_state_is_revived_on_the_way_and_what_becomes_an_orphan_is_named() {
    let local = Local::two_hunks();
    let findings = [
        with(at("a.rs", 5), json!({ "state": "stale" })),
        with(at("a.rs", 5), json!({ "state": "orphaned", "body": "An orphan." })),
        at("a.rs", 20),
        json!({ "path": "elsewhere.rs", "severity": "high", "body": "The file as a whole." }),
    ];
    local.repo.write("r.json", json!({ "findings": findings }).to_string());
    let answer =
        convert(&local, &["r.json", "--to", "exchange", "--base", "main", "-o", "t.review.json", "--strict"]).exits(1);
    let answer = answer.says("/findings/2: its place is not in the change's diff: it is written as orphaned");
    answer.says("/findings/3: its file is not in the change's diff").says("2 things were left out");
    let states = |document: &Value, list: &str| {
        let list = document[list].as_array().unwrap();
        list.iter().map(|one| one["state"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let text = fs::read_to_string(local.repo.path().join("t.review.json")).unwrap();
    let expected = ["stale", "orphaned", "orphaned", "orphaned"];
    assert_eq!(states(&serde_json::from_str(&text).unwrap(), "comments"), expected);
    // A second writing is the first, and nothing comes back as active.
    let again = convert(&local, &["t.review.json", "--to", "exchange", "--strict"]).exits(0);
    assert_eq!(again.out(), text);
    let back = convert(&local, &["t.review.json", "--to", "dai", "--strict"]).exits(0).json();
    assert_eq!(states(&back, "findings"), expected);
}

#[test]
fn an_exchange_needs_a_change_and_the_formats_round_trip() {
    let local = Local::two_hunks();
    local.repo.write("r.json", dai().to_string());
    convert(&local, &["r.json", "--to", "exchange"]).exits(2).says("no change is named");
    convert(&local, &["r.json", "--to", "exchange", "--base", "nowhere"]).exits(4);
    convert(&local, &["r.json", "--to", "markdown"]).exits(2);
    convert(&local, &["none.json", "--to", "dai"]).exits(3);
    // Orchestra's to ours and back.
    let orchestra = json!({ "result_sha": local.repo.head(), "findings": [
        { "id": "f1", "severity": "blocker", "file": "a.rs", "line": 5, "claim": "c", "evidence": "e" },
        { "id": "f2", "severity": "minor", "file": "a.rs", "claim": "c2", "evidence": "e2" },
    ] });
    local.repo.write("o.json", orchestra.to_string());
    convert(&local, &["o.json", "--to", "dai", "-o", "d.json", "--strict"]).exits(0);
    let back = convert(&local, &["d.json", "--to", "orchestra", "--strict"]).exits(0).json();
    assert_eq!(back, orchestra);
}

#[test]
fn numbers_that_leave_their_patch_take_its_lines_along() {
    let local = Local::two_hunks();
    let patch: Vec<String> = local.repo.git(&["diff", "main...topic"]).lines().map(str::to_owned).collect();
    let comment = json!({ "author": "dai: high", "path": "a.rs", "start_line": 6, "body": "b" });
    local
        .repo
        .write("t.review.json", json!({ "leanreview_review": 1, "patch": patch, "comments": [comment] }).to_string());
    let dai = convert(&local, &["t.review.json", "--to", "dai", "--strict"]).exits(0);
    assert_eq!(dai.json()["findings"][0]["snippet"], "line five and a half");
    // Another line stands under that number by now.
    let old = fs::read_to_string(local.repo.path().join("a.rs")).unwrap();
    local.repo.write("a.rs", format!("// one\n{old}")).commit("more");
    local.repo.write("r.json", dai.out());
    let check = Dai::in_repo(&local.repo).args(["review", "check", "r.json", "--base", "main", "--format", "json"]);
    let report = check.run().exits(0).json();
    assert_eq!(fates(&report), ["snippet_mismatch"]);
    assert_eq!(report["findings"][0]["proposal"]["line"], 7);
}

#[test]
fn a_link_is_not_written_through() {
    let local = Local::two_hunks();
    local.repo.write("r.json", dai().to_string()).write("kept", "kept").symlink("out.json", "kept");
    convert(&local, &["r.json", "--to", "dai", "-o", "out.json"]).exits(3).says("cannot write");
    assert_eq!(fs::read_to_string(local.repo.path().join("kept")).unwrap(), "kept");
}

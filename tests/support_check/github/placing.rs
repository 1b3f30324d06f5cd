//! Which reviews the loopback GitHub takes.

use serde_json::{Value, json};

use super::ground::{REVIEWS, ask, review, scene, stored};
use crate::support::faults::Fault;
use crate::support::github::Refusals;

#[test]
fn a_place_is_taken_or_refused_by_the_real_diff() {
    let (forge, scene) = scene();
    let client = ask(&forge, "secret");
    let (path, line) = ("Path could not be resolved", "Line could not be resolved");
    let before = "Start line must precede the end line";
    let table = [
        (json!({ "path": "a.rs", "line": 5, "side": "RIGHT" }), None),
        (json!({ "path": "a.rs", "line": 6 }), None),
        (json!({ "path": "a.rs", "line": 2, "side": "RIGHT" }), None),
        (json!({ "path": "a.rs", "line": 9, "side": "RIGHT" }), None),
        (json!({ "path": "a.rs", "line": 5, "side": "LEFT" }), None),
        (json!({ "path": "a.rs", "line": 30, "side": "LEFT" }), None),
        (json!({ "path": "gone.rs", "line": 2, "side": "LEFT" }), None),
        (json!({ "path": "new.rs", "line": 10, "side": "LEFT" }), None),
        (json!({ "path": "new.rs", "line": 10, "side": "RIGHT" }), None),
        (json!({ "path": "made.rs", "line": 2, "side": "RIGHT", "start_line": 1, "start_side": "RIGHT" }), None),
        (json!({ "path": "a.rs", "line": 9, "side": "RIGHT", "start_line": 2 }), None),
        (json!({ "path": "link", "line": 1, "side": "LEFT" }), None),
        // A context line takes RIGHT alone, by its new number.
        (json!({ "path": "a.rs", "line": 4, "side": "LEFT" }), Some(line)),
        (json!({ "path": "a.rs", "line": 1, "side": "RIGHT" }), Some(line)),
        (json!({ "path": "a.rs", "line": 20, "side": "RIGHT" }), Some(line)),
        (json!({ "path": "a.rs", "line": 0, "side": "RIGHT" }), Some(line)),
        (json!({ "path": "gone.rs", "line": 2, "side": "RIGHT" }), Some(line)),
        (json!({ "path": "made.rs", "line": 1, "side": "LEFT" }), Some(line)),
        (json!({ "path": "old.rs", "line": 10, "side": "LEFT" }), Some(path)),
        (json!({ "path": "nowhere.rs", "line": 1, "side": "RIGHT" }), Some(path)),
        (json!({ "path": "link", "line": 1, "side": "RIGHT" }), Some(line)),
        (json!({ "path": "a.rs", "line": 5, "side": "RIGHT", "start_line": 5, "start_side": "RIGHT" }), Some(before)),
        (json!({ "path": "a.rs", "line": 5, "side": "RIGHT", "start_line": 6, "start_side": "RIGHT" }), Some(before)),
        (
            json!({ "path": "a.rs", "line": 30, "side": "RIGHT", "start_line": 5 }),
            Some("Start line must be part of the same hunk as the line"),
        ),
        (
            json!({ "path": "a.rs", "line": 6, "start_line": 5, "start_side": "LEFT" }),
            Some("Start side must be the same as the side"),
        ),
    ];
    for (mut comment, refusal) in table {
        comment["body"] = json!("text");
        let count = stored(&forge);
        let got = client.post(REVIEWS, &review(&scene, &json!([comment])));
        match refusal {
            None => {
                assert_eq!((got.status, stored(&forge)), (200, (count.0 + 1, count.1 + 1)), "{comment} {}", got.json())
            }
            Some(why) => {
                assert_eq!((got.status, stored(&forge)), (422, count), "{comment}");
                assert_eq!(got.json()["errors"], json!([why]), "{comment}");
            }
        }
    }
}

#[test]
fn one_bad_comment_costs_the_whole_review_and_is_not_named() {
    let (forge, scene) = scene();
    let client = ask(&forge, "secret");
    let at = |path: &str, line: u32| json!({ "path": path, "line": line, "side": "RIGHT", "body": "b" });
    let sent = review(&scene, &json!([at("a.rs", 20), at("a.rs", 5), at("no.rs", 1), at("a.rs", 99)]));
    let wordings = [
        (
            Refusals::Sentence,
            json!(["Line could not be resolved, Path could not be resolved, and Line could not be resolved"]),
        ),
        (
            Refusals::Older,
            json!([
                "Pull request review thread line must be part of the diff",
                "Pull request review thread path is invalid",
                "Pull request review thread line must be part of the diff"
            ]),
        ),
    ];
    for (refusals, errors) in wordings {
        forge.stage.world().refusals = refusals;
        let got = client.post(REVIEWS, &sent);
        assert_eq!((got.status, got.json()["errors"].clone()), (422, errors));
    }
    forge.stage.world().refusals = Refusals::Objects;
    let got = client.post(REVIEWS, &sent).json();
    assert_eq!(got["errors"][1]["field"], "pull_request_review_thread.path");
    assert_eq!(stored(&forge), (0, 0));
}

#[test]
fn the_shape_of_a_review_is_checked_to_the_key() {
    let (forge, scene) = scene();
    let client = ask(&forge, "secret");
    let good = json!({ "path": "a.rs", "line": 5, "side": "RIGHT", "body": "b" });
    let with = |key: &str, value: Value| {
        let mut comment = good.clone();
        comment[key] = value;
        review(&scene, &json!([comment]))
    };
    let top = |key: &str, value: Value| {
        let mut sent = review(&scene, &json!([good]));
        sent[key] = value;
        sent
    };
    let without = |key: &str| {
        let mut comment = good.clone();
        comment.as_object_mut().expect("an object").remove(key);
        review(&scene, &json!([comment]))
    };
    let table = [
        with("subject_type", json!("file")),
        with("start_line", Value::Null),
        with("start_side", Value::Null),
        with("start_side", json!("RIGHT")),
        with("side", json!("right")),
        with("line", json!("5")),
        with("position", json!(1)),
        with("body", json!(" ")),
        with("body", json!("x".repeat(65_537))),
        without("line"),
        without("path"),
        without("body"),
        top("draft", json!(true)),
        top("body", json!("")),
        top("body", json!("x".repeat(65_537))),
        top("comments", json!({})),
        top("commit_id", json!(scene.base)),
        top("commit_id", json!(scene.head[..12])),
        top("commit_id", json!("0".repeat(40))),
    ];
    for sent in table {
        let got = client.post(REVIEWS, &sent);
        assert_eq!(got.status, 422, "{sent} {}", got.json());
    }
    assert_eq!(stored(&forge), (0, 0));
    let limit = "ä".repeat(65_536);
    assert_eq!(client.post(REVIEWS, &with("body", json!(limit))).status, 200);
    let older = top("commit_id", json!(scene.first));
    assert_eq!(
        client.post(REVIEWS, &older).json()["errors"],
        json!(["Path could not be resolved"]),
        "not in that commit's diff"
    );
    assert_eq!(client.send("POST", REVIEWS, "application/json", b"{").expect("an answer").status, 400);
}

#[test]
fn the_head_may_be_a_merge_and_the_test_merge_may_not() {
    let (forge, scene) = scene();
    let client = ask(&forge, "secret");
    let test_merge = forge.stage.test_merge(22);
    let sent = |commit: &str| json!({ "commit_id": commit, "body": "b", "event": "COMMENT" });
    assert_eq!(client.post(REVIEWS, &sent(&test_merge)).status, 422);
    scene.work.switch("main").write("other.rs", "1\n").commit("on main");
    scene.work.switch("topic");
    let merged = scene.work.merge("main");
    let above = scene.work.write("made.rs", "one\n").commit("above");
    forge.stage.push(22, &scene.work, &merged);
    assert_eq!(client.post(REVIEWS, &sent(&merged)).status, 200);
    forge.stage.push(22, &scene.work, &above);
    assert_eq!(client.post(REVIEWS, &sent(&merged)).status, 422);
    assert_eq!(client.post(REVIEWS, &sent(&above)).status, 200);
}

#[test]
fn an_approval_fails_the_test() {
    let (forge, scene) = scene();
    let mut sent = review(&scene, &json!([]));
    sent["event"] = json!("APPROVE");
    assert_eq!(ask(&forge, "secret").post(REVIEWS, &sent).status, 422);
    assert_eq!(forge.take_violations(), [r#"a review with the event Some("APPROVE")"#]);
}

#[test]
fn settled_doubts_can_be_told_the_other_way() {
    let (forge, scene) = scene();
    let client = ask(&forge, "secret");
    let left = json!([{ "path": "new.rs", "line": 10, "side": "LEFT", "body": "b" }]);
    forge.stage.world().takes_left_in_renamed = false;
    assert_eq!(client.post(REVIEWS, &review(&scene, &left)).status, 422);
    forge.stage.pull(22, |p| p.refused.insert(("a.rs".to_owned(), 5)));
    let at = |line: u32| json!([{ "path": "a.rs", "line": line, "side": "RIGHT", "body": "b" }]);
    assert_eq!(client.post(REVIEWS, &review(&scene, &at(5))).status, 422);
    assert_eq!(client.post(REVIEWS, &review(&scene, &at(6))).status, 200);
    forge.stage.pull(22, |p| p.times_out_above = Some(0));
    assert_eq!(client.post(REVIEWS, &review(&scene, &at(6))).status, 502);
    assert_eq!(stored(&forge), (1, 1));
}

#[test]
fn an_orphan_is_a_review_without_its_comments() {
    let (forge, scene) = scene();
    forge.fault(Fault::on("POST", "/repos/*/*/pulls/*/reviews").orphan());
    let at = json!([{ "path": "a.rs", "line": 5, "side": "RIGHT", "body": "b" }]);
    let got = ask(&forge, "secret").post(REVIEWS, &review(&scene, &at));
    assert_eq!((got.status, got.json()["errors"].clone()), (422, json!(["Line could not be resolved"])));
    assert_eq!(stored(&forge), (1, 0));
}

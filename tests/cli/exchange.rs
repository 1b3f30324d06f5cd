//! Posting an exchange: its numbers are its patch's, and are carried to the request by content.

use serde_json::{Value, json};

use crate::check::valid;
use crate::local::{fates, numbered, with};
use crate::widgets::Widgets;

fn comment(path: &str, line: u32, body: &str) -> Value {
    json!({ "path": path, "start_line": line, "body": body })
}

/// An exchange on git's own diff of two commits of the author's.
fn exchange(widgets: &Widgets, from: &str, to: &str, comments: &[Value]) -> String {
    let patch = widgets.author.git(&["diff", from, to]);
    let patch: Vec<_> = patch.split('\n').collect();
    json!({ "leanreview_review": 1, "title": "Numbers & <words>", "summary": "Two things.", "patch": patch, "comments": comments })
        .to_string()
}

/// The request's branch gets another commit: three lines before everything, and one of the lines under review edited.
fn pushed(widgets: &Widgets) -> String {
    let old = std::fs::read_to_string(widgets.author.path().join("a.rs")).expect("the file is there");
    let new = format!("// one\n// two\n// three\n{}", old.replace("line five\n", "line 5.0\n"));
    let head = widgets.author.write("a.rs", new).commit("more");
    widgets.forge.stage.push(22, &widgets.author, &head);
    head
}

#[test]
fn an_exchange_is_posted_where_its_patch_says_and_its_title_heads_the_summary() {
    let widgets = Widgets::new();
    let replies = json!([{ "author": "bob", "body": "Is it?" }]);
    let comments = [
        with(comment("a.rs", 5, "Written out."), json!({ "replies": replies.clone() })),
        with(comment("old.rs", 10, "The old one."), json!({ "side": "left" })),
        with(comment("a.rs", 29, "Rejected by a person."), json!({ "state": "dismissed" })),
        with(comment("a.rs", 400, "Nowhere."), json!({ "replies": replies })),
        with(comment("a.rs", 6, "To be looked at."), json!({ "state": "stale" })),
        json!({ "path": "a.rs", "body": "All of it." }),
    ];
    let text = exchange(&widgets, "main", "topic", &comments);
    widgets.clone.write("topic.review.json", &text);
    let run = |args: &[&str]| widgets.run(&["--from", "topic.review.json"]).args(args.iter().copied());
    let report = run(&["--format", "json"]).run().exits(0).json();
    valid(&report);
    assert_eq!(fates(&report), ["ready", "ready", "dismissed", "orphaned", "stale", "summary"]);
    let stale = report["findings"][4]["reason"]["message"].as_str().unwrap();
    assert!(stale.contains("dai review check --write"), "{stale}");
    assert!(report["warnings"].as_array().unwrap().iter().all(|warning| warning["code"] != "unbound"));

    let posted = run(&["--yes", "--format", "json"]).run().exits(0).json();
    assert_eq!(fates(&posted), ["posted", "posted", "dismissed", "orphaned", "stale", "summary"]);
    assert_eq!(widgets.places(), ["a.rs RIGHT 5", "new.rs LEFT 10"]);
    let bodies = widgets.forge.stage.pull(22, |pull| pull.comments.iter().map(|c| c.body.clone()).collect::<Vec<_>>());
    assert!(bodies[0].contains("> bob replied:\n>\n> Is it?"), "{}", bodies[0]);
    let summary = widgets.forge.stage.pull(22, |pull| pull.reviews[0].body.clone());
    insta::assert_snapshot!("the_summary_of_an_exchange", widgets.normal().apply(&summary));
    // Nothing of it is posted again.
    run(&["--yes"]).run().exits(0);
    assert_eq!(widgets.stored(), (1, 2));
}

#[test]
fn numbers_are_carried_by_content_to_a_head_that_moved_on() {
    let widgets = Widgets::new();
    let comments = [
        comment("a.rs", 6, "Stands three lines on."),
        comment("a.rs", 5, "Its line was edited."),
        with(comment("a.rs", 30, "On LEFT nothing moved."), json!({ "side": "LEFT" })),
        comment("made.rs", 1, "Untouched."),
        with(comment("a.rs", 6, "Says something else."), json!({ "snippet": "line 7" })),
    ];
    let text = exchange(&widgets, "main", "topic", &comments);
    widgets.clone.write("topic.review.json", &text);
    pushed(&widgets);
    let run = |args: &[&str]| widgets.run(&["--from", "topic.review.json"]).args(args.iter().copied());
    let report = run(&["--format", "json"]).run().exits(0).json();
    assert_eq!(fates(&report), ["ready", "stale", "ready", "ready", "snippet_mismatch"]);
    let first = &report["findings"][0];
    assert_eq!((&first["line"], &first["written"]["line"]), (&json!(9), &json!(6)));
    assert_eq!(first["anchored"], json!(["line five and a half"]));
    assert_eq!(report["findings"][2]["written"], Value::Null);
    let gone = report["findings"][1]["reason"]["message"].as_str().unwrap();
    assert_eq!(
        gone,
        "the embedded patch has `line five` at RIGHT 5, and this change does not have it any more: `line 2` is there now"
    );
    run(&["--yes"]).run().exits(0);
    assert_eq!(widgets.places(), ["a.rs RIGHT 9", "a.rs LEFT 30", "made.rs RIGHT 1"]);
}

#[test]
fn every_comment_of_a_damaged_patch_is_in_the_report_and_the_summary() {
    let widgets = Widgets::new();
    let bodies: Vec<String> = (0..6).map(|n| format!("Remark number {n} on it.")).collect();
    let comments: Vec<Value> =
        [("a.rs", 5), ("a.rs", 29), ("new.rs", 10), ("gone.rs", 1), ("nowhere.rs", 3), ("made.rs", 2)]
            .iter()
            .zip(&bodies)
            .map(|((path, line), body)| comment(path, *line, body))
            .collect();
    let whole: Value = serde_json::from_str(&exchange(&widgets, "main", "topic", &comments)).unwrap();
    let lines = whole["patch"].as_array().unwrap().clone();
    // Cut short at every tenth line, counts off, prose between; an empty patch is no patch.
    let mut damaged: Vec<Vec<Value>> = (10..lines.len()).step_by(10).map(|at| lines[..at].to_vec()).collect();
    damaged.push(lines.iter().map(|line| json!(line.as_str().unwrap().replace(",7 ", ",8 "))).collect());
    damaged.push(lines.iter().flat_map(|line| [line.clone(), json!("Then there is:")]).collect());
    damaged.push(lines.iter().filter(|line| !line.as_str().unwrap().starts_with("@@")).cloned().collect());
    for patch in damaged {
        let text = with(whole.clone(), json!({ "patch": patch })).to_string();
        widgets.clone.write("topic.review.json", &text);
        let answer = widgets.run(&["--from", "topic.review.json", "--format", "json"]).run().exits(0);
        let report = answer.json();
        valid(&report);
        let findings = report["findings"].as_array().unwrap();
        assert_eq!(findings.len(), comments.len());
        let summary = report["summary"]["body"].as_str().unwrap();
        let head = numbered(40).replace("line 5\n", "line five\nline five and a half\n").replace("line 30\n", "");
        for (finding, body) in findings.iter().zip(&bodies) {
            match finding["status"].as_str().unwrap() {
                "ready" => {
                    assert!(finding["body"].as_str().unwrap().contains(body.as_str()));
                    if finding["path"] == "a.rs" {
                        let line = finding["line"].as_u64().unwrap() as usize;
                        assert_eq!(finding["anchored"][0], head.lines().nth(line - 1).unwrap(), "a wrong anchor");
                        assert_eq!(finding["written"], Value::Null);
                    }
                }
                "rejected" => assert!(summary.contains(body.as_str()), "{summary}"),
                other => panic!("{other}: {answer}"),
            }
        }
    }
    assert_eq!(widgets.forge.writes(), []);
}

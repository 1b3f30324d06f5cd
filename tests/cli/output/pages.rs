//! The preview for people, the result of a post, the texts that are posted.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::local::{Local, at, left, numbered, quoting, range, with};
use crate::support::run::Answer;
use crate::widgets::Widgets;

/// Findings with every fate that a preview has.
fn every_fate(head: &str) -> Value {
    json!({
        "head": head,
        "us": "ABC-482",
        "version": "v1",
        "checkStatus": "up to date",
        "dod": "4/5",
        "summary": "The split of line 5 is right, but nothing uses `made.rs`.",
        "good": ["The rename keeps the history.", "Small commits."],
        "findings": [
            with(at("a.rs", 5), json!({ "id": "f1", "severity": "high", "confidence": 0.9, "snippet": "line five",
                "body": "This line is split, and the second half is never read.\n\n```rust\nlet x = split(5);\n```\n\nJoin them again." })),
            with(left("a.rs", 30), json!({ "id": "f2" })),
            with(range("made.rs", 1, 2), json!({ "id": "f3", "severity": "low", "body": "Nothing uses this file." })),
            with(left("gone.rs", 1), json!({ "id": "f4", "body": "Who needs this now? @ann knows, see #12." })),
            { "id": "f5", "path": "new.rs", "severity": "medium", "body": "No test covers the rename." },
            with(at("a.rs", 20), json!({ "id": "f6" })),
            with(quoting("a.rs", 8, "line five and a half"), json!({ "id": "f7" })),
            with(at("nowhere.rs", 1), json!({ "id": "f8" })),
            with(at("a.rs", 4), json!({ "id": "f9", "state": "dismissed", "body": "A person said no." })),
            with(at("a.rs", 4), json!({ "id": "f10", "confidence": 0.2, "body": "Not sure at all." })),
        ]
    })
}

fn widgets() -> Widgets {
    let widgets = Widgets::new();
    widgets.review(&every_fate(&widgets.head));
    widgets
}

const ARGS: [&str; 2] = ["--min-confidence", "0.5"];

/// Both streams; the digest depends on the port that the forge got.
fn shown(widgets: &Widgets, run: &Answer) -> String {
    let text = widgets.normal().apply(&format!("{}--- stderr\n{}", run.out(), run.err()));
    let digest = text.split("--expect ").nth(1).and_then(|rest| rest.split(' ').next()).map(str::to_owned);
    let digest = digest.filter(|digest| digest.len() == 16);
    digest.map_or(text.clone(), |digest| text.replace(&digest, "[DIGEST]"))
}

#[test]
fn the_preview() {
    let widgets = widgets();
    assert_snapshot!(shown(&widgets, &widgets.run(&ARGS).run().exits(0)));
}

#[test]
fn a_post_and_the_same_again() {
    let widgets = widgets();
    let post = || widgets.run(&ARGS).arg("--yes").run().exits(0);
    assert_snapshot!("a_post", shown(&widgets, &post()));
    assert_snapshot!("the_same_post_again", shown(&widgets, &post()));
    assert_snapshot!("the_preview_of_what_stands", shown(&widgets, &widgets.run(&ARGS).run().exits(0)));
}

#[test]
fn what_is_posted() {
    let widgets = widgets();
    widgets.run(&ARGS).arg("--yes").run().exits(0);
    let (summary, comments) = widgets.forge.stage.pull(22, |pull| {
        (pull.reviews[0].body.clone(), pull.comments.iter().map(|c| c.body.clone()).collect::<Vec<_>>())
    });
    assert_snapshot!("the_summary", widgets.normal().apply(&summary));
    assert_snapshot!("the_comments", widgets.normal().apply(&comments.join("\n=====\n")));
}

#[test]
fn markdown_is_exactly_what_would_be_posted() {
    let widgets = widgets();
    let markdown = widgets.run(&ARGS).args(["--format", "markdown"]).run().exits(0);
    assert_snapshot!("markdown", widgets.normal().apply(markdown.out()));
    widgets.run(&ARGS).arg("--yes").run().exits(0);
    let sent = widgets.forge.writes()[0].request.json();
    let comments = sent["comments"].as_array().expect("comments").iter().map(|c| &c["body"]);
    for body in comments.chain([&sent["body"]]) {
        assert!(markdown.out().contains(body.as_str().expect("a body")), "{body}");
    }
}

#[test]
fn a_local_preview_has_no_command() {
    let run = Local::two_hunks().preview(&[at("a.rs", 5), with(at("a.rs", 1), json!({ "severity": "high" }))]);
    assert_snapshot!(format!("{}--- stderr\n{}", run.out(), run.err()));
}

#[test]
fn nothing_to_say() {
    let widgets = Widgets::new();
    widgets.findings(&[]);
    assert_snapshot!(shown(&widgets, &widgets.run(&[]).run().exits(0)));
}

#[test]
fn long_ranges_and_wide_characters_stay_readable() {
    let before = numbered(60);
    let wide = "넓은 글자 ".repeat(40);
    let after: String = (1..=40).map(|n| format!("new {n}\t{}\n", if n == 20 { wide.as_str() } else { "x" })).collect();
    let local = Local::file("a.rs", before, after);
    let prose = "이 줄은 길다. ".repeat(30);
    let long = with(range("a.rs", 3, 38), json!({ "body": format!("{prose}\n\n{}", "A line of it.\n".repeat(20)) }));
    let one = with(at("a.rs", 20), json!({ "severity": "low", "body": "One\u{7}bell, \u{202e}turned." }));
    let run = local.preview(&[long, one]);
    assert_snapshot!(format!("{}--- stderr\n{}", run.out(), run.err()));
}

#[test]
fn many_findings_are_all_there() {
    let local = Local::file("a.rs", "x\n", numbered(300));
    let findings: Vec<_> = (1..=300).map(|line| at("a.rs", line)).collect();
    let run = local.preview(&findings);
    assert!(run.out().contains("300 comments would be posted"), "{run}");
    assert!((1..=300).all(|line| run.out().contains(&format!("a.rs:{line} RIGHT"))), "{run}");
}

//! The whole loop: a packet, a reviewer that knows nothing else, its file mended and triaged, previewed, posted once.

use serde_json::{Value, json};

use crate::support::run::Dai;
use crate::widgets::Widgets;

const FILE: &str = ".dai/reviews/22.json";

/// What a reviewer finds by the packet alone: the new number of an added line, counted from its hunk header.
fn number_of(packet: &Value, path: &str, text: &str) -> u64 {
    let diff = packet["diff"].as_str().expect("a diff");
    let start = diff.find(&format!("+++ b/{path}\n")).expect("the file is in the diff");
    let mut new = 0;
    for line in diff[start..].lines().skip(1) {
        if let Some(header) = line.strip_prefix("@@ -") {
            let start = header.split('+').nth(1).and_then(|rest| rest.split([',', ' ']).next()).expect("a header");
            new = start.parse::<u64>().expect("a number");
        } else if line.strip_prefix('+') == Some(text) {
            return new;
        } else if line.starts_with(['+', ' ']) {
            new += 1;
        }
    }
    panic!("{text} is not in the diff of {path}")
}

/// Three findings: one that holds, one at a line that the reviewer miscounted, one that a person will not have.
fn scripted(packet: &Value, format: &str) -> Value {
    let five = number_of(packet, "a.rs", "line five");
    let half = number_of(packet, "a.rs", "line five and a half");
    match format {
        "dai" => json!({ "summary": "Two faults.", "findings": [
            { "id": "f1", "path": "a.rs", "line": five, "severity": "high", "body": "The first.", "snippet": "line five" },
            { "id": "f2", "path": "a.rs", "line": half + 200, "severity": "medium", "body": "The second.", "snippet": "line five and a half" },
            { "id": "f3", "path": "made.rs", "line": 1, "severity": "medium", "body": "The third." }
        ]}),
        "orchestra" => json!({ "findings": [
            { "id": "f1", "severity": "blocker", "file": "a.rs", "line": five, "claim": "The first.", "evidence": "It shows." },
            { "id": "f2", "severity": "important", "file": "a.rs", "line": half, "claim": "The second.", "evidence": "It shows." },
            { "id": "f3", "severity": "minor", "file": "made.rs", "claim": "The third.", "evidence": "As a whole." }
        ]}),
        _ => {
            let lines: Vec<&str> = packet["diff"].as_str().expect("a diff").lines().collect();
            json!({ "leanreview_review": 1, "title": "Two faults", "patch": lines, "comments": [
                { "path": "a.rs", "start_line": five, "body": "The first.", "snippet": "line five" },
                { "path": "a.rs", "start_line": half + 1, "body": "The second.", "snippet": "line five and a half" },
                { "path": "made.rs", "start_line": 1, "body": "The third." }
            ]})
        }
    }
}

/// A packet, and the review of a reviewer that was given it.
fn reviewed(widgets: &Widgets, format: &str) {
    let packet = widgets.dai().args(["review", "brief", "22"]).run().exits(0).json();
    assert!(packet["brief"].as_str().expect("a text").contains(FILE));
    widgets.review(&scripted(&packet, format));
}

/// The file held against the commits that the brief fetched.
fn check(widgets: &Widgets, args: &[&str]) -> Dai {
    let run = widgets.dai().args(["review", "check", FILE, "--base", &widgets.base, "--head", &widgets.head]);
    run.args(["--format", "json"]).args(args.iter().copied())
}

fn verdict(widgets: &Widgets) -> Dai {
    widgets.dai().args(["review", "verdict", FILE])
}

/// A preview, the post of exactly that, and a second post that finds everything there.
fn posted(widgets: &Widgets, places: &[&str]) {
    let preview = widgets.run(&["--format", "json"]).run().exits(0).json();
    assert_eq!(widgets.stored(), (0, 0), "a preview posts nothing");
    assert_eq!(preview["counts"]["ready"], places.len(), "{preview:#}");
    let digest = preview["digest"].as_str().expect("a digest").to_owned();
    widgets.run(&["--yes", "--expect", &digest]).run().exits(0);
    assert_eq!(widgets.places(), places);
    let stored = widgets.stored();
    let again = widgets.run(&["--yes", "--expect", &digest, "--format", "json"]).run().exits(0).json();
    assert_eq!(again["counts"]["already_posted"], places.len(), "{again:#}");
    assert_eq!(widgets.stored(), stored, "a rerun posts nothing");
}

#[test]
fn in_dais_own_format() {
    let widgets = Widgets::new();
    reviewed(&widgets, "dai");
    verdict(&widgets).args(["--commit", &widgets.head]).run().exits(7);
    widgets.dai().args(["review", "bind", FILE, "--commit", &widgets.head]).run().exits(0);
    verdict(&widgets).args(["--commit", &widgets.head]).run().exits(1);
    // The miscounted line is put right by its snippet; what is left is a person's to judge.
    let before = check(&widgets, &[]).run().exits(0).json();
    assert_eq!(before["counts"]["rejected"], 1, "{before:#}");
    let after = check(&widgets, &["--fix"]).run().exits(0).json();
    assert_eq!(after["counts"]["rejected"], 0, "{after:#}");
    // What the brief fetched is here, so the code is shown without a network.
    let mut terminal = widgets.dai().args(["review", "triage", FILE]).at_terminal();
    terminal.expect("1 of 3").expect("+ line five").expect("becomes of it:").line("k");
    terminal
        .expect("2 of 3")
        .expect("> 6 + line five and a half")
        .expect("becomes of it:")
        .line("k")
        .expect("3 of 3")
        .expect("becomes of it:")
        .line("d");
    assert_eq!(terminal.wait().0, 0);
    posted(&widgets, &["a.rs RIGHT 5", "a.rs RIGHT 6"]);
    verdict(&widgets).args(["--commit", &widgets.head]).run().exits(1);
}

#[test]
fn in_orchestras_format() {
    let widgets = Widgets::new();
    reviewed(&widgets, "orchestra");
    widgets.dai().args(["review", "bind", FILE, "--commit", &widgets.head]).run().exits(0);
    let checked = check(&widgets, &["--fix"]).run().exits(0).json();
    assert_eq!(checked["counts"]["rejected"], 0, "{checked:#}");
    let mut terminal = widgets.dai().args(["review", "triage", FILE]).at_terminal();
    terminal.expect("1 of 3").expect("+ line five").expect("becomes of it:").line("k");
    terminal.expect("2 of 3").expect("becomes of it:").line("s").expect("as it is").line("l").expect("saved");
    terminal.expect("becomes of it:").line("q");
    assert_eq!(terminal.wait().0, 0);
    posted(&widgets, &["a.rs RIGHT 5", "a.rs RIGHT 6"]);
    // The finding on a file as a whole goes into the summary.
    widgets
        .forge
        .stage
        .pull(22, |pull| assert!(pull.reviews[0].body.contains("The third."), "{}", pull.reviews[0].body));
    verdict(&widgets).args(["--commit", &widgets.head]).run().exits(1);
}

#[test]
fn in_an_exchange() {
    let widgets = Widgets::new();
    reviewed(&widgets, "exchange");
    widgets.dai().args(["review", "bind", FILE, "--commit", &widgets.head]).run().exits(2);
    let before = check(&widgets, &[]).run().exits(0).json();
    assert_eq!(before["counts"]["rejected"], 1, "{before:#}");
    let after = check(&widgets, &["--fix", "--write"]).run().exits(0).json();
    assert_eq!(after["counts"]["rejected"], 0, "{after:#}");
    let mut terminal = widgets.dai().args(["review", "triage", FILE]).at_terminal();
    terminal.expect("1 of 3").expect("+ line five").expect("becomes of it:").line("k");
    terminal.expect("2 of 3").expect("becomes of it:").line("k").expect("3 of 3").expect("becomes of it:").line("d");
    assert_eq!(terminal.wait().0, 0);
    posted(&widgets, &["a.rs RIGHT 5", "a.rs RIGHT 6"]);
    verdict(&widgets).run().exits(1);
}

#[test]
fn a_clean_review_is_posted_once_and_accepted() {
    let widgets = Widgets::new();
    widgets.dai().args(["review", "brief", "22"]).run().exits(0);
    widgets.review(&json!({ "summary": "Nothing found.", "findings": [] }));
    widgets.dai().args(["review", "bind", FILE, "--commit", &widgets.head]).run().exits(0);
    verdict(&widgets).args(["--commit", &widgets.head]).run().exits(0);
    posted(&widgets, &[]);
    assert_eq!(widgets.stored(), (1, 0));
}

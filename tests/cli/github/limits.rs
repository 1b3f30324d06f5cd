//! Filters, the cap and the forge's own limits.

use serde_json::{Value, json};

use crate::local::{at, fates, numbered, with};
use crate::support::github::GitHub;
use crate::support::repo::Repo;
use crate::widgets::Widgets;

/// A request whose one file is new and has this many lines.
fn tall(lines: u32) -> Widgets {
    let author = Repo::new();
    author.write("README", "x\n").commit("base");
    author.switch_new("topic").write("tall.rs", numbered(lines)).commit("head");
    Widgets::of(GitHub::start(), author)
}

fn many(count: u32) -> Vec<Value> {
    (1..=count).map(|line| at("tall.rs", line)).collect()
}

fn summary(widgets: &Widgets) -> String {
    widgets.forge.stage.pull(22, |pull| pull.reviews.last().expect("a review").body.clone())
}

#[test]
fn c37_a_comment_at_the_limit_fits_and_one_above_is_rejected() {
    let widgets = tall(20);
    // 60,000 characters are the most that a body may have; all of it must get through.
    widgets.findings(&[with(at("tall.rs", 1), json!({ "body": "é".repeat(60_000) }))]);
    widgets.run(&["--yes"]).run().exits(0);
    assert_eq!(widgets.stored(), (1, 1));
    let body = widgets.forge.stage.pull(22, |pull| pull.comments[0].body.clone());
    assert!(body.chars().count() <= 65_536 && body.contains(&"é".repeat(60_000)));
    // Escaping makes a text longer: past the forge's limit it is kept back with its reason.
    widgets.findings(&[with(at("tall.rs", 2), json!({ "body": "<b>".repeat(20_000) })), at("tall.rs", 3)]);
    let report = widgets.run(&["--format", "json"]).run().exits(0).json();
    assert_eq!(fates(&report), ["body_too_long", "ready"]);
    widgets.run(&["--yes"]).run().exits(0);
}

#[test]
fn c37_a_summary_with_3000_suppressed_findings_is_cut_with_a_count() {
    let widgets = tall(3_000);
    let low = |f: Value| with(f, json!({ "severity": "low" }));
    widgets.findings(&many(3_000).into_iter().map(low).collect::<Vec<_>>());
    let preview = widgets.run(&["--min-severity", "high", "--format", "json"]).run().exits(0).json();
    assert_eq!(preview["counts"]["suppressed"], 3_000);
    assert_eq!(preview["findings"].as_array().map(Vec::len), Some(3_000), "the report always has all");
    widgets.run(&["--min-severity", "high", "--yes"]).run().exits(0);
    let body = summary(&widgets);
    assert!(body.chars().count() <= 65_536, "{}", body.chars().count());
    let listed = body.matches("`tall.rs`, line").count();
    assert!(listed > 100, "{listed}");
    let left_out = 3_000 - listed;
    let grouped = format!("{},{:03}", left_out / 1000, left_out % 1000);
    assert!(body.contains(&left_out.to_string()) || body.contains(&grouped), "the count of {left_out} is not there");
    assert!(body.contains("3,000") || body.contains("3000"), "the whole count is not there");
}

#[test]
fn c40_where_nothing_passes_it_is_said_in_words_and_the_summary_lists_it() {
    let widgets = Widgets::new();
    widgets.findings(&[with(at("a.rs", 5), json!({ "severity": "low" }))]);
    let preview = widgets.run(&["--min-severity", "high"]).run().exits(0);
    assert!(preview.out().contains("no comment would be posted at a line"), "{preview}");
    assert!(preview.out().contains("below_min_severity"), "{preview}");
    widgets.run(&["--min-severity", "high", "--yes"]).run().exits(0);
    let writes = widgets.forge.writes();
    assert_eq!(writes[0].request.json()["event"], "COMMENT");
    let body = summary(&widgets);
    assert!(body.contains("`a.rs`, line 5") && body.contains("low"), "{body}");
    assert!(body.contains("that is no approval"), "{body}");
}

#[test]
fn a_clean_review_posts_its_summary_once() {
    let widgets = Widgets::new();
    widgets.findings(&[]);
    widgets.run(&["--yes"]).run().exits(0);
    widgets.run(&["--yes"]).run().exits(0);
    assert_eq!(widgets.stored(), (1, 0));
}

#[test]
fn c42_three_of_five_stand_after_each_of_three_runs() {
    let widgets = tall(20);
    widgets.findings(&many(5));
    for _ in 0..3 {
        let report = widgets.run(&["--max-comments", "3", "--yes", "--format", "json"]).run().exits(0).json();
        assert_eq!(fates(&report)[3..], ["over_max_comments", "over_max_comments"]);
        assert_eq!(widgets.stored().1, 3);
    }
    assert_eq!(widgets.stored().0, 1);
    widgets.run(&["--max-comments", "0", "--yes"]).run().exits(0);
    assert_eq!(widgets.stored().1, 3);
}

#[test]
fn c43_a_finding_that_stands_already_still_fails_the_gate() {
    let widgets = Widgets::new();
    widgets.findings(&[with(at("a.rs", 5), json!({ "severity": "high" }))]);
    let args = ["--fail-on", "high"];
    let preview = widgets.run(&args).args(["--format", "json"]).run().exits(1);
    assert_eq!(preview.json()["exit"], 1);
    for _ in 0..2 {
        let report = widgets.run(&args).args(["--yes", "--format", "json"]).run().exits(1).json();
        assert_eq!(report["exit"], 1);
    }
    assert_eq!(widgets.stored(), (1, 1), "the gate's word never holds a post back");
    widgets.run(&["--fail-on", "high", "--max-comments", "0"]).run().exits(1);
    widgets.run(&["--fail-on", "high", "--min-severity", "high"]).run().exits(1);
    widgets.findings(&[at("a.rs", 5), at("a.rs", 20)]);
    widgets.run(&["--fail-on", "high"]).run().exits(0);
    widgets.run(&["--strict"]).run().exits(1).says("1 finding");
}

#[test]
fn c48_more_than_fifty_comments_need_a_cap() {
    let widgets = tall(80);
    widgets.findings(&many(51));
    let preview = widgets.run(&["--format", "json"]).run().exits(0);
    preview.clone().says("--max-comments");
    let codes: Vec<_> =
        preview.json()["warnings"].as_array().expect("warnings").iter().map(|w| w["code"].clone()).collect();
    assert_eq!(codes, ["many_comments"]);
    // The command that is printed is one that posts, and posts what was shown.
    let digest = preview.json()["digest"].as_str().expect("a digest").to_owned();
    let shown = widgets.run(&[]).run().exits(0);
    let command = shown.out().lines().last().expect("a command");
    assert!(command.contains("--max-comments 51") && command.ends_with(&format!("--expect {digest} --yes")), "{shown}");
    let run = widgets.run(&["--yes"]).run().exits(1).says("--max-comments").says("nothing was posted");
    assert!(run.out().contains("51"), "{run}");
    assert_eq!(widgets.forge.writes(), []);
    let chosen = widgets.run(&["--yes", "--max-comments", "51", "--expect", &digest]).run().exits(0);
    assert_eq!(widgets.stored(), (1, 51), "{chosen}");
    // What stands does not count: one more is not 52 in one review.
    widgets.findings(&many(52));
    widgets.run(&["--yes"]).run().exits(0);
    assert_eq!(widgets.stored().1, 52);
    let fifty = tall(80);
    fifty.findings(&many(50));
    fifty.run(&["--yes"]).run().exits(0);
    assert_eq!(fifty.stored(), (1, 50));
}

#[test]
fn filters_keep_back_what_is_below_and_never_what_is_absent() {
    let widgets = tall(20);
    let graded = |line: u32, fields: Value| with(at("tall.rs", line), fields);
    widgets.findings(&[
        graded(1, json!({ "severity": "low" })),
        graded(2, json!({ "confidence": 0.49 })),
        graded(3, json!({ "confidence": 0.5 })),
        graded(4, json!({})),
    ]);
    let args = ["--min-severity", "medium", "--min-confidence", "0.5", "--format", "json"];
    let report = widgets.run(&args).run().exits(0).json();
    assert_eq!(fates(&report), ["below_min_severity", "below_min_confidence", "ready", "ready"]);
    let counts = report["counts"].as_object().expect("counts").values().map(|n| n.as_u64().expect("a count"));
    assert_eq!(counts.sum::<u64>(), 4);
}

//! c25, c26: what stands in the file.

use serde_json::{Value, json};

use crate::local::{Local, at, fates, with};

fn snapshot(name: &str, review: &str) {
    let run = Local::two_hunks().dai_bytes(review).run().exits(3);
    assert_eq!(run.out(), "", "without a plan stdout stays empty");
    insta::assert_snapshot!(name, run.err());
}

#[test]
fn c25_every_problem_of_a_file_is_told_in_one_run() {
    let bad = r#"{
  "findings": [
    { "path": "a.rs", "line": 0, "severity": "high", "body": "x" },
    { "path": "a.rs", "line": -1, "severity": "high", "body": "x" },
    { "path": "a.rs", "line": "12", "severity": "high", "body": "x" },
    { "path": "a.rs", "line": 12.0, "severity": "high", "body": "x" },
    { "path": "a.rs", "line": 1e9, "severity": "high", "body": "x" },
    { "path": "a.rs", "line": 5, "severity": "critical", "body": "x" },
    { "path": "a.rs", "line": 5, "severity": "high", "confidence": 1.0001, "body": "x" },
    { "path": "a.rs", "line": 5, "severity": "high", "confidence": [], "body": "x" },
    { "path": "a.rs", "line": 5, "severity": "high", "confidence": "0.9", "body": "" }
  ]
}"#;
    snapshot("every_problem", bad);
    for pointer in [
        "/findings/0/line",
        "/findings/1/line",
        "/findings/2/line",
        "/findings/3/line",
        "/findings/4/line",
        "/findings/5/severity",
        "/findings/6/confidence",
        "/findings/7/confidence",
        "/findings/8/confidence",
        "/findings/8/body",
    ] {
        let run = Local::two_hunks().dai_bytes(bad).run().exits(3);
        assert!(run.err().contains(pointer), "{pointer}\n{run}");
    }
}

#[test]
fn c25_a_body_may_be_long_but_not_too_long() {
    let local = Local::two_hunks();
    let body = |length: usize| with(at("a.rs", 5), json!({ "body": "x".repeat(length) }));
    assert_eq!(fates(&local.report(&[body(60_000)])), ["ready"]);
    let run = local.dai(&json!({ "findings": [body(60_001), body(70_000)] })).run().exits(3);
    for text in ["/findings/0/body", "/findings/1/body", "60001 characters", "70000 characters"] {
        assert!(run.err().contains(text), "{text}\n{run}");
    }
    assert!(run.err().len() < 10_000, "a picture of a long line is cut: {} bytes", run.err().len());
}

#[test]
fn c26_a_byte_order_mark_and_a_fence_are_taken() {
    let local = Local::two_hunks();
    let document = json!({ "findings": [at("a.rs", 5)] }).to_string();
    for (before, after) in [
        ("\u{feff}", ""),
        ("```json\n", "\n```\n"),
        ("```\n", "\n```"),
        ("\n\n```json\n", "\n```\n\n"),
        ("\u{feff}```json\r\n", "\r\n```\r\n"),
        ("", "\n"),
    ] {
        let run = local.dai_bytes(format!("{before}{document}{after}")).args(["--format", "json"]).run().exits(0);
        assert_eq!(fates(&run.json()), ["ready"], "{before:?} {after:?}");
    }
}

#[test]
fn c26_a_trailing_comma_and_duplicate_keys_are_pointed_at() {
    snapshot("trailing_comma", "{\n  \"findings\": [\n    { \"path\": \"a.rs\", \"line\": 5, },\n  ]\n}\n");
    snapshot(
        "duplicate_keys",
        "{\n  \"findings\": [\n    { \"path\": \"a.rs\", \"line\": 5, \"path\": \"b.rs\", \"severity\": \"low\", \"body\": \"x\" }\n  ]\n}\n",
    );
    snapshot("cut_short", "{\n  \"findings\": [\n    { \"path\": \"a.rs\", \"li");
    snapshot("no_json", "Here is my review:\n\nThe change is good.\n");
    snapshot("empty", "");
    snapshot("no_findings", "{ \"summary\": \"good\" }");
    snapshot("null", "{ \"findings\": null, \"head\": null, \"summary\": null }");
    snapshot("array", "[3]");
    snapshot("missing_fields", "{ \"findings\": [ {}, 3 ] }");
    snapshot(
        "two_names",
        "{ \"findings\": [ { \"path\": \"a\", \"line\": 1, \"start_line\": 2, \"end_line\": 3, \"severity\": \"low\", \"body\": \"x\" } ] }",
    );
    snapshot("head", "{ \"head\": \"abc123\", \"findings\": [] }");
    snapshot(
        "same_id",
        "{ \"findings\": [ { \"id\": \"f1\", \"path\": \"a\", \"severity\": \"low\", \"body\": \"x\" },\n  { \"id\": \"f1\", \"path\": \"b\", \"severity\": \"low\", \"body\": \"y\" } ] }",
    );
}

#[test]
fn c26_an_unknown_field_is_a_warning_with_the_near_name() {
    let finding = with(at("a.rs", 5), json!({ "zebra": 0.5 }));
    let review = json!({ "findings": [finding], "sumary": "x", "$schema": "dai.schema.json" });
    let local = Local::two_hunks();
    let run = local.dai(&review).args(["--format", "json"]).run().exits(0);
    run.clone().says("zebra").says("sumary").says("summary");
    let warnings = run.json()["warnings"].clone();
    let codes: Vec<_> = warnings.as_array().expect("warnings").iter().map(|w| (&w["code"], &w["finding"])).collect();
    assert_eq!(codes.iter().filter(|c| c.0 == "unknown_field").count(), 2, "{warnings}");
    assert!(codes.contains(&(&json!("unknown_field"), &json!(0))), "{warnings}");
    assert!(!run.err().contains("schema"), "{run}");
}

#[test]
fn numbers_over_the_limits_are_told_with_the_limit() {
    let local = Local::two_hunks();
    let many = |count: usize| json!({ "findings": vec![at("a.rs", 5); count] });
    let run = local.dai(&many(5_001)).run().exits(3);
    assert!(run.err().contains("5001 findings where at most 5000 are read"), "{run}");
    let run = local.dai_bytes(vec![b' '; 8 * 1024 * 1024 + 1]).run().exits(3).says("8 MiB");
    assert_eq!(run.out(), "");
}

#[test]
fn words_are_read_in_any_case_and_both_names_of_a_field() {
    let local = Local::two_hunks();
    let finding: Value =
        json!({ "path": "a.rs", "start_line": 30, "side": "left", "severity": "HIGH", "body": "x", "state": "active" });
    let report = local.report(&[finding]);
    let told = &report["findings"][0];
    assert_eq!((&told["side"], &told["severity"], &told["line"]), (&json!("LEFT"), &json!("high"), &json!(30)));
}

#[test]
fn states_of_a_finding_keep_it_back() {
    let local = Local::two_hunks();
    let findings =
        ["dismissed", "orphaned", "stale", "active"].map(|state| with(at("a.rs", 5), json!({ "state": state })));
    assert_eq!(fates(&local.report(&findings)), ["dismissed", "orphaned", "stale", "ready"]);
}

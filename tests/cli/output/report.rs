//! The report for programs.

use serde_json::{Value, json};

use crate::local::{Local, at, left, quoting, range, with};
use crate::support::run::Dai;
use crate::widgets::Widgets;

fn schema() -> jsonschema::Validator {
    let schema = Dai::at(std::env::temp_dir()).args(["schema", "report"]).run().exits(0).json();
    jsonschema::draft202012::new(&schema).expect("a schema of 2020-12")
}

#[track_caller]
fn fits(report: &Value) {
    let schema = schema();
    let faults: Vec<_> = schema.iter_errors(report).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(faults.is_empty(), "{faults:#?}\n{report:#}");
}

fn findings() -> Vec<Value> {
    vec![
        with(at("a.rs", 5), json!({ "id": "f1", "confidence": 0.5 })),
        with(left("new.rs", 10), json!({ "body": "Old." })),
        range("a.rs", 5, 6),
        quoting("a.rs", 8, "line five and a half"),
        at("a.rs", 20),
        json!({ "path": "a.rs", "severity": "low", "body": "Whole." }),
        with(at("a.rs", 4), json!({ "state": "dismissed" })),
    ]
}

#[test]
fn the_report() {
    let widgets = Widgets::new();
    widgets.findings(&findings());
    let report = widgets.run(&["--format", "json"]).run().exits(0);
    fits(&report.json());
    let text = widgets.normal().apply(report.out());
    let digest = report.json()["digest"].as_str().expect("a digest").to_owned();
    insta::assert_snapshot!(text.replace(&digest, "[DIGEST]"));
}

#[test]
fn every_report_fits_the_published_schema() {
    fits(&Local::two_hunks().report(&findings()));
    let widgets = Widgets::new();
    widgets.findings(&findings());
    fits(&widgets.run(&["--format", "json", "--fail-on", "low"]).run().exits(1).json());
    fits(&widgets.run(&["--format", "json", "--yes"]).run().exits(0).json());
    fits(&widgets.run(&["--format", "json", "--yes"]).run().exits(0).json());
    fits(&widgets.run(&["--format", "json", "--yes", "--expect", "0123456789abcdef"]).run().exits(7).json());
    fits(&widgets.run(&["--format", "json", "--offline"]).run().exits(0).json());
    widgets.forge.stage.pull(22, |pull| pull.locked = Some(403));
    let mut more = findings();
    more.push(at("made.rs", 2));
    widgets.findings(&more);
    let locked = widgets.run(&["--format", "json", "--yes"]).run().exits(5);
    if !locked.out().is_empty() {
        fits(&locked.json());
    }
}

#[test]
fn the_schema_refuses_what_is_no_report() {
    let schema = schema();
    let good = Local::two_hunks().report(&[at("a.rs", 5)]);
    for (pointer, value) in [
        ("/schema", json!("dai.report/2")),
        ("/mode", json!("posting")),
        ("/findings/0/status", json!("done")),
        ("/counts", json!({})),
        ("/digest", json!(7)),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).expect("a member") = value;
        assert!(!schema.is_valid(&bad), "{pointer}");
    }
}

#[test]
fn the_counts_add_up_and_the_order_is_the_files() {
    let report = Local::two_hunks().report(&findings());
    let counts: u64 =
        report["counts"].as_object().expect("counts").values().map(|n| n.as_u64().expect("a count")).sum();
    assert_eq!(counts, 7);
    let findings = report["findings"].as_array().expect("findings");
    assert!(findings.iter().enumerate().all(|(n, f)| f["index"] == n && f["pointer"] == format!("/findings/{n}")));
}

//! What other reviewers write, read as it is: the samples under `fixtures/review/foreign`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::local::{Local, fates, message};
use crate::support::run::{Answer, Dai};

/// A sample, its root being the repository's.
fn sample(local: &Local, name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/review/foreign").join(name);
    let root = local.repo.path().canonicalize().expect("what the test itself wrote");
    fs::read_to_string(path).expect("what the test itself wrote").replace("ROOT", &root.display().to_string())
}

fn preview(local: &Local, text: impl Into<String>, args: &[&str]) -> Answer {
    local.dai_bytes(text.into().into_bytes()).args(args.iter().copied()).run()
}

fn report(local: &Local, name: &str) -> Value {
    preview(local, sample(local, name), &["--format", "json"]).exits(0).json()
}

/// Path, side and lines, severity, confidence and fate of each finding.
fn rows(report: &Value) -> Vec<String> {
    let all = report["findings"].as_array().expect("what the test itself wrote").iter().zip(fates(report));
    all.map(|(finding, fate)| {
        let text = |key: &str| finding[key].as_str().unwrap_or("-").to_owned();
        let number = |key: &str| finding[key].to_string();
        let place = format!("{} {} {}-{}", text("path"), text("side"), number("line"), number("end_line"));
        format!("{} {place} {} {} {fate}", text("pointer"), text("severity"), number("confidence"))
    })
    .collect()
}

#[test]
fn every_format_is_told_by_its_content_and_comes_out_with_its_places() {
    let local = Local::two_hunks();
    for (name, whose, expected) in [
        (
            "codex.json",
            "as Codex's",
            &[
                "/findings/0 a.rs RIGHT 5-6 high 0.85 ready",
                "/findings/1 a.rs RIGHT 5-5 low 0.4 ready",
                "/findings/2 /home/other/a.rs RIGHT 5-5 medium 0.4 path_outside",
            ][..],
        ),
        ("codex-plugin.json", "as the Codex review plugin's", &["/findings/0 a.rs RIGHT 5-6 high 0.9 ready"]),
        (
            "claude.json",
            "as Claude Code's",
            &[
                "/0 a.rs RIGHT 5-5 medium null ready",
                "/1 a.rs - null-null medium null summary",
                "/2 a.rs RIGHT 6-6 low null ready",
            ],
        ),
        ("claude-report.json", "as Claude Code's", &["/findings/0 a.rs RIGHT 5-5 medium null ready"]),
        ("security-review.json", "as the security review's", &["/findings/0 a.rs RIGHT 5-5 high 0.95 ready"]),
        ("ultrareview.json", "as Claude Code's ultrareview", &["/findings/0 a.rs RIGHT 5-6 medium null ready"]),
        (
            "github.json",
            "as GitHub's review JSON",
            &[
                "/comments/0 a.rs RIGHT 5-6 medium null ready",
                "/comments/1 a.rs LEFT 30-30 medium null ready",
                "/comments/2 a.rs RIGHT 5-6 medium null unclear_field",
            ],
        ),
        ("github-comments.json", "as GitHub's review JSON", &["/0 a.rs RIGHT 5-5 medium null ready"]),
        (
            "sarif.json",
            "as SARIF",
            &[
                "/runs/0/results/0/locations/0 a.rs RIGHT 5-6 high 0.8 ready",
                "/runs/0/results/1/locations/0 a.rs RIGHT 5-5 low null ready",
                "/runs/0/results/2/locations/0 a.rs RIGHT 6-6 medium null dismissed",
                "/runs/0/results/3/locations/0 dir/a b.rs RIGHT 1-1 medium null file_not_in_diff",
            ],
        ),
        (
            "rdjson.json",
            "as reviewdog's diagnostics",
            &[
                "/diagnostics/0 a.rs RIGHT 5-6 high null ready",
                "/diagnostics/1 a.rs RIGHT 5-5 medium null ready",
                "/diagnostics/2 a.rs RIGHT 5-5 medium null ready",
                "/diagnostics/3 a.rs - null-null low null summary",
            ],
        ),
        (
            "rdjsonl.jsonl",
            "as reviewdog's diagnostics",
            &["/0 a.rs RIGHT 5-5 low null ready", "/1 a.rs RIGHT 6-6 medium null ready"],
        ),
        ("envelope.json", "review  stdin", &["/structured_output/findings/0 a.rs RIGHT 5-5 low null ready"]),
        ("envelope-text.json", "as Claude Code's", &["/1/result/0 a.rs RIGHT 5-5 medium null ready"]),
    ] {
        assert_eq!(rows(&report(&local, name)), expected, "{name}");
        let answer = preview(&local, sample(&local, name), &[]).exits(0);
        assert!(answer.out().contains(whose), "{name}: {answer}");
    }
}

#[test]
fn what_the_reviewer_said_is_in_the_comment_and_what_is_not_read_is_said() {
    let local = Local::two_hunks();
    let body = |name: &str, at: usize| report(&local, name)["findings"][at]["body"].as_str().unwrap_or("").to_owned();
    for (name, at, parts) in [
        ("codex.json", 0, &["**The limit is off by one**", "reads one line too many"][..]),
        ("codex-plugin.json", 0, &["**Lost update**", "Two writers race.", "**Do:** Take the lock."]),
        ("claude.json", 0, &["off by one", "**Fails when:** A file of 100 lines.", "CONFIRMED"]),
        ("claude.json", 2, &["**Confidence:** low", "**Do:** Rename it."]),
        ("security-review.json", 0, &["**Exploited by:** A quote", "**Do:** Bind it."]),
        ("sarif.json", 0, &["**R1**", "x is read before y."]),
        ("sarif.json", 1, &["**marked**"]),
        ("rdjson.json", 0, &["**E501**", "Too long.", "short"]),
        ("envelope-text.json", 0, &["Off by \"one\"."]),
    ] {
        let body = body(name, at);
        assert!(parts.iter().all(|part| body.contains(part)), "{name} {at}: {body}");
        assert!(!body.contains("```suggestion"), "{name}: a suggestion would be applied by a click: {body}");
    }
    for (name, said) in [
        ("sarif.json", "1 results say that a rule passed"),
        ("sarif.json", "1 results name no file"),
        ("sarif.json", "1 results have fixes"),
        ("ultrareview.json", "1 findings that the reviewer itself left out"),
        ("github.json", "REQUEST_CHANGES"),
    ] {
        preview(&local, sample(&local, name), &[]).exits(0).says(said);
    }
    let outside = report(&local, "codex.json");
    let root = local.repo.path().canonicalize().expect("what the test itself wrote");
    assert!(message(&outside, 2).contains(&*root.display().to_string()), "{}", message(&outside, 2));
    let summary = outside["summary"]["body"].as_str().expect("what the test itself wrote");
    assert!(summary.contains("patch is incorrect") && summary.contains("One finding breaks the build."), "{summary}");
}

#[test]
fn a_default_severity_is_said_and_never_above_medium() {
    let local = Local::two_hunks();
    preview(&local, sample(&local, "claude.json"), &[]).exits(0);
    let shown = |name: &str| preview(&local, sample(&local, name), &[]).exits(0).out().to_owned();
    assert!(shown("github.json").contains("severity: not given by this format; medium"));
    assert!(shown("codex.json").contains("severity: not given by every finding; medium"));
    assert!(!shown("codex-plugin.json").contains("severity:"));
    preview(&local, sample(&local, "github-comments.json"), &["--fail-on", "high"]).exits(0);
    let unknown = sample(&local, "codex-plugin.json").replace("critical", "apocalyptic");
    preview(&local, unknown, &["--format", "json"]).exits(0).says("\"apocalyptic\" is read as medium");
}

#[test]
fn c78_an_envelope_of_a_failed_reviewer_is_no_review() {
    let local = Local::two_hunks();
    for (file, said) in [
        (
            json!({"type": "result", "subtype": "success", "is_error": true, "result": "Credit balance is too low"}),
            "too low",
        ),
        (json!({"type": "result", "subtype": "error_max_turns", "is_error": false}), "error_max_turns"),
        (json!([{"type": "system", "subtype": "init"}, {"type": "assistant"}]), "without a message of type"),
        (json!({"type": "result", "subtype": "success", "is_error": false, "result": null}), "its result is empty"),
    ] {
        preview(&local, file.to_string(), &[]).exits(3).says("the reviewer failed").says(said);
        let lines = file.as_array().map(|all| all.iter().map(|one| format!("{one}\n")).collect::<String>());
        if let Some(lines) = lines {
            preview(&local, lines, &[]).exits(3).says("the reviewer failed");
        }
    }
    let prose = json!({"type": "result", "subtype": "success", "is_error": false, "result": "I found nothing."});
    preview(&local, prose.to_string(), &[]).exits(3).says("/result").says("not JSON");
    let broken = json!({"type": "result", "subtype": "success", "is_error": false,
        "result": "{\"findings\": [{\"path\": \"a.rs\", \"line\": 0, \"severity\": \"low\", \"body\": \"é\"}]}"});
    let text = broken.to_string();
    let column = text.find("0,").expect("the line's number") + 1;
    preview(&local, text, &[]).exits(3).says("/result/findings/0/line").says(&format!("stdin:1:{column}"));
}

#[test]
fn c78_an_empty_list_says_that_the_file_has_no_findings() {
    let local = Local::two_hunks();
    for file in ["[]", r#"{"findings": []}"#, r#"{"diagnostics": []}"#, r#"{"version": "2.1.0", "runs": []}"#] {
        let answer = preview(&local, file, &[]).exits(0);
        assert!(answer.out().contains("the file has no findings"), "{file}: {answer}");
        assert!(!answer.out().to_lowercase().contains("no problems"), "{answer}");
    }
}

#[test]
fn a_fault_points_into_the_file_as_it_is() {
    let local = Local::two_hunks();
    for (file, said) in [
        (
            r#"{"findings": [{"code_location": {"absolute_file_path": 7, "line_range": {"start": "5"}}, "body": ""}]}"#,
            &[
                "/findings/0/code_location/absolute_file_path",
                "/findings/0/code_location/line_range/start",
                "/findings/0/body",
            ][..],
        ),
        (r#"[{"path": "a.rs", "body": "x", "position": 4}]"#, &["/0/position", "write \"line\""]),
        (
            r#"{"runs": [{"results": [{"message": {"text": "x"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "a"}, "region": {"startLine": 0}}}]}, {}]}]}"#,
            &["/runs/0/results/0/locations/0/physicalLocation/region/startLine", "/runs/0/results/1"],
        ),
        (
            "{\"message\": \"x\", \"location\": {\"path\": \"a\"}}\n{\"message\": \"x\", \"location\": {\"path\": \"\"}}\n",
            &["stdin:2:", "/1/location/path"],
        ),
        (r#"[{"file": "a.rs", "line": -1, "summary": "x"}]"#, &["/0/line"]),
    ] {
        for said in said {
            preview(&local, file, &[]).exits(3).says(said);
        }
    }
}

#[test]
fn other_commands_take_them_and_what_would_write_says_which_converts() {
    let local = Local::two_hunks();
    local.repo.write("c.json", sample(&local, "codex.json"));
    let dai = |args: &[&str]| Dai::in_repo(&local.repo).args(args.iter().copied()).run();
    let checked = dai(&["review", "check", "c.json", "--base", "main", "--head", "topic", "--format", "json"]).exits(0);
    assert_eq!(fates(&checked.json()), ["ready", "ready", "path_outside"]);
    dai(&["review", "verdict", "c.json"]).exits(1).says("");
    for args in [&["review", "bind", "c.json"][..], &["review", "check", "c.json", "--fix"]] {
        dai(args).exits(2).says("dai review convert c.json --to dai -o OTHER.json");
    }
    let converted = dai(&["review", "convert", "c.json", "--to", "dai"]).exits(0).json();
    assert_eq!(converted["findings"][0]["path"], "a.rs");
    let report = local.dai(&converted).args(["--format", "json"]).run().exits(0).json();
    assert_eq!(fates(&report), ["ready", "ready", "path_outside"]);
    // Each converts into what reads as the same places.
    for name in
        ["codex-plugin.json", "claude.json", "security-review.json", "sarif.json", "rdjson.json", "rdjsonl.jsonl"]
    {
        local.repo.write("c.json", sample(&local, name));
        let converted = dai(&["review", "convert", "c.json", "--to", "dai"]).exits(0).json();
        let again = local.dai(&converted).args(["--format", "json"]).run().exits(0).json();
        let places = |report: &Value| {
            rows(report)
                .iter()
                .map(|row| row.split_once(' ').expect("what the test itself wrote").1.to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(places(&again), places(&report_of(&local, name)), "{name}");
    }
}

fn report_of(local: &Local, name: &str) -> Value {
    report(local, name)
}

#[test]
fn a_format_can_be_forced_by_its_name() {
    let local = Local::two_hunks();
    let both = r#"{"findings": [{"path": "a.rs", "line": 5, "body": "x", "severity": "low", "file": "a.rs", "summary": "y"}]}"#;
    let of = |args: &[&str]| preview(&local, both, args).exits(0).out().to_owned();
    assert!(!of(&[]).contains("Claude Code's"));
    assert!(of(&["--input-format", "claude"]).contains("as Claude Code's"));
    preview(&local, both, &["--input-format", "claud"]).exits(2).says("claude");
    let run = local.dai_bytes(both.as_bytes().to_vec()).env("DAI_INPUT_FORMAT", "claude").run().exits(0);
    assert!(run.out().contains("as Claude Code's"));
}

//! Fields and paths that are nearly right: nothing of a finding is lost, and what is meant is named.

use std::fs;

use serde_json::{Value, json};

use crate::local::{Local, at, fates, message, numbered, with};
use crate::support::run::{Answer, Dai};

fn check(local: &Local, args: &[&str]) -> Answer {
    let run = Dai::in_repo(&local.repo).args(["review", "check", "r.json", "--base", "main", "--head", "topic"]);
    run.args(args.iter().copied()).run()
}

#[test]
fn c66_null_in_every_optional_field_is_the_absent_field() {
    let local = Local::two_hunks();
    let nulls = json!({
        "id": null, "start_line": null, "end_line": null, "side": null, "confidence": null, "snippet": null, "state": null
    });
    let report = local.report(&[with(at("a.rs", 5), nulls.clone()), with(at("a.rs", 5), json!({ "line": null }))]);
    assert_eq!(fates(&report), ["ready", "summary"]);
    assert_eq!(report["warnings"], json!([]));
    let orchestra = json!({ "result_sha": null, "findings": [
        { "id": "f1", "severity": "minor", "file": "a.rs", "line": null, "claim": "c", "evidence": "e" },
    ] });
    let answer = local.dai(&orchestra).args(["--format", "json"]).run().exits(0);
    assert_eq!(fates(&answer.json()), ["summary"]);
}

#[test]
fn c67_a_field_that_looks_like_another_holds_its_finding_back_and_no_other() {
    let local = Local::two_hunks();
    let bare = || json!({ "path": "a.rs", "severity": "medium", "body": "b" });
    let findings = [
        with(bare(), json!({ "startLine": 5 })),
        with(bare(), json!({ "line_number": "5" })),
        with(bare(), json!({ "lines": [5, 6] })),
        with(bare(), json!({ "position": 3 })),
        with(at("a.rs", 5), json!({ "status": "dismissed" })),
        with(at("a.rs", 5), json!({ "endLine": 6 })),
        with(at("a.rs", 6), json!({ "category": "style", "rule": "E501" })),
    ];
    let report = local.report(&findings);
    let expected = ["unclear_field"; 6].into_iter().chain(["ready"]).collect::<Vec<_>>();
    assert_eq!(fates(&report), expected);
    assert!(report["findings"].as_array().unwrap()[..6].iter().all(|finding| finding["status"] == "rejected"));
    for (at, names) in [(0, ["\"startLine\"", "\"start_line\""]), (4, ["\"status\"", "\"state\""])] {
        assert!(names.iter().all(|name| message(&report, at).contains(name)), "{}", message(&report, at));
    }
    let said: Vec<&str> = report["warnings"].as_array().unwrap().iter().map(|w| w["code"].as_str().unwrap()).collect();
    assert_eq!(said, ["unknown_field", "unknown_field"], "only what means nothing is a warning");
    let exchange = json!({
        "leanreview_review": 1,
        "patch": ["--- a/a.rs", "+++ b/a.rs", "@@ -4,2 +4,3 @@", " line 4", "-line 5", "+line five", "+line five and a half"],
        "comments": [{ "path": "a.rs", "start_line": 5, "body": "b", "status": "dismissed" }],
    });
    let answer = local.dai(&exchange).args(["--format", "json"]).run().exits(0);
    assert_eq!(fates(&answer.json()), ["unclear_field"]);
}

#[test]
fn c67_fix_renames_what_is_sure_and_leaves_the_rest() {
    let local = Local::two_hunks();
    let file = r#"{ "issues": [
  {"file": "a.rs", "startLine": 5, "endLine": 6, "severity": "low", "message": "One."},
  {"path": "a.rs", "line": 5, "status": "dismissed", "severity": "low", "body": "Two."},
  {"path": "a.rs", "lines": "5-6", "severity": "low", "body": "Three."}
] }"#;
    local.repo.write("r.json", file);
    check(&local, &[]).exits(3).says("\"issues\" is no field: did you mean \"findings\"?");
    let report =
        check(&local, &["--fix", "--format", "json"]).exits(0).says("the field \"startLine\" is \"start_line\" now");
    assert_eq!(fates(&report.json()), ["ready", "dismissed", "unclear_field"]);
    let mended = file
        .replace("\"issues\"", "\"findings\"")
        .replace("\"file\"", "\"path\"")
        .replace("\"startLine\"", "\"start_line\"")
        .replace("\"endLine\"", "\"end_line\"")
        .replace("\"message\"", "\"body\"")
        .replace("\"status\"", "\"state\"");
    assert_eq!(fs::read_to_string(local.repo.path().join("r.json")).unwrap(), mended);
}

#[test]
fn c68_the_near_path_is_named_and_its_place_proposed() {
    let local = Local::of(
        |repo| {
            repo.write("docs/café.md", numbered(9)).write("src/a.rs", numbered(9)).write("src/quiet.rs", "x\n");
        },
        |repo| {
            let changed = numbered(9).replace("line 5\n", "line five\n");
            repo.write("docs/café.md", &changed).write("src/a.rs", &changed);
        },
    );
    let near = [
        ("docs/cafe\u{301}.md", "docs/café.md"),
        ("b/src/a.rs", "src/a.rs"),
        ("SRC/A.rs", "src/a.rs"),
        ("src/a.rs:10", "src/a.rs"),
        ("src/a.rs ", "src/a.rs"),
        ("widgets\\src\\a.rs", "src/a.rs"),
        ("\"docs/caf\\303\\251.md\"", "docs/café.md"),
    ];
    let report = local.report(&near.map(|(written, _)| at(written, 5)));
    for (finding, (written, meant)) in near.iter().enumerate() {
        let told = &report["findings"][finding];
        assert_eq!(told["reason"]["code"], "file_not_in_diff", "{written}");
        assert_eq!(told["proposal"]["path"], *meant, "{written}");
        assert_eq!(told["proposal"]["line"], 5, "{written}");
        let message = message(&report, finding);
        assert!(message.contains(meant) && !message.contains("there is no file"), "{written}: {message}");
    }
    assert!(message(&report, 4).contains("\"src/a.rs \""), "a blank at the end is seen: {}", message(&report, 4));
    let report = local.report(&[at("quite/other.go", 5), at("src/quiet.rs", 1)]);
    assert!(message(&report, 0).contains("there is no file"));
    assert!(message(&report, 1).contains("is not changed here"));
}

#[test]
fn c69_an_absolute_path_is_relative_to_the_root_or_outside_it() {
    let local = Local::two_hunks();
    let root = local.repo.path().canonicalize().unwrap();
    let inside = root.join("a.rs").display().to_string();
    let findings = [at(&inside, 5), at("/somewhere/else/a.rs", 5), at("C:\\work\\a.rs", 5), at("a.rs", 6)];
    let report = local.report(&findings);
    assert_eq!(fates(&report), ["ready", "path_outside", "path_outside", "ready"]);
    assert_eq!(report["findings"][0]["path"], "a.rs");
    assert!(message(&report, 1).contains(&*root.display().to_string()), "{}", message(&report, 1));
    let link = local.repo.path().with_extension("link");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&root, &link).unwrap();
        let report = local.report(&[at(&link.join("a.rs").display().to_string(), 5)]);
        fs::remove_file(&link).unwrap();
        assert_eq!(fates(&report), ["ready"]);
    }
    local.repo.write("r.json", json!({ "findings": findings }).to_string());
    let report = check(&local, &["--format", "json"]).exits(0).json();
    assert_eq!(fates(&report), ["ready", "path_outside", "path_outside", "ready"]);
    let run = Dai::at("/").args(["review", "check", "-", "--format", "json"]);
    let report = run.stdin(json!({ "findings": [at("/x/a.rs", 5)] }).to_string()).run().exits(0).json();
    assert_eq!(fates(&report), ["path_outside"]);
}

#[test]
fn c70_githubs_pair_is_a_range_and_is_moved_as_one() {
    let local = Local::two_hunks();
    let pair = |start: u32, end: u32| json!({ "path": "a.rs", "start_line": start, "line": end, "severity": "low", "body": "b" });
    let report = local.report(&[pair(5, 6), pair(6, 5)]);
    assert_eq!(fates(&report), ["ready", "range_reversed"]);
    assert_eq!((&report["findings"][0]["line"], &report["findings"][0]["end_line"]), (&json!(5), &json!(6)));
    let moved = with(pair(8, 9), json!({ "snippet": "line five\nline five and a half" }));
    local.repo.write("r.json", json!({ "findings": [moved] }).to_string());
    check(&local, &["--fix"]).exits(0);
    let file: Value = serde_json::from_slice(&fs::read(local.repo.path().join("r.json")).unwrap()).unwrap();
    let finding = &file["findings"][0];
    assert_eq!((&finding["start_line"], &finding["line"], finding.get("end_line")), (&json!(5), &json!(6), None));
}

#[test]
fn c77_an_exchange_without_a_patch_and_a_file_of_blanks_are_refused() {
    let local = Local::two_hunks();
    for patch in [json!([]), json!(""), json!(["", "  "])] {
        let exchange = json!({ "leanreview_review": 1, "patch": patch, "comments": [] });
        local.dai(&exchange).run().exits(3).says("the patch is empty");
    }
    let finding = json!({ "id": "f", "severity": "minor", "file": "  ", "claim": "c", "evidence": "e" });
    local.dai(&json!({ "findings": [finding] })).run().exits(3).says("/findings/0/file");
    let run = Dai::in_repo(&local.repo)
        .args(["review", "convert", "-", "--to", "exchange", "--base", "main", "--head", "main"]);
    run.stdin(json!({ "findings": [] }).to_string()).run().exits(2).says("there is no change between the two commits");
}

#[test]
fn c66_the_schema_for_a_model_is_printed_for_our_format_alone() {
    let schema = Dai::at(".").args(["schema", "dai", "--for-model"]).run().exits(0).json();
    assert_eq!(schema["additionalProperties"], false);
    jsonschema::validator_for(&schema).expect("a schema");
    Dai::at(".").args(["schema", "report", "--for-model"]).run().exits(2).says("dai schema dai --for-model");
}

//! Flags, their forms in the environment, dot-env files; bad values and conflicts.

use serde_json::{Value, json};

use crate::local::{Local, at, fates, with};
use crate::support::run::Dai;
use crate::widgets::Widgets;

fn graded() -> (Local, Value) {
    let low = with(at("a.rs", 5), json!({ "severity": "low", "confidence": 0.3 }));
    let high = with(at("a.rs", 6), json!({ "severity": "high", "confidence": 0.9 }));
    (Local::two_hunks(), json!({ "findings": [low, high] }))
}

fn report(run: Dai) -> Value {
    run.args(["--format", "json"]).run().exits(0).json()
}

#[test]
fn every_option_has_a_form_in_the_environment() {
    let (local, review) = graded();
    for (name, value, first) in [
        ("DAI_MIN_SEVERITY", "high", "below_min_severity"),
        ("DAI_MIN_SEVERITY", "HIGH", "below_min_severity"),
        ("DAI_MIN_CONFIDENCE", "0.5", "below_min_confidence"),
        ("DAI_MAX_COMMENTS", "1", "over_max_comments"),
    ] {
        assert_eq!(fates(&report(local.dai(&review).env(name, value))), [first, "ready"], "{name}={value}");
    }
    let run = |name: &str, value: &str| local.dai(&review).env(name, value).run();
    run("DAI_FAIL_ON", "high").exits(1);
    run("DAI_STRICT", "1").exits(0);
    run("DAI_DRY_RUN", "1").exits(0);
    run("DAI_EXPECT", "0123456789abcdef").exits(7);
    assert!(run("DAI_FORMAT", "json").exits(0).json()["schema"] == "dai.report/1");
    let bare = || Dai::in_repo(&local.repo).args(["forge", "review"]).env("DAI_FORMAT", "json");
    local.repo.write("r.json", review.to_string());
    let environment = bare().env("DAI_BASE", "main").env("DAI_HEAD", "topic").env("DAI_FROM", "r.json");
    assert_eq!(fates(&environment.run().exits(0).json()), ["ready", "ready"]);
    let snippet = with(at("a.rs", 9), json!({ "snippet": "line five and a half" }));
    let relocated = local.dai(&json!({ "findings": [snippet] })).env("DAI_RELOCATE", "1");
    assert_eq!(fates(&report(relocated)), ["ready"]);
}

#[test]
fn the_request_too_can_be_chosen_by_the_environment() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5)]).clone.remote("other", &widgets.forge.clone_url("ann/widgets"));
    let run = || widgets.dai().args(["forge", "review", "22", "--format", "json"]);
    run().run().exits(2);
    assert_eq!(run().env("DAI_REMOTE", "origin").run().exits(0).json()["project"], "acme/widgets");
    assert_eq!(run().env("DAI_PROJECT", "acme/widgets").run().exits(0).json()["project"], "acme/widgets");
    let api =
        run().env("DAI_REMOTE", "origin").env_remove("GITHUB_API_URL").env("DAI_API_URL", widgets.forge.api_url());
    api.run().exits(0);
    run().env("DAI_REMOTE", "origin").env("DAI_OFFLINE", "1").run().exits(0);
}

#[test]
fn a_misspelt_variable_is_one_warning_of_every_command_that_does_something() {
    let (local, review) = graded();
    let warning = "DAI_MAX_COMENTS is set, and no command knows it; did you mean DAI_MAX_COMMENTS?";
    let wrong = |run: Dai| run.env("DAI_MAX_COMENTS", "1");
    let run = wrong(local.dai(&review)).args(["--format", "json"]).run().exits(0).says(warning);
    assert_eq!(run.err().matches("DAI_MAX_COMENTS").count(), 1, "said once: {run}");
    assert_eq!(run.json()["warnings"][0], json!({ "code": "env_ignored", "message": warning, "finding": null }));
    // It may be why the run fails before anything else is read.
    wrong(local.dai(&review)).env("DAI_STRICT", "2").run().exits(2).says(warning);
    local.repo.write("r.json", review.to_string());
    let of = |args: &[&str]| wrong(Dai::in_repo(&local.repo)).args(args.iter().copied()).run();
    for args in [
        &["review", "check", "r.json"][..],
        &["review", "verdict", "r.json"],
        &["review", "convert", "r.json", "--to", "orchestra"],
        &["review", "bind", "r.json"],
        &["review", "brief", "--base", "main", "--head", "topic"],
        &["init"],
        &["demo", "shop"],
    ] {
        let run = of(args).says(warning);
        assert_eq!(run.err().matches("DAI_MAX_COMENTS").count(), 1, "said once: {run}");
    }
    for args in [&["man"][..], &["schema", "dai"], &["completions", "bash"], &["--help"], &["--version"]] {
        assert_eq!(of(args).exits(0).err(), "", "{args:?}");
    }
    assert_eq!(of(&["-q", "init"]).err(), "");
}

#[test]
fn what_is_typed_beats_the_environment_and_that_beats_the_files() {
    let (local, review) = graded();
    local
        .repo
        .write(".env", "DAI_MIN_SEVERITY=high\nDAI_MAX_COMMENTS=0\nDAI_FAIL_ON=low\nDAI_BASE=nowhere\nDAI_STRICT=1\n");
    let file = report(local.dai(&review));
    assert_eq!(fates(&file), ["below_min_severity", "over_max_comments"], "only three settings are read from a file");
    local.repo.write(".env.dai", "DAI_MIN_SEVERITY=low\nexport DAI_MAX_COMMENTS=\"9\" # a few\n");
    assert_eq!(fates(&report(local.dai(&review))), ["ready", "ready"]);
    let environment = local.dai(&review).env("DAI_MIN_SEVERITY", "high");
    assert_eq!(fates(&report(environment)), ["below_min_severity", "ready"]);
    let typed = local.dai(&review).env("DAI_MIN_SEVERITY", "high").args(["--min-severity", "low"]);
    assert_eq!(fates(&report(typed)), ["ready", "ready"]);
    let empty = local.dai(&review).env("DAI_MIN_SEVERITY", "");
    assert_eq!(fates(&report(empty)), ["ready", "ready"], "an empty variable is unset");
}

#[test]
fn dot_env_files_are_read_at_the_root_and_only_when_git_does_not_track_them() {
    let (local, review) = graded();
    local.repo.write(".env.dai", "DAI_MIN_SEVERITY=high\n").write("deep/.env.dai", "DAI_MIN_SEVERITY=low\n");
    local.repo.write("r.json", review.to_string());
    let deep = Dai::at(local.repo.path().join("deep"));
    let deep = deep.args(["forge", "review", "--base", "main", "--head", "topic", "--from", "../r.json"]);
    assert_eq!(fates(&report(deep)), ["below_min_severity", "ready"]);
    local.repo.git(&["add", "--force", ".env.dai"]);
    let run = local.dai(&review).args(["--format", "json"]).run().exits(0).says(".env.dai is not read: git tracks it");
    assert_eq!(fates(&run.json()), ["ready", "ready"]);
    assert_eq!(run.json()["warnings"][0]["code"], "dotenv_ignored");
    assert_eq!(run.err().matches("git tracks it").count(), 1, "said once: {run}");
}

#[test]
fn a_bad_line_of_a_dot_env_file_is_named_and_never_shown() {
    let (local, review) = graded();
    local.repo.write(".env", "DAI_MIN_SEVERITY=high\nghp_a_token_alone\nX='open\n");
    let run = local.dai(&review).run().exits(0).says(".env: line");
    assert!(!run.err().contains("ghp_a_token_alone"), "{run}");
    local.repo.write(".env", "DAI_MIN_SEVERITY=huge\n");
    local.dai(&review).run().exits(2).says("DAI_MIN_SEVERITY=huge").says(".env");
}

#[test]
fn every_bad_value_is_2() {
    let (local, review) = graded();
    for args in [
        &["--min-severity", ""][..],
        &["--min-severity", "none"],
        &["--min-confidence", "NaN"],
        &["--min-confidence", "inf"],
        &["--min-confidence", "1.0001"],
        &["--min-confidence", "1e9"],
        &["--min-confidence", "50%"],
        &["--min-confidence", ""],
        &["--max-comments", "1.5"],
        &["--max-comments", "99999999999999999999999"],
        &["--max-comments", ""],
        &["--expect", "0123456789ABCDEF"],
        &["--expect", "0123456789abcde"],
        &["--fail-on", "critical"],
        &["--forge", "GitHub Enterprise"],
        &["--format", "xml"],
        &["--color", "sometimes"],
        &["--base", "main"],
        &["--min-severity", "low", "--min-severity", "high"],
    ] {
        let run = local.dai(&review).args(args.iter().copied()).run().exits(2);
        assert_eq!(run.out(), "", "{args:?}");
    }
    for (name, value) in [
        ("DAI_MIN_SEVERITY", "huge"),
        ("DAI_MIN_CONFIDENCE", "2"),
        ("DAI_MAX_COMMENTS", "-1"),
        ("DAI_EXPECT", "x"),
        ("DAI_FAIL_ON", "x"),
        ("DAI_FORGE", "x"),
        ("DAI_FORMAT", "x"),
        ("DAI_STRICT", "2"),
        ("DAI_RELOCATE", "maybe"),
        ("DAI_OFFLINE", "1"),
    ] {
        let run = local.dai(&review).env(name, value).run().exits(2);
        assert_eq!(run.out(), "", "{name}");
        run.says(if name == "DAI_OFFLINE" { "--offline" } else { name });
    }
}

#[test]
fn several_bad_variables_are_told_in_one_run() {
    let (local, review) = graded();
    let run = local.dai(&review).env("DAI_MIN_SEVERITY", "huge").env("DAI_MAX_COMMENTS", "x").run().exits(2);
    run.says("DAI_MIN_SEVERITY=huge").says("DAI_MAX_COMMENTS=x");
}

#[test]
fn flags_that_exclude_each_other_do_so_in_the_environment_too() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5)]);
    for (args, name) in [
        (&["--yes"][..], "DAI_DRY_RUN"),
        (&["--yes"], "DAI_OFFLINE"),
        (&["--base", "main", "--head", "topic"], "DAI_OFFLINE"),
    ] {
        widgets.run(args).env(name, "1").run().exits(2);
    }
    widgets.run(&["--yes"]).env("DAI_BASE", "main").run().exits(2);
    widgets.run(&[]).env("DAI_HEAD", "topic").run().exits(2).says("--base");
    assert_eq!((widgets.forge.requests(), widgets.forge.writes()), (vec![], vec![]));
}

#[test]
fn a_variable_that_is_not_utf8_is_named() {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    let (local, review) = graded();
    let bytes = OsString::from_vec(vec![b'h', 0xff]);
    local.dai(&review).env("DAI_MIN_SEVERITY", bytes.clone()).run().exits(2).says("DAI_MIN_SEVERITY");
    local.dai(&review).env("SOMETHING_ELSE", bytes).run().exits(0);
}

#[test]
fn folders_are_taken_one_from_the_other() {
    let (local, review) = graded();
    local.repo.write("deep/down/x", "").write("r.json", review.to_string());
    let run = Dai::at(std::env::temp_dir()).arg("-C").arg(local.repo.path()).args(["-C", "deep", "-C", "down"]);
    run.args(["forge", "review", "--base", "main", "--head", "topic", "--from", "../../r.json"]).run().exits(0);
    Dai::at(std::env::temp_dir()).args(["-C", "/nonexistent", "init"]).run().exits(2).says("/nonexistent");
}

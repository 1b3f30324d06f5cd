//! Nothing but GET without `--yes`, whatever is typed, set or written.

use std::collections::BTreeSet;

use serde_json::json;

use crate::local::{at, fates};
use crate::support::run::Dai;
use crate::widgets::{PROJECT, Widgets};

/// Arguments of every kind, good and bad, none of them `--yes`.
const ODD: [&[&str]; 24] = [
    &[],
    &["--dry-run"],
    &["--format", "json"],
    &["--format", "markdown"],
    &["--again"],
    &["--strict"],
    &["--fail-on", "low"],
    &["--relocate"],
    &["--trace"],
    &["--max-comments", "0"],
    &["--expect", "0000000000000000"],
    &["--expect", "yes"],
    &["--yes=false"],
    &["--yes=true"],
    &["--no-yes"],
    &["--ye"],
    &["-n"],
    &["--", "--yes"],
    &["--", "-y"],
    &["--from", "--yes"],
    &["--from=-y"],
    &["--remote", "origin"],
    &["--min-confidence", "2"],
    &["--yes", "--dry-run"],
];

#[test]
fn without_yes_nothing_but_get_leaves_the_machine() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5), at("a.rs", 20)]);
    for args in ODD {
        let run = widgets.run(args).env("DAI_YES", "1").env("DAI_AGAIN", "1").env("YES", "1").stdin("yes\ny\n");
        let code = run.run().code();
        assert!([0, 1, 2, 3, 7].contains(&code), "{args:?} exits {code}");
    }
    for review in ["", "{", "[]", "{\"findings\":[],\"yes\":true,\"post\":true}"] {
        widgets.clone.write(".dai/reviews/22.json", review);
        widgets.run(&[]).run();
    }
    widgets.clone.write(".env.dai", "DAI_YES=1\nYES=1\nDAI_MAX_COMMENTS=5\n").write(".env", "DAI_YES=true\n");
    widgets.findings(&[at("a.rs", 5)]);
    widgets.run(&[]).run().exits(0);
    assert_eq!(widgets.forge.writes(), []);
    let git = widgets.forge.git_requests();
    assert!(git.iter().all(|r| r.request.path.ends_with("/info/refs") || r.request.path.ends_with("/git-upload-pack")));
    assert_eq!(widgets.stored(), (0, 0));
}

/// Every option of the command but `--yes` and `--expect`, with a value that lets the run go on.
const OTHERS: [&[&str]; 21] = [
    &["--project", PROJECT],
    &["--from", ".dai/reviews/22.json"],
    &["--input-format", "dai"],
    &["--dry-run"],
    &["--expect-head", "HEAD-SHA"],
    &["--min-severity", "low"],
    &["--min-confidence", "0"],
    &["--max-comments", "50"],
    &["--relocate"],
    &["--trace"],
    &["--again"],
    &["--strict"],
    &["--fail-on", "high"],
    &["--forge", "github"],
    &["--api-url", "URL"],
    &["--remote", "origin"],
    &["--base", "main"],
    &["--head", "main"],
    &["--offline"],
    &["--format", "json"],
    &["--help"],
];

#[test]
fn a_digest_without_yes_posts_nothing_whatever_else_is_given() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5)]);
    let api = widgets.forge.api_url();
    let value = |arg: &&str| arg.replace("URL", &api).replace("HEAD-SHA", &widgets.head);
    let option = |args: &[&str]| args.iter().map(value).collect::<Vec<_>>();
    let help = widgets.run(&["--help"]).run().exits(0);
    let listed = help.out().lines().take_while(|line| !line.starts_with("Options of every command"));
    let listed = listed.filter_map(|line| line.split_whitespace().find(|word| word.starts_with("--")));
    let covered = OTHERS.iter().map(|args| args[0]).chain(["--yes", "--expect"]).collect::<BTreeSet<_>>();
    assert_eq!(listed.collect::<BTreeSet<_>>(), covered, "an option is missing in the table above");

    let switched_on = |run: crate::support::run::Dai| run.env("DAI_YES", "1").env("DAI_AGAIN", "1").stdin("yes\ny\n");
    let digest = widgets.digest(&[]);
    widgets.run(&["--expect", &digest]).run().exits(0);
    for others in OTHERS {
        let again = if others == ["--again"] { widgets.digest(&["--again"]) } else { digest.clone() };
        let code = switched_on(widgets.run(&["--expect", &again]).args(option(others))).run().code();
        let expected = match others[0] {
            "--head" => 2,
            "--base" | "--offline" => 7,
            _ => 0,
        };
        assert_eq!(code, expected, "{others:?}");
    }
    // All of them at once, and the digest from the environment as well.
    let all = OTHERS.iter().filter(|args| !["--head", "--base", "--offline", "--dry-run", "--help"].contains(&args[0]));
    let all: Vec<String> = all.flat_map(|args| option(args)).collect();
    let words: Vec<&str> = all.iter().map(String::as_str).collect();
    let digest = widgets.run(&words).run().exits(0).json()["digest"].as_str().expect("a digest").to_owned();
    let report = switched_on(widgets.run(&words).args(["--expect", &digest])).run().exits(0).json();
    assert_eq!((&report["mode"], &report["findings"][0]["status"]), (&json!("preview"), &json!("ready")));
    switched_on(widgets.run(&words).env("DAI_EXPECT", &digest)).run().exits(0);
    assert_eq!(widgets.forge.writes(), []);
    assert_eq!(widgets.stored(), (0, 0));
    widgets.run(&words).args(["--expect", &digest, "--yes"]).run().exits(0);
    assert_eq!(widgets.stored(), (1, 1), "the same command posts once it says so");
}

#[test]
fn c45_consent_in_the_environment_is_ignored_with_a_warning() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5)]);
    for name in ["DAI_YES", "DAI_AGAIN"] {
        let run = widgets.run(&["--format", "json"]).env(name, "1").run().exits(0);
        run.clone().says(&format!("{name} is ignored"));
        assert_eq!(run.json()["mode"], "preview");
        let codes: Vec<_> =
            run.json()["warnings"].as_array().expect("warnings").iter().map(|w| w["code"].clone()).collect();
        assert_eq!(codes, ["env_ignored"]);
    }
    assert_eq!(widgets.forge.writes(), []);
}

#[test]
fn a_prompt_never_replaces_yes() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5)]);
    let mut terminal = widgets.run(&[]).at_terminal();
    terminal.expect("nothing was posted");
    terminal.line("y").line("yes");
    assert_eq!(terminal.wait().0, 0);
    assert_eq!(widgets.forge.writes(), []);
}

#[test]
fn the_printed_command_posts_exactly_what_was_shown() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5), at("made.rs", 1)]);
    let args = ["--min-severity", "medium", "--max-comments", "1", "--strict", "--api-url", &widgets.forge.api_url()];
    let preview = widgets.run(&args).run().exits(0);
    let command = preview.out().lines().last().expect("a command").trim().to_owned();
    assert!(command.starts_with("dai forge review 22 ") && command.ends_with(" --yes"), "{command}");
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_dai")).parent().expect("a folder").display().to_string();
    // As a person would: pasted into a shell, without what only the environment of the preview said.
    let shell = Dai::program("/bin/sh", widgets.clone.path()).args(["-c", &format!("PATH={binary}:$PATH; {command}")]);
    let shell = shell.env("GH_ENTERPRISE_TOKEN", crate::widgets::TOKEN).env("HOME", widgets.clone.home());
    shell.run().exits(0);
    assert_eq!(widgets.places(), ["a.rs RIGHT 5"]);
}

#[test]
fn expect_goes_on_only_with_the_plan_that_was_shown() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5)]);
    let digest = widgets.digest(&[]);
    assert_eq!(digest, widgets.digest(&[]), "the same twice");
    for args in [&["--min-severity", "high"][..], &["--again"], &["--max-comments", "0"]] {
        assert_ne!(digest, widgets.digest(args), "{args:?}");
        let run = widgets.run(args).args(["--yes", "--expect", &digest, "--format", "json"]).run().exits(7);
        let report = run.json();
        assert!(report["findings"][0]["status"] != "posted", "{report:#}");
    }
    widgets.run(&["--expect", "0123456789abcdef"]).run().exits(7).says(&digest);
    assert_eq!(widgets.forge.writes(), []);
    widgets.run(&["--yes", "--expect", &digest]).run().exits(0);
    // What stands is looked at after the digest is taken.
    assert_eq!(widgets.digest(&[]), digest);
    widgets.run(&["--yes", "--expect", &digest]).run().exits(0);
    assert_eq!(widgets.stored(), (1, 1));
}

#[test]
fn the_digest_depends_on_what_is_posted_and_on_nothing_else() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5)]);
    let digest = widgets.digest(&[]);
    for args in [
        &["--strict"][..],
        &["--fail-on", "high"],
        &["--no-progress"],
        &["-v"],
        &["--color", "never"],
        &["--max-comments", "50"],
    ] {
        let report = widgets.run(args).args(["--format", "json"]).run().exits(0).json();
        assert_eq!(report["digest"], json!(digest), "{args:?}");
    }
    let other = Widgets::new();
    other.findings(&[at("a.rs", 5)]);
    assert_ne!(other.digest(&[]), digest, "another host: its port is another");
    widgets.findings(&[crate::local::with(at("a.rs", 5), json!({ "id": "f1" }))]);
    assert_eq!(widgets.digest(&[]), digest, "an id is not posted");
    widgets.findings(&[crate::local::with(at("a.rs", 5), json!({ "body": "Other words." }))]);
    assert_ne!(widgets.digest(&[]), digest);
    assert_eq!(fates(&widgets.run(&["--format", "json"]).run().json()), ["ready"]);
}

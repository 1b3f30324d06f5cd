//! c16: names that other tools trip over.

use serde_json::json;

use crate::bases::Lab;
use crate::local::{Local, at, fates, left, message, numbered, with};
use crate::support::github::GitHub;
use crate::widgets::Widgets;

const NAMES: [&str; 12] = [
    "with space.rs",
    "qu\"ote.rs",
    "tab\tin.rs",
    "a b/c b/d.rs",
    "한국어.rs",
    "año.rs",
    "an\u{303}o.rs",
    "trailing ",
    " leading",
    "-dash.rs",
    "star*[x]?.rs",
    "new\nline.rs",
];

/// One line changed in each of them.
fn named() -> Local {
    Local::of(
        |repo| {
            for name in NAMES {
                repo.write(name, numbered(12));
            }
        },
        |repo| {
            for name in NAMES {
                repo.write(name, numbered(12).replace("line 6\n", "changed\n"));
            }
        },
    )
}

#[test]
fn c16_names_of_every_kind_are_posted_as_they_are() {
    let findings = NAMES.map(|name| at(name, 6));
    let lab = Lab::of(&named().repo);
    assert_eq!(fates(&lab.report(&findings, &["--yes"])), ["posted"; NAMES.len()]);
    // They are posted in the order of the names.
    let mut sorted = NAMES;
    sorted.sort_unstable();
    let positions = lab.positions();
    let paths: Vec<_> = positions.iter().map(|position| position["new_path"].as_str().expect("a path")).collect();
    assert_eq!(paths, sorted);
    let widgets = Widgets::of(GitHub::start(), named().repo);
    widgets.findings(&findings);
    assert_eq!(fates(&widgets.run(&["--yes", "--format", "json"]).run().exits(0).json()), ["posted"; NAMES.len()]);
    assert_eq!(widgets.places(), sorted.map(|name| format!("{name} RIGHT 6")));
}

#[test]
fn c16_names_of_every_kind_are_exact() {
    let local = named();
    let report = local.report(&NAMES.map(|name| at(name, 6)));
    assert_eq!(fates(&report), ["ready"; NAMES.len()]);
    for (at, name) in NAMES.iter().enumerate() {
        assert_eq!(report["findings"][at]["path"], json!(name));
        assert_eq!(report["findings"][at]["anchored"], json!(["changed"]));
    }
    let near = ["with  space.rs", "trailing", "leading", "ano.rs", "starx.rs"];
    assert_eq!(fates(&local.report(&near.map(|name| at(name, 6)))), ["file_not_in_diff"; 5]);
}

#[test]
fn c16_names_of_every_kind_are_shown_on_one_line_each() {
    let local = Local::file("new\nline\u{202e}.rs", "a\n", "b\n");
    let text = local.preview(&[at("new\nline\u{202e}.rs", 1)]);
    assert!(text.out().contains("1. new\\nline\\u{202e}.rs:1 RIGHT"), "{text}");
}

#[test]
fn c16_a_renamed_name_is_exact_too() {
    let local = Local::of(
        |repo| {
            repo.write("Read me.md", numbered(30));
        },
        |repo| {
            repo.rename("Read me.md", "read \"me\".md")
                .write("read \"me\".md", numbered(30).replace("line 9\n", "nine\n"));
        },
    );
    let findings = [at("read \"me\".md", 9), left("Read me.md", 9), at("Read me.md", 9)];
    let report = local.report(&findings);
    assert_eq!(fates(&report), ["ready", "ready", "file_not_in_diff"]);
    assert_eq!(report["findings"][1]["old_path"], "Read me.md");
}

#[test]
fn c16_a_case_only_rename_keeps_both_names_apart() {
    let local = Local::of(
        |repo| {
            repo.write("Case.rs", numbered(30));
        },
        |repo| {
            repo.rename("Case.rs", "case.rs").write("case.rs", numbered(30).replace("line 9\n", "nine\n"));
        },
    );
    let report = local.report(&[at("case.rs", 9), at("Case.rs", 9), left("Case.rs", 9)]);
    assert_eq!(fates(&report), ["ready", "file_not_in_diff", "ready"]);
    assert!(message(&report, 1).contains("renamed to case.rs"), "{}", message(&report, 1));
}

#[test]
fn c16_a_name_that_is_not_utf8_cannot_be_told_to_a_forge() {
    let local = Local::of(
        |repo| {
            repo.write(b"caf\xe9.rs", "a\n").write("plain.rs", "a\n");
        },
        |repo| {
            repo.write(b"caf\xe9.rs", "b\n").write("plain.rs", "b\n");
        },
    );
    let report =
        local.report(&[at("caf\u{fffd}.rs", 1), at("caf\\351.rs", 1), at("\"caf\\351.rs\"", 1), at("plain.rs", 1)]);
    assert_eq!(fates(&report), ["path_not_utf8", "path_not_utf8", "path_not_utf8", "ready"]);
}

#[test]
fn c27_two_spellings_are_normalised_and_three_refused() {
    let local = Local::file("a/b.rs", "a\n", "b\n");
    let bodies = ["./a/b.rs", "a\\b.rs", "a/b.rs", ".//a/b.rs", "a/./b.rs"];
    let findings = bodies.map(|path| with(at(path, 1), json!({ "body": path })));
    let report = local.report(&findings[..3]);
    assert_eq!(fates(&report), ["ready"; 3]);
    assert_eq!(
        report["findings"].as_array().expect("findings").iter().map(|f| &f["path"]).collect::<Vec<_>>(),
        ["a/b.rs"; 3]
    );
    let run = local.dai(&json!({ "findings": [at("/a/../b", 1), at("../a", 1), at("a/../b.rs", 1)] })).run().exits(3);
    for pointer in ["/findings/0/path", "/findings/1/path", "/findings/2/path"] {
        assert!(run.err().contains(pointer), "{pointer}\n{run}");
    }
    assert_eq!(run.out(), "");
}

//! Every place of every kind of delta, held against git's own diff.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::local::{Local, at, fates, left, message, with};
use crate::support::diff::{Change, FileDiff, LineKind, between};
use crate::support::github::GitHub;
use crate::support::repo::Repo;
use crate::widgets::Widgets;

/// A change with a delta of every kind in it.
fn every_kind() -> Local {
    Local::of(
        |repo| {
            repo.write("mod.rs", of("mod", 40)).write("gone.rs", "x\ny\nz\n").write("old.rs", of("old", 40));
            repo.write("pure.rs", of("pure", 40)).write("mode.sh", "#!/bin/sh\n").write("both.sh", of("both", 40));
            repo.write("bin.dat", b"a\0b\nc\n").write("chopped", "a\nb").write("crlf", "a\r\nb\r\nc\r\n");
            repo.write("was-empty", "").write("emptied", "one\ntwo\n").write("turns-link", "file\nof\nlines\n");
            repo.symlink("was-link", "mod.rs").symlink("stays-link", "mod.rs").write("ends-context", "1\n2\n3\n\n");
            repo.write("drop.sql", format!("-- drop old\n{}-- drop older\n", of("sql", 40)));
            repo.write("far/away.rs", of("far", 40)).write("Case.rs", of("case", 40)).gitlink("sub", &"1".repeat(40));
        },
        |repo| {
            let mods = of("mod", 40).replace("mod 5\n", "five\nand a half\n").replace("mod 30\n", "");
            repo.write("mod.rs", mods).remove("gone.rs").rename("old.rs", "new.rs");
            repo.write("new.rs", of("old", 40).replace("old 10\n", "ten\n").replace("old 30\n", "30\n"));
            repo.rename("pure.rs", "pure2.rs").executable("mode.sh", true).executable("both.sh", true);
            repo.write("both.sh", of("both", 40).replace("both 1\n", "")).write("bin.dat", b"a\0b\nd\n");
            repo.write("new.bin", b"\0\0").write("chopped", "a\nb\n").write("new-empty", "");
            repo.write("crlf", "a\r\nB\r\nc\r\nlone\rcarriage\u{2028}x\u{c}y\n").write("was-empty", "no longer\n");
            repo.write("emptied", "")
                .symlink("turns-link", "mod.rs")
                .remove("was-link")
                .write("was-link", "now\na file\n");
            repo.symlink("stays-link", "crlf").write("drop.sql", format!("{}++ i\n-- kept\n", of("sql", 40)));
            repo.rename("far/away.rs", "near.rs").write("near.rs", of("far", 40).replace("far 20\n", "twenty\n"));
            repo.rename("Case.rs", "case.rs").write("case.rs", of("case", 40).replace("case 3\n", "three\n"));
            repo.write("made.rs", "one\ntwo\n").write("ends-context", "one\n2\n3\n\n").gitlink("sub", &"2".repeat(40));
        },
    )
}

/// Lines that no other file has, so that git pairs renames as they are meant.
fn of(word: &str, count: u32) -> String {
    (1..=count).map(|n| format!("{word} {n}\n")).collect()
}

fn diff(repo: &Repo) -> Vec<FileDiff> {
    let base = repo.merge_base("main", "topic");
    between(repo.path(), &base, "topic", 50, &[])
}

/// The text of the line that a forge takes a comment at, by git's diff: RIGHT by the new name, LEFT by either.
fn truth<'d>(diff: &'d [FileDiff], path: &str, side: &str, number: u32) -> Option<&'d [u8]> {
    diff.iter().filter(|file| file.has_text() && !file.binary).find_map(|file| {
        let named = match side {
            "RIGHT" => file.change != Change::Deleted && file.new_path == path.as_bytes(),
            _ => file.change != Change::Added && [&file.old_path, &file.new_path].contains(&&path.as_bytes().to_vec()),
        };
        let stands = |line: &&crate::support::diff::Line| match side {
            "RIGHT" => line.kind != LineKind::Deleted && line.new == number,
            _ => line.kind != LineKind::Added && line.old == number,
        };
        file.lines().filter(|_| named).find(stands).map(|line| line.text.as_slice())
    })
}

/// Every line of every path on both sides, a few beyond its end too.
fn everywhere(diff: &[FileDiff]) -> Vec<(String, &'static str, u32)> {
    let paths: BTreeSet<String> = diff.iter().flat_map(|file| [file.old_path_text(), file.new_path_text()]).collect();
    let lines = paths.iter().flat_map(|path| (1..=46).map(move |number| (path.clone(), number)));
    lines.flat_map(|(path, number)| [(path.clone(), "RIGHT", number), (path, "LEFT", number)]).collect()
}

fn finding(place: &(String, &'static str, u32)) -> Value {
    if place.1 == "LEFT" { left(&place.0, place.2) } else { at(&place.0, place.2) }
}

#[test]
fn every_place_of_every_delta_is_taken_exactly_where_git_shows_it() {
    let local = every_kind();
    let diff = diff(&local.repo);
    let places = everywhere(&diff);
    // Words of their own, so that none is a duplicate of one on the other side of a context line.
    let findings: Vec<Value> =
        places.iter().map(|place| with(finding(place), json!({ "body": format!("{place:?}") }))).collect();
    let report = local.report(&findings);
    let (mut taken, mut refused) = (0, 0);
    for (at, place) in places.iter().enumerate() {
        let line = truth(&diff, &place.0, place.1, place.2);
        let told = &report["findings"][at];
        if let Some(text) = line {
            taken += 1;
            assert_eq!(told["status"], "ready", "{place:?} {told:#}");
            let text = String::from_utf8_lossy(text);
            assert_eq!(told["anchored"], json!([text]), "{place:?}");
        } else {
            refused += 1;
            assert_eq!(told["status"], "rejected", "{place:?} {told:#}");
            assert!(told["reason"]["code"].is_string() && told["body"].is_null(), "{place:?} {told:#}");
        }
    }
    assert!(taken > 150 && refused > 1500, "{taken} {refused}");
}

#[test]
fn every_place_that_git_shows_is_taken_by_github() {
    let local = every_kind();
    let diff = diff(&local.repo);
    let mut places = everywhere(&diff);
    places.retain(|place| truth(&diff, &place.0, place.1, place.2).is_some());
    let findings: Vec<Value> =
        places.iter().map(|place| with(finding(place), json!({ "body": format!("{place:?}") }))).collect();
    let widgets = Widgets::of(GitHub::start(), local.repo);
    widgets.findings(&findings);
    let args = ["--yes", "--format", "json", "--max-comments", "1000"];
    let report = widgets.run(&args).run().exits(0).json();
    let held: Vec<_> = places.iter().zip(fates(&report)).filter(|(_, fate)| *fate != "posted").collect();
    assert_eq!(held, []);
    assert!(places.len() > 150, "{}", places.len());
    assert_eq!(widgets.stored().1, places.len());
}

#[test]
fn c18_the_users_configuration_changes_nothing() {
    let local = every_kind();
    let places = everywhere(&diff(&local.repo));
    let findings: Vec<Value> = places.iter().map(finding).collect();
    let plain = local.report(&findings);
    for (key, value) in [
        ("diff.noprefix", "true"),
        ("diff.mnemonicPrefix", "true"),
        ("diff.context", "10"),
        ("diff.interHunkContext", "20"),
        ("diff.algorithm", "histogram"),
        ("diff.indentHeuristic", "false"),
        ("diff.renames", "copies"),
        ("diff.renameLimit", "1"),
        ("diff.external", "false"),
        ("diff.orderFile", "/nonexistent"),
        ("diff.suppressBlankEmpty", "true"),
        ("diff.ignoreSubmodules", "all"),
        ("core.quotePath", "false"),
        ("core.attributesFile", "/nonexistent"),
        ("core.autocrlf", "true"),
        ("core.ignoreCase", "true"),
        ("color.ui", "always"),
        ("core.pager", "false"),
    ] {
        local.repo.user_config(key, value);
    }
    local.repo.write(".git/info/attributes", "* -diff\n");
    assert_eq!(local.report(&findings), plain);
    local.repo.config("diff.renames", "false").config("diff.context", "0");
    assert_eq!(local.report(&findings), plain);
    let environment = [("GIT_EXTERNAL_DIFF", "false"), ("GIT_DIFF_OPTS", "-u0"), ("GIT_CONFIG_COUNT", "0")];
    let run = local.dai(&json!({ "findings": findings })).args(["--format", "json"]);
    let run = environment.into_iter().fold(run, |run, (name, value)| run.env(name, value));
    assert_eq!(run.run().exits(0).json(), plain);
}

#[test]
fn c12_a_deleted_file_has_every_line_on_left_and_says_so_on_right() {
    let report = every_kind().report(&[left("gone.rs", 1), left("gone.rs", 3), at("gone.rs", 1), left("gone.rs", 4)]);
    assert_eq!(fates(&report), ["ready", "ready", "wrong_side", "line_not_in_diff"]);
    assert!(message(&report, 2).contains("the file is deleted: every line is on LEFT"), "{}", message(&report, 2));
    assert_eq!(report["findings"][2]["proposal"]["side"], "LEFT");
}

#[test]
fn c13_a_new_file_has_lines_on_right_only() {
    let report = every_kind().report(&[at("made.rs", 1), at("made.rs", 2), left("made.rs", 1), at("made.rs", 3)]);
    assert_eq!(fates(&report), ["ready", "ready", "wrong_side", "line_not_in_diff"]);
    assert!(message(&report, 2).contains("the file is new: every line is on RIGHT"), "{}", message(&report, 2));
}

#[test]
fn c14_a_renamed_file_goes_by_the_new_name_and_on_left_by_either() {
    let findings = [left("old.rs", 10), left("new.rs", 10), at("new.rs", 10), at("old.rs", 10), at("far/away.rs", 20)];
    let bodies = findings.into_iter().zip(["a", "b", "c", "d", "e"]);
    let findings: Vec<_> = bodies.map(|(f, body)| with(f, json!({ "body": body }))).collect();
    let report = every_kind().report(&findings);
    assert_eq!(fates(&report), ["ready", "ready", "ready", "file_not_in_diff", "file_not_in_diff"]);
    for (finding, path) in [(0, "new.rs"), (1, "new.rs"), (2, "new.rs")] {
        let told = &report["findings"][finding];
        assert_eq!((&told["path"], &told["old_path"]), (&json!(path), &json!("old.rs")));
    }
    assert!(message(&report, 3).contains("old.rs is renamed to new.rs"), "{}", message(&report, 3));
    assert_eq!(report["findings"][3]["proposal"]["path"], "new.rs");
    assert!(message(&report, 4).contains("renamed to near.rs"), "{}", message(&report, 4));
}

#[test]
fn c15_what_has_no_line_has_a_reason_of_its_own() {
    let paths = ["pure2.rs", "mode.sh", "bin.dat", "new.bin", "sub", "stays-link", "new-empty", "nowhere.rs", "far"];
    let findings: Vec<_> = paths.iter().map(|path| at(path, 1)).collect();
    let report = every_kind().report(&findings);
    let told: Vec<_> = paths.iter().zip(fates(&report)).collect();
    let expected = [
        "no_text_diff",
        "no_text_diff",
        "binary_file",
        "binary_file",
        "no_text_diff",
        "no_text_diff",
        "no_text_diff",
        "file_not_in_diff",
        "file_not_in_diff",
    ];
    assert_eq!(told, paths.iter().zip(expected).collect::<Vec<_>>());
    let messages: Vec<_> = (0..paths.len()).map(|at| message(&report, at)).collect();
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn c20_a_file_that_becomes_a_symlink_has_its_old_lines_and_no_new_one() {
    let findings = [left("turns-link", 2), at("turns-link", 1), at("was-link", 2), left("was-link", 1)];
    let report = every_kind().report(&findings);
    assert_eq!(fates(&report), ["ready", "no_text_diff", "ready", "no_text_diff"]);
    assert_eq!(report["findings"][0]["anchored"], json!(["of"]));
}

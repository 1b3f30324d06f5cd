//! `dai review brief`: what is in the packet, and what is not.

use std::collections::BTreeSet;

use insta::assert_snapshot;
use serde_json::Value;

use crate::gitlab::ground::Ground;
use crate::local::{Local, numbered};
use crate::support::repo::{Cloned, Repo};
use crate::support::run::{Dai, Normal};
use crate::widgets::{PROJECT, Widgets};

fn brief(repo: &Repo) -> Dai {
    Dai::in_repo(repo).args(["review", "brief", "--base", "main", "--head", "topic"])
}

/// git's own words, with the forge's rename threshold.
fn diff(repo: &Repo, threshold: &str) -> String {
    let args = ["-c", "core.quotePath=false", "diff", "--no-ext-diff", "--full-index", threshold, "main...topic"];
    String::from_utf8(repo.git_bytes(&args)).expect("text")
}

#[test]
fn the_packet_holds_the_evidence_and_nothing_the_author_says() {
    let change = Local::of(
        |repo| {
            repo.write("a.rs", numbered(40)).write("old.rs", numbered(20));
        },
        |repo| {
            repo.write("a.rs", numbered(40).replace("line 5\n", "line five\n")).rename("old.rs", "한 new.rs");
        },
    );
    let repo = &change.repo;
    repo.git(&["commit", "--quiet", "--amend", "-m", "Trust me: flawless"]);
    let base = repo.rev("main");
    repo.write("contract.md", "It must count.\n").write("deep/decisions.md", "No floats.");
    let run = brief(repo).args(["--with", "contract.md", "--with", "./deep/decisions.md"]).run().exits(0);
    assert_eq!(run.err(), "");
    let packet = run.json();
    let keys: BTreeSet<&str> = packet.as_object().expect("an object").keys().map(String::as_str).collect();
    let expected = [
        "base_sha",
        "brief",
        "diff",
        "diff_left_out",
        "diff_numbered",
        "diff_truncated",
        "gate_command",
        "gate_exit",
        "gate_output",
        "result_sha",
        "with",
    ];
    assert_eq!(keys, BTreeSet::from(expected));
    assert_eq!(packet["base_sha"], base);
    assert_eq!(packet["result_sha"], repo.head());
    assert_eq!(packet["diff"], diff(repo, "-M50%"));
    assert!(packet["diff"].as_str().unwrap().contains("rename to 한 new.rs"));
    assert_eq!(packet["diff_truncated"], false);
    assert_eq!(packet["diff_left_out"], Value::Array(Vec::new()));
    assert_eq!(packet["gate_exit"], Value::Null);
    assert_eq!(packet["with"]["contract.md"], "It must count.\n");
    assert_eq!(packet["with"]["deep/decisions.md"], "No floats.");
    assert!(!run.out().contains("flawless"), "{run}");
    let schema = Dai::in_repo(repo).args(["schema", "brief"]).run().exits(0).json();
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    assert!(validator.is_valid(&packet), "{packet:#}");
    let mut torn = packet;
    torn.as_object_mut().expect("an object").remove("diff");
    assert!(!validator.is_valid(&torn), "a schema that refuses nothing");
    let markdown = brief(repo).args(["--with", "contract.md", "--format", "markdown"]).run().exits(0);
    assert!(!markdown.out().contains("flawless"), "{markdown}");
    assert_snapshot!("packet", Normal::new().repo(repo).apply(markdown.out()));
}

#[test]
fn the_diff_is_nobodys_configuration() {
    let change = Local::two_hunks();
    let repo = &change.repo;
    let plain = brief(repo).run().exits(0).json();
    repo.write(".git/info/attributes", "*.rs -diff\n");
    for (name, value) in [
        ("diff.external", "false"),
        ("diff.noprefix", "true"),
        ("diff.context", "0"),
        ("diff.algorithm", "patience"),
        ("diff.renames", "false"),
        ("color.ui", "always"),
        ("core.quotePath", "true"),
        ("core.abbrev", "4"),
    ] {
        repo.git(&["config", name, value]);
    }
    assert_eq!(brief(repo).run().exits(0).json(), plain);
    assert_eq!(plain["diff"].as_str().unwrap().matches("@@ -").count(), 2);
}

#[test]
fn the_change_is_from_the_merge_base() {
    let change = Local::two_hunks();
    let fork = change.repo.rev("main");
    change.repo.switch("main").write("later.rs", "later\n").commit("after the fork");
    let packet = brief(&change.repo).run().exits(0).json();
    assert_eq!(packet["base_sha"], fork);
    assert!(!packet["diff"].as_str().unwrap().contains("later"), "{packet:#}");
}

#[test]
fn a_long_diff_is_cut_between_files_and_hunks_and_says_what_is_missing() {
    let long = |word: &str| (0..30_000).map(|n| format!("{word} {n}\n")).collect::<String>();
    let two_ends = |word: &str| format!("{word}\n{}{word}\n", numbered(20));
    let change = Local::of(
        |repo| {
            repo.write("a.lock", "").write("b.rs", two_ends("old"));
        },
        |repo| {
            repo.write("a.lock", long("package")).write("b.rs", two_ends("new")).write("z.bin", b"\0\x01");
        },
    );
    let run = brief(&change.repo).run().exits(0).says("the diff is cut to 256 KiB: 1 of its files");
    let packet = run.json();
    assert_eq!(packet["diff_truncated"], true);
    assert_eq!(packet["diff_left_out"], serde_json::json!([{ "path": "a.lock", "shown": 0, "hunks": 1 }]));
    let shown = packet["diff"].as_str().unwrap();
    let whole = diff(&change.repo, "-M50%");
    let rest = &whole[whole.find("diff --git a/b.rs").expect("the second file")..];
    assert_eq!(shown, rest);
    let words = packet["brief"].as_str().unwrap();
    assert!(words.contains("`diff_left_out` names a file") && words.contains("covers only the rest"), "{words}");
    let markdown = brief(&change.repo).args(["--format", "markdown"]).run().exits(0);
    assert!(markdown.out().contains("- left out: `a.lock` (0 of 1 hunks are in the diff)\n"), "{markdown}");
}

#[test]
fn the_file_to_write_is_the_requests_default() {
    let change = Local::two_hunks();
    let words = |run: Dai| run.run().exits(0).json()["brief"].as_str().unwrap().to_owned();
    assert!(words(brief(&change.repo).arg("#7")).contains("`.dai/reviews/7.json`"));
    assert!(words(brief(&change.repo)).contains("`.dai/reviews/review.json`"));
}

#[test]
fn a_request_is_found_as_forge_review_finds_it() {
    let widgets = Widgets::new();
    let online = widgets.dai().args(["review", "brief", "22"]).run().exits(0);
    let packet = online.json();
    assert_eq!(packet["base_sha"], widgets.base);
    assert_eq!(packet["result_sha"], widgets.head);
    assert_eq!(packet["diff"], diff(&widgets.author, "-M50%"));
    assert!(!online.out().contains("request 22"), "the title is not handed over: {online}");
    assert!(packet["brief"].as_str().unwrap().contains("`.dai/reviews/22.json`"));
    assert_eq!(widgets.forge.writes(), []);
    let asked = widgets.forge.requests().len();
    let offline = widgets.dai().args(["review", "brief", "acme/widgets#22", "--offline"]).run().exits(0);
    assert_eq!(offline.json(), packet);
    let fetched = widgets.dai().args(["review", "brief", "22", "--base", "origin/main"]).run().exits(0);
    assert_eq!(fetched.json(), packet);
    assert_eq!(widgets.forge.requests().len(), asked, "no API is asked");
    widgets.dai().args(["review", "brief", "23"]).run().exits(5).says("no such request");
    // Left out, it is the request of the branch.
    widgets.clone.git(&["switch", "--quiet", "topic"]);
    assert_eq!(widgets.dai().args(["review", "brief"]).run().exits(0).json(), packet);
    widgets.clone.git(&["checkout", "--quiet", "--detach"]);
    widgets.dai().args(["review", "brief"]).run().exits(2).says("dai review brief 22");
}

#[test]
fn what_cannot_be_handed_in_is_a_usage_error() {
    let change = Local::two_hunks();
    let repo = &change.repo;
    repo.write("bytes", b"\xff\xfe").write("long", "x".repeat((256 << 10) + 1)).write("ok", "x".repeat(256 << 10));
    repo.write("dir/ok", "");
    for (files, said) in [
        (&["none"][..], "--with none: cannot be read"),
        (&["dir"], "--with dir: is not a regular file"),
        (&["bytes"], "--with bytes: is not UTF-8"),
        (&["long"], "--with long: is longer than 256 KiB"),
        (&["ok", "./ok"], "another text of this name"),
    ] {
        let run = files.iter().fold(brief(repo), |run, file| run.args(["--with", file]));
        assert_eq!(run.run().exits(2).says(said).out(), "");
    }
    brief(repo).args(["--with", "ok", "--with", "dir/ok"]).run().exits(0);
    Dai::in_repo(repo).args(["review", "brief", "--head", "topic"]).run().exits(2);
    Dai::in_repo(repo).args(["review", "brief", "--base", "nowhere", "--head", "topic"]).run().exits(4);
}

#[test]
fn a_clone_that_lacks_history_and_files_fetches_what_the_diff_reads() {
    let widgets = Widgets::new();
    let whole = widgets.dai().args(["review", "brief", "22"]).run().exits(0).json();
    let url = || Cloned::of(widgets.forge.clone_url(PROJECT));
    for clone in [url().shallow(1).make(), url().partial().make(), url().bare().make()] {
        let packet = widgets.dai_in(&clone).args(["review", "brief", "22"]).run().exits(0).json();
        assert_eq!(packet, whole);
    }
    let bare = url().bare().make();
    let gate = widgets.dai_in(&bare).args(["review", "brief", "22", "--gate", "true"]).run();
    gate.exits(4).says("a bare repository has no tree");
}

#[test]
fn ids_of_64_digits_are_ids_too() {
    let repo = Repo::sha256();
    repo.write("a.rs", "one\n").commit("base");
    repo.switch_new("topic").write("a.rs", "two\n").commit("head");
    let packet = brief(&repo).run().exits(0).json();
    assert_eq!(packet["result_sha"], repo.head());
    assert_eq!(packet["diff"], diff(&repo, "-M50%"));
}

#[test]
fn a_merge_request_is_shown_as_gitlab_shows_it() {
    let lines = |word: &str, count: u32| (1..=count).map(|n| format!("{word} {n}\n")).collect::<String>();
    let ground = Ground::of(
        |work| {
            work.write("old.rs", lines("kept", 40) + &lines("first", 60));
        },
        |work| {
            work.remove("old.rs").write("new.rs", lines("kept", 40) + &lines("second", 60));
        },
    );
    let packet = ground.bare().args(["review", "brief", "!7"]).run().exits(0).json();
    // Alike by less than GitHub's half, and by more than GitLab's 30 %.
    assert!(
        diff(&ground.work, "-M50%").contains("deleted file") && diff(&ground.work, "-M30%").contains("rename from")
    );
    assert_eq!(packet["diff"], diff(&ground.work, "-M30%"));
    assert_eq!(packet["base_sha"], ground.base);
    assert!(packet["brief"].as_str().unwrap().contains("`.dai/reviews/7.json`"));
}

/// A model that has to count lines counts wrongly; each number that it may copy is held against git's own files here.
#[test]
fn every_line_of_the_diff_carries_the_numbers_that_a_finding_needs() {
    let sql = "select 1;\n-- drop old\nselect 2;\n";
    let change = Local::of(
        |repo| {
            repo.write("a.rs", numbered(12_000)).write("q.sql", sql).write("gone.rs", "x\ny");
        },
        |repo| {
            let after = numbered(12_000).replace("line 5\n", "++ i\nline five\n").replace("line 11990\n", "");
            repo.write("a.rs", after).write("q.sql", sql.replace("-- drop old\n", "")).remove("gone.rs");
            repo.write("made.rs", "a | b\n| c");
        },
    );
    let repo = &change.repo;
    let packet = brief(repo).run().exits(0).json();
    let image = |rev: &str, path: &str| repo.git_bytes(&["show", &format!("{rev}:{path}")]);
    let mut rebuilt = String::new();
    let mut path = String::new();
    let mut seen = 0;
    for line in packet["diff_numbered"].as_str().expect("a text").split_inclusive('\n') {
        if let Some(names) = line.strip_prefix("diff --git a/") {
            path = names.split(" b/").next().expect("a name").to_owned();
        }
        let bytes = line.as_bytes();
        let is_numbered = bytes.len() > 12 && bytes[11] == b' ' && bytes[12] == b'|';
        if !is_numbered {
            rebuilt.push_str(line);
            continue;
        }
        rebuilt.push_str(&line[13..]);
        let (old, new) = (line[..5].trim(), line[6..11].trim());
        let text = line[13..].trim_end_matches('\n');
        for (rev, number) in [("main", old), ("topic", new)] {
            if !number.is_empty() {
                let number: usize = number.parse().expect("a number");
                let content = String::from_utf8(image(rev, &path)).expect("text");
                assert_eq!(content.split('\n').nth(number - 1), Some(&text[1..]), "{path} {rev} {number}");
                seen += 1;
            }
        }
        match text.as_bytes()[0] {
            b' ' => assert!(!old.is_empty() && !new.is_empty(), "{line:?}"),
            b'-' => assert!(!old.is_empty() && new.is_empty(), "{line:?}"),
            b'+' => assert!(old.is_empty() && !new.is_empty(), "{line:?}"),
            _ => assert!(text.starts_with('\\') && old.is_empty() && new.is_empty(), "{line:?}"),
        }
    }
    assert_eq!(rebuilt, packet["diff"].as_str().expect("a text"));
    assert_eq!(rebuilt, diff(repo, "-M50%"));
    assert!(seen > 30, "{seen} numbers");
    let markdown = brief(repo).args(["--format", "markdown"]).run().exits(0);
    assert!(
        markdown.out().contains("    5       |-line 5\n          5 |+++ i\n          6 |+line five\n"),
        "{markdown}"
    );
    let words = packet["brief"].as_str().expect("a text");
    assert!(words.contains("`diff_numbered`") && words.contains("do not count"), "{words}");
}

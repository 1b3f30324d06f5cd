//! Which fault is told first: usage 2, repository 4, file 3, token and request 8 or 5, commits 4, stale 7.

use serde_json::json;

use crate::local::at;
use crate::support::repo::{Repo, Scratch};
use crate::support::run::Dai;
use crate::widgets::{TOKEN, Widgets};

#[test]
fn usage_comes_before_the_repository() {
    let nowhere = Scratch::new();
    let run = |args: &[&str]| Dai::at(nowhere.path()).args(["forge", "review"]).args(args.iter().copied()).run();
    run(&["22", "--min-severity", "huge"]).exits(2);
    run(&["--head", "x"]).exits(2);
    run(&["not a ref"]).exits(2);
    run(&["22"]).exits(4).says("no git repository").says("-C");
}

#[test]
fn the_repository_comes_before_the_file() {
    let nowhere = Scratch::new();
    let run = Dai::at(nowhere.path()).args(["forge", "review", "22", "--from", "missing.json"]).run().exits(4);
    assert_eq!(run.out(), "");
}

#[test]
fn the_file_comes_before_the_token_and_the_request() {
    let widgets = Widgets::new();
    widgets.run(&[]).env_remove("GH_ENTERPRISE_TOKEN").run().exits(3);
    widgets.run(&["--yes"]).env_remove("GH_ENTERPRISE_TOKEN").run().exits(3);
    assert_eq!(widgets.forge.requests(), [], "nothing is asked for a file that is not there");
    widgets.clone.write(".dai/reviews/22.json", "{");
    widgets.run(&["--yes"]).run().exits(3);
    assert_eq!(widgets.forge.requests(), []);
}

#[test]
fn the_token_comes_before_the_commits() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5)]);
    widgets.clone.git(&["remote", "set-url", "origin", &widgets.forge.clone_url("acme/widgets")]);
    let run = widgets.run(&["--yes"]).env_remove("GH_ENTERPRISE_TOKEN").run().exits(8);
    run.says("GH_ENTERPRISE_TOKEN");
    assert_eq!(widgets.forge.requests(), []);
    widgets.run(&[]).env("GH_ENTERPRISE_TOKEN", "wrong").run().exits(8).says("GH_ENTERPRISE_TOKEN");
}

#[test]
fn the_request_comes_before_the_commits_and_stale_comes_last() {
    let widgets = Widgets::new();
    widgets.review(&json!({ "head": "1".repeat(40), "findings": [at("a.rs", 5)] }));
    widgets.clone.write(".dai/reviews/23.json", json!({ "findings": [] }).to_string());
    let run = widgets.dai().args(["forge", "review", "23", "--yes"]).run().exits(5);
    assert_eq!(run.out(), "");
    widgets.run(&["--yes"]).run().exits(7);
    assert_eq!(widgets.forge.writes(), []);
}

#[test]
fn commits_that_cannot_be_fetched_are_4() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5)]);
    // The API takes the token; git has none for a private project.
    widgets.forge.stage.project("acme/widgets", |project| project.private = true);
    let bare = Repo::new();
    bare.write("x", "1\n").commit("another history");
    bare.remote("origin", &widgets.forge.clone_url("acme/widgets"));
    bare.write(".dai/reviews/22.json", json!({ "findings": [at("a.rs", 5)] }).to_string());
    for args in [&[][..], &["--yes"]] {
        let run = widgets.dai_in(&bare).args(["forge", "review", "22"]).args(args.iter().copied()).run().exits(4);
        assert!(!run.err().contains(TOKEN), "{run}");
        assert_eq!(run.out(), "");
        run.says("git fetch");
    }
    assert_eq!(widgets.forge.writes(), []);
}

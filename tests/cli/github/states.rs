//! c47: requests in every state, and what a forge refuses.

use crate::local::{at, fates};
use crate::support::github::{HeadRepo, PullState, User};
use crate::widgets::{PROJECT, Widgets};

fn codes(report: &serde_json::Value) -> Vec<&str> {
    report["warnings"].as_array().expect("warnings").iter().map(|w| w["code"].as_str().expect("a code")).collect()
}

fn ready() -> Widgets {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5)]);
    widgets
}

#[test]
fn c47_a_merged_request_is_posted_to_with_a_warning() {
    let widgets = ready();
    widgets.forge.stage.merge(22);
    let preview = widgets.run(&["--format", "json"]).run().exits(0).json();
    assert_eq!((preview["state"].as_str(), codes(&preview)), (Some("merged"), vec!["merged"]));
    assert_eq!(fates(&preview), ["ready"]);
    let posted = widgets.run(&["--yes", "--format", "json"]).run().exits(0).json();
    assert_eq!(fates(&posted), ["posted"]);
}

#[test]
fn c47_a_closed_request_is_posted_to_with_a_warning() {
    let widgets = ready();
    widgets.forge.stage.pull(22, |pull| pull.state = PullState::Closed);
    let posted = widgets.run(&["--yes", "--format", "json"]).run().exits(0).json();
    assert_eq!((posted["state"].as_str(), codes(&posted)), (Some("closed"), vec!["closed"]));
    assert_eq!(widgets.stored(), (1, 1));
}

#[test]
fn c47_a_draft_and_an_own_request_are_like_any_other() {
    let widgets = ready();
    widgets.forge.stage.pull(22, |pull| {
        pull.draft = true;
        pull.author = User::person("ann");
    });
    let preview = widgets.run(&[]).run().exits(0);
    assert!(preview.out().contains("open, draft"), "{preview}");
    let posted = widgets.run(&["--yes", "--format", "json"]).run().exits(0).json();
    assert_eq!((posted["draft"].as_bool(), codes(&posted)), (Some(true), vec![]));
    assert_eq!(widgets.stored(), (1, 1));
}

#[test]
fn c47_a_request_of_a_deleted_fork_is_like_any_other() {
    let widgets = ready();
    widgets.forge.stage.pull(22, |pull| pull.head.repo = HeadRepo::Deleted("bob".to_owned()));
    widgets.forge.upstream(PROJECT).delete_branch("topic");
    let posted = widgets.run(&["--yes", "--format", "json"]).run().exits(0).json();
    assert_eq!((fates(&posted), codes(&posted)), (vec!["posted"], vec![]));
}

#[test]
fn a_locked_conversation_and_an_archived_project_are_5() {
    for status in [403, 422] {
        let widgets = ready();
        widgets.forge.stage.pull(22, |pull| pull.locked = Some(status));
        widgets.run(&[]).run().exits(0);
        widgets.run(&["--yes"]).run().exits(5).says("locked");
        widgets.run(&[]).run().exits(0).says("warning: the conversation is locked");
        assert_eq!(widgets.stored(), (0, 0));
    }
    let widgets = ready();
    let archive = |is: bool| widgets.forge.stage.project(PROJECT, |project| project.archived = is);
    archive(true);
    widgets.run(&["--yes"]).run().exits(5).says("archived");
    let preview = widgets.run(&["--format", "json"]).run().exits(0);
    assert_eq!((codes(&preview.json()), fates(&preview.json())), (vec!["archived"], vec!["ready"]));
    preview.says("warning: the project is archived and so read-only, which stands in the way of a post");
    assert_eq!(widgets.stored(), (0, 0));
    // Where there is nothing to write, nothing stands in the way.
    archive(false);
    widgets.run(&["--yes"]).run().exits(0);
    archive(true);
    let report = widgets.run(&["--format", "json"]).run().exits(0).json();
    assert_eq!((codes(&report), fates(&report)), (vec![], vec!["already_posted"]));
}

#[test]
fn a_request_that_is_not_there_is_5_and_a_project_that_is_not_8() {
    let widgets = ready();
    widgets.clone.write(".dai/reviews/99.json", "{\"findings\":[]}");
    widgets.dai().args(["forge", "review", "99"]).run().exits(5).says("no such request");
    widgets.clone.git(&["remote", "set-url", "origin", &widgets.forge.clone_url("acme/gone")]);
    widgets.run(&[]).run().exits(8).says("404");
}

#[test]
fn a_forge_that_cannot_be_reached_is_5() {
    let widgets = ready();
    widgets.forge.stop();
    for args in [&[][..], &["--yes"]] {
        let run = widgets.run(args).run().exits(5);
        assert_eq!(run.out(), "");
    }
}

#[test]
fn the_base_moving_on_changes_nothing() {
    let widgets = ready();
    let digest = widgets.digest(&[]);
    widgets.author.switch("main").write("a.rs", "all new\n").commit("main moves on");
    widgets.forge.upstream(PROJECT).push(&widgets.author, &["main"]);
    assert_eq!(widgets.digest(&[]), digest);
    widgets.run(&["--yes"]).run().exits(0);
    assert_eq!(widgets.places(), ["a.rs RIGHT 5"]);
}

#[test]
fn c51_a_forks_clone_finds_the_target_by_its_upstream() {
    let widgets = ready();
    let forge = &widgets.forge;
    forge.upstream("ann/widgets").push(&widgets.author, &["main", "topic"]);
    widgets.clone.git(&["remote", "set-url", "origin", &forge.clone_url("ann/widgets")]);
    widgets.clone.remote("upstream", &forge.clone_url(PROJECT));
    for args in [
        &["acme/widgets#22"][..],
        &["22", "--remote", "upstream"],
        &["22", "-R", "acme/widgets"],
        &[&forge.page_url(PROJECT, 22)],
    ] {
        let run = widgets.dai().args(["forge", "review"]).args(args.iter().copied());
        let report = run.args(["--from", ".dai/reviews/22.json", "--format", "json"]).run().exits(0).json();
        assert_eq!(report["project"], PROJECT, "{args:?}");
    }
    let run = widgets.dai().args(["forge", "review", "other/project#22"]).run().exits(2).says("other/project");
    assert_eq!(run.out(), "");
    widgets.dai().args(["forge", "review", "22"]).run().exits(2).says("ann/widgets").says("acme/widgets");
    widgets.clone.config("remote.upstream.gh-resolved", "base");
    let report = widgets.run(&["--format", "json"]).run().exits(0).json();
    assert_eq!(report["project"], PROJECT);
}

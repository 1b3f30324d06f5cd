//! A step of a GitHub Actions job: REF left out, the event's file, the run's own token.

use std::fs;

use serde_json::{Value, json};

use crate::local::{at, fates};
use crate::support::github::Account;
use crate::support::run::Dai;
use crate::widgets::{PROJECT, Widgets};

const RUNS_TOKEN: &str = "ghs_0123456789abcdefghijABCDEFGHIJ0123";

/// What a job for this event has in its environment.
fn job(widgets: &Widgets, event: &Value, git_ref: &str) -> Dai {
    named(widgets, "pull_request", event, git_ref)
}

fn named(widgets: &Widgets, name: &str, event: &Value, git_ref: &str) -> Dai {
    let path = widgets.clone.home().join("event.json");
    fs::write(&path, event.to_string()).expect("the event");
    let run = Dai::in_repo(&widgets.clone).args(["forge", "review"]).env("DAI_FORMAT", "json");
    let run = run.env("CI", "true").env("GITHUB_ACTIONS", "true").env("GITHUB_REPOSITORY", PROJECT);
    let run = run.env("GITHUB_EVENT_NAME", name);
    let run = run.env("GITHUB_SERVER_URL", widgets.forge.origin()).env("GITHUB_API_URL", widgets.forge.api_url());
    run.env("GITHUB_EVENT_PATH", path).env("GITHUB_REF", git_ref).env("GITHUB_TOKEN", RUNS_TOKEN)
}

fn ready() -> Widgets {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5)]);
    widgets.forge.stage.account(RUNS_TOKEN, Account::actions());
    widgets
}

#[test]
fn the_event_names_the_request_and_the_runs_token_posts() {
    let widgets = ready();
    let merge = widgets.forge.stage.test_merge(22);
    widgets.clone.git(&["fetch", "--quiet", "origin", &merge]);
    widgets.clone.switch(&merge);
    let event = json!({ "action": "synchronize", "number": 22, "pull_request": { "number": 22 } });
    let preview = job(&widgets, &event, "refs/pull/22/merge").run().exits(0).json();
    assert_eq!((&preview["number"], fates(&preview)), (&json!(22), vec!["ready"]));
    job(&widgets, &event, "refs/pull/22/merge").arg("--yes").run().exits(0);
    let again = job(&widgets, &event, "refs/pull/22/merge").arg("--yes").run().exits(0).json();
    assert_eq!((fates(&again), widgets.stored()), (vec!["already_posted"], (1, 1)));
    let user = widgets.forge.stage.pull(22, |pull| pull.reviews[0].user.login.clone());
    assert_eq!(user, "github-actions[bot]");
}

#[test]
fn a_comment_on_the_request_names_it_too() {
    let widgets = ready();
    let event =
        json!({ "action": "created", "issue": { "number": 22, "pull_request": { "url": "…" } }, "comment": {} });
    let report = named(&widgets, "issue_comment", &event, "refs/heads/main").run().exits(0).json();
    assert_eq!(report["number"], 22);
}

#[test]
fn a_ref_of_the_request_does_where_there_is_no_event() {
    let widgets = ready();
    let run = job(&widgets, &json!({}), "refs/pull/22/merge").env_remove("GITHUB_EVENT_PATH");
    assert_eq!(run.run().exits(0).json()["number"], 22);
}

#[test]
fn what_is_typed_beats_the_event() {
    let widgets = ready();
    let event = json!({ "pull_request": { "number": 7 } });
    let report = job(&widgets, &event, "refs/pull/7/merge").arg("22").run().exits(0).json();
    assert_eq!(report["number"], 22);
}

#[test]
fn a_job_of_a_push_on_a_detached_head_is_2_and_says_why() {
    let widgets = ready();
    widgets.clone.git(&["checkout", "--quiet", "--detach"]);
    let event = json!({ "after": widgets.head, "ref": "refs/heads/main" });
    let run = named(&widgets, "push", &event, "refs/heads/main").run().exits(2).says("runs for a push");
    assert_eq!(run.out(), "");
    let run = job(&widgets, &json!({}), "refs/heads/main").env("GITHUB_EVENT_PATH", "/nonexistent/event.json");
    run.run().exits(2).says("GITHUB_EVENT_PATH");
    assert_eq!(widgets.forge.requests(), []);
}

#[test]
fn a_job_of_a_push_finds_the_request_of_its_branch() {
    let widgets = ready();
    widgets.clone.git(&["switch", "--quiet", "topic"]);
    let event = json!({ "after": widgets.head, "ref": "refs/heads/topic" });
    let report = named(&widgets, "push", &event, "refs/heads/topic").run().exits(0).json();
    assert_eq!(report["number"], 22);
}

/// The branch that is checked out has an open request, #22, and a review of #22 lies at its place.
#[test]
fn c61_the_request_is_the_events_own_or_none() {
    let widgets = ready();
    widgets.clone.git(&["switch", "--quiet", "topic"]);
    let topic = "refs/heads/topic";
    for (name, event) in [
        ("workflow_run", json!({ "workflow_run": { "head_branch": "topic", "pull_requests": [] } })),
        ("workflow_run", json!({ "workflow_run": { "pull_requests": [{ "number": 22 }, { "number": 30 }] } })),
        ("check_suite", json!({ "check_suite": { "head_branch": "topic", "pull_requests": [] } })),
        ("schedule", json!({ "schedule": "0 0 * * *" })),
        ("workflow_dispatch", json!({ "ref": topic, "inputs": { "pull_request": "22" } })),
        ("merge_group", json!({ "merge_group": { "head_ref": "refs/heads/gh-readonly-queue/main/x" } })),
        ("issue_comment", json!({ "issue": { "number": 22 }, "comment": {} })),
    ] {
        let run = named(&widgets, name, &event, topic).arg("--yes").run().exits(2);
        let run = run.says(&format!("`{name}`")).says("dai forge review REF");
        assert_eq!(run.out(), "", "{name}");
    }
    assert_eq!(widgets.forge.requests(), []);
    let queue = format!("refs/heads/gh-readonly-queue/main/pr-22-{}", widgets.head);
    for (name, event) in [
        ("workflow_run", json!({ "workflow_run": { "pull_requests": [{ "number": 22 }] } })),
        ("check_suite", json!({ "check_suite": { "pull_requests": [{ "number": 22 }] } })),
        ("merge_group", json!({ "merge_group": { "head_ref": queue } })),
    ] {
        widgets.clone.git(&["checkout", "--quiet", "--detach"]);
        let report = named(&widgets, name, &event, "refs/heads/main").run().exits(0).json();
        assert_eq!(report["number"], 22, "{name}");
    }
}

#[test]
fn the_events_number_is_one_of_its_own_project() {
    let widgets = ready();
    widgets.clone.remote("fork", &widgets.forge.clone_url("bob/widgets"));
    let event = json!({ "pull_request": { "number": 22 } });
    let run = job(&widgets, &event, "refs/pull/22/merge").args(["--remote", "fork"]).run().exits(2);
    run.says("request 22 of acme/widgets").says("bob/widgets");
    assert_eq!(widgets.forge.requests(), []);
}

/// A number that an untrusted run handed over, with the commit that this run was started for.
#[test]
fn another_head_than_the_expected_one_is_7_and_nothing_is_shown() {
    let widgets = ready();
    let other = &widgets.base;
    for run in [
        widgets.run(&["--expect-head", other]),
        widgets.run(&["--expect-head", other, "--yes"]),
        widgets.run(&["--format", "json"]).env("DAI_EXPECT_HEAD", other),
        widgets.run(&["--expect-head", other, "--base", "origin/main", "--head", "origin/topic"]),
        widgets.dai().args(["review", "brief", "22"]).env("DAI_EXPECT_HEAD", other),
    ] {
        let run = run
            .run()
            .exits(7)
            .says(&format!("--expect-head is {other}"))
            .says(&format!("the head is {}", widgets.head));
        assert_eq!(run.out(), "");
    }
    assert_eq!(widgets.stored(), (0, 0));
    // What is printed to post by carries it on.
    let upper = widgets.head.to_uppercase();
    let shown = widgets.run(&["--expect-head", &upper]).run().exits(0);
    assert!(shown.out().contains(&format!("--expect-head {}", widgets.head)), "{shown}");
    widgets.run(&["--expect-head", &widgets.head[..12]]).run().exits(2).says("full id");
    // The file's own commit counts as well.
    widgets.review(&json!({ "head": other, "findings": [at("a.rs", 5)] }));
    let args = ["--expect-head", widgets.head.as_str(), "--trace"];
    widgets.run(&args).run().exits(7).says(&format!("the review is of {other}"));
    assert_eq!(widgets.stored(), (0, 0));
}

/// Their runners set GitHub's variables: the token must not follow them.
#[test]
fn c71_gitea_and_forgejo_are_named_and_asked_for_nothing() {
    let widgets = ready();
    let event = json!({ "pull_request": { "number": 22 } });
    let job = || job(&widgets, &event, "refs/pull/22/merge").arg("--yes");
    let api_v1 = format!("{}/api/v1", widgets.forge.origin());
    for run in [
        job().env("GITEA_ACTIONS", "true"),
        job().env("FORGEJO_ACTIONS", "true"),
        job().env("GITHUB_API_URL", &api_v1),
        job().args(["22", "--api-url", &format!("{api_v1}/")]),
        widgets.run(&["--yes"]).env("GITHUB_API_URL", &api_v1),
        widgets.dai().args(["forge", "review", "https://codeberg.org/acme/widgets/pulls/22"]),
        widgets.dai().args(["forge", "review", "https://git.example.org/sub/acme/widgets/pulls/22/files"]),
    ] {
        let run =
            run.run().exits(2).says("Gitea").says("Forgejo").says("dai review check").says("--base REV --head REV");
        assert!(!run.err().contains("--forge") && run.out().is_empty(), "{run}");
    }
    widgets.clone.git(&["remote", "set-url", "origin", "git@codeberg.org:acme/widgets.git"]);
    let run = widgets.dai().env_remove("DAI_FORGE").args(["forge", "review", "22"]).run().exits(2);
    assert!(run.clone().says("codeberg.org").err().contains("Forgejo") && !run.err().contains("--forge"), "{run}");
    assert_eq!(widgets.forge.requests(), []);
    // A list is no request, and GitHub has one under that name.
    let list = "https://github.com/acme/widgets/pulls";
    widgets.dai().args(["forge", "review", list]).run().exits(2).says("not that of a pull request");
    let local =
        ["forge", "review", "--base", "origin/main", "--head", "origin/topic", "--from", ".dai/reviews/22.json"];
    let shown = Dai::in_repo(&widgets.clone).args(local).env("FORGEJO_ACTIONS", "true").run().exits(0);
    assert!(shown.out().contains("1 comment would be posted"), "{shown}");
}

#[test]
fn a_forks_run_has_a_token_that_only_reads() {
    let widgets = ready();
    widgets.forge.stage.account(RUNS_TOKEN, Account::actions().with(crate::support::github::Access::Read));
    let event = json!({ "pull_request": { "number": 22 } });
    let run = job(&widgets, &event, "refs/pull/22/merge").arg("--yes").run().exits(8);
    run.clone().says("pull-requests: write").says("GITHUB_TOKEN");
    assert_eq!((&run.json()["exit"], widgets.stored()), (&json!(8), (0, 0)));
}

#[test]
fn nothing_is_coloured_and_nothing_spins_in_ci() {
    let widgets = ready();
    let event = json!({ "pull_request": { "number": 22 } });
    let mut terminal = job(&widgets, &event, "refs/pull/22/merge").env("DAI_FORMAT", "text").at_terminal();
    terminal.expect("nothing was posted");
    assert!(!terminal.raw().contains(&0x1b), "{:?}", String::from_utf8_lossy(terminal.raw()));
}

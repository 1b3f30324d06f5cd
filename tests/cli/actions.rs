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
    let path = widgets.clone.home().join("event.json");
    fs::write(&path, event.to_string()).expect("the event");
    let run = Dai::in_repo(&widgets.clone).args(["forge", "review"]).env("DAI_FORMAT", "json");
    let run = run.env("CI", "true").env("GITHUB_ACTIONS", "true").env("GITHUB_REPOSITORY", PROJECT);
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
    let report = job(&widgets, &event, "refs/heads/main").run().exits(0).json();
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
    let run = job(&widgets, &event, "refs/heads/main").run().exits(2).says("does not run for a pull request");
    assert_eq!(run.out(), "");
    let event = json!({ "issue": { "number": 22 } });
    job(&widgets, &event, "refs/heads/main").run().exits(2);
    let run = job(&widgets, &json!({}), "refs/heads/main").env("GITHUB_EVENT_PATH", "/nonexistent/event.json");
    run.run().exits(2).says("GITHUB_EVENT_PATH");
    assert_eq!(widgets.forge.requests(), []);
}

#[test]
fn a_job_of_a_push_finds_the_request_of_its_branch() {
    let widgets = ready();
    widgets.clone.git(&["switch", "--quiet", "topic"]);
    let event = json!({ "after": widgets.head, "ref": "refs/heads/topic" });
    let report = job(&widgets, &event, "refs/heads/topic").run().exits(0).json();
    assert_eq!(report["number"], 22);
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

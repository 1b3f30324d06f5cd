//! GitHub does not tell its merge base.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::local::{at, fates};
use crate::support::faults::Fault;
use crate::support::run::{Signal, send};
use crate::support::server::Response;
use crate::widgets::Widgets;

const COMPARE: &str = "/repos/*/*/compare/*";
const FILES: &str = "/repos/*/*/pulls/22/files";

fn ready() -> Widgets {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5)]);
    widgets
}

/// How many reviews, with their comments, were written.
fn writes(widgets: &Widgets) -> usize {
    widgets.forge.writes().len()
}

fn forbidden() -> Response {
    Response::json(403, &json!({ "message": "Resource not accessible by personal access token" }))
}

#[test]
fn a_preview_goes_on_with_git_s_own_and_says_so_once_and_a_post_ends() {
    for (answer, why, exit) in [
        (Response::html(502), "the server answered 502", 5),
        (Response::json(200, &json!({ "merge_base_commit": null })), "the answer cannot be understood", 5),
        (Response::json(200, &json!({ "merge_base_commit": { "sha": "main" } })), "`main` is no commit", 5),
    ] {
        let widgets = ready();
        widgets.forge.fault(Fault::on("GET", COMPARE).every().instead(answer));
        let run = widgets.run(&["--format", "json"]).run().exits(0);
        let report = run.json();
        let [warning] = report["warnings"].as_array().expect("warnings").as_slice() else { panic!("one: {run}") };
        let message = warning["message"].as_str().expect("a message");
        assert_eq!(warning["code"], "not_compared");
        assert!(message.contains("the merge base with GitHub's own") && message.contains(why), "{message}");
        assert_eq!(run.err().matches("merge base").count(), 2, "one warning, which names the call: {run}");
        assert_eq!((fates(&report), &report["commits"]["merge_base"]), (vec!["ready"], &json!(widgets.base)));
        let text = widgets.run(&[]).run().exits(0);
        assert!(text.out().contains("by git: GitHub could not be asked for it"), "{text}");

        let post = widgets.run(&["--yes", "--format", "json"]).run().exits(exit);
        assert_eq!((post.out(), writes(&widgets)), ("", 0), "{post}");
        post.says("could not read the merge base of #22").says(why);
        widgets.forge.clear_faults();
        widgets.run(&["--yes"]).run().exits(0);
        assert_eq!(writes(&widgets), 1);
    }
}

/// What cannot be read is one warning, however much it is.
#[test]
fn with_the_patch_unread_as_well_it_is_still_one_warning() {
    let widgets = ready();
    for path in [COMPARE, FILES] {
        widgets.forge.fault(Fault::on("GET", path).every().instead(Response::html(502)));
    }
    let report = widgets.run(&["--format", "json"]).run().exits(0).json();
    let codes: Vec<&Value> = report["warnings"].as_array().expect("warnings").iter().map(|w| &w["code"]).collect();
    assert_eq!(codes, ["not_compared"]);
    let message = report["warnings"][0]["message"].as_str().expect("a message");
    assert!(message.contains("the merge base with") && message.contains("GitHub's own patch"), "{message}");
}

#[test]
fn a_failure_that_passes_is_none() {
    let widgets = ready();
    widgets.forge.fault(Fault::on("GET", COMPARE).instead(Response::html(502)));
    let report = widgets.run(&["--yes", "--format", "json"]).run().exits(0).json();
    assert_eq!((fates(&report), &report["warnings"]), (vec!["posted"], &json!([])));
}

/// GitHub has nothing that the two have in common, or lacks one of them; or the token may read requests and
/// no contents. Then git's own merge base is what there is, and the page says so.
#[test]
fn a_404_and_a_403_leave_it_to_git_s_own() {
    let none = Response::json(404, &json!({ "message": "No common ancestor between main and topic." }));
    for answer in [none, forbidden()] {
        let widgets = ready();
        widgets.forge.fault(Fault::on("GET", COMPARE).every().instead(answer));
        let text = widgets.run(&[]).run().exits(0);
        assert!(text.out().contains("by git: GitHub could not be asked for it"), "{text}");
        let report = widgets.run(&["--yes", "--format", "json"]).run().exits(0).json();
        assert_eq!((fates(&report), &report["warnings"]), (vec!["posted"], &json!([])));
        assert_eq!(report["commits"]["merge_base"], json!(widgets.base));
    }
}

#[test]
fn an_interrupt_while_it_is_asked_for_ends_the_run() {
    for args in [&[][..], &["--yes"]] {
        let widgets = ready();
        let child = Arc::new(Mutex::new(None));
        let seen = Arc::clone(&child);
        // Nothing that is answered afterwards may make it go on.
        widgets.forge.fault(Fault::on("GET", COMPARE).before(move || {
            send(Signal::Interrupt, seen.lock().expect("a lock").expect("the run has started"));
            std::thread::sleep(Duration::from_millis(100));
        }));
        let mut held = child.lock().expect("a lock");
        let running = widgets.run(args).spawn();
        *held = Some(running.id());
        drop(held);
        let run = running.wait().exits(130);
        assert_eq!((run.out(), writes(&widgets)), ("", 0), "{run}");
    }
}

#[test]
fn a_brief_says_it_too() {
    let widgets = ready();
    widgets.forge.fault(Fault::on("GET", COMPARE).every().instead(Response::html(502)));
    let run = widgets.dai().args(["review", "brief", "22"]).run().exits(0);
    assert_eq!(run.json()["base_sha"], json!(widgets.base));
    assert_eq!(run.err().matches("warning").count(), 1, "{run}");
    run.says("the merge base with GitHub's own").says("the server answered 502");
}

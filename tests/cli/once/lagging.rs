//! Lists that trail behind what was written.

use std::fs;
use std::sync::{Arc, Mutex};

use serde_json::Value;

use super::ground::{BOTH, Lab, Which, at, statuses};
use crate::support::faults::Fault;
use crate::support::run::{Signal, send};
use crate::support::server::Response;

/// Every list of reviews, comments, notes and discussions is empty for so many reads of it after now.
fn lag(lab: &Lab, reads: usize) {
    let lists: &[&str] = match lab.which() {
        Which::GitHub => &["/repos/*/*/pulls/*/reviews", "/repos/*/*/pulls/*/comments"],
        Which::GitLab => &["/projects/*/merge_requests/*/discussions", "/projects/*/merge_requests/*/notes"],
    };
    for list in lists {
        for nth in 1..=reads {
            lab.desk().fault(Fault::on("GET", *list).nth(nth).instead(Response::json(200, &Value::Array(Vec::new()))));
        }
    }
}

/// The lists are empty before the write, and for the first run as long as it looks; for the second run they trail for five more reads.
#[test]
fn c57_a_502_after_the_write_and_a_list_that_trails_is_unknown_and_then_settled() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(3, "alpha"), at(6, "beta")]);
        lag(&lab, 20);
        lab.desk().fault(lab.on_comments().after_write(Response::html(502)));
        let first = lab.post().exits(6).says("in two minutes");
        assert_eq!(statuses(&first)[0], "unknown", "{which:?}\n{first}");
        assert!(!first.err().contains("nothing was posted"), "{which:?}\n{first}");
        lab.desk().clear_faults();
        lag(&lab, 5);
        let second = lab.post().exits(0);
        assert_eq!(statuses(&second)[0], "already_posted", "{which:?}\n{second}");
        lab.stands(&["alpha", "beta"]);
    }
}

/// What a killed run was sending is in its receipt, and so is what it had sent.
#[test]
fn c57_what_a_killed_run_has_sent_is_waited_for() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(3, "alpha"), at(6, "beta")]);
        let child = Arc::new(Mutex::new(None));
        let hook = {
            let child = Arc::clone(&child);
            move || send(Signal::Kill, child.lock().expect("a lock").expect("a run"))
        };
        lab.desk().fault(lab.on_comments().after(hook));
        let mut held = child.lock().expect("a lock");
        let running = lab.dai(["--yes"]).spawn();
        *held = Some(running.id());
        drop(held);
        assert_eq!(running.wait().code(), 137);
        lab.desk().clear_faults();
        lag(&lab, 5);
        assert_eq!(statuses(&lab.post().exits(0))[0], "already_posted", "{which:?}");
        lab.stands(&["alpha", "beta"]);
    }
}

/// Patience ends: what never came is sent again. A receipt of another request gives none.
#[test]
fn c57_what_never_came_is_sent_once_and_a_foreign_receipt_changes_nothing() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(3, "alpha")]);
        lab.desk().fault(lab.on_comments().instead(Response::html(502)));
        lab.post().exits(6);
        lab.post().exits(0).says("waiting");
        lab.stands(&["alpha"]);
        let text = fs::read_to_string(lab.receipt()).expect("a receipt");
        fs::write(lab.receipt(), text.replace("acme/widgets", "acme/gadgets")).expect("a receipt");
        assert_eq!(statuses(&lab.post().exits(0)), ["already_posted"]);
        lab.stands(&["alpha"]);
    }
}

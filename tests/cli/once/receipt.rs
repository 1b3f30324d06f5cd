//! The receipt is a copy of what was said, and nothing more.

use std::fs;
use std::sync::{Arc, Mutex};

use serde_json::Value;

use super::ground::{BOTH, Lab, Which, at, statuses, warnings};
use crate::support::run::{Signal, send};

fn receipt(lab: &Lab) -> Value {
    serde_json::from_slice(&fs::read(lab.receipt()).expect("a receipt")).expect("a JSON document")
}

#[test]
fn the_receipt_is_the_report_of_the_last_post() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(3, "alpha"), at(6, "beta")]);
        for _ in 0..2 {
            let answer = lab.post().exits(0);
            assert_eq!(receipt(&lab), answer.json());
        }
        let names: Vec<_> = fs::read_dir(lab.receipt().parent().expect("a folder")).expect("a folder").collect();
        assert_eq!(names.len(), 2, "nothing is left beside it: {names:?}");
    }
}

#[test]
fn it_is_written_after_each_item_so_a_killed_run_leaves_what_it_knew() {
    let lab = Lab::new(Which::GitLab);
    lab.review(&[at(2, "alpha"), at(3, "beta"), at(4, "gamma")]);
    let child = Arc::new(Mutex::new(None));
    let mut held = child.lock().expect("a lock");
    let hook = {
        let child = Arc::clone(&child);
        move || send(Signal::Kill, child.lock().expect("a lock").expect("a run"))
    };
    lab.desk().fault(lab.on_comments().nth(3).before(hook));
    let running = lab.dai(["--yes"]).spawn();
    *held = Some(running.id());
    drop(held);
    assert_eq!(running.wait().code(), 137);
    let left = receipt(&lab);
    let told: Vec<_> = left["findings"].as_array().expect("findings").iter().map(|f| f["status"].clone()).collect();
    assert_eq!(told, ["posted", "posted", "unknown"]);
    assert_eq!(left["findings"][2]["reason"]["code"], "no_answer");
    assert_eq!((&left["exit"], &left["summary"]["status"]), (&130.into(), &"not_attempted".into()));
    assert_eq!(left["counts"]["posted"], 2);
    lab.post().exits(0);
    assert_eq!(receipt(&lab)["counts"]["already_posted"], 3, "the write that was under way was done");
}

#[test]
fn a_missing_wrong_or_hostile_receipt_changes_nothing() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(3, "alpha")]);
        let path = lab.receipt();
        fs::write(&path, "{\"schema\": \"dai.report/1\", \"findings\": [{\"status\": \"posted\"}]").expect("a file");
        lab.post().exits(0);
        lab.stands(&["alpha"]);
        fs::remove_file(&path).expect("the receipt");
        assert_eq!(statuses(&lab.post().exits(0)), ["already_posted"]);
        let mut lie = receipt(&lab);
        lie["findings"][0]["status"] = "failed".into();
        fs::write(&path, lie.to_string()).expect("a file");
        assert_eq!(statuses(&lab.post().exits(0)), ["already_posted"]);

        // A link that leads to a file of the user's, and a folder.
        let target = lab.clone.path().join("precious");
        fs::write(&target, "kept").expect("a file");
        fs::remove_file(&path).expect("the receipt");
        std::os::unix::fs::symlink(&target, &path).expect("a link");
        let answer = lab.post().exits(0).says("receipt");
        assert_eq!(warnings(&answer), ["receipt"], "{answer}");
        assert_eq!(fs::read(&target).expect("the file"), b"kept");
        fs::remove_file(&path).expect("the link");
        fs::create_dir(&path).expect("a folder");
        assert_eq!(warnings(&lab.post().exits(0)), ["receipt"]);
        lab.stands(&["alpha"]);
    }
}

#[test]
fn one_warning_for_a_receipt_that_fails_at_every_item() {
    let lab = Lab::new(Which::GitLab);
    lab.review(&[at(2, "alpha"), at(3, "beta"), at(4, "gamma")]);
    fs::create_dir(lab.receipt()).expect("a folder");
    let answer = lab.post().exits(0);
    assert_eq!(warnings(&answer), ["receipt"]);
    lab.stands(&["alpha", "beta", "gamma"]);
}

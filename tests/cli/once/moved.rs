//! Heads that move, and reviews of older ones.

use serde_json::{Value, json};

use super::ground::{BOTH, Lab, NUMBER, Which, at, changed, numbered, statuses, warnings};
use crate::support::faults::Fault;

/// Lines in front of the ones that are commented on.
fn push(lab: &Lab) -> String {
    lab.work.write("a.rs", changed().replace("line 8\n", "line 8\nmore\n")).commit("push")
}

#[test]
fn c33_the_head_moves_between_the_preview_and_the_post() {
    for which in BOTH {
        let lab = Lab::new(which);
        for findings in [json!({"head": lab.head, "findings": [at(3, "alpha")]}), json!({"findings": [at(3, "alpha")]})]
        {
            lab.push(&lab.head);
            lab.write_review(&findings);
            let preview = lab.dai([]).run().exits(0).json();
            let moved = push(&lab);
            lab.push(&moved);
            let digest = preview["digest"].as_str().expect("a digest");
            let answer = lab.dai(["--yes", "--expect", digest]).run().exits(7).says("nothing was posted");
            assert_eq!(statuses(&answer), ["not_attempted"], "{answer}");
            lab.work.git(&["reset", "--quiet", "--hard", &lab.head]);
        }
        assert_eq!(lab.desk().writes(), [], "{which:?}");
    }
}

#[test]
fn c33_the_head_moves_during_the_run() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(3, "alpha")]);
        let moved = push(&lab);
        lab.desk().fault(lab.on_request().nth(2).before(lab.pushing(&moved)));
        let answer = lab.post().exits(7);
        assert_eq!(statuses(&answer), ["not_attempted"], "{answer}");
        assert_eq!(answer.json()["findings"][0]["reason"]["code"], "head_moved");
        assert_eq!(lab.desk().writes(), [], "{which:?}");
    }
}

#[test]
fn c33_a_request_that_is_aimed_elsewhere_during_the_run_is_stale() {
    for which in BOTH {
        let lab = Lab::new(which);
        let head = lab.work.write("made.rs", "one\ntwo\nthree\n").commit("more");
        lab.push(&head);
        lab.write_review(&json!({ "head": head, "findings": [at(3, "alpha")] }));
        assert_eq!(statuses(&lab.dai([]).run().exits(0)), ["ready"]);
        lab.desk().forget_requests();
        // From what is now the base on, the diff of the same head has other lines.
        lab.desk().fault(lab.on_request().nth(2).before(lab.aiming_at("release", &lab.head, &head)));
        let answer = lab.post().exits(7).says("nothing was posted").says("no longer starts from");
        assert_eq!(statuses(&answer), ["not_attempted"], "{answer}");
        assert_eq!(answer.json()["findings"][0]["reason"]["code"], "digest_differs");
        assert_eq!(lab.desk().writes(), [], "{which:?}");
        // What is ready now is what lands.
        assert_eq!(statuses(&lab.post().exits(0)), ["rejected"]);
    }
}

#[test]
fn c33_a_push_after_the_first_write_is_a_warning() {
    let lab = Lab::new(Which::GitLab);
    lab.review(&[at(3, "alpha"), at(6, "beta")]);
    let moved = push(&lab);
    lab.desk().fault(lab.on_comments().nth(1).after(lab.pushing(&moved)));
    let answer = lab.post().exits(0);
    assert_eq!((statuses(&answer), warnings(&answer)), (vec!["posted".into(); 2], vec!["head_moved".into()]));
    lab.stands(&["alpha", "beta"]);
}

#[test]
fn c34_diff_refs_that_are_null_twice_are_waited_for() {
    let lab = Lab::new(Which::GitLab);
    lab.review(&[at(3, "alpha")]);
    lab.gitlab().stage.request(NUMBER, |request| request.unready = 4);
    lab.post().exits(0).says("has not made the diff yet");
    lab.stands(&["alpha"]);
}

#[test]
fn c34_diff_refs_that_stay_null_end_as_stale() {
    let lab = Lab::new(Which::GitLab);
    lab.review(&[at(3, "alpha")]);
    lab.gitlab().stage.request(NUMBER, |request| request.unready = 1_000);
    lab.post().exits(7);
    assert_eq!(lab.desk().writes(), []);
}

#[test]
fn c34_a_run_waits_a_minute_for_diffs_however_often_they_are_not_there() {
    let lab = Lab::new(Which::GitLab);
    lab.review(&[at(3, "alpha")]);
    lab.gitlab().stage.request(NUMBER, |request| request.unready = 6);
    // They are gone again when the post looks, after everything was read for the plan.
    let stage = lab.gitlab().stage.clone();
    let gone = move || stage.request(NUMBER, |request| request.unready = 1_000);
    lab.desk().fault(Fault::on("GET", "/projects/*/merge_requests/*/notes").nth(1).after(gone));
    let answer = lab.post().exits(7).says("nothing was posted");
    let seconds = answer
        .err()
        .lines()
        .filter_map(|line| line.split_once("has not made the diff yet: waiting ")?.1.split_once(" s "));
    let seconds: Vec<u64> = seconds.map(|(seconds, _)| seconds.parse().expect("a number")).collect();
    assert!(seconds.iter().filter(|seconds| **seconds == 1).count() >= 2, "it waited twice: {seconds:?}\n{answer}");
    assert_eq!(seconds.iter().sum::<u64>(), 60, "{seconds:?}\n{answer}");
    assert_eq!(lab.desk().writes(), []);
}

/// The change on a base that has three lines more in front, so that the deleted lines moved as well.
fn rebase(lab: &Lab) -> String {
    let more = "zero\nzero\nzero\n";
    lab.work.switch("main").write("a.rs", format!("{more}{}", numbered(60)));
    lab.work.commit("upstream");
    lab.work.git(&["checkout", "--quiet", "-B", "topic"]);
    lab.work.write("a.rs", format!("{more}{}", changed())).write("made.rs", "one\ntwo\n").remove("gone.rs");
    lab.work.rename("old.rs", "new.rs").write("new.rs", numbered(20).replace("line 10\n", "line ten\n"));
    let head = lab.work.commit("change, rebased");
    lab.desk().upstream(super::ground::PROJECT).push(&lab.work, &["main"]);
    lab.push(&head);
    head
}

fn both_sides() -> Vec<Value> {
    vec![
        json!({"path": "a.rs", "line": 30, "side": "LEFT", "severity": "high", "body": "deleted-one"}),
        json!({"path": "a.rs", "line": 51, "severity": "medium", "body": "added-one"}),
    ]
}

#[test]
fn c49_left_findings_are_carried_along_the_merge_bases_after_a_rebase() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&both_sides());
        rebase(&lab);
        let answer = lab.dai(["--yes", "--trace"]).run().exits(0);
        assert_eq!(statuses(&answer), ["posted", "posted"], "{answer}");
        let lines: Vec<_> = lab.comments().iter().map(|c| (c.old_line, c.new_line)).collect();
        assert_eq!(lines, [(Some(33), None), (None, Some(54))], "{which:?}");
        let report = answer.json();
        let written = &report["findings"][0]["written"];
        assert_eq!((&written["line"], &report["findings"][0]["line"]), (&json!(30), &json!(33)));
        lab.stands(&["deleted-one", "added-one"]);
        lab.desk().forget_requests();
        assert_eq!(statuses(&lab.dai(["--yes", "--trace"]).run().exits(0)), ["already_posted", "already_posted"]);
        assert_eq!(lab.desk().writes(), []);
    }
}

/// Merging the base in moved the merge base on, and taking the merge back moved it back: the base's own tip is needed to
/// know which one the review was of, and no clone has it by itself.
#[test]
fn c49_left_findings_are_carried_back_where_a_merge_of_the_base_was_taken_back() {
    for which in BOTH {
        let lab = Lab::new(which);
        let more = "zero\nzero\nzero\n";
        lab.work.switch("main").write("a.rs", format!("{more}{}", numbered(60)));
        lab.work.commit("upstream");
        lab.desk().upstream(super::ground::PROJECT).push(&lab.work, &["main"]);
        lab.work.switch("topic");
        let reviewed = lab.work.merge("main");
        lab.push(&reviewed);
        lab.work.git(&["reset", "--quiet", "--hard", &lab.head]);
        lab.work.write("more.rs", "more\n");
        let head = lab.work.commit("without the merge");
        lab.push(&head);
        let left = json!({"path": "a.rs", "line": 33, "side": "LEFT", "severity": "high", "body": "deleted-one"});
        lab.write_review(&json!({"head": reviewed, "findings": [left]}));
        let answer = lab.dai(["--yes", "--trace"]).run().exits(0);
        assert_eq!(statuses(&answer), ["posted"], "{which:?}\n{answer}");
        let lines: Vec<_> = lab.comments().iter().map(|c| (c.old_line, c.new_line)).collect();
        assert_eq!(lines, [(Some(30), None)], "{which:?}");
    }
}

#[test]
fn a_moved_head_is_previewed_as_it_would_be_carried_and_refused_a_post() {
    for which in BOTH {
        let lab = Lab::new(which);
        let mut findings = both_sides();
        findings.push(at(8, "touched"));
        lab.review(&findings);
        lab.work.write("a.rs", changed().replace("line 7\n", "line seven\n").replace("line 3\n", "line 3\nmore\n"));
        let moved = lab.work.commit("push");
        lab.push(&moved);
        let preview = lab.dai([]).run().exits(0);
        assert_eq!(statuses(&preview), ["ready", "ready", "rejected"], "{preview}");
        let report = preview.json();
        assert_eq!(report["findings"][1]["line"], 52);
        assert_eq!(report["findings"][2]["reason"]["code"], "stale");
        assert_eq!((&report["digest"], &report["commits"]["reviewed"]), (&Value::Null, &json!(lab.head)));
        assert!(warnings(&preview).contains(&"head_moved".to_owned()), "{preview}");
        let refused = lab.post().exits(7).says("--trace").says("nothing was posted");
        assert_eq!(refused.json()["findings"][1]["reason"]["code"], "head_moved");
        assert_eq!(lab.desk().writes(), []);
        let posted = lab.dai(["--yes", "--trace"]).run().exits(0);
        assert_eq!(statuses(&posted), ["posted", "posted", "rejected"]);
        lab.stands(&["deleted-one", "added-one"]);
    }
}

#[test]
fn tracing_wants_to_know_the_reviewed_commit_and_to_have_it() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.write_review(&json!({"findings": [at(3, "alpha")]}));
        lab.dai(["--trace"]).run().exits(2).says("dai review bind");
        lab.dai(["--trace", "--base", "origin/main", "--head", "origin/topic"]).run().exits(2).says("dai review bind");
        assert_eq!(lab.desk().requests(), [], "usage comes before any network");
        lab.write_review(&json!({"head": "0".repeat(40), "findings": [at(3, "alpha")]}));
        lab.dai(["--trace"]).run().exits(4);
        lab.dai([]).run().exits(4);
    }
}

#[test]
fn an_exchange_is_carried_by_its_own_patch_and_trace_does_nothing() {
    for which in BOTH {
        let lab = Lab::new(which);
        let patch = lab.work.git(&["diff", &lab.base, &lab.head, "--", "a.rs"]);
        lab.write_review(&json!({
            "leanreview_review": 1, "title": "A title", "patch": format!("{patch}\n"),
            "comments": [{"id": "c1", "path": "a.rs", "side": "RIGHT", "start_line": 51, "end_line": 51, "body": "alpha",
                          "state": "active", "snippet": "added fifty"}],
        }));
        let moved = push(&lab);
        lab.push(&moved);
        let with = lab.dai(["--trace"]).run().exits(0).json();
        let without = lab.dai([]).run().exits(0).json();
        assert_eq!((&with["digest"], &with["findings"]), (&without["digest"], &without["findings"]));
        assert!(with["digest"].is_string());
    }
}

#[test]
fn a_review_of_an_older_commit_is_carried_between_local_revisions_too() {
    let lab = Lab::new(Which::GitHub);
    lab.review(&[at(51, "alpha")]);
    let moved = push(&lab);
    lab.clone.git(&["fetch", "--quiet", &lab.work.path().display().to_string(), &moved]);
    let answer = lab.dai(["--base", "origin/main", "--head", &moved]).run().exits(0);
    assert_eq!((answer.json()["findings"][0]["line"].clone(), statuses(&answer)), (json!(52), vec!["ready".into()]));
    assert!(warnings(&answer).contains(&"head_moved".to_owned()), "{answer}");
    assert_eq!(lab.desk().requests(), []);
}

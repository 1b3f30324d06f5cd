//! GitHub says no in spite of all checks.

use serde_json::json;

use super::ground::{Lab, NUMBER, Which, at, statuses};
use crate::support::github::{ReviewState, User};
use crate::support::server::Response;

fn left_in_a_renamed_file() -> serde_json::Value {
    json!({"path": "new.rs", "line": 10, "side": "LEFT", "severity": "low", "body": "guess"})
}

fn refuse(lab: &Lab, path: &str, line: u32) {
    lab.github().stage.pull(NUMBER, |pull| pull.refused.insert((path.to_owned(), line)));
}

#[test]
fn c03_a_422_without_a_guess_among_the_places_is_the_end_and_is_not_repeated() {
    let lab = Lab::new(Which::GitHub);
    lab.review(&[at(3, "alpha"), at(6, "beta")]);
    refuse(&lab, "a.rs", 6);
    let answer = lab.post().exits(5).says("Line could not be resolved").says("dismissed");
    assert_eq!(statuses(&answer), ["failed", "failed"]);
    assert_eq!((lab.desk().writes().len(), lab.summaries().len()), (1, 0));
    refuse(&lab, "a.rs", 3);
    lab.github().stage.pull(NUMBER, |pull| pull.refused.clear());
    lab.post().exits(0);
    lab.stands(&["alpha", "beta"]);
}

#[test]
fn c03_a_guess_is_left_out_once_and_goes_into_the_summary() {
    let lab = Lab::new(Which::GitHub);
    lab.review(&[at(3, "alpha"), left_in_a_renamed_file()]);
    refuse(&lab, "new.rs", 10);
    let answer = lab.post().exits(0);
    assert_eq!(statuses(&answer), ["posted", "rejected"], "{answer}");
    assert_eq!(answer.json()["findings"][1]["reason"]["code"], "forge_disagrees");
    assert_eq!(lab.desk().writes().len(), 2);
    lab.stands(&["alpha"]);
    assert!(lab.summaries()[0].body.contains("guess"), "its whole text is in the summary");
    assert_eq!(answer.json()["summary"]["body"], json!(lab.summaries()[0].body));
}

#[test]
fn c03_under_an_expected_digest_nothing_is_left_out_and_the_suspect_is_named() {
    let lab = Lab::new(Which::GitHub);
    lab.review(&[at(3, "alpha"), left_in_a_renamed_file()]);
    refuse(&lab, "new.rs", 10);
    let preview = lab.dai([]).run().exits(0).json();
    let digest = preview["digest"].as_str().expect("a digest");
    let answer = lab.dai(["--yes", "--expect", digest]).run().exits(5).says("new.rs:10 LEFT").says("dismissed");
    assert_eq!((statuses(&answer), lab.desk().writes().len()), (vec!["failed".into(), "failed".into()], 1));
}

#[test]
fn c03_an_orphan_loses_its_marker_and_a_rerun_posts_the_review_whole() {
    let lab = Lab::new(Which::GitHub);
    lab.review(&[at(3, "alpha"), at(6, "beta")]);
    lab.desk().fault(lab.on_comments().orphan());
    let answer = lab.post().exits(5);
    assert_eq!(statuses(&answer), ["failed", "failed"], "{answer}");
    let orphan = lab.summaries().remove(0);
    assert!(!orphan.body.contains("<!--") && orphan.body.contains("not completed"), "{}", orphan.body);
    let second = lab.post().exits(0);
    assert_eq!(statuses(&second), ["posted", "posted"]);
    assert_eq!((lab.comments().len(), lab.summaries().len()), (2, 2));
    lab.post().exits(0);
    assert_eq!((lab.comments().len(), lab.summaries().len()), (2, 2));
}

#[test]
fn c03_a_guess_that_is_refused_again_by_a_rerun_brings_no_second_summary() {
    for findings in [vec![at(3, "alpha"), left_in_a_renamed_file()], vec![left_in_a_renamed_file()]] {
        let lab = Lab::new(Which::GitHub);
        lab.review(&findings);
        refuse(&lab, "new.rs", 10);
        lab.post().exits(0);
        let (comments, summaries) = (lab.comments(), lab.summaries());
        for _ in 0..2 {
            let again = lab.post().exits(0);
            assert_eq!((lab.comments(), lab.summaries()), (comments.clone(), summaries.clone()), "{again}");
            assert_eq!(again.json()["summary"]["status"], "already_posted");
            assert_eq!(again.json()["summary"]["body"], json!(summaries[0].body));
            assert_eq!(again.json()["findings"][findings.len() - 1]["reason"]["code"], "forge_disagrees");
        }
        // What the summary says of it follows the file.
        lab.review(&findings[..findings.len() - 1]);
        assert_eq!(lab.post().exits(0).json()["summary"]["status"], "updated");
        assert_eq!((lab.comments().len(), lab.summaries().len()), (comments.len(), 1));
    }
}

/// The run that met it never came to look, or could not.
#[test]
fn c03_an_orphan_of_an_earlier_run_loses_its_marker_before_the_review_is_posted() {
    type Trouble = fn(&Lab);
    let lost_look: Trouble = |lab| lab.desk().fault(lab.on_look().from(3).instead(Response::html(502)));
    let lost_edit: Trouble = |lab| {
        let edit = || crate::support::faults::Fault::on("PUT", "/repos/*/*/pulls/*/reviews/*");
        lab.desk().fault(edit().every().instead(Response::html(502)));
    };
    for trouble in [lost_look, lost_edit] {
        let lab = Lab::new(Which::GitHub);
        lab.review(&[at(3, "alpha"), at(6, "beta")]);
        lab.desk().fault(lab.on_comments().orphan());
        trouble(&lab);
        let first = lab.post().exits(6).says("run the same command again");
        assert_eq!(statuses(&first), ["unknown", "unknown"], "{first}");
        assert!(lab.summaries()[0].body.contains("<!-- dai v1 review="));
        // Nothing is posted as long as it would stand beside what is left of itself.
        if lab.desk().writes().iter().any(|write| write.request.method == "PUT") {
            lab.post().exits(5);
            assert_eq!(lab.comments(), []);
        }
        lab.desk().clear_faults();
        assert_eq!(statuses(&lab.post().exits(0)), ["posted", "posted"]);
        let marked = |lab: &Lab| lab.summaries().iter().filter(|s| s.body.contains("<!-- dai v1 review=")).count();
        assert_eq!((lab.comments().len(), lab.summaries().len(), marked(&lab)), (2, 2, 1));
        assert!(lab.summaries()[0].body.contains("not completed"));
        lab.desk().forget_requests();
        lab.post().exits(0);
        assert_eq!(lab.desk().writes(), []);
    }
}

#[test]
fn c32_an_own_pending_review_is_named_and_left_alone() {
    let lab = Lab::new(Which::GitHub);
    lab.review(&[at(3, "alpha")]);
    let draft = lab.github().stage.review(NUMBER, User::person("ann"), ReviewState::Pending, "my draft");
    let answer = lab.post().exits(5).says(&format!("pullrequestreview-{draft}"));
    assert_eq!(statuses(&answer), ["not_attempted"]);
    assert_eq!((lab.desk().writes(), lab.comments()), (vec![], vec![]));
    assert_eq!(lab.summaries().len(), 1, "the draft");
}

//! The same command again.

use serde_json::json;

use super::ground::{BOTH, Lab, Which, at, statuses};
use crate::support::server::Response;

#[test]
fn c36_the_same_review_again_posts_nothing_and_says_so() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(3, "alpha"), at(6, "beta"), json!({"path": "a.rs", "severity": "low", "body": "as a whole"})]);
        let preview = lab.dai([]).run().exits(0).json();
        let first = lab.post().exits(0);
        lab.stands(&["alpha", "beta"]);
        let before = lab.summaries();
        lab.desk().forget_requests();
        let second = lab.post().exits(0).says("nothing new");
        assert_eq!(statuses(&second), ["already_posted", "already_posted", "summary"]);
        assert_eq!((lab.summaries(), lab.desk().writes().len()), (before, 0), "{which:?}");
        let digests = [&preview, &first.json(), &second.json()].map(|report| report["digest"].clone());
        assert!(digests[0].is_string() && digests.iter().all(|digest| *digest == digests[0]), "{digests:?}");
        assert_eq!(second.json()["summary"]["status"], "already_posted");
        assert_eq!(second.json()["findings"][0]["url"], first.json()["findings"][0]["url"]);
    }
}

/// A body whose line ends are no plain ones: normalising them twice is another text.
#[test]
fn a_body_with_any_line_ends_is_recognised() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(3, "alpha\r\r\nbeta"), at(6, " \r\n gamma\rdelta\r\n\r\n")]);
        lab.post().exits(0);
        let second = lab.post().exits(0).says("nothing new");
        assert_eq!(statuses(&second), ["already_posted"; 2], "{which:?}");
    }
}

#[test]
fn c36_a_clean_review_posts_its_summary_once() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[]);
        lab.post().exits(0);
        lab.post().exits(0);
        lab.stands(&[]);
    }
}

#[test]
fn c36_the_same_finding_after_a_push_that_moved_its_lines_is_not_posted_again() {
    for which in BOTH {
        let lab = Lab::new(which);
        let unbound = |line| json!({ "findings": [at(line, "alpha")] });
        lab.write_review(&unbound(51));
        lab.post().exits(0);
        let moved =
            lab.work.write("a.rs", super::ground::changed().replace("line 8\n", "line 8\nmore\n")).commit("push");
        lab.push(&moved);
        lab.desk().forget_requests();
        lab.write_review(&unbound(52));
        let again = lab.post().exits(0);
        assert_eq!(statuses(&again), ["already_posted"], "{again}");
        assert_eq!(lab.desk().writes(), [], "{which:?}");
        lab.stands(&["alpha"]);
    }
}

#[test]
fn new_findings_make_a_review_that_holds_only_them_and_the_summary_tells_of_all() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(3, "alpha")]);
        lab.post().exits(0);
        lab.review(&[at(3, "alpha"), at(6, "beta")]);
        let second = lab.post().exits(0);
        assert_eq!(statuses(&second), ["already_posted", "posted"]);
        let comments = lab.comments();
        assert_eq!(comments.iter().filter(|c| c.body.contains("beta")).count(), 1);
        assert_eq!(comments.len(), 2);
        let summaries = lab.summaries();
        match which {
            Which::GitHub => assert_eq!(summaries.len(), 2),
            Which::GitLab => assert_eq!(summaries.len(), 1),
        }
        let newest = summaries.last().expect("a summary");
        assert_eq!(second.json()["summary"]["body"].as_str(), Some(newest.body.as_str()));
        assert_eq!(statuses(&lab.post().exits(0)), ["already_posted", "already_posted"]);
        assert_eq!(lab.summaries(), summaries);
    }
}

#[test]
fn an_earlier_wording_at_the_place_keeps_the_new_one_back_but_for_again() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(3, "first wording")]);
        lab.post().exits(0);
        lab.review(&[at(3, "second wording")]);
        let held = lab.post().exits(0);
        assert_eq!(statuses(&held), ["suppressed"]);
        assert_eq!(held.json()["findings"][0]["reason"]["code"], "already_commented");
        assert_eq!(lab.comments().len(), 1);
        let again = lab.dai(["--yes", "--again"]).run().exits(0);
        assert_eq!(statuses(&again), ["posted"]);
        assert_eq!(lab.comments().len(), 2);
        assert_eq!(statuses(&lab.dai(["--yes", "--again"]).run().exits(0)), ["already_posted"]);
        assert_eq!(lab.comments().len(), 2);
    }
}

#[test]
fn c30_the_third_of_five_is_refused_and_a_second_run_repeats_none() {
    let lab = Lab::new(Which::GitLab);
    let bodies = ["one-a", "two-b", "three-c", "four-d", "five-e"];
    lab.review(&bodies.iter().zip(2..).map(|(body, line)| at(line, body)).collect::<Vec<_>>());
    let refusal = Response::json(400, &json!({"message": "400 Bad request - Note {:line_code=>[\"can't be blank\"]}"}));
    lab.desk().fault(lab.on_comments().nth(3).instead(refusal.clone()));
    let first = lab.post().exits(6);
    assert_eq!(statuses(&first), ["posted", "posted", "failed", "posted", "posted"]);
    assert_eq!(first.json()["findings"][2]["reason"]["code"], "forge_refused");
    let told = lab.summaries().remove(0).body;
    assert!(told.contains("three-c"), "the summary names the refused one: {told}");
    lab.desk().clear_faults();
    lab.desk().fault(lab.on_comments().every().instead(refusal));
    lab.desk().forget_requests();
    let second = lab.post().exits(5);
    let there = "already_posted";
    assert_eq!(statuses(&second), [there, there, "failed", there, there]);
    assert_eq!(lab.desk().writes().len(), 1, "only the refused one is tried again");
    lab.desk().clear_faults();
    lab.post().exits(0);
    lab.stands(&bodies);
    assert!(!lab.summaries()[0].body.contains("refused"), "{}", lab.summaries()[0].body);
}

#[test]
fn c41_of_two_on_one_line_the_refused_one_is_posted_by_a_rerun() {
    let lab = Lab::new(Which::GitLab);
    lab.review(&[at(3, "alpha"), at(3, "beta")]);
    lab.desk().fault(lab.on_comments().nth(2).instead(Response::json(400, &json!({"message": "no"}))));
    assert_eq!(statuses(&lab.post().exits(6)), ["posted", "failed"]);
    assert_eq!(statuses(&lab.post().exits(0)), ["already_posted", "posted"]);
    lab.stands(&["alpha", "beta"]);
}

#[test]
fn c42_under_a_cap_of_three_three_stand_after_each_run() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&(2..7).map(|line| at(line, &format!("at-{line}"))).collect::<Vec<_>>());
        for _ in 0..3 {
            lab.dai(["--yes", "--max-comments", "3"]).run().exits(0);
            lab.stands(&["at-2", "at-3", "at-4"]);
        }
    }
}

#[test]
fn c43_the_gate_still_says_no_where_the_finding_stands_already() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(3, "alpha")]);
        for _ in 0..2 {
            lab.dai(["--yes", "--fail-on", "high"]).run().exits(1);
            lab.stands(&["alpha"]);
        }
    }
}

#[test]
fn c44_the_digest_of_the_preview_holds_after_a_partial_post() {
    let lab = Lab::new(Which::GitLab);
    lab.review(&[at(3, "alpha"), at(6, "beta")]);
    let preview = lab.dai([]).run().exits(0).json();
    let digest = preview["digest"].as_str().expect("a digest");
    lab.desk().fault(lab.on_comments().nth(2).instead(Response::html(500)));
    lab.dai(["--yes", "--expect", digest]).run().exits(6);
    lab.dai(["--yes", "--expect", digest]).run().exits(0);
    lab.stands(&["alpha", "beta"]);
    lab.dai(["--yes", "--expect", digest]).run().exits(0);
    lab.stands(&["alpha", "beta"]);
}

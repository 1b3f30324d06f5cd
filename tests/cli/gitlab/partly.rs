//! What is refused, lost or cut short: each item is told, and the next run completes it.

use serde_json::json;

use super::ground::{DISCUSSIONS, Ground, NOTES, codes, statuses};
use crate::support::faults::Fault;
use crate::support::server::Response;

fn no_place() -> Response {
    let message = "400 Bad request - Note {:line_code=>[\"can't be blank\", \"must be a valid line code\"]}";
    Response::json(400, &json!({ "message": message }))
}

#[test]
fn c30_the_third_of_five_is_refused_and_a_second_run_repeats_none() {
    let ground = Ground::plain().five();
    ground.forge.fault(Fault::on("POST", DISCUSSIONS).nth(3).instead(no_place()));
    let run = ground.post().exits(6);
    insta::assert_snapshot!("c30_text", ground.normal().apply(run.out()));
    insta::assert_snapshot!("c30_errors", ground.normal().apply(run.err()));
    assert_eq!((ground.comments().len(), ground.times("Number 3.")), (4, 0));
    insta::assert_snapshot!("c30_summary", ground.normal().apply(&ground.summary()));

    let report = ground.report(0);
    assert_eq!(statuses(&report), ["already_posted", "already_posted", "posted", "already_posted", "already_posted"]);
    assert_eq!(report["summary"]["status"], "updated");
    for n in 1..=5 {
        assert_eq!(ground.times(&format!("Number {n}.")), 1, "{n}");
    }
    assert!(
        ground.summary().contains("5 at their lines") && !ground.summary().contains("Refused"),
        "{}",
        ground.summary()
    );
}

#[test]
fn c30_400_404_413_and_422_are_the_item_s_and_the_run_goes_on() {
    for status in [400, 404, 413, 422] {
        let ground = Ground::plain().five();
        let refusal = Response::json(status, &json!({ "message": format!("{status} says no") }));
        ground.forge.fault(Fault::on("POST", DISCUSSIONS).nth(2).instead(refusal));
        let report = ground.report(6);
        assert_eq!(statuses(&report), ["posted", "failed", "posted", "posted", "posted"], "{status}");
        assert_eq!(codes(&report)[1], "forge_refused");
        assert_eq!(report["summary"]["status"], "posted");
        let message = report["findings"][1]["reason"]["message"].as_str().expect("a message");
        assert!(message.contains(&status.to_string()), "{message}");
        assert!(ground.summary().contains("Number 2."), "the refused one reaches its reader there");
    }
}

#[test]
fn comments_that_all_stand_without_their_lines_are_a_post_in_part() {
    let ground = Ground::plain();
    ground.find("a.rs", 5, "Adrift.");
    ground.forge.fault(Fault::on("POST", DISCUSSIONS).every().demote());
    let refusal = Response::json(422, &json!({ "message": "no" }));
    ground.forge.fault(Fault::on("POST", NOTES).every().instead(refusal));
    let run = ground.dai().args(["7", "--yes", "--format", "json"]).run().exits(6);
    assert_eq!((statuses(&run.json()), codes(&run.json())), (vec!["failed".to_owned()], vec!["demoted".to_owned()]));
    assert_eq!(run.json()["summary"]["status"], "failed");
    assert!(!run.err().contains("nothing was posted"), "{}", run.err());
    assert_eq!(ground.notes().len(), 1);
}

#[test]
fn a_401_or_403_stops_the_run_and_the_rest_is_not_attempted() {
    for status in [401, 403] {
        let ground = Ground::plain().five();
        let refusal = Response::json(status, &json!({ "message": format!("{status} no") }));
        ground.forge.fault(Fault::on("POST", DISCUSSIONS).from(3).instead(refusal));
        let run = ground.dai().args(["7", "--yes", "--format", "json"]).run().exits(6);
        let report = run.json();
        assert_eq!(statuses(&report), ["posted", "posted", "failed", "not_attempted", "not_attempted"]);
        assert_eq!(report["summary"]["status"], "not_attempted");
        assert_eq!(report["counts"]["not_attempted"], 2);
        assert_eq!(ground.discussions_sent().len(), 3, "{status}");
        run.says("GITLAB_TOKEN");
        ground.forge.clear_faults();
        let again = ground.report(0);
        assert_eq!(statuses(&again), ["already_posted", "already_posted", "posted", "posted", "posted"]);
    }
}

#[test]
fn a_token_refused_at_the_first_write_is_8_and_nothing_is_posted() {
    let ground = Ground::plain().five();
    let body = json!({ "error": "insufficient_scope", "error_description": "The request requires higher privileges", "scope": "api" });
    ground.forge.fault(Fault::on("POST", DISCUSSIONS).every().instead(Response::json(403, &body)));
    let run = ground.post().exits(8);
    insta::assert_snapshot!("scope_text", ground.normal().apply(run.out()));
    insta::assert_snapshot!("scope_errors", ground.normal().apply(run.err()));
    assert_eq!(ground.notes().len(), 0);
}

#[test]
fn c31_a_lost_answer_a_502_and_half_an_answer_after_the_write_post_once() {
    for fault in [
        Fault::on("POST", DISCUSSIONS).nth(2).cut_after(),
        Fault::on("POST", DISCUSSIONS).nth(2).half_after(),
        Fault::on("POST", DISCUSSIONS).nth(2).after_write(Response::html(502)),
        Fault::on("POST", NOTES).after_write(Response::html(500)),
        Fault::on("POST", NOTES).cut_after(),
    ] {
        let ground = Ground::plain().five();
        ground.forge.fault(fault);
        let report = ground.report(0);
        assert_eq!(report["counts"]["posted"], 5, "{report}");
        assert_eq!((ground.comments().len(), ground.notes().len()), (5, 6));
        ground.forge.forget_requests();
        assert_eq!(ground.report(0)["counts"]["already_posted"], 5);
        assert_eq!(ground.forge.writes(), []);
    }
}

#[test]
fn c31_an_unknown_outcome_stops_the_run_and_the_next_one_settles_it() {
    let ground = Ground::plain().five();
    let stage = ground.forge.stage.clone();
    // The write is done, and from then on nothing can be listed. The plan's read and the one right before the first
    // write are let through.
    ground.forge.fault(Fault::on("POST", DISCUSSIONS).nth(2).after_write(Response::html(502)));
    ground.forge.fault(
        Fault::on("GET", DISCUSSIONS).from(3).instead(Response::json(403, &json!({ "message": "403 Forbidden" }))),
    );
    let run = ground.dai().args(["7", "--yes"]).run().exits(6);
    insta::assert_snapshot!("c31_text", ground.normal().apply(run.out()));
    insta::assert_snapshot!("c31_errors", ground.normal().apply(run.err()));
    assert_eq!(stage.request(7, |request| request.notes().count()), 2);
    ground.forge.clear_faults();
    let report = ground.report(0);
    assert_eq!(statuses(&report), ["already_posted", "already_posted", "posted", "posted", "posted"]);
    for n in 1..=5 {
        assert_eq!(ground.times(&format!("Number {n}.")), 1);
    }
}

#[test]
fn a_comment_stored_without_its_position_is_demoted_and_not_posted_twice() {
    let ground = Ground::plain().five();
    ground.forge.fault(Fault::on("POST", DISCUSSIONS).nth(2).demote());
    let run = ground.post().exits(6);
    insta::assert_snapshot!("demoted_text", ground.normal().apply(run.out()));
    // The marker is over the text, and in that is the port.
    let summary = ground.summary();
    let (text, _) = summary.rsplit_once("<!-- dai").expect("a marker");
    insta::assert_snapshot!("demoted_summary", ground.normal().apply(text));
    assert_eq!((ground.comments().len(), ground.notes().len()), (4, 6));
    let report = ground.report(0);
    assert_eq!(report["counts"]["already_posted"], 5);
    assert_eq!(ground.notes().len(), 6);
}

#[test]
fn a_stored_text_that_is_another_one_is_said() {
    let ground = Ground::plain().five();
    let stage = ground.forge.stage.clone();
    let spoil = move || {
        stage.request(7, |request| {
            for note in request.discussions.iter_mut().flat_map(|discussion| &mut discussion.notes) {
                note.body = note.body.replace("Number 1.", "Number one.");
            }
        });
    };
    // What a server makes of a text shows in its answer only if it is looked up again; so the answer is lost.
    ground.forge.fault(Fault::on("POST", DISCUSSIONS).nth(1).after(spoil));
    ground.forge.fault(Fault::on("POST", DISCUSSIONS).nth(1).after_write(Response::html(502)));
    let report = ground.report(0);
    let codes: Vec<_> = report["warnings"].as_array().expect("warnings").iter().map(|w| &w["code"]).collect();
    assert!(codes.iter().any(|code| *code == "read_back"), "{report}");
}

#[test]
fn c44_the_command_of_a_preview_goes_on_after_a_partial_post() {
    let ground = Ground::plain().five();
    let preview = ground.dai().args(["7", "--format", "json"]).run().exits(0).json();
    let digest = preview["digest"].as_str().expect("a digest").to_owned();
    let post = || ground.dai().args(["7", "--yes", "--expect", &digest, "--format", "json"]).run();
    ground.forge.fault(Fault::on("POST", DISCUSSIONS).nth(2).instead(no_place()));
    let first = post().exits(6).json();
    assert_eq!(first["digest"], digest.as_str());
    let second = post().exits(0).json();
    assert_eq!((&second["digest"], &second["counts"]["posted"]), (&json!(digest), &json!(1)));
    assert_eq!(ground.notes().len(), 6);
}

#[test]
fn c41_two_on_one_line_the_second_refused_is_posted_by_the_rerun() {
    let ground = Ground::plain();
    ground.find("a.rs", 5, "Alpha.").find("a.rs", 5, "Beta.");
    ground.forge.fault(Fault::on("POST", DISCUSSIONS).nth(2).instead(no_place()));
    assert_eq!(statuses(&ground.report(6)), ["posted", "failed"]);
    assert_eq!(statuses(&ground.report(0)), ["already_posted", "posted"]);
}

#[test]
fn a_summary_that_is_refused_leaves_the_comments_and_is_written_by_the_rerun() {
    let ground = Ground::plain().five();
    ground.forge.fault(Fault::on("POST", NOTES).instead(Response::json(400, &json!({ "message": "400 no" }))));
    let run = ground.post().exits(6);
    insta::assert_snapshot!("no_summary_errors", ground.normal().apply(run.err()));
    assert_eq!(ground.notes().len(), 5);
    let report = ground.report(0);
    assert_eq!(
        (report["summary"]["status"].as_str(), &report["counts"]["already_posted"]),
        (Some("posted"), &json!(5))
    );
}

#[test]
fn c33_the_head_that_moves_before_the_first_write_is_7_and_nothing_is_posted() {
    let ground = Ground::plain().five();
    let next = ground.work.write("made.rs", "one\ntwo\nthree\nfour\n").commit("more");
    let (stage, work) = (ground.forge.stage.clone(), ground.work.clone());
    // The post's own last look at the request is the first read after those of the plan.
    ground.forge.fault(Fault::on("GET", NOTES).nth(1).after(move || stage.push(7, &work, &next)));
    let run = ground.post().exits(7);
    insta::assert_snapshot!("c33_errors", ground.normal().apply(run.err()));
    assert_eq!(ground.forge.writes(), []);
    let again = ground.post().exits(7);
    assert!(again.err().contains("--trace"), "{again}");
    assert_eq!(ground.forge.writes(), []);
}

#[test]
fn c33_a_head_that_moves_during_the_run_is_a_warning() {
    let ground = Ground::plain().five();
    let next = ground.work.write("made.rs", "one\ntwo\nthree\nfour\n").commit("more");
    let (stage, work) = (ground.forge.stage.clone(), ground.work.clone());
    ground.forge.fault(Fault::on("POST", DISCUSSIONS).nth(2).after(move || stage.push(7, &work, &next)));
    let report = ground.report(0);
    assert_eq!(report["counts"]["posted"], 5);
    assert!(report["warnings"].as_array().expect("warnings").iter().any(|w| w["code"] == "head_moved"), "{report}");
}

#[test]
fn locked_archived_and_gone_are_said() {
    let ground = Ground::plain().five();
    ground.forge.stage.request(7, |request| request.discussion_locked = true);
    let locked = ground.post().exits(5);
    ground.preview().exits(0).says("warning: the conversation is locked");
    ground.forge.stage.request(7, |request| request.discussion_locked = false);
    ground.forge.stage.project(super::ground::PROJECT, |project| project.archived = true);
    let archived = ground.post().exits(5);
    ground.forge.stage.project(super::ground::PROJECT, |project| project.archived = false);
    let absent = ground.bare().args(["forge", "review", "8", "--yes", "--from", ".dai/reviews/7.json"]).run().exits(5);
    let words = [locked.err(), archived.err(), absent.err()].join("---\n");
    insta::assert_snapshot!("refused_as_a_whole", ground.normal().apply(&words));
    assert_eq!(ground.forge.writes(), []);
}

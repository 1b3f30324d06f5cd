//! Waiting, being stopped, and what is shown meanwhile.

use std::time::Duration;

use serde_json::json;

use super::ground::{DISCUSSIONS, Ground, NOTES, codes, statuses};
use crate::support::faults::Fault;
use crate::support::gitlab::Throttle;
use crate::support::run::{Answer, Running, Signal};

#[test]
fn c31_killed_between_two_writes_a_rerun_completes() {
    let ground = Ground::plain().five();
    ground.forge.fault(Fault::on("POST", DISCUSSIONS).nth(3).hang_after(Duration::from_secs(30)));
    let running = ground.dai().args(["7", "--yes"]).spawn();
    wait_for_discussions(&ground, 3);
    running.signal(Signal::Kill);
    assert_eq!(running.wait().code(), 137);
    ground.forge.clear_faults();
    let report = ground.report(0);
    assert_eq!(report["counts"]["posted"].as_u64().zip(report["counts"]["already_posted"].as_u64()), Some((2, 3)));
    assert_eq!(ground.notes().len(), 6);
}

fn wait_for_discussions(ground: &Ground, count: usize) {
    while ground.discussions_sent().len() < count {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Stops a run while its second discussion hangs; `how` is what the server does with that one.
fn stopped(ground: &Ground, signal: Signal, args: &[&str]) -> Answer {
    let running: Running = ground.dai().args(["7", "--yes"]).args(args.iter().copied()).spawn();
    wait_for_discussions(ground, 2);
    running.signal(signal);
    running.wait()
}

#[test]
fn an_interrupt_waits_for_the_call_in_flight_and_reports_what_stands() {
    for signal in [Signal::Interrupt, Signal::Terminate] {
        let ground = Ground::plain().five();
        ground.forge.fault(Fault::on("POST", DISCUSSIONS).nth(2).before(|| std::thread::sleep(Duration::from_secs(1))));
        let report = stopped(&ground, signal, &["--format", "json"]).exits(130).json();
        assert_eq!(statuses(&report), ["posted", "posted", "not_attempted", "not_attempted", "not_attempted"]);
        assert_eq!(codes(&report)[2..], ["interrupted", "interrupted", "interrupted"]);
        assert_eq!((report["exit"].as_u64(), report["summary"]["status"].as_str()), (Some(130), Some("not_attempted")));
        assert_eq!(ground.comments().len(), 2, "{signal:?}");
        assert_eq!(ground.report(0)["counts"]["posted"], 3);
        assert_eq!(ground.notes().len(), 6);
    }
}

#[test]
fn an_interrupt_is_told_to_people_with_the_command_that_resumes() {
    let ground = Ground::plain().five();
    ground.forge.fault(Fault::on("POST", DISCUSSIONS).nth(2).before(|| std::thread::sleep(Duration::from_secs(1))));
    let run = stopped(&ground, Signal::Interrupt, &["--min-severity", "medium"]).exits(130);
    insta::assert_snapshot!("interrupt_text", ground.normal().apply(run.out()));
    insta::assert_snapshot!("interrupt_errors", ground.normal().apply(run.err()));
}

#[test]
fn a_429_is_waited_for_as_long_as_it_says() {
    let ground = Ground::plain().five();
    ground.forge.fault(Fault::on("POST", DISCUSSIONS).nth(2).instead(Throttle::WithHeaders(1).response()));
    let run = ground.dai().args(["7", "--yes", "--format", "json"]).run().exits(0);
    assert_eq!(run.json()["counts"]["posted"], 5);
    assert_eq!((ground.comments().len(), ground.discussions_sent().len()), (5, 6));
    run.says("asks for a pause");
}

#[test]
fn a_429_without_a_header_is_waited_for_a_minute() {
    for throttle in [Throttle::OfEndpoint, Throttle::Plain] {
        let ground = Ground::plain().five();
        ground.forge.fault(Fault::on("POST", DISCUSSIONS).nth(2).instead(throttle.response()));
        ground.forge.fault(Fault::on("POST", NOTES).nth(1).instead(throttle.response()));
        let run = ground.dai().args(["7", "--yes", "--format", "json"]).run().exits(0);
        assert_eq!(run.json()["counts"]["posted"], 5, "{throttle:?}");
        assert_eq!((ground.notes().len(), ground.forge.writes().len()), (6, 8));
        assert_eq!(run.err().matches("asks for a pause: waiting 60 s").count(), 2, "{run}");
    }
}

#[test]
fn a_429_that_never_ends_stops_within_ten_minutes_of_waiting() {
    let ground = Ground::plain().five();
    ground.forge.fault(Fault::on("POST", DISCUSSIONS).from(2).instead(Throttle::Plain.response()));
    let run = ground.dai().args(["7", "--yes", "--format", "json"]).run().exits(6);
    let report = run.json();
    assert_eq!(codes(&report)[1..], ["rate_limited"; 4]);
    assert_eq!((ground.notes().len(), report["summary"]["status"].as_str()), (1, Some("not_attempted")));
    // Each a minute or more, as the pauses grow.
    let waits = run.err().matches("asks for a pause").count();
    assert!((2..=10).contains(&waits), "{run}");
}

#[test]
fn a_429_beyond_the_wait_stops_the_run() {
    let ground = Ground::plain().five();
    ground.forge.fault(Fault::on("POST", DISCUSSIONS).from(3).instead(Throttle::WithHeaders(3600).response()));
    let run = ground.post().exits(6);
    insta::assert_snapshot!("throttle_text", ground.normal().apply(run.out()));
    insta::assert_snapshot!("throttle_errors", ground.normal().apply(run.err()));
    assert_eq!((ground.comments().len(), ground.discussions_sent().len()), (2, 3));
}

#[test]
fn c34_diff_refs_null_twice_are_waited_for() {
    let ground = Ground::plain().five();
    ground.forge.stage.request(7, |request| request.unready = 2);
    let run = ground.dai().args(["7", "--yes", "--format", "json"]).run().exits(0);
    assert_eq!(run.json()["counts"]["posted"], 5);
    run.says("has not made the diff yet");
}

#[test]
fn c34_a_diff_that_trails_behind_the_head_is_waited_for() {
    let ground = Ground::plain().five();
    let next = ground.work.write("made.rs", "one\ntwo\nthree\nfour\n").commit("more");
    ground.forge.stage.push(7, &ground.work, &next);
    ground.forge.stage.request(7, |request| request.trailing = 2);
    ground.clone.write("of-next.json", ground.review_of(&next));
    let post = ground.dai().args(["7", "--yes", "--from", "of-next.json", "--format", "json"]);
    let report = post.run().exits(0).json();
    assert_eq!((&report["counts"]["posted"], &report["commits"]["head"]), (&json!(5), &json!(next)));
    for (_, position) in ground.comments() {
        assert_eq!(position["head_sha"], json!(next));
    }
}

#[test]
fn the_bar_is_drawn_at_a_terminal_and_nowhere_else() {
    let ground = Ground::plain().five();
    let mut terminal = ground.dai().args(["7", "--yes"]).at_terminal();
    terminal.expect("posting").expect("/5");
    let (code, drawn) = terminal.wait();
    assert_eq!(code, 0, "{drawn}");
    let ground = Ground::plain().five();
    let run = ground.post().exits(0);
    assert_eq!(run.err(), "");
    let ground = Ground::plain().five();
    let (code, drawn) = ground.dai().args(["--no-progress", "7", "--yes"]).at_terminal().wait();
    assert!(code == 0 && !drawn.contains("posting"), "{drawn}");
}

//! Killed, or asked to stop, in the middle.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::ground::{BOTH, Lab, Which, at, statuses};
use crate::support::faults::Fault;
use crate::support::run::{Answer, Signal, send};

/// Runs a post that is signalled when the hook is.
fn signalled(lab: &Lab, signal: Signal, fault: impl FnOnce(&Lab, Box<dyn Fn() + Send + Sync>)) -> Answer {
    let child = Arc::new(Mutex::new(None));
    let hook = {
        let child = Arc::clone(&child);
        Box::new(move || send(signal, child.lock().expect("a lock").expect("the run has started")))
    };
    fault(lab, hook);
    let mut held = child.lock().expect("a lock");
    let running = lab.dai(["--yes"]).env("DAI_TEST_HURRY", "0.5").spawn();
    *held = Some(running.id());
    drop(held);
    running.wait()
}

#[test]
fn c31_killed_between_two_writes_a_rerun_completes() {
    let lab = Lab::new(Which::GitLab);
    lab.review(&[at(2, "alpha"), at(3, "beta"), at(4, "gamma")]);
    let run = signalled(&lab, Signal::Kill, |lab, hook| lab.desk().fault(lab.on_comments().nth(2).after(hook)));
    assert_eq!((run.code(), lab.comments().len()), (137, 2));
    let second = lab.post().exits(0);
    assert_eq!(statuses(&second), ["already_posted", "already_posted", "posted"]);
    lab.stands(&["alpha", "beta", "gamma"]);
}

#[test]
fn c31_killed_after_the_only_write_a_rerun_writes_nothing() {
    let lab = Lab::new(Which::GitHub);
    lab.review(&[at(2, "alpha"), at(3, "beta")]);
    let run = signalled(&lab, Signal::Kill, |lab, hook| lab.desk().fault(lab.on_comments().after(hook)));
    assert_eq!((run.code(), lab.comments().len()), (137, 2));
    lab.desk().forget_requests();
    assert_eq!(statuses(&lab.post().exits(0)), ["already_posted", "already_posted"]);
    assert_eq!(lab.desk().writes(), []);
    lab.stands(&["alpha", "beta"]);
}

#[test]
fn a_signal_during_a_write_lets_it_end_and_begins_no_other() {
    for signal in [Signal::Interrupt, Signal::Terminate] {
        let lab = Lab::new(Which::GitLab);
        lab.review(&[at(2, "alpha"), at(3, "beta"), at(4, "gamma")]);
        // The signal is heard by another thread than the one that sends: give it the moment it takes.
        let run = signalled(&lab, signal, |lab, hook| {
            let hook = move || {
                hook();
                std::thread::sleep(Duration::from_millis(100));
            };
            lab.desk().fault(lab.on_comments().nth(2).before(hook));
        })
        .exits(130)
        .says("interrupted: 2 of 3 comments posted")
        .says("run the same command again");
        assert_eq!(statuses(&run), ["posted", "posted", "not_attempted"]);
        assert_eq!(run.json()["findings"][2]["reason"]["code"], "interrupted");
        assert_eq!(run.json()["exit"], 130);
        assert_eq!(lab.summaries(), []);
        lab.post().exits(0);
        lab.stands(&["alpha", "beta", "gamma"]);
    }
}

#[test]
fn a_signal_before_the_first_write_posts_nothing() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(2, "alpha")]);
        let run = signalled(&lab, Signal::Interrupt, |lab, hook| {
            let hook = move || {
                hook();
                std::thread::sleep(Duration::from_millis(100));
            };
            lab.desk().fault(lab.on_request().nth(1).before(hook));
        });
        run.exits(130).says("nothing was posted");
        assert_eq!((lab.comments(), lab.summaries()), (vec![], vec![]));
        lab.post().exits(0);
        lab.stands(&["alpha"]);
    }
}

#[test]
fn a_second_signal_gives_up_the_call_in_flight_and_a_rerun_settles_it() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(2, "alpha"), at(3, "beta")]);
        let run = signalled(&lab, Signal::Interrupt, |lab, hook| {
            let hook = move || {
                for _ in 0..2 {
                    hook();
                    std::thread::sleep(Duration::from_millis(100));
                }
            };
            lab.desk().fault(lab.on_comments().after(hook));
            lab.desk().fault(lab.on_comments().hang_after(Duration::from_secs(30)));
        })
        .exits(130);
        assert_eq!(statuses(&run)[0], "unknown", "{run}");
        lab.post().exits(0);
        lab.stands(&["alpha", "beta"]);
    }
}

#[test]
fn a_signal_while_a_read_hangs_is_obeyed_at_once() {
    for which in BOTH {
        for nth in [1, 2] {
            let lab = Lab::new(which);
            lab.review(&[at(2, "alpha")]);
            let run = signalled(&lab, Signal::Terminate, |lab, hook| {
                lab.desk().fault(lab.on_request().nth(nth).before(hook));
                // Far longer than the run may take.
                lab.desk().fault(lab.on_request().nth(nth).hang_before(Duration::from_secs(100)));
            });
            run.exits(130);
            assert_eq!((lab.comments(), lab.summaries()), (vec![], vec![]));
            lab.desk().clear_faults();
            lab.post().exits(0);
            lab.stands(&["alpha"]);
        }
    }
}

/// The read-back after the last write hangs, and so does the look after a lost answer.
#[test]
fn one_signal_ends_a_hanging_look() {
    for which in BOTH {
        for lost in [false, true] {
            let lab = Lab::new(which);
            lab.review(&[at(2, "alpha")]);
            let list = match (which, lost) {
                (Which::GitHub, false) => Fault::on("GET", "/repos/*/*/pulls/*/comments"),
                _ => lab.on_look(),
            };
            let pattern = match (which, lost) {
                (Which::GitHub, false) => "/comments",
                (Which::GitHub, true) => "/reviews",
                (Which::GitLab, _) => "/discussions",
            };
            let run = signalled(&lab, Signal::Interrupt, |lab, hook| {
                if lost {
                    lab.desk().fault(lab.on_comments().cut_after());
                }
                // The plan's, and the one right before the first write, are let through.
                lab.desk().fault(list.clone().nth(3).before(hook));
                lab.desk().fault(list.nth(3).hang_before(Duration::from_secs(100)));
            });
            // GitHub's one answer names no comment: until they are read back, nobody has seen them.
            let code = if lost || which == Which::GitHub { 130 } else { 0 };
            assert_eq!(run.code(), code, "{which:?} {lost}\n{run}");
            assert_eq!(statuses(&run), [if lost { "unknown" } else { "posted" }], "{which:?}\n{run}");
            let reads = lab
                .desk()
                .requests()
                .iter()
                .filter(|r| r.line().starts_with("GET") && r.line().ends_with(pattern))
                .count();
            assert_eq!(reads, 3, "it was not tried again, {which:?} {lost}");
            lab.desk().clear_faults();
            lab.post().exits(0);
            lab.stands(&["alpha"]);
        }
    }
}

/// Found by the storm: the review was there, nobody had looked whether its comments were, and the run ended in 0.
#[test]
fn a_signal_that_cuts_off_the_read_back_is_not_a_whole_run() {
    let lab = Lab::new(Which::GitHub);
    lab.review(&[at(2, "alpha")]);
    let run = signalled(&lab, Signal::Interrupt, |lab, hook| {
        let hook = move || {
            hook();
            std::thread::sleep(Duration::from_millis(100));
        };
        lab.desk().fault(lab.on_comments().nth(1).before(hook));
    });
    let run = run.exits(130).says("interrupted: 1 of 1 comment posted").says("run the same command again");
    assert_eq!(statuses(&run), ["posted"]);
    lab.post().exits(0);
    lab.stands(&["alpha"]);
}

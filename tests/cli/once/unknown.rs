//! Answers that are lost, and what is made of them.

use std::time::Duration;

use super::ground::{BOTH, Lab, Which, at, statuses};
use crate::support::faults::Fault;
use crate::support::github;
use crate::support::gitlab;
use crate::support::server::Response;

type Lost = fn(Fault) -> Fault;

const LOST: [(&str, Lost); 5] = [
    ("cut", |on| on.cut_after()),
    ("502", |on| on.after_write(Response::html(502))),
    ("500", |on| on.after_write(Response::html(500))),
    ("half an answer", |on| on.half_after()),
    ("silence", |on| on.hang_after(Duration::from_secs(20))),
];

#[test]
fn c31_an_answer_that_is_lost_after_the_write_is_looked_for_and_never_asked_for_twice() {
    for which in BOTH {
        for (how, lost) in LOST {
            let lab = Lab::new(which);
            lab.review(&[at(3, "alpha"), at(6, "beta")]);
            lab.desk().fault(lost(lab.on_comments()));
            let answer = lab.post().exits(0);
            assert_eq!(statuses(&answer), ["posted", "posted"], "{which:?}, {how}\n{answer}");
            assert!(answer.json()["findings"][0]["url"].is_string(), "{which:?}, {how}\n{answer}");
            lab.stands(&["alpha", "beta"]);
        }
    }
}

#[test]
fn c57_a_502_that_wrote_nothing_is_unknown_and_a_rerun_completes() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(3, "alpha"), at(6, "beta")]);
        lab.desk().fault(lab.on_comments().instead(Response::html(502)));
        let first = lab.post().exits(6).says("in two minutes");
        assert_eq!(statuses(&first)[0], "unknown", "{first}");
        assert!(!first.err().contains("nothing was posted"), "{first}");
        lab.post().exits(0);
        lab.stands(&["alpha", "beta"]);
    }
}

#[test]
fn c31_where_the_look_fails_too_the_outcome_is_unknown_and_a_rerun_settles_it() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(3, "alpha"), at(6, "beta")]);
        lab.desk().fault(lab.on_comments().after_write(Response::html(502)));
        // Reads before the write are let through: the standing, and on GitHub the drafts.
        let reads = match which {
            Which::GitHub => 3,
            Which::GitLab => 3,
        };
        lab.desk().fault(lab.on_look().from(reads).instead(Response::html(500)));
        let first = lab.post().exits(6);
        assert_eq!(statuses(&first)[0], "unknown", "{which:?}\n{first}");
        assert_eq!(first.json()["findings"][0]["reason"]["code"], "no_answer");
        lab.desk().clear_faults();
        let second = lab.post().exits(0);
        assert_eq!(statuses(&second)[0], "already_posted", "{second}");
        lab.stands(&["alpha", "beta"]);
    }
}

#[test]
fn an_edit_of_the_summary_whose_answer_is_lost_is_settled_as_well() {
    let lab = Lab::new(Which::GitLab);
    lab.review(&[at(3, "alpha")]);
    lab.post().exits(0);
    lab.review(&[at(3, "alpha"), at(6, "beta")]);
    lab.desk().fault(Fault::on("PUT", "/projects/*/merge_requests/*/notes/*").after_write(Response::html(502)));
    let answer = lab.post().exits(0);
    assert_eq!(answer.json()["summary"]["status"], "updated");
    lab.stands(&["alpha", "beta"]);
}

#[test]
fn every_manner_of_throttling_is_waited_out_and_said() {
    let hub = [
        github::Throttle::Secondary403(3),
        github::Throttle::Secondary429(3),
        github::Throttle::Used403(1),
        github::Throttle::Used429(1),
        github::Throttle::TooQuickly,
        github::Throttle::Abuse,
    ];
    let lab = [gitlab::Throttle::WithHeaders(3), gitlab::Throttle::OfEndpoint, gitlab::Throttle::Plain];
    let all = hub.map(|t| (Which::GitHub, t.response())).into_iter();
    for (which, response) in all.chain(lab.map(|t| (Which::GitLab, t.response()))) {
        let lab = Lab::new(which);
        lab.review(&[at(3, "alpha")]);
        lab.desk().fault(lab.on_comments().instead(response));
        lab.post().exits(0).says("asks for a pause: waiting");
        lab.stands(&["alpha"]);
    }
}

#[test]
fn waiting_has_an_end_that_is_said_and_a_rerun_completes() {
    for (which, response) in
        [(Which::GitHub, github::Throttle::TooQuickly.response()), (Which::GitLab, gitlab::Throttle::Plain.response())]
    {
        let lab = Lab::new(which);
        lab.review(&[at(3, "alpha"), at(6, "beta")]);
        lab.desk().fault(lab.on_comments().every().instead(response));
        let answer = lab.post().exits(5);
        assert_eq!(statuses(&answer), ["not_attempted", "not_attempted"], "{answer}");
        assert_eq!(answer.json()["findings"][0]["reason"]["code"], "rate_limited");
        let seconds =
            answer.err().lines().filter_map(|line| line.split_once("waiting ")?.1.split_once(" s ")?.0.parse().ok());
        let seconds: Vec<u64> = seconds.collect();
        let all: u64 = seconds.iter().sum();
        // What the calls themselves take counts too, so a busy machine waits for less.
        assert!(seconds.len() > 1 && all <= 600, "ten minutes in all: {seconds:?}\n{answer}");
        assert!(answer.err().contains("(this run may wait "), "the bound is said\n{answer}");
        assert!(answer.err().contains("run again later"), "{answer}");
        lab.desk().clear_faults();
        lab.post().exits(0);
        lab.stands(&["alpha", "beta"]);
    }
}

//! What the forge lists against what was sent.

use super::ground::{BOTH, Forge, Lab, NUMBER, Which, at, statuses, warnings};
use crate::support::faults::Fault;
use crate::support::gitlab::NoteKind;
use crate::support::server::Response;

/// Runs when the first comment is stored, before its answer.
fn tamper(lab: &Lab, change: fn(&mut String)) {
    match &lab.forge {
        Forge::GitHub(forge) => {
            let stage = forge.stage.clone();
            forge.fault(lab.on_comments().after(move || {
                stage.pull(NUMBER, |pull| pull.comments.iter_mut().for_each(|c| change(&mut c.body)));
            }));
        }
        Forge::GitLab(forge) => {
            let stage = forge.stage.clone();
            forge.fault(lab.on_comments().after(move || {
                stage.request(NUMBER, |r| r.discussions.iter_mut().for_each(|d| change(&mut d.notes[0].body)));
            }));
        }
    }
}

#[test]
fn another_text_is_named_and_what_forges_do_to_line_ends_is_not() {
    type Change = fn(&mut String);
    let cases: [(Change, bool); 2] = [
        (|body| *body = body.replace("alpha", "altered"), true),
        (|body| *body = body.replace('\n', "\r\n") + "\r\n", false),
    ];
    for which in BOTH {
        for (change, named) in cases {
            let lab = Lab::new(which);
            lab.review(&[at(3, "alpha")]);
            tamper(&lab, change);
            let answer = lab.post().exits(0);
            let told = answer.json()["warnings"].as_array().expect("warnings").iter().any(|w| {
                w["code"] == "read_back"
                    && w["finding"] == 0
                    && w["message"].as_str().is_some_and(|m| m.contains("a.rs:3"))
            });
            assert_eq!(told, named, "{which:?}\n{answer}");
            assert_eq!(statuses(&answer), ["posted"]);
        }
    }
}

#[test]
fn another_text_of_the_summary_is_named() {
    let lab = Lab::new(Which::GitHub);
    lab.review(&[at(3, "alpha")]);
    for (on, word) in [(lab.on_comments(), "first"), (Fault::on("PUT", "/repos/*/*/pulls/*/reviews/*"), "second")] {
        // What was changed before is a person's word, and not written over.
        for summary in lab.summaries() {
            lab.edit(summary.id, |body| body.replace("Another judgement.", "The judgement."));
        }
        lab.review(&[at(3, "alpha"), at(20, word)]);
        let stage = lab.github().stage.clone();
        let change = |body: &str| body.replace("The judgement.", "Another judgement.");
        lab.desk().fault(on.after(move || {
            stage.pull(NUMBER, |pull| pull.reviews.iter_mut().for_each(|r| r.body = change(&r.body)));
        }));
        lab.post().exits(0).says("the summary that stands is not the one that was sent");
    }
    assert_eq!((lab.comments().len(), lab.summaries().len()), (1, 1));
}

#[test]
fn another_line_is_named() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(3, "alpha")]);
        match &lab.forge {
            Forge::GitHub(forge) => {
                let stage = forge.stage.clone();
                forge
                    .fault(lab.on_comments().after(move || stage.pull(NUMBER, |pull| pull.comments[0].place.line = 4)));
            }
            Forge::GitLab(forge) => {
                let stage = forge.stage.clone();
                forge.fault(lab.on_comments().after(move || {
                    stage.request(NUMBER, |request| {
                        let NoteKind::Diff(position) = &mut request.discussions[0].notes[0].kind else { return };
                        (position["old_line"], position["new_line"]) = (4.into(), 4.into());
                    });
                }));
            }
        }
        lab.post().exits(0).says("stands at").says("4");
    }
}

#[test]
fn a_comment_that_is_not_listed_is_named() {
    let lab = Lab::new(Which::GitHub);
    lab.review(&[at(3, "alpha"), at(6, "beta")]);
    let stage = lab.github().stage.clone();
    lab.desk().fault(lab.on_comments().after(move || stage.pull(NUMBER, |pull| drop(pull.comments.pop()))));
    lab.post().exits(0).says("does not list the comment at a.rs:6");
}

#[test]
fn a_list_that_cannot_be_read_is_a_warning_and_no_failure() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(3, "alpha")]);
        let broken = || Response::html(500);
        lab.desk().fault(match which {
            Which::GitHub => Fault::on("GET", "/repos/*/*/pulls/*/comments").from(3).instead(broken()),
            Which::GitLab => lab.on_look().from(3).instead(broken()),
        });
        let answer = lab.post().exits(0).says("could not be read back");
        assert_eq!((statuses(&answer), warnings(&answer)), (vec!["posted".to_owned()], vec!["read_back".to_owned()]));
    }
}

#[test]
fn a_note_without_its_position_is_demoted() {
    let lab = Lab::new(Which::GitLab);
    lab.review(&[at(3, "alpha"), at(6, "beta")]);
    lab.desk().fault(lab.on_comments().demote());
    let answer = lab.post().exits(6);
    assert_eq!(statuses(&answer), ["failed", "posted"]);
    assert_eq!(answer.json()["findings"][0]["reason"]["code"], "demoted");
}

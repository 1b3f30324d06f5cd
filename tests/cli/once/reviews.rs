//! Several reviews of one request: each has a summary and comments of its own, and none touches another's.

use std::fs;

use serde_json::{Value, json};

use super::ground::{BOTH, Lab, at, statuses, warnings};
use crate::support::run::Answer;

/// Writes a review file beside the repository's own folder of reviews, and gives its name as it is typed.
fn file(lab: &Lab, name: &str, review: &Value) -> String {
    let path = lab.clone.path().join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(&path, review.to_string()).expect("the review");
    name.to_owned()
}

fn review(lab: &Lab, verdict: &str, findings: &[Value]) -> Value {
    json!({ "head": lab.head, "summary": verdict, "findings": findings })
}

#[track_caller]
fn post(lab: &Lab, from: &str) -> Answer {
    lab.dai(["--yes", "--from", from]).run().exits(0)
}

#[track_caller]
fn count(lab: &Lab, word: &str) -> (usize, usize) {
    let comments = lab.comments().iter().filter(|comment| comment.body.contains(word)).count();
    let summaries = lab.summaries().iter().filter(|summary| summary.body.contains(word)).count();
    (comments, summaries)
}

#[test]
fn c54_two_review_files_have_a_summary_each_and_no_verdict_is_lost() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.write_review(&review(&lab, "verdict-one", &[at(3, "alpha"), at(20, "only-in-one")]));
        let words = [at(3, "beta"), at(6, "gamma"), at(20, "only-in-two")];
        let second = file(&lab, "second.json", &review(&lab, "verdict-two", &words));
        lab.post().exits(0);
        let answer = post(&lab, &second);
        assert_eq!(statuses(&answer), ["posted", "posted", "rejected"], "{which:?} {answer}");
        assert!(warnings(&answer).contains(&"other_review".to_owned()), "{answer}");
        let report = answer.json();
        let url = |finding: &Value| finding["url"].as_str().expect("a URL").to_owned();
        let first = lab.post().exits(0).json();
        let named = report["warnings"].as_array().expect("warnings").iter().any(|warning| {
            warning["finding"] == 0
                && warning["message"].as_str().is_some_and(|m| m.contains(&url(&first["findings"][0])))
        });
        assert!(named, "the comment of the other review at the same line is named: {answer}");

        let before = (lab.comments(), lab.summaries());
        lab.desk().forget_requests();
        for _ in 0..2 {
            assert_eq!(statuses(&lab.post().exits(0)), ["already_posted", "rejected"]);
            assert_eq!(statuses(&post(&lab, &second)), ["already_posted", "already_posted", "rejected"]);
        }
        assert_eq!(lab.desk().writes(), [], "{which:?}");
        assert_eq!((lab.comments(), lab.summaries()), before);
        for word in ["verdict-one", "verdict-two", "only-in-one", "only-in-two"] {
            assert_eq!(count(&lab, word), (0, 1), "{word} on {which:?}");
        }
        for word in ["alpha", "beta", "gamma"] {
            assert_eq!(count(&lab, word).0, 1, "{word} on {which:?}");
        }
    }
}

#[test]
fn each_edits_its_own_summary_whichever_was_there_before() {
    for which in BOTH {
        let lab = Lab::new(which);
        for round in ["first", "second"] {
            for name in ["one", "two"] {
                let verdict = format!("{round}-verdict-of-{name}");
                post(&lab, &file(&lab, &format!("{name}.json"), &review(&lab, &verdict, &[])));
            }
        }
        assert_eq!(lab.summaries().len(), 2, "{which:?}");
        for name in ["one", "two"] {
            assert_eq!(count(&lab, &format!("first-verdict-of-{name}")).1, 0, "{which:?}");
            assert_eq!(count(&lab, &format!("second-verdict-of-{name}")).1, 1, "{which:?}");
        }
    }
}

#[test]
fn a_reviewer_is_the_identity_whatever_the_file_is_called_and_is_shown() {
    for which in BOTH {
        let lab = Lab::new(which);
        let by =
            |reviewer: &str, word: &str| json!({ "head": lab.head, "reviewer": reviewer, "findings": [at(3, word)] });
        post(&lab, &file(&lab, "a.json", &by("claude", "alpha")));
        post(&lab, &file(&lab, "b.json", &by("another", "beta")));
        lab.desk().forget_requests();
        assert_eq!(statuses(&post(&lab, &file(&lab, "c.json", &by("claude", "alpha")))), ["already_posted"]);
        assert_eq!(statuses(&post(&lab, &file(&lab, "c.json", &by("another", "beta")))), ["already_posted"]);
        assert_eq!(lab.desk().writes(), [], "{which:?}");
        // An earlier wording holds a finding of the same review back.
        assert_eq!(statuses(&post(&lab, &file(&lab, "c.json", &by("claude", "gamma")))), ["suppressed"]);
        assert_eq!(count(&lab, "*Written by an AI reviewer (claude), posted with `dai` from this account.*"), (1, 1));
        assert_eq!(count(&lab, "**Reviewer:** claude"), (0, 1));
    }
}

#[test]
fn the_default_file_is_known_by_its_name_and_by_the_marks_of_version_0_1() {
    for which in BOTH {
        let lab = Lab::new(which);
        let review = review(&lab, "verdict", &[at(3, "alpha")]);
        lab.write_review(&review);
        lab.post().exits(0);
        let markers =
            lab.comments().into_iter().map(|comment| comment.body.lines().last().unwrap_or_default().to_owned());
        for marker in markers {
            let fields: Vec<_> =
                marker.split(' ').filter_map(|field| field.split_once('=')).map(|(name, _)| name).collect();
            assert_eq!(fields, ["finding", "place"], "a comment of the default file is marked as ever: {marker}");
        }
        lab.desk().forget_requests();
        let elsewhere = file(&lab, "elsewhere/22.json", &review);
        for from in [".dai/reviews/22.json", &elsewhere] {
            assert_eq!(statuses(&post(&lab, from)), ["already_posted"]);
        }
        assert_eq!(lab.desk().writes(), [], "{which:?}");
        // A file of another name is another review, and so is stdin.
        let other = fs::read(lab.file()).expect("the review");
        let piped = lab.dai(["--yes", "--from", "-"]).stdin(other).run().exits(0);
        assert_eq!(statuses(&piped), ["posted"]);
        assert_eq!(statuses(&post(&lab, &file(&lab, "22.txt", &review))), ["posted"]);
        assert_eq!(count(&lab, "verdict").1, 3, "{which:?}");
    }
}

//! Comments that a person deleted.

use std::fs;
use std::time::{Duration, SystemTime};

use serde_json::json;

use super::ground::{BOTH, Lab, at, statuses};
use crate::support::run::Answer;

/// A person deletes the comment with these words.
fn delete(lab: &Lab, words: &str) {
    let comments = lab.comments();
    let comment = comments.iter().find(|comment| comment.body.contains(words)).expect("a comment with these words");
    lab.delete(comment.id);
}

/// Exactly these comments are there. A review that completes another one on GitHub has a summary of its own.
#[track_caller]
fn has(lab: &Lab, words: &[&str]) {
    let comments = lab.comments();
    let are = words.iter().all(|words| comments.iter().filter(|comment| comment.body.contains(words)).count() == 1);
    assert!(are && comments.len() == words.len(), "{:?} {words:?}: {comments:#?}", lab.which());
}

/// The first finding is kept back because it was deleted.
fn is_kept_back(lab: &Lab, answer: &Answer, url: &str) {
    assert_eq!(statuses(answer)[0], "suppressed", "{:?} {answer}", lab.which());
    let reason = &answer.json()["findings"][0]["reason"];
    assert_eq!(reason["code"], "already_commented");
    let message = reason["message"].as_str().expect("a message");
    assert_eq!(message, format!("you posted this comment at {url}, and it is no longer there; --again posts it again"));
}

/// The address of the first finding's comment.
fn url(answer: &Answer) -> String {
    answer.json()["findings"][0]["url"].as_str().expect("an address").to_owned()
}

/// The receipt is as old as this.
fn age(lab: &Lab, age: Duration) {
    let file = fs::File::options().write(true).open(lab.receipt()).expect("a receipt");
    file.set_modified(SystemTime::now() - age).expect("a time");
}

const WEEK: Duration = Duration::from_secs(7 * 86_400);

#[test]
fn a_deleted_comment_is_posted_again_only_with_again() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(3, "alpha"), at(6, "beta")]);
        let url = url(&lab.post().exits(0));
        delete(&lab, "alpha");
        let preview = lab.dai([]).run().exits(0).json();
        assert_eq!(preview["findings"][0]["status"], "ready", "the list may trail: {preview}");
        for _ in 0..2 {
            let answer = lab.post().exits(0);
            is_kept_back(&lab, &answer, &url);
            assert_eq!(statuses(&answer)[1], "already_posted");
            has(&lab, &["beta"]);
        }
        is_kept_back(&lab, &lab.dai([]).run().exits(0), &url);
        age(&lab, WEEK);
        is_kept_back(&lab, &lab.post().exits(0), &url);
        assert_eq!(statuses(&lab.dai(["--yes", "--again"]).run().exits(0))[0], "posted");
        has(&lab, &["alpha", "beta"]);
        assert_eq!(statuses(&lab.post().exits(0)), ["already_posted", "already_posted"]);
        delete(&lab, "alpha");
        let held = lab.post().exits(0).json();
        let message = held["findings"][0]["reason"]["message"].as_str().expect("a message").to_owned();
        assert!(message.contains("no longer there"), "{message}");
        has(&lab, &["beta"]);
    }
}

/// One receipt per request: another review's post leaves in it what is known of the first one's comments.
#[test]
fn a_deletion_outlives_the_post_of_another_review() {
    for which in BOTH {
        let lab = Lab::new(which);
        let findings = json!([at(3, "alpha")]);
        lab.review(&[at(3, "alpha")]);
        let url = url(&lab.post().exits(0));
        let other = json!({ "head": lab.head, "reviewer": "other", "findings": [at(6, "beta")] });
        lab.write_review(&other);
        lab.post().exits(0);
        delete(&lab, "alpha");
        assert_eq!(statuses(&lab.post().exits(0)), ["already_posted"]);
        lab.write_review(&json!({ "head": lab.head, "findings": findings }));
        is_kept_back(&lab, &lab.post().exits(0), &url);
        assert_eq!(lab.comments().len(), 1, "{which:?}");
    }
}

/// A receipt that is lost, of another project or tracked by git says nothing; the comment is posted again.
#[test]
fn a_lost_foreign_or_tracked_receipt_keeps_nothing_back() {
    for which in BOTH {
        for case in ["lost", "foreign", "tracked"] {
            let lab = Lab::new(which);
            lab.review(&[at(3, "alpha")]);
            lab.post().exits(0);
            lab.post().exits(0);
            delete(&lab, "alpha");
            match case {
                "lost" => fs::remove_file(lab.receipt()).expect("a receipt"),
                "foreign" => {
                    let text = fs::read_to_string(lab.receipt()).expect("a receipt");
                    fs::write(lab.receipt(), text.replace("acme/widgets", "acme/gadgets")).expect("a receipt");
                }
                _ => drop(lab.clone.git(&["add", "--force", ".dai/reviews/22.posted.json"])),
            }
            assert_eq!(statuses(&lab.post().exits(0)), ["posted"], "{which:?} {case}");
            has(&lab, &["alpha"]);
        }
    }
}

/// What somebody took the marker out of is there to be read, and nothing says that it is gone.
#[test]
fn a_comment_that_lost_its_marker_is_not_deleted() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(3, "alpha")]);
        lab.post().exits(0);
        lab.post().exits(0);
        lab.edit(lab.comments()[0].id, |_| "alpha, in my words".to_owned());
        assert_eq!(statuses(&lab.post().exits(0)), ["posted"], "{which:?}");
    }
}

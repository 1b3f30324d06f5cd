//! Pushes between two runs: each comment is recognised by where it was made, whatever the push did around it.

use serde_json::{Value, json};

use super::ground::{BOTH, Forge, Lab, PROJECT, Which, at, changed, numbered, statuses};
use crate::support::repo::{Cloned, ShaWants};

fn on(path: &str, side: &str, line: u32, body: &str) -> Value {
    json!({"path": path, "side": side, "line": line, "severity": "high", "body": body})
}

/// Commits what is written, makes it the head, and posts again.
#[track_caller]
fn push_and_post(lab: &Lab, message: &str) -> Vec<String> {
    let moved = lab.work.commit(message);
    lab.push(&moved);
    lab.desk().forget_requests();
    let answer = lab.dai(["--yes", "--trace"]).run().exits(0);
    statuses(&answer)
}

#[test]
fn c52_an_equal_line_added_above_or_made_equal_is_no_reason_to_post_again() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[
            at(51, "alpha"),
            json!({"path": "a.rs", "line": 8, "end_line": 9, "severity": "low", "body": "beta"}),
        ]);
        lab.post().exits(0);
        let added = changed().replace("line 3\n", "line 3\nadded fifty\n");
        lab.work.write("a.rs", &added);
        assert_eq!(push_and_post(&lab, "equal line above"), ["already_posted"; 2], "{which:?}");
        let edited = added.replace("line 2\n", "added fifty\n").replace("line 1\n", "line 7\nline 8\n");
        lab.work.write("a.rs", edited);
        assert_eq!(push_and_post(&lab, "made equal"), ["already_posted"; 2], "{which:?}");
        assert_eq!(lab.desk().writes(), [], "{which:?}");
        lab.stands(&["alpha", "beta"]);
    }
}

#[test]
fn c52_a_file_that_the_request_added_or_renamed_is_renamed_again() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.work.write("made.rs", numbered(9));
        let head = lab.work.commit("a longer one");
        lab.push(&head);
        let findings = [
            on("made.rs", "RIGHT", 2, "of-the-added"),
            on("new.rs", "RIGHT", 10, "of-the-renamed"),
            on("old.rs", "LEFT", 10, "left-by-the-old-name"),
            on("new.rs", "LEFT", 8, "left-by-the-new-name"),
        ];
        lab.write_review(&json!({"head": head, "findings": findings}));
        assert_eq!(statuses(&lab.post().exits(0)), ["posted"; 4], "{which:?}");
        let words = ["of-the-added", "of-the-renamed", "left-by-the-old-name", "left-by-the-new-name"];
        for round in 0..2 {
            let name = |stem: &str, round: u32| format!("{stem}{}", "er".repeat(round as usize));
            let (made, new) = if round == 0 {
                ("made.rs".into(), "new.rs".into())
            } else {
                (name("made", round), name("new", round))
            };
            lab.work.rename(made, name("made", round + 1)).rename(new, name("new", round + 1));
            let text = format!("first\n{}", numbered(20).replace("line 10\n", "line ten\n"));
            lab.work.write(name("new", round + 1), text);
            assert_eq!(push_and_post(&lab, "renamed again"), ["already_posted"; 4], "{which:?}, round {round}");
            assert_eq!(lab.desk().writes(), [], "{which:?}, round {round}");
            lab.stands(&words);
        }
    }
}

#[test]
fn c53_the_same_words_at_a_second_equal_line_are_a_second_comment() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(51, "alpha")]);
        lab.post().exits(0);
        // The new line is above, and so has the ordinal that the first one had.
        lab.work.write("a.rs", changed().replace("line 3\n", "line 3\nadded fifty\n"));
        let moved = lab.work.commit("a second equal line");
        lab.push(&moved);
        lab.write_review(&json!({"head": moved, "findings": [at(4, "alpha"), at(52, "alpha")]}));
        assert_eq!(statuses(&lab.post().exits(0)), ["posted", "already_posted"], "{which:?}");
        let lines: Vec<_> = lab.comments().iter().map(|c| c.new_line).collect();
        assert_eq!(lines, [Some(51), Some(4)], "{which:?}");
        lab.desk().forget_requests();
        assert_eq!(statuses(&lab.post().exits(0)), ["already_posted"; 2], "{which:?}");
        assert_eq!(lab.desk().writes(), [], "{which:?}");
    }
}

#[test]
fn a_finding_whose_line_was_changed_is_told_as_stale_with_the_comment_that_it_has() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(51, "alpha")]);
        lab.post().exits(0);
        lab.work.write("a.rs", changed().replace("added fifty\n", "added fifty-one\n"));
        let moved = lab.work.commit("touched");
        lab.push(&moved);
        let answer = lab.dai(["--yes", "--trace"]).run().exits(0);
        let finding = &answer.json()["findings"][0];
        assert_eq!((&finding["status"], &finding["reason"]["code"]), (&json!("rejected"), &json!("stale")), "{answer}");
        assert!(finding["url"].as_str().is_some_and(|url| url.contains("22")), "{which:?}: {finding}");
        assert_eq!(lab.comments().len(), 1, "{which:?}");
    }
}

#[test]
fn another_wording_is_kept_back_at_the_line_where_the_comment_is_now() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(51, "alpha")]);
        lab.post().exits(0);
        lab.work.write("a.rs", changed().replace("line 3\n", "line 3\nadded fifty\n"));
        let moved = lab.work.commit("an equal line above");
        lab.push(&moved);
        lab.write_review(&json!({"head": moved, "findings": [at(4, "beta"), at(52, "gamma")]}));
        let answer = lab.post().exits(0);
        assert_eq!(statuses(&answer), ["posted", "suppressed"], "{which:?}\n{answer}");
        assert_eq!(answer.json()["findings"][1]["reason"]["code"], "already_commented");
    }
}

/// A branch that was rewritten, and a clone that has never seen what was there before.
fn rewritten(lab: &mut Lab) {
    lab.review(&[at(3, "alpha")]);
    lab.post().exits(0);
    lab.work.write("a.rs", changed().replace("line 1\n", "line 3\n"));
    let second = lab.work.commit("second");
    lab.push(&second);
    lab.write_review(&json!({"head": second, "findings": [at(3, "alpha"), at(51, "beta")]}));
    assert_eq!(statuses(&lab.post().exits(0)), ["already_posted", "posted"]);
    lab.work.git(&["reset", "--quiet", "--hard", &lab.base]);
    lab.work.write("a.rs", changed().replace("line 2\n", "line 3\nline 2\nadded fifty\n"));
    let head = lab.work.commit("rewritten");
    lab.push(&head);
    let url = match &lab.forge {
        Forge::GitHub(forge) => forge.clone_url(PROJECT),
        Forge::GitLab(forge) => forge.clone_url(PROJECT),
    };
    lab.clone = Cloned::of(url).shallow(1).make();
    lab.write_review(&json!({"head": head, "findings": [at(5, "alpha"), at(53, "beta")]}));
}

/// How often git came, one way or another.
fn fetches(lab: &Lab) -> usize {
    lab.desk().git_requests().iter().filter(|recorded| recorded.line().ends_with("/info/refs")).count()
}

#[test]
fn the_commits_of_comments_are_fetched_in_one_call_and_not_when_they_are_there() {
    for which in BOTH {
        let mut lab = Lab::new(which);
        rewritten(&mut lab);
        lab.desk().forget_requests();
        let answer = lab.post().exits(0);
        assert_eq!(statuses(&answer), ["already_posted"; 2], "{which:?}\n{answer}");
        let first = fetches(&lab);
        lab.desk().forget_requests();
        assert_eq!(statuses(&lab.post().exits(0)), ["already_posted"; 2], "{which:?}");
        assert_eq!((first, fetches(&lab)), (2, 0), "the head, and all commits of comments at once: {which:?}");
    }
}

#[test]
fn a_commit_that_is_gone_leaves_its_comments_to_their_markers_and_the_others_to_their_places() {
    let mut lab = Lab::new(Which::GitLab);
    rewritten(&mut lab);
    // As a forge does in time with commits that no ref has; a ref is left of the first of the two.
    let upstream = lab.gitlab().upstream(PROJECT);
    upstream.set_ref("refs/heads/left", &lab.head);
    upstream.git(&["reflog", "expire", "--expire=now", "--all"]);
    upstream.git(&["gc", "--quiet", "--prune=now"]);
    lab.desk().forget_requests();
    let answer = lab.dai(["-v"]).run().exits(0);
    // Both have an equal line above that was not there: by its place alpha, by its marker beta is another one.
    assert_eq!(statuses(&answer), ["already_posted", "ready"], "{answer}");
    assert!(answer.err().contains("recognised by their markers alone"), "{answer}");
    assert_eq!(fetches(&lab), 3, "the head, all commits of comments, and those again without the one that is gone");
    lab.work.write("a.rs", changed().replace("line 2\n", "line 3\nline 2\n"));
    let head = lab.work.commit("without the line above beta");
    lab.push(&head);
    lab.write_review(&json!({"head": head, "findings": [at(4, "alpha"), at(52, "beta")]}));
    assert_eq!(statuses(&lab.dai([]).run().exits(0)), ["already_posted"; 2]);
}

#[test]
fn a_server_that_gives_out_no_bare_ids_leaves_the_comments_to_their_markers() {
    for which in BOTH {
        let mut lab = Lab::new(which);
        rewritten(&mut lab);
        let upstream = match &lab.forge {
            Forge::GitHub(forge) => forge.upstream(PROJECT),
            Forge::GitLab(forge) => forge.upstream(PROJECT),
        };
        upstream.sha_wants(ShaWants::TipsOnly);
        lab.work.write("a.rs", changed().replace("line 2\n", "line 2\nadded fifty\n"));
        let head = lab.work.commit("no equal line above alpha any more");
        lab.push(&head);
        lab.write_review(&json!({"head": head, "findings": [at(4, "alpha"), at(52, "beta")]}));
        assert_eq!(statuses(&lab.dai([]).run().exits(0)), ["already_posted", "ready"], "{which:?}");
    }
}

//! Whose markers count.

use serde_json::Value;

use super::ground::{BOTH, Forge, Lab, NUMBER, Which, at, statuses, warnings};
use crate::support::faults::Fault;
use crate::support::github::{self, Account, Place, ReviewState, Side};
use crate::support::gitlab::{NoteKind, User};
use crate::support::server::Response;

/// Stores these texts as somebody's comment and summary.
fn store(lab: &Lab, login: &str, comment: &str, summary: &str) {
    match &lab.forge {
        Forge::GitHub(forge) => {
            let user = || github::User::person(login);
            let review = forge.stage.review(NUMBER, user(), ReviewState::Commented, summary);
            let place = Place { path: "a.rs".into(), side: Side::Right, start_line: None, line: 3 };
            forge.stage.comment(NUMBER, Some(review), user(), place, comment);
        }
        Forge::GitLab(forge) => {
            forge.stage.note(NUMBER, User::person(login), NoteKind::Thread, comment);
            forge.stage.note(NUMBER, User::person(login), NoteKind::Plain, summary);
        }
    }
}

fn texts(report: &Value) -> (String, String) {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    (text(&report["findings"][0]["body"]), text(&report["summary"]["body"]))
}

#[test]
fn c35_a_strangers_marker_is_not_trusted_and_is_said() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(3, "alpha")]);
        let (comment, summary) = texts(&lab.dai([]).run().exits(0).json());
        store(&lab, "mallory", &comment, &summary);
        let preview = lab.dai([]).run().exits(0);
        assert_eq!(statuses(&preview), ["ready"]);
        let posted = lab.post().exits(0).says("mallory");
        assert_eq!(statuses(&posted), ["posted"]);
        assert!(warnings(&posted).contains(&"marked_by_other".to_owned()), "{posted}");
        let own = lab.comments().into_iter().filter(|c| c.author == "ann").count();
        let summaries = lab.summaries().into_iter().filter(|s| s.author == "ann").count();
        assert_eq!((own, summaries), (1, 1), "{which:?}");
        assert_eq!(statuses(&lab.post().exits(0)), ["already_posted"]);
    }
}

#[test]
fn c46_an_app_knows_its_own_by_their_type_and_says_those_of_a_colleague() {
    for account in [Account::app("reviewer"), Account::actions()] {
        let lab = Lab::new(Which::GitHub);
        lab.github().stage.account("secret", account.clone());
        lab.review(&[at(3, "alpha")]);
        let (comment, summary) = texts(&lab.dai([]).run().exits(0).json());
        store(&lab, "colleague", &comment, &summary);
        let posted = lab.post().exits(0).says("colleague");
        assert_eq!(statuses(&posted), ["posted"], "a colleague's run does not count");
        let again = lab.post().exits(0);
        assert_eq!(statuses(&again), ["already_posted"]);
        assert!(warnings(&again).contains(&"marked_by_other".to_owned()), "{again}");
        let own = lab.comments().into_iter().filter(|c| c.author == account.user.login).count();
        assert_eq!(own, 1);
    }
}

/// An app's token, or an Actions run's, knows its own by their being a bot's; what a person's token posts is no bot's, and would
/// be posted anew each time.
#[test]
fn on_github_a_persons_token_that_may_not_ask_who_it_is_posts_nothing() {
    let refused = |status, message: &str| Response::json(status, &serde_json::json!({ "message": message }));
    for (begin, refusal) in [
        ("ghp_", refused(403, "Forbidden")),
        ("gho_", refused(404, "Not Found")),
        ("ghu_", refused(403, "Resource not accessible by integration")),
        ("github_pat_", refused(403, "Resource not accessible by personal access token")),
    ] {
        let lab = Lab::new(Which::GitHub);
        let token = format!("{begin}0123456789abcdefghijABCDEFGHIJ0123");
        lab.github().stage.account(&token, Account::person("ann"));
        let run = |args: &[&str]| lab.dai(args.iter().copied()).env("GH_ENTERPRISE_TOKEN", &token).run();
        lab.review(&[at(3, "alpha")]);
        run(&["--yes"]).exits(0);
        lab.desk().forget_requests();
        lab.desk().fault(Fault::on("GET", "/user").every().instead(refusal));
        let preview = run(&["-vv"]).exits(0);
        assert_eq!(warnings(&preview), ["not_compared"], "{preview}");
        let post = run(&["--yes", "-vv"]).exits(8);
        for answer in [&preview, &post] {
            assert!(!answer.err().contains(&token) && !answer.out().contains(&token), "{answer}");
        }
        post.says("could not know its own comments").says("GH_ENTERPRISE_TOKEN");
        assert_eq!(lab.desk().writes(), []);
        lab.stands(&["alpha"]);
    }
}

/// GitLab has no type of account that would tell a bot's notes: whoever cannot know its own would post them anew each time.
#[test]
fn on_gitlab_a_token_that_may_not_ask_who_it_is_posts_nothing() {
    for refusal in [
        Response::json(403, &serde_json::json!({ "error": "insufficient_scope", "scope": "read_user" })),
        Response::json(404, &serde_json::json!({ "message": "404 Not Found" })),
    ] {
        let lab = Lab::new(Which::GitLab);
        lab.review(&[at(3, "alpha")]);
        lab.desk().fault(Fault::on("GET", "/user").every().instead(refusal));
        let preview = lab.dai([]).run().exits(0);
        assert!(warnings(&preview).contains(&"not_compared".to_owned()), "{preview}");
        for _ in 0..2 {
            lab.post().exits(8).says("could not know its own comments").says("GITLAB_TOKEN");
        }
        assert_eq!(lab.desk().writes(), []);
    }
}

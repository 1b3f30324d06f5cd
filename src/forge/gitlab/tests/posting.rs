//! Posting.

use super::super::GitLab;
use super::fake::{Fake, On, REQUEST, body, comments, exit, run, run_with, sha, text, words};
use crate::change::CommitId;
use crate::consent::of_a_typed_yes;
use crate::exit::Exit;
use crate::forge::loopback::block_on;
use crate::forge::{Access, Expectation, FailCode, Forge, ItemOutcome, Post, SummaryOutcome, SummaryPlan};
use crate::gate::OwnSummary;
use crate::text::Alarm;
use crate::text::marker::{ReviewId, Tag, words_tag};
use crate::text::{Dialect, own_words};
use crate::warning::Code;
use serde_json::json;

#[test]
fn a_discussion_for_each_comment_and_then_the_summary() {
    let fake = Fake::new(&[]);
    let outcome = run(&fake, 2);
    let posted = |n: usize| ItemOutcome::Posted { url: Some(format!("https://h/4#note_{n}")) };
    assert_eq!(outcome.items, [posted(0), posted(1)]);
    assert_eq!(outcome.summary, SummaryOutcome::Posted { url: Some("https://h/4#note_2".into()) });
    assert_eq!((outcome.warnings.as_slice(), outcome.stop.is_none()), (&[][..], true));
    let writes = fake.writes();
    let call = |n: usize| writes[n].call();
    assert_eq!(call(0), format!("POST {REQUEST}/discussions"));
    assert_eq!(call(2), format!("POST {REQUEST}/notes"));
    assert_eq!(writes[0].headers["private-token"], "s3cret");
    assert_eq!(
        writes[0].json(),
        json!({
            "body": body(0),
            "position": {
                "position_type": "text", "base_sha": sha('b'), "start_sha": sha('5'), "head_sha": sha('a'),
                "old_path": "old.rs", "new_path": "new.rs", "old_line": 10, "new_line": 20,
            },
        })
    );
    assert_eq!(fake.bodies(), [body(0), body(1), text(&outcome.items)]);
}

#[test]
fn c30_a_refused_discussion_is_its_own_affair_and_the_summary_tells_the_truth() {
    for status in [400, 404, 413, 422] {
        let fake = Fake::new(&[On::Write, On::Answer(status)]);
        let outcome = run(&fake, 3);
        assert_eq!(words(&outcome), ["posted", "forge_refused", "posted"], "{status}");
        assert_eq!((exit(&outcome), fake.writes().len()), (Exit::Done, 4));
        assert!(fake.bodies()[2].starts_with("2 posted"), "{:?}", fake.bodies());
    }
}

#[test]
fn a_summary_that_would_act_is_not_sent() {
    let fake = Fake::new(&[On::Write, On::Answer(400)]);
    // Only once the forge's own words are in it is there anything to refuse.
    let text = |items: &[ItemOutcome]| match items.iter().any(|item| matches!(item, ItemOutcome::Failed { .. })) {
        true => Err(Alarm::Command { line: 3 }),
        false => Ok(text(items)),
    };
    let commit = CommitId::parse(&sha('a')).unwrap();
    let (comments, summary) = (comments(2), SummaryPlan::Write);
    let (base_branch, merge_base) = ("main".to_owned(), CommitId::parse(&sha('b')).unwrap());
    let expectation = Expectation::None;
    let post = Post {
        by: ReviewId::Default,
        commit,
        base_branch,
        merge_base,
        comments,
        summary,
        text: &text,
        expectation,
        settled: &|_| {},
    };
    let outcome = block_on(async { fake.gitlab().post(4, &post, of_a_typed_yes()).await });
    assert_eq!(words(&outcome), ["posted", "forge_refused"]);
    assert!(
        matches!(&outcome.summary, SummaryOutcome::Failed { message } if message.contains("line 3")),
        "{outcome:?}"
    );
    assert_eq!((exit(&outcome), fake.writes().len(), outcome.summary_text), (Exit::Forge, 2, None));
}

#[test]
fn a_refused_token_or_a_long_throttle_stops_the_run_and_the_summary() {
    for (status, first, rest, code) in [
        (401, "forge_refused", "not attempted", Exit::Token),
        (403, "forge_refused", "not attempted", Exit::Token),
        (429, "rate_limited", "rate_limited", Exit::Forge),
    ] {
        let fake = Fake::new(&[On::Write, On::Answer(status)]);
        let outcome = run(&fake, 4);
        assert_eq!(words(&outcome), ["posted", first, rest, rest], "{status}");
        assert!(matches!(outcome.summary, SummaryOutcome::NotAttempted { .. }), "{outcome:?}");
        assert_eq!((exit(&outcome), fake.writes().len()), (code, 2));
    }
}

#[test]
fn c31_a_lost_answer_is_found_again_and_never_sent_twice() {
    for on in [On::WriteAnd500, On::WriteAndCut] {
        let fake = Fake::new(&[on, on, on]);
        let outcome = run(&fake, 2);
        assert_eq!((words(&outcome), exit(&outcome)), (vec!["posted", "posted"], Exit::Done));
        assert_eq!(outcome.summary, SummaryOutcome::Posted { url: Some("https://h/4#note_2".into()) });
        assert_eq!(fake.bodies().len(), 3);
    }
}

#[test]
fn c57_a_500_that_wrote_nothing_is_unknown_and_stops_the_run() {
    let fake = Fake::new(&[On::Only500]);
    let outcome = run(&fake, 2);
    assert_eq!((words(&outcome), exit(&outcome)), (vec!["unknown", "not attempted"], Exit::Partial));
    assert_eq!(fake.bodies().len(), 0);
}

#[test]
fn an_outcome_that_a_look_cannot_settle_stops_the_run() {
    let fake = Fake::new(&[On::Write, On::Then500]);
    let outcome = run(&fake, 3);
    assert_eq!(words(&outcome), ["posted", "unknown", "not attempted"]);
    assert_eq!((exit(&outcome), fake.writes().len()), (Exit::Partial, 2));
}

#[test]
fn a_comment_without_its_position_is_demoted() {
    let fake = Fake::new(&[On::Demote]);
    let outcome = run(&fake, 2);
    assert!(
        matches!(&outcome.items[0], ItemOutcome::Failed { code: FailCode::Demoted, message } if message.contains("#note_0"))
    );
    assert_eq!(words(&outcome)[1], "posted");
}

#[test]
fn c33_the_head_is_checked_before_the_first_write_and_a_later_move_is_said() {
    let fake = Fake::with(&[], |store| store.head = sha('c'));
    let outcome = run(&fake, 1);
    assert_eq!((words(&outcome), exit(&outcome), fake.writes().len()), (vec!["head_moved"], Exit::Stale, 0));

    let fake = Fake::new(&[On::Push]);
    let outcome = run(&fake, 2);
    assert_eq!((words(&outcome), exit(&outcome)), (vec!["posted", "posted"], Exit::Done));
    assert_eq!(outcome.warnings.iter().map(|w| w.code).collect::<Vec<_>>(), [Code::HeadMoved]);
}

#[test]
fn c33_a_push_between_the_reads_before_the_first_write_is_seen() {
    for reads in [0, 1] {
        let fake = Fake::with(&[], |store| store.push_after = Some((reads, sha('c'))));
        let outcome = run(&fake, 1);
        assert_eq!(
            (words(&outcome), exit(&outcome), fake.writes().len()),
            (vec!["head_moved"], Exit::Stale, 0),
            "{reads}"
        );
    }
    // Its diff is not waited for: the request is read once.
    let fake = Fake::with(&[], |store| (store.head, store.unready) = (sha('c'), 99));
    let outcome = run(&fake, 1);
    assert_eq!((words(&outcome), exit(&outcome)), (vec!["head_moved"], Exit::Stale));
    assert_eq!(fake.store.lock().unwrap().reads, 1);
}

#[test]
fn after_a_lost_answer_a_note_of_somebody_else_is_not_taken_for_the_own_one() {
    let fake = Fake::new(&[On::OnlyBobs500]);
    let outcome = run(&fake, 1);
    assert_eq!((words(&outcome), exit(&outcome)), (vec!["unknown"], Exit::Partial));
    assert_eq!(fake.bodies().len(), 1, "bob's alone");
}

#[test]
fn locked_and_archived_are_refused_before_the_first_write() {
    for fake in [Fake::with(&[], |store| store.locked = true), Fake::with(&[], |store| store.archived = true)] {
        let outcome = run(&fake, 1);
        assert_eq!((words(&outcome), exit(&outcome)), (vec!["not attempted"], Exit::Forge));
        assert_eq!(fake.writes().len(), 0);
    }
}

#[test]
fn without_a_token_nothing_is_sent_and_nothing_is_ours() {
    let fake = Fake::new(&[]);
    let gitlab = GitLab::new(&Access { token: None, ..fake.access() }).unwrap();
    let commit = CommitId::parse(&sha('a')).unwrap();
    let post = Post {
        by: ReviewId::Default,
        commit,
        base_branch: "main".into(),
        merge_base: CommitId::parse(&sha('b')).unwrap(),
        comments: comments(1),
        summary: SummaryPlan::Write,
        text: &|items| Ok(text(items)),
        expectation: Expectation::None,
        settled: &|_| {},
    };
    let outcome = block_on(async { gitlab.post(4, &post, of_a_typed_yes()).await });
    assert_eq!((exit(&outcome), fake.server.calls().len()), (Exit::Token, 0));
    let help = outcome.stop.unwrap().help();
    assert!(help.contains("GITLAB_TOKEN") && help.contains("`api`") && help.contains("CI_JOB_TOKEN"), "{help}");
    assert_eq!(block_on(async { gitlab.standing(4).await }).unwrap(), Default::default());
    assert_eq!(fake.server.calls().len(), 0);
}

#[test]
fn a_summary_is_edited_only_where_it_is_not_true_anymore() {
    let own = |stored: &str| OwnSummary {
        by: ReviewId::Default,
        words: own_words(stored, Dialect::GitHub, &[]),
        id: 0,
        review: Tag([1; 8]),
        head: CommitId::parse(&sha('a')).unwrap(),
        body: stored.into(),
        url: Some("https://h/4#note_0".into()),
    };
    let head = sha('a');
    let old =
        format!("old\n\n<!-- dai v1 review=0101010101010101 head={head} text={} -->\nEdit: done", words_tag("old"));
    let url = Some("https://h/4#note_0".to_owned());
    for (stored, expected, writes) in [
        (old.clone(), SummaryOutcome::Updated { url: url.clone() }, 1),
        (text(&[]) + "\r\n", SummaryOutcome::AlreadyPosted { url: url.clone() }, 0),
        (old.replace("old\n", "old, says Ann\n"), SummaryOutcome::AlreadyPosted { url }, 0),
    ] {
        let author = json!({"id": 7, "username": "me"});
        let note = json!({"id": 0, "type": null, "body": stored, "author": author, "position": null});
        let fake = Fake::with(&[], |store| store.notes.push(note.clone()));
        let outcome = run_with(&fake, vec![], SummaryPlan::Update(own(&stored)));
        assert_eq!((outcome.summary, fake.writes().len()), (expected, writes));
        let stands = fake.store.lock().unwrap().notes[0]["body"].as_str().unwrap().to_owned();
        let expected = if writes == 1 { text(&[]) + "\nEdit: done" } else { stored };
        assert_eq!(stands, expected, "what people wrote stays");
    }
}

/// Raises the interrupt once the first comment is dealt with.
struct AfterOne(crate::forge::Interrupt);

impl crate::forge::Progress for AfterOne {
    fn event(&self, event: crate::forge::Event<'_>) {
        if let crate::forge::Event::Posting { done: 1, .. } = event {
            self.0.raise();
        }
    }
}

#[test]
fn an_interrupt_stops_before_the_next_write_and_what_stands_is_told() {
    let fake = Fake::new(&[]);
    let interrupt = crate::forge::Interrupt::default();
    let progress = std::sync::Arc::new(AfterOne(interrupt.clone()));
    let gitlab = GitLab::new(&Access { interrupt, progress, ..fake.access() }).unwrap();
    let commit = CommitId::parse(&sha('a')).unwrap();
    let post = Post {
        by: ReviewId::Default,
        commit,
        base_branch: "main".into(),
        merge_base: CommitId::parse(&sha('b')).unwrap(),
        comments: comments(3),
        summary: SummaryPlan::Write,
        text: &|items| Ok(text(items)),
        expectation: Expectation::None,
        settled: &|_| {},
    };
    let outcome = block_on(async { gitlab.post(4, &post, of_a_typed_yes()).await });
    assert_eq!(words(&outcome), ["posted", "interrupted", "interrupted"]);
    assert_eq!((exit(&outcome), fake.writes().len()), (Exit::Interrupted, 1));
}

#[test]
fn a_moved_project_is_written_to_by_its_number() {
    let fake = Fake::with(&[], |store| store.moved = true);
    let outcome = run(&fake, 1);
    assert_eq!((words(&outcome), exit(&outcome)), (vec!["posted"], Exit::Done));
    let calls: Vec<_> = fake.writes().iter().map(|seen| seen.call()).collect();
    assert!(calls.iter().all(|call| call.contains("/projects/1/merge_requests/4/")), "{calls:?}");
}

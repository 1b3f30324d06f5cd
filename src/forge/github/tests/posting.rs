//! Posting.

use super::super::GitHub;
use super::fake::{CLAUSES, Fake, On, Store, body, exit, posted, run, run_two, sha, text, two, user};
use crate::change::CommitId;
use crate::consent::of_a_typed_yes;
use crate::exit::Exit;
use crate::forge::loopback::{access, block_on};
use crate::forge::{Expectation, Forge, HeldCode, ItemOutcome, Post, SummaryOutcome, SummaryPlan, Trouble};
use crate::gate::OwnSummary;
use crate::text::marker::{ReviewId, Tag, words_tag};
use crate::text::{Dialect, own_words};
use serde_json::json;

#[test]
fn one_call_carries_everything_and_is_read_back() {
    let fake = Fake::new(On::Write);
    let outcome = run_two(&fake);
    assert_eq!(outcome.items, posted(["https://h/r0c0", "https://h/r0c1"]));
    assert_eq!(outcome.summary, SummaryOutcome::Posted { url: Some("https://h/r0".into()) });
    assert_eq!(outcome.warnings, []);
    assert_eq!(
        fake.posts(),
        [json!({
            "commit_id": sha('a'), "event": "COMMENT", "body": text(&[]),
            "comments": [
                {"path": "a.rs", "start_line": 5, "start_side": "RIGHT", "line": 7, "side": "RIGHT", "body": body(1)},
                {"path": "b.rs", "line": 9, "side": "LEFT", "body": body(2)},
            ],
        })]
    );
}

#[test]
fn c31_a_lost_answer_is_found_again_and_never_sent_twice() {
    for on in [On::WriteAndCut, On::WriteAnd502] {
        let fake = Fake::new(on);
        let outcome = run_two(&fake);
        assert_eq!(outcome.items, posted(["https://h/r0c0", "https://h/r0c1"]));
        assert_eq!((exit(&outcome), fake.posts().len()), (Exit::Done, 1));
    }
}

#[test]
fn an_equal_review_that_stands_whole_is_not_sent_once_more() {
    let earlier = json!({"id": 0, "user": user(), "body": text(&[]), "state": "COMMENTED", "html_url": "https://h/r0"});
    let stored = |n: u8, path: &str| json!({"id": n, "user": user(), "body": body(n), "path": path, "html_url": "https://h/old", "pull_request_review_id": 0});
    let fake = Fake::with(On::Only502, |state| {
        state.reviews = vec![earlier];
        state.comments = vec![vec![stored(1, "a.rs"), stored(2, "b.rs")]];
    });
    let outcome = run_two(&fake);
    assert_eq!((exit(&outcome), fake.posts().len()), (Exit::Done, 0), "{outcome:?}");
    assert_eq!(outcome.items, posted(["https://h/old", "https://h/old"]));
}

#[test]
fn c03_an_equal_summary_that_stands_alone_loses_its_marker_and_the_review_is_sent() {
    let earlier = json!({"id": 0, "user": user(), "body": text(&[]), "state": "COMMENTED", "html_url": "https://h/r0"});
    let fake = Fake::with(On::Write, |state| {
        state.reviews = vec![earlier];
        state.comments = vec![vec![]];
    });
    let outcome = run_two(&fake);
    assert_eq!((exit(&outcome), fake.posts().len()), (Exit::Done, 1), "{outcome:?}");
    let stored = fake.state.lock().unwrap().reviews[0]["body"].as_str().unwrap().to_owned();
    assert!(stored.contains("not completed") && !stored.contains("<!--"), "{stored}");
}

#[test]
fn a_502_that_wrote_nothing_is_unknown_and_not_repeated() {
    let fake = Fake::new(On::Only502);
    let outcome = run_two(&fake);
    assert!(matches!(outcome.items[0], ItemOutcome::Unknown { .. }), "{outcome:?}");
    assert_eq!((exit(&outcome), fake.posts().len()), (Exit::Partial, 1));
    assert!(fake.server.count("GET /repos/o/r/pulls/22/reviews?per_page=100") >= 3, "it may come late");
}

#[test]
fn where_the_look_fails_too_the_outcome_is_unknown() {
    let fake = Fake::new(On::Then500);
    let outcome = run_two(&fake);
    assert!(outcome.items.iter().all(|item| matches!(item, ItemOutcome::Unknown { .. })), "{outcome:?}");
    assert!(matches!(outcome.summary, SummaryOutcome::Unknown { .. }));
    assert_eq!((exit(&outcome), fake.posts().len()), (Exit::Partial, 1));
}

#[test]
fn c03_an_orphan_is_edited_loses_its_marker_and_counts_as_not_posted() {
    let fake = Fake::new(On::Orphan422);
    let outcome = run_two(&fake);
    assert!(outcome.items.iter().all(|item| matches!(item, ItemOutcome::Failed { .. })), "{outcome:?}");
    assert!(matches!(outcome.stop.as_ref().unwrap().trouble, Trouble::Orphan { .. }));
    assert_eq!((exit(&outcome), fake.posts().len()), (Exit::Forge, 1));
    let stored = fake.state.lock().unwrap().reviews[0]["body"].as_str().unwrap().to_owned();
    assert!(stored.contains("not completed") && !stored.contains("<!--"), "{stored}");
}

/// Without a refusal its comments may only be listed later.
#[test]
fn c57_a_summary_without_its_comments_after_a_lost_answer_is_left_to_another_run() {
    let fake = Fake::new(On::Orphan502);
    let outcome = run_two(&fake);
    assert!(outcome.items.iter().all(|item| matches!(item, ItemOutcome::Unknown { .. })), "{outcome:?}");
    assert_eq!((exit(&outcome), fake.posts().len()), (Exit::Partial, 1));
    assert_eq!(fake.state.lock().unwrap().reviews[0]["body"], text(&[]));
}

#[test]
fn c03_a_review_with_a_part_of_its_comments_is_not_whole() {
    let fake = Fake::new(On::Part502);
    let outcome = run_two(&fake);
    assert!(outcome.items.iter().all(|item| matches!(item, ItemOutcome::Unknown { .. })), "{outcome:?}");
    assert_eq!((exit(&outcome), fake.posts().len()), (Exit::Partial, 1));
}

#[test]
fn c03_a_guessed_place_is_left_out_once_and_goes_into_the_summary() {
    let fake = Fake::new(On::RefuseLeft);
    let outcome = run_two(&fake);
    assert_eq!(outcome.items[0], ItemOutcome::Posted { url: Some("https://h/r0c0".into()) });
    assert!(matches!(outcome.items[1], ItemOutcome::Disagrees { .. }));
    let posts = fake.posts();
    assert_eq!((posts.len(), posts[1]["comments"].as_array().unwrap().len()), (2, 1));
    assert!(posts[1]["body"].as_str().unwrap().starts_with("summary, 1 left out"));
    assert_eq!((exit(&outcome), outcome.summary_text.as_deref()), (Exit::Done, posts[1]["body"].as_str()));
}

#[test]
fn c03_under_an_expected_digest_nothing_is_left_out_and_the_suspects_are_named() {
    let fake = Fake::new(On::RefuseLeft);
    let outcome = run(&fake, two(), SummaryPlan::Write, Expectation::Digest);
    assert_eq!((exit(&outcome), fake.posts().len()), (Exit::Forge, 1));
    let stop = outcome.stop.unwrap();
    assert!(stop.to_string().contains(CLAUSES), "{stop}");
    // The loopback server lists no file at all, so both are outside its patch.
    assert!(
        stop.help().contains("finding 3 at a.rs:5-7 RIGHT") && stop.help().contains("finding 4"),
        "{}",
        stop.help()
    );
}

#[test]
fn c03_refused_again_is_the_end() {
    let fake = Fake::new(On::Refuse);
    let outcome = run_two(&fake);
    assert_eq!((exit(&outcome), fake.posts().len()), (Exit::Forge, 2));
    assert!(outcome.items.iter().all(|item| matches!(item, ItemOutcome::Failed { .. })), "{outcome:?}");
}

#[test]
fn c32_a_draft_is_named_and_nothing_sent() {
    let draft = json!({"id": 0, "user": user(), "body": "", "state": "PENDING", "html_url": "https://h/draft"});
    let fake = Fake::with(On::Write, |state| state.reviews.push(draft));
    let outcome = run_two(&fake);
    let stop = outcome.stop.as_ref().unwrap();
    assert!(stop.help().contains("https://h/draft"), "{}", stop.help());
    assert_eq!((exit(&outcome), fake.posts().len()), (Exit::Forge, 0));
    assert_eq!(block_on(async { fake.github().standing(22).await }).unwrap().draft.as_deref(), Some("https://h/draft"));
}

#[test]
fn c33_a_moved_head_a_lock_and_an_archive_stop_before_the_first_write() {
    type Case = (fn(&mut Store), Exit, HeldCode);
    let cases: [Case; 3] = [
        (|state| state.head = sha('c'), Exit::Stale, HeldCode::HeadMoved),
        (|state| state.locked = true, Exit::Forge, HeldCode::ForgeRefused),
        (|state| state.archived = true, Exit::Forge, HeldCode::ForgeRefused),
    ];
    for (change, code, held) in cases {
        let fake = Fake::with(On::Write, change);
        let outcome = run_two(&fake);
        assert_eq!((exit(&outcome), fake.posts().len()), (code, 0));
        assert!(matches!(&outcome.items[1], ItemOutcome::NotAttempted { code, .. } if *code == held), "{outcome:?}");
    }
}

#[test]
fn an_interrupt_before_the_write_sends_nothing() {
    let fake = Fake::new(On::Write);
    let access = access(&fake.server.base(), "o/r");
    access.interrupt.raise();
    let commit = CommitId::parse(&sha('a')).unwrap();
    let post = Post {
        by: ReviewId::Default,
        commit,
        base_branch: "main".into(),
        merge_base: CommitId::parse(&sha('b')).unwrap(),
        comments: two(),
        summary: SummaryPlan::Write,
        text: &|items| Ok(text(items)),
        expectation: Expectation::None,
        settled: &|_| {},
    };
    let outcome = block_on(async { GitHub::new(&access).unwrap().post(22, &post, of_a_typed_yes()).await });
    assert_eq!((exit(&outcome), fake.posts().len()), (Exit::Interrupted, 0));
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
        url: Some("https://h/r0".into()),
    };
    let url = Some("https://h/r0".to_owned());
    let head = sha('a');
    let old =
        format!("old\n\n<!-- dai v1 review=0101010101010101 head={head} text={} -->\nEdit: done", words_tag("old"));
    for (stored, expected, puts) in [
        (old.clone(), SummaryOutcome::Updated { url: url.clone() }, 1),
        (text(&[]).replace('\n', "\r\n") + "\n", SummaryOutcome::AlreadyPosted { url: url.clone() }, 0),
        (old.replace("old\n", "old, says Ann\n"), SummaryOutcome::AlreadyPosted { url }, 0),
    ] {
        let review = json!({"id": 0, "user": user(), "body": stored, "state": "COMMENTED"});
        let fake = Fake::with(On::Write, |state| state.reviews.push(review.clone()));
        let outcome = run(&fake, vec![], SummaryPlan::Update(own(&stored)), Expectation::None);
        assert_eq!((outcome.summary, fake.posts().len()), (expected, 0));
        assert_eq!(fake.server.count("PUT /repos/o/r/pulls/22/reviews/0"), puts);
        let stands = fake.state.lock().unwrap().reviews[0]["body"].as_str().unwrap().to_owned();
        let expected = if puts == 1 { text(&[]) + "\nEdit: done" } else { stored };
        assert_eq!(stands, expected, "what people wrote stays");
    }
}

#[test]
fn a_review_without_comments_is_posted_with_its_summary_alone() {
    let fake = Fake::new(On::Write);
    let outcome = run(&fake, vec![], SummaryPlan::Write, Expectation::None);
    assert_eq!(outcome.summary, SummaryOutcome::Posted { url: Some("https://h/r0".into()) });
    assert_eq!(fake.posts(), [json!({"commit_id": sha('a'), "event": "COMMENT", "body": text(&[])})]);
}

#[test]
fn a_write_that_is_told_not_now_waits_and_is_made_again() {
    for (status, message) in [(403, "You have exceeded a secondary rate limit"), (422, "was submitted too quickly")] {
        let fake = Fake::with(On::Write, |store| store.throttle = Some((status, message)));
        let outcome = run_two(&fake);
        assert_eq!((exit(&outcome), fake.posts().len()), (Exit::Done, 2), "{message}");
        assert_eq!(fake.state.lock().unwrap().reviews.len(), 1);
    }
}

#[test]
fn without_a_token_nothing_is_sent() {
    let fake = Fake::new(On::Write);
    let access = crate::forge::Access { token: None, ..access(&fake.server.base(), "o/r") };
    let commit = CommitId::parse(&sha('a')).unwrap();
    let post = Post {
        by: ReviewId::Default,
        commit,
        base_branch: "main".into(),
        merge_base: CommitId::parse(&sha('b')).unwrap(),
        comments: two(),
        summary: SummaryPlan::Write,
        text: &|items| Ok(text(items)),
        expectation: Expectation::None,
        settled: &|_| {},
    };
    let outcome = block_on(async { GitHub::new(&access).unwrap().post(22, &post, of_a_typed_yes()).await });
    assert_eq!((exit(&outcome), fake.server.calls().len()), (Exit::Token, 0));
}

//! Orchestra's review: read within its bounds, written without shortening anything.

use proptest::prelude::*;

use crate::review::{
    Finding, Format, Heading, LineRange, Place, Reply, Review, Severity, Side, State, orchestra, read,
};

fn finding(index: usize) -> Finding {
    Finding {
        index,
        pointer: format!("/findings/{index}"),
        id: Some(format!("f{}", index + 1)),
        path: "src/a.rs".into(),
        place: Some(Place { side: Side::Right, range: LineRange::line(4) }),
        severity: Some(Severity::High),
        confidence: None,
        body: "claim\n\nevidence".into(),
        snippet: None,
        state: State::Active,
        defect: None,
        replies: Vec::new(),
    }
}

fn review(findings: Vec<Finding>) -> Review {
    Review {
        format: Format::Orchestra,
        head: None,
        heading: Heading::default(),
        severity_default: None,
        findings,
        warnings: Vec::new(),
    }
}

#[test]
fn claim_and_evidence_become_the_body_and_the_words_the_severities() {
    let text = include_str!("../../../fixtures/review/orchestra/valid/whole.json");
    let (review, _) = read(text.as_bytes(), "review.json").unwrap();
    assert_eq!(review.head.as_deref(), Some("0123456789abcdef0123456789abcdef01234567"));
    let severities: Vec<_> = review.findings.iter().map(|finding| finding.severity.unwrap()).collect();
    assert_eq!(severities, [Severity::High, Severity::Medium, Severity::Low]);
    assert_eq!(review.findings[0].body, "It panics.\n\n`unwrap` on a file's content.");
    let lines: Vec<_> = review.findings.iter().map(|finding| finding.place.map(|place| place.range.start)).collect();
    assert_eq!(lines, [Some(4), None, None]);
}

#[test]
fn what_does_not_fit_is_left_out_and_named() {
    let with = |change: fn(&mut Finding)| {
        let mut finding = finding(0);
        change(&mut finding);
        orchestra::write(&review(vec![finding]))
    };
    type Case = (fn(&mut Finding), &'static str);
    let cases: [Case; 9] = [
        (|f| f.state = State::Dismissed, "it is dismissed"),
        (|f| f.state = State::Orphaned, "it is orphaned"),
        (|f| f.state = State::Stale, "it is stale"),
        (|f| f.place = Some(Place { side: Side::Left, range: LineRange::line(4) }), "it is on LEFT"),
        (|f| f.severity = None, "it has no severity"),
        (|f| f.body = "only a claim".into(), "its body is not a claim and its evidence"),
        (|f| f.body = "a claim\n\ntwo\nlines".into(), "its body is not a claim and its evidence"),
        (|f| f.body = format!("a claim\n\n{}", "é".repeat(251)), "a field is longer than 500 bytes"),
        (|f| f.id = Some("x".repeat(501)), "a field is longer than 500 bytes"),
    ];
    for (change, why) in cases {
        let (text, left_out) = with(change);
        assert_eq!(text, "{\n  \"findings\": []\n}\n");
        assert_eq!(left_out.len(), 1);
        assert!(left_out[0].why.starts_with(why), "{}", left_out[0]);
        assert!(left_out[0].to_string().starts_with("/findings/0"));
    }
    let (text, left_out) = with(|f| {
        f.body = "claim".into();
        f.snippet = Some("let x = 1;".into());
        f.id = None;
    });
    assert!(text.contains("\"id\": \"f1\"") && text.contains("\"evidence\": \"let x = 1;\"") && left_out.is_empty());
    let (_, left_out) = with(|f| {
        f.place = Some(Place { side: Side::Right, range: LineRange::new(4, 6) });
        f.replies.push(Reply { author: None, body: "no".into() });
    });
    assert_eq!(left_out[0].why, "it is written without its range's end and replies");
}

#[test]
fn the_41st_finding_is_named_and_40_are_written() {
    let (text, left_out) = orchestra::write(&review((0..41).map(finding).collect()));
    let (again, _) = read(text.as_bytes(), "review.json").unwrap();
    assert_eq!(again.findings.len(), 40);
    assert_eq!(left_out.len(), 1);
    assert_eq!(left_out[0].to_string(), "/findings/40 (\"f41\"): a review holds 40 findings");
}

proptest! {
    #[test]
    fn what_is_written_is_read_as_the_same(
        facts in prop::collection::vec(
            (1u32.., any::<bool>(), prop::sample::select(&Severity::ALL[..]), "[a-z\"\\\\<é ]{0,30}x", "(한|€|\\.| |`){0,30}x"), 1..9,
        ),
        head in prop::option::of("[0-9a-f]{40}"),
    ) {
        let findings = facts.into_iter().enumerate().map(|(index, (line, placed, severity, claim, evidence))| Finding {
            place: placed.then_some(Place { side: Side::Right, range: LineRange::line(line) }),
            severity: Some(severity),
            body: format!("{claim}\n\n{evidence}"),
            ..finding(index)
        });
        let review = Review { head, ..review(findings.collect()) };
        let (text, left_out) = orchestra::write(&review);
        prop_assert_eq!(left_out, vec![]);
        prop_assert_eq!(read(text.as_bytes(), "f").unwrap().0, review);
    }
}

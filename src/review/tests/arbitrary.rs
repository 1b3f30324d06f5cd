//! Arbitrary reviews come back as they were written; arbitrary damage is refused, never a panic.

use proptest::prelude::*;

use crate::review::{
    Confidence, Finding, Format, Heading, LineRange, Look, Place, Review, Severity, Side, State, dai, read,
};

pub(super) fn words() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z ]{0,12}[a-z]", "\\PC{0,20}x", "(a|\n|\t|\u{1}|\u{2028}|\u{feff}|<|>|&|\"|\\\\|é){0,20}x"]
}

pub(super) fn path() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{1,6}(/[a-z. ]{1,6}x){0,3}", "\\./[a-z]{1,3}", "[a-z]{1,3}\\\\é\"\n[a-z]{1,3}"]
}

fn place() -> impl Strategy<Value = Place> {
    (prop_oneof![Just(Side::Left), Just(Side::Right)], 1u32.., prop_oneof![1u32..100, 1u32..])
        .prop_map(|(side, start, end)| Place { side, range: LineRange::new(start, end) })
}

fn finding() -> impl Strategy<Value = Finding> {
    let first = (path(), prop::option::of(place()), prop::sample::select(&Severity::ALL[..]), words());
    let second = (
        prop::option::of((0.0..=1.0f64).prop_map(|value| Confidence::new(value).unwrap())),
        prop::option::of(words()),
        prop::sample::select(&State::ALL[..]),
        any::<bool>(),
    );
    (first, second).prop_map(|((path, place, severity, body), (confidence, snippet, state, named))| Finding {
        index: 0,
        pointer: String::new(),
        id: named.then(String::new),
        path,
        place,
        severity: Some(severity),
        confidence,
        body,
        snippet,
        state,
        defect: None,
        replies: Vec::new(),
    })
}

pub(super) fn review() -> impl Strategy<Value = Review> {
    let text = || prop::option::of(prop_oneof![Just(String::new()), words()]);
    let reviewer = prop::option::of("[A-Za-z0-9]( ?[A-Za-z0-9*_-]){0,40}");
    let heading = (reviewer, text(), text(), text(), text(), text(), prop::collection::vec(words(), 0..3)).prop_map(
        |(reviewer, us, version, check_status, dod, summary, good)| Heading {
            title: None,
            reviewer,
            us,
            version,
            check_status,
            dod,
            summary,
            good,
        },
    );
    let head = prop::option::of(prop_oneof!["[0-9a-f]{40}", "[0-9a-f]{64}"]);
    (head, heading, prop::collection::vec(finding(), 0..6)).prop_map(|(head, heading, mut findings)| {
        for (index, finding) in findings.iter_mut().enumerate() {
            finding.index = index;
            finding.pointer = format!("/findings/{index}");
            finding.id = finding.id.take().map(|_| format!("id {index}"));
        }
        Review { format: Format::Dai, head, heading, severity_default: None, findings, warnings: Vec::new() }
    })
}

proptest! {
    #[test]
    fn a_review_that_is_written_is_read_as_the_same(review in review()) {
        let (text, left_out) = dai::write(&review);
        prop_assert!(left_out.is_empty());
        let (again, _) = read(text.as_bytes(), "f").map_err(|error| TestCaseError::fail(error.render(Look { colour: false, width: 80 })))?;
        prop_assert_eq!(again, review);
    }

    #[test]
    fn damage_is_told_and_never_a_panic(
        review in review(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0usize..4, prop::collection::vec(any::<u8>(), 0..4)), 1..4),
        width in 0usize..120,
    ) {
        let mut bytes = dai::write(&review).0.into_bytes();
        for (at, gone, put) in cuts {
            let at = at.index(bytes.len() + 1);
            let end = (at + gone).min(bytes.len());
            bytes.splice(at..end, put);
        }
        if let Err(error) = read(&bytes, "f\u{1b}") {
            let picture = error.render(Look { colour: false, width });
            prop_assert!(!picture.is_empty());
            prop_assert!(!picture.contains(|c: char| c.is_control() && c != '\n'));
        }
    }
}

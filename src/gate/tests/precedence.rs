use std::collections::HashMap;

use super::*;
use crate::review::{Confidence, State};

/// Everything that can speak against one finding, the last of the file.
struct Case {
    finding: Finding,
    twin: bool,
    options: Options,
    cross_check: CrossCheck,
    commented: bool,
}

impl Case {
    fn new() -> Self {
        let options = Options::default();
        let cross_check = CrossCheck::NotCompared;
        Self { finding: at(5, "body"), twin: false, options, cross_check, commented: false }
    }

    fn code(&self) -> (&'static str, &'static str) {
        let change = ten_lines();
        let twin = Finding { state: State::Active, snippet: None, ..self.finding.clone() };
        let mut findings: Vec<Finding> = self.twin.then_some(twin).into_iter().collect();
        findings.push(self.finding.clone());
        let last = findings.len() - 1;
        let mut plan = plan(&review(findings), &change, &self.options, &self.cross_check, Kind::GitHub);
        if self.commented {
            let other = planned(vec![at(5, "an earlier wording")], &change, &Options::default());
            plan.stand(&posted(&other, &[0]), Again::No);
        }
        let fate = &plan.items[last].fate;
        (fate.reason().map_or("", |(code, _)| code.as_str()), status(fate))
    }
}

type Fault = fn(&mut Case);

/// The reasons in the order in which they are told.
const REASONS: &[(&str, &str, Fault)] = &[
    ("dismissed", "suppressed", |case| case.finding.state = State::Dismissed),
    ("orphaned", "rejected", |case| case.finding.state = State::Orphaned),
    ("stale", "rejected", |case| case.finding.state = State::Stale),
    ("file_not_in_diff", "rejected", |case| case.finding.path = "no/such.rs".to_owned()),
    ("line_not_in_diff", "rejected", |case| case.finding.place = Some(sample::place(R, 99, 99))),
    ("snippet_mismatch", "rejected", |case| case.finding.snippet = Some("no such text".to_owned())),
    ("duplicate", "rejected", |case| case.twin = true),
    ("body_too_long", "rejected", |case| case.finding.body = "x".repeat(70_000)),
    ("forge_disagrees", "rejected", |case| case.cross_check = CrossCheck::Files(HashMap::new())),
    ("below_min_severity", "suppressed", |case| case.options.min_severity = Some(Severity::High)),
    ("below_min_confidence", "suppressed", |case| {
        case.finding.confidence = Confidence::new(0.25);
        case.options.min_confidence = Confidence::new(0.5);
    }),
    ("over_max_comments", "suppressed", |case| case.options.max_comments = Some(0)),
    ("already_commented", "suppressed", |case| case.commented = true),
];

#[test]
fn of_two_reasons_the_earlier_one_is_told() {
    assert_eq!(Case::new().code(), ("", "ready"));
    for (at, (code, status, fault)) in REASONS.iter().enumerate() {
        let mut alone = Case::new();
        fault(&mut alone);
        assert_eq!(alone.code(), (*code, *status));
        // Two states cannot meet: the later one would overwrite the earlier.
        let later = REASONS[at + 1..].iter().filter(|(other, ..)| at >= 3 || !matches!(*other, "orphaned" | "stale"));
        for (other, _, second) in later {
            let mut both = Case::new();
            second(&mut both);
            fault(&mut both);
            assert_eq!(both.code(), (*code, *status), "with {other}");
        }
    }
}

#[test]
fn c28_two_findings_on_one_line_land_and_the_same_one_twice_lands_once() {
    let change = ten_lines();
    let findings = vec![
        at(4, "one"),
        at(4, "two"),
        at(4, "one"),
        // The same words at two equal lines.
        at(3, "never nil"),
        at(7, "never nil"),
        // The same place and words, spelled another way.
        Finding { path: ".\\m.rs".to_owned(), ..at(4, "two\r\n") },
    ];
    let plan = planned(findings, &change, &Options::default());
    assert_eq!(statuses(&plan), ["ready", "ready", "duplicate", "ready", "ready", "duplicate"]);
    assert_eq!(plan.items[5].fate, Fate::Rejected(Hold::Duplicate { of: 1 }));
    let tags: std::collections::HashSet<_> = plan.spots().map(|spot| spot.finding_tag).collect();
    assert_eq!(tags.len(), 4, "what lands is told apart on a rerun");
}

#[test]
fn a_context_line_named_on_both_sides_is_one_place() {
    let change = sample::change(vec![sample::modified("m", &["+new", " kept"])]);
    let findings = vec![sample::finding("m", L, 1, 1), sample::finding("m", R, 2, 2)];
    assert_eq!(statuses(&planned(findings, &change, &Options::default())), ["ready", "duplicate"]);
}

#[test]
fn the_place_of_a_stale_or_orphaned_finding_is_not_taken_for_sure() {
    for state in State::ALL {
        let plan = planned(vec![Finding { state, ..at(4, "one") }], &ten_lines(), &Options::default());
        let sure = matches!(state, State::Active | State::Dismissed);
        assert_eq!(plan.items[0].spot.is_some(), sure, "{state:?}");
    }
}

#[test]
fn a_dismissed_finding_takes_nothing_with_it() {
    let dismissed = Finding { state: State::Dismissed, ..at(4, "one") };
    let plan = planned(vec![dismissed, at(4, "one")], &ten_lines(), &Options::default());
    assert_eq!(statuses(&plan), ["dismissed", "ready"]);
    assert!(plan.items[0].spot.is_some());
}

#[test]
fn findings_about_a_whole_file_go_into_the_summary_past_the_cap_and_not_past_the_filters() {
    let whole = |severity| Finding { place: None, severity, ..at(1, &format!("{severity:?}")) };
    let findings = vec![
        whole(Some(Severity::High)),
        whole(Some(Severity::Low)),
        whole(None),
        Finding { state: State::Dismissed, ..whole(Some(Severity::High)) },
        Finding { path: "./m.rs".to_owned(), ..whole(Some(Severity::High)) },
        Finding { path: "not/in/the/diff".to_owned(), ..whole(Some(Severity::High)) },
        at(4, "at a line"),
    ];
    let options = Options { min_severity: Some(Severity::Medium), max_comments: Some(0), ..Options::default() };
    let plan = planned(findings, &ten_lines(), &options);
    let expected =
        ["summary", "below_min_severity", "summary", "dismissed", "duplicate", "summary", "over_max_comments"];
    assert_eq!(statuses(&plan), expected);
    assert_eq!(plan.order, [0usize; 0]);
}

#[test]
fn absent_severity_is_never_dropped_and_absent_confidence_counts_as_one() {
    let bare = Finding { severity: None, confidence: None, ..at(4, "bare") };
    let options =
        Options { min_severity: Some(Severity::High), min_confidence: Confidence::new(1.0), ..Options::default() };
    let equal = Finding { severity: Some(Severity::High), confidence: Confidence::new(1.0), ..at(5, "equal") };
    assert_eq!(statuses(&planned(vec![bare, equal], &ten_lines(), &options)), ["ready", "ready"]);
}

#[test]
fn c37_a_comment_of_exactly_the_limit_fits() {
    let change = ten_lines();
    let frame = planned(vec![at(4, "\u{e9}")], &change, &Options::default());
    let frame = frame.items[0].spot.as_ref().unwrap().comment.text.chars().count() - 1;
    let of = |len: usize| planned(vec![at(4, &"\u{e9}".repeat(len))], &change, &Options::default());
    assert_eq!(statuses(&of(65_536 - frame)), ["ready"]);
    let long = of(65_537 - frame);
    assert_eq!(long.items[0].fate, Fate::Rejected(Hold::BodyTooLong { characters: 65_537, limit: 65_536 }));
    let review = review(vec![at(4, &"\u{e9}".repeat(65_537))]);
    let gitlab = plan(&review, &change, &Options::default(), &CrossCheck::NotCompared, Kind::GitLab);
    assert_eq!(statuses(&gitlab), ["ready"]);
}

#[test]
fn c40_when_nothing_passes_the_plan_is_empty_and_every_finding_has_its_reason() {
    let options = Options { min_severity: Some(Severity::High), ..Options::default() };
    let plan = planned(vec![at(4, "a"), at(99, "b")], &ten_lines(), &options);
    assert_eq!((plan.order.len(), plan.spots().count()), (0, 0));
    assert_eq!(statuses(&plan), ["below_min_severity", "line_not_in_diff"]);
}

#[test]
fn a_moved_finding_lands_where_its_text_stands() {
    use crate::anchor::Relocate;
    let finding = sample::quoting(at(4, "body"), "line 9");
    let options = Options { relocate: Relocate::Sure, ..Options::default() };
    assert_eq!(statuses(&planned(vec![finding.clone()], &ten_lines(), &Options::default())), ["snippet_mismatch"]);
    let plan = planned(vec![finding.clone(), at(9, "body")], &ten_lines(), &options);
    let spot = plan.items[0].spot.as_ref().unwrap();
    assert_eq!((spot.range.start, spot.anchor.moved_from), (9, finding.place));
    assert_eq!(spot.anchored, ["line 9"]);
    assert_eq!(statuses(&plan), ["ready", "duplicate"]);
}

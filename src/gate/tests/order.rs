use proptest::prelude::*;

use super::*;
use crate::review::Confidence;

fn two_files() -> Change {
    let script = &["-a", "-b", "+a", "+b", "+c"];
    sample::change(vec![sample::modified("a.rs", script), sample::modified("b.rs", script)])
}

#[test]
fn the_order_is_severity_confidence_path_line_end_side_text() {
    let make = |severity, confidence, path: &str, side, start, end, body: &str| Finding {
        severity,
        confidence: Confidence::new(confidence),
        body: body.to_owned(),
        ..sample::finding(path, side, start, end)
    };
    let high = Some(Severity::High);
    let expected = vec![
        Finding { confidence: None, ..make(high, 0.0, "a.rs", R, 1, 1, "absent confidence is full") },
        make(high, 0.9, "b.rs", R, 3, 3, "surer"),
        make(high, 0.8, "a.rs", L, 1, 1, "left before right"),
        make(high, 0.8, "a.rs", R, 1, 1, "right, a"),
        make(high, 0.8, "a.rs", R, 1, 1, "right, b"),
        make(high, 0.8, "a.rs", L, 1, 2, "the end before the side"),
        make(high, 0.8, "a.rs", R, 1, 2, "a"),
        make(high, 0.8, "a.rs", R, 2, 2, "a"),
        make(high, 0.8, "b.rs", R, 1, 1, "a"),
        make(Some(Severity::Medium), 1.0, "a.rs", R, 1, 1, "medium"),
        make(Some(Severity::Low), 1.0, "a.rs", R, 1, 1, "low"),
        make(None, 1.0, "a.rs", R, 1, 1, "none"),
    ];
    let backwards: Vec<Finding> = expected.iter().rev().cloned().collect();
    let plan = planned(backwards.clone(), &two_files(), &Options::default());
    let bodies: Vec<&str> = plan.order.iter().map(|at| backwards[*at].body.as_str()).collect();
    assert_eq!(bodies, expected.iter().map(|finding| finding.body.as_str()).collect::<Vec<_>>());
}

fn findings() -> impl Strategy<Value = Vec<Finding>> {
    let severity = prop::option::of(prop::sample::select(Severity::ALL.to_vec()));
    let confidence = prop::option::of(prop::sample::select(vec![0.0, 0.5, 1.0]));
    let one = (severity, confidence, "[ab]\\.rs", 1u32..5, "[xyz]{1,2}").prop_map(
        |(severity, confidence, path, line, body)| {
            let confidence = confidence.and_then(Confidence::new);
            Finding { severity, confidence, body, ..sample::finding(&path, R, line, line) }
        },
    );
    // Of the same words at the same place the first stays, so those are left out here.
    prop::collection::vec(one, 0..12).prop_map(|mut all| {
        all.sort_by(|a, b| (&a.path, a.place, &a.body).cmp(&(&b.path, b.place, &b.body)));
        all.dedup_by(|a, b| (&a.path, a.place, &a.body) == (&b.path, b.place, &b.body));
        all
    })
}

proptest! {
    #[test]
    fn the_order_of_the_file_plays_no_part(
        (sorted, shuffled) in findings().prop_flat_map(|all| (Just(all.clone()), Just(all).prop_shuffle())),
        max in prop::option::of(0usize..6),
    ) {
        let options = Options { max_comments: max, ..Options::default() };
        let outcome = |findings: &[Finding]| {
            let plan = planned(findings.to_vec(), &two_files(), &options);
            let spots: Vec<Spot> = plan.spots().cloned().collect();
            let mut kept: Vec<(String, &str)> =
                findings.iter().zip(statuses(&plan)).map(|(f, status)| (format!("{f:?}"), status)).collect();
            kept.sort();
            (spots, kept)
        };
        prop_assert_eq!(outcome(&sorted), outcome(&shuffled));
    }

    #[test]
    fn every_finding_has_a_fate_and_the_order_is_exactly_what_is_ready(
        findings in findings(), max in prop::option::of(0usize..6),
    ) {
        let plan = planned(findings.clone(), &two_files(), &Options { max_comments: max, ..Options::default() });
        prop_assert_eq!(plan.items.len(), findings.len());
        let mut order = plan.order.clone();
        order.sort_unstable();
        let ready: Vec<usize> = (0..findings.len()).filter(|at| plan.items[*at].fate == Fate::Ready).collect();
        prop_assert_eq!(order, ready);
        prop_assert!(max.is_none_or(|max| plan.order.len() <= max));
    }
}

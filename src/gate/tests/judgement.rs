use super::*;
use crate::reason::ReasonCode;
use crate::review::State;

fn judged(review: &Review, plan: &Plan, strict: bool, fail_on: Option<Severity>) -> Option<(Vec<usize>, Vec<usize>)> {
    super::judgement(plan, review, strict, fail_on).map(|no| (no.rejected, no.grave))
}

#[test]
fn strict_says_no_to_what_is_rejected_and_to_nothing_else() {
    let dismissed = Finding { state: State::Dismissed, ..at(4, "dismissed") };
    let stale = Finding { state: State::Stale, ..at(4, "stale") };
    for (findings, expected) in [
        (vec![at(4, "fine"), dismissed.clone()], None),
        (vec![at(4, "fine"), at(99, "off")], Some((vec![1], vec![]))),
        (vec![stale], Some((vec![0], vec![]))),
    ] {
        let review = review(findings);
        let plan = plan(&review, &ten_lines(), &Options::default(), &CrossCheck::NotCompared, Kind::GitHub);
        assert_eq!(judged(&review, &plan, true, None), expected);
        assert_eq!(judged(&review, &plan, false, None), None);
    }
}

#[test]
fn fail_on_counts_what_the_review_still_says_by_its_fate() {
    let review = review(vec![at(4, "one")]);
    let plan = plan(&review, &ten_lines(), &Options::default(), &CrossCheck::NotCompared, Kind::GitHub);
    let text = || String::new();
    for (fate, counts) in [
        (Fate::Ready, true),
        (Fate::Posted { url: None }, true),
        (Fate::AlreadyPosted { url: None, stands: Stands::AtLine }, true),
        (Fate::Summary, true),
        (Fate::Failed { code: ReasonCode::ForgeRefused, message: text() }, true),
        (Fate::Unknown { message: text() }, true),
        (Fate::NotAttempted { code: ReasonCode::Interrupted, message: text() }, true),
        (Hold::OverMaxComments { max: 0 }.fate(), true),
        (Hold::AlreadyCommented { url: None }.fate(), true),
        (Hold::Dismissed.fate(), false),
        (Hold::BelowMinSeverity { severity: Severity::Medium, min: Severity::High }.fate(), false),
        (Hold::Stale.fate(), false),
        (Hold::Duplicate { of: 0 }.fate(), false),
        (Hold::ForgeDisagrees { detail: text() }.fate(), false),
    ] {
        let mut plan = plan.clone();
        plan.items[0].fate = fate.clone();
        for (least, reached) in [(Severity::Low, true), (Severity::Medium, true), (Severity::High, false)] {
            let expected = (counts && reached).then(|| (vec![], vec![0]));
            assert_eq!(judged(&review, &plan, false, Some(least)), expected, "{fate:?} {least}");
        }
    }
}

#[test]
fn a_finding_without_a_severity_is_at_or_above_none() {
    let review = review(vec![Finding { severity: None, ..at(4, "bare") }]);
    let plan = plan(&review, &ten_lines(), &Options::default(), &CrossCheck::NotCompared, Kind::GitHub);
    assert_eq!(judged(&review, &plan, false, Some(Severity::Low)), None);
}

#[test]
fn c43_fail_on_holds_on_a_rerun_where_the_finding_stands() {
    let review = review(vec![Finding { severity: Some(Severity::High), ..at(4, "grave") }, at(99, "off")]);
    let mut plan = plan(&review, &ten_lines(), &Options::default(), &CrossCheck::NotCompared, Kind::GitHub);
    let standing = posted(&plan, &[0]);
    plan.stand(&standing, Again::No);
    assert_eq!(statuses(&plan)[0], "already_posted");
    let no = super::judgement(&plan, &review, true, Some(Severity::High)).unwrap();
    assert_eq!((no.rejected.as_slice(), no.grave.as_slice()), (&[1][..], &[0][..]));
    assert_eq!(no.to_string(), "1 finding is rejected (--strict), 1 finding is at or above high (--fail-on)");
}

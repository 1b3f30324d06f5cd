use proptest::prelude::*;

use super::sample::*;
use super::*;
use crate::change::FileDelta;

fn scripts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(("[ +-]", "[ab\u{e9}]{0,3}").prop_map(|(mark, text)| mark + &text), 1..60)
}

fn delta(script: &[String]) -> FileDelta {
    modified("m", &script.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The line of that number on that side when a diff shows it, read from the script alone.
fn shown(script: &[String], side: Side, number: u32) -> Option<String> {
    let away = if side == L { '+' } else { '-' };
    let mine = script.iter().enumerate().filter(|(_, line)| !line.starts_with(away));
    let (at, line) = mine.clone().nth(number.checked_sub(1)? as usize)?;
    let near = &script[at.saturating_sub(3)..script.len().min(at + 4)];
    near.iter().any(|line| !line.starts_with(' ')).then(|| line[1..].to_owned())
}

proptest! {
    #[test]
    fn any_place_inside_a_hunk_is_that_line_and_any_other_is_rejected(
        script in scripts(), left in any::<bool>(), number in 0u32..70,
    ) {
        let side = if left { L } else { R };
        let change = change(vec![delta(&script)]);
        let got = match resolve(&finding("m", side, number, number), &change, Relocate::Never) {
            Verdict::Anchored(anchor) => Some(anchor.ends(&change).0.lossy().into_owned()),
            _ => None,
        };
        prop_assert_eq!(got, shown(&script, side, number));
    }

    #[test]
    fn a_range_is_anchored_when_all_its_lines_are_shown_and_reads_as_they_do(
        script in scripts(), left in any::<bool>(), start in 0u32..40, len in 1u32..6,
    ) {
        let side = if left { L } else { R };
        let change = change(vec![delta(&script)]);
        let all: Option<Vec<String>> = (start..start + len).map(|number| shown(&script, side, number)).collect();
        let finding = finding("m", side, start, start + len - 1);
        match resolve(&finding, &change, Relocate::Never) {
            Verdict::Anchored(anchor) => {
                let lines = anchor.lines(&change).map(|line| line.lossy().into_owned()).collect::<Vec<_>>();
                prop_assert_eq!(Some(lines), all);
            }
            // Neighbours on one side can lie in two hunks where the other side has lines between.
            Verdict::Rejected(rejection) if all.is_some() => {
                prop_assert_eq!(rejection.fault.code().as_str(), "range_across_hunks");
            }
            _ => {}
        }
    }

    /// Whatever a person or a model writes: a verdict, and a proposal that itself resolves.
    #[test]
    fn arbitrary_findings_get_a_verdict_and_proposals_hold(
        script in scripts(), left in any::<bool>(), start in any::<u32>(), near in 0u32..70, far in any::<bool>(),
        end in prop_oneof![0u32..70, any::<u32>()], snippet in "([ +-]?[ab\u{e9}]{0,3}\n){0,4}",
    ) {
        let change = change(vec![delta(&script)]);
        let side = if left { L } else { R };
        let finding = quoting(finding("m", side, if far { start } else { near }, end), &snippet);
        for relocate in [Relocate::Never, Relocate::Sure] {
            match resolve(&finding, &change, relocate) {
                Verdict::Rejected(rejection) => {
                    prop_assert!(!rejection.to_string().is_empty());
                    if let Some(proposal) = rejection.proposal {
                        let at = Finding {
                            place: Some(place(proposal.side, proposal.range.start, proposal.range.end)),
                            ..finding.clone()
                        };
                        // The snippet matches there.
                        prop_assert!(matches!(resolve(&at, &change, Relocate::Never), Verdict::Anchored(_)));
                    }
                }
                Verdict::Anchored(anchor) => {
                    prop_assert_eq!(anchor.moved_from.is_some(), Some(place(anchor.side, anchor.range.start, anchor.range.end)) != finding.place);
                    if let Some(from) = anchor.moved_from {
                        prop_assert_eq!((anchor.side, anchor.range.len()), (from.side, from.range.len()));
                    }
                }
                Verdict::WholeFile => prop_assert!(false, "the finding has a place"),
            }
        }
    }
}

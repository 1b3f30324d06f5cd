//! From an embedded patch to the change under review.

use proptest::prelude::*;

use super::sample::*;
use super::*;
use crate::anchor::carry::{Carried, Carrier};
use crate::change::FileDelta;
use crate::review::Place;

/// One word and the facts: `exact`, `moved SIDE range`, `ambiguous SIDE range …`, `gone code`, `nowhere code`.
fn word(patch: &Change, change: &Change, finding: &Finding) -> String {
    match Carrier::new(patch, change).carry(finding) {
        Carried::Exact => "exact".to_owned(),
        Carried::Moved { path, place } if path == finding.path => format!("moved {} {}", place.side, place.range),
        Carried::Moved { path, place } => format!("moved {path} {} {}", place.side, place.range),
        Carried::Ambiguous(rejection) => {
            let Fault::PatchLinesAmbiguous { candidates, .. } = &rejection.fault else { panic!("{rejection:?}") };
            let all: Vec<_> = candidates.iter().map(|place| format!("{} {}", place.side, place.range)).collect();
            format!("ambiguous {}", all.join(", "))
        }
        Carried::Gone(rejection) => format!("gone {}", rejection.fault.code().as_str()),
        Carried::Nowhere(rejection) => format!("nowhere {}", rejection.fault.code().as_str()),
    }
}

fn one(script: &[&str]) -> Change {
    change(vec![modified("f", script)])
}

const PATCH: &[&str] =
    &[" use a;", " ", " fn one() {", "-    old();", "+    new_call();", "+    return nil", " }", " ", " fn two() {}"];

#[test]
fn lines_are_found_by_what_they_say_and_by_what_is_around_them() {
    let patch = one(PATCH);
    let with = |edit: fn(&mut Vec<&'static str>)| {
        let mut script = PATCH.to_vec();
        edit(&mut script);
        one(&script)
    };
    for (what, change, side, start, end, expected) in [
        ("the same change", one(PATCH), R, 4, 5, "exact"),
        ("the same change, the old side", one(PATCH), L, 4, 4, "exact"),
        ("two lines above it", with(|s| drop(s.splice(1..1, ["+use b;", "+use c;"]))), R, 4, 5, "moved RIGHT 6-7"),
        ("two lines above it in the base", with(|s| drop(s.splice(0..0, [" x", " y"]))), L, 4, 4, "moved LEFT 6"),
        ("the line was edited", with(|s| s[4] = "+    other_call();"), R, 4, 4, "gone stale"),
        ("one line of the range was edited", with(|s| s[5] = "+    return None"), R, 4, 5, "gone stale"),
        ("a line was put into the range", with(|s| s.insert(5, "+    log();")), R, 4, 5, "gone stale"),
        ("its neighbour was edited", with(|s| s[5] = "+    return None"), R, 4, 4, "exact"),
        ("a bracket, all around it the same", with(|s| s.insert(0, "+// head")), R, 6, 6, "moved RIGHT 7"),
        ("an empty line, all around it the same", one(PATCH), R, 7, 7, "exact"),
    ] {
        assert_eq!(word(&patch, &change, &finding("f", side, start, end)), expected, "{what}");
    }
}

#[test]
fn a_number_alone_is_never_followed() {
    let patch = one(PATCH);
    // Line 6 of the new file is a bracket here as well, and nothing else is as it was.
    let other = one(&["+alpha", "+beta", "+gamma", "+delta", "+epsilon", "+}", "+zeta", "+eta", "+theta"]);
    assert_eq!(word(&patch, &other, &finding("f", R, 6, 6)), "gone stale");
    assert_eq!(word(&patch, &other, &finding("f", R, 4, 4)), "gone stale");
    // A short line elsewhere in another function is not the one that was meant.
    let elsewhere = one(&["+mod x;", "+fn three() {", "+    return nil", "+}"]);
    assert_eq!(word(&patch, &elsewhere, &finding("f", R, 5, 5)), "gone stale");
    // A long one that stands once is.
    let moved = one(&["+mod x;", "+fn three() {", "+    new_call_of_a_kind(with, arguments);", "+}"]);
    let patch = one(&["+    new_call_of_a_kind(with, arguments);", " fn old() {}"]);
    assert_eq!(word(&patch, &moved, &finding("f", R, 1, 1)), "moved RIGHT 3");
}

#[test]
fn equal_places_are_told_apart_by_what_is_around_them_or_not_at_all() {
    let block = |name: &'static str| [name, "+    if err {", "+        return nil", "+    }", "+}"];
    let patch = one(&[block("+fn one() {"), block("+fn two() {")].concat());
    let both = one(&[block("+fn zero() {"), block("+fn one() {"), block("+fn two() {")].concat());
    assert_eq!(word(&patch, &both, &finding("f", R, 3, 3)), "moved RIGHT 8");
    assert_eq!(word(&patch, &both, &finding("f", R, 8, 8)), "moved RIGHT 13");
    // Twice the very same block, and no longer where it was.
    let single = one(&block("+fn one() {"));
    let twice = one(&[vec!["+mod x;"], block("+fn one() {").to_vec(), block("+fn one() {").to_vec()].concat());
    assert_eq!(word(&single, &twice, &finding("f", R, 3, 3)), "ambiguous RIGHT 4, RIGHT 9");
    // The same twice, one of them under its own number.
    let again = one(&[block("+fn one() {"), block("+fn one() {")].concat());
    assert_eq!(word(&single, &again, &finding("f", R, 3, 3)), "exact");
}

#[test]
fn a_look_alike_is_not_taken_for_a_line_whose_twin_has_a_better_claim() {
    let block = ["     a", "     bb", "+    ask()", "     cc", "     d"];
    let gap = [" 1", " 2", " 3", " 4", " 5", " 6", " 7", " 8"];
    let patch = one(&[&block[..], &gap, &block].concat());
    // A line above, and the first block's neighbour edited: its surroundings now agree better with
    // the second block, to which the second finding belongs.
    let mut first = block;
    first[1] = "+    edited";
    let change = one(&[&["+top"][..], &first, &gap, &block].concat());
    assert_eq!(word(&patch, &change, &finding("f", R, 3, 3)), "ambiguous RIGHT 4, RIGHT 17");
    assert_eq!(word(&patch, &change, &finding("f", R, 16, 16)), "moved RIGHT 17");
}

#[test]
fn what_arrives_must_be_in_the_diff() {
    let patch = one(&["+    new_call_of_a_kind(with, arguments);", " fn old() {}"]);
    // The base has the line meanwhile, far from anything that this change touches.
    let far: Vec<String> = (0..20).map(|n| format!(" filler {n}")).collect();
    let mut script = vec![" mod x;", "     new_call_of_a_kind(with, arguments);", " fn old() {}"];
    script.extend(far.iter().map(String::as_str));
    script.push("+end");
    assert_eq!(word(&patch, &one(&script), &finding("f", R, 1, 1)), "gone line_not_in_diff");
}

#[test]
fn files_are_followed_by_either_name() {
    let script = [" keep this line", "-gone from here", "+come into here"];
    let patch = change(vec![modified("old", &script)]);
    let now = change(vec![renamed("old", "new", &script)]);
    assert_eq!(word(&patch, &now, &finding("old", R, 2, 2)), "moved new RIGHT 2");
    assert_eq!(word(&patch, &now, &finding("old", L, 2, 2)), "exact");
    let none = change(vec![modified("other", &script)]);
    assert_eq!(word(&patch, &none, &finding("old", R, 2, 2)), "gone file_not_in_diff");
    let binary = change(vec![FileDelta {
        paths: crate::change::Paths::Modified { path: "old".to_owned() },
        content: crate::change::Content::Binary,
    }]);
    assert_eq!(word(&patch, &binary, &finding("old", R, 2, 2)), "gone binary_file");
}

#[test]
fn what_the_patch_does_not_have_goes_nowhere() {
    let patch = one(PATCH);
    for (start, end, expected) in
        [(40, 40, "nowhere line_not_in_diff"), (4, 40, "nowhere line_not_in_diff"), (5, 4, "nowhere range_reversed")]
    {
        assert_eq!(word(&patch, &patch, &finding("f", R, start, end)), expected);
    }
    let whole = Finding { place: None, ..finding("f", R, 1, 1) };
    assert_eq!(word(&patch, &patch, &whole), "exact");
}

fn scripts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(("[ +-]", "[ab}]{0,2}|alpha|beta").prop_map(|(mark, text)| mark + &text), 1..40)
}

fn delta(script: &[String]) -> FileDelta {
    modified("f", &script.iter().map(String::as_str).collect::<Vec<_>>())
}

/// What a side's image has on these lines, from the script alone.
fn image(script: &[String], side: Side, range: LineRange) -> Vec<String> {
    let away = if side == L { '+' } else { '-' };
    let mine: Vec<_> = script.iter().filter(|line| !line.starts_with(away)).map(|line| line[1..].to_owned()).collect();
    mine[range.start as usize - 1..range.end as usize].to_vec()
}

proptest! {
    #[test]
    fn a_place_is_never_carried_to_another_text(
        patch in scripts(), now in scripts(), left in any::<bool>(), start in 1u32..40, more in 0u32..4,
    ) {
        let side = if left { L } else { R };
        let (from, to) = (change(vec![delta(&patch)]), change(vec![delta(&now)]));
        let finding = finding("f", side, start, start + more);
        let range = LineRange::new(start, start + more);
        let there = match Carrier::new(&from, &to).carry(&finding) {
            Carried::Exact => Place { side, range },
            Carried::Moved { place, .. } => place,
            Carried::Ambiguous(r) | Carried::Gone(r) | Carried::Nowhere(r) => {
                prop_assert!(!r.to_string().is_empty());
                prop_assert_eq!(r.proposal, None);
                return Ok(());
            }
        };
        prop_assert_eq!(there.side, side);
        prop_assert_eq!(image(&now, side, there.range), image(&patch, side, range));
        let arrived = Finding { place: Some(there), ..finding };
        prop_assert!(matches!(resolve(&arrived, &to, Relocate::Never), Verdict::Anchored(_)));
    }

    #[test]
    fn to_the_same_change_every_place_is_exact(script in scripts(), left in any::<bool>(), start in 1u32..40, more in 0u32..4) {
        let side = if left { L } else { R };
        let change = change(vec![delta(&script)]);
        let finding = finding("f", side, start, start + more);
        let anchored = matches!(resolve(&finding, &change, Relocate::Never), Verdict::Anchored(_));
        let carried = Carrier::new(&change, &change).carry(&finding);
        if anchored { prop_assert_eq!(carried, Carried::Exact) } else { prop_assert!(matches!(carried, Carried::Nowhere(_))) }
    }
}

use std::collections::HashMap;

use serde_json::Value;

use super::sample::*;
use super::*;

fn spots(findings: Vec<Finding>, change: &Change) -> Vec<Spot> {
    let plan = planned(findings, change, &Options::default());
    plan.items.into_iter().map(|item| item.spot.unwrap()).collect()
}

const SCRIPT: &[&str] = &[
    " fn a() {",
    " return nil",
    " }",
    " ",
    " fn b() {",
    "-return old",
    "+return nil",
    " }",
    "+",
    "+fn c() {",
    "+return nil",
    "+}",
];

#[test]
fn the_marks_of_a_file_are_those_of_the_vectors() {
    let vectors: Value = serde_json::from_str(include_str!("../../../fixtures/markers.json")).unwrap();
    let vectors: HashMap<&str, &Value> =
        vectors["spots"].as_array().unwrap().iter().map(|spot| (spot["name"].as_str().unwrap(), spot)).collect();
    let change = change(vec![modified("m.rs", SCRIPT), renamed("old.rs", "new.rs", SCRIPT)]);
    for (name, finding) in [
        ("the third of three equal lines", finding("m.rs", R, 10, 10)),
        ("the third of three equal runs", finding("m.rs", R, 10, 11)),
        ("a deleted line", finding("m.rs", L, 6, 6)),
        ("a left range with a deleted line", finding("m.rs", L, 6, 7)),
        ("a context line", finding("m.rs", R, 7, 7)),
        // Marked as RIGHT, whichever side it was written for.
        ("a context line", finding("m.rs", L, 7, 7)),
        ("a renamed file", finding("new.rs", R, 10, 10)),
    ] {
        let spot = &spots(vec![finding], &change)[0];
        let (other_place, other_finding) = spot.other_tags.unzip();
        for (key, tag) in [
            ("place", Some(spot.place_tag)),
            ("finding", Some(spot.finding_tag)),
            ("other_place", other_place),
            ("other_finding", other_finding),
        ] {
            let expected = vectors[name].get(key).and_then(Value::as_str);
            assert_eq!(tag.map(|tag| tag.to_string()).as_deref(), expected, "{name} {key}");
        }
        assert!(spot.comment.text.ends_with(&format!("place={} -->", spot.place_tag)));
    }
}

#[test]
fn severity_confidence_id_and_white_space_around_the_body_do_not_make_another_finding() {
    let change = ten_lines();
    let same = |finding: Finding| spots(vec![finding], &change)[0].finding_tag;
    let tag = same(at(4, "a\nb"));
    assert_eq!(same(at(4, " a\r\nb\n")), tag);
    let dressed = Finding { id: Some("f9".into()), severity: None, confidence: None, ..at(4, "a\nb") };
    assert_eq!(same(dressed), tag);
    assert_ne!(same(at(4, "a b")), tag);
    assert_ne!(same(at(5, "a\nb")), tag);
}

#[test]
fn c36_the_marks_outlive_a_push_that_moves_the_lines() {
    let before = change(vec![modified("m", &["+x", "+return nil", "+y", "+return nil"])]);
    let after = change(vec![modified("m", &["+new", "+x", "+return nil", "+more", "+y", "+return nil"])]);
    for (was, is) in [(1, 2), (2, 3), (4, 6)] {
        let of = |change: &Change, line| spots(vec![finding("m", R, line, line)], change)[0].finding_tag;
        assert_eq!(of(&before, was), of(&after, is), "{was}");
    }
}

#[test]
fn lines_outside_the_hunks_count_as_earlier_places_too() {
    let mut far: Vec<&str> = vec![" return nil"];
    far.extend([" a"; 10]);
    far.extend(["+return nil"]);
    let near = ["+return nil"];
    let of = |script: &[&str], line| {
        spots(vec![finding("m", R, line, line)], &change(vec![modified("m", script)]))[0].place_tag
    };
    assert_ne!(of(&far, 12), of(&near, 1));
}

#[test]
fn a_change_without_images_still_has_marks() {
    let mut delta = modified("m", &["+a", "+a"]);
    if let crate::change::Content::Text(text) = &mut delta.content {
        text.new = crate::change::Image::default();
    }
    assert_eq!(spots(vec![finding("m", R, 2, 2)], &change(vec![delta])).len(), 1);
}

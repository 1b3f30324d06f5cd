use std::collections::HashMap;

use super::sample::*;
use super::*;
use crate::change::Hunk;

const OURS: &[&str] = &[" a", "-b", "+c", " d", " e"];

fn theirs(script: &[&str]) -> ForgeFile {
    ForgeFile::Hunks(text(script).hunks)
}

fn verdict(file: Option<ForgeFile>, side: Side, start: u32, end: u32) -> Option<String> {
    let files = file.map(|file| ("m".to_owned(), file)).into_iter().collect();
    let review = review(vec![finding("m", side, start, end)]);
    let change = change(vec![modified("m", OURS)]);
    match &plan(&review, &change, &Options::default(), &CrossCheck::Files(files), Kind::GitLab).items[0].fate {
        Fate::Ready => None,
        Fate::Rejected(Hold::ForgeDisagrees { detail }) => Some(detail.clone()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_forges_patch_decides() {
    let no_lines = Some("the forge's diff of m does not show the place");
    let other_line = Some("the forge's diff of m has another line there");
    for (name, file, side, start, end, expected) in [
        ("the same", Some(theirs(OURS)), R, 2, 3, None),
        ("the same, left", Some(theirs(OURS)), L, 1, 2, None),
        ("another line in the hunk is of no matter", Some(theirs(&[" a", "-b", "+c", " d", "+e"])), R, 2, 3, None),
        ("another text", Some(theirs(&[" a", "-b", "+C", " d", " e"])), R, 2, 2, other_line),
        ("another kind", Some(theirs(&[" a", "-b", " c", " d", " e"])), R, 2, 2, other_line),
        ("another text at the end", Some(theirs(&[" a", "-b", "+c", " D", " e"])), R, 2, 3, other_line),
        ("another old number", Some(theirs(&["-x", " a", "-b", "+c", " d", " e"])), R, 3, 3, other_line),
        ("no such line", Some(theirs(&[" a", "-b", "+c"])), R, 3, 3, no_lines),
        ("a file added, not changed", Some(theirs(&["+a", "+c", "+d", "+e"])), L, 2, 2, no_lines),
        ("not listed", None, R, 2, 2, Some("the forge's diff does not have m")),
        (
            "no patch",
            Some(ForgeFile::NoPatch),
            R,
            2,
            2,
            Some("the forge shows no diff for m, so it takes no comment there"),
        ),
        ("too large", Some(ForgeFile::TooLarge), R, 2, 2, Some("m is over the forge's size limit for a diff")),
        ("collapsed", Some(ForgeFile::Collapsed), R, 2, 2, None),
    ] {
        assert_eq!(verdict(file, side, start, end).as_deref(), expected, "{name}");
    }
}

#[test]
fn a_range_has_to_lie_in_one_hunk_of_the_forge_too() {
    let ForgeFile::Hunks(hunks) = theirs(OURS) else { panic!("hunks") };
    let lines = hunks.into_iter().flat_map(|hunk| hunk.lines).collect::<Vec<_>>();
    let split: Vec<Hunk> = vec![hunk(lines[..3].to_vec()), hunk(lines[3..].to_vec())];
    let detail = verdict(Some(ForgeFile::Hunks(split.clone())), R, 2, 3);
    assert_eq!(detail.as_deref(), Some("the forge's diff of m has the range's ends in different hunks"));
    assert_eq!(verdict(Some(ForgeFile::Hunks(split)), R, 3, 4), None);
}

#[test]
fn c50_one_file_over_the_limit_takes_only_its_own_findings_with_it() {
    let change = change(vec![modified("big", OURS), modified("m", OURS)]);
    let files = HashMap::from([("big".to_owned(), ForgeFile::TooLarge), ("m".to_owned(), theirs(OURS))]);
    let review = review(vec![finding("big", R, 2, 2), finding("m", R, 2, 2)]);
    let plan = plan(&review, &change, &Options::default(), &CrossCheck::Files(files), Kind::GitLab);
    assert_eq!(statuses(&plan), ["forge_disagrees", "ready"]);
}

#[test]
fn a_renamed_file_is_compared_under_its_new_name_and_a_deleted_one_under_its_old() {
    let change = change(vec![renamed("was", "is", OURS), deleted("gone", &["-a"])]);
    let files = HashMap::from([("is".to_owned(), theirs(OURS)), ("gone".to_owned(), theirs(&["-a"]))]);
    let review = review(vec![finding("was", L, 2, 2), finding("gone", L, 1, 1)]);
    let plan = plan(&review, &change, &Options::default(), &CrossCheck::Files(files), Kind::GitHub);
    assert_eq!(statuses(&plan), ["ready", "ready"]);
}

#[test]
fn what_github_is_sent_is_compared_and_not_what_was_written() {
    // The forge shows no context before the deleted line: the range as written is not in its patch,
    // the one it is drawn in to is.
    let ForgeFile::Hunks(hunks) = theirs(OURS) else { panic!("hunks") };
    let narrow = ForgeFile::Hunks(vec![hunk(hunks[0].lines[1..].to_vec())]);
    let files = HashMap::from([("m".to_owned(), narrow)]);
    let review = review(vec![finding("m", L, 1, 2)]);
    let change = change(vec![modified("m", OURS)]);
    let check = CrossCheck::Files(files);
    let status = |kind| statuses(&plan(&review, &change, &Options::default(), &check, kind))[0];
    assert_eq!((status(Kind::GitHub), status(Kind::GitLab)), ("ready", "forge_disagrees"));
}

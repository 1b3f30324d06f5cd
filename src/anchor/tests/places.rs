use std::collections::HashMap;

use super::sample::*;
use super::*;
use crate::change::{Content, FileDelta, Missing, NoText, Paths};

/// Two hunks; both sides have 30 or 31 lines, and line 5 is the first changed one.
///
/// ```text
/// @@ -2,7 +2,8 @@   LEFT 2..8,   RIGHT 2..9
/// @@ -22,6 +23,6 @@ LEFT 22..27, RIGHT 23..28
/// ```
fn two_hunks() -> Vec<String> {
    let mut script: Vec<String> = (1..=4).map(|n| format!(" keep {n}")).collect();
    script.extend(["-old five", "+new five", "+new six"].map(str::to_owned));
    script.extend((6..=24).map(|n| format!(" keep {n}")));
    script.extend(["-gone twenty-five".to_owned(), "+swapped twenty-six".to_owned()]);
    script.extend((26..=30).map(|n| format!(" keep {n}")));
    script
}

fn script(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).collect()
}

fn everything() -> Change {
    let long = two_hunks();
    let text = script(&long);
    let path = |path: &str| Paths::Modified { path: path.to_owned() };
    let link = |path: &str| Paths::Added { new: path.to_owned() };
    let rename = Paths::Renamed { old: "pure_old".into(), new: "pure_new".into() };
    let deltas = vec![
        modified("mod.rs", &text),
        added("new.rs", &["+one", "+two"]),
        deleted("gone.rs", &["-one", "-two", "-three"]),
        renamed("was.rs", "is.rs", &text),
        FileDelta { paths: path("logo.png"), content: Content::Binary },
        without_text(rename, NoText::PureRename),
        without_text(path("mode.sh"), NoText::ModeOnly),
        without_text(path("vendor/sub"), NoText::Submodule),
        without_text(link("link"), NoText::Symlink),
        without_text(link("empty"), NoText::Empty),
        // A file that became a symlink.
        deleted("typed", &["-text one", "-text two"]),
        without_text(link("typed"), NoText::Symlink),
        modified("src/deep.rs", &[" a", "-b", "+c"]),
    ];
    let missing =
        HashMap::from([("quiet.rs".to_owned(), Missing::Untouched), ("caf\u{fffd}.rs".to_owned(), Missing::NotUtf8)]);
    change_with(deltas, missing)
}

#[test]
fn every_kind_of_delta_by_path_side_and_line() {
    let change = everything();
    for (path, side, start, end, expected) in [
        // A changed file: both sides, as far as its hunks reach.
        ("mod.rs", R, 1, 1, Err("line_not_in_diff")),
        ("mod.rs", R, 2, 2, Ok("keep 2")),
        ("mod.rs", R, 5, 5, Ok("new five")),
        ("mod.rs", R, 6, 6, Ok("new six")),
        ("mod.rs", R, 9, 9, Ok("keep 8")),
        ("mod.rs", R, 10, 10, Err("line_not_in_diff")),
        ("mod.rs", R, 22, 22, Err("wrong_side")),
        ("mod.rs", R, 23, 23, Ok("keep 22")),
        ("mod.rs", R, 26, 26, Ok("swapped twenty-six")),
        ("mod.rs", R, 29, 29, Ok("keep 28")),
        ("mod.rs", R, 30, 30, Err("line_not_in_diff")),
        ("mod.rs", L, 1, 1, Err("line_not_in_diff")),
        ("mod.rs", L, 5, 5, Ok("old five")),
        ("mod.rs", L, 6, 6, Ok("keep 6")),
        ("mod.rs", L, 9, 9, Err("wrong_side")),
        ("mod.rs", L, 25, 25, Ok("gone twenty-five")),
        ("mod.rs", R, u32::MAX, u32::MAX, Err("line_not_in_diff")),
        // c13: a new file, RIGHT only.
        ("new.rs", R, 1, 2, Ok("one")),
        ("new.rs", L, 1, 2, Err("wrong_side")),
        ("new.rs", L, 3, 3, Err("line_not_in_diff")),
        ("new.rs", R, 3, 3, Err("line_not_in_diff")),
        // c12: a deleted file, LEFT only.
        ("gone.rs", L, 1, 3, Ok("one")),
        ("gone.rs", R, 1, 3, Err("wrong_side")),
        ("gone.rs", R, 4, 4, Err("line_not_in_diff")),
        // c14: a rename: LEFT by either name, RIGHT by the new one.
        ("is.rs", R, 5, 5, Ok("new five")),
        ("is.rs", L, 5, 5, Ok("old five")),
        ("was.rs", L, 5, 5, Ok("old five")),
        ("was.rs", R, 5, 5, Err("file_not_in_diff")),
        // c15
        ("logo.png", R, 1, 1, Err("binary_file")),
        ("logo.png", L, 1, 1, Err("binary_file")),
        ("pure_new", R, 1, 1, Err("no_text_diff")),
        ("pure_old", L, 1, 1, Err("no_text_diff")),
        ("pure_old", R, 1, 1, Err("file_not_in_diff")),
        ("mode.sh", R, 1, 1, Err("no_text_diff")),
        ("vendor/sub", R, 1, 1, Err("no_text_diff")),
        ("link", R, 1, 1, Err("no_text_diff")),
        ("link", L, 1, 1, Err("no_text_diff")),
        ("empty", R, 1, 1, Err("no_text_diff")),
        // c20
        ("typed", L, 2, 2, Ok("text two")),
        ("typed", R, 2, 2, Err("no_text_diff")),
        // Paths.
        ("quiet.rs", R, 1, 1, Err("file_not_in_diff")),
        ("no/such.rs", R, 1, 1, Err("file_not_in_diff")),
        ("caf\u{fffd}.rs", R, 1, 1, Err("path_not_utf8")),
        ("./src/deep.rs", R, 2, 2, Ok("c")),
        ("src\\deep.rs", L, 2, 2, Ok("b")),
        ("SRC/deep.rs", R, 2, 2, Err("file_not_in_diff")),
    ] {
        let finding = finding(path, side, start, end);
        let got = match resolve(&finding, &change, Relocate::Sure) {
            Verdict::Anchored(anchor) => {
                assert_eq!((anchor.side, anchor.range), (side, LineRange::new(start, end)));
                Ok(anchor.lines(&change).next().unwrap().lossy().into_owned())
            }
            Verdict::Rejected(rejection) => Err(rejection.fault.code().as_str()),
            Verdict::WholeFile => panic!("the finding has a place"),
        };
        assert_eq!(got, expected.map(str::to_owned), "{path} {side} {start}-{end}");
    }
}

#[test]
fn a_finding_without_a_line_is_about_the_file_whether_the_change_knows_it_or_not() {
    for path in ["mod.rs", "no/such.rs", "logo.png"] {
        let finding = Finding { place: None, ..finding(path, R, 1, 1) };
        assert_eq!(resolve(&finding, &everything(), Relocate::Never), Verdict::WholeFile);
    }
}

#[test]
fn c01_every_bad_place_is_named_and_the_good_one_lands() {
    let change = everything();
    assert_eq!(told(&change, &finding("mod.rs", R, 400, 400)).0, "line_not_in_diff");
    assert_eq!(told(&change, &finding("nope.rs", R, 5, 5)).0, "file_not_in_diff");
    assert_eq!(anchored(&change, &finding("mod.rs", R, 5, 6)).range, LineRange::new(5, 6));
}

#[test]
fn c02_the_nearest_commentable_lines_are_named() {
    let change = everything();
    let rejection = rejected(&change, &finding("mod.rs", R, 1, 1));
    let near: Vec<_> = rejection.nearest.iter().map(|n| (n.side, n.line, n.text.as_str())).collect();
    assert_eq!(near, [(R, 2, "keep 2"), (R, 3, "keep 3"), (R, 4, "keep 4")]);
    assert_eq!(
        rejection.to_string(),
        "line 1 is not in the diff on RIGHT; the nearest commentable line is 2: `keep 2`"
    );
    // Between two hunks, from both: of two as near the lower one comes first.
    let near = |line| rejected(&change, &finding("mod.rs", R, line, line)).nearest;
    assert_eq!(near(16).iter().map(|n| n.line).collect::<Vec<_>>(), [9, 23, 8]);
    assert_eq!(near(21).iter().map(|n| n.line).collect::<Vec<_>>(), [23, 24, 25]);
    assert_eq!(near(u32::MAX).iter().map(|n| n.line).collect::<Vec<_>>(), [29, 28, 27]);
}

#[test]
fn c05_a_line_of_the_other_side_is_told_and_proposed_and_never_moved() {
    let change = everything();
    let wrong = finding("mod.rs", R, 22, 22);
    let (code, proposal, message) = told(&change, &wrong);
    assert_eq!((code, proposal.as_str()), ("wrong_side", "OtherSide LEFT 22"));
    assert_eq!(message, "RIGHT 22 is not in the diff, LEFT 22 is: a context line; LEFT 22 is probably meant");
    assert_eq!(moved(&change, &wrong), None);
    // Its text confirms it, and still nothing moves.
    let wrong = quoting(wrong, "keep 22");
    assert_eq!(told(&change, &wrong).1, "OtherSide LEFT 22");
    assert_eq!(moved(&change, &wrong), None);
    // The text is another one: the number was not meant on the other side either.
    let invented = quoting(wrong.clone(), "nothing of the kind");
    assert_eq!(told(&change, &invented).0, "line_not_in_diff");
    let elsewhere = quoting(wrong, "new five");
    assert_eq!(told(&change, &elsewhere).1, "WholeLines RIGHT 5");
    assert_eq!(moved(&change, &elsewhere), Some((R, LineRange::line(5))));
}

#[test]
fn a_range_is_on_the_wrong_side_only_when_both_its_ends_are_there_in_one_hunk() {
    let change = change(vec![
        modified("m", &[" 1", " 2", "-3", "-4", "-5", "-6", "-7", "-8"]),
        modified("n", &["-1", " 2", " 3", " 4", " 5", " 6", " 7", " 8", " 9", "-10"]),
    ]);
    for (path, side, start, end, code) in [
        ("m", R, 5, 6, "wrong_side"),
        ("m", R, 2, 6, "wrong_side"),
        ("m", R, 6, 5, "wrong_side"),
        ("m", R, 8, 9, "line_not_in_diff"),
        ("n", R, 4, 10, "line_not_in_diff"),
    ] {
        assert_eq!(told(&change, &finding(path, side, start, end)).0, code, "{path} {side} {start}-{end}");
    }
}

#[test]
fn c12_a_deleted_file_says_that_every_line_is_on_left() {
    let change = everything();
    let (_, proposal, message) = told(&change, &finding("gone.rs", R, 2, 3));
    assert_eq!(proposal, "OtherSide LEFT 2-3");
    assert_eq!(message, "the file is deleted: every line is on LEFT; LEFT 2-3 is probably meant");
    assert_eq!(
        told(&change, &finding("gone.rs", R, 9, 9)).2,
        "the file is deleted: every line is on LEFT; the nearest commentable line is LEFT 3: `three`"
    );
}

#[test]
fn c13_a_new_file_says_that_every_line_is_on_right() {
    let message = told(&everything(), &finding("new.rs", L, 1, 1)).2;
    assert_eq!(message, "the file is new: every line is on RIGHT; RIGHT 1 is probably meant");
}

#[test]
fn c14_the_old_name_on_right_says_renamed_to_and_proposes_the_new_name_where_the_lines_are() {
    let change = everything();
    for (start, end, snippet, proposal, message) in [
        (5, 6, None, "Renamed RIGHT 5-6 is.rs", "; RIGHT 5-6 of is.rs is probably meant"),
        (5, 5, Some("new five"), "Renamed RIGHT 5 is.rs", "; RIGHT 5 of is.rs is probably meant"),
        (5, 5, Some("new six"), "Probable RIGHT 6 is.rs", "; the snippet probably means RIGHT 6"),
        (5, 5, Some("no such text"), "", ""),
        (500, 500, None, "", ""),
    ] {
        let finding = finding("was.rs", R, start, end);
        let finding = Finding { snippet: snippet.map(str::to_owned), ..finding };
        let expected = format!("was.rs is renamed to is.rs: RIGHT goes by the new name{message}");
        assert_eq!(told(&change, &finding), ("file_not_in_diff", proposal.to_owned(), expected));
        assert_eq!(moved(&change, &finding), None, "a name is never changed without a person");
    }
}

#[test]
fn c15_what_has_no_lines_says_so_in_its_own_words() {
    let change = everything();
    let messages: Vec<String> =
        ["logo.png", "pure_new", "mode.sh", "vendor/sub", "link", "empty", "quiet.rs", "no.rs", "caf\u{fffd}.rs"]
            .map(|path| rejected(&change, &finding(path, R, 1, 1)).fault.to_string())
            .to_vec();
    assert_eq!(
        messages,
        [
            "logo.png is binary, so it has no lines",
            "pure_new is renamed without a changed line",
            "only the mode of mode.sh changes, none of its lines",
            "vendor/sub is a submodule: it has a commit and no lines",
            "link is a symlink: it has a target and no lines",
            "empty is empty",
            "quiet.rs is not changed here",
            "there is no file no.rs, before the change or after it",
            "caf\u{fffd}.rs spells a name that is not UTF-8, which no forge's API can be told",
        ]
    );
    assert_eq!(
        told(&change, &finding("logo.png", R, 1, 1)).2,
        "logo.png is binary, so it has no lines; leave its line out, and it goes into the summary"
    );
}

#[test]
fn c24_ranges_reversed_and_across_hunks_are_rejected_and_an_equal_end_is_one_line() {
    let change = everything();
    assert_eq!(
        told(&change, &finding("mod.rs", R, 6, 5)),
        ("range_reversed", String::new(), "the range ends at line 5, before it begins at line 6".to_owned())
    );
    assert_eq!(
        told(&change, &finding("mod.rs", R, 9, 23)),
        (
            "range_across_hunks",
            String::new(),
            "lines 9 and 23 are in different hunks, and a comment lies within one".to_owned()
        )
    );
    // Reversed and across hunks: the first one is told. A missing end is told before both.
    assert_eq!(told(&change, &finding("mod.rs", R, 23, 9)).0, "range_reversed");
    assert_eq!(told(&change, &finding("mod.rs", R, 23, 1)).0, "line_not_in_diff");
    let one = anchored(&change, &finding("mod.rs", R, 6, 6));
    assert!(one.range.is_single() && one.first == one.last);
}

#[test]
fn a_right_range_skips_the_deleted_lines_between_and_a_left_range_the_added_ones() {
    let change = change(vec![modified("m", &[" a", "-b", "+c", " d"])]);
    let lines = |side, start, end| {
        let anchor = anchored(&change, &finding("m", side, start, end));
        anchor.lines(&change).map(|line| line.lossy().into_owned()).collect::<Vec<_>>()
    };
    assert_eq!(lines(R, 1, 3), ["a", "c", "d"]);
    assert_eq!(lines(L, 1, 3), ["a", "b", "d"]);
}

#[test]
fn two_files_that_swap_their_names_are_told_apart_by_the_side() {
    let change = change(vec![renamed("a", "b", &["-left a", "+right b"]), renamed("b", "a", &["-left b", "+right a"])]);
    for (path, side, text) in [("a", L, "left a"), ("a", R, "right a"), ("b", L, "left b"), ("b", R, "right b")] {
        let anchor = anchored(&change, &finding(path, side, 1, 1));
        assert_eq!(anchor.ends(&change).0.lossy(), text, "{path} {side}");
    }
}

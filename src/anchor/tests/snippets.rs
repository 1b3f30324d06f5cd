use super::sample::*;
use super::*;

/// ```text
/// LEFT              RIGHT
/// 1 fn main() {     1 fn main() {
/// 2   old_call(a)   2   new_call(a)
/// 3   }             3   extra(b)
/// 4   twice()       4   }
/// 5   tail line     5   twice()
/// 6   gone(c)       6   tail line
///                   7   twice()
/// ```
fn one_hunk() -> Change {
    change(vec![modified(
        "m.rs",
        &[
            " fn main() {",
            "-  old_call(a)",
            "+  new_call(a)",
            "+  extra(b)",
            "   }",
            "   twice()",
            "   tail line",
            "-  gone(c)",
            "+  twice()",
        ],
    )])
}

/// One row: side, range, snippet; then the code (empty: right as it is), the proposal, and where
/// relocation takes it.
type Row = (Side, (u32, u32), &'static str, &'static str, &'static str, Option<(u32, u32)>);

fn check(change: &Change, path: &str, rows: &[Row]) {
    for (side, (start, end), snippet, code, proposal, to) in rows {
        let finding = quoting(finding(path, *side, *start, *end), snippet);
        let row = format!("{side} {start}-{end} {snippet:?}");
        if code.is_empty() {
            let anchor = anchored(change, &finding);
            assert_eq!((anchor.side, anchor.range), (*side, LineRange::new(*start, *end)), "{row}");
            continue;
        }
        let (got, proposed, _) = told(change, &finding);
        assert_eq!((got, proposed.as_str()), (*code, *proposal), "{row}");
        let to = to.map(|(start, end)| (*side, LineRange::new(start, end)));
        assert_eq!(moved(change, &finding), to, "{row}");
    }
}

#[test]
fn c04_an_old_number_on_the_new_side_is_a_mismatch_with_both_lines_shown() {
    let change = one_hunk();
    // LEFT 5 is `tail line`, and RIGHT 5 is another line.
    let wrong = quoting(finding("m.rs", R, 5, 5), "tail line");
    let (code, proposal, message) = told(&change, &wrong);
    assert_eq!((code, proposal.as_str()), ("snippet_mismatch", "WholeLines RIGHT 6"));
    assert_eq!(message, "RIGHT 5 reads `twice()`, the snippet says `tail line`; the snippet stands at RIGHT 6");
    // The text is a deleted line: proposed on LEFT, and not moved there.
    let deleted = quoting(finding("m.rs", R, 2, 2), "old_call(a)");
    assert_eq!(told(&change, &deleted).1, "Probable LEFT 2");
    assert_eq!(moved(&change, &deleted), None);
}

#[test]
fn a_snippet_confirms_moves_or_proposes() {
    const NO: &str = "snippet_mismatch";
    check(
        &one_hunk(),
        "m.rs",
        &[
            // As many lines as the range: equal.
            (R, (2, 2), "new_call(a)", "", "", None),
            (R, (2, 3), "  new_call(a)\n  extra(b)", "", "", None),
            (L, (2, 3), "old_call(a)\n}", "", "", None),
            (R, (3, 4), "new_call(a)\nextra(b)", NO, "WholeLines RIGHT 2-3", Some((2, 3))),
            // Fewer: inside it, wherever; elsewhere they are the beginning of what is meant.
            (R, (1, 4), "extra(b)", "", "", None),
            (R, (1, 4), "}", "", "", None),
            (R, (1, 4), "extra(b)\n}", "", "", None),
            (R, (4, 6), "new_call(a)", NO, "WholeLines RIGHT 2-4", Some((2, 4))),
            (R, (1, 3), "tail line", NO, "Probable RIGHT 6", None),
            // More: around it; elsewhere proposed only.
            (R, (3, 3), "new_call(a)\nextra(b)\n}", "", "", None),
            (R, (2, 2), "new_call(a)\nextra(b)\n}", "", "", None),
            (R, (4, 4), "new_call(a)\nextra(b)\n}", "", "", None),
            (R, (5, 5), "new_call(a)\nextra(b)\n}", NO, "Probable RIGHT 2-4", None),
            // Three letters or digits say too little to move by.
            (R, (2, 2), "}", NO, "Probable RIGHT 4", None),
            // Nowhere.
            (R, (2, 2), "invented()", NO, "", None),
            (R, (2, 2), "new_call(a)\ntwice()", NO, "", None),
            // Not in the diff, but its text is.
            (R, (90, 90), "extra(b)", "line_not_in_diff", "WholeLines RIGHT 3", Some((3, 3))),
            (R, (90, 91), "extra(b)", "line_not_in_diff", "WholeLines RIGHT 3-4", Some((3, 4))),
            (R, (90, 90), "twice()", "line_not_in_diff", "", None),
            (R, (90, 90), "gone(c)", "line_not_in_diff", "Probable LEFT 6", None),
            // Reversed ranges have no length to move.
            (R, (91, 90), "extra(b)", "line_not_in_diff", "Probable RIGHT 3", None),
            (R, (3, 2), "extra(b)", "range_reversed", "", None),
            // The written side comes first, though LEFT has the line too.
            (L, (2, 2), "twice()", NO, "WholeLines LEFT 4", Some((4, 4))),
            // Context lines of the other side are no place of their own; runs with one that is are.
            (R, (3, 3), "old_call(a)\n}", NO, "Probable LEFT 2-3", None),
            (R, (3, 3), "fn main() {\nold_call(a)", NO, "Probable LEFT 1-2", None),
            (L, (2, 2), "extra(b)", NO, "Probable RIGHT 3", None),
            // Blank says nothing.
            (R, (2, 2), " \n\t\n", "", "", None),
        ],
    );
}

#[test]
fn c07_a_snippet_may_lack_its_indentation_or_carry_markers_or_be_a_part_of_a_line() {
    let long = format!("+{}let needle = find_me(1);{}", "x".repeat(2_000), "y".repeat(2_024));
    assert_eq!(long.chars().count(), 1 + 4_048);
    let change = change(vec![modified(
        "m.rs",
        &[
            " \tdeep(1);\r",
            "-\told_text(2);",
            "+\tnew_text(2);",
            "+- item one",
            "+\u{3000}+ wide",
            &long,
            "+short = 1",
            " z",
        ],
    )]);
    const NO: &str = "snippet_mismatch";
    check(
        &change,
        "m.rs",
        &[
            (R, (1, 1), "deep(1);", "", "", None),
            (R, (1, 1), "    deep(1);   \n", "", "", None),
            (R, (2, 2), "+\tnew_text(2);", "", "", None),
            (R, (1, 2), " \tdeep(1);\r\n+\tnew_text(2);\r\n", "", "", None),
            (L, (1, 2), " \tdeep(1);\n-\told_text(2);", "", "", None),
            // As written first: a list's own dash is no marker.
            (R, (3, 3), "- item one", "", "", None),
            (R, (3, 3), "+- item one", "", "", None),
            (R, (4, 4), "+ wide", "", "", None),
            (R, (4, 4), "++ wide", "", "", None),
            // A part of a line, twelve characters or more.
            (R, (5, 5), "let needle = find_me(1);", "", "", None),
            (R, (5, 5), "+let needle = find_me(1);", "", "", None),
            (R, (3, 5), "needle = find_me", "", "", None),
            (R, (5, 5), "let needle ", NO, "", None),
            (R, (6, 6), "short = ", NO, "", None),
            // Elsewhere a part proposes, and never moves.
            (R, (2, 2), "let needle = find_me(1);", NO, "Probable RIGHT 5", None),
            (R, (2, 3), "let needle = find_me(1);", NO, "Probable RIGHT 5-6", None),
            // Several lines are whole lines.
            (R, (5, 6), "find_me(1);\nshort = 1", NO, "", None),
        ],
    );
    let message = told(&change, &quoting(finding("m.rs", R, 5, 5), &"w".repeat(5_000))).2;
    assert_eq!(message, format!("RIGHT 5 reads `{}…`, the snippet says `{}…`", "x".repeat(120), "w".repeat(120)));
}

#[test]
fn c08_a_hunk_header_never_matches() {
    let change = one_hunk();
    let wrong = quoting(finding("m.rs", R, 1, 1), "@@ -1,6 +1,7 @@ fn main() {");
    assert_eq!(told(&change, &wrong).0, "snippet_mismatch");
    assert_eq!(told(&change, &wrong).1, "");
    let around = quoting(finding("m.rs", R, 1, 1), "@@ -1,6 +1,7 @@\n fn main() {");
    assert_eq!(told(&change, &around).0, "snippet_mismatch");
}

#[test]
fn c09_a_text_that_stands_twice_is_right_where_it_is_and_ambiguous_where_it_is_not() {
    let change = one_hunk();
    for line in [5, 7] {
        assert_eq!(anchored(&change, &quoting(finding("m.rs", R, line, line), "twice()")).range.start, line);
    }
    let neither = quoting(finding("m.rs", R, 3, 3), "twice()");
    let rejection = rejected(&change, &neither);
    assert_eq!(
        rejection.to_string(),
        "RIGHT 3 reads `extra(b)`, the snippet says `twice()`, which stands at RIGHT 5, RIGHT 7"
    );
    assert_eq!(rejection.fault.code().as_str(), "snippet_ambiguous");
    let Fault::SnippetAmbiguous { candidates, .. } = rejection.fault else { panic!("ambiguous") };
    assert_eq!(candidates, [place(R, 5, 5), place(R, 7, 7)]);
    assert_eq!(moved(&change, &neither), None);
}

#[test]
fn whole_lines_count_before_parts_of_lines() {
    let change = change(vec![modified("m", &["+let value = 1;", "+let value = 1; // once more", "+other"])]);
    let wrong = quoting(finding("m", R, 3, 3), "let value = 1;");
    assert_eq!(told(&change, &wrong).1, "WholeLines RIGHT 1");
}

#[test]
fn a_run_of_lines_does_not_reach_over_the_border_of_a_hunk() {
    let mut script: Vec<String> = (0..12).map(|n| format!(" keep {n}")).collect();
    script[0] = "+first".to_owned();
    script[11] = "+last".to_owned();
    let script: Vec<&str> = script.iter().map(String::as_str).collect();
    // RIGHT 1..4 and 9..12.
    let change = change(vec![modified("m", &script)]);
    check(
        &change,
        "m",
        &[
            (R, (4, 4), "keep 3\nkeep 8", "snippet_mismatch", "", None),
            (R, (1, 2), "keep 3", "snippet_mismatch", "Probable RIGHT 4", None),
            (R, (9, 12), "keep 1", "snippet_mismatch", "Probable RIGHT 2", None),
            (R, (9, 11), "keep 1", "snippet_mismatch", "WholeLines RIGHT 2-4", Some((2, 4))),
        ],
    );
}

#[test]
fn context_lines_that_are_neighbours_on_the_other_side_alone_are_no_place() {
    let change = change(vec![modified("m", &[" alpha", "+between", " omega", "-gone"])]);
    let snippet = |text| told(&change, &quoting(finding("m", R, 2, 2), text)).1;
    assert_eq!(snippet("alpha\nomega"), "");
    assert_eq!(snippet("omega\ngone"), "Probable LEFT 2-3");
}

#[test]
fn the_first_lines_that_differ_are_shown() {
    let message = told(&one_hunk(), &quoting(finding("m.rs", R, 2, 3), "new_call(a)\nextra(x)")).2;
    assert_eq!(message, "RIGHT 2-3 reads `extra(b)`, the snippet says `extra(x)`");
}

//! The reader of unified diffs against what models and people get wrong.

use bytes::Bytes;

use super::Paths;
use super::hunk::Hunk;
use super::patch::{Patch, PatchFault, PatchFaultKind, hunks, parse};
use crate::review::Side;

fn read(text: &str) -> Patch {
    parse(&Bytes::from(text.to_owned()))
}

/// Faults as `(line, hunk, kind)`.
fn faults(patch: &Patch) -> Vec<(usize, Option<usize>, PatchFaultKind)> {
    let brief = |fault: &PatchFault| (fault.line, fault.hunk.as_ref().map(|hunk| hunk.0), fault.kind.clone());
    patch.faults.iter().map(brief).collect()
}

fn texts(hunk: &Hunk) -> Vec<String> {
    hunk.lines.iter().map(|line| format!("{}/{} {}", line.old, line.new, line.lossy())).collect()
}

#[test]
fn a_hunk_that_is_cut_short_is_named_and_what_was_read_stays() {
    let patch = read(
        "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -3,4 +3,5 @@ fn f\n one\n+two\n\ndiff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
    );
    assert_eq!(faults(&patch), [(4, Some(0), PatchFaultKind::CutShort { old_missing: 3, new_missing: 3 })]);
    assert_eq!(
        patch.faults[0].to_string(),
        "line 4 of the patch, \"x\", hunk 1 (\"@@ -3,4 +3,5 @@ fn f\"): cut short, 3 old and 3 new lines are missing"
    );
    assert_eq!(texts(&patch.files[0].hunks[0]), ["3/3 one", "4/4 two"]);
    assert_eq!((patch.files[0].hunks[0].old_len, patch.files[0].hunks[0].new_len), (1, 2));
    assert_eq!(texts(&patch.files[1].hunks[0]), ["1/1 a", "2/1 b"]);
}

#[test]
fn a_cut_hunk_does_not_swallow_the_header_of_a_file_without_gits_own() {
    let patch = read("--- a/x\n+++ b/x\n@@ -3,4 +3,5 @@\n one\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n");
    assert_eq!(faults(&patch), [(3, Some(0), PatchFaultKind::CutShort { old_missing: 3, new_missing: 4 })]);
    assert_eq!(texts(&patch.files[0].hunks[0]), ["3/3 one"]);
    assert_eq!(patch.files[1].paths(), Some(Paths::Modified { path: "y".into() }));
    assert_eq!(texts(&patch.files[1].hunks[0]), ["1/1 a", "2/1 b"]);
}

#[test]
fn a_header_that_counts_one_line_too_many_takes_no_line_of_the_next_files_header() {
    // Both counts, the old one, the new one; each is reached exactly by a line that is a header's.
    for (counts, old_missing, new_missing) in [("-1,4 +1,4", 1, 1), ("-1,4 +1,3", 1, 0), ("-1,3 +1,4", 0, 1)] {
        for (old, new, path, behind) in [
            ("a/y", "b/y", "y", ""),
            ("/dev/null", "b/y", "y", ""),
            ("a/z", "b/y", "y", ""),
            ("a/y\t2026", "b/y\t2026", "y", "And then:\n"),
            ("\"a/\\303\\261\"", "\"b/\\303\\261\"", "ñ", "\n"),
            ("src/y", "src/y", "src/y", ""),
        ] {
            let text = format!(
                "--- a/x\n+++ b/x\n@@ {counts} @@\n a\n-b\n+c\n d\n--- {old}\n+++ {new}\n{behind}@@ -50 +50 @@\n-a\n+b\n"
            );
            let patch = read(&text);
            let told = faults(&patch);
            assert_eq!((told[0].0, told[0].1), (3, Some(0)), "{text}");
            if let PatchFaultKind::CutShort { .. } = told[0].2 {
                assert_eq!(told[0].2, PatchFaultKind::CutShort { old_missing, new_missing }, "{text}");
            }
            assert_eq!(texts(&patch.files[0].hunks[0]), ["1/1 a", "2/2 b", "3/2 c", "3/3 d"], "{text}");
            assert_eq!(patch.files[0].hunks.len(), 1, "{text}");
            let next = patch.file(Side::Right, path).unwrap();
            assert_eq!(texts(&next.hunks[0]), ["50/50 a", "51/50 b"], "{text}");
        }
    }
}

#[test]
fn c10_lines_that_begin_as_a_header_does_are_lines_where_they_are_counted() {
    let patch = read("--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- drop old\n+++ i\n@@ -9 +9 @@\n-a\n+b\n");
    assert_eq!(faults(&patch), []);
    assert_eq!(texts(&patch.files[0].hunks[0]), ["1/1 -- drop old", "2/1 ++ i"]);
    assert_eq!((patch.files.len(), patch.files[0].hunks.len()), (1, 2));
    // With names as git writes them, where the next file would have git's own line.
    let patch = read("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- a/y\n+++ b/y\n c\n");
    assert_eq!(faults(&patch), []);
    assert_eq!(texts(&patch.files[0].hunks[0]), ["1/1 -- a/y", "2/1 ++ b/y", "2/2 c"]);
}

#[test]
fn behind_an_empty_line_of_a_hunk_that_is_not_as_counted_nothing_is_sure() {
    // A text whose lines were spread out: each empty line would count as one of context.
    for counts in ["-1,3 +1,3", "-1,9 +1,9"] {
        let patch = read(&format!("--- a/x\n+++ b/x\n@@ {counts} @@\n\n one\n\n-two\n\n+2\n\n three\n"));
        assert_eq!((patch.faults[0].line, patch.faults[0].hunk.as_ref().map(|hunk| hunk.0)), (3, Some(0)), "{counts}");
        assert_eq!(patch.files[0].hunks, [], "{counts}");
    }
    let patch = read("--- a/x\n+++ b/x\n@@ -1,5 +1,5 @@\n one\n\n-two\n+2\n");
    assert_eq!(faults(&patch), [(3, Some(0), PatchFaultKind::CutShort { old_missing: 4, new_missing: 4 })]);
    assert_eq!(texts(&patch.files[0].hunks[0]), ["1/1 one"]);
    // As counted, it is a context line whose space something took away.
    let patch = read("--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one\n\n-two\n+2\n");
    assert_eq!(faults(&patch), []);
    assert_eq!(texts(&patch.files[0].hunks[0]), ["1/1 one", "2/2 ", "3/3 two", "4/3 2"]);
}

#[test]
fn counts_off_by_one_are_told_and_only_what_they_cover_anchors() {
    // One too many lines for the counts, then a hunk that is right.
    let patch = read("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n two\n three\n@@ -9 +9 @@\n-a\n+b\n");
    assert_eq!(faults(&patch), [(3, Some(0), PatchFaultKind::Miscounted)]);
    assert_eq!(texts(&patch.files[0].hunks[0]), ["1/1 one", "2/2 two"]);
    assert_eq!(texts(&patch.files[0].hunks[1]), ["9/9 a", "10/9 b"]);
    // One added line more than counted.
    let patch = read("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n+1\n two\n@@ -9 +9 @@\n-a\n+b\n");
    assert_eq!(faults(&patch), [(3, Some(0), PatchFaultKind::Miscounted)]);
    assert_eq!(texts(&patch.files[0].hunks[0]), ["1/1 one", "2/2 1"]);
    assert_eq!(patch.files[0].hunks.len(), 2);
}

#[test]
fn prose_a_broken_header_and_a_hunk_out_of_order_are_told() {
    let patch = read(
        "Here is the patch:\n\n--- a/x\n+++ b/x\n@@ -9 +9 @@\n-a\n+b\nand then\nthe rest\n@@ ... @@\n x\n@@ -1 +1 @@\n-a\n+b\n@@ -0,1 +1 @@\n y\n",
    );
    assert_eq!(
        faults(&patch),
        [
            (8, None, PatchFaultKind::Prose { lines: 2 }),
            (10, Some(1), PatchFaultKind::Header),
            (12, Some(2), PatchFaultKind::OutOfOrder),
            (15, Some(3), PatchFaultKind::Header),
        ]
    );
    assert!(patch.faults.iter().all(|fault| fault.file.as_deref() == Some("x")));
    assert_eq!(patch.files[0].hunks.len(), 1);
    assert_eq!(faults(&read("@@ -1 +1 @@\n-a\n+b\n")), [(1, Some(0), PatchFaultKind::NoFile)]);
    let merge = read("diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,2 @@@\n++a\n  b\n");
    assert_eq!(faults(&merge), [(5, None, PatchFaultKind::Combined)]);
}

#[test]
fn c11_an_empty_context_line_counts_at_the_end_too() {
    for text in ["@@ -1,2 +1,3 @@\n a\n+b\n ", "@@ -1,2 +1,3 @@\n a\n+b\n\n", "@@ -1,2 +1,3 @@\n a\n+b\n \n"] {
        let (hunks, faults) = hunks(text.as_bytes());
        assert_eq!(faults, [], "{text:?}");
        let last = hunks[0].lines.last().unwrap();
        assert_eq!((last.number(Side::Left), last.number(Side::Right), &last.text[..]), (Some(2), Some(3), &b""[..]));
    }
}

#[test]
fn hunks_alone_may_have_the_two_header_lines_before_them() {
    let bare = "@@ -1 +1 @@\n--- a\n+++ b\n\\ No newline at end of file\n";
    let (with, faults) = hunks(format!("--- a/x\n+++ b/x\n{bare}").as_bytes());
    assert_eq!((with, faults), hunks(bare.as_bytes()));
    assert_eq!(texts(&hunks(bare.as_bytes()).0[0]), ["1/1 -- a", "2/1 ++ b"]);
    assert_eq!(hunks(b""), (vec![], vec![]));
}

#[test]
fn a_million_empty_lines_are_looked_over_once() {
    // Once a line, this would not end.
    let (read, faults) = hunks(format!("@@ -1,1000000 +1,1000000 @@\n{} a", "\n".repeat(999_999)).as_bytes());
    assert_eq!((read[0].lines.len(), faults), (1_000_000, vec![]));
}

#[test]
fn a_mails_head_and_signature_and_other_tools_headers_are_no_faults() {
    let patch = read(
        "From 0123 Mon Sep 17 00:00:00 2001\nSubject: x\n\n---\n x | 2 +-\n\ndiff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-- a\n+- b\n-- \n2.47.3\n\nFrom 4567\nSubject: y\n\ndiff -ru old/y new/y\n--- old/y\t2026-01-01 00:00:00\n+++ new/y\t2026-01-02 00:00:00\n@@ -1 +1 @@\n-a\n+b\n",
    );
    assert_eq!(patch.faults, []);
    assert_eq!(texts(&patch.files[0].hunks[0]), ["1/1 - a", "2/1 - b"]);
    assert_eq!(patch.files[1].paths(), Some(Paths::Modified { path: "y".into() }));
}

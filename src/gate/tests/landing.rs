use super::sample::*;
use super::*;
use crate::anchor::{Relocate, Verdict, resolve};
use crate::change::LineKind::{Added, Context, Removed};
use crate::review::LineRange;
use crate::text::RangeNote;

/// ```text
/// LEFT        RIGHT
/// 1 a         1 a
/// 2 b (gone)
/// 3 c         2 c
/// 4 d (gone)
///             3 x (new)
/// 5 e         4 e
///             5 y (new)
/// 6 f         6 f
/// ```
fn sample_change() -> Change {
    change(vec![modified("m", &[" a", "-b", " c", "-d", "+x", " e", "+y", " f"])])
}

#[test]
fn c24_where_the_forges_put_a_comment() {
    let change = sample_change();
    // Written; then GitHub's side, range and note, then GitLab's note; GitLab's place is as written.
    for (side, start, end, github, note, gitlab_note) in [
        (R, 1, 1, (R, 1, 1), false, false),
        (R, 1, 4, (R, 1, 4), false, true),
        (R, 3, 3, (R, 3, 3), false, false),
        (L, 2, 2, (L, 2, 2), false, false),
        (L, 2, 4, (L, 2, 4), false, true),
        // It begins or ends on a context line: drawn in, and the text names it whole.
        (L, 1, 2, (L, 2, 2), true, true),
        (L, 1, 5, (L, 2, 4), true, true),
        (L, 3, 4, (L, 4, 4), true, true),
        (L, 3, 6, (L, 4, 4), true, true),
        // No deleted line: RIGHT by the new numbers, with what lies between them there.
        (L, 1, 1, (R, 1, 1), false, false),
        (L, 3, 3, (R, 2, 2), false, false),
        (L, 5, 6, (R, 4, 6), false, true),
    ] {
        let row = format!("{side} {start}-{end}");
        let Verdict::Anchored(anchor) = resolve(&finding("m", side, start, end), &change, Relocate::Never) else {
            panic!("{row} is in the diff");
        };
        let noted = Some(RangeNote { side, range: LineRange::new(start, end) });
        let landing = land(Kind::GitHub, &change, &anchor);
        assert_eq!((landing.side, landing.range.start, landing.range.end), github, "{row}");
        assert_eq!(landing.note, noted.filter(|_| note), "{row}");
        assert_eq!(landing.first.number(landing.side), Some(landing.range.start), "{row}");
        assert_eq!(landing.last.number(landing.side), Some(landing.range.end), "{row}");
        let landing = land(Kind::GitLab, &change, &anchor);
        assert_eq!((landing.side, landing.range), (side, LineRange::new(start, end)), "{row}");
        assert_eq!(landing.note, noted.filter(|_| gitlab_note), "{row}");
    }
}

/// Four deleted lines, one of them apart: the last one is the end, however many lie before it.
#[test]
fn a_left_range_is_drawn_in_to_its_first_and_last_deleted_line() {
    let change = change(vec![modified("m", &[" a", "-b", "-c", "-d", " e", "-f", " g", " h"])]);
    for (start, end, expected) in [
        (1, 4, (2, 4)),
        (1, 5, (2, 4)),
        (2, 5, (2, 4)),
        (3, 5, (3, 4)),
        (4, 5, (4, 4)),
        (1, 7, (2, 6)),
        (2, 8, (2, 6)),
        (3, 7, (3, 6)),
        (5, 8, (6, 6)),
    ] {
        let Verdict::Anchored(anchor) = resolve(&finding("m", L, start, end), &change, Relocate::Never) else {
            panic!("{start}-{end} is in the diff");
        };
        let landing = land(Kind::GitHub, &change, &anchor);
        assert_eq!(
            (landing.side, landing.range.start, landing.range.end),
            (L, expected.0, expected.1),
            "{start}-{end}"
        );
        assert_eq!((landing.first.old, landing.last.old), expected, "{start}-{end}");
    }
}

#[test]
fn the_ends_carry_both_counters() {
    let change = sample_change();
    for (side, line, kind, old, new) in
        [(R, 3, Added, 5, 3), (L, 4, Removed, 4, 3), (R, 4, Context, 5, 4), (L, 5, Context, 5, 4)]
    {
        let review = review(vec![finding("m", side, line, line)]);
        let plan = plan(&review, &change, &Options::default(), &CrossCheck::NotCompared, Kind::GitLab);
        let spot = plan.items[0].spot.as_ref().unwrap();
        assert_eq!(spot.last, Point { kind, old, new }, "{side} {line}");
        assert_eq!(spot.first, spot.last);
    }
}

#[test]
fn a_spot_names_the_file_as_the_forge_does() {
    let change = change(vec![
        renamed("was", "is", &["-a", "+b"]),
        deleted("gone", &["-a"]),
        added("fresh", &["+b"]),
        modified("src/same", &["-a", "+b"]),
    ]);
    for (path, side, sent, old, new) in [
        ("was", L, "is", "was", "is"),
        ("is", R, "is", "was", "is"),
        ("gone", L, "gone", "gone", "gone"),
        ("fresh", R, "fresh", "fresh", "fresh"),
        ("./src\\same", R, "src/same", "src/same", "src/same"),
    ] {
        let plan = planned(vec![finding(path, side, 1, 1)], &change, &Options::default());
        let spot = plan.items[0].spot.as_ref().unwrap();
        assert_eq!((&*spot.path, &*spot.old_path, &*spot.new_path), (sent, old, new), "{path}");
    }
}

//! The reader of unified diffs.

use bytes::Bytes;
use dai::change::patch::{hunks, parse};
use dai::change::{Hunk, LineKind};

/// Whatever a text is, what is read of it as hunks is numbered as its headers say, and stands in the text.
pub fn check(bytes: &[u8]) {
    let text = Bytes::copy_from_slice(bytes);
    let patch = parse(&text);
    let count = text.split(|b| *b == b'\n').count();
    for file in &patch.files {
        assert!((1..=count).contains(&file.line), "line {} of {count}", file.line);
        in_order(&file.hunks, &text);
    }
    assert!(patch.faults.iter().all(|fault| (1..=count + 1).contains(&fault.line)));
    in_order(&hunks(bytes).0, &text);
}

fn in_order(hunks: &[Hunk], text: &[u8]) {
    let (mut old_end, mut new_end) = (0, 0);
    for hunk in hunks {
        let (mut old, mut new) = (hunk.old_start, hunk.new_start);
        if hunk.old_len > 0 {
            assert!(old >= old_end, "old lines {old} come after {old_end}");
        }
        if hunk.new_len > 0 {
            assert!(new >= new_end, "new lines {new} come after {new_end}");
        }
        // An empty side is named by the line before it.
        if hunk.old_len == 0 {
            old = hunk.lines.first().map_or(old, |line| line.old);
        }
        if hunk.new_len == 0 {
            new = hunk.lines.first().map_or(new, |line| line.new);
        }
        for line in &hunk.lines {
            assert_eq!((line.old, line.new), (old, new), "{hunk:?}");
            assert!(!line.text.contains(&b'\n'));
            assert!(line.text.is_empty() || text.windows(line.text.len()).any(|part| part == line.text), "made up");
            old += u32::from(line.kind != LineKind::Added);
            new += u32::from(line.kind != LineKind::Removed);
        }
        let of = |kind| hunk.lines.iter().filter(|line| line.kind != kind).count();
        assert_eq!((hunk.old_len as usize, hunk.new_len as usize), (of(LineKind::Added), of(LineKind::Removed)));
        (old_end, new_end) = (old, new);
    }
}

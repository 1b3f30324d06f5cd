//! A diff that is too long for a reviewer, cut where nothing is torn: between files, or between the
//! hunks of one.

use bytes::Bytes;
use schemars::JsonSchema;
use serde::Serialize;

use crate::change::patch;

/// The longest diff of a packet, in bytes.
pub const MAX_DIFF: usize = 256 << 10;

/// A diff and what is not in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    pub text: String,
    /// Empty where nothing was cut.
    pub left_out: Vec<LeftOut>,
}

/// A file that the diff does not show whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LeftOut {
    /// Its name in the new image; of a deleted file the old one.
    pub path: String,
    /// How many hunks of it are in the diff, from its first.
    pub shown: usize,
    /// How many it has.
    pub hunks: usize,
}

/// One file's part of a diff, by its hunks.
struct Section<'t> {
    header: &'t str,
    hunks: Vec<&'t str>,
}

/// Keeps what fits into `limit` bytes: whole files first, each that fits in the diff's order, so that one
/// long file hides no other; then the first hunks of those that do not fit whole.
///
/// `diff` is git's own: each file begins with `diff --git`.
pub fn cut(diff: String, limit: usize) -> Cut {
    if diff.len() <= limit {
        return Cut { text: diff, left_out: Vec::new() };
    }
    let sections: Vec<Section<'_>> = split(&diff, "diff --git ").into_iter().map(Section::of).collect();
    let mut room = limit;
    let mut shown: Vec<Option<usize>> = vec![None; sections.len()];
    for (section, shown) in sections.iter().zip(&mut shown) {
        if let Some(rest) = room.checked_sub(section.len()) {
            (room, *shown) = (rest, Some(section.hunks.len()));
        }
    }
    let whole = shown.clone();
    for (section, shown) in sections.iter().zip(&mut shown).filter(|(_, shown)| shown.is_none()) {
        let mut fits = 0;
        let mut length = section.header.len();
        while let Some(hunk) = section.hunks.get(fits).filter(|hunk| length + hunk.len() <= room) {
            (fits, length) = (fits + 1, length + hunk.len());
        }
        if fits > 0 {
            (room, *shown) = (room - length, Some(fits));
        }
    }
    let mut text = String::with_capacity(limit);
    let mut left_out = Vec::new();
    for ((section, whole), shown) in sections.iter().zip(whole).zip(shown) {
        if let Some(count) = shown {
            text.push_str(section.header);
            text.extend(section.hunks[..count].iter().copied());
        }
        if whole.is_none() {
            left_out.push(LeftOut { path: section.path(), shown: shown.unwrap_or(0), hunks: section.hunks.len() });
        }
    }
    Cut { text, left_out }
}

impl<'t> Section<'t> {
    fn of(text: &'t str) -> Self {
        // A hunk's own lines begin with a space, a sign or a backslash.
        let mut parts = split(text, "@@ ").into_iter();
        Self { header: parts.next().unwrap_or_default(), hunks: parts.collect() }
    }

    fn len(&self) -> usize {
        self.header.len() + self.hunks.iter().map(|hunk| hunk.len()).sum::<usize>()
    }

    fn path(&self) -> String {
        let file = patch::parse(&Bytes::from(self.header.to_owned())).files.into_iter().next();
        let path = file.and_then(|file| file.new_path.or(file.old_path)).map(|path| path.to_string());
        path.unwrap_or_else(|| self.header.lines().next().unwrap_or_default().to_owned())
    }
}

/// Splits before each line that begins with `mark`; the first part is what stands before the first one,
/// unless nothing does.
fn split<'t>(text: &'t str, mark: &str) -> Vec<&'t str> {
    let mut starts = vec![0];
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if at > 0 && line.starts_with(mark) {
            starts.push(at);
        }
        at += line.len();
    }
    starts.push(text.len());
    starts.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{LeftOut, cut};

    /// A file's part: a header of a known length and hunks whose text is of these lengths.
    fn file(name: &str, hunks: &[usize]) -> String {
        let mut text = format!("diff --git a/{name} b/{name}\nindex 1..2 100644\n--- a/{name}\n+++ b/{name}\n");
        for (at, length) in hunks.iter().enumerate() {
            text += &format!("@@ -{at},1 +{at},1 @@\n-diff --git\n+{}\n", "x".repeat(*length));
        }
        text
    }

    fn left(path: &str, shown: usize, hunks: usize) -> LeftOut {
        LeftOut { path: path.to_owned(), shown, hunks }
    }

    #[test]
    fn a_diff_of_the_limit_is_whole_and_one_byte_more_is_cut() {
        let diff = file("a", &[10, 20]);
        assert_eq!(cut(diff.clone(), diff.len()).left_out, []);
        assert_eq!(cut(diff.clone(), diff.len()).text, diff);
        let shorter = cut(diff.clone(), diff.len() - 1);
        assert_eq!(shorter.text, file("a", &[10]));
        assert_eq!(shorter.left_out, [left("a", 1, 2)]);
    }

    #[test]
    fn one_long_file_hides_no_other() {
        let (long, one, two) = (file("long.lock", &[50, 5000]), file("one", &[10]), file("two", &[10, 10]));
        let room = one.len() + two.len() + file("long.lock", &[50]).len();
        let shorter = cut(format!("{long}{one}{two}"), room);
        assert_eq!(shorter.text, format!("{}{one}{two}", file("long.lock", &[50])));
        assert_eq!(shorter.left_out, [left("long.lock", 1, 2)]);
        let shorter = cut(format!("{long}{one}{two}"), room - 1);
        assert_eq!(shorter.text, format!("{one}{two}"));
        assert_eq!(shorter.left_out, [left("long.lock", 0, 2)]);
    }

    #[test]
    fn what_is_left_out_goes_by_its_name() {
        let renamed = "diff --git a/old b/new name\nsimilarity index 100%\nrename from old\nrename to new name\n";
        let gone = "diff --git a/gone b/gone\ndeleted file mode 100644\nindex 1..0\n--- a/gone\n+++ /dev/null\n\
                    @@ -1 +0,0 @@\n-x\n";
        let quoted = "diff --git \"a/q\\\"\" \"b/q\\\"\"\nold mode 100644\nnew mode 100755\n";
        let shorter = cut(format!("{renamed}{gone}{quoted}"), 1);
        assert_eq!(shorter.text, "");
        assert_eq!(shorter.left_out, [left("new name", 0, 0), left("gone", 0, 1), left("q\"", 0, 0)]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        /// Every file is whole, or named with the hunks of it that are there; nothing is torn.
        #[test]
        fn what_is_kept_and_what_is_named_are_the_whole(
            files in prop::collection::vec(prop::collection::vec(0usize..60, 0..4), 1..6),
            limit in 0usize..900,
        ) {
            let names: Vec<String> = (0..files.len()).map(|at| format!("f{at}")).collect();
            let all: String = names.iter().zip(&files).map(|(name, hunks)| file(name, hunks)).collect();
            let shorter = cut(all.clone(), limit);
            prop_assert!(shorter.text.len() <= limit || shorter.left_out.is_empty());
            prop_assert_eq!(shorter.left_out.is_empty(), all.len() <= limit);
            let mut again = String::new();
            for (name, hunks) in names.iter().zip(&files) {
                match shorter.left_out.iter().find(|left| left.path == *name) {
                    None => again += &file(name, hunks),
                    Some(left) => {
                        prop_assert_eq!(left.hunks, hunks.len());
                        prop_assert!(left.shown < left.hunks || left.hunks == 0);
                        if left.shown > 0 {
                            again += &file(name, &hunks[..left.shown]);
                        }
                    }
                }
            }
            prop_assert_eq!(shorter.text, again);
        }
    }
}

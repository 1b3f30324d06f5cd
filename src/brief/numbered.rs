//! A diff with both line numbers in front of each hunk line, so that a reviewer copies a number and never counts.

use std::fmt::Write as _;

/// What ends the numbers; the line of the diff is everything behind it.
const RULE: char = '|';

/// Puts the old and the new number in front of every line of every hunk: `   12    14 | text`, a blank column where the
/// line is not in that image. Headers stay as they are, so the diff comes back by taking off, in each hunk, everything
/// up to the first `|` of a line.
///
/// `diff` is git's own: its hunks are as long as their headers say.
pub fn numbered(diff: &str) -> String {
    let mut out = String::with_capacity(diff.len() * 2);
    let mut hunk = Counters::default();
    for line in diff.split_inclusive('\n') {
        match hunk.take(line) {
            Some((old, new)) => {
                // Writing into a string cannot fail.
                let _ = write!(out, "{} {} {RULE}", column(old), column(new));
            }
            None => hunk = Counters::of(line).unwrap_or_default(),
        }
        out.push_str(line);
    }
    out
}

fn column(number: Option<u32>) -> String {
    number.map_or_else(|| "     ".to_owned(), |number| format!("{number:>5}"))
}

/// Where a hunk is: the number of the next line of each image, and how many are to come.
#[derive(Debug, Default)]
struct Counters {
    old: u32,
    new: u32,
    old_left: u32,
    new_left: u32,
    inside: bool,
}

impl Counters {
    /// From a hunk's header, `@@ -12,7 +14,9 @@`; a count that is left out is one.
    fn of(header: &str) -> Option<Self> {
        let mut words = header.strip_prefix("@@ ")?.split(' ');
        let mut range = |sign| {
            let word: &str = words.next()?.strip_prefix(sign)?;
            let (start, count) = word.split_once(',').unwrap_or((word, "1"));
            Some((start.parse::<u32>().ok()?, count.parse::<u32>().ok()?))
        };
        let ((old, old_left), (new, new_left)) = (range('-')?, range('+')?);
        Some(Self { old, new, old_left, new_left, inside: true })
    }

    /// The numbers of the next line, where it is one of the hunk's.
    fn take(&mut self, line: &str) -> Option<(Option<u32>, Option<u32>)> {
        let (old, new) = match line.as_bytes().first()? {
            // It belongs to the line before, also behind the last one.
            b'\\' if self.inside => return Some((None, None)),
            b' ' if self.old_left > 0 && self.new_left > 0 => (true, true),
            b'-' if self.old_left > 0 => (true, false),
            b'+' if self.new_left > 0 => (false, true),
            _ => return None,
        };
        let numbers = (old.then_some(self.old), new.then_some(self.new));
        (self.old, self.old_left) = (self.old + u32::from(old), self.old_left - u32::from(old));
        (self.new, self.new_left) = (self.new + u32::from(new), self.new_left - u32::from(new));
        Some(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::numbered;

    #[test]
    fn lines_are_numbered_by_the_counts_of_their_hunk() {
        let diff = "diff --git a/q.sql b/q.sql\n--- a/q.sql\n+++ b/q.sql\n@@ -9,3 +9,3 @@ fn x() {\n one\n--- drop old\n\
                    +++ i\n two\n@@ -40 +40,0 @@\n-gone\n\\ No newline at end of file\n";
        let shown = "diff --git a/q.sql b/q.sql\n--- a/q.sql\n+++ b/q.sql\n@@ -9,3 +9,3 @@ fn x() {\n    \
                     9     9 | one\n   10       |--- drop old\n         10 |+++ i\n   11    11 | two\n@@ -40 +40,0 @@\n   \
                     40       |-gone\n            |\\ No newline at end of file\n";
        assert_eq!(numbered(diff), shown);
    }

    #[test]
    fn what_has_no_hunk_stays() {
        let diff = "diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n-x\n+y\n z\n\\ n\n";
        assert_eq!(numbered(diff), diff);
        assert_eq!(numbered(""), "");
    }
}

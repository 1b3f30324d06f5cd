//! A review file's text as it lies on the disk, and where in it a byte is.

use std::fmt;
use std::ops::Range;

/// A place in a file for people. Both count from 1; a column counts characters, not bytes, and a
/// byte-order mark is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// How many bytes lie between two remembered character counts: a file of one long line with a
/// problem in every corner must not be counted from its start for each.
const STRIDE: usize = 1024;

/// The byte-order mark, in UTF-8.
pub(super) const MARK: &str = "\u{feff}";

/// A file's name and text. Offsets are bytes of the file, mark and fence included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    name: String,
    text: String,
    /// Where each line begins. Only `\n` ends a line.
    lines: Vec<usize>,
    /// How many characters lie before each multiple of [`STRIDE`].
    characters: Vec<usize>,
}

impl Source {
    /// `name` is what messages call the file: its path as the person gave it, or `stdin`.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let first = if text.starts_with(MARK) { MARK.len() } else { 0 };
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(first).chain(ends).collect();
        let mut characters = Vec::with_capacity(text.len() / STRIDE + 1);
        let mut count = 0;
        for block in text.as_bytes().chunks(STRIDE) {
            characters.push(count);
            count += starts(block);
        }
        Self { name: name.into(), text, lines, characters }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line and column of a byte; past the end is the end.
    pub fn position(&self, offset: usize) -> Position {
        let offset = self.floor(offset);
        let line = self.lines.partition_point(|start| *start <= offset).max(1);
        let start = self.lines[line - 1];
        let column = self.characters_before(offset).saturating_sub(self.characters_before(start)) + 1;
        Position { line, column }
    }

    /// The bytes of a line counted from 1, without its `\n`; `None` past the last.
    pub fn line(&self, number: usize) -> Option<Range<usize>> {
        let start = *self.lines.get(number.checked_sub(1)?)?;
        let end = self.lines.get(number).map_or(self.text.len(), |next| next - 1);
        Some(start..end)
    }

    /// The nearest border between characters at or before a byte.
    pub(super) fn floor(&self, offset: usize) -> usize {
        self.text.floor_char_boundary(offset)
    }

    fn characters_before(&self, offset: usize) -> usize {
        let block = (offset / STRIDE).min(self.characters.len().saturating_sub(1));
        let known = self.characters.get(block).copied().unwrap_or(0);
        known + starts(&self.text.as_bytes()[block * STRIDE..offset])
    }
}

/// How many characters begin in a run of UTF-8 bytes.
fn starts(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{MARK, Position, Source};

    #[test]
    fn columns_count_characters_and_only_newlines_end_lines() {
        let source = Source::new("f", "é\r\u{2028}x\n\n한y");
        let at = |offset| (source.position(offset).line, source.position(offset).column);
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(2), (1, 2));
        assert_eq!(at(6), (1, 4));
        assert_eq!(at(8), (2, 1));
        assert_eq!(at(12), (3, 2));
        assert_eq!(at(99), (3, 3));
        assert_eq!(source.line(1), Some(0..7));
        assert_eq!(source.line(3), Some(9..13));
        assert_eq!(source.line(4), None);
    }

    #[test]
    fn a_byte_order_mark_takes_no_column() {
        let source = Source::new("f", format!("{MARK}{{}}"));
        assert_eq!(source.position(3), Position { line: 1, column: 1 });
        assert_eq!(source.position(4), Position { line: 1, column: 2 });
        assert_eq!(source.position(0), Position { line: 1, column: 1 });
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn position_is_what_counting_from_the_start_gives(text in "(é|한|a|\n|\r){0,3000}", at in 0usize..9000) {
            let source = Source::new("f", text.clone());
            let at = text.floor_char_boundary(at);
            let before = &text[..at];
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
            prop_assert_eq!(source.position(at), Position { line, column });
        }
    }
}

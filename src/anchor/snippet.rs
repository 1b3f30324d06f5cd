//! The text a reviewer believes to stand at a place, as it may be read.

use super::grams::MIN_PART;

/// A snippet's lines, trimmed, blank ends off: as written, and, where every line has a diff marker,
/// with one of them off.
#[derive(Debug)]
pub(super) struct Snippet<'s> {
    text: &'s str,
    written: Vec<&'s str>,
    unmarked: Option<Vec<&'s str>>,
}

impl<'s> Snippet<'s> {
    /// `None` for a blank snippet, which says nothing.
    pub(super) fn new(text: &'s str) -> Option<Self> {
        let written = without_blank_ends(text.split('\n').map(str::trim).collect());
        if written.is_empty() {
            return None;
        }
        // Blank lines pass: an empty context line loses its marker on the way through many editors.
        let unmark = |line: &'s str| match line.strip_prefix(['+', '-', ' ']) {
            Some(rest) => Some(rest.trim()),
            None => line.trim().is_empty().then_some(""),
        };
        let unmarked: Option<Vec<&str>> = text.split('\n').map(unmark).collect();
        let unmarked = unmarked.map(without_blank_ends).filter(|lines| !lines.is_empty() && *lines != written);
        Some(Self { text, written, unmarked })
    }

    pub(super) fn text(&self) -> &'s str {
        self.text
    }

    /// The readings, in the order in which they are tried.
    pub(super) fn readings(&self) -> impl Iterator<Item = &[&'s str]> {
        std::iter::once(&self.written).chain(&self.unmarked).map(Vec::as_slice)
    }
}

fn without_blank_ends(mut lines: Vec<&str>) -> Vec<&str> {
    let end = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    lines.truncate(end);
    let begin = lines.iter().position(|line| !line.is_empty()).unwrap_or(0);
    lines.split_off(begin)
}

/// The reading as a part of a line: only one line alone, and only when it is long enough to say
/// which line is meant.
pub(super) fn as_part<'s>(reading: &[&'s str]) -> Option<&'s str> {
    match reading {
        [line] if line.chars().count() >= MIN_PART => Some(line),
        _ => None,
    }
}

/// Whether the lines say enough to move a finding without a person: four letters or digits in all.
/// A lone `}` stands once by chance.
pub(super) fn is_telling(reading: &[&str]) -> bool {
    reading.iter().flat_map(|line| line.chars()).filter(|c| c.is_alphanumeric()).nth(3).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn readings(text: &str) -> Vec<Vec<&str>> {
        Snippet::new(text).iter().flat_map(|s| s.readings().map(<[&str]>::to_vec).collect::<Vec<_>>()).collect()
    }

    #[test]
    fn a_snippet_is_read_as_written_and_then_with_one_marker_off_every_line() {
        for (text, expected) in [
            ("", vec![]),
            (" \n\t\r\n", vec![]),
            ("foo", vec![vec!["foo"]]),
            ("\n\n  foo  \r\n\n", vec![vec!["foo"]]),
            ("+foo", vec![vec!["+foo"], vec!["foo"]]),
            ("++ i", vec![vec!["++ i"], vec!["+ i"]]),
            // A space as the marker changes nothing that trimming does not.
            (" foo", vec![vec!["foo"]]),
            ("-a\n+b\n c", vec![vec!["-a", "+b", "c"], vec!["a", "b", "c"]]),
            ("-a\n\n-b", vec![vec!["-a", "", "-b"], vec!["a", "", "b"]]),
            // One line has no marker: none is taken off.
            ("+a\nb", vec![vec!["+a", "b"]]),
            ("+\n+a\n+", vec![vec!["+", "+a", "+"], vec!["a"]]),
            ("+", vec![vec!["+"]]),
            ("\u{3000}foo\u{a0}", vec![vec!["foo"]]),
        ] {
            assert_eq!(readings(text), expected, "{text:?}");
        }
    }

    #[test]
    fn only_one_line_of_twelve_characters_may_be_a_part() {
        assert_eq!(as_part(&["12345678901"]), None);
        assert_eq!(as_part(&["123456789012"]), Some("123456789012"));
        assert_eq!(as_part(&["ééééééééééé"]), None, "characters, not bytes");
        assert_eq!(as_part(&["123456789012", "x"]), None);
    }

    #[test]
    fn four_letters_or_digits_tell() {
        for (lines, telling) in
            [(vec!["}"], false), (vec!["a1b"], false), (vec!["ab", "} 12"], true), (vec!["한국어로"], true)]
        {
            assert_eq!(is_telling(&lines), telling, "{lines:?}");
        }
    }
}

//! Lines that somebody would run: found in the raw text, since that is where they are looked for.
//!
//! GitLab runs quick actions in notes, in discussions and in edits, with the rights of the token, and
//! bots of the Prow kind read GitHub's comments the same way. No list of names: a name that is
//! harmless today is a command tomorrow.

use std::ops::Range;

use super::change::Change;
use super::edit::EditKind;
use super::layout::Layout;

/// A line that would be run or read as ours, and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hit {
    pub at: usize,
    pub what: What,
    pub in_code: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// `/` and a letter of any script.
    Command,
    /// `>>>`, which opens a quote block that breaks fences.
    Quote,
    /// The beginning of this program's marker.
    Marker,
}

impl Hit {
    /// What takes the line's meaning away: in prose a backslash, which nobody sees, in code one space.
    pub(super) fn change(&self, text: &str) -> Change {
        let kind = match self.what {
            What::Command if self.in_code => EditKind::CommandInCode,
            What::Command => EditKind::Command,
            What::Quote => EditKind::Quote,
            What::Marker => EditKind::Marker,
        };
        if self.in_code || self.what == What::Marker {
            return Change::insert(self.at, " ", kind);
        }
        let indent = text[self.at..].bytes().take_while(|b| *b == b' ').count();
        Change::insert(self.at + indent, "\\", kind)
    }
}

/// Every such line outside the fences that protect.
pub(super) fn find<'a>(
    text: &'a str,
    layout: &'a Layout,
    protecting: &'a [Range<usize>],
) -> impl Iterator<Item = Hit> + 'a {
    let mut fences = protecting.iter().peekable();
    starts(text).filter_map(move |at| {
        while fences.next_if(|fence| fence.end < at).is_some() {}
        if fences.peek().is_some_and(|fence| fence.start <= at) {
            return None;
        }
        let in_code = layout.in_code(at);
        let what = what(&text[at..], in_code)?;
        Some(Hit { at, what, in_code })
    })
}

/// Whether there is such a line at all, whatever is code.
pub(super) fn might_be(text: &str) -> bool {
    starts(text).any(|at| what(&text[at..], false).is_some())
}

/// Where lines begin. Besides `\n`, regular expressions of other languages let a line begin after
/// U+2028 and U+2029.
fn starts(text: &str) -> impl Iterator<Item = usize> {
    let ends = text.char_indices().filter(|(_, c)| matches!(c, '\n' | '\u{2028}' | '\u{2029}'));
    std::iter::once(0).chain(ends.map(|(at, c)| at + c.len_utf8()))
}

fn what(line: &str, in_code: bool) -> Option<What> {
    if line.strip_prefix('/').is_some_and(|rest| rest.starts_with(char::is_alphabetic)) {
        return Some(What::Command);
    }
    // As a block of CommonMark's kind a quote may stand three spaces in; there code is safe from it.
    let indent = if in_code { 0 } else { line.len() - line.trim_start_matches(' ').len() };
    if indent <= 3 && line[indent..].starts_with(">>>") {
        return Some(What::Quote);
    }
    line.starts_with("<!-- dai").then_some(What::Marker)
}

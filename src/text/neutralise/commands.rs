//! Lines that somebody would run: found in the raw text, since that is where they are looked for.
//!
//! GitLab runs quick actions in notes, in discussions and in edits, with the rights of the token, and
//! bots of the Prow kind read GitHub's comments the same way. No list of names: a name that is
//! harmless today is a command tomorrow. Only in code, which must stay as it can be copied, are the
//! commands that bots take from there known by name.

use std::ops::Range;

use super::bots;
use super::change::{Change, ZERO_WIDTH_SPACE};
use super::edit::EditKind;
use super::layout::Layout;
use crate::text::Dialect;

/// A line that would be run or read as ours, and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hit {
    pub at: usize,
    pub what: What,
    pub in_code: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// `/` and a letter of any script, or GitLab's `::include{`.
    Command,
    /// What a bot would take from code too.
    Bot,
    /// `>>>`, which opens a quote block that breaks fences.
    Quote,
    /// The beginning of this program's marker.
    Marker,
}

impl Hit {
    /// What takes the line's meaning away: in prose a backslash, which nobody sees, in code one space.
    pub(super) fn change(&self, text: &str) -> Change {
        let kind = match self.what {
            What::Bot => {
                let first = text[self.at..].chars().next().map_or(0, char::len_utf8);
                return Change::insert(self.at + first, ZERO_WIDTH_SPACE, EditKind::BotCommand);
            }
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

/// Every such line. In the fences that protect, only bots' commands are.
pub(super) fn find<'a>(
    text: &'a str,
    layout: &'a Layout,
    protecting: &'a [Range<usize>],
    dialect: Dialect,
) -> impl Iterator<Item = Hit> + 'a {
    let mut fences = protecting.iter().peekable();
    starts(text).filter_map(move |at| {
        while fences.next_if(|fence| fence.end < at).is_some() {}
        let protected = fences.peek().is_some_and(|fence| fence.start <= at);
        let in_code = layout.in_code(at);
        let what = what(&text[at..], in_code, dialect)?;
        (what == What::Bot || !protected).then_some(Hit { at, what, in_code })
    })
}

/// Whether there is such a line at all, whatever is code.
pub(super) fn might_be(text: &str) -> bool {
    starts(text).any(|at| [false, true].iter().any(|in_code| what(&text[at..], *in_code, Dialect::GitLab).is_some()))
}

/// Where lines begin. Besides `\n`, regular expressions of other languages let a line begin after
/// U+2028 and U+2029.
fn starts(text: &str) -> impl Iterator<Item = usize> {
    let ends = text.char_indices().filter(|(_, c)| matches!(c, '\n' | '\u{2028}' | '\u{2029}'));
    std::iter::once(0).chain(ends.map(|(at, c)| at + c.len_utf8()))
}

fn what(rest: &str, in_code: bool, dialect: Dialect) -> Option<What> {
    let line = rest.split(['\n', '\u{2028}', '\u{2029}']).next().unwrap_or_default();
    let bot = bots::is_command(line);
    if bot && (in_code || !line.starts_with('/')) {
        return Some(What::Bot);
    }
    let slash = line.strip_prefix('/').is_some_and(|rest| rest.starts_with(char::is_alphabetic));
    // GitHub runs nothing by itself, and bots take from code only what they know.
    if (slash && (!in_code || dialect == Dialect::GitLab)) || line.starts_with("::include{") {
        return Some(What::Command);
    }
    // As a block of CommonMark's kind a quote may stand three spaces in; there code is safe from it.
    let indent = if in_code { 0 } else { line.len() - line.trim_start_matches(' ').len() };
    if dialect == Dialect::GitLab && indent <= 3 && line[indent..].starts_with(">>>") {
        return Some(What::Quote);
    }
    line.starts_with("<!-- dai").then_some(What::Marker)
}

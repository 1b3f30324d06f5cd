//! Code spans that nothing inside them can leave.

use super::Clean;

/// A path or another word to be shown as it is: a code span. Line breaks become spaces.
pub fn code(text: &str) -> Clean {
    Clean { text: wrap(&text.replace('\n', " ")), edits: Vec::new() }
}

/// A code span with one back-tick more than the longest run inside.
pub(super) fn wrap(text: &str) -> String {
    let fence = "`".repeat(longest_run(text) + 1);
    wrap_in(text, &fence)
}

/// A code span in a fence whose length no run inside has.
pub(super) fn wrap_in(text: &str, fence: &str) -> String {
    // One space at each end is taken off again where both are there and the rest is not blank.
    let blank = text.trim_matches(' ').is_empty();
    let touches = text.starts_with('`') || text.ends_with('`');
    let loses_ends = text.starts_with(' ') && text.ends_with(' ') && !blank;
    match text {
        "" => format!("{fence} {fence}"),
        _ if touches || loses_ends => format!("{fence} {text} {fence}"),
        _ => format!("{fence}{text}{fence}"),
    }
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

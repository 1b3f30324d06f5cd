//! Code spans that nothing inside them can leave.

use std::collections::HashSet;

use super::layout::Layout;

/// A code span with one back-tick more than the longest run inside.
pub(super) fn wrap(text: &str) -> String {
    wrap_in(text, &longer("`", text))
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

/// The fence, or a longer one where it would end inside the text.
pub(super) fn longer(fence: &str, text: &str) -> String {
    let longest = runs(text).max().unwrap_or(0);
    if longest < fence.len() { fence.to_owned() } else { "`".repeat(longest + 1) }
}

/// The shortest fence that pairs with no lone run of back-ticks of the text.
pub(super) fn lone_fence(text: &str, layout: &Layout) -> String {
    let mut lone = HashSet::new();
    let mut at = 0;
    for code in &layout.code {
        lone.extend(runs(&text[at..code.start]));
        at = code.end;
    }
    lone.extend(runs(&text[at..]));
    let length = (1..).find(|length| !lone.contains(length)).unwrap_or(1);
    "`".repeat(length)
}

fn runs(text: &str) -> impl Iterator<Item = usize> {
    text.split(|c| c != '`').map(str::len).filter(|length| *length > 0)
}

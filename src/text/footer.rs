//! How every posted text ends: a line for readers, and a marker for the next run.

use super::marker::Marker;
use super::neutralise::{Clean, Pass, Tally};

/// True in every mode: whoever's token it was, a model wrote it and this program posted it. Where the review
/// names its reviewer, so does the line.
pub(super) fn visible(reviewer: Option<&str>, pass: Pass) -> Clean {
    let mut tally = Tally::default();
    let name = reviewer.map(|name| format!(" ({})", tally.take(pass.short(name, NAME)))).unwrap_or_default();
    tally.clean(format!("{VISIBLE_BEGIN}{name}{VISIBLE_END}"))
}

/// How that line begins and ends; between them is the reviewer's name, or nothing.
pub(super) const VISIBLE_BEGIN: &str = "*Written by an AI reviewer";
pub(super) const VISIBLE_END: &str = ", posted with `dai` from this account.*";

/// The longest name of a reviewer, in characters.
pub(super) const NAME: usize = 100;

/// How the fold of a summary begins and ends, a block of HTML each: what is said on it stands between the first two.
pub(super) const FOLD_BEGIN: &str = "<details><summary>";
pub(super) const FOLD_SAID: &str = "</summary>";
pub(super) const FOLD_END: &str = "</details>";

/// The longest marker, that of a summary in a SHA-256 repository, with the blank line before it.
pub(super) const MARKER_CHARACTERS: usize = "\n\n<!-- dai v1 review= head= by= text= -->".len() + 16 + 64 + 16 + 16;

/// Puts the marker under an assembled text, as its last line and a block of its own.
pub fn with_marker(body: &str, marker: &Marker) -> String {
    format!("{body}\n\n{marker}")
}

/// Parts with a blank line between them; empty ones are left out.
pub(super) fn paragraphs(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

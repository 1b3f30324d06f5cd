//! How every posted text ends: a line for readers, and a marker for the next run.

use super::marker::Marker;
use super::neutralise::{self, Clean, Tally};

/// True in every mode: whoever's token it was, a model wrote it and this program posted it. Where the review
/// names its reviewer, so does the line.
pub(super) fn visible(reviewer: Option<&str>) -> Clean {
    let mut tally = Tally::default();
    let name = reviewer.map(|name| format!(" ({})", tally.take(neutralise::short(name, NAME)))).unwrap_or_default();
    tally.clean(format!("*Written by an AI reviewer{name}, posted with `dai` from this account.*"))
}

/// The longest name of a reviewer, in characters.
pub(super) const NAME: usize = 100;

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

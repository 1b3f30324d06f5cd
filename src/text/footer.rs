//! How every posted text ends: a line for readers, and a marker for the next run.

use super::marker::Marker;

/// True in every mode: whoever's token it was, a model wrote it and this program posted it.
pub(super) const VISIBLE: &str = "*Written by an AI reviewer, posted with `dai` from this account.*";

/// The longest marker, that of a summary in a SHA-256 repository, with the blank line before it.
pub(super) const MARKER_CHARACTERS: usize = "\n\n<!-- dai v1 review= head= -->".len() + 16 + 64;

/// Puts the marker under an assembled text, as its last line and a block of its own.
pub fn with_marker(body: &str, marker: &Marker) -> String {
    format!("{body}\n\n{marker}")
}

/// Parts with a blank line between them; empty ones are left out.
pub(super) fn paragraphs(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

//! What stands above the lists: head data and counts.

use super::super::neutralise::{Clean, Pass, Tally};
use super::{Entry, Shown};
use crate::review::{Heading, Severity};

/// The longest head field, in characters: they are labels.
const LABEL: usize = 300;

/// Title and head data. A paragraph, since a list would take in a verdict that begins with indented code.
pub(super) fn heading(heading: &Heading, pass: Pass) -> Clean {
    let mut tally = Tally::default();
    let mut label = |text: &Option<String>| {
        let text = text.as_deref().map(str::trim).filter(|text| !text.is_empty())?;
        Some(tally.take(pass.short(text, LABEL)))
    };
    let title = label(&heading.title);
    let facts: Vec<String> = [
        ("Reviewer", label(&heading.reviewer)),
        ("US", label(&heading.us)),
        ("Version", label(&heading.version)),
        ("Check status", label(&heading.check_status)),
        ("DoD", label(&heading.dod)),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some(format!("**{name}:** {}", value?)))
    .collect();
    let mut text = title.map_or_else(|| "## Review".to_owned(), |title| format!("## Review: {title}"));
    if !facts.is_empty() {
        text += "\n\n";
        text += &facts.join(" · ");
    }
    tally.clean(text)
}

const NOTHING_FOUND: &str = "**Findings:** none. The reviewer found nothing to say; that is no approval.";

/// Whether a summary that was posted is that of a review without findings.
pub fn says_nothing_found(summary: &str) -> bool {
    summary.contains(NOTHING_FOUND)
}

/// Counts by severity of what passed the gate, and in words what else there is to know.
pub(super) fn counts(entries: &[&Entry<'_>]) -> String {
    let passed: Vec<&Entry<'_>> = entries.iter().filter(|entry| entry.shown.passed()).copied().collect();
    if entries.is_empty() {
        return NOTHING_FOUND.to_owned();
    }
    let commented = entries.iter().filter(|entry| !entry.shown.passed() && entry.existing.is_some()).count();
    let commented = match commented {
        0 => String::new(),
        1 => " One of those kept back has a comment on this page all the same: its link is below.".to_owned(),
        count => format!(" {count} of those kept back have comments on this page all the same: their links are below."),
    };
    if passed.is_empty() {
        let some = entries.len();
        if !commented.is_empty() {
            return format!("**Findings:** none of {some} passed the filters.{commented} That is no approval.");
        }
        return format!(
            "**Findings:** none of {some} passed the filters, so there is no comment at a line. \
             What was kept back is listed below; that is no approval."
        );
    }
    let severities = [Some(Severity::High), Some(Severity::Medium), Some(Severity::Low), None];
    let counts = severities.map(|severity| {
        let count = passed.iter().filter(|entry| entry.severity == severity).count();
        (count > 0).then(|| format!("{count} {}", severity.map_or("with no severity", Severity::as_str)))
    });
    let counts = counts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let number = |what: fn(&Shown<'_>) -> bool| passed.iter().filter(|entry| what(&entry.shown)).count();
    let places = [
        (number(|shown| matches!(shown, Shown::AtLine)), "at their lines"),
        (number(|shown| matches!(shown, Shown::Here)), "below, on files as a whole"),
        (number(|shown| matches!(shown, Shown::Adrift)), "in threads without a line, named below"),
        (number(|shown| matches!(shown, Shown::Failed { .. })), "refused by the forge, below"),
        (number(|shown| matches!(shown, Shown::Unknown { .. })), "posted or not, named below"),
        (number(|shown| matches!(shown, Shown::NotAttempted { .. })), "not posted, named below"),
    ];
    let places = places.into_iter().filter(|(count, _)| *count > 0).map(|(count, place)| format!("{count} {place}"));
    format!("**Findings:** {counts} ({}).{commented}", places.collect::<Vec<_>>().join("; "))
}

/// What is said on the fold over everything that is kept back; empty where nothing is.
pub(super) fn fold(entries: &[&Entry<'_>]) -> String {
    let number = |what: fn(&Shown<'_>) -> bool| entries.iter().filter(|entry| what(&entry.shown)).count();
    let counts = [
        (number(|shown| matches!(shown, Shown::Rejected { .. })), "rejected"),
        (number(|shown| matches!(shown, Shown::Suppressed { .. })), "suppressed"),
        (number(|shown| matches!(shown, Shown::Dismissed)), "dismissed"),
    ];
    let counts: Vec<String> =
        counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    if counts.is_empty() { String::new() } else { format!("Kept back: {}", counts.join(", ")) }
}

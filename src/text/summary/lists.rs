//! The lists of the summary, each item rendered.

use super::super::comment::{Lines, body, quoted, severity_word, who};
use super::super::neutralise::{Clean, Pass, Tally, is_comment_page};
use super::super::{first_line, footer};
use super::fit::List;
use super::{Entry, Shown};
use crate::review::{Heading, Side};

/// The longest first line and reason in a list, in characters.
const LINE: usize = 200;

pub(super) fn good(heading: &Heading, limit: usize, pass: Pass) -> List {
    let good: Vec<&String> = heading.good.iter().filter(|good| !good.trim().is_empty()).collect();
    let items = good.iter().map(|good| {
        let mut tally = Tally::default();
        let text = format!("- {}", tally.take(pass.inline(good)));
        (text, tally)
    });
    list("### What is good", "good things", "\n", items, good.len(), limit)
}

/// Findings without a line, whole.
pub(super) fn here(entries: &[&Entry<'_>], limit: usize, pass: Pass) -> List {
    let title = "### On files as a whole";
    whole(title, "findings", entries, limit, pass, |shown| matches!(shown, Shown::Here))
}

/// What passed the gate and is not known to stand at its line.
pub(super) fn trouble(entries: &[&Entry<'_>], limit: usize, pass: Pass) -> [List; 4] {
    [
        lines(
            "### In threads of their own: the forge did not keep their lines",
            "findings in threads",
            entries,
            limit,
            pass,
            |shown| matches!(shown, Shown::Adrift),
        ),
        whole("### Refused by the forge", "refused findings", entries, limit, pass, |shown| {
            matches!(shown, Shown::Failed { .. })
        }),
        lines(
            "### Posted or not: the forge gave no answer",
            "findings without an answer",
            entries,
            limit,
            pass,
            |shown| matches!(shown, Shown::Unknown { .. }),
        ),
        lines("### Not posted: the run stopped before them", "findings not posted", entries, limit, pass, |shown| {
            matches!(shown, Shown::NotAttempted { .. })
        }),
    ]
}

/// What the gate keeps back: rejected ones whole, since they reach nobody elsewhere.
pub(super) fn kept_back(entries: &[&Entry<'_>], limit: usize, pass: Pass) -> [List; 3] {
    [
        whole("### Rejected", "rejected findings", entries, limit, pass, |shown| {
            matches!(shown, Shown::Rejected { .. })
        }),
        lines("### Suppressed", "suppressed findings", entries, limit, pass, |shown| {
            matches!(shown, Shown::Suppressed { .. })
        }),
        lines("### Dismissed by a person", "dismissed findings", entries, limit, pass, |shown| {
            matches!(shown, Shown::Dismissed)
        }),
    ]
}

fn whole(
    title: &str,
    noun: &'static str,
    entries: &[&Entry<'_>],
    limit: usize,
    pass: Pass,
    which: fn(&Shown<'_>) -> bool,
) -> List {
    let which: Vec<_> = entries.iter().filter(|entry| which(&entry.shown)).collect();
    list(title, noun, "\n\n", which.iter().map(|entry| item(entry, pass)), which.len(), limit)
}

fn lines(
    title: &str,
    noun: &'static str,
    entries: &[&Entry<'_>],
    limit: usize,
    pass: Pass,
    which: fn(&Shown<'_>) -> bool,
) -> List {
    let which: Vec<_> = entries.iter().filter(|entry| which(&entry.shown)).collect();
    list(title, noun, "\n", which.iter().map(|entry| line(entry, pass)), which.len(), limit)
}

/// Renders items until they could not fit anyway.
fn list(
    title: &str,
    noun: &'static str,
    gap: &'static str,
    items: impl Iterator<Item = (String, Tally)>,
    total: usize,
    limit: usize,
) -> List {
    let mut room = limit;
    let items = items
        .map_while(|item| {
            room = room.checked_sub(item.0.chars().count())?;
            Some(item)
        })
        .collect();
    List { title: title.to_owned(), items, total, gap, noun }
}

/// A finding with its whole body and its replies.
fn item(entry: &Entry<'_>, pass: Pass) -> (String, Tally) {
    let mut tally = Tally::default();
    let mut parts = vec![format!("**{}** · {}", severity_word(entry.severity), about(entry, pass, &mut tally))];
    parts.push(tally.take(body(entry.body, pass)));
    parts.extend(entry.replies.iter().map(|reply| quoted(reply, pass, &mut tally)));
    (footer::paragraphs(parts), tally)
}

/// A finding by place, severity, reason and first line; a dismissed one by number and place only.
fn line(entry: &Entry<'_>, pass: Pass) -> (String, Tally) {
    let mut tally = Tally::default();
    if entry.shown == Shown::Dismissed {
        let text = format!(
            "- finding {}: {}{}",
            entry.number,
            place(entry, pass, &mut tally),
            existing(entry, pass, &mut tally)
        );
        return (text, tally);
    }
    let about = about(entry, pass, &mut tally);
    let first = tally.take(short(first_line(entry.body), pass));
    let mut text = format!("- {about} · {} · {first}", severity_word(entry.severity).to_lowercase());
    for reply in entry.replies {
        let who = who(reply, pass, &mut tally);
        text += &format!("\n  - {who}: {}", tally.take(short(first_line(&reply.body), pass)));
    }
    (text, tally)
}

/// Place and reason.
fn about(entry: &Entry<'_>, pass: Pass, tally: &mut Tally) -> String {
    let (place, existing) = (place(entry, pass, tally), existing(entry, pass, tally));
    match entry.shown {
        Shown::Suppressed { reason }
        | Shown::Rejected { reason }
        | Shown::Failed { reason }
        | Shown::Unknown { reason }
        | Shown::NotAttempted { reason } => format!("{place} · {}{existing}", tally.take(short(reason, pass))),
        Shown::AtLine | Shown::Here | Shown::Adrift | Shown::Dismissed => place + &existing,
    }
}

/// The comment of a finding that exists all the same. Its address leads to this very page, so that it is a link.
fn existing(entry: &Entry<'_>, pass: Pass, tally: &mut Tally) -> String {
    match entry.existing.map(|existing| existing.url) {
        None => String::new(),
        Some(None) => " · a comment of it is on this page".to_owned(),
        Some(Some(url)) if is_comment_page(url) => format!(" · a comment of it is on this page: <{url}>"),
        Some(Some(url)) => format!(" · a comment of it is on this page: {}", tally.take(pass.code(url))),
    }
}

fn place(entry: &Entry<'_>, pass: Pass, tally: &mut Tally) -> String {
    let path = tally.take(pass.code(entry.path));
    match entry.place {
        None => path,
        Some(place) if place.side == Side::Left => format!("{path}, {} (LEFT)", Lines(place.range)),
        Some(place) => format!("{path}, {}", Lines(place.range)),
    }
}

fn short(text: &str, pass: Pass) -> Clean {
    pass.short(text, LINE)
}

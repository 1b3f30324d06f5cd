//! From facts to the text, within the forge's limit.

use super::super::Dialect;
use super::super::comment::body;
use super::super::footer::{self, MARKER_CHARACTERS};
use super::super::neutralise::{self, Clean, Form, Pass, Tally};
use super::fit::{List, fit};
use super::{Entry, entry, head, lists};
use crate::review::Heading;

/// Everything a summary is made from.
#[derive(Debug, Clone)]
pub struct SummaryFacts<'a> {
    pub heading: &'a Heading,
    /// One for every finding of the file, in any order.
    pub entries: &'a [Entry<'a>],
    /// The forge's longest text in characters, the marker included.
    pub limit: usize,
    pub dialect: Dialect,
}

/// A summary without its marker, which names a digest that may be taken over this very text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// To be sent with [`with_marker`](super::super::with_marker), for which there is room.
    pub body: Clean,
    /// How many list items (findings, good things) are counted in the text but not in it.
    pub cut: usize,
}

/// The summary's text. It tells where every finding is, and never which run put it there. It is proved as a whole:
/// parts that are fine by themselves may not be so together.
pub fn summary_body(facts: &SummaryFacts<'_>) -> Summary {
    let written = assembled(facts, Form::Written);
    let dialect = facts.dialect;
    if neutralise::assert_body(&written.body.text, dialect).is_ok() { written } else { assembled(facts, Form::Strong) }
}

fn assembled(facts: &SummaryFacts<'_>, form: Form) -> Summary {
    let pass = Pass { dialect: facts.dialect, form };
    let limit = facts.limit.saturating_sub(MARKER_CHARACTERS);
    let mut entries: Vec<&Entry<'_>> = facts.entries.iter().collect();
    entries.sort_by(|a, b| entry::order(a, b));
    let open = [lists::good(facts.heading, limit, pass), lists::here(&entries, limit, pass)];
    let trouble = lists::trouble(&entries, limit, pass);
    let kept_back = lists::kept_back(&entries, limit, pass);
    let parts = Parts {
        pass,
        heading: head::heading(facts.heading, pass),
        verdict: facts.heading.summary.as_deref().unwrap_or_default(),
        counts: head::counts(&entries),
        open: open.len() + trouble.len(),
        fold: head::fold(&entries),
        visible: footer::visible(facts.heading.reviewer.as_deref(), pass),
        lists: open.into_iter().chain(trouble).chain(kept_back).collect(),
    };
    // Settling the whole may add a character here and there; then the lists get less room.
    let mut room = limit;
    loop {
        let summary = parts.assemble(room);
        let over = summary.body.text.chars().count().saturating_sub(limit);
        if over == 0 || room == 0 {
            return summary;
        }
        room = room.saturating_sub(over);
    }
}

struct Parts<'a> {
    pass: Pass,
    heading: Clean,
    /// Markdown, as written in the review file.
    verdict: &'a str,
    counts: String,
    lists: Vec<List>,
    /// How many of the lists stand in the open; the others are folded away.
    open: usize,
    /// What is said on the fold.
    fold: String,
    /// The line that says who wrote it.
    visible: Clean,
}

impl Parts<'_> {
    fn assemble(&self, room: usize) -> Summary {
        let mut tally = Tally::default();
        let fold = if self.fold.is_empty() {
            String::new()
        } else {
            format!("{}{}{}", footer::FOLD_BEGIN, self.fold, footer::FOLD_SAID)
        };
        let fixed: usize = [&self.heading.text, &self.counts, &fold, footer::FOLD_END, &self.visible.text]
            .into_iter()
            .map(|part: &str| part.chars().count() + 2)
            .sum();
        let room = room.saturating_sub(fixed);
        // A verdict may be as long as it likes; it leaves a quarter to the lists.
        let verdict = tally.take(shortened(self.verdict, room - room / 4, self.pass));
        let kept = fit(&self.lists, room.saturating_sub(verdict.chars().count() + 2));

        let mut texts: Vec<String> = self.lists.iter().zip(&kept).map(|(list, kept)| list.text(*kept)).collect();
        for (list, kept) in self.lists.iter().zip(&kept) {
            list.items[..*kept].iter().for_each(|(_, edits)| tally.merge(edits));
        }
        let folded = texts.split_off(self.open);
        let mut parts = vec![tally.take(self.heading.clone()), verdict, self.counts.clone()];
        parts.append(&mut texts);
        if !fold.is_empty() {
            parts.push(fold);
            parts.extend(folded);
            parts.push(footer::FOLD_END.to_owned());
        }
        parts.push(tally.take(self.visible.clone()));
        let text = tally.take(neutralise::whole(&footer::paragraphs(parts), self.pass.dialect));
        let cut = self.lists.iter().zip(&kept).map(|(list, kept)| list.total - kept).sum();
        Summary { body: tally.clean(text), cut }
    }
}

/// The verdict, or as much of its beginning as fits into `room` characters with a word on the rest.
///
/// The cut is made in what was written, before the pass, so that what is left open is closed.
fn shortened(verdict: &str, room: usize, pass: Pass) -> Clean {
    let whole = body(verdict, pass);
    if whole.text.chars().count() <= room {
        return whole;
    }
    // A token cut in two would not be known as one.
    let mut purge = Tally::default();
    let verdict = neutralise::purged(verdict, &mut purge);
    let ends: Vec<usize> = verdict.char_indices().map(|(at, _)| at).collect();
    let cut = |count: usize| {
        let mut tally = purge.clone();
        let text = tally.take(body(&verdict[..ends.get(count).copied().unwrap_or(verdict.len())], pass));
        let left = ends.len() - count;
        tally.clean(format!("{text}\n\n… and {left} more characters for which there is no room here."))
    };
    let (mut low, mut high) = (0, ends.len().saturating_sub(1));
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if cut(middle).text.chars().count() <= room { low = middle } else { high = middle - 1 }
    }
    cut(low)
}

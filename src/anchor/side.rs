//! One side of a file's diff, and the search for a snippet in it.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::grams::Grams;
use super::lines::LineIndex;
use super::message::SHOWN_BYTES;
use super::rows::Rows;
use super::snippet::{Snippet, as_part, is_telling};
use crate::change::{Hunk, LineKind};
use crate::review::Side;

/// How many places of an ambiguous snippet are told at most.
const CANDIDATES: usize = 20;

/// Up to this many bytes a line is simply searched.
const PLAIN_SEARCH: usize = 16 * 1024;

/// Which lines a search is content with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Among {
    /// Every line of the side.
    All,
    /// Runs with a line that the other side does not have.
    OnlyHere,
}

/// A snippet found: its first row, its length, and how much its being there says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hit {
    pub(super) row: usize,
    pub(super) len: usize,
    /// Whole lines that say enough to move a finding by.
    pub(super) sure: bool,
}

/// The lines of one side of a file's hunks. What a question needs is built when it is first asked.
#[derive(Debug)]
pub(super) struct SideLines<'a> {
    hunks: &'a [Hunk],
    pub(super) side: Side,
    pub(super) rows: Rows,
    texts: OnceLock<LineIndex<Cow<'a, str>>>,
    parts: OnceLock<Option<Grams>>,
}

impl<'a> SideLines<'a> {
    pub(super) fn new(hunks: &'a [Hunk], side: Side) -> Self {
        Self { hunks, side, rows: Rows::new(hunks, side), texts: OnceLock::new(), parts: OnceLock::new() }
    }

    /// The row's text, as it stands.
    pub(super) fn text(&self, row: usize) -> Cow<'a, str> {
        self.rows.get(row).map_or(Cow::Borrowed(""), |at| at.of(self.hunks).lossy())
    }

    /// The beginning of the row's text, for people.
    pub(super) fn beginning(&self, row: usize) -> Cow<'a, str> {
        self.rows.get(row).map_or(Cow::Borrowed(""), |at| at.of(self.hunks).beginning(SHOWN_BYTES))
    }

    pub(super) fn kind(&self, row: usize) -> Option<LineKind> {
        self.rows.get(row).map(|at| at.of(self.hunks).kind)
    }

    fn trimmed(&self) -> impl Iterator<Item = Cow<'a, str>> {
        (0..self.rows.len()).map(|row| trim(self.text(row)))
    }

    fn texts(&self) -> &LineIndex<Cow<'a, str>> {
        self.texts.get_or_init(|| LineIndex::new(self.trimmed()))
    }

    /// Whether the snippet matches the rows from `first` to `last`, which are of one hunk: fewer
    /// lines stand inside, as many are equal, more stand around.
    pub(super) fn matches(&self, snippet: &Snippet<'_>, first: usize, last: usize) -> bool {
        snippet.readings().any(|reading| {
            let fit = (last + 1).saturating_sub(reading.len());
            self.whole(reading, fit.min(first), fit.max(first)).next().is_some()
                || as_part(reading).is_some_and(|part| !self.part(part, first, last, 1).is_empty())
        })
    }

    /// The places where the snippet stands, some twenty at most. Whole lines count before parts of
    /// lines, and the snippet as written before the one without markers.
    pub(super) fn search(&self, snippet: &Snippet<'_>, among: Among) -> Vec<Hit> {
        let last = self.rows.len();
        let here = |row: &usize, len: usize| {
            let kinds = self.rows.span(*row, row + len - 1).iter().map(|at| at.of(self.hunks).kind);
            among == Among::All || kinds.into_iter().any(|kind| kind != LineKind::Context)
        };
        let whole = snippet.readings().map(|reading| {
            let (len, sure) = (reading.len(), is_telling(reading));
            let starts = self.whole(reading, 0, last).filter(|row| here(row, len));
            starts.take(CANDIDATES).map(|row| Hit { row, len, sure }).collect::<Vec<_>>()
        });
        let parts = snippet.readings().filter_map(as_part).map(|part| {
            let rows = self.part(part, 0, last, CANDIDATES).into_iter().filter(|row| here(row, 1));
            rows.take(CANDIDATES).map(|row| Hit { row, len: 1, sure: false }).collect()
        });
        whole.chain(parts).find(|hits| !hits.is_empty()).unwrap_or_default()
    }

    /// The first rows of runs of whole lines, within one hunk, that begin from `low` to `high`.
    fn whole(&self, reading: &[&str], low: usize, high: usize) -> impl Iterator<Item = usize> {
        let run = self.texts().ids_of(reading).unwrap_or_default();
        let len = run.len();
        self.texts().starts(run, low, high).filter(move |row| self.rows.one_hunk(*row, row + len - 1))
    }

    /// The rows from `low` to `high`, both included, that hold the part.
    fn part(&self, part: &str, low: usize, high: usize, limit: usize) -> Vec<usize> {
        if low == high && self.rows.get(low).is_some_and(|at| at.of(self.hunks).text.len() <= PLAIN_SEARCH) {
            return Vec::from_iter(self.text(low).contains(part).then_some(low));
        }
        let grams = self.parts.get_or_init(|| Grams::new(self.trimmed()));
        grams.as_ref().map_or(Vec::new(), |grams| grams.lines_with(part, low, high, limit))
    }
}

fn trim(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    }
}

//! The lines that a side of a file's diff has, by number.

use crate::change::{DiffLine, Hunk};
use crate::review::Side;

/// One commentable line: its number, and where in the hunks it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) number: u32,
    pub(crate) hunk: usize,
    /// Index into the hunk's lines.
    pub(crate) line: usize,
}

impl Row {
    pub(crate) fn of(self, hunks: &[Hunk]) -> &DiffLine {
        &hunks[self.hunk].lines[self.line]
    }
}

/// The rows of one side in order. Within a hunk their numbers have no gap.
#[derive(Debug)]
pub(crate) struct Rows(Vec<Row>);

impl Rows {
    pub(crate) fn new(hunks: &[Hunk], side: Side) -> Self {
        let rows = hunks.iter().enumerate().flat_map(|(hunk, h)| {
            let numbered = h.lines.iter().enumerate();
            numbered.filter_map(move |(line, l)| Some(Row { number: l.number(side)?, hunk, line }))
        });
        Self(rows.collect())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The index of the row with this number; `None` outside the hunks.
    pub(crate) fn find(&self, number: u32) -> Option<usize> {
        self.0.binary_search_by_key(&number, |row| row.number).ok()
    }

    pub(crate) fn get(&self, index: usize) -> Option<Row> {
        self.0.get(index).copied()
    }

    /// The rows from `first` to `last`, both included.
    pub(crate) fn span(&self, first: usize, last: usize) -> &[Row] {
        self.0.get(first..=last).unwrap_or(&[])
    }

    /// Whether both indices are rows of one hunk.
    pub(crate) fn one_hunk(&self, first: usize, last: usize) -> bool {
        matches!((self.get(first), self.get(last)), (Some(a), Some(b)) if a.hunk == b.hunk)
    }

    /// The rows' indices by their distance from the number, nearest first, the lower one first of
    /// two as near.
    pub(crate) fn nearest(&self, number: u32) -> impl Iterator<Item = usize> {
        let mut above = self.0.partition_point(|row| row.number < number);
        let mut below = above;
        std::iter::from_fn(move || {
            let distance = |at: usize| self.get(at).map(|row| row.number.abs_diff(number));
            let lower = below.checked_sub(1).map(|at| (distance(at), at));
            match (lower, distance(above)) {
                (Some((low, at)), up) if up.is_none() || low <= up => {
                    below = at;
                    Some(at)
                }
                (_, up) => {
                    above += 1;
                    up.map(|_| above - 1)
                }
            }
        })
    }
}

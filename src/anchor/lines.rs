//! Finding runs of lines by their text, without reading a whole file for every question.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

/// The lines of a text, by what they say. Every distinct line is a small number, so that a run of
/// lines is compared by numbers, and only where its rarest line stands.
#[derive(Debug)]
pub(crate) struct LineIndex<K> {
    /// Line by line: which text it has.
    ids: Vec<u32>,
    /// Text by text: the lines that have it, ascending.
    places: Vec<Vec<u32>>,
    by_text: HashMap<K, u32>,
}

impl<K: Hash + Eq> LineIndex<K> {
    pub(crate) fn new(lines: impl IntoIterator<Item = K>) -> Self {
        let mut index = Self { ids: Vec::new(), places: Vec::new(), by_text: HashMap::new() };
        for (at, line) in (0u32..).zip(lines) {
            let id = *index.by_text.entry(line).or_insert_with(|| {
                index.places.push(Vec::new());
                index.places.len() as u32 - 1
            });
            index.places[id as usize].push(at);
            index.ids.push(id);
        }
        index
    }

    /// The texts from `first` to `last` as numbers; `None` beyond the end.
    pub(crate) fn run(&self, first: usize, last: usize) -> Option<&[u32]> {
        self.ids.get(first..=last)
    }

    /// How many runs of this length that begin before line `first` say what the one that begins there says.
    /// In one go over the lines (Knuth, Morris and Pratt), however alike they are; 0 beyond the end.
    pub(crate) fn count_before(&self, first: usize, length: usize) -> usize {
        let Some(run) = self.ids.get(first..first.saturating_add(length)) else { return 0 };
        // For each part of the run from its beginning: how much of that beginning is its end as well.
        let mut borders = vec![0; length];
        let longer = |borders: &[usize], mut matched: usize, id: u32| {
            while matched > 0 && run.get(matched) != Some(&id) {
                matched = borders[matched - 1];
            }
            matched + usize::from(run.get(matched) == Some(&id))
        };
        for at in 1..length {
            borders[at] = longer(&borders, borders[at - 1], run[at]);
        }
        let (mut matched, mut count) = (0, 0);
        for id in &self.ids[..(first + length).saturating_sub(1)] {
            matched = longer(&borders, matched, *id);
            count += usize::from(matched == length);
        }
        count
    }

    /// The numbers of these texts; `None` when one of them stands nowhere, or there are none.
    pub(crate) fn ids_of<Q>(&self, texts: &[&Q]) -> Option<Vec<u32>>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let ids: Option<Vec<u32>> = texts.iter().map(|text| self.by_text.get(*text).copied()).collect();
        ids.filter(|ids| !ids.is_empty())
    }

    /// Where the run begins, ascending, looking only at beginnings from `low` to `high`, both included.
    /// An empty run begins nowhere.
    pub(crate) fn starts(&self, run: Vec<u32>, low: usize, high: usize) -> impl Iterator<Item = usize> {
        let places = |id: u32| self.places.get(id as usize).map_or(&[][..], Vec::as_slice);
        let rarest = (0..run.len()).min_by_key(|at| places(run[*at]).len()).unwrap_or(0);
        let all = run.get(rarest).map_or(&[][..], |id| places(*id));
        let from = all.partition_point(|at| (*at as usize) < low.saturating_add(rarest));
        let to = all.partition_point(|at| *at as usize <= high.saturating_add(rarest));
        let hits = all.get(from..to).unwrap_or(&[]).iter();
        hits.map(move |at| *at as usize - rarest).filter(move |at| self.ids[*at..].starts_with(&run))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::LineIndex;

    proptest! {
        #[test]
        fn finds_what_a_plain_scan_finds(
            lines in prop::collection::vec("[ab]", 0..30),
            run in prop::collection::vec("[abc]", 1..4),
            low in 0usize..30,
            span in 0usize..30,
        ) {
            let plain: Vec<usize> = (0..lines.len())
                .filter(|at| (low..=low + span).contains(at))
                .filter(|at| lines[*at..].starts_with(&run))
                .collect();
            let index = LineIndex::new(lines.iter().map(String::as_str));
            let texts: Vec<&str> = run.iter().map(String::as_str).collect();
            let found = index.ids_of(&texts).map_or(Vec::new(), |ids| index.starts(ids, low, low + span).collect());
            prop_assert_eq!(found, plain);
        }
    }
}

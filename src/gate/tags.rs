//! The marks by which a rerun recognises a place and a finding.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::landing::deleted_ends;
use crate::anchor::{Anchor, LineIndex};
use crate::change::{Change, Image};
use crate::review::{LineRange, Side};
use crate::text::marker::{Tag, finding_tag, place_tag, without_cr};

/// The place as it is marked, whatever the forge and the side it was written for: LEFT only where a
/// deleted line is among the lines, else RIGHT by the new numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Ground {
    pub(super) delta: usize,
    pub(super) side: Side,
    pub(super) range: LineRange,
}

impl Ground {
    pub(super) fn of(change: &Change, anchor: &Anchor) -> Self {
        let left = deleted_ends(change, anchor).is_some();
        let (side, range) = match anchor.side {
            Side::Left if !left => {
                let (first, last) = anchor.ends(change);
                (Side::Right, LineRange::new(first.new, last.new))
            }
            side => (side, anchor.range),
        };
        Self { delta: anchor.delta, side, range }
    }
}

/// The marks of one finding; `other` under the other name of a renamed file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tags {
    pub(super) place: Tag,
    pub(super) finding: Tag,
    pub(super) other: Option<(Tag, Tag)>,
}

/// So often a side of a file is read through; whoever asks more often has it indexed.
const SCANS: u32 = 4;

/// A longer run of lines is looked up in the index at once: where all lines are alike, reading through
/// compares each with each. Nor is such a run remembered.
const LONG: usize = 64;

/// The marks of places with more text than that are remembered: many findings may have the same one.
const MUCH: usize = 16 << 10;

/// Makes marks for the findings of one change.
#[derive(Debug)]
pub(super) struct Tagger<'a> {
    change: &'a Change,
    /// By delta: LEFT, RIGHT.
    images: Vec<[Indexed<'a>; 2]>,
    /// The places with much text, under the change's own path and the other one.
    big: Mutex<HashMap<Ground, (Tag, Option<Tag>)>>,
}

/// One side of a file, and what is known of it.
#[derive(Debug, Default)]
struct Indexed<'a> {
    asked: AtomicU32,
    index: OnceLock<ImageIndex<'a>>,
}

impl<'a> Tagger<'a> {
    pub(super) fn new(change: &'a Change) -> Self {
        let images = change.deltas().iter().map(|_| Default::default()).collect();
        Self { change, images, big: Mutex::default() }
    }

    pub(super) fn tags(&self, anchor: &Anchor, ground: Ground, body: &str) -> Tags {
        let hunk = &anchor.delta(self.change).hunks()[anchor.hunk];
        let lines = hunk.lines[anchor.first..=anchor.last].iter();
        let lines: Vec<&[u8]> = lines.filter(|l| l.number(ground.side).is_some()).map(|l| &l.text[..]).collect();
        let (place, other) = if lines.iter().map(|line| line.len() + 1).sum::<usize>() > MUCH {
            let known = || self.big.lock().unwrap_or_else(PoisonError::into_inner);
            let found = known().get(&ground).copied();
            found.unwrap_or_else(|| {
                let places = self.places(ground, &lines);
                known().insert(ground, places);
                places
            })
        } else {
            self.places(ground, &lines)
        };
        let with_finding = |place| (place, finding_tag(place, body));
        Tags { place, finding: finding_tag(place, body), other: other.map(with_finding) }
    }

    fn places(&self, ground: Ground, lines: &[&[u8]]) -> (Tag, Option<Tag>) {
        let delta = &self.change.deltas()[ground.delta];
        let ordinal = self.ordinal(ground);
        let place = |path: &str| place_tag(path, ground.side, lines.iter().copied(), ordinal);
        let (old, new) = delta.both_paths();
        let other = if delta.path() == new { old } else { new };
        (place(delta.path()), (old != new).then(|| place(other)))
    }

    /// How many places before this one have the same text. 0 beyond the image's end: a patch alone
    /// has no image.
    fn ordinal(&self, ground: Ground) -> usize {
        let Some(text) = self.change.deltas()[ground.delta].text() else { return 0 };
        let image = match ground.side {
            Side::Left => &text.old,
            Side::Right => &text.new,
        };
        let first = (ground.range.start as usize).saturating_sub(1);
        let last = (ground.range.end as usize).saturating_sub(1);
        let known = &self.images[ground.delta][ground.side as usize];
        let few = known.asked.fetch_add(1, Ordering::Relaxed) < SCANS;
        if few && last.saturating_sub(first) < LONG {
            return scanned(image, first, last);
        }
        known.index.get_or_init(|| ImageIndex::new(image)).ordinal(first, last)
    }
}

/// By reading the image up to the place.
fn scanned(image: &Image, first: usize, last: usize) -> usize {
    let lines: Vec<&[u8]> = image.lines().map(without_cr).take(last + 1).collect();
    let Some(run) = lines.get(first..=last) else { return 0 };
    (0..first).filter(|start| lines[*start..].starts_with(run)).count()
}

/// A whole image by what its lines say.
#[derive(Debug)]
struct ImageIndex<'a> {
    lines: LineIndex<&'a [u8]>,
    /// Every text asked for so far, and all the places where it begins.
    known: Mutex<HashMap<Vec<u32>, Vec<usize>>>,
}

impl<'a> ImageIndex<'a> {
    fn new(image: &'a Image) -> Self {
        Self { lines: LineIndex::new(image.lines().map(without_cr)), known: Mutex::default() }
    }

    fn ordinal(&self, first: usize, last: usize) -> usize {
        let Some(run) = self.lines.run(first, last) else { return 0 };
        if run.len() > LONG {
            return self.lines.count_before(first, run.len());
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let starts = match known.get(run) {
            Some(starts) => starts,
            None => {
                let starts = self.lines.starts(run.to_vec(), 0, usize::MAX).collect();
                known.entry(run.to_vec()).or_insert(starts)
            }
        };
        starts.partition_point(|start| *start < first)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Image, ImageIndex, scanned};

    proptest! {
        #[test]
        fn reading_through_and_looking_up_count_alike(
            text in "(a\n|b\n|a\r\n|\n){0,30}[ab]?|(a\n){60,130}(b\n)?(a\n){0,99}",
            first in prop_oneof![0usize..32, 0usize..140],
            more in prop_oneof![0usize..4, 60usize..90],
        ) {
            let image = Image(text.into_bytes().into());
            let last = first + more;
            prop_assert_eq!(scanned(&image, first, last), ImageIndex::new(&image).ordinal(first, last));
        }
    }
}

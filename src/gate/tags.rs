//! The marks by which a rerun recognises a place and a finding.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use super::landing::deleted_ends;
use crate::anchor::{Anchor, LineIndex};
use crate::change::Change;
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

/// Makes marks for the findings of one change, and reads every image once.
#[derive(Debug)]
pub(super) struct Tagger<'a> {
    change: &'a Change,
    /// By delta: LEFT, RIGHT.
    images: Vec<[OnceCell<ImageIndex<'a>>; 2]>,
}

impl<'a> Tagger<'a> {
    pub(super) fn new(change: &'a Change) -> Self {
        Self { change, images: change.deltas().iter().map(|_| Default::default()).collect() }
    }

    pub(super) fn tags(&self, anchor: &Anchor, ground: Ground, body: &str) -> Tags {
        let delta = anchor.delta(self.change);
        let hunk = &delta.hunks()[anchor.hunk];
        let lines = hunk.lines[anchor.first..=anchor.last].iter();
        let lines: Vec<&[u8]> = lines.filter(|l| l.number(ground.side).is_some()).map(|l| &l.text[..]).collect();
        let ordinal = self.image(ground).ordinal(ground.range);
        let tags = |path: &str| {
            let place = place_tag(path, ground.side, lines.iter().copied(), ordinal);
            (place, finding_tag(place, body))
        };
        let (place, finding) = tags(delta.path());
        let (old, new) = delta.both_paths();
        Tags { place, finding, other: (old != new).then(|| tags(if delta.path() == new { old } else { new })) }
    }

    fn image(&self, ground: Ground) -> &ImageIndex<'a> {
        self.images[ground.delta][ground.side as usize].get_or_init(|| {
            let text = self.change.deltas()[ground.delta].text();
            let image = text.map(|text| match ground.side {
                Side::Left => &text.old,
                Side::Right => &text.new,
            });
            ImageIndex::new(image.into_iter().flat_map(|image| image.lines().map(without_cr)))
        })
    }
}

/// A whole image by what its lines say.
#[derive(Debug)]
struct ImageIndex<'a> {
    lines: LineIndex<&'a [u8]>,
    /// Every text asked for so far, and all the places where it begins.
    known: RefCell<HashMap<Vec<u32>, Vec<usize>>>,
}

impl<'a> ImageIndex<'a> {
    fn new(lines: impl Iterator<Item = &'a [u8]>) -> Self {
        Self { lines: LineIndex::new(lines), known: RefCell::default() }
    }

    /// How many places before this one have the same text. 0 beyond the image's end: a patch alone
    /// has no image.
    fn ordinal(&self, range: LineRange) -> usize {
        let first = (range.start as usize).saturating_sub(1);
        let last = (range.end as usize).saturating_sub(1);
        let Some(run) = self.lines.run(first, last) else { return 0 };
        let mut known = self.known.borrow_mut();
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

//! Where an existing comment was made, and where its lines are now.
//!
//! A comment is compared with findings by its place, twice: at the head, to which its lines are carried like a
//! finding's, and as of the commit it was made at, to which the findings are carried. Pure: the changes between
//! the commits are handed in.

use std::collections::{BTreeSet, HashMap};

use super::landing::land;
use super::plan::{Point, Spot};
use super::standing::OwnComment;
use crate::anchor::trace::{Carried, Journey, carry_place};
use crate::anchor::{Relocate, Resolver, Verdict};
use crate::change::{Change, CommitId, FileDelta, LineKind};
use crate::forge::Kind;
use crate::review::{Finding, LineRange, Place, Side};

/// Where the forge says a comment was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    pub commit: CommitId,
    /// What its diff started from, where the forge tells.
    pub merge_base: Option<CommitId>,
    /// GitHub tells the new name alone, also on LEFT.
    pub old_path: Option<String>,
    pub new_path: String,
    /// The side that was commented on.
    pub side: Side,
    pub first: Numbers,
    pub last: Numbers,
}

/// One end of a comment's lines, as far as the forge tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Numbers {
    pub old: Option<u32>,
    pub new: Option<u32>,
}

impl Numbers {
    pub fn on(side: Side, line: u32) -> Self {
        match side {
            Side::Left => Self { old: Some(line), new: None },
            Side::Right => Self { old: None, new: Some(line) },
        }
    }

    fn get(self, side: Side) -> Option<u32> {
        match side {
            Side::Left => self.old,
            Side::Right => self.new,
        }
    }
}

impl From<Point> for Numbers {
    fn from(point: Point) -> Self {
        Self {
            old: (point.kind != LineKind::Added).then_some(point.old),
            new: (point.kind != LineKind::Removed).then_some(point.new),
        }
    }
}

/// Lines by the images they are in: context lines are in both.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lines {
    pub left: Option<(String, LineRange)>,
    pub right: Option<(String, LineRange)>,
}

impl Lines {
    fn new(old_path: &str, new_path: &str, first: Numbers, last: Numbers) -> Self {
        let on = |side: Side, path: &str| {
            let range = LineRange::new(first.get(side)?, last.get(side)?);
            Some((path.to_owned(), range))
        };
        Self { left: on(Side::Left, old_path), right: on(Side::Right, new_path) }
    }

    /// Where a finding lands.
    pub fn of(spot: &Spot) -> Self {
        Self::new(&spot.old_path, &spot.new_path, spot.first.into(), spot.last.into())
    }

    /// A place as written, of one side.
    pub fn written(path: &str, place: Place) -> Self {
        let lines = Some((path.to_owned(), place.range));
        match place.side {
            Side::Left => Self { left: lines, right: None },
            Side::Right => Self { left: None, right: lines },
        }
    }

    pub fn on(&self, side: Side) -> Option<&(String, LineRange)> {
        match side {
            Side::Left => self.left.as_ref(),
            Side::Right => self.right.as_ref(),
        }
    }

    fn carried(&self, journey: &Journey<'_>) -> Self {
        let on = |side: Side| {
            let (path, range) = self.on(side)?;
            match carry_place(path, Place { side, range: *range }, journey) {
                Carried::Same => Some((path.clone(), *range)),
                Carried::Moved { path, place } => Some((path, place.range)),
                Carried::Stale => None,
            }
        };
        Self { left: on(Side::Left), right: on(Side::Right) }
    }
}

/// What is known of an existing comment's place.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Located {
    /// The commit that it was made at cannot be had, or the forge does not say: its marker decides.
    #[default]
    ByMarker,
    Carried {
        /// Where its lines are at the head: nowhere, once they were changed.
        here: Lines,
        /// The findings of the file, by index, that land on its lines as of the commit it was made at.
        then: BTreeSet<usize>,
    },
}

/// One commit that comments were made at, and what lies between it and the head.
#[derive(Debug)]
pub struct MadeAt<'a> {
    /// From its merge base to it. `None` where that cannot be had.
    pub own: Option<&'a Change>,
    /// From it to the head.
    pub journey: Journey<'a>,
    /// The findings of the file with their places as of that commit.
    pub findings: &'a [Finding],
    pub kind: Kind,
    pub relocate: Relocate,
}

impl MadeAt<'_> {
    /// Locates comments that were made at that commit.
    pub fn locate<'c>(&self, comments: impl IntoIterator<Item = &'c mut OwnComment>) {
        let landed = self.landed();
        for comment in comments {
            let Some(made) = &comment.made else { continue };
            let Some(lines) = self.lines(made) else { continue };
            let on = |side: Side| lines.on(side).and_then(|(path, range)| landed.get(&(side, path.as_str(), *range)));
            let then = [Side::Left, Side::Right].into_iter().filter_map(on).flatten().copied().collect();
            comment.located = Located::Carried { here: lines.carried(&self.journey), then };
        }
    }

    /// The comment's lines by both images, as of its commit. `None` where the image on LEFT is not known.
    fn lines(&self, made: &Made) -> Option<Lines> {
        let shown = self.own.and_then(|own| {
            let deltas =
                [own.by_new_path(&made.new_path), own.by_old_path(made.old_path.as_deref().unwrap_or(&made.new_path))];
            deltas.into_iter().flatten().find_map(|(_, delta)| shown(delta, made))
        });
        let told = || {
            let old_path = made.old_path.as_deref().unwrap_or(&made.new_path);
            let lines = Lines::new(old_path, &made.new_path, made.first, made.last);
            // The old image is that of the merge base, and its name for the file GitLab's word alone.
            let left = lines.left.filter(|_| self.own.is_some() && made.old_path.is_some());
            Some(Lines { left, right: lines.right }).filter(|lines| lines.on(made.side).is_some())
        };
        shown.or_else(told)
    }

    /// The findings by where they land in the change of that commit.
    fn landed(&self) -> HashMap<(Side, &str, LineRange), Vec<usize>> {
        let mut landed: HashMap<_, Vec<usize>> = HashMap::new();
        let Some(own) = self.own else { return landed };
        let resolver = Resolver::new(own);
        for finding in self.findings {
            let Verdict::Anchored(anchor) = resolver.resolve(finding, self.relocate) else { continue };
            let landing = land(self.kind, own, &anchor);
            let (old_path, new_path) = anchor.delta(own).both_paths();
            let (first, last) = (Point::from(landing.first).into(), Point::from(landing.last).into());
            let range = |side: Side| ends(first, last, side);
            for (side, path) in [(Side::Left, old_path), (Side::Right, new_path)] {
                if let Some(range) = range(side) {
                    landed.entry((side, path, range)).or_default().push(finding.index);
                }
            }
        }
        landed
    }
}

fn ends(first: Numbers, last: Numbers, side: Side) -> Option<LineRange> {
    Some(LineRange::new(first.get(side)?, last.get(side)?))
}

/// The lines as the file's hunks have them, with both numbers of a context line.
fn shown(delta: &FileDelta, made: &Made) -> Option<Lines> {
    let point = |numbers: Numbers| delta.line(made.side, numbers.get(made.side)?).map(|line| Point::from(line).into());
    let (old_path, new_path) = delta.both_paths();
    Some(Lines::new(old_path, new_path, point(made.first)?, point(made.last)?))
}

//! Carrying a finding from the patch that an exchange embeds to the change under review, by content.
//!
//! The patch's own lines are looked for in the file's whole image, the lines around them tell equal
//! ones apart, and a number counts only where the text under it is the same. Searching the image and
//! not the hunks alone keeps a look-alike in the diff from being taken for a line that left it.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::lines::LineIndex;
use super::message::{SHOWN_BYTES, shorten};
use super::resolver::Resolver;
use super::rows::Rows;
use super::verdict::{Anchor, Fault, Rejection, Verdict};
use crate::change::{Change, FileDelta};
use crate::review::{Finding, LineRange, Place, Side};

/// What became of a finding's lines on the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Carried {
    /// The lines stand under the same name and numbers, or the finding names no line.
    Exact,
    Moved {
        path: String,
        place: Place,
    },
    /// Several places have the lines, and nothing tells which one is meant.
    Ambiguous(Rejection),
    /// The lines are not in the change any more.
    Gone(Rejection),
    /// The patch itself does not have the place.
    Nowhere(Rejection),
}

/// How far the lines around a place are looked at, each way.
const AROUND: usize = 20;
/// How many equal places are weighed one by one.
const WEIGHED: usize = 1000;
/// Of more places than that only those are weighed that agree in so many lines each way.
const CLOSE: usize = 3;
/// How many places of an ambiguous one are told.
const TOLD: usize = 20;
/// How many lines of a place are told.
const SHOWN: usize = 3;
/// Letters and digits from which a text says something, alone at its place.
const TELLING: usize = 4;
/// Letters and digits from which a text says enough although nothing around it is as it was.
const UNMISTAKABLE: usize = 12;

/// Carries the findings of one exchange. Keeps what it learned of a file for the next finding.
#[derive(Debug)]
pub struct Carrier<'a> {
    patch: &'a Change,
    in_patch: Resolver<'a>,
    change: &'a Change,
    in_change: Resolver<'a>,
    /// By the patch's delta: LEFT, RIGHT. `None` where the change has no text of that file.
    crossings: Vec<[OnceCell<Option<Crossing<'a>>>; 2]>,
}

/// One side of a file, in the patch and in the change.
#[derive(Debug)]
struct Crossing<'a> {
    /// The name in the change.
    path: String,
    rows: Rows,
    /// The patch's rows as numbers of the image's texts; `None` for a text that it does not have.
    ids: Vec<Option<u32>>,
    /// How many letters and digits each row has.
    weight: Vec<usize>,
    image: LineIndex<Cow<'a, str>>,
}

impl<'a> Carrier<'a> {
    /// `patch` is the embedded one as a change, `change` has the images of the files it names.
    pub fn new(patch: &'a Change, change: &'a Change) -> Self {
        let crossings = patch.deltas().iter().map(|_| Default::default()).collect();
        Self { patch, in_patch: Resolver::new(patch), change, in_change: Resolver::new(change), crossings }
    }

    /// Where the finding's lines are now. Its snippet is not looked at: that is the anchor's work, at
    /// the new place.
    pub fn carry(&self, finding: &Finding) -> Carried {
        let Some(place) = finding.place else { return Carried::Exact };
        let anchor = match self.in_patch.place(&finding.path, place, None) {
            Verdict::Anchored(anchor) => anchor,
            Verdict::Rejected(rejection) => return Carried::Nowhere(Rejection { proposal: None, ..rejection }),
            Verdict::WholeFile => return Carried::Exact,
        };
        let Some(crossing) = self.crossing(anchor.delta, place.side) else {
            return Carried::Gone(match self.in_change.place(&finding.path, place, None) {
                Verdict::Rejected(rejection) => Rejection { proposal: None, ..rejection },
                Verdict::Anchored(_) | Verdict::WholeFile => gone(place, self.lines(&anchor), Vec::new()),
            });
        };
        let (Some(first), Some(last)) = (crossing.rows.find(place.range.start), crossing.rows.find(place.range.end))
        else {
            return Carried::Gone(gone(place, self.lines(&anchor), Vec::new()));
        };
        let here = |start: usize| Place { side: place.side, range: range(start, last - first) };
        match crossing.choose(first, last) {
            Choice::None => Carried::Gone(gone(place, self.lines(&anchor), self.there(crossing, place))),
            Choice::Several(starts) => {
                let candidates = starts.into_iter().take(TOLD).map(here).collect();
                let fault = Fault::PatchLinesAmbiguous { place, lines: self.lines(&anchor), candidates };
                Carried::Ambiguous(Rejection { fault, proposal: None, nearest: Vec::new() })
            }
            Choice::One(start) => {
                let to = here(start);
                match self.in_change.place(&crossing.path, to, None) {
                    Verdict::Anchored(_) if to == place && crossing.path == finding.path => Carried::Exact,
                    Verdict::Anchored(_) => Carried::Moved { path: crossing.path.clone(), place: to },
                    Verdict::Rejected(rejection) => Carried::Gone(Rejection { proposal: None, ..rejection }),
                    Verdict::WholeFile => Carried::Exact,
                }
            }
        }
    }

    fn crossing(&self, delta: usize, side: Side) -> Option<&Crossing<'a>> {
        let cell = &self.crossings[delta][side as usize];
        cell.get_or_init(|| Crossing::new(&self.patch.deltas()[delta], self.change, side)).as_ref()
    }

    fn lines(&self, anchor: &Anchor) -> Vec<String> {
        anchor.lines(self.patch).take(SHOWN).map(|line| shorten(&line.beginning(SHOWN_BYTES))).collect()
    }

    /// What the change has under the same numbers.
    fn there(&self, crossing: &Crossing<'_>, place: Place) -> Vec<String> {
        let delta = by_name(self.change, &crossing.path, place.side);
        let numbers = place.range.start..=place.range.end;
        let lines = numbers.take(SHOWN).map_while(|number| delta?.line(place.side, number));
        lines.map(|line| shorten(&line.beginning(SHOWN_BYTES))).collect()
    }
}

fn gone(place: Place, lines: Vec<String>, there: Vec<String>) -> Rejection {
    Rejection { fault: Fault::PatchLinesGone { place, lines, there }, proposal: None, nearest: Vec::new() }
}

/// From an index into an image and a length less one to line numbers.
fn range(start: usize, more: usize) -> LineRange {
    let number = |index: usize| u32::try_from(index + 1).unwrap_or(u32::MAX);
    LineRange::new(number(start), number(start + more))
}

fn by_name<'a>(change: &'a Change, path: &str, side: Side) -> Option<&'a FileDelta> {
    let found = match side {
        Side::Left => change.by_old_path(path).or_else(|| change.by_new_path(path)),
        Side::Right => change.by_new_path(path).or_else(|| change.by_old_path(path)),
    };
    found.map(|(_, delta)| delta)
}

/// The change's delta of the patch's file: by its name on that side, else by the other one, since the
/// file may have been renamed after the patch was made.
fn counterpart<'a>(file: &FileDelta, change: &'a Change, side: Side) -> Option<&'a FileDelta> {
    let old = || file.old_path().and_then(|path| change.by_old_path(path));
    let new = || file.new_path().and_then(|path| change.by_new_path(path));
    let found = match side {
        Side::Left => old().or_else(new),
        Side::Right => new().or_else(old),
    };
    found.map(|(_, delta)| delta)
}

/// Which of the image's lines are the patch's.
enum Choice {
    None,
    One(usize),
    Several(Vec<usize>),
}

impl<'a> Crossing<'a> {
    fn new(file: &FileDelta, change: &'a Change, side: Side) -> Option<Self> {
        let delta = counterpart(file, change, side)?;
        let text = delta.text()?;
        let (image, path) = match side {
            Side::Left => (&text.old, delta.old_path()),
            Side::Right => (&text.new, delta.new_path()),
        };
        let image = LineIndex::new(image.lines().map(|line| plain(String::from_utf8_lossy(line))));
        let rows = Rows::new(file.hunks(), side);
        let texts = (0..rows.len()).filter_map(|row| Some(plain(rows.get(row)?.of(file.hunks()).lossy())));
        let known = |text: &Cow<'_, str>| image.ids_of::<str>(&[text.as_ref()]).and_then(|ids| ids.first().copied());
        let (ids, weight) =
            texts.map(|text| (known(&text), text.chars().filter(|c| c.is_alphanumeric()).count())).unzip();
        Some(Self { path: path.unwrap_or(delta.path()).to_owned(), rows, ids, weight, image })
    }

    fn choose(&self, first: usize, last: usize) -> Choice {
        let number = self.rows.get(first).map_or(0, |row| row.number as usize);
        let same = number.checked_sub(1);
        let mut found = self.starts(first, last, 0);
        if found.len() > WEIGHED {
            let close = self.starts(first, last, CLOSE);
            found.truncate(TOLD);
            if close.is_empty() || close.len() > WEIGHED {
                return Choice::Several(found);
            }
            found = close;
        }
        let mut weighed: Vec<(usize, Agreement)> =
            found.into_iter().map(|start| (start, self.agreement(first, last, start))).collect();
        let only = weighed.len() == 1;
        weighed.retain(|(start, agreement)| self.speaks(first, last, agreement, only, Some(*start) == same));
        let Some(best) = weighed.iter().map(|(_, agreement)| agreement.lines).max() else { return Choice::None };
        if let Some(same) = same.filter(|same| weighed.iter().any(|(at, a)| at == same && a.lines == best)) {
            return Choice::One(same);
        }
        // What stands under its own number gives way to a place around which everything is as it was,
        // or that agrees far better.
        let rival = |(start, agreement): &&(usize, Agreement)| {
            let near = best < agreement.shown && agreement.lines * 2 > best;
            agreement.lines == best || (Some(*start) == same && near)
        };
        let rivals: Vec<usize> = weighed.iter().filter(rival).map(|(start, _)| *start).collect();
        match rivals[..] {
            [one] if !self.contested(first, last, one, best) => Choice::One(one),
            [_] => Choice::Several(weighed.into_iter().map(|(start, _)| start).collect()),
            _ => Choice::Several(rivals),
        }
    }

    /// Where the rows, with up to `reach` more of their hunk each way, stand in the image: the index
    /// of the line that is `first`.
    fn starts(&self, first: usize, last: usize, reach: usize) -> Vec<usize> {
        let from = (first.saturating_sub(reach)..first).find(|row| self.rows.one_hunk(*row, first)).unwrap_or(first);
        let to = (last + 1..=last + reach).rev().find(|row| self.rows.one_hunk(last, *row)).unwrap_or(last);
        let run: Option<Vec<u32>> = self.ids[from..=to].iter().copied().collect();
        let Some(run) = run else { return Vec::new() };
        self.image.starts(run, 0, usize::MAX).take(WEIGHED + 1).map(|start| start + first - from).collect()
    }

    /// How much of the hunk around the rows stands around this place of the image.
    fn agreement(&self, first: usize, last: usize, start: usize) -> Agreement {
        let mut agreement = Agreement::default();
        let before = (1..=AROUND.min(first)).map(|back| (first - back, start.checked_sub(back)));
        let after = (1..=AROUND).map(|on| (last + on, Some(start + (last - first) + on)));
        for (row, line) in before.chain(after) {
            if !self.rows.one_hunk(first, row) {
                continue;
            }
            agreement.shown += 1;
            let there = line.and_then(|line| self.image.run(line, line)).and_then(|ids| ids.first().copied());
            if self.ids[row].is_some() && self.ids[row] == there {
                agreement.lines += 1;
                agreement.weight += self.weight[row];
            }
        }
        agreement
    }

    /// Whether text, surroundings and number together say enough to take the place at all.
    fn speaks(&self, first: usize, last: usize, around: &Agreement, only: bool, same: bool) -> bool {
        let own: usize = self.weight[first..=last].iter().sum();
        let alone = around.weight == 0 && around.lines < around.shown;
        match (around.shown > 0 && alone, same) {
            // Nothing that says anything is around as it was.
            (true, true) => own >= TELLING,
            (true, false) => only && own >= UNMISTAKABLE,
            (false, true) => true,
            (false, false) => own + around.weight >= TELLING,
        }
    }

    /// Whether an equal run elsewhere in the patch has as good a claim to the place.
    fn contested(&self, first: usize, last: usize, start: usize, best: usize) -> bool {
        let run = &self.ids[first..=last];
        let others = self.ids.windows(run.len()).enumerate().filter(|(row, ids)| *row != first && *ids == run);
        let whole = others.filter(|(row, ids)| self.rows.one_hunk(*row, row + ids.len() - 1));
        whole.take(WEIGHED).any(|(row, ids)| self.agreement(row, row + ids.len() - 1, start).lines >= best)
    }
}

/// How the lines around a place agree with those of the patch.
#[derive(Debug, Clone, Copy, Default)]
struct Agreement {
    /// How many the patch shows.
    shown: usize,
    /// How many of them stand there.
    lines: usize,
    /// How many letters and digits those have.
    weight: usize,
}

/// A line end's `\r` does not survive every tool that a patch passes through.
fn plain(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.strip_suffix('\r').unwrap_or(text)),
        Cow::Owned(text) => Cow::Owned(text.strip_suffix('\r').map(str::to_owned).unwrap_or(text)),
    }
}

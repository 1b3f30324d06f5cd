//! From a finding to a verdict.

use std::sync::OnceLock;

use super::file::{File, Lookup, find};
use super::message::shorten;
use super::side::{Among, Hit, SideLines};
use super::snippet::Snippet;
use super::verdict::{Anchor, Fault, Nearest, NotInDiff, OtherSide, Proposal, Rejection, Verdict, Why};
use crate::change::{Change, Content, Paths};
use crate::review::{Finding, LineRange, Place, Side};

/// Whether a proposal may take the place of what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Relocate {
    #[default]
    Never,
    /// Where the snippet's whole lines stand at one other place on the written side, and say enough.
    Sure,
}

/// How many commentable lines are told beside a rejected place.
const NEAREST: usize = 3;

/// A near line's text is cut to so many characters: still a part that a snippet may quote.
const NEAREST_TEXT: usize = 500;

/// How many lines of a written place are told beside a snippet that is not there.
const THERE: usize = 3;

/// Resolves the findings of a review against one change. Keeps what it learned of a file for the
/// file's next finding, so that thousands of findings on one big file are cheap.
#[derive(Debug)]
pub struct Resolver<'a> {
    change: &'a Change,
    /// By delta: LEFT, RIGHT.
    sides: Vec<[OnceLock<SideLines<'a>>; 2]>,
}

/// [`Resolver::resolve`] for a single finding.
pub fn resolve(finding: &Finding, change: &Change, relocate: Relocate) -> Verdict {
    Resolver::new(change).resolve(finding, relocate)
}

impl<'a> Resolver<'a> {
    pub fn new(change: &'a Change) -> Self {
        let sides = change.deltas().iter().map(|_| Default::default()).collect();
        Self { change, sides }
    }

    /// Where the finding lands, whatever its state.
    pub fn resolve(&self, finding: &Finding, relocate: Relocate) -> Verdict {
        let Some(place) = finding.place else { return Verdict::WholeFile };
        let snippet = finding.snippet.as_deref().and_then(Snippet::new);
        match self.place(&finding.path, place, snippet.as_ref()) {
            Verdict::Rejected(rejection) => match self.relocated(&rejection, place, relocate) {
                Some(anchor) => Verdict::Anchored(anchor),
                None => Verdict::Rejected(rejection),
            },
            verdict => verdict,
        }
    }

    fn relocated(&self, rejection: &Rejection, written: Place, relocate: Relocate) -> Option<Anchor> {
        let movable = matches!(rejection.fault, Fault::SnippetMismatch { .. } | Fault::LineNotInDiff { .. });
        let proposal = rejection.proposal.as_ref()?;
        if relocate != Relocate::Sure || !movable || proposal.why != Why::WholeLines {
            return None;
        }
        let place = Place { side: proposal.side, range: proposal.range };
        match self.place(&proposal.path, place, None) {
            Verdict::Anchored(anchor) => Some(Anchor { moved_from: Some(written), ..anchor }),
            Verdict::WholeFile | Verdict::Rejected(_) => None,
        }
    }

    fn side(&self, at: usize, side: Side) -> &SideLines<'a> {
        let hunks = self.change.deltas()[at].hunks();
        self.sides[at][side as usize].get_or_init(|| SideLines::new(hunks, side))
    }

    pub(super) fn place(&self, path: &str, place: Place, snippet: Option<&Snippet<'_>>) -> Verdict {
        let bare = |fault| Verdict::Rejected(Rejection { fault, proposal: None, nearest: Vec::new() });
        match find(self.change, path, place.side) {
            Lookup::Nowhere(fault) => bare(fault),
            Lookup::Renamed { written, file } => {
                let detail = NotInDiff::RenamedTo(file.path.clone());
                let fault = Fault::FileNotInDiff { path: written, detail };
                Verdict::Rejected(self.under(&file, place, snippet, fault, Why::Renamed))
            }
            Lookup::Near { written, file } => {
                let detail = NotInDiff::Near(file.path.clone());
                let fault = Fault::FileNotInDiff { path: written, detail };
                Verdict::Rejected(self.under(&file, place, snippet, fault, Why::NearPath))
            }
            Lookup::Here(file) => match &file.delta.content {
                Content::Binary => bare(Fault::BinaryFile { path: file.path }),
                Content::None(why) => bare(Fault::NoTextDiff { path: file.path, why: *why }),
                Content::Text(_) => self.in_text(&file, place, snippet),
            },
        }
    }

    /// The place, looked up under another path than the written one.
    fn under(&self, file: &File<'_>, place: Place, snippet: Option<&Snippet<'_>>, fault: Fault, why: Why) -> Rejection {
        let lines = self.side(file.at, place.side);
        let proposal = match self.in_text(file, place, snippet) {
            Verdict::Anchored(Anchor { side, range, .. }) => {
                Some(Proposal { path: file.path.clone(), side, range, why })
            }
            Verdict::Rejected(rejection) => rejection.proposal.map(|there| Proposal { why: Why::Probable, ..there }),
            Verdict::WholeFile => None,
        };
        let nearest = nearest(lines, place.range.start);
        Rejection { fault, proposal, nearest }
    }

    fn in_text(&self, file: &File<'_>, place: Place, snippet: Option<&Snippet<'_>>) -> Verdict {
        let Place { side, range } = place;
        let lines = self.side(file.at, side);
        let reject = |fault| {
            let nearest = nearest(lines, range.start);
            Verdict::Rejected(Rejection { fault, proposal: None, nearest })
        };
        let row = |number| lines.rows.find(number).and_then(|at| Some((at, lines.rows.get(at)?)));
        let (Some((first, from)), Some((last, to))) = (row(range.start), row(range.end)) else {
            return Verdict::Rejected(self.not_there(file, place, snippet));
        };
        if range.is_reversed() {
            return reject(Fault::RangeReversed { range });
        }
        if from.hunk != to.hunk {
            return reject(Fault::RangeAcrossHunks { range });
        }
        match snippet.filter(|snippet| !lines.matches(snippet, first, last)) {
            Some(snippet) => Verdict::Rejected(self.mismatch(file, place, snippet, (first, last))),
            None => {
                let (hunk, first, last) = (from.hunk, from.line, to.line);
                Verdict::Anchored(Anchor { delta: file.at, hunk, first, last, side, range, moved_from: None })
            }
        }
    }

    /// The numbers are not on the written side: on the other one, or not in the diff at all.
    fn not_there(&self, file: &File<'_>, place: Place, snippet: Option<&Snippet<'_>>) -> Rejection {
        let Place { side, range } = place;
        let (lines, other) = (self.side(file.at, side), self.side(file.at, side.other()));
        let ordered = LineRange::new(range.start.min(range.end), range.start.max(range.end));
        let across = other.rows.find(ordered.start).zip(other.rows.find(ordered.end));
        let across = across.filter(|(first, last)| other.rows.one_hunk(*first, *last));
        let across = across.filter(|(first, last)| snippet.is_none_or(|snippet| other.matches(snippet, *first, *last)));
        let only = match file.delta.paths {
            Paths::Deleted { .. } => Some(Side::Left),
            Paths::Added { .. } => Some(Side::Right),
            Paths::Modified { .. } | Paths::Renamed { .. } => None,
        };
        let missing = if lines.rows.find(range.start).is_none() { range.start } else { range.end };
        let near = if lines.rows.is_empty() { other } else { lines };
        let nearest = nearest(near, missing);
        match across.and_then(|(first, _)| other.kind(first)) {
            Some(kind) => {
                let detail = match only {
                    Some(Side::Left) => OtherSide::Deleted,
                    Some(Side::Right) => OtherSide::Added,
                    None => OtherSide::Line(kind),
                };
                let path = file.path.clone();
                let proposal = Proposal { path, side: side.other(), range: ordered, why: Why::OtherSide };
                Rejection { fault: Fault::WrongSide { place, detail }, proposal: Some(proposal), nearest }
            }
            None => {
                let found = snippet.map(|snippet| self.elsewhere(file, place, snippet)).unwrap_or_default();
                let proposal = match <[Proposal; 1]>::try_from(found) {
                    Ok([one]) => Some(one),
                    Err(_) => None,
                };
                Rejection { fault: Fault::LineNotInDiff { place, line: missing, only }, proposal, nearest }
            }
        }
    }

    /// The place is sure, but its text is not the snippet's.
    fn mismatch(&self, file: &File<'_>, place: Place, snippet: &Snippet<'_>, rows: (usize, usize)) -> Rejection {
        let lines = self.side(file.at, place.side);
        let (first, last) = rows;
        let there = (first..=last).take(THERE).map(|row| shorten(&lines.beginning(row))).collect();
        let quoted = snippet.text().to_owned();
        let nearest = nearest(lines, place.range.start);
        let mut found = self.elsewhere(file, place, snippet);
        if found.len() > 1 {
            let candidates = found.iter().map(|p| Place { side: p.side, range: p.range }).collect();
            let fault = Fault::SnippetAmbiguous { place, there, snippet: quoted, candidates };
            return Rejection { fault, proposal: None, nearest };
        }
        Rejection { fault: Fault::SnippetMismatch { place, there, snippet: quoted }, proposal: found.pop(), nearest }
    }

    /// Every place where the snippet stands: on the written side, and only where there is none, on
    /// the other side's own lines.
    fn elsewhere(&self, file: &File<'_>, place: Place, snippet: &Snippet<'_>) -> Vec<Proposal> {
        let (lines, other) = (self.side(file.at, place.side), self.side(file.at, place.side.other()));
        let length = place.range.len() as usize;
        let propose = |lines: &SideLines<'_>, hit: Hit| {
            // The snippet is the beginning of what is meant; a range that would leave the hunk is
            // proposed as far as the snippet reaches.
            let whole = hit.len <= length && lines.rows.one_hunk(hit.row, hit.row + length - 1);
            let last = hit.row + if whole { length } else { hit.len } - 1;
            let sure = hit.sure && whole && lines.side == place.side;
            let number = |row| lines.rows.get(row).map(|row| row.number);
            let range = LineRange::new(number(hit.row)?, number(last)?);
            let why = if sure { Why::WholeLines } else { Why::Probable };
            Some(Proposal { path: file.path.clone(), side: lines.side, range, why })
        };
        let found = |lines: &SideLines<'_>, among| {
            lines.search(snippet, among).into_iter().filter_map(|hit| propose(lines, hit)).collect::<Vec<_>>()
        };
        let here = found(lines, Among::All);
        if here.is_empty() { found(other, Among::OnlyHere) } else { here }
    }
}

fn nearest(lines: &SideLines<'_>, number: u32) -> Vec<Nearest> {
    let near = lines.rows.nearest(number).take(NEAREST).filter_map(|at| Some((at, lines.rows.get(at)?.number)));
    near.map(|(at, line)| {
        let text = lines.beginning(at).chars().take(NEAREST_TEXT).collect();
        Nearest { side: lines.side, line, text }
    })
    .collect()
}

//! What became of a finding's place, with the facts of it.

use crate::change::{Change, DiffLine, FileDelta, LineKind};
use crate::reason::ReasonCode;
use crate::review::{LineRange, Place, Side};

/// Where a finding stands in the diff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// On lines that a forge takes.
    Anchored(Anchor),
    /// It names no line: it belongs in the summary.
    WholeFile,
    Rejected(Rejection),
}

/// A place in the diff that is sure to exist: a delta, a hunk, and the lines of one side in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Anchor {
    /// Index into [`Change::deltas`].
    pub delta: usize,
    /// Index into the delta's hunks.
    pub hunk: usize,
    /// Index into the hunk's lines of the range's first line.
    pub first: usize,
    /// Index into the hunk's lines of the range's last line.
    pub last: usize,
    pub side: Side,
    pub range: LineRange,
    /// Where the file says it is, when a proposal was taken instead.
    pub moved_from: Option<Place>,
}

impl Anchor {
    pub fn delta<'a>(&self, change: &'a Change) -> &'a FileDelta {
        &change.deltas()[self.delta]
    }

    /// The range's lines: those of its side, so that a RIGHT range skips the deleted lines between.
    pub fn lines<'a>(&self, change: &'a Change) -> impl Iterator<Item = &'a DiffLine> + use<'a> {
        let side = self.side;
        let lines = &self.delta(change).hunks()[self.hunk].lines[self.first..=self.last];
        lines.iter().filter(move |line| line.number(side).is_some())
    }

    /// The range's first and last line.
    pub fn ends<'a>(&self, change: &'a Change) -> (&'a DiffLine, &'a DiffLine) {
        let lines = &self.delta(change).hunks()[self.hunk].lines;
        (&lines[self.first], &lines[self.last])
    }
}

/// Why a finding has no place, what might be meant, and what is near.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    pub fault: Fault,
    pub proposal: Option<Proposal>,
    /// The closest commentable lines, nearest first, three at most.
    pub nearest: Vec<Nearest>,
}

/// A commentable line, for people and for a model that mends its own file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearest {
    pub side: Side,
    pub line: u32,
    /// At most 500 characters of the line, from its beginning: it can serve as a snippet.
    pub text: String,
}

/// The one place that is probably meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    pub path: String,
    pub side: Side,
    pub range: LineRange,
    pub why: Why,
}

/// What speaks for a proposal. Only [`Why::WholeLines`] may be taken without a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The snippet's whole lines stand there, on the written side, and nowhere else in the file's diff.
    WholeLines,
    /// The snippet stands there once, but as a part of a line, on the other side, or around a place
    /// that it does not pin down.
    Probable,
    /// The number stands in the diff on the other side only.
    OtherSide,
    /// The file goes by this name on that side.
    Renamed,
    /// The file's path is probably this one.
    NearPath,
}

/// The faults of a place, in the order in which they are looked for; the first one found is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The path spells a name that is not UTF-8.
    PathNotUtf8 {
        path: String,
    },
    FileNotInDiff {
        path: String,
        detail: NotInDiff,
    },
    BinaryFile {
        path: String,
    },
    NoTextDiff {
        path: String,
        why: crate::change::NoText,
    },
    WrongSide {
        place: Place,
        detail: OtherSide,
    },
    /// `line` is the end of the place that is missing; `only` the one side an added or deleted file
    /// has.
    LineNotInDiff {
        place: Place,
        line: u32,
        only: Option<Side>,
    },
    RangeReversed {
        range: LineRange,
    },
    RangeAcrossHunks {
        range: LineRange,
    },
    /// `there` is the text at the written place: its first three lines, long ones shortened.
    SnippetMismatch {
        place: Place,
        there: Vec<String>,
        snippet: String,
    },
    /// The snippet is not at the written place, and at several others; the first twenty are told.
    SnippetAmbiguous {
        place: Place,
        there: Vec<String>,
        snippet: String,
        candidates: Vec<Place>,
    },
    /// The embedded patch has `lines` at the place, and the change has them nowhere; `there` is what
    /// it shows under the same numbers.
    PatchLinesGone {
        place: Place,
        lines: Vec<String>,
        there: Vec<String>,
    },
    /// The change has the embedded patch's lines at several places that are as likely.
    PatchLinesAmbiguous {
        place: Place,
        lines: Vec<String>,
        candidates: Vec<Place>,
    },
}

/// How a path is not in the diff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotInDiff {
    /// The file exists and the change leaves it alone.
    Untouched,
    /// There is no such file.
    Absent,
    /// There is no such file; this one is probably meant.
    Near(String),
    /// The old name of a renamed file, asked for on the new side.
    RenamedTo(String),
}

/// How a line is on the other side only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherSide {
    /// The file is deleted, so that every line is on LEFT.
    Deleted,
    /// The file is new, so that every line is on RIGHT.
    Added,
    /// The line stands there as this kind.
    Line(LineKind),
}

impl Fault {
    /// The published reason code.
    pub fn code(&self) -> ReasonCode {
        match self {
            Fault::PathNotUtf8 { .. } => ReasonCode::PathNotUtf8,
            Fault::FileNotInDiff { .. } => ReasonCode::FileNotInDiff,
            Fault::BinaryFile { .. } => ReasonCode::BinaryFile,
            Fault::NoTextDiff { .. } => ReasonCode::NoTextDiff,
            Fault::WrongSide { .. } => ReasonCode::WrongSide,
            Fault::LineNotInDiff { .. } => ReasonCode::LineNotInDiff,
            Fault::RangeReversed { .. } => ReasonCode::RangeReversed,
            Fault::RangeAcrossHunks { .. } => ReasonCode::RangeAcrossHunks,
            Fault::SnippetMismatch { .. } => ReasonCode::SnippetMismatch,
            Fault::SnippetAmbiguous { .. } | Fault::PatchLinesAmbiguous { .. } => ReasonCode::SnippetAmbiguous,
            Fault::PatchLinesGone { .. } => ReasonCode::Stale,
        }
    }
}

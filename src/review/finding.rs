//! The reviewer's words as values, whatever format they were written in.

use std::fmt;

use super::defect::Defect;
use crate::warning::Warning;

/// Which file format a review was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    Dai,
    Exchange,
    Orchestra,
    /// Another reviewer's, which is read and never written.
    Foreign(Foreign),
}

/// The formats of other people's reviewers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Foreign {
    Codex,
    CodexPlugin,
    Claude,
    Security,
    Ultrareview,
    GitHub,
    Sarif,
    RdJson,
    RdJsonLines,
}

/// How grave a finding is. Orders from low to high.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    Low,
    Medium,
    High,
}

impl Severity {
    pub const ALL: [Severity; 3] = [Severity::Low, Severity::Medium, Severity::High];

    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Low => "low",
            Severity::Medium => "medium",
            Severity::High => "high",
        }
    }

    /// Any case; nothing else than the three words.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| word.eq_ignore_ascii_case(s.as_str()))
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Which image of a file a line number counts in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The old image: the merge base's.
    Left,
    /// The new image: the head's.
    Right,
}

impl Side {
    pub fn as_str(self) -> &'static str {
        match self {
            Side::Left => "LEFT",
            Side::Right => "RIGHT",
        }
    }

    /// Any case; nothing else than the two words.
    pub fn parse(word: &str) -> Option<Self> {
        [Side::Left, Side::Right].into_iter().find(|s| word.eq_ignore_ascii_case(s.as_str()))
    }

    pub fn other(self) -> Self {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Lines `start` to `end`, both included, counted from 1.
///
/// A reviewer may have written them the wrong way round, so `end` can be before `start`; the anchor
/// says so as `range_reversed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineRange {
    pub start: u32,
    pub end: u32,
}

impl LineRange {
    pub fn line(line: u32) -> Self {
        Self { start: line, end: line }
    }

    pub fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    pub fn is_reversed(self) -> bool {
        self.end < self.start
    }

    pub fn is_single(self) -> bool {
        self.end == self.start
    }

    /// How many lines; 0 for a reversed range.
    pub fn len(self) -> u32 {
        (u64::from(self.end) + 1).saturating_sub(u64::from(self.start)).try_into().unwrap_or(u32::MAX)
    }

    pub fn is_empty(self) -> bool {
        self.is_reversed()
    }
}

impl fmt::Display for LineRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_single() { write!(f, "{}", self.start) } else { write!(f, "{}-{}", self.start, self.end) }
    }
}

/// Where in a file a finding points, as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    pub side: Side,
    pub range: LineRange,
}

/// What has become of a finding before this run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum State {
    #[default]
    Active,
    /// A person rejected it.
    Dismissed,
    /// Its place is not in the patch it was written for.
    Orphaned,
    /// It must be anchored anew before it can be posted.
    Stale,
}

impl State {
    pub const ALL: [State; 4] = [State::Active, State::Dismissed, State::Orphaned, State::Stale];

    pub fn as_str(self) -> &'static str {
        match self {
            State::Active => "active",
            State::Dismissed => "dismissed",
            State::Orphaned => "orphaned",
            State::Stale => "stale",
        }
    }

    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| word.eq_ignore_ascii_case(s.as_str()))
    }
}

/// How sure the reviewer is: a number from 0 to 1, totally ordered.
#[derive(Debug, Clone, Copy)]
pub struct Confidence(f64);

impl Confidence {
    /// What an absent confidence counts as in filters and in the order.
    pub const FULL: Confidence = Confidence(1.0);

    /// `None` unless `value` is from 0 to 1 (so never for NaN).
    pub fn new(value: f64) -> Option<Self> {
        // `-0.0` passes the range and would order below zero: one zero is enough.
        (0.0..=1.0).contains(&value).then_some(Self(value + 0.0))
    }

    pub fn get(self) -> f64 {
        self.0
    }
}

impl PartialEq for Confidence {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Confidence {}
impl PartialOrd for Confidence {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Confidence {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// An answer under a comment of an exchange.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    pub author: Option<String>,
    pub body: String,
}

/// One thing a reviewer found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Its place in the file's list, from 0.
    pub index: usize,
    /// Its JSON pointer in the file: `/findings/0`.
    pub pointer: String,
    pub id: Option<String>,
    /// As written; [`candidates`](super::candidates) lists the spellings to try.
    pub path: String,
    /// Absent: the file as a whole.
    pub place: Option<Place>,
    /// Absent in formats that have none: never a made-up default.
    pub severity: Option<Severity>,
    pub confidence: Option<Confidence>,
    /// Markdown, as written.
    pub body: String,
    /// The text the reviewer believes to stand at the place.
    pub snippet: Option<String>,
    pub state: State,
    /// Why it is held back as it is written.
    pub defect: Option<Defect>,
    pub replies: Vec<Reply>,
}

/// What heads the posted summary.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Heading {
    /// An exchange's title.
    pub title: Option<String>,
    /// Who wrote the review, by a short name: its identity among several reviews of one request.
    pub reviewer: Option<String>,
    pub us: Option<String>,
    pub version: Option<String>,
    pub check_status: Option<String>,
    pub dod: Option<String>,
    /// The judgement on the whole change.
    pub summary: Option<String>,
    pub good: Vec<String>,
}

/// A whole review file, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    pub format: Format,
    /// The full id of the commit that was reviewed, in lower case.
    pub head: Option<String>,
    pub heading: Heading,
    /// What a finding counts as whose format, or whose reviewer, gives no severity; `None` where each has one
    /// of its own, or where the format has none at all.
    pub severity_default: Option<Severity>,
    /// In the file's order; `findings[i].index == i`.
    pub findings: Vec<Finding>,
    /// What was read leniently or not understood.
    pub warnings: Vec<Warning>,
}

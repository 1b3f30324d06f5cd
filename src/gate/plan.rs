//! The plan: one value that is printed, hashed, compared and posted, so that a preview and a post cannot differ.

use std::collections::HashSet;
use std::fmt;

use super::existing::Lines;
use super::standing::Stands;
use crate::anchor::{Anchor, Rejection};
use crate::change::{DiffLine, LineKind};
use crate::forge::Kind;
use crate::reason::ReasonCode;
use crate::review::{Confidence, Defect, Finding, LineRange, Severity, Side, candidates};
use crate::text::Clean;
use crate::text::marker::{ReviewId, Tag};

/// Sixteen hex digits over everything that would be posted, whatever stands already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digest(pub Tag);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One end of a place in the forge's terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    pub kind: LineKind,
    /// Both running counters of the diff line (see [`crate::change::DiffLine`]).
    pub old: u32,
    pub new: u32,
}

impl From<&DiffLine> for Point {
    fn from(line: &DiffLine) -> Self {
        Self { kind: line.kind, old: line.old, new: line.new }
    }
}

/// Where and what a comment is, once its finding is anchored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    pub anchor: Anchor,
    /// The path as sent: the new name, the old one for a deleted file.
    pub path: String,
    /// Both names, one of them twice for added and deleted files.
    pub old_path: String,
    pub new_path: String,
    /// Side and lines as sent, after the forge's own rules (GitHub has no LEFT on context lines).
    pub side: Side,
    pub range: LineRange,
    /// The ends of the range as sent.
    pub first: Point,
    pub last: Point,
    /// The text of the anchored lines, lossy, as far as 16 KiB of it.
    pub anchored: Vec<String>,
    pub finding_tag: Tag,
    pub place_tag: Tag,
    /// `place` tags under the delta's other name, and the `finding` tags that go with them.
    pub other_tags: Option<(Tag, Tag)>,
    /// Exactly what is or would be posted, marker included.
    pub comment: Clean,
    /// The finding's own words in it.
    pub body: String,
}

/// Why a finding is kept back by the gate: the published reason codes, with their facts.
#[derive(Debug, Clone, PartialEq)]
pub enum Hold {
    Dismissed,
    Orphaned,
    Stale,
    /// The finding as it is written, whatever the change is.
    Written(Defect),
    Anchor(Rejection),
    /// The same path, side, lines and body as an earlier finding of the file.
    Duplicate {
        of: usize,
    },
    BodyTooLong {
        characters: usize,
        limit: usize,
    },
    /// The forge's own patch does not have the place.
    ForgeDisagrees {
        detail: String,
    },
    BelowMinSeverity {
        severity: Severity,
        min: Severity,
    },
    BelowMinConfidence {
        confidence: Confidence,
        min: Confidence,
    },
    OverMaxComments {
        max: usize,
    },
    AlreadyCommented {
        url: Option<String>,
    },
    /// An earlier run posted it, and it is not listed any more.
    Deleted {
        url: Option<String>,
    },
}

/// What becomes, or became, of a finding. The variants are the report's statuses.
#[derive(Debug, Clone, PartialEq)]
pub enum Fate {
    Ready,
    Posted {
        url: Option<String>,
    },
    AlreadyPosted {
        url: Option<String>,
        stands: Stands,
    },
    Summary,
    Suppressed(Hold),
    Rejected(Hold),
    /// `code` is `forge_refused` or `demoted`; `message` is the forge's own word.
    Failed {
        code: ReasonCode,
        message: String,
    },
    /// The outcome of the call could not be learned.
    Unknown {
        message: String,
    },
    /// `code` is one of `head_moved`, `digest_differs`, `forge_refused`, `rate_limited`, `interrupted`.
    NotAttempted {
        code: ReasonCode,
        message: String,
    },
}

/// One finding's line of the plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Index into the review's findings, and into the plan's items.
    pub finding: usize,
    /// Set whenever the place is sure, also for a finding that a filter or a person keeps back; never
    /// for one that is orphaned or stale.
    pub spot: Option<Spot>,
    pub fate: Fate,
    /// The place in the change under review: where the comment lands, else as written; `None` for a whole file.
    pub lines: Option<Lines>,
    /// The body as in the file: a comment's fingerprint is made of that.
    pub words: String,
    /// The comment of it that exists from an earlier run, whatever keeps the finding back now.
    pub existing: Option<Existing>,
}

/// A comment that exists on the forge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Existing {
    pub url: Option<String>,
    pub stands: Stands,
}

impl Item {
    pub fn new(finding: &Finding, spot: Option<Spot>, fate: Fate) -> Self {
        let written = || {
            let path = candidates(&finding.path).last().unwrap_or_default();
            finding.place.map(|place| Lines::written(&path, place))
        };
        let lines = spot.as_ref().map(Lines::of).or_else(written);
        Self { finding: finding.index, spot, fate, lines, words: finding.body.clone(), existing: None }
    }
}

/// What a run would do, or did.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    pub kind: Kind,
    /// Which review of the request it is.
    pub review: ReviewId,
    /// One for every finding of the file, in the file's order.
    pub items: Vec<Item>,
    /// The findings that pass everything but what stands already: comments at lines, in the order
    /// in which they are posted and capped.
    pub order: Vec<usize>,
    /// The `finding` tags of every finding of the file that has a place, whatever keeps it back,
    /// under both names of a renamed file.
    pub tags: HashSet<Tag>,
    /// Set by [`Plan::seal`]; `None` where nothing could be posted from here (no network, local
    /// revisions, a moved head).
    pub digest: Option<Digest>,
}

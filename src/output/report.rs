//! The report for programs: `dai.report/1`. A type of its own, apart from the inner ones, because
//! its shape is published and theirs are not.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;

use super::runner;
use crate::reason::ReasonCode;
use crate::warning::Code;

/// The name and version of this shape.
pub const SCHEMA: &str = "dai.report/1";

/// What a run would do, did, or found.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(title = "The report of dai", extend("$id" = "dai.report/1"))]
pub struct Report {
    /// Always `dai.report/1`.
    #[schemars(extend("const" = SCHEMA))]
    pub schema: &'static str,
    pub mode: Mode,
    /// The exit code of the run.
    pub exit: u8,
    /// Sixteen hex digits over what would be posted; null where nothing could be.
    pub digest: Option<String>,
    #[schemars(extend("enum" = ["github", "gitlab", null]))]
    pub forge: Option<&'static str>,
    pub host: Option<String>,
    pub project: Option<String>,
    pub number: Option<u64>,
    pub url: Option<String>,
    #[schemars(extend("enum" = ["open", "closed", "merged", null]))]
    pub state: Option<&'static str>,
    pub draft: Option<bool>,
    pub commits: Commits,
    pub summary: Summary,
    pub counts: Counts,
    /// Every finding of the file, in the file's order.
    pub findings: Vec<Finding>,
    pub warnings: Vec<Remark>,
}

/// What kind of run it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    Preview,
    Post,
    Check,
}

/// The commits the change lies between, as full ids.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct Commits {
    pub base: Option<String>,
    pub merge_base: Option<String>,
    pub head: Option<String>,
    /// The commit that the file says was reviewed.
    pub reviewed: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Summary {
    pub status: SummaryStatus,
    pub url: Option<String>,
    /// Exactly what is or would be posted.
    pub body: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SummaryStatus {
    Ready,
    Posted,
    Updated,
    AlreadyPosted,
    Failed,
    Unknown,
    NotAttempted,
}

impl SummaryStatus {
    pub fn as_str(self) -> &'static str {
        match self {
            SummaryStatus::Ready => "ready",
            SummaryStatus::Posted => "posted",
            SummaryStatus::Updated => "updated",
            SummaryStatus::AlreadyPosted => "already posted",
            SummaryStatus::Failed => "failed",
            SummaryStatus::Unknown => "unknown",
            SummaryStatus::NotAttempted => "not attempted",
        }
    }
}

/// How many findings have each status. They add up to the findings of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct Counts {
    pub ready: usize,
    pub posted: usize,
    pub already_posted: usize,
    pub summary: usize,
    pub suppressed: usize,
    pub rejected: usize,
    pub failed: usize,
    pub unknown: usize,
    pub not_attempted: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Would be posted.
    Ready,
    /// Stands on the forge, posted by this run.
    Posted,
    /// The same finding stands there from an earlier run.
    AlreadyPosted,
    /// Has no line: goes into the summary's text.
    Summary,
    /// A filter, a state, or an own comment at that place keeps it back.
    Suppressed,
    /// Does not point at the diff, or cannot be posted as it is.
    Rejected,
    /// The forge refused this item.
    Failed,
    /// The call's outcome could not be learned.
    Unknown,
    /// The run stopped before it.
    NotAttempted,
}

/// One finding and its fate.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Finding {
    /// Its place in the file's list, from 0.
    pub index: usize,
    /// Its JSON pointer in the file.
    pub pointer: String,
    pub id: Option<String>,
    pub path: String,
    /// The old name of a renamed file.
    pub old_path: Option<String>,
    #[schemars(extend("enum" = ["LEFT", "RIGHT", null]))]
    pub side: Option<&'static str>,
    /// Where it goes; null for a file as a whole.
    pub line: Option<u32>,
    pub end_line: Option<u32>,
    /// The place as in the file, where that differs.
    pub written: Option<Place>,
    #[schemars(extend("enum" = ["low", "medium", "high", null]))]
    pub severity: Option<&'static str>,
    pub confidence: Option<f64>,
    pub status: Status,
    pub reason: Option<Reason>,
    pub proposal: Option<Proposal>,
    /// The closest commentable lines of a rejected one.
    pub nearest: Vec<Nearest>,
    /// The text of the lines it is anchored at, 16 KiB of it at most.
    pub anchored: Vec<String>,
    /// Exactly what is or would be posted; null where nothing would be.
    pub body: Option<String>,
    /// The comment of it on the forge, whichever run posted it and whatever keeps the finding back now; of one that is
    /// `already_commented` the earlier wording.
    pub url: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Place {
    pub path: String,
    #[schemars(extend("enum" = ["LEFT", "RIGHT"]))]
    pub side: &'static str,
    pub line: u32,
    pub end_line: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Reason {
    pub code: ReasonCode,
    pub message: String,
}

/// The one place that is probably meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Proposal {
    pub line: u32,
    pub end_line: u32,
    #[schemars(extend("enum" = ["LEFT", "RIGHT"]))]
    pub side: &'static str,
    pub path: String,
    pub why: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Nearest {
    #[schemars(extend("enum" = ["LEFT", "RIGHT"]))]
    pub side: &'static str,
    pub line: u32,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Remark {
    pub code: Code,
    pub message: String,
    /// The finding it is about, by its index.
    pub finding: Option<usize>,
}

impl Counts {
    pub fn of(findings: &[Finding]) -> Self {
        let mut counts = Self::default();
        for finding in findings {
            *match finding.status {
                Status::Ready => &mut counts.ready,
                Status::Posted => &mut counts.posted,
                Status::AlreadyPosted => &mut counts.already_posted,
                Status::Summary => &mut counts.summary,
                Status::Suppressed => &mut counts.suppressed,
                Status::Rejected => &mut counts.rejected,
                Status::Failed => &mut counts.failed,
                Status::Unknown => &mut counts.unknown,
                Status::NotAttempted => &mut counts.not_attempted,
            } += 1;
        }
        counts
    }
}

impl Report {
    /// Two-space JSON with a newline at its end.
    pub fn to_json(&self) -> String {
        to_json(self)
    }

    /// The JSON Schema (2020-12) of this shape.
    pub fn schema() -> serde_json::Value {
        crate::schema::of::<Report>(SchemaSettings::draft2020_12())
    }
}

/// The same for a document that holds a report.
pub fn to_json(document: &impl Serialize) -> String {
    // Only maps with other keys than strings and failing writers can fail; a report has neither.
    let json = serde_json::to_string_pretty(document).unwrap_or_default();
    runner::json(&(json + "\n")).into_owned()
}

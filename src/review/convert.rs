//! From one format into another: what is common to the writers.

use std::fmt;

use serde::Serialize;

use super::finding::Finding;
use super::quote::quoted;

/// Something that the target format cannot hold. It is left out and named; nothing is shortened to fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    pub what: What,
    pub why: String,
}

/// A finding, or a field of the review's head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    Field(&'static str),
    Finding { index: usize, pointer: String, id: Option<String> },
}

impl LeftOut {
    pub(super) fn field(field: &'static str, why: impl Into<String>) -> Self {
        Self { what: What::Field(field), why: why.into() }
    }

    /// Those of some fields that the review has and the format has no place for.
    pub(super) fn fields<const N: usize>(fields: [(&'static str, bool); N]) -> Vec<Self> {
        let stand = fields.into_iter().filter(|(_, stands)| *stands);
        stand.map(|(field, _)| Self::field(field, "the format has no such field")).collect()
    }

    pub(super) fn finding(finding: &Finding, why: impl Into<String>) -> Self {
        let (index, pointer, id) = (finding.index, finding.pointer.clone(), finding.id.clone());
        Self { what: What::Finding { index, pointer, id }, why: why.into() }
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.what {
            What::Field(field) => write!(f, "\"{field}\"")?,
            What::Finding { pointer, id: None, .. } => write!(f, "{pointer}")?,
            What::Finding { pointer, id: Some(id), .. } => write!(f, "{pointer} ({})", quoted(id))?,
        }
        write!(f, ": {}", self.why)
    }
}

/// JSON as people read it, with a newline at the end.
pub(super) fn pretty(value: &impl Serialize) -> String {
    // Only a map with keys that are no texts, or a writer that fails, could make this fail.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

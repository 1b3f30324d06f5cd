//! From a review to a document of this format.

use serde::Serialize;

use crate::review::convert::LeftOut;
use crate::review::finding::{Finding, Review, Side, State};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    head: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reviewer: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    us: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    check_status: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dod: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<&'r str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    good: &'r [String],
    findings: Vec<Item<'r>>,
}

#[derive(Serialize)]
struct Item<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'r str>,
    path: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<&'static str>,
    severity: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    body: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    snippet: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'static str>,
}

/// The review as a `dai` document, two spaces deep, a newline at the end; and what the format has
/// no place for: a finding without a severity or with too long a body, a title, replies.
pub fn write(review: &Review) -> (String, Vec<LeftOut>) {
    let mut left_out = LeftOut::fields([("title", review.heading.title.is_some())]);
    let findings = review.findings.iter().filter_map(|finding| item(finding, &mut left_out)).collect();
    let heading = &review.heading;
    let document = Document {
        head: review.head.as_deref(),
        reviewer: heading.reviewer.as_deref(),
        us: heading.us.as_deref(),
        version: heading.version.as_deref(),
        check_status: heading.check_status.as_deref(),
        dod: heading.dod.as_deref(),
        summary: heading.summary.as_deref(),
        good: &heading.good,
        findings,
    };
    (crate::review::convert::pretty(&document), left_out)
}

fn item<'r>(finding: &'r Finding, left_out: &mut Vec<LeftOut>) -> Option<Item<'r>> {
    let Some(severity) = finding.severity else {
        left_out.push(LeftOut::finding(finding, "it has no severity, which the format requires"));
        return None;
    };
    if finding.body.chars().count() > super::read::MAX_BODY {
        left_out.push(LeftOut::finding(finding, "its body is longer than 60,000 characters"));
        return None;
    }
    if !finding.replies.is_empty() {
        left_out.push(LeftOut::finding(finding, "the format has no replies: the finding is written without them"));
    }
    Some(Item {
        id: finding.id.as_deref(),
        path: &finding.path,
        line: finding.place.map(|place| place.range.start),
        end_line: finding.place.map(|place| place.range).filter(|range| !range.is_single()).map(|range| range.end),
        side: finding.place.map(|place| place.side).filter(|side| *side != Side::Right).map(Side::as_str),
        severity: severity.as_str(),
        confidence: finding.confidence.map(crate::review::Confidence::get),
        body: &finding.body,
        snippet: finding.snippet.as_deref(),
        state: Some(finding.state).filter(|state| *state != State::Active).map(State::as_str),
    })
}

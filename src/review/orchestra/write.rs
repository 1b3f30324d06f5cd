//! From a review to a document of this format, which holds much less: what does not fit is named.

use std::collections::HashSet;

use serde::Serialize;

use super::read::{MAX, MAX_FIELD, is_one_line, word};
use crate::review::convert::{LeftOut, pretty};
use crate::review::finding::{Finding, Review, Side, State};
use crate::review::rule::is_blank;

#[derive(Serialize)]
struct Document<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    result_sha: Option<&'r str>,
    findings: Vec<Item<'r>>,
}

#[derive(Serialize)]
struct Item<'r> {
    id: String,
    severity: &'static str,
    file: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    claim: &'r str,
    evidence: &'r str,
}

/// The review as an Orchestra document. A body is held where it is a claim and its evidence, one
/// line each; a body of one line takes its snippet for the evidence. Nothing is shortened to fit.
pub fn write(review: &Review) -> (String, Vec<LeftOut>) {
    let heading = &review.heading;
    let mut left_out = LeftOut::fields([
        ("title", heading.title.is_some()),
        ("reviewer", heading.reviewer.is_some()),
        ("us", heading.us.is_some()),
        ("version", heading.version.is_some()),
        ("checkStatus", heading.check_status.is_some()),
        ("dod", heading.dod.is_some()),
        ("summary", heading.summary.is_some()),
        ("good", !heading.good.is_empty()),
        ("confidence", review.findings.iter().any(|finding| finding.confidence.is_some())),
    ]);
    let mut taken: HashSet<String> = review.findings.iter().filter_map(|finding| finding.id.clone()).collect();
    let mut findings = Vec::new();
    for finding in &review.findings {
        let item = if findings.len() < MAX { item(finding, &mut taken) } else { Err("a review holds 40 findings") };
        match item {
            Ok(item) => {
                let lost = lost(finding, &item);
                if !lost.is_empty() {
                    let why = format!("it is written without its {}", lost.join(" and "));
                    left_out.push(LeftOut::finding(finding, why));
                }
                findings.push(item);
            }
            Err(why) => left_out.push(LeftOut::finding(finding, why)),
        }
    }
    (pretty(&Document { result_sha: review.head.as_deref(), findings }), left_out)
}

fn item<'r>(finding: &'r Finding, taken: &mut HashSet<String>) -> Result<Item<'r>, &'static str> {
    match finding.state {
        State::Active => {}
        State::Dismissed => return Err("it is dismissed, for which the format has on purpose no word"),
        State::Orphaned => return Err("it is orphaned, for which the format has no word"),
        State::Stale => return Err("it is stale, for which the format has no word"),
    }
    if finding.place.is_some_and(|place| place.side == Side::Left) {
        return Err("it is on LEFT, and the format has the new image only");
    }
    let severity = finding.severity.ok_or("it has no severity, which the format requires")?;
    let (claim, evidence) = halves(finding).ok_or("its body is not a claim and its evidence, one line each")?;
    let fits = |text: &str| text.len() <= MAX_FIELD && is_one_line(text);
    if ![finding.path.as_str(), claim, evidence].into_iter().chain(finding.id.as_deref()).all(fits) {
        return Err("a field is longer than 500 bytes or than a line");
    }
    let severity = word(severity);
    let line = finding.place.map(|place| place.range.start);
    let id = finding.id.clone().unwrap_or_else(|| free(finding.index, taken));
    Ok(Item { id, severity, file: &finding.path, line, claim, evidence })
}

/// Two paragraphs of a line each, or one line with a snippet of one line.
fn halves(finding: &Finding) -> Option<(&str, &str)> {
    let (claim, evidence) = match finding.body.split_once("\n\n") {
        Some(halves) => halves,
        None => (&*finding.body, finding.snippet.as_deref()?),
    };
    let whole = !is_blank(claim) && !is_blank(evidence) && is_one_line(claim) && is_one_line(evidence);
    whole.then_some((claim, evidence))
}

/// What of a finding that fits as a whole has no field.
fn lost(finding: &Finding, item: &Item<'_>) -> Vec<&'static str> {
    let range = finding.place.is_some_and(|place| !place.range.is_single());
    let snippet = finding.snippet.as_deref().is_some_and(|snippet| snippet != item.evidence);
    let facts = [("range's end", range), ("snippet", snippet), ("replies", !finding.replies.is_empty())];
    facts.into_iter().filter(|(_, stands)| *stands).map(|(what, _)| what).collect()
}

/// An id for a finding without one: `f1` for the first of the file.
fn free(index: usize, taken: &mut HashSet<String>) -> String {
    let plain = format!("f{}", index + 1);
    let numbered = (2u32..).map(|number| format!("{plain}-{number}"));
    let id = std::iter::once(plain.clone()).chain(numbered).find(|id| !taken.contains(id)).unwrap_or(plain);
    taken.insert(id.clone());
    id
}

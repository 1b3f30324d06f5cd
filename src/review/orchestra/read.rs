//! From the document to the review, within the format's exact bounds.

use std::collections::HashMap;

use crate::review::document::Document;
use crate::review::finding::{Finding, Format, Heading, LineRange, Place, Review, Severity, Side, State};
use crate::review::node::{Kind, Node};
use crate::review::problem::{Allowed, Fault};
use crate::review::reading::{Got, MAX_FINDINGS, Object, Reading, Refused, Unknown, id};
use crate::review::rule;

/// The most findings of a review.
pub(super) const MAX: usize = 40;
/// The longest field, in bytes.
pub(in crate::review) const MAX_FIELD: usize = 500;

pub(super) const DOCUMENT: [&str; 3] = ["$schema", "result_sha", "findings"];
pub(in crate::review) const FINDING: [&str; 6] = ["id", "severity", "file", "line", "claim", "evidence"];

/// The words for a severity, from high to low. The first two block.
pub(super) const SEVERITIES: [(&str, Severity); 3] =
    [("blocker", Severity::High), ("important", Severity::Medium), ("minor", Severity::Low)];

/// Reads the whole document. Claim and evidence become the body, two paragraphs.
///
/// # Errors
///
/// Every fault at once.
pub(in crate::review) fn read(document: &Document) -> Result<Review, Refused> {
    let mut reading = Reading::new(document, Unknown::Every);
    let mut head = None;
    let mut findings = Vec::new();
    if let Some(top) = reading.object(document.root(), document.base(), Allowed::Document, &DOCUMENT, None) {
        reading.field(&top, "$schema", Allowed::Text, rule::text);
        head = reading.field(&top, "result_sha", Allowed::Commit, rule::commit).ok();
        if let Got::Is(list) = reading.required(&top, "findings", Allowed::Findings, rule::list) {
            findings = all(&mut reading, list);
        }
    }
    let warnings = reading.finish()?;
    let head = head.map(|id| id.as_str().to_owned());
    Ok(Review {
        format: Format::Orchestra,
        head,
        heading: Heading::default(),
        severity_default: None,
        findings,
        warnings,
    })
}

fn all<'d>(reading: &mut Reading<'d>, list: &'d [Node]) -> Vec<Finding> {
    if let Some(beyond) = list.get(MAX) {
        let fault = Fault::TooMany { found: list.len(), limit: MAX };
        reading.fault(format!("/findings/{MAX}"), beyond.span(), fault);
    }
    let mut ids = HashMap::new();
    let told = list.iter().take(MAX_FINDINGS).enumerate();
    told.filter_map(|(index, node)| one(reading, index, node, &mut ids)).collect()
}

fn one<'d>(
    reading: &mut Reading<'d>,
    index: usize,
    node: &'d Node,
    ids: &mut HashMap<&'d str, usize>,
) -> Option<Finding> {
    let pointer = format!("/findings/{index}");
    let object = reading.object(node, &*pointer, Allowed::Object, &FINDING, Some(index))?;
    match object.get("id") {
        None => reading.missing(&object, "id", Allowed::Id),
        Some(id) if matches!(id.kind, Kind::Null) => reading.wrong(object.pointer_to("id"), id, Allowed::Id),
        Some(_) => {}
    }
    let id = id(reading, &object, index, ids);
    let severity = reading.required(&object, "severity", Allowed::OrchestraSeverity, |document, node| {
        let word = rule::text(document, node)?;
        SEVERITIES.iter().find(|(name, _)| *name == word).map(|(_, severity)| *severity)
    });
    let path = reading.required(&object, "file", Allowed::Path, |document, node| {
        rule::path(document, node).filter(|path| is_one_line(path) && !rule::is_blank(path))
    });
    let defect = reading.unclear(&object, &FINDING);
    let line = reading.field(&object, "line", Allowed::LineOrZero, rule::line_or_zero);
    let mut text = |field| {
        let rule = |document, node| rule::some_text(document, node).filter(|text| is_one_line(text));
        reading.required(&object, field, Allowed::OneLine, rule).ok()
    };
    let (claim, evidence) = (text("claim"), text("evidence"));
    for field in ["id", "file", "claim", "evidence"] {
        within_bound(reading, &object, field);
    }
    let line = line.ok().filter(|line| *line > 0);
    Some(Finding {
        index,
        pointer,
        id: Some(id?.to_owned()),
        path: path.ok()?.to_owned(),
        place: line.map(|line| Place { side: Side::Right, range: LineRange::line(line) }),
        severity: Some(severity.ok()?),
        confidence: None,
        body: format!("{}\n\n{}", claim?, evidence?),
        snippet: None,
        state: State::Active,
        defect,
        replies: Vec::new(),
    })
}

/// The word for a severity.
pub(in crate::review) fn word(severity: Severity) -> &'static str {
    SEVERITIES.iter().find(|(_, ours)| *ours == severity).map_or("minor", |(word, _)| word)
}

/// Without anything that ends a line anywhere. A tab ends none: evidence quotes code, and git has such
/// names.
pub(in crate::review) fn is_one_line(text: &str) -> bool {
    !text.contains(|c: char| (c.is_control() && c != '\t') || matches!(c, '\u{2028}' | '\u{2029}'))
}

/// The bound holds for a field whatever else is wrong with it.
fn within_bound<'d>(reading: &mut Reading<'d>, object: &Object<'d>, field: &str) {
    let Some(node) = object.get(field) else { return };
    let bytes = rule::text(reading.document(), node).map_or(0, str::len);
    if bytes > MAX_FIELD {
        reading.fault(object.pointer_to(field), node.span(), Fault::TooManyBytes { bytes, limit: MAX_FIELD });
    }
}

//! From the document to the review, by the format's table of fields.

use std::collections::HashMap;

use crate::review::document::Document;
use crate::review::finding::{Finding, Format, Heading, LineRange, Place, Review, Side};
use crate::review::node::{Kind, Node};
use crate::review::problem::{Allowed, Fault};
use crate::review::reading::{Got, MAX_FINDINGS, Object, Reading, Refused, Unknown, id};
use crate::review::rule;

/// The longest body, in characters.
pub(super) const MAX_BODY: usize = 60_000;

/// The longest name of a reviewer, in characters.
pub(super) const MAX_NAME: usize = 100;

/// The fields of the document.
pub(in crate::review) const DOCUMENT: [&str; 11] =
    ["$schema", "head", "result_sha", "reviewer", "us", "version", "checkStatus", "dod", "summary", "good", "findings"];
/// The fields of a finding.
pub(in crate::review) const FINDING: [&str; 11] =
    ["id", "path", "line", "start_line", "end_line", "side", "severity", "confidence", "body", "snippet", "state"];

/// Reads the whole document.
///
/// # Errors
///
/// Every fault at once; none is hidden by another but by a value of the wrong kind around it.
pub(in crate::review) fn read(document: &Document) -> Result<Review, Refused> {
    let mut reading = Reading::new(document, Unknown::Every);
    let mut heading = Heading::default();
    let mut head = None;
    let mut findings = Vec::new();
    if let Some(top) = reading.object(document.root(), document.base(), Allowed::Document, &DOCUMENT, None) {
        reading.field(&top, "$schema", Allowed::Text, rule::text);
        head = reading.either(&top, ["head", "result_sha"], Allowed::Commit, rule::commit).ok();
        heading.reviewer = reviewer(&mut reading, &top);
        let mut text = |field| reading.field(&top, field, Allowed::Text, rule::text).ok().map(str::to_owned);
        heading.us = text("us");
        heading.version = text("version");
        heading.check_status = text("checkStatus");
        heading.dod = text("dod");
        heading.summary = text("summary");
        if let Got::Is(list) = reading.field(&top, "good", Allowed::Texts, rule::list) {
            heading.good = reading.texts(list, &top.pointer_to("good")).into_iter().map(str::to_owned).collect();
        }
        if let Got::Is(list) = reading.required(&top, "findings", Allowed::Findings, rule::list) {
            findings = all(&mut reading, list, &top.pointer_to("findings"));
        }
    }
    let warnings = reading.finish()?;
    let head = head.map(|id| id.as_str().to_owned());
    Ok(Review { format: Format::Dai, head, heading, severity_default: None, findings, warnings })
}

/// A name that is blank names nobody.
fn reviewer<'d>(reading: &mut Reading<'d>, top: &Object<'d>) -> Option<String> {
    let name = reading.field(top, "reviewer", Allowed::Text, rule::text).ok()?;
    let characters = name.chars().count();
    if characters > MAX_NAME {
        let span = top.get("reviewer").map(Node::span).unwrap_or_default();
        reading.fault(top.pointer_to("reviewer"), span, Fault::TooLong { characters, limit: MAX_NAME });
    }
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

fn all<'d>(reading: &mut Reading<'d>, list: &'d [Node], at: &str) -> Vec<Finding> {
    if let Some(beyond) = list.get(MAX_FINDINGS) {
        // Telling the faults of a file that is refused for its size helps nobody.
        let fault = Fault::TooMany { found: list.len(), limit: MAX_FINDINGS };
        reading.fault(format!("{at}/{MAX_FINDINGS}"), beyond.span(), fault);
        return Vec::new();
    }
    let mut ids = HashMap::new();
    list.iter()
        .enumerate()
        .filter_map(|(index, node)| one(reading, index, (node, format!("{at}/{index}")), &mut ids))
        .collect()
}

fn one<'d>(
    reading: &mut Reading<'d>,
    index: usize,
    (node, pointer): (&'d Node, String),
    ids: &mut HashMap<&'d str, usize>,
) -> Option<Finding> {
    let object = reading.object(node, &*pointer, Allowed::Object, &FINDING, Some(index))?;
    let id = id(reading, &object, index, ids);
    let path = reading.required(&object, "path", Allowed::Path, rule::any_path);
    let defect = reading.unclear(&object, &FINDING);
    let place = place(reading, &object);
    let severity = reading.required(&object, "severity", Allowed::Severity, rule::severity);
    let confidence = reading.field(&object, "confidence", Allowed::Confidence, rule::confidence);
    let body = body(reading, &object);
    let snippet = reading.field(&object, "snippet", Allowed::Text, rule::text);
    let state = reading.field(&object, "state", Allowed::State, rule::state);
    Some(Finding {
        index,
        pointer,
        id: id.map(str::to_owned),
        path: path.ok()?.to_owned(),
        place,
        severity: Some(severity.ok()?),
        confidence: confidence.ok(),
        body: body?.to_owned(),
        snippet: snippet.ok().map(str::to_owned),
        state: state.ok().unwrap_or_default(),
        defect,
        replies: Vec::new(),
    })
}

/// Side and lines. A reversed range is no fault of the file: the place is judged against the change.
fn place<'d>(reading: &mut Reading<'d>, object: &Object<'d>) -> Option<Place> {
    let (start, end) = match pair(reading.document(), object) {
        Some((start, end)) => (Got::Is(start), Got::Is(end)),
        None => (
            reading.either(object, ["line", "start_line"], Allowed::Line, rule::line),
            reading.field(object, "end_line", Allowed::Line, rule::line),
        ),
    };
    let side = reading.field(object, "side", Allowed::Side, rule::side);
    if start.is_absent() && !end.is_absent() {
        let span = object.get("end_line").map(Node::span).unwrap_or_default();
        reading.fault(object.pointer_to("end_line"), span, Fault::EndWithoutLine);
    }
    let start = start.ok()?;
    let range = LineRange::new(start, end.ok().unwrap_or(start));
    Some(Place { side: side.ok().unwrap_or(Side::Right), range })
}

/// GitHub's own pair: `start_line` with `line` beside it and no `end_line` is from one to the other.
fn pair(document: &Document, object: &Object<'_>) -> Option<(u32, u32)> {
    let number = |field| object.get(field).and_then(|node| rule::line(document, node));
    let end = object.get("end_line").is_none_or(|end| matches!(end.kind, Kind::Null));
    number("start_line").zip(number("line")).filter(|_| end)
}

fn body<'d>(reading: &mut Reading<'d>, object: &Object<'d>) -> Option<&'d str> {
    let body = reading.required(object, "body", Allowed::Markdown, rule::some_text).ok()?;
    let characters = body.chars().count();
    if characters > MAX_BODY {
        let span = object.get("body").map(Node::span).unwrap_or_default();
        reading.fault(object.pointer_to("body"), span, Fault::TooLong { characters, limit: MAX_BODY });
        return None;
    }
    Some(body)
}

//! The intermediate form: what every reader of another format takes out of a document, and how that becomes
//! the findings of a review.

use std::collections::HashSet;

use super::severity::{DEFAULT, of_priority, of_word};
use crate::review::defect::Defect;
use crate::review::document::Document;
use crate::review::finding::{
    Confidence, Finding, Foreign, Format, Heading, LineRange, Place, Review, Severity, Side, State,
};
use crate::review::node::{Kind, Node};
use crate::review::problem::{Allowed, Fault};
use crate::review::quote::quoted;
use crate::review::reading::{MAX_FINDINGS, Object, Reading, Refused, Unknown};
use crate::review::rule;
use crate::warning::{Code, Warning};

/// The longest body, as in our own format.
const MAX_BODY: usize = 60_000;

/// One finding as another format says it.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub pointer: String,
    pub id: Option<String>,
    pub path: Option<String>,
    pub side: Option<Side>,
    pub start: Option<u32>,
    pub end: Option<u32>,
    pub severity: Option<Severity>,
    pub confidence: Option<Confidence>,
    pub body: String,
    pub snippet: Option<String>,
    pub state: State,
    pub defect: Option<Defect>,
}

/// A reading of a format that is not ours.
pub(super) struct Form<'d> {
    pub reading: Reading<'d>,
    format: Foreign,
    findings: Vec<Finding>,
    ids: HashSet<String>,
    assumed: bool,
}

impl<'d> Form<'d> {
    pub fn new(document: &'d Document, format: Foreign) -> Self {
        let reading = Reading::new(document, Unknown::Every);
        Self { reading, format, findings: Vec::new(), ids: HashSet::new(), assumed: false }
    }

    /// The number that the next finding has.
    pub fn next(&self) -> usize {
        self.findings.len()
    }

    /// The objects of a list, each with its pointer; one that is none is told.
    pub fn objects(&mut self, list: &'d [Node], pointer: &str, known: &[&str]) -> Vec<Object<'d>> {
        if let Some(beyond) = list.get(MAX_FINDINGS) {
            let fault = Fault::TooMany { found: list.len(), limit: MAX_FINDINGS };
            self.reading.fault(format!("{pointer}/{MAX_FINDINGS}"), beyond.span(), fault);
            return Vec::new();
        }
        let each = list.iter().enumerate();
        each.filter_map(|(at, node)| {
            let pointer = format!("{pointer}/{at}");
            self.reading.object(node, pointer, Allowed::Object, known, Some(at))
        })
        .collect()
    }

    pub fn text(&mut self, object: &Object<'d>, field: &str) -> Option<&'d str> {
        self.reading.field(object, field, Allowed::Text, rule::text).ok()
    }

    /// A text that must be there, and not blank.
    pub fn words(&mut self, object: &Object<'d>, field: &'static str) -> Option<&'d str> {
        self.reading.required(object, field, Allowed::SomeText, rule::some_text).ok()
    }

    pub fn path(&mut self, object: &Object<'d>, field: &'static str) -> Option<String> {
        self.reading.required(object, field, Allowed::Path, rule::any_path).ok().map(str::to_owned)
    }

    /// 0 is the file as a whole.
    pub fn line(&mut self, object: &Object<'d>, field: &str) -> Option<u32> {
        self.reading.field(object, field, Allowed::LineOrZero, rule::line_or_zero).ok().filter(|line| *line > 0)
    }

    pub fn inner(&mut self, object: &Object<'d>, field: &str, known: &[&str]) -> Option<Object<'d>> {
        let node = object.get(field).filter(|node| !matches!(node.kind, Kind::Null))?;
        let index = self.next();
        self.reading.object(node, object.pointer_to(field), Allowed::Object, known, Some(index))
    }

    /// The items of a list that may be left out.
    pub fn list(&mut self, object: &Object<'d>, field: &str) -> &'d [Node] {
        self.reading.field(object, field, Allowed::List, rule::list).ok().unwrap_or(&[])
    }

    /// A severity by its word or its number; a word that no table has is told, and counts as none.
    pub fn severity(&mut self, object: &Object<'d>, field: &str) -> Option<Severity> {
        let node = object.get(field).filter(|node| !matches!(node.kind, Kind::Null))?;
        let document = self.reading.document();
        let known = match rule::text(document, node) {
            Some(word) => of_word(word),
            None => rule::line_or_zero(document, node).and_then(of_priority),
        };
        if known.is_none() {
            let word = document.found(node);
            let message = format!("{}: the severity {word} is read as {DEFAULT}", object.pointer_to(field));
            let index = self.next();
            self.reading.warnings.push(Warning::finding(Code::UnknownWord, index, message));
        }
        known
    }

    /// A number from 0 to 1; a word is none, and is given back to be shown.
    pub fn confidence(&mut self, object: &Object<'d>, field: &str) -> (Option<Confidence>, Option<&'d str>) {
        let word = object.get(field).and_then(|node| rule::text(self.reading.document(), node));
        if word.is_some() {
            return (None, word);
        }
        (self.reading.field(object, field, Allowed::Confidence, rule::confidence).ok(), None)
    }

    /// Something of the file that is not read, said once.
    pub fn lenient(&mut self, message: impl Into<String>) {
        self.reading.warnings.push(Warning::run(Code::Lenient, message));
    }

    /// Takes a finding up. One without a path has been told of, and so makes the file no review.
    pub fn add(&mut self, draft: Draft) {
        let index = self.next();
        let Some(path) = draft.path else { return };
        let range = draft.start.map(|start| LineRange::new(start, draft.end.unwrap_or(start)));
        let id = draft.id.filter(|id| !rule::is_blank(id) && !id.chars().any(char::is_control));
        let id = id.filter(|id| self.ids.insert(id.clone()));
        self.assumed |= draft.severity.is_none();
        let (mut body, characters) = (draft.body, MAX_BODY);
        if body.chars().count() > characters {
            let cut = body.char_indices().nth(characters - 1).map_or(body.len(), |(at, _)| at);
            body.truncate(cut);
            body.push('…');
            let message = format!("{}: the text is cut to {characters} characters", quoted(&draft.pointer));
            self.reading.warnings.push(Warning::finding(Code::Cut, index, message));
        }
        self.findings.push(Finding {
            index,
            pointer: draft.pointer,
            id,
            path,
            place: range.map(|range| Place { side: draft.side.unwrap_or(Side::Right), range }),
            severity: Some(draft.severity.unwrap_or(DEFAULT)),
            confidence: draft.confidence,
            body,
            snippet: draft.snippet.filter(|snippet| !rule::is_blank(snippet)),
            state: draft.state,
            defect: draft.defect,
            replies: Vec::new(),
        });
    }

    pub fn finish(self, heading: Heading, head: Option<String>) -> Result<Review, Refused> {
        let warnings = self.reading.finish()?;
        let severity_default = self.assumed.then_some(DEFAULT);
        let format = Format::Foreign(self.format);
        Ok(Review { format, head, heading, severity_default, findings: self.findings, warnings })
    }
}

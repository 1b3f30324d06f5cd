//! From the document to the exchange, and from there to the review.

use std::collections::{BTreeMap, HashMap};

use super::document::{Answer, Comment, Comments, Exchange, Spelling};
use crate::change::patch::Patch;
use crate::review::defect::Defect;
use crate::review::document::Document;
use crate::review::finding::{Finding, Format, Heading, Reply, Review, Side};
use crate::review::meant::misnamed;
use crate::review::node::{Kind, Node};
use crate::review::problem::{Allowed, Fault};
use crate::review::quote::quoted;
use crate::review::reading::{Got, MAX_FINDINGS, Object, Reading, Refused, Unknown, id};
use crate::review::rule;
use crate::warning::{Code, Warning};

/// The fields of the document, of a comment, and of a reply, in the order of writing.
pub(super) const DOCUMENT: [&str; 5] = ["leanreview_review", "title", "summary", "patch", "comments"];
pub(in crate::review) const COMMENT: [&str; 11] =
    ["id", "author", "path", "side", "start_line", "end_line", "body", "state", "snippet", "at", "replies"];
pub(super) const REPLY: [&str; 3] = ["author", "body", "at"];

/// The fields of a comment that come before this one.
pub(in crate::review) fn before(field: &str) -> &'static [&'static str] {
    let at = COMMENT.iter().position(|name| *name == field).unwrap_or(0);
    &COMMENT[..at]
}

/// How many faults of a patch are told.
const TOLD: usize = 100;

/// Reads an exchange as it is.
///
/// # Errors
///
/// Every fault at once. An unknown version is refused alone: its fields may mean something else.
pub fn read(document: &Document) -> Result<(Exchange, Vec<Warning>), Refused> {
    let mut reading = Reading::new(document, Unknown::NearMiss);
    let mut exchange = Exchange { spelling: spelling(document), ..Exchange::default() };
    if let Some(top) = reading.object(document.root(), document.base(), Allowed::Object, &DOCUMENT, None) {
        let version = reading.required(&top, "leanreview_review", Allowed::Version, |document, node| {
            (matches!(node.kind, Kind::Number) && document.raw(node) == "1").then_some(())
        });
        if version.ok().is_some() {
            let mut text = |field| reading.field(&top, field, Allowed::Text, rule::text).ok().map(str::to_owned);
            exchange.title = text("title");
            exchange.summary = text("summary");
            exchange.patch = patch(&mut reading, &top);
            exchange.comments = comments(&mut reading, &top);
        }
    }
    exchange.spelling.nulls = std::mem::take(&mut reading.nulls);
    let warnings = reading.finish()?;
    Ok((exchange, warnings))
}

/// Reads an exchange as a review: states by the embedded patch, and what of the patch is wrong.
pub(in crate::review) fn read_review(document: &Document) -> Result<Review, Refused> {
    let (exchange, warnings) = read(document)?;
    if exchange.patch.iter().all(|line| rule::is_blank(line)) {
        let mut reading = Reading::new(document, Unknown::NearMiss);
        let span = document.span("/patch").unwrap_or_default();
        reading.fault("/patch", span, Fault::EmptyPatch);
        reading.finish()?;
    }
    let mut review = review(&exchange);
    review.warnings.splice(0..0, warnings);
    for finding in &mut review.findings {
        let Some(node) = document.node(&finding.pointer) else { continue };
        let found = misnamed(document, node, &COMMENT);
        let sure = found.iter().all(|one| one.sure);
        finding.defect =
            found.first().map(|one| Defect::UnclearField { field: one.member.key.to_string(), known: one.known, sure });
    }
    Ok(review)
}

/// What an exchange says as a review. Lines are the patch's; carrying them to the change under
/// review is the anchor's work. Comments that the patch does not have are orphaned here whether the
/// file says so or not.
pub fn review(exchange: &Exchange) -> Review {
    let patch = exchange.diff();
    let mut warnings = told(&patch);
    let findings = exchange.comments().iter().enumerate().map(|(index, comment)| {
        if let Some(warning) = end_off(index, comment, &patch) {
            warnings.push(warning);
        }
        finding(index, comment, &patch)
    });
    let findings = findings.collect();
    let heading = Heading { title: exchange.title.clone(), summary: exchange.summary.clone(), ..Heading::default() };
    Review { format: Format::Exchange, head: None, heading, severity_default: None, findings, warnings }
}

fn finding(index: usize, comment: &Comment, patch: &Patch) -> Finding {
    let reply = |answer: &Answer| Reply { author: answer.author.clone(), body: answer.body.clone() };
    Finding {
        index,
        pointer: format!("/comments/{index}"),
        id: comment.id.clone(),
        path: comment.path.clone(),
        place: comment.place(),
        severity: None,
        confidence: None,
        body: comment.body.clone(),
        snippet: comment.snippet.clone(),
        state: comment.state_in(patch),
        defect: None,
        replies: comment.replies.iter().flatten().map(reply).collect(),
    }
}

fn told(patch: &Patch) -> Vec<Warning> {
    let mut told: Vec<_> =
        patch.faults.iter().take(TOLD).map(|fault| Warning::run(Code::Lenient, format!("/patch: {fault}"))).collect();
    if patch.faults.len() > TOLD {
        let message = format!("/patch: {} more faults", patch.faults.len() - TOLD);
        told.push(Warning::run(Code::Lenient, message));
    }
    told
}

/// Only the start decides about an orphan; an end that is elsewhere is remarked on.
fn end_off(index: usize, comment: &Comment, patch: &Patch) -> Option<Warning> {
    let range = comment.place()?.range;
    let file = patch.file(comment.side(), &comment.path)?;
    file.line(comment.side(), range.start)?;
    let off = file.line(comment.side(), range.end).is_none();
    let message = format!("/comments/{index}: the range {range} ends at a line that the embedded patch does not have");
    off.then(|| Warning::finding(Code::Lenient, index, message))
}

/// A list of lines, or one text. Elements with line breaks inside are several lines.
fn patch<'d>(reading: &mut Reading<'d>, top: &Object<'d>) -> Vec<String> {
    let split = |text: &str| text.split('\n').map(str::to_owned).collect::<Vec<_>>();
    let either = |_, node: &'d Node| match &node.kind {
        Kind::Text(_) | Kind::List(_) => Some(node),
        _ => None,
    };
    let Got::Is(node) = reading.required(top, "patch", Allowed::Patch, either) else { return Vec::new() };
    match &node.kind {
        Kind::Text(text) => split(text.strip_suffix('\n').unwrap_or(text)),
        // Whoever cuts a text into lines may leave each its end.
        Kind::List(items) => {
            let lines = reading.texts(items, "/patch").into_iter();
            lines.flat_map(|line| split(line.strip_suffix('\n').unwrap_or(line))).collect()
        }
        _ => Vec::new(),
    }
}

fn comments<'d>(reading: &mut Reading<'d>, top: &Object<'d>) -> Comments {
    if top.get("comments").is_some_and(|node| matches!(node.kind, Kind::Null)) {
        return Comments::Null;
    }
    let Got::Is(list) = reading.field(top, "comments", Allowed::Comments, rule::list) else { return Comments::Absent };
    if let Some(beyond) = list.get(MAX_FINDINGS) {
        let fault = Fault::TooMany { found: list.len(), limit: MAX_FINDINGS };
        reading.fault(format!("/comments/{MAX_FINDINGS}"), beyond.span(), fault);
        return Comments::Absent;
    }
    let mut ids = HashMap::new();
    Comments::List(list.iter().enumerate().filter_map(|(index, node)| one(reading, index, node, &mut ids)).collect())
}

fn one<'d>(
    reading: &mut Reading<'d>,
    index: usize,
    node: &'d Node,
    ids: &mut HashMap<&'d str, usize>,
) -> Option<Comment> {
    let object = reading.object(node, format!("/comments/{index}"), Allowed::Object, &COMMENT, Some(index))?;
    let id = id(reading, &object, index, ids).map(str::to_owned);
    let path = reading.required(&object, "path", Allowed::Path, rule::path);
    let side = side(reading, &object, index);
    let start_line = reading.field(&object, "start_line", Allowed::LineOrZero, rule::line_or_zero);
    let end_line = reading.field(&object, "end_line", Allowed::LineOrZero, rule::line_or_zero);
    let body = reading.required(&object, "body", Allowed::Markdown, rule::some_text);
    let state = reading.field(&object, "state", Allowed::State, rule::state).ok();
    let mut text = |field| reading.field(&object, field, Allowed::Text, rule::text).ok().map(str::to_owned);
    let (author, snippet, at) = (text("author"), text("snippet"), text("at"));
    let replies = replies(reading, &object);
    let (start_line, end_line) = (start_line.ok(), end_line.ok());
    let (path, body) = (path.ok()?.to_owned(), body.ok()?.to_owned());
    Some(Comment { id, author, path, side, start_line, end_line, body, state, snippet, at, replies })
}

/// Any word that is no side reads as RIGHT, said aloud.
fn side<'d>(reading: &mut Reading<'d>, object: &Object<'d>, index: usize) -> Option<Side> {
    let word = reading.field(object, "side", Allowed::Side, rule::text).ok()?;
    if let Some(side) = Side::parse(word) {
        return Some(side);
    }
    let message = format!("{}: the side {} is read as RIGHT", object.pointer_to("side"), quoted(word));
    reading.warnings.push(Warning::finding(Code::UnknownWord, index, message));
    Some(Side::Right)
}

fn replies<'d>(reading: &mut Reading<'d>, object: &Object<'d>) -> Option<Vec<Answer>> {
    let list = reading.field(object, "replies", Allowed::Replies, rule::list).ok()?;
    let mut replies = Vec::with_capacity(list.len());
    for (at, node) in list.iter().enumerate() {
        let pointer = format!("{}/{at}", object.pointer_to("replies"));
        let Some(reply) = reading.object(node, pointer, Allowed::Object, &REPLY, None) else { continue };
        let body = reading.required(&reply, "body", Allowed::Text, rule::text).ok();
        let mut text = |field| reading.field(&reply, field, Allowed::Text, rule::text).ok().map(str::to_owned);
        let (author, at) = (text("author"), text("at"));
        replies.extend(body.map(|body| Answer { author, body: body.to_owned(), at }));
    }
    Some(replies)
}

/// Which of two spellings the file has, where Go's writer knows two.
fn spelling(document: &Document) -> Spelling {
    let json = document.json();
    let mut spelling = Spelling::default();
    // What is not even in the bytes is not looked for in every text.
    if ["\\u0008", "\\u000c", "\\ufffd"].iter().all(|escape| !json.contains(escape)) {
        return spelling;
    }
    let mut replaced: BTreeMap<String, Vec<Vec<bool>>> = BTreeMap::new();
    texts(document, document.root(), &mut |raw, text| {
        spelling.long_controls |= spelled(raw).any(|as_it_is| matches!(as_it_is, "\\u0008" | "\\u000c"));
        if text.contains('\u{fffd}') {
            let each = spelled(raw).filter_map(|as_it_is| match as_it_is {
                "\u{fffd}" => Some(false),
                escape => escape.eq_ignore_ascii_case("\\ufffd").then_some(true),
            });
            replaced.entry(text.to_owned()).or_default().push(each.collect());
        }
    });
    if replaced.values().flatten().flatten().any(|escaped| *escaped) {
        spelling.replaced = replaced;
    }
    spelling
}

/// A text's characters as they are spelled. A backslash that is itself escaped begins no escape.
fn spelled(raw: &str) -> impl Iterator<Item = &str> {
    let mut rest = raw;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let length = match (first, rest.as_bytes().get(1)) {
            ('\\', Some(b'u')) => 6,
            ('\\', _) => 2,
            _ => first.len_utf8(),
        };
        let (this, after) = rest.split_at_checked(length)?;
        rest = after;
        Some(this)
    })
}

fn texts(document: &Document, node: &Node, each: &mut impl FnMut(&str, &str)) {
    if let Kind::Text(text) = &node.kind {
        each(document.raw(node), text);
    }
    node.items().iter().for_each(|item| texts(document, item, each));
    node.members().iter().for_each(|member| texts(document, &member.value, each));
}

//! SARIF 2.1.0: the results of a scanner, one finding for each of their locations.
//!
//! Read from the tree and not through typed structs: a fault has to be pointed at in the file.

use super::form::{Draft, Form};
use super::prose::Prose;
use super::sarif_paths::{path, text, value};
use super::severity::of_word;
use crate::review::document::Document;
use crate::review::finding::{Confidence, Foreign, Heading, Review, Severity, State};
use crate::review::node::{Kind, Node};
use crate::review::problem::{Allowed, Fault};
use crate::review::reading::{MAX_FINDINGS, Refused};
use crate::review::rule;

/// What of the results is left out by the format's own word, counted.
#[derive(Default)]
struct Left {
    passed: usize,
    placeless: usize,
    fixes: usize,
    beyond: bool,
}

pub(in crate::review) fn read(document: &Document) -> Result<Review, Refused> {
    let mut form = Form::new(document, Foreign::Sarif);
    let mut left = Left::default();
    let runs = value(document.root(), "runs").map_or(&[][..], Node::items);
    for (at, run) in runs.iter().enumerate() {
        let pointer = format!("{}/runs/{at}/results", document.base());
        let results = value(run, "results").filter(|results| !matches!(results.kind, Kind::Null));
        match results.map(|results| &results.kind) {
            None => {}
            Some(Kind::List(items)) => {
                let rules = Rules::of(run);
                for (at, result) in items.iter().enumerate() {
                    one(&mut form, &mut left, run, &rules, result, &format!("{pointer}/{at}"));
                }
            }
            Some(_) => results.into_iter().for_each(|node| form.reading.wrong(&*pointer, node, Allowed::List)),
        }
    }
    for (count, what) in [
        (left.passed, "results say that a rule passed or does not apply, and are not read"),
        (left.placeless, "results name no file, and are not read"),
        (left.fixes, "results have fixes, which are not read"),
    ] {
        if count > 0 {
            form.lenient(format!("{count} {what}"));
        }
    }
    form.finish(Heading::default(), None)
}

/// A run's rules, and where each id stands among them.
struct Rules<'d> {
    list: &'d [Node],
    by_id: std::collections::HashMap<&'d str, usize>,
}

impl<'d> Rules<'d> {
    fn of(run: &'d Node) -> Self {
        let driver = value(run, "tool").and_then(|tool| value(tool, "driver"));
        let list = driver.and_then(|driver| value(driver, "rules")).map_or(&[][..], Node::items);
        let by_id = list.iter().enumerate().rev().filter_map(|(at, rule)| Some((text(rule, "id")?, at))).collect();
        Self { list, by_id }
    }

    /// By index, else by id; `a/b` is also a rule `a`.
    fn of_result(&self, document: &Document, result: &Node) -> Option<&'d Node> {
        let inner = value(result, "rule");
        let index = value(result, "ruleIndex").or_else(|| value(inner?, "index"));
        let index = index.and_then(|index| rule::line_or_zero(document, index));
        let id = text(result, "ruleId").or_else(|| text(inner?, "id"));
        let named = id.and_then(|id| self.by_id.get(id).or_else(|| self.by_id.get(id.rsplit_once('/')?.0)));
        index.and_then(|at| self.list.get(at as usize)).or_else(|| self.list.get(*named?))
    }
}

fn one<'d>(form: &mut Form<'d>, left: &mut Left, run: &'d Node, rules: &Rules<'d>, result: &'d Node, pointer: &str) {
    let document = form.reading.document();
    if !matches!(result.kind, Kind::Object(_)) {
        form.reading.wrong(pointer, result, Allowed::Object);
        return;
    }
    if matches!(text(result, "kind"), Some("pass" | "notApplicable")) {
        left.passed += 1;
        return;
    }
    left.fixes += usize::from(value(result, "fixes").is_some_and(|fixes| !fixes.items().is_empty()));
    let rule = rules.of_result(document, result);
    let id = text(result, "ruleId").or_else(|| text(rule?, "id"));
    let Some(message) = message(result, rule) else {
        let (node, at) = match value(result, "message") {
            Some(message) => (message, format!("{pointer}/message")),
            None => (result, pointer.to_owned()),
        };
        form.reading.fault(at, node.span().start..node.span().start + 1, Fault::NoMessage);
        return;
    };
    let mut body = Prose::default();
    body.title(id).paragraph(Some(&message));
    let body = body.finish();
    let severity = severity(form, result, rule, pointer);
    let rank = value(result, "rank").and_then(|rank| document.raw(rank).parse::<f64>().ok());
    let confidence = rank.and_then(|rank| Confidence::new(rank / 100.0));
    let suppressed = value(result, "suppressions")
        .is_some_and(|list| list.items().iter().any(|one| matches!(text(one, "status"), None | Some("accepted"))));
    let locations = value(result, "locations").map_or(&[][..], Node::items);
    let mut placed = false;
    for (at, location) in locations.iter().enumerate() {
        let physical = value(location, "physicalLocation");
        let Some(path) = physical.and_then(|p| value(p, "artifactLocation")).and_then(|a| path(document, run, a))
        else {
            continue;
        };
        placed = true;
        let pointer = format!("{pointer}/locations/{at}");
        if form.next() >= MAX_FINDINGS {
            if !left.beyond {
                let found = MAX_FINDINGS + 1;
                form.reading.fault(pointer, location.span(), Fault::TooMany { found, limit: MAX_FINDINGS });
                left.beyond = true;
            }
            return;
        }
        let allowed = rule::is_relative(&path) || rule::is_absolute(&path);
        if !allowed {
            form.reading.wrong(&*pointer, location, Allowed::Path);
            continue;
        }
        let region = physical.and_then(|physical| value(physical, "region"));
        let mut line = |field: &str| {
            let node = value(region?, field)?;
            let line = rule::line(document, node);
            if line.is_none() {
                let at = format!("{pointer}/physicalLocation/region/{field}");
                form.reading.wrong(at, node, Allowed::Line);
            }
            line
        };
        let (start, end) = (line("startLine"), line("endLine"));
        let state = if suppressed { State::Dismissed } else { State::Active };
        form.add(Draft {
            pointer,
            path: Some(path),
            start,
            end,
            severity: Some(severity),
            confidence,
            body: body.clone(),
            state,
            ..Draft::default()
        });
    }
    left.placeless += usize::from(!placed);
}

/// The result's own level, else its rule's, else `warning`, as the standard has it.
fn severity<'d>(form: &mut Form<'d>, result: &'d Node, rule: Option<&'d Node>, pointer: &str) -> Severity {
    let configured = || text(value(rule?, "defaultConfiguration")?, "level");
    let word = text(result, "level").or_else(configured).unwrap_or("warning");
    of_word(word).unwrap_or_else(|| {
        form.lenient(format!("{pointer}/level: the level {word:?} is read as medium"));
        Severity::Medium
    })
}

/// Markdown before plain text; a message by its id is the rule's; `{0}` is the first argument.
fn message(result: &Node, rule: Option<&Node>) -> Option<String> {
    let message = value(result, "message")?;
    let by_id = || value(value(rule?, "messageStrings")?, text(message, "id")?);
    let said = |node: &Node| text(node, "markdown").or_else(|| text(node, "text")).map(str::to_owned);
    let template = said(message).or_else(|| said(by_id()?))?;
    let arguments = value(message, "arguments").map_or(&[][..], Node::items);
    let mut whole = template;
    for (at, argument) in arguments.iter().enumerate() {
        if let Kind::Text(text) = &argument.kind {
            whole = whole.replace(&format!("{{{at}}}"), text);
        }
    }
    (!rule::is_blank(&whole)).then_some(whole)
}

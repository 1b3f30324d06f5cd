//! Claude Code's review: a list of findings with `file`, `line`, `summary` and `failure_scenario`, or an object
//! around it; Qwen Code's list has the same fields in camel case.

use super::form::{Draft, Form};
use super::prose::Prose;
use crate::review::document::Document;
use crate::review::finding::{Foreign, Heading, Review};
use crate::review::node::Kind;
use crate::review::problem::Allowed;
use crate::review::reading::{Object, Refused};

const DOCUMENT: [&str; 2] = ["level", "findings"];
const FINDING: [&str; 20] = [
    "id",
    "file",
    "line",
    "end_line",
    "severity",
    "confidence",
    "summary",
    "short_summary",
    "shortSummary",
    "failure_scenario",
    "failureScenario",
    "category",
    "verdict",
    "outcome",
    "source",
    "witness",
    "suggestedFix",
    "anchor",
    "locations",
    "recommendation",
];

pub(in crate::review) fn read(document: &Document) -> Result<Review, Refused> {
    let mut form = Form::new(document, Foreign::Claude);
    let (list, pointer) = match &document.root().kind {
        Kind::List(items) => (&items[..], document.base().to_owned()),
        _ => match form.reading.object(document.root(), document.base(), Allowed::Document, &DOCUMENT, None) {
            Some(top) => (form.list(&top, "findings"), top.pointer_to("findings")),
            None => (&[][..], String::new()),
        },
    };
    for object in form.objects(list, &pointer, &FINDING) {
        one(&mut form, &object);
    }
    form.finish(Heading::default(), None)
}

fn one<'d>(form: &mut Form<'d>, object: &Object<'d>) {
    let (confidence, word) = form.confidence(object, "confidence");
    let mut either = |one, other| form.text(object, one).or(form.text(object, other));
    let scenario = either("failure_scenario", "failureScenario");
    let advice = either("recommendation", "suggestedFix");
    let mut body = Prose::default();
    body.labelled("Confidence", word).paragraph(form.words(object, "summary"));
    body.labelled("Fails when", scenario).labelled("Seen at", form.text(object, "witness")).labelled("Do", advice);
    body.labelled("Verdict", form.text(object, "verdict"));
    let (severity, id) = (form.severity(object, "severity"), form.text(object, "id").map(str::to_owned));
    let snippet = form.text(object, "anchor").map(str::to_owned);
    let (text, pointer) = (body.finish(), object.pointer.clone());
    let places = form.list(object, "locations");
    if object.get("file").is_some() || places.is_empty() {
        let draft = Draft {
            pointer,
            id,
            path: form.path(object, "file"),
            start: form.line(object, "line"),
            end: form.line(object, "end_line"),
            severity,
            confidence,
            body: text,
            snippet,
            ..Draft::default()
        };
        form.add(draft);
        return;
    }
    for place in form.objects(places, &object.pointer_to("locations"), &["file", "line", "anchor"]) {
        let draft = Draft {
            pointer: place.pointer.clone(),
            id: id.clone(),
            path: form.path(&place, "file"),
            start: form.line(&place, "line"),
            severity,
            confidence,
            body: text.clone(),
            snippet: form.text(&place, "anchor").map(str::to_owned),
            ..Draft::default()
        };
        form.add(draft);
    }
}

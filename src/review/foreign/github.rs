//! GitHub's own review, as `gh api …/reviews --input` takes it, or the bare list of its comments.

use super::form::{Draft, Form};
use crate::review::defect::Defect;
use crate::review::document::Document;
use crate::review::finding::{Foreign, Heading, Review};
use crate::review::node::Kind;
use crate::review::problem::{Allowed, Fault};
use crate::review::reading::{Object, Refused};
use crate::review::rule;

const DOCUMENT: [&str; 4] = ["commit_id", "event", "body", "comments"];
const COMMENT: [&str; 13] = [
    "path",
    "body",
    "line",
    "side",
    "start_line",
    "start_side",
    "position",
    "commit_id",
    "subject_type",
    // As the tool of claude-code-action buffers its calls.
    "startLine",
    "confirmed",
    "owner",
    "repo",
];

pub(in crate::review) fn read(document: &Document) -> Result<Review, Refused> {
    let mut form = Form::new(document, Foreign::GitHub);
    let (mut heading, mut head) = (Heading::default(), None);
    let (list, pointer) = match &document.root().kind {
        Kind::List(items) => (&items[..], document.base().to_owned()),
        _ => match form.reading.object(document.root(), document.base(), Allowed::Document, &DOCUMENT, None) {
            Some(top) => {
                let commit = form.reading.field(&top, "commit_id", Allowed::Commit, rule::commit).ok();
                head = commit.map(|id| id.as_str().to_owned());
                heading.summary = form.text(&top, "body").filter(|text| !rule::is_blank(text)).map(str::to_owned);
                if let Some(event) = form.text(&top, "event").filter(|event| !event.eq_ignore_ascii_case("COMMENT")) {
                    let event = event.to_owned();
                    form.lenient(format!("the event {event:?} is not read: a review is only ever posted as a comment"));
                }
                (form.list(&top, "comments"), top.pointer_to("comments"))
            }
            None => (&[][..], String::new()),
        },
    };
    for object in form.objects(list, &pointer, &COMMENT) {
        one(&mut form, &object);
    }
    form.finish(heading, head)
}

fn one<'d>(form: &mut Form<'d>, object: &Object<'d>) {
    if let Some(position) = object.get("position").filter(|node| !matches!(node.kind, Kind::Null)) {
        form.reading.fault(object.pointer_to("position"), position.span(), Fault::DiffPosition);
    }
    let line = form.line(object, "line");
    let start = form.line(object, "start_line").or(form.line(object, "startLine"));
    let side = form.reading.field(object, "side", Allowed::Side, rule::side).ok();
    let start_side = form.reading.field(object, "start_side", Allowed::Side, rule::side).ok();
    let across = start.is_some() && start_side.is_some_and(|start| start != side.unwrap_or(start));
    let defect = across.then_some(Defect::TwoSides);
    let draft = Draft {
        pointer: object.pointer.clone(),
        path: form.path(object, "path"),
        side,
        start: start.or(line),
        end: line,
        body: form.words(object, "body").unwrap_or_default().to_owned(),
        defect,
        ..Draft::default()
    };
    form.add(draft);
}

//! reviewdog's diagnostics, in one document (`rdjson`) or a line each (`rdjsonl`).

use super::form::{Draft, Form};
use super::prose::Prose;
use super::severity::of_word;
use crate::review::document::Document;
use crate::review::finding::{Foreign, Heading, Review, Severity};
use crate::review::node::Kind;
use crate::review::problem::Allowed;
use crate::review::reading::{Object, Refused};
use crate::review::rule;

const DOCUMENT: [&str; 3] = ["source", "severity", "diagnostics"];
const DIAGNOSTIC: [&str; 8] =
    ["message", "location", "severity", "source", "code", "suggestions", "original_output", "related_locations"];

pub(in crate::review) fn read(document: &Document) -> Result<Review, Refused> {
    let mut form = Form::new(document, Foreign::RdJson);
    if let Some(top) = form.reading.object(document.root(), document.base(), Allowed::Object, &DOCUMENT, None) {
        let all = severity(&mut form, &top);
        let list = form.list(&top, "diagnostics");
        let objects = form.objects(list, &top.pointer_to("diagnostics"), &DIAGNOSTIC);
        each(&mut form, objects, all);
    }
    form.finish(Heading::default(), None)
}

pub(in crate::review) fn read_lines(document: &Document) -> Result<Review, Refused> {
    let mut form = Form::new(document, Foreign::RdJsonLines);
    let root = document.root();
    let objects = match &root.kind {
        Kind::List(items) => form.objects(items, document.base(), &DIAGNOSTIC),
        // A single line is the document itself.
        _ => form.reading.object(root, document.base(), Allowed::Object, &DIAGNOSTIC, Some(0)).into_iter().collect(),
    };
    each(&mut form, objects, None);
    form.finish(Heading::default(), None)
}

/// `UNKNOWN_SEVERITY`, its number 0 and nothing at all are none; 1 to 3 are error, warning, info.
fn severity<'d>(form: &mut Form<'d>, object: &Object<'d>) -> Option<Severity> {
    let node = object.get("severity")?;
    if let Some(number) = rule::line_or_zero(form.reading.document(), node).filter(|number| *number < 4) {
        return ["", "error", "warning", "info"].get(number as usize).and_then(|word| of_word(word));
    }
    let unknown = rule::text(form.reading.document(), node) == Some("UNKNOWN_SEVERITY");
    if unknown { None } else { form.severity(object, "severity") }
}

fn each<'d>(form: &mut Form<'d>, objects: Vec<Object<'d>>, all: Option<Severity>) {
    for object in objects {
        let severity = severity(form, &object).or(all);
        let code = form.inner(&object, "code", &["value", "url"]);
        let code = code.and_then(|code| form.text(&code, "value"));
        let mut body = Prose::default();
        body.title(code).paragraph(form.words(&object, "message"));
        let suggestions = form.list(&object, "suggestions");
        for suggestion in form.objects(suggestions, &object.pointer_to("suggestions"), &["range", "text"]) {
            body.code("Suggested", form.text(&suggestion, "text"));
        }
        let mut draft = Draft { pointer: object.pointer.clone(), severity, body: body.finish(), ..Draft::default() };
        match form.inner(&object, "location", &["path", "range"]) {
            Some(location) => {
                draft.path = form.path(&location, "path");
                if let Some(range) = form.inner(&location, "range", &["start", "end"]) {
                    (draft.start, draft.end) = lines(form, &range);
                }
            }
            None => form.reading.missing(&object, "location", Allowed::Object),
        }
        form.add(draft);
    }
}

/// The end is exclusive by its column: at column 1 the line before is the last one.
fn lines<'d>(form: &mut Form<'d>, range: &Object<'d>) -> (Option<u32>, Option<u32>) {
    let start = form.inner(range, "start", &["line", "column"]);
    let start = start.and_then(|start| form.line(&start, "line"));
    let end = form.inner(range, "end", &["line", "column"]).and_then(|end| {
        let (line, column) = (form.line(&end, "line"), form.line(&end, "column"));
        line.map(|line| if column == Some(1) && start.is_some_and(|start| start < line) { line - 1 } else { line })
    });
    (start, end)
}

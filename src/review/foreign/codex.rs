//! Codex's review: `findings[]` with a `code_location`, as `codex exec --output-schema` gives it.

use super::form::{Draft, Form};
use super::prose::Prose;
use super::severity::of_word;
use crate::review::document::Document;
use crate::review::finding::{Foreign, Heading, Review};
use crate::review::problem::Allowed;
use crate::review::reading::{Object, Refused};
use crate::review::rule;

const DOCUMENT: [&str; 4] = ["findings", "overall_correctness", "overall_explanation", "overall_confidence_score"];
const FINDING: [&str; 5] = ["title", "body", "confidence_score", "priority", "code_location"];

pub(in crate::review) fn read(document: &Document) -> Result<Review, Refused> {
    let mut form = Form::new(document, Foreign::Codex);
    let mut heading = Heading::default();
    if let Some(top) = form.reading.object(document.root(), document.base(), Allowed::Document, &DOCUMENT, None) {
        let mut summary = Prose::default();
        summary.title(form.text(&top, "overall_correctness")).paragraph(form.text(&top, "overall_explanation"));
        heading.summary = Some(summary.finish()).filter(|text| !text.is_empty());
        let list = form.list(&top, "findings");
        for object in form.objects(list, &top.pointer_to("findings"), &FINDING) {
            one(&mut form, &object);
        }
    }
    form.finish(heading, None)
}

fn one<'d>(form: &mut Form<'d>, object: &Object<'d>) {
    let title = form.text(object, "title");
    let (tag, title) = title.map_or((None, None), |title| tagged(title));
    let severity = form.severity(object, "priority").or_else(|| tag.and_then(of_word));
    let (confidence, _) = form.confidence(object, "confidence_score");
    let mut body = Prose::default();
    body.title(title).paragraph(form.words(object, "body"));
    let mut draft = Draft {
        pointer: object.pointer.clone(),
        id: Some((form.next() + 1).to_string()),
        severity,
        confidence,
        body: body.finish(),
        ..Draft::default()
    };
    match form.inner(object, "code_location", &["absolute_file_path", "line_range"]) {
        Some(location) => {
            draft.path = form.path(&location, "absolute_file_path");
            if let Some(range) = form.inner(&location, "line_range", &["start", "end"]) {
                (draft.start, draft.end) = (form.line(&range, "start"), form.line(&range, "end"));
            }
        }
        None => form.reading.missing(object, "code_location", Allowed::Object),
    }
    form.add(draft);
}

/// `[P1] Title` in two.
fn tagged(title: &str) -> (Option<&str>, Option<&str>) {
    let tag = title.trim_start().strip_prefix('[').and_then(|rest| rest.split_once(']'));
    match tag.filter(|(tag, _)| of_word(tag).is_some() && !rule::is_blank(tag)) {
        Some((tag, rest)) => (Some(tag), Some(rest.trim_start())),
        None => (None, Some(title)),
    }
}

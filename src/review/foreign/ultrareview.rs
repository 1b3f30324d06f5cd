//! The payload of Claude Code's review in the cloud.

use super::form::{Draft, Form};
use super::prose::Prose;
use crate::review::document::Document;
use crate::review::finding::{Foreign, Heading, Review};
use crate::review::problem::Allowed;
use crate::review::reading::Refused;

const DOCUMENT: [&str; 5] = ["repository", "pr_number", "run_id", "findings", "omitted_findings"];
const FINDING: [&str; 5] = ["file_path", "start_line", "end_line", "severity", "pr_comment"];

pub(in crate::review) fn read(document: &Document) -> Result<Review, Refused> {
    let mut form = Form::new(document, Foreign::Ultrareview);
    if let Some(top) = form.reading.object(document.root(), document.base(), Allowed::Document, &DOCUMENT, None) {
        let omitted = form.list(&top, "omitted_findings").len();
        if omitted > 0 {
            form.lenient(format!("{omitted} findings that the reviewer itself left out are not read"));
        }
        let list = form.list(&top, "findings");
        for object in form.objects(list, &top.pointer_to("findings"), &FINDING) {
            let mut body = Prose::default();
            body.paragraph(form.words(&object, "pr_comment"));
            let draft = Draft {
                pointer: object.pointer.clone(),
                path: form.path(&object, "file_path"),
                start: form.line(&object, "start_line"),
                end: form.line(&object, "end_line"),
                severity: form.severity(&object, "severity"),
                body: body.finish(),
                ..Draft::default()
            };
            form.add(draft);
        }
    }
    form.finish(Heading::default(), None)
}

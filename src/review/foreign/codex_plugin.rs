//! The review plugin for Codex: `adversarial-review --json`.

use super::form::{Draft, Form};
use super::prose::Prose;
use crate::review::document::Document;
use crate::review::finding::{Foreign, Heading, Review};
use crate::review::problem::Allowed;
use crate::review::reading::Refused;

const DOCUMENT: [&str; 4] = ["verdict", "summary", "findings", "next_steps"];
const FINDING: [&str; 8] =
    ["severity", "title", "body", "file", "line_start", "line_end", "confidence", "recommendation"];

pub(in crate::review) fn read(document: &Document) -> Result<Review, Refused> {
    let mut form = Form::new(document, Foreign::CodexPlugin);
    let mut heading = Heading::default();
    if let Some(top) = form.reading.object(document.root(), document.base(), Allowed::Document, &DOCUMENT, None) {
        let mut summary = Prose::default();
        summary.labelled("Verdict", form.text(&top, "verdict")).paragraph(form.text(&top, "summary"));
        let steps = form.list(&top, "next_steps");
        let steps = form.reading.texts(steps, &top.pointer_to("next_steps"));
        let steps = steps.iter().map(|step| format!("- {step}")).collect::<Vec<_>>().join("\n");
        summary.paragraph(Some(&steps));
        heading.summary = Some(summary.finish()).filter(|text| !text.is_empty());
        let list = form.list(&top, "findings");
        for object in form.objects(list, &top.pointer_to("findings"), &FINDING) {
            let (confidence, word) = form.confidence(&object, "confidence");
            let mut body = Prose::default();
            body.labelled("Confidence", word).title(form.text(&object, "title"));
            body.paragraph(form.words(&object, "body")).labelled("Do", form.text(&object, "recommendation"));
            let draft = Draft {
                pointer: object.pointer.clone(),
                path: form.path(&object, "file"),
                start: form.line(&object, "line_start"),
                end: form.line(&object, "line_end"),
                severity: form.severity(&object, "severity"),
                confidence,
                body: body.finish(),
                ..Draft::default()
            };
            form.add(draft);
        }
    }
    form.finish(heading, None)
}

//! The security review of Claude Code: an object with `findings` and `analysis_summary`; its plugin writes the
//! findings a line each.

use super::form::{Draft, Form};
use super::prose::Prose;
use crate::review::document::Document;
use crate::review::finding::{Foreign, Heading, Review};
use crate::review::node::Kind;
use crate::review::problem::Allowed;
use crate::review::reading::Refused;
use crate::review::rule;

const DOCUMENT: [&str; 2] = ["findings", "analysis_summary"];
const FINDING: [&str; 15] = [
    "id",
    "title",
    "impact",
    "file",
    "line",
    "severity",
    "category",
    "description",
    "exploit_scenario",
    "preconditions",
    "recommendation",
    "confidence",
    "cwe_id",
    "snippet",
    "symbol",
];

pub(in crate::review) fn read(document: &Document) -> Result<Review, Refused> {
    let mut form = Form::new(document, Foreign::Security);
    let mut heading = Heading::default();
    let (list, pointer) = match &document.root().kind {
        Kind::List(items) => (&items[..], document.base().to_owned()),
        _ => match form.reading.object(document.root(), document.base(), Allowed::Document, &DOCUMENT, None) {
            Some(top) => {
                // Its own poster counts in an object there; a text is for people.
                let summary = top.get("analysis_summary").and_then(|node| rule::text(document, node));
                heading.summary = summary.map(str::to_owned);
                (form.list(&top, "findings"), top.pointer_to("findings"))
            }
            None => (&[][..], String::new()),
        },
    };
    for object in form.objects(list, &pointer, &FINDING) {
        let (confidence, word) = form.confidence(&object, "confidence");
        let conditions = form.list(&object, "preconditions");
        let conditions = form.reading.texts(conditions, &object.pointer_to("preconditions")).join("; ");
        let mut body = Prose::default();
        body.labelled("Confidence", word).title(form.text(&object, "title"));
        body.paragraph(form.words(&object, "description"));
        body.labelled("Impact", form.text(&object, "impact"));
        body.labelled("Exploited by", form.text(&object, "exploit_scenario"));
        body.labelled("If", Some(&conditions)).labelled("Do", form.text(&object, "recommendation"));
        body.labelled("Category", form.text(&object, "category")).labelled("CWE", form.text(&object, "cwe_id"));
        let draft = Draft {
            pointer: object.pointer.clone(),
            id: form.text(&object, "id").map(str::to_owned),
            path: form.path(&object, "file"),
            start: form.line(&object, "line"),
            severity: form.severity(&object, "severity"),
            confidence,
            body: body.finish(),
            snippet: form.text(&object, "snippet").map(str::to_owned),
            ..Draft::default()
        };
        form.add(draft);
    }
    form.finish(heading, None)
}

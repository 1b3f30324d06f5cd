//! A finding's numbers in its file, replaced by those of another place of the same length.

use super::document::Document;
use super::edit::{Edits, Nowhere};
use super::finding::{Finding, Format, LineRange};
use super::node::Kind;

/// Writes the range into the fields that the finding has its numbers in: `line` or `start_line`, and
/// `end_line` where it is written. Nothing is added, since a range keeps its length.
///
/// # Errors
///
/// Where the document is not the finding's.
pub fn renumber(
    edits: &mut Edits<'_>,
    document: &Document,
    format: Format,
    finding: &Finding,
    range: LineRange,
) -> Result<(), Nowhere> {
    let at = &*finding.pointer;
    let node = document.node(at).ok_or_else(|| Nowhere(at.to_owned()))?;
    let stands = |field: &str| node.get(field).is_some_and(|member| !matches!(member.value.kind, Kind::Null));
    if format == Format::Dai && stands("line") && stands("start_line") && !stands("end_line") {
        // GitHub's own pair.
        edits.set(at, "start_line", range.start)?;
        edits.set(at, "line", range.end)?;
        return Ok(());
    }
    let starts: &[&str] = match format {
        Format::Dai => &["line", "start_line"],
        Format::Exchange => &["start_line"],
        Format::Orchestra => &["line"],
        Format::Foreign(_) => return Err(Nowhere(at.to_owned())),
    };
    for field in starts.iter().filter(|field| stands(field)) {
        edits.set(at, field, range.start)?;
    }
    // An exchange's 0, and its null, mean the start, and still do.
    let end = node.get("end_line").filter(|end| !matches!(document.raw(&end.value), "0" | "null"));
    if format != Format::Orchestra && end.is_some() {
        edits.set(at, "end_line", range.end)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::review::{Edits, LineRange, read, renumber};

    #[test]
    fn only_the_numbers_change_in_every_format() {
        let orchestra =
            r#"{ "findings": [{"id":"f1","severity":"minor","file":"a","line": 3,"claim":"c","evidence":"e"}] }"#;
        let exchange = |numbers: &str| {
            format!(r#"{{"leanreview_review":1,"patch":["+x"],"comments":[{{"path":"a",{numbers},"body":"b"}}]}}"#)
        };
        let dai = |numbers: &str| {
            format!("{{\"findings\": [\n {{\"path\": \"a\", {numbers}, \"severity\": \"low\", \"body\": \"b\"}}\n]}}")
        };
        for (text, range, expected) in [
            (orchestra.to_owned(), (7, 7), orchestra.replace('3', "7")),
            (dai("\"line\": 3"), (7, 7), dai("\"line\": 7")),
            (dai("\"start_line\":  3"), (7, 7), dai("\"start_line\":  7")),
            (dai("\"end_line\": 4, \"line\": 3"), (7, 8), dai("\"end_line\": 8, \"line\": 7")),
            (dai("\"line\": 3, \"start_line\": 3"), (7, 7), dai("\"line\": 7, \"start_line\": 7")),
            (exchange("\"start_line\":3,\"end_line\":0"), (7, 7), exchange("\"start_line\":7,\"end_line\":0")),
            (exchange("\"start_line\":3,\"end_line\":null"), (7, 7), exchange("\"start_line\":7,\"end_line\":null")),
            (exchange("\"start_line\":3,\"end_line\":5"), (7, 9), exchange("\"start_line\":7,\"end_line\":9")),
        ] {
            let (review, document) = read(text.as_bytes(), "f").unwrap();
            let mut edits = Edits::of(&document);
            let range = LineRange::new(range.0, range.1);
            renumber(&mut edits, &document, review.format, &review.findings[0], range).unwrap();
            let after = edits.apply();
            assert_eq!(after, expected);
            assert_eq!(read(after.as_bytes(), "f").unwrap().0.findings[0].place.unwrap().range, range);
        }
    }
}

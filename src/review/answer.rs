//! A person's answer to a finding, as changes to the file: each format as far as it can hold it.

use serde_json::Value;

use super::document::Document;
use super::edit::{Edits, Nowhere};
use super::finding::{Finding, Format, Place, Severity, Side, State};
use super::node::Kind;
use super::{exchange, orchestra, renumber};

/// What a person says of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer<'a> {
    /// It is rejected: it stays in the file and is never posted.
    Dismiss,
    Severity(Severity),
    /// Another text, Markdown.
    Text(&'a str),
    /// Another place.
    Move {
        path: &'a str,
        place: Place,
    },
}

/// Why a format cannot hold an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unheld {
    #[error(
        "Orchestra's format has on purpose no word for a dismissed finding: `dai review convert FILE --to dai -o OTHER` gives a file that has"
    )]
    NoDismissal,
    #[error("an exchange has no severities: `dai review convert FILE --to dai -o OTHER` gives a file that has")]
    NoSeverity,
    #[error("Orchestra's format has the new image only, and this place is on LEFT")]
    NoLeft,
    #[error("Orchestra's format has single lines only, and this place is a range")]
    NoRange,
    #[error("Orchestra's format wants a claim and its evidence, one line each, with an empty line between")]
    NotTwoLines,
    #[error("the {field} has {bytes} bytes, and Orchestra's format allows {limit}")]
    TooLong { field: &'static str, bytes: usize, limit: usize },
    #[error(
        "a file of another reviewer's format is not written to: `dai review convert FILE --to dai -o OTHER` gives one that is"
    )]
    Foreign,
    #[error("a finding needs a text")]
    Blank,
    #[error(transparent)]
    Nowhere(#[from] Nowhere),
}

impl Format {
    /// Whether its findings can be dismissed.
    pub fn has_dismissal(self) -> bool {
        matches!(self, Format::Dai | Format::Exchange)
    }

    /// Whether its findings have severities.
    pub fn has_severity(self) -> bool {
        matches!(self, Format::Dai | Format::Orchestra)
    }
}

/// The changes to the document that an answer to one of its findings makes.
pub fn answered<'d>(
    document: &'d Document,
    format: Format,
    finding: &Finding,
    answer: Answer<'_>,
) -> Result<Edits<'d>, Unheld> {
    let mut edits = Edits::of(document);
    let at = &*finding.pointer;
    match (answer, format) {
        (_, Format::Foreign(_)) => return Err(Unheld::Foreign),
        (Answer::Dismiss, Format::Orchestra) => return Err(Unheld::NoDismissal),
        (Answer::Dismiss, _) => put(&mut edits, format, at, "state", State::Dismissed.as_str())?,
        (Answer::Severity(_), Format::Exchange) => return Err(Unheld::NoSeverity),
        (Answer::Severity(severity), Format::Orchestra) => edits.set(at, "severity", orchestra::word(severity))?,
        (Answer::Severity(severity), Format::Dai) => {
            if finding.severity != Some(severity) {
                edits.set(at, "severity", severity.as_str())?;
            }
        }
        (Answer::Text(text), _) => write(&mut edits, format, at, text)?,
        (Answer::Move { path, place }, _) => carry(&mut edits, document, format, finding, (path, place))?,
    }
    Ok(edits)
}

/// A field that the finding may not have yet goes where the format's own writer has it.
fn put(
    edits: &mut Edits<'_>,
    format: Format,
    at: &str,
    field: &'static str,
    value: impl Into<Value>,
) -> Result<(), Nowhere> {
    match format {
        Format::Exchange => edits.set_after(at, field, value, exchange::before(field)),
        Format::Dai | Format::Orchestra | Format::Foreign(_) => edits.set(at, field, value),
    }
}

fn write(edits: &mut Edits<'_>, format: Format, at: &str, text: &str) -> Result<(), Unheld> {
    let text = text.trim_end_matches(['\n', '\r']);
    if super::rule::is_blank(text) {
        return Err(Unheld::Blank);
    }
    if format != Format::Orchestra {
        return Ok(edits.set(at, "body", text)?);
    }
    let (claim, evidence) = text.split_once("\n\n").ok_or(Unheld::NotTwoLines)?;
    for (field, text) in [("claim", claim), ("evidence", evidence)] {
        if super::rule::is_blank(text) || !orchestra::is_one_line(text) {
            return Err(Unheld::NotTwoLines);
        }
        if text.len() > orchestra::MAX_FIELD {
            return Err(Unheld::TooLong { field, bytes: text.len(), limit: orchestra::MAX_FIELD });
        }
        edits.set(at, field, text)?;
    }
    Ok(())
}

/// Only what differs is written: a field that is absent and whose default is right stays absent.
fn carry(
    edits: &mut Edits<'_>,
    document: &Document,
    format: Format,
    finding: &Finding,
    (path, place): (&str, Place),
) -> Result<(), Unheld> {
    let at = &*finding.pointer;
    let value = |field: &str| Some(&document.node(at)?.get(field)?.value.kind);
    let has = |field: &str| value(field).is_some_and(|kind| !matches!(kind, Kind::Null));
    let Place { side, range } = place;
    if path != finding.path {
        edits.set(at, if format == Format::Orchestra { "file" } else { "path" }, path)?;
    }
    if format == Format::Orchestra {
        return match side {
            Side::Left => Err(Unheld::NoLeft),
            Side::Right if !range.is_single() => Err(Unheld::NoRange),
            Side::Right => Ok(renumber(edits, document, format, finding, range)?),
        };
    }
    renumber(edits, document, format, finding, range)?;
    let pair = format == Format::Dai && has("line") && has("start_line");
    if !pair && !has("end_line") && !range.is_single() {
        put(edits, format, at, "end_line", range.end)?;
    }
    if finding.place.map_or(Side::Right, |place| place.side) != side {
        put(edits, format, at, "side", side.as_str())?;
    }
    // A person has looked where it stands, which is what the other states wait for.
    if has("state") && matches!(finding.state, State::Orphaned | State::Stale) {
        edits.set(at, "state", State::Active.as_str())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::{LineRange, read};

    /// The file after an answer to its first finding, which must read as a review again.
    fn after(text: &str, answer: Answer<'_>) -> Result<String, Unheld> {
        let (review, document) = read(text.as_bytes(), "f").unwrap();
        let new = answered(&document, review.format, &review.findings[0], answer)?.apply();
        read(new.as_bytes(), "f").unwrap();
        Ok(new)
    }

    fn to(path: &str, side: Side, start: u32, end: u32) -> Answer<'_> {
        Answer::Move { path, place: Place { side, range: LineRange::new(start, end) } }
    }

    const DAI: &str =
        "{\"findings\": [\n  {\"path\": \"a\", \"line\": 3, \"severity\": \"High\",\n   \"body\": \"b\"}]}";
    const ORCHESTRA: &str =
        r#"{ "findings": [{"id":"f1","severity":"minor","file":"a","line":3,"claim":"c","evidence":"e"}] }"#;
    const EXCHANGE: &str = r#"{"leanreview_review": 1, "patch": ["--- a/a", "+++ b/a", "@@ -1,2 +1 @@", "-x", " y"],
      "comments": [{"path": "a", "start_line": 9, "body": "b", "state": "orphaned"}]}"#;

    #[test]
    fn an_answer_changes_the_bytes_of_its_values_and_no_other() {
        let layout = "\",\n   \"state\": \"dismissed\"}";
        assert_eq!(after(DAI, Answer::Dismiss).unwrap(), DAI.replace("\"}", layout));
        assert_eq!(after(DAI, Answer::Severity(Severity::Low)).unwrap(), DAI.replace("High", "low"));
        assert_eq!(after(DAI, Answer::Severity(Severity::High)).unwrap(), DAI, "it is high already");
        assert_eq!(after(DAI, Answer::Text("new\n\nlines\n")).unwrap(), DAI.replace("\"b\"", r#""new\n\nlines""#));
        assert_eq!(after(DAI, to("a", Side::Right, 7, 7)).unwrap(), DAI.replace('3', "7"));
        let moved = DAI.replace("\"a\"", "\"b\"").replace('3', "7");
        let layout = "\",\n   \"end_line\": 8,\n   \"side\": \"LEFT\"}";
        assert_eq!(after(DAI, to("b", Side::Left, 7, 8)).unwrap(), moved.replace("\"}", layout));
        let both = r#"{"findings": [{"path": "a", "line": 3, "start_line": 3, "severity": "low", "body": "b"}]}"#;
        assert_eq!(after(both, to("a", Side::Right, 7, 7)).unwrap(), both.replace('3', "7"));
    }

    #[test]
    fn orchestras_format_holds_what_it_has_words_for() {
        assert_eq!(after(ORCHESTRA, Answer::Dismiss), Err(Unheld::NoDismissal));
        let graver = after(ORCHESTRA, Answer::Severity(Severity::High)).unwrap();
        assert_eq!(graver, ORCHESTRA.replace("minor", "blocker"));
        assert_eq!(after(ORCHESTRA, to("a", Side::Right, 7, 7)).unwrap(), ORCHESTRA.replace('3', "7"));
        assert_eq!(after(ORCHESTRA, to("a", Side::Left, 7, 7)), Err(Unheld::NoLeft));
        assert_eq!(after(ORCHESTRA, to("a", Side::Right, 7, 8)), Err(Unheld::NoRange));
        let new = after(ORCHESTRA, Answer::Text("new claim\n\nnew evidence\n")).unwrap();
        assert_eq!(new, ORCHESTRA.replace("\"c\"", "\"new claim\"").replace("\"e\"", "\"new evidence\""));
        assert!(after(ORCHESTRA, Answer::Text("a\tb\n\n\tif x {")).is_ok(), "a tab ends no line");
        for text in ["one line", "a\n\nb\n\nc", "a\nb\n\nc", "\n\nb", "a\n\n ", "a\n\nb\u{b}c"] {
            assert_eq!(after(ORCHESTRA, Answer::Text(text)), Err(Unheld::NotTwoLines), "{text:?}");
        }
    }

    #[test]
    fn the_bound_of_a_field_is_500_bytes_to_the_byte() {
        for (text, bytes) in [("a".repeat(500), 500), ("é".repeat(250), 500)] {
            assert!(after(ORCHESTRA, Answer::Text(&format!("{text}\n\ne"))).is_ok(), "{bytes}");
        }
        for text in ["a".repeat(501), format!("{}a", "é".repeat(250))] {
            let refused = Unheld::TooLong { field: "evidence", bytes: 501, limit: 500 };
            assert_eq!(after(ORCHESTRA, Answer::Text(&format!("c\n\n{text}"))), Err(refused));
        }
    }

    #[test]
    fn an_exchange_holds_what_it_has_words_for_and_a_person_revives_an_orphan() {
        assert_eq!(after(EXCHANGE, Answer::Severity(Severity::High)), Err(Unheld::NoSeverity));
        assert_eq!(after(EXCHANGE, Answer::Dismiss).unwrap(), EXCHANGE.replace("orphaned", "dismissed"));
        let moved = EXCHANGE.replace('9', "1").replace("orphaned", "active");
        assert_eq!(after(EXCHANGE, to("a", Side::Right, 1, 1)).unwrap(), moved);
    }

    #[test]
    fn what_is_null_in_an_exchange_is_absent() {
        let text = r#"{"leanreview_review":1,"patch":["+x"],"comments":[{"path":"a","start_line":3,"end_line":null,"body":"b","state":null}]}"#;
        assert_eq!(after(text, to("a", Side::Right, 7, 7)).unwrap(), text.replace('3', "7"));
        let range = text.replace('3', "7").replacen("null", "8", 1);
        assert_eq!(after(text, to("a", Side::Right, 7, 8)).unwrap(), range);
        let dismissed = text.replace(r#""state":null"#, r#""state":"dismissed""#);
        assert_eq!(after(text, Answer::Dismiss).unwrap(), dismissed);
    }

    #[test]
    fn a_canonical_exchange_stays_one_whatever_is_answered() {
        let comment = "{\n      \"path\": \"a\",\n      \"start_line\": 1,\n      \"body\": \"b\",\n      \"at\": \"2026\"\n    }";
        let text = format!(
            "{{\n  \"leanreview_review\": 1,\n  \"patch\": [\n    \"+++\"\n  ],\n  \"comments\": [\n    {comment}\n  ]\n}}\n"
        );
        let canonical = |text: &str| {
            let document = Document::parse(crate::review::Source::new("f", text)).unwrap();
            exchange::read(&document).unwrap().0.write()
        };
        assert_eq!(canonical(&text), text);
        for answer in [Answer::Dismiss, to("a", Side::Left, 1, 2)] {
            let new = after(&text, answer).unwrap();
            assert_eq!(canonical(&new), new);
        }
    }

    #[test]
    fn a_text_of_nothing_is_none() {
        for text in ["", "\n", " \n\u{feff}"] {
            assert_eq!(after(DAI, Answer::Text(text)), Err(Unheld::Blank), "{text:?}");
        }
    }
}

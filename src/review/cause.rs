//! Why a text is no JSON, where one of the usual causes shows.

/// What models and people usually do wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// A backslash that begins no escape.
    Backslash,
    /// A quote that ends a text too early.
    BareQuote,
    Comment,
    OtherQuotes,
    /// Words before the document.
    TextBefore,
    /// Words, or a second document, after it.
    TextAfter,
    FenceMark,
    MissingComma,
    CutShort,
    ControlCharacter,
}

/// `before` ends where the parser stopped at `found`; `after` begins there.
pub(super) fn cause(detail: &str, before: &str, after: &str) -> Option<Cause> {
    let found = after.chars().next();
    let closed = before.trim_end().ends_with('"') && !before.trim_end().ends_with("\\\"");
    let separator = detail.starts_with("expected `,`") || detail.starts_with("expected `:`");
    match found {
        _ if detail.starts_with("EOF") => Some(Cause::CutShort),
        _ if detail.starts_with("control character") => Some(Cause::ControlCharacter),
        _ if detail.starts_with("invalid escape") => Some(Cause::Backslash),
        Some('/' | '#') if !detail.starts_with("trailing") => Some(Cause::Comment),
        Some('`' | '~') => Some(Cause::FenceMark),
        _ if detail.starts_with("trailing characters") => Some(Cause::TextAfter),
        Some('\'' | '“' | '”' | '„' | '‘' | '’') => Some(Cause::OtherQuotes),
        Some(c) if before.trim().is_empty() && !matches!(c, '{' | '[') && after.contains(['{', '[']) => {
            Some(Cause::TextBefore)
        }
        Some('"' | '{' | '[') if separator => Some(Cause::MissingComma),
        Some(_) if separator && closed => Some(Cause::BareQuote),
        _ => None,
    }
}

impl Cause {
    pub fn help(self) -> &'static str {
        match self {
            Cause::Backslash => "write a backslash in a text twice: \\\\",
            Cause::BareQuote => "the text ended at the quote before this: write a quote inside a text as \\\"",
            Cause::Comment => "JSON has no comments: take it away",
            Cause::OtherQuotes => "JSON texts and keys stand in straight double quotes",
            Cause::TextBefore => "there is text before the JSON document: the file must be that document alone",
            Cause::TextAfter => "there is text after the JSON document: the file must be that document alone",
            Cause::FenceMark => "the file must be one JSON document, or one Markdown fence around it",
            Cause::MissingComma => "a comma is missing before this, or the quote before it ended a text too early",
            Cause::CutShort => "the file ends too early: was it cut short?",
            Cause::ControlCharacter => "write a line break in a text as \\n, a tab as \\t",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Cause::{self, *};
    use crate::review::{Document, Fault, Source};

    #[test]
    fn the_usual_causes_are_named() {
        for (text, expected) in [
            (r#"{"a": "C:\dir"}"#, Some(Backslash)),
            (r#"{"a": "say "hello" to"}"#, Some(BareQuote)),
            (r#"["a "b" c"]"#, Some(BareQuote)),
            ("{\"a\": 1 // one\n}", Some(Comment)),
            ("{ # one\n\"a\": 1}", Some(Comment)),
            ("{'a': 1}", Some(OtherQuotes)),
            ("Here it is: {\"a\": 1}", Some(TextBefore)),
            ("Here it is:\n```json\n{}\n```", Some(TextBefore)),
            ("{\"a\": 1}\nThat is all.", Some(TextAfter)),
            ("{\"a\": 1}\n```", Some(FenceMark)),
            ("{\"a\": 1 \"b\": 2}", Some(MissingComma)),
            ("{\"a\": \"b", Some(CutShort)),
            ("{\"a\": \"b\nc\"}", Some(ControlCharacter)),
            ("{\"a\": NaN}", None),
        ] {
            let refused = Document::parse(Source::new("f", text)).unwrap_err();
            let Fault::Syntax { cause, .. } = refused.1.fault else { panic!("{text}: {:?}", refused.1) };
            assert_eq!(cause, expected as Option<Cause>, "{text}");
        }
    }
}

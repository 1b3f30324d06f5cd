//! The last look at a whole text: once more over what was put together, and once before it is sent.

use thiserror::Error;

use super::super::marker::Marker;
use super::change::apply;
use super::commands::{self, What};
use super::edit::{Clean, Tally};
use super::layout::Layout;
use super::proof::{Acting, Fault};
use super::{controls, fence, proof};
use crate::text::Dialect;

/// What is wrong with a text that was about to be sent. It means a fault of this program.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Alarm {
    #[error("line {line} of a text to be posted begins like a command: nothing was sent; please report this")]
    Command { line: usize },
    #[error("line {line} of a text to be posted opens a quote block: nothing was sent; please report this")]
    Quote { line: usize },
    #[error("a text to be posted holds the control character U+{code:04X}: nothing was sent; please report this")]
    Control { code: u32 },
    #[error("a text to be posted does not end with its marker: nothing was sent; please report this")]
    NoMarker,
    #[error("line {line} of a text to be posted imitates the marker: nothing was sent; please report this")]
    SecondMarker { line: usize },
    #[error("the marker of a text to be posted would be shown as code: nothing was sent; please report this")]
    MarkerInCode,
    #[error("line {line} of a text to be posted holds {what} that would act: nothing was sent; please report this")]
    Acts { line: usize, what: Acting },
    #[error(
        "a text to be posted does not end with its line for readers and its marker: nothing was sent; please report this"
    )]
    Foot,
    #[error("a fold of a text to be posted is not closed: nothing was sent; please report this")]
    Fold,
}

/// Settles a text that was put together from neutralised parts.
///
/// Each part is safe alone, but GitLab's view of fences goes across parts: one that begins in a part
/// and ends there only for CommonMark eats the opening of the next part's.
pub(crate) fn whole(text: &str, dialect: Dialect) -> Clean {
    if !commands::might_be(text) {
        return Clean { text: text.to_owned(), edits: Vec::new() };
    }
    let layout = Layout::of(text, dialect);
    let fences = fence::protecting(text, &layout);
    let mut tally = Tally::default();
    let changes = commands::find(text, &layout, &fences, dialect).map(|hit| hit.change(text)).collect();
    let settled = apply(text, changes, &mut tally);
    tally.clean(settled)
}

/// Holds a text that is about to be sent against the rules once more.
///
/// # Errors
///
/// Any [`Alarm`] means that the text must not be sent.
pub fn assert_inert(text: &str, dialect: Dialect) -> Result<(), Alarm> {
    if let Some(control) = text.chars().find(|c| controls::is_stripped(*c)) {
        return Err(Alarm::Control { code: control.into() });
    }
    let last = text.rfind('\n').map_or(0, |at| at + 1);
    if Marker::of_line(&text[last..]).is_none_or(|marker| marker.to_string() != text[last..]) {
        return Err(Alarm::NoMarker);
    }
    let layout = Layout::of(text, dialect);
    if layout.in_code(last) {
        return Err(Alarm::MarkerInCode);
    }
    let fences = fence::protecting(text, &layout);
    let line = |at: usize| text[..at].matches('\n').count() + 1;
    commands::find(text, &layout, &fences, dialect).filter(|hit| hit.at != last).try_for_each(|hit| {
        Err(match hit.what {
            What::Command | What::Bot => Alarm::Command { line: line(hit.at) },
            What::Quote => Alarm::Quote { line: line(hit.at) },
            What::Marker => Alarm::SecondMarker { line: line(hit.at) },
        })
    })?;
    proof::whole(text, dialect).map_err(|fault| match fault {
        Fault::Acts { line, what } => Alarm::Acts { line, what },
        Fault::Foot => Alarm::Foot,
        Fault::Fold => Alarm::Fold,
    })
}

/// Holds the body of a text against the rules that has no marker yet.
pub(crate) fn assert_body(body: &str, dialect: Dialect) -> Result<(), Alarm> {
    const MARKER: &str = "<!-- dai v1 finding=0000000000000000 place=0000000000000000 -->";
    assert_inert(&format!("{body}\n\n{MARKER}"), dialect)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOOT: &str = "*Written by an AI reviewer, posted with `dai` from this account.*";
    const MARKER: &str = "<!-- dai v1 finding=0101010101010101 place=0202020202020202 -->";

    #[test]
    fn every_text_that_must_not_be_sent_raises_its_alarm() {
        for (body, expected) in [
            (&*format!("fine\n\n```\n/b\n```\n\n{}\n\n", FOOT), Ok(())),
            ("\n", Err(Alarm::Foot)),
            ("@ann\n\n", Err(Alarm::Acts { line: 1, what: Acting::Mention })),
            ("<details><summary>x</summary>\n\n", Err(Alarm::Fold)),
            ("/approve\n\n", Err(Alarm::Command { line: 1 })),
            ("a\n\n~~~\n/approve\n~~~\n\n", Err(Alarm::Command { line: 4 })),
            ("````\nx\n````\n\n```\n/a\n```\n\n", Err(Alarm::Command { line: 6 })),
            (">>>\n\n", Err(Alarm::Quote { line: 1 })),
            ("a\u{202E}\n\n", Err(Alarm::Control { code: 0x202E })),
            ("a\r\n\n", Err(Alarm::Control { code: 0x0D })),
            ("```\n", Err(Alarm::MarkerInCode)),
            ("    ", Err(Alarm::NoMarker)),
            (&*format!("{MARKER}\n\n"), Err(Alarm::SecondMarker { line: 1 })),
        ] {
            assert_eq!(assert_inert(&format!("{body}{MARKER}"), Dialect::GitLab), expected, "{body:?}");
        }
        assert_eq!(assert_inert(&format!("{MARKER}\n"), Dialect::GitLab), Err(Alarm::NoMarker));
        assert_eq!(assert_inert("a", Dialect::GitLab), Err(Alarm::NoMarker));
        assert_eq!(assert_inert("", Dialect::GitLab), Err(Alarm::NoMarker));
    }

    #[test]
    fn the_whole_is_settled_where_the_parts_are_not() {
        let clean = whole("````\nx\n````\n\n```\n/a\n```", Dialect::GitLab);
        assert_eq!(clean.text, "````\nx\n````\n\n```\n /a\n```");
        assert_eq!(whole(&clean.text, Dialect::GitLab), Clean { text: clean.text.clone(), edits: vec![] });
    }
}

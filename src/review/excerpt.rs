//! The lines around one fault, made fit for a terminal: bounded in width, and with nothing that acts.

use std::fmt;
use std::ops::Range;

use miette::{Diagnostic, LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use super::problem::{Pointer, Problem};
use super::quote::{acts, visible};
use super::source::Source;

/// One fault with a copy of its lines. The file itself is never handed to the renderer: it may have
/// one line of a megabyte, or a character that turns the terminal around.
#[derive(Debug)]
pub(super) struct Excerpt<'p> {
    problem: &'p Problem,
    name: String,
    text: String,
    /// The number of the first line, from 0.
    first: usize,
    /// The fault in `text`.
    mark: Range<usize>,
}

impl<'p> Excerpt<'p> {
    pub(super) fn new(source: &Source, problem: &'p Problem, width: usize) -> Self {
        let room = width.saturating_sub(12).max(30);
        let line = problem.at.line;
        let own = source.line(line).unwrap_or(problem.span.clone());
        let from = own.start.max(source.floor(problem.span.start.saturating_sub(room)));
        let mut text = String::new();
        let mut mark = 0..0;
        let first = if line > 1 { line - 1 } else { line };
        for number in first..=line + 1 {
            let Some(range) = source.line(number) else { break };
            if number == line {
                let start = from.clamp(range.start, range.end);
                if start > range.start {
                    text.push('…');
                }
                let at = problem.span.start.clamp(start, range.end);
                let end = source.floor(problem.span.end.clamp(at, range.end));
                clip(&source.text()[start..at], room, &mut text);
                mark.start = text.len();
                clip(&source.text()[at..end], room, &mut text);
                mark.end = text.len();
                clip(&source.text()[end..range.end], room / 2, &mut text);
            } else {
                clip(&source.text()[range], room, &mut text);
            }
            text.push('\n');
        }
        let mut name = String::new();
        // Writing into a string cannot fail.
        source.name().chars().try_for_each(|c| visible(c, &mut name)).unwrap_or_default();
        Self { problem, name, text, first: first - 1, mark }
    }
}

/// Copies at most `room` characters, those that act as their escapes.
fn clip(part: &str, room: usize, out: &mut String) {
    let part = part.strip_suffix('\r').unwrap_or(part);
    let mut rest = part.chars();
    for c in rest.by_ref().take(room) {
        match c {
            '\t' => out.push(' '),
            c if acts(c) => visible(c, out).unwrap_or_default(),
            c => out.push(c),
        }
    }
    if !rest.as_str().is_empty() {
        out.push('…');
    }
}

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.problem.pointer.is_empty() {
            write!(f, "{}: ", Pointer(&self.problem.pointer))?;
        }
        write!(f, "{}", self.problem.fault)
    }
}

impl std::error::Error for Excerpt<'_> {}

impl Diagnostic for Excerpt<'_> {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.problem.help().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(None, self.mark.clone()))))
    }
}

impl SourceCode for Excerpt<'_> {
    /// Asked without context, it is for the heading `[file:line:column]`, which counts characters
    /// of the file; asked with context, for the lines to draw, which are all there are.
    fn read_span<'a>(
        &'a self,
        _: &SourceSpan,
        before: usize,
        _: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let (line, column) = match before {
            0 => (self.problem.at.line - 1, self.problem.at.column - 1),
            _ => (self.first, 0),
        };
        let lines = self.text.matches('\n').count();
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            self.text.as_bytes(),
            (0, self.text.len()).into(),
            line,
            column,
            lines,
        )))
    }
}

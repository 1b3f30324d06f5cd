//! All the faults of one file, and their picture on a terminal.

use std::fmt::{self, Write as _};

use miette::{GraphicalReportHandler, GraphicalTheme};

use super::excerpt::Excerpt;
use super::problem::Problem;
use super::source::Source;
use crate::warning::Warning;

/// How many faults are drawn with their lines; further ones take a line each.
const DRAWN: usize = 20;
/// How many faults are told at all; what is beyond is counted.
const TOLD: usize = 200;

/// Every fault of one file, in the file's order. Never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problems {
    source: Source,
    told: Box<Told>,
}

/// In one box: an error is to be small.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Told {
    list: Vec<Problem>,
    warnings: Vec<Warning>,
}

/// How a report is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    pub colour: bool,
    /// Columns of the terminal.
    pub width: usize,
}

impl Problems {
    pub(super) fn new(source: Source, mut list: Vec<Problem>) -> Self {
        list.sort_by_key(|problem| (problem.span.start, problem.span.end));
        Self { source, told: Box::new(Told { list, warnings: Vec::new() }) }
    }

    /// What a reading without a fault would have warned of: a misspelt field is mended in the same go.
    pub(super) fn with_warnings(mut self, warnings: Vec<Warning>) -> Self {
        self.told.warnings = warnings;
        self
    }

    pub fn warnings(&self) -> &[Warning] {
        &self.told.warnings
    }

    pub fn source(&self) -> &Source {
        &self.source
    }

    pub fn list(&self) -> &[Problem] {
        &self.told.list
    }

    /// The faults for people: the first ones drawn at their place, more in a line each, the rest
    /// counted. The text holds no control character of the file.
    pub fn render(&self, look: Look) -> String {
        let theme = if look.colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
        let handler = GraphicalReportHandler::new_themed(theme)
            .with_width(look.width.max(40))
            .with_links(false)
            .with_context_lines(1);
        let mut out = String::new();
        for (at, problem) in self.told.list.iter().take(TOLD).enumerate() {
            let drawn = at < DRAWN && {
                let excerpt = Excerpt::new(&self.source, problem, look.width);
                let mut picture = String::new();
                let right = handler.render_report(&mut picture, &excerpt).is_ok();
                if right {
                    out.push_str(picture.trim_end());
                    out.push_str("\n\n");
                }
                right
            };
            if !drawn {
                // Writing into a string cannot fail.
                let _ = writeln!(out, "  × {problem}");
            }
        }
        if self.told.list.len() > TOLD {
            let _ = writeln!(out, "  … and {} more", self.told.list.len() - TOLD);
        }
        out
    }
}

/// `review.json: 3 problems`
impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.told.list.len() == 1 { "" } else { "s" };
        for c in self.source.name().chars() {
            super::quote::visible(c, f)?;
        }
        write!(f, ": {} problem{plural}", self.told.list.len())
    }
}

impl std::error::Error for Problems {}

//! Names in prose that wake somebody or leave a trace: mentions, references, addresses.

use std::ops::Range;

use super::address;
use super::change::{Change, ZERO_WIDTH_SPACE};
use super::controls;
use super::edit::EditKind;
use super::glyph::{Glyph, glyphs};
use super::layout::{Layout, LinkKind};
use super::markup::is_kept_auto_link;
use super::{names, span};
use crate::text::Dialect;

/// The changes in everything that readers see as prose.
pub(super) fn changes(text: &str, layout: &Layout, fence: &str, dialect: Dialect) -> Vec<Change> {
    let mut changes = Vec::new();
    for part in parts(text, layout) {
        let glyphs = glyphs(text, part);
        let chars = glyphs.iter().map(|glyph| glyph.c).collect();
        Scan { text, fence, glyphs, chars, dialect }.run(&mut changes);
    }
    changes.extend(layout.links.iter().filter(|link| link.kind == LinkKind::Bare).filter_map(|link| {
        let kind = if address::is_request_url(&link.target) {
            EditKind::RequestUrl
        } else if !address::is_plain(&link.target) || text[link.range.clone()].contains(['`', '\\', '<', '|']) {
            EditKind::Address
        } else {
            return None;
        };
        Some(as_code(text, link.range.clone(), &text[link.range.clone()], fence, kind))
    }));
    changes
}

/// The text without its code, its images and its bare addresses (they are dealt with by themselves), and
/// links' targets.
fn parts(text: &str, layout: &Layout) -> Vec<Range<usize>> {
    let tails = layout.links.iter().filter_map(|link| match link.kind {
        LinkKind::Bracketed => Some(link.text.end..link.range.end),
        LinkKind::Bare => Some(link.range.clone()),
        LinkKind::Auto => is_kept_auto_link(&link.target).then(|| link.range.clone()),
    });
    let mut hidden: Vec<Range<usize>> = layout
        .code
        .iter()
        .cloned()
        .chain(layout.images.iter().cloned())
        .chain(layout.maths.iter().cloned())
        .chain(layout.tildes.iter().cloned())
        .chain(tails)
        .collect();
    hidden.sort_by_key(|range| range.start);
    let mut parts = Vec::new();
    let mut at = 0;
    for range in hidden {
        if range.start > at {
            parts.push(at..range.start);
        }
        at = at.max(range.end);
    }
    parts.push(at..text.len());
    parts
}

struct Scan<'a> {
    text: &'a str,
    /// Back-ticks that pair with no others of the text.
    fence: &'a str,
    glyphs: Vec<Glyph>,
    /// What the glyphs show.
    chars: Vec<char>,
    dialect: Dialect,
}

impl Scan<'_> {
    fn run(&self, changes: &mut Vec<Change>) {
        let mut run = Run::default();
        let mut at = 0;
        while let Some(glyph) = self.glyphs.get(at) {
            if let Some(length) = self.address(at, &mut run, changes) {
                at += length;
                continue;
            }
            let broken = |kind| Change::insert(glyph.end, ZERO_WIDTH_SPACE, kind);
            match names::name_at(&self.chars, at, self.dialect) {
                Some(EditKind::Mention) => {
                    if let Some(length) = self.code_like(at) {
                        let range = glyph.start..self.glyphs[at + length - 1].end;
                        let shown = &self.text[range.clone()];
                        changes.push(Change::replace(
                            range.clone(),
                            span::wrap_in(shown, self.fence),
                            EditKind::MentionAsCode,
                        ));
                        at += length;
                        continue;
                    }
                    changes.push(broken(EditKind::Mention));
                }
                Some(kind) => changes.push(broken(kind)),
                None => match glyph.c {
                    // An entity that this pass does not know may be a letter.
                    '@' if self.is_entity(at + 1) => changes.push(broken(EditKind::Mention)),
                    // Another part of the assembled text may define what would make it an image.
                    '!' if glyph.is_literal() && self.is_bracket(at + 1) => {
                        changes.push(Change::insert(glyph.start, "\\", EditKind::Image));
                    }
                    c if !glyph.is_literal() && controls::is_stripped(c) => {
                        changes.push(Change::replace(glyph.start..glyph.end, "", EditKind::Control));
                    }
                    _ => {}
                },
            }
            at += 1;
        }
    }

    /// How many characters are shown as code: where they are written as themselves and touch nothing that
    /// would not leave them code.
    fn code_like(&self, at: usize) -> Option<usize> {
        let length = names::code_like(&self.chars, at)?;
        let range = self.glyphs[at].start..self.glyphs[at + length - 1].end;
        let literal = self.glyphs[at..at + length].iter().all(Glyph::is_literal);
        (literal && !is_touched(self.text, &range)).then_some(length)
    }

    fn is_entity(&self, at: usize) -> bool {
        let rest = self.chars.get(at..).unwrap_or_default();
        rest.first() == Some(&'&')
            && rest[1..].iter().take(40).find(|c| !c.is_ascii_alphanumeric()).is_some_and(|c| *c == ';')
    }

    fn is_bracket(&self, at: usize) -> bool {
        self.glyphs.get(at).is_some_and(|glyph| glyph.c == '[' && glyph.is_literal())
    }

    /// An address that is no link, of something that notes its mentions: code. Gives how many characters
    /// are dealt with.
    fn address(&self, at: usize, run: &mut Run, changes: &mut Vec<Change>) -> Option<usize> {
        let rest = &self.glyphs[at..];
        let begins = |scheme: &str| {
            scheme.chars().enumerate().all(|(n, c)| rest.get(n).is_some_and(|glyph| glyph.c.eq_ignore_ascii_case(&c)))
        };
        if !(begins("http://") || begins("https://") || begins("www.")) {
            return None;
        }
        // GitHub's parser makes a link of these where comrak makes none, and swallows back-ticks and backslashes with it.
        let length = if begins("www.") { 4 } else { self.chars[at..].iter().take_while(|c| **c != '/').count() + 2 };
        if !self.chars.get(at + length).is_some_and(|c| c.is_alphanumeric()) {
            changes.push(Change::insert(rest[0].end, ZERO_WIDTH_SPACE, EditKind::Address));
            return Some(length.min(rest.len()));
        }
        if at >= run.end {
            *run = Run::of(&self.glyphs, at);
        }
        if !run.has_number {
            return None;
        }
        let length = (run.end - at).min(Run::LONGEST);
        let trailing = rest[..length].iter().rev().take_while(|glyph| is_trailing(glyph.c)).count();
        let url: String = rest[..length - trailing].iter().map(|glyph| glyph.c).collect();
        if !address::is_request_url(&url) {
            return None;
        }
        let range = rest[0].start..rest[length - trailing - 1].end;
        changes.push(as_code(self.text, range, &url, self.fence, EditKind::RequestUrl));
        Some(length - trailing)
    }
}

/// Whether a fence at the ends of a range would be none: next to a back-tick, behind a backslash.
fn is_touched(text: &str, range: &Range<usize>) -> bool {
    text[..range.start].ends_with(['`', '\\']) || text[range.end..].starts_with('`')
}

/// Code, or, where a fence would not be one, an address with a break in it.
pub(super) fn as_code(text: &str, range: Range<usize>, shown: &str, fence: &str, kind: EditKind) -> Change {
    if is_touched(text, &range) {
        let glyphs = glyphs(text, range.clone());
        let scheme = glyphs.iter().find(|glyph| glyph.c == ':').or(glyphs.first());
        let first = scheme.map_or(range.start, |glyph| glyph.end);
        return Change::insert(first, ZERO_WIDTH_SPACE, kind);
    }
    Change::replace(range, span::wrap_in(shown, &span::longer(fence, shown)), kind)
}

/// A run of characters that addresses are made of. Many may begin in it; it is read once.
#[derive(Debug, Default)]
struct Run {
    end: usize,
    /// Whether there can be the page of something numbered, or of a commit, in it.
    has_number: bool,
}

impl Run {
    /// No address is longer, in characters.
    const LONGEST: usize = 1024;

    fn of(glyphs: &[Glyph], at: usize) -> Self {
        let length = glyphs[at..].iter().take_while(|glyph| in_address(glyph.c)).count();
        let run = &glyphs[at..at + length];
        let has_number =
            run.windows(2).any(|pair| pair[0].c == '%' || (pair[0].c == '/' && pair[1].c.is_ascii_hexdigit()));
        Self { end: at + length, has_number }
    }
}

fn in_address(c: char) -> bool {
    c.is_ascii_graphic() && !matches!(c, '<' | '>' | '`' | '"' | '|' | '\\' | '{' | '}' | '^' | '(' | ')' | '[' | ']')
}

fn is_trailing(c: char) -> bool {
    matches!(c, '.' | ',' | ':' | ';' | '!' | '?' | '\'' | '*' | '_' | '~')
}

//! Names in prose that wake somebody or leave a trace: mentions, references, addresses.

use std::ops::Range;

use super::address;
use super::change::{Change, ZERO_WIDTH_SPACE};
use super::controls;
use super::edit::EditKind;
use super::glyph::{Glyph, glyphs};
use super::layout::{Layout, LinkKind};
use super::markup::is_kept_auto_link;
use super::span;

/// The changes in everything that readers see as prose.
///
/// `open_bracket` says whether a bracket may be open before the text: GitHub makes no links of bare
/// addresses after one in the same paragraph, so that an `@` in them is a mention.
pub(super) fn changes(text: &str, layout: &Layout, fence: &str, mut open_bracket: bool) -> Vec<Change> {
    let mut changes = Vec::new();
    for part in parts(text, layout) {
        let scan = Scan { text, fence, glyphs: glyphs(text, part), layout };
        open_bracket = scan.run(&mut changes, open_bracket);
    }
    changes
}

/// The text without its code, its images (they are links in the next round), and links' targets.
fn parts(text: &str, layout: &Layout) -> Vec<Range<usize>> {
    let tails = layout.links.iter().filter_map(|link| match link.kind {
        LinkKind::Bracketed => Some(link.text.end..link.range.end),
        LinkKind::Auto => is_kept_auto_link(&link.target).then(|| link.range.clone()),
    });
    let mut hidden: Vec<Range<usize>> =
        layout.code.iter().cloned().chain(layout.images.iter().cloned()).chain(tails).collect();
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
    layout: &'a Layout,
}

impl Scan<'_> {
    /// Whether a bracket may be open afterwards.
    fn run(&self, changes: &mut Vec<Change>, mut open_bracket: bool) -> bool {
        let mut run = Run::default();
        let mut at = 0;
        while let Some(glyph) = self.glyphs.get(at) {
            if let Some(length) = self.address(at, open_bracket, &mut run, changes) {
                at += length;
                continue;
            }
            let broken = |kind| Change::insert(glyph.end, ZERO_WIDTH_SPACE, kind);
            match glyph.c {
                '@' if self.is_mention(at) => changes.push(broken(EditKind::Mention)),
                '@' if self.is_foreign_commit(at) => changes.push(broken(EditKind::Reference)),
                '#' | '!' | '&' if self.is_number(at + 1) => changes.push(broken(EditKind::Reference)),
                // Another part of the assembled text may define what would make it an image.
                '!' if glyph.is_literal() && self.is_bracket(at + 1) => {
                    changes.push(Change::insert(glyph.start, "\\", EditKind::Image));
                }
                '-' if self.is_prefixed_number(at) => changes.push(broken(EditKind::Reference)),
                ':' if self.is_bracketed_kind(at) => changes.push(broken(EditKind::Reference)),
                '\n' if self.is_blank_line(at + 1) => open_bracket = false,
                '[' => open_bracket |= !self.begins_link(glyph.start),
                c if !glyph.is_literal() && controls::is_stripped(c) => {
                    changes.push(Change::replace(glyph.start..glyph.end, "", EditKind::Control));
                }
                _ => {}
            }
            at += 1;
        }
        open_bracket
    }

    fn c(&self, at: usize) -> Option<char> {
        self.glyphs.get(at).map(|glyph| glyph.c)
    }

    fn before(&self, at: usize) -> Option<Glyph> {
        at.checked_sub(1).map(|at| self.glyphs[at])
    }

    fn is_bracket(&self, at: usize) -> bool {
        self.glyphs.get(at).is_some_and(|glyph| glyph.c == '[' && glyph.is_literal())
    }

    fn is_blank_line(&self, at: usize) -> bool {
        let rest = self.glyphs.get(at..).unwrap_or_default();
        rest.iter().find(|glyph| !matches!(glyph.c, ' ' | '\t')).is_none_or(|glyph| glyph.c == '\n')
    }

    fn begins_link(&self, at: usize) -> bool {
        self.layout.links.binary_search_by_key(&at, |link| link.range.start).is_ok()
    }

    /// An `@` before a name, and not inside an address like `a@b.c`. GitHub wants no `\w` before it, and
    /// GitLab neither; an `_` may be the end of an emphasis, which nobody sees.
    fn is_mention(&self, at: usize) -> bool {
        let name = match self.c(at + 1) {
            Some('.') => self.c(at + 2).is_some_and(|c| !c.is_whitespace()),
            Some(c) => c.is_alphanumeric() || c == '_',
            None => false,
        };
        let in_word = self.before(at).is_some_and(|before| before.is_literal() && before.c.is_ascii_alphanumeric());
        name && !in_word
    }

    /// `group/project@0123abc` notes its mention on a commit of another project.
    fn is_foreign_commit(&self, at: usize) -> bool {
        const LONGEST: usize = 256;
        let hex = self.glyphs[at + 1..].iter().take_while(|glyph| glyph.c.is_ascii_hexdigit()).take(7).count();
        let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '/');
        let mut project = self.glyphs[..at].iter().rev().take(LONGEST).take_while(|glyph| name(glyph.c));
        hex == 7 && project.any(|glyph| glyph.c == '/')
    }

    /// Digits, and then no letter: `#12`, not `#1a2b3c`. An `_` may again be an emphasis.
    fn is_number(&self, at: usize) -> bool {
        let digits =
            self.glyphs.get(at..).unwrap_or_default().iter().take_while(|glyph| glyph.c.is_ascii_digit()).count();
        digits > 0 && self.c(at + digits).is_none_or(|c| !c.is_ascii_alphanumeric())
    }

    /// `GH-12` on GitHub, `GL-12` on GitLab.
    fn is_prefixed_number(&self, at: usize) -> bool {
        let letter = |back: usize, wanted: &[char]| {
            at.checked_sub(back).and_then(|at| self.c(at)).is_some_and(|c| wanted.contains(&c.to_ascii_uppercase()))
        };
        let in_word = at.checked_sub(3).and_then(|at| self.c(at)).is_some_and(|c| c.is_ascii_alphanumeric());
        letter(2, &['G']) && letter(1, &['H', 'L']) && !in_word && self.is_number(at + 1)
    }

    /// `[issue:12]`, `[work_item:12]`, `[epic:12]`: GitLab's long forms.
    fn is_bracketed_kind(&self, at: usize) -> bool {
        let named = self.c(at + 1).is_some_and(|c| c.is_ascii_alphanumeric());
        named
            && ["[issue", "[work_item", "[epic"].iter().any(|form| {
                at.checked_sub(form.len())
                    .is_some_and(|from| self.glyphs[from..at].iter().map(|glyph| glyph.c).eq(form.chars()))
            })
    }

    /// A bare address: one that notes its mentions becomes code; another one is left alone as far as a
    /// forge is sure to make a link of it. Gives how many characters are dealt with.
    fn address(&self, at: usize, open_bracket: bool, run: &mut Run, changes: &mut Vec<Change>) -> Option<usize> {
        let rest = &self.glyphs[at..];
        let begins = |scheme: &str| {
            scheme.chars().enumerate().all(|(n, c)| rest.get(n).is_some_and(|glyph| glyph.c.eq_ignore_ascii_case(&c)))
        };
        if !(begins("http://") || begins("https://") || begins("www.")) {
            return None;
        }
        if at >= run.end {
            *run = Run::of(&self.glyphs, at);
        }
        let length = (run.end - at).min(Run::LONGEST);
        if run.has_number {
            let trailing = rest[..length].iter().rev().take_while(|glyph| is_trailing(glyph.c)).count();
            let url: String = rest[..length - trailing].iter().map(|glyph| glyph.c).collect();
            if address::is_request_url(&url) {
                let range = rest[0].start..rest[length - trailing - 1].end;
                changes.push(self.as_code(range, &url));
                return Some(length - trailing);
            }
        }
        let free =
            self.before(at).is_none_or(|before| before.is_literal() && (before.c.is_whitespace() || before.c == '('));
        if !free || open_bracket {
            return None;
        }
        let plain = rest[..length].iter().take_while(|glyph| glyph.is_literal() && is_plain(glyph.c)).count();
        let url: String = rest[..plain].iter().map(|glyph| glyph.c).collect();
        has_domain(&url).then_some(plain)
    }

    /// Code, or, where a fence would not be one (next to a back-tick, behind a backslash, in the
    /// definition of a link), an address with a break in it.
    fn as_code(&self, range: Range<usize>, url: &str) -> Change {
        let touched = self.text[..range.start].ends_with(['`', '\\']) || self.text[range.end..].starts_with('`');
        if touched {
            let first = glyphs(self.text, range.clone()).first().map_or(range.start, |glyph| glyph.end);
            return Change::insert(first, ZERO_WIDTH_SPACE, EditKind::RequestUrl);
        }
        Change::replace(range, span::wrap_in(url, self.fence), EditKind::RequestUrl)
    }
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

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "/._~%+=?&#:@!$-".contains(c)
}

/// A host that every forge's own reader of addresses takes for one.
fn has_domain(url: &str) -> bool {
    let Some((scheme, rest)) = url.split_once("://") else { return false };
    if !["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
        return false;
    }
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let (name, port) = host.split_once(':').unwrap_or((host, "0"));
    let label = |label: &str| !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    port.bytes().all(|b| b.is_ascii_digit()) && name.contains('.') && name.split('.').all(label)
}

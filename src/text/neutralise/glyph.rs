//! Prose as readers see it: escapes and entities resolved, each character with its place in the source.
//!
//! Forges look for mentions and references in the rendered text, so `\@ann` and `&#64;ann` wake ann.

use std::ops::Range;

/// One character of rendered prose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Glyph {
    pub c: char,
    pub start: usize,
    pub end: usize,
}

impl Glyph {
    /// Written as itself, not as an escape or an entity.
    pub(super) fn is_literal(&self) -> bool {
        self.end - self.start == self.c.len_utf8()
    }
}

/// The characters of a part of the text.
pub(super) fn glyphs(text: &str, part: Range<usize>) -> Vec<Glyph> {
    let mut glyphs = Vec::with_capacity(part.len());
    let mut at = part.start;
    while let Some(first) = text[at..part.end].chars().next() {
        let rest = &text[at..part.end];
        let (c, length) = escape(rest).or_else(|| entity(rest)).unwrap_or((first, first.len_utf8()));
        glyphs.push(Glyph { c, start: at, end: at + length });
        at += length;
    }
    glyphs
}

fn escape(rest: &str) -> Option<(char, usize)> {
    let c = rest.strip_prefix('\\')?.chars().next()?;
    c.is_ascii_punctuation().then_some((c, 2))
}

/// A character reference: any number, and the names of what can act or is stripped.
fn entity(rest: &str) -> Option<(char, usize)> {
    let inner = rest.strip_prefix('&')?;
    // The longest name below has 16 letters.
    let end = inner.bytes().take(20).position(|b| b == b';')?;
    let name = inner.get(..end)?;
    let c = match name.strip_prefix('#') {
        Some(number) => {
            let (digits, radix) = number.strip_prefix(['x', 'X']).map_or((number, 10), |hex| (hex, 16));
            if digits.is_empty() || !digits.bytes().all(|b| char::from(b).is_digit(radix)) {
                return None;
            }
            u32::from_str_radix(digits, radix).ok().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        None => NAMED.iter().find(|(known, _)| *known == name)?.1,
    };
    Some((c, 1 + end + 1))
}

/// Every HTML5 name of one ASCII character, and of the soft hyphen (WHATWG: named character references).
const NAMED: [(&str, char); 57] = [
    ("Tab", '\t'),
    ("NewLine", '\n'),
    ("excl", '!'),
    ("quot", '"'),
    ("QUOT", '"'),
    ("num", '#'),
    ("dollar", '$'),
    ("percnt", '%'),
    ("amp", '&'),
    ("AMP", '&'),
    ("apos", '\''),
    ("lpar", '('),
    ("rpar", ')'),
    ("ast", '*'),
    ("midast", '*'),
    ("plus", '+'),
    ("comma", ','),
    ("period", '.'),
    ("sol", '/'),
    ("colon", ':'),
    ("semi", ';'),
    ("lt", '<'),
    ("LT", '<'),
    ("equals", '='),
    ("gt", '>'),
    ("GT", '>'),
    ("quest", '?'),
    ("commat", '@'),
    ("lsqb", '['),
    ("lbrack", '['),
    ("bsol", '\\'),
    ("rsqb", ']'),
    ("rbrack", ']'),
    ("Hat", '^'),
    ("lowbar", '_'),
    ("UnderBar", '_'),
    ("grave", '`'),
    ("DiacriticalGrave", '`'),
    ("lcub", '{'),
    ("lbrace", '{'),
    ("verbar", '|'),
    ("vert", '|'),
    ("VerticalLine", '|'),
    ("rcub", '}'),
    ("rbrace", '}'),
    ("shy", '\u{AD}'),
    ("nbsp", '\u{A0}'),
    ("NonBreakingSpace", '\u{A0}'),
    ("ZeroWidthSpace", '\u{200B}'),
    ("zwnj", '\u{200C}'),
    ("zwj", '\u{200D}'),
    ("lrm", '\u{200E}'),
    ("rlm", '\u{200F}'),
    ("NoBreak", '\u{2060}'),
    ("ensp", '\u{2002}'),
    ("emsp", '\u{2003}'),
    ("thinsp", '\u{2009}'),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(text: &str) -> String {
        glyphs(text, 0..text.len()).iter().map(|glyph| glyph.c).collect()
    }

    #[test]
    fn escapes_and_entities_are_read_as_a_reader_sees_them() {
        for (text, expected) in [
            (r"\@a \# \q \\", r"@a # \q \"),
            ("&#64;a &#x40;b &commat;c &num;12", "@a @b @c #12"),
            ("&unknown; &#; &#x; &#xZ; a&b &", "&unknown; &#; &#x; &#xZ; a&b &"),
            ("&#9999999999;", "\u{FFFD}"),
            ("&#xD800;", "\u{FFFD}"),
            ("가&amp;나", "가&나"),
        ] {
            assert_eq!(rendered(text), expected);
        }
    }

    #[test]
    fn places_are_the_sources() {
        let text = r"a\@&#64;b";
        let places: Vec<_> =
            glyphs(text, 1..text.len()).iter().map(|glyph| (glyph.c, glyph.start, glyph.end)).collect();
        assert_eq!(places, [('@', 1, 3), ('@', 3, 8), ('b', 8, 9)]);
    }
}

//! Text from outside, made safe to look at: what a terminal would obey, or nobody would see, is
//! shown as a visible escape.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// One line of foreign text for a terminal. Tabs become four spaces, every other control, bidi and
/// invisible character becomes `\n`, `\r` or `\u{…}`, so that a text cannot move the cursor, reorder
/// a line or forge another.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| c == '\t' || is_hidden(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\t' => out.push_str("    "),
            c if is_hidden(c) => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Whether a character acts on the terminal, on the order of the text, or cannot be seen at all.
/// Variation selectors 15 and 16 stay: they only choose how an emoji is drawn.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0d}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// How many columns a text takes, wide characters counting two.
pub fn width(text: &str) -> usize {
    text.width()
}

/// The beginning of a text that fits in `columns`, with `…` where something was left out.
pub fn clip(text: &str, columns: usize) -> Cow<'_, str> {
    if text.width() <= columns {
        return Cow::Borrowed(text);
    }
    let mut used = 0;
    let mut out = String::new();
    for c in text.chars() {
        let wide = c.width().unwrap_or(0);
        if used + wide + 1 > columns {
            break;
        }
        used += wide;
        out.push(c);
    }
    out.push('…');
    Cow::Owned(out)
}

/// A line of prose as lines of at most `columns`, broken at blanks. A word that is wider stays whole:
/// it is an address or code.
pub fn wrap(text: &str, columns: usize) -> Vec<&str> {
    let mut lines = Vec::new();
    let (mut start, mut end) = (0, 0);
    for at in text.match_indices(' ').map(|(at, _)| at).chain([text.len()]) {
        if !text[start..end].trim().is_empty() && text[start..at].width() > columns {
            lines.push(text[start..end].trim_end_matches(' '));
            // The blanks of the break belong to neither line.
            start = end + text[end..].len() - text[end..].trim_start_matches(' ').len();
        }
        end = at;
    }
    lines.push(&text[start..]);
    lines
}

#[cfg(test)]
mod tests {
    use super::{clip, visible, wrap};

    #[test]
    fn prose_is_broken_at_blanks_and_words_stay_whole() {
        for (text, lines) in [
            ("", &[""][..]),
            ("one two three", &["one two", "three"]),
            ("one two", &["one two"]),
            ("https://example.org/long and short", &["https://example.org/long", "and", "short"]),
            ("한국어 문장", &["한국어", "문장"]),
            ("  leads by", &["  leads", "by"]),
            ("  https://example.org", &["  https://example.org"]),
            ("wide   gap here", &["wide", "gap here"]),
        ] {
            assert_eq!(wrap(text, 8), lines, "{text:?}");
        }
    }

    #[test]
    fn what_acts_or_hides_is_shown_as_an_escape() {
        for (raw, shown) in [
            ("plain, 한국어, ñ, ❤\u{fe0f}", "plain, 한국어, ñ, ❤\u{fe0f}"),
            ("a\tb", "a    b"),
            ("a\nb\rc", "a\\nb\\rc"),
            ("\u{1b}[31mred", "\\u{1b}[31mred"),
            ("if \u{202e} evil", "if \\u{202e} evil"),
            ("zero\u{200b}width", "zero\\u{200b}width"),
            ("\u{e0041}", "\\u{e0041}"),
            ("line\u{2028}sep", "line\\u{2028}sep"),
            ("\u{9b}31m", "\\u{9b}31m"),
        ] {
            assert_eq!(visible(raw), shown, "{raw:?}");
        }
    }

    #[test]
    fn clipping_counts_columns_and_never_splits_a_character() {
        assert_eq!(clip("한국어", 6), "한국어");
        assert_eq!(clip("한국어", 5), "한국…");
        assert_eq!(clip("abcdef", 4), "abc…");
    }
}

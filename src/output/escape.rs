//! Text from outside, made safe to look at: what a terminal would obey, or nobody would see, is
//! shown as a visible escape.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::review::acts;

/// One line of foreign text for a terminal. Tabs become four spaces, every other control, bidi and
/// invisible character becomes `\n`, `\r` or `\u{…}`, so that a text cannot move the cursor, reorder
/// a line or forge another.
pub fn visible(text: &str) -> Cow<'_, str> {
    // Most lines are plain, which is told a whole word of bytes at a time.
    if text.bytes().all(|b| matches!(b, b' '..=b'~')) || !text.chars().any(|c| c == '\t' || acts(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\t' => out.push_str("    "),
            c if acts(c) => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
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

/// A line cut into pieces of at most `columns`, so that no terminal breaks it where a text wants it to:
/// what begins a row there would look like a line of the program's own. Never empty.
pub fn fold(text: &str, columns: usize) -> Vec<&str> {
    let (mut pieces, mut start, mut used) = (Vec::new(), 0, 0);
    let (mut blank, mut blank_used) = (0, 0);
    for (at, c) in text.char_indices() {
        let wide = c.width().unwrap_or(0);
        if used + wide > columns && used > 0 {
            // At a blank where there is one in the piece's second half.
            let (cut, left) = if blank_used * 2 > columns { (blank, used - blank_used) } else { (at, 0) };
            pieces.push(&text[start..cut]);
            (start, used, blank_used) = (cut, left, 0);
        }
        used += wide;
        if c == ' ' {
            (blank, blank_used) = (at + 1, used);
        }
    }
    pieces.push(&text[start..]);
    pieces
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{clip, fold, visible, width};

    proptest! {
        #[test]
        fn folding_loses_nothing_and_fits(text in "[a 한é\u{301}]{0,80}", columns in 2usize..20) {
            let pieces = fold(&text, columns);
            prop_assert!(pieces.iter().all(|piece| width(piece) <= columns), "{:?}", pieces);
            prop_assert_eq!(pieces.concat(), text.as_str());
        }
    }

    #[test]
    fn folding_prefers_a_blank() {
        assert_eq!(fold("one two three", 9), ["one two ", "three"]);
        assert_eq!(fold("onetwothree", 4), ["onet", "woth", "ree"]);
        assert_eq!(fold("한국어", 5), ["한국", "어"]);
        assert_eq!(fold("", 5), [""]);
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

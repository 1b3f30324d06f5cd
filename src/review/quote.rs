//! Text from outside, made fit for a message: on one line, bounded, and without a character that acts.

use std::fmt;

/// Shows a text in double quotes, with everything escaped that a terminal would obey or hide, and
/// cut after `limit` characters.
#[derive(Debug, Clone, Copy)]
pub struct Quoted<'a> {
    text: &'a str,
    limit: usize,
}

/// [`Quoted`] with the length that fits into a sentence.
pub fn quoted(text: &str) -> Quoted<'_> {
    Quoted { text, limit: 60 }
}

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.text.chars();
        f.write_str("\"")?;
        for c in rest.by_ref().take(self.limit) {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                c => visible(c, f)?,
            }
        }
        f.write_str(if rest.as_str().is_empty() { "\"" } else { "…\"" })
    }
}

/// Writes a character as itself, or as `\u{…}` where it would act on a terminal, be invisible, or
/// turn the direction of what follows.
pub fn visible(c: char, out: &mut impl fmt::Write) -> fmt::Result {
    if acts(c) { write!(out, "\\u{{{:x}}}", u32::from(c)) } else { out.write_char(c) }
}

/// Whether a character acts on the terminal, on the order of the text, or cannot be seen at all.
/// Variation selectors 15 and 16 stay: they only choose how an emoji is drawn.
pub fn acts(c: char) -> bool {
    // Most characters are told here.
    if c < '\u{ad}' {
        return c.is_control();
    }
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0d}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{13430}'..='\u{1343f}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn what_acts_is_shown_and_what_is_long_is_cut() {
        for (text, shown) in [
            ("plain é 한", "\"plain é 한\""),
            ("a\"b\\c", r#""a\"b\\c""#),
            ("\x1b[31m\r\n\t\0", r#""\u{1b}[31m\r\n\t\u{0}""#),
            ("\u{202e}evil\u{9b}\u{200b}", r#""\u{202e}evil\u{9b}\u{200b}""#),
        ] {
            assert_eq!(quoted(text).to_string(), shown);
        }
        assert_eq!(quoted(&"x".repeat(60)).to_string(), format!("\"{}\"", "x".repeat(60)));
        assert_eq!(quoted(&"é".repeat(61)).to_string(), format!("\"{}…\"", "é".repeat(60)));
    }
}

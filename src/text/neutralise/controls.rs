//! Characters that nobody sees and that change what others read.

use std::borrow::Cow;

use super::edit::{EditKind, Tally};

/// Whether a character is taken out of everything that is posted: C0 and C1 controls but for `\n` and
/// `\t`, DEL, the bidi overrides and isolates, the byte-order mark, the soft hyphen, tag characters.
pub(crate) fn is_stripped(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{AD}' | '\u{FEFF}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => true,
        '\u{E0000}'..='\u{E007F}' => true,
        _ => c.is_control(),
    }
}

/// The text without them; whole terminal sequences go, and `\r\n` and a lone `\r` become `\n`.
pub(super) fn strip<'a>(text: &'a str, tally: &mut Tally) -> Cow<'a, str> {
    // Most texts are plain, which is told a whole word of bytes at a time.
    if text.bytes().all(|b| matches!(b, b'\n' | b'\t' | b' '..=b'~')) || !text.contains(is_stripped) {
        return Cow::Borrowed(text);
    }
    let (mut controls, mut returns) = (0, 0);
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        rest = after;
        match c {
            '\r' => {
                returns += 1;
                if !after.starts_with('\n') {
                    clean.push('\n');
                }
            }
            '\u{1B}' | '\u{9B}' => {
                controls += 1;
                rest = &after[sequence(c, after)..];
            }
            c if is_stripped(c) => controls += 1,
            c => clean.push(c),
        }
    }
    tally.add(EditKind::Control, controls);
    tally.add(EditKind::LineEnd, returns);
    Cow::Owned(clean)
}

/// The length of what follows an escape character as its terminal sequence (ECMA-48): parameters,
/// intermediates and a final byte, or a string up to its terminator on the same line.
fn sequence(escape: char, after: &str) -> usize {
    let csi = match (escape, after.as_bytes().first()) {
        ('\u{9B}', _) => 0,
        (_, Some(b'[')) => 1,
        (_, Some(b']' | b'P' | b'^' | b'_' | b'X')) => return string(after),
        _ => return 0,
    };
    let parameters = after[csi..].bytes().take_while(|b| (0x20..0x40).contains(b)).count();
    let last = csi + parameters;
    match after.as_bytes().get(last) {
        Some(0x40..=0x7E) => last + 1,
        _ => csi,
    }
}

/// A string that is not closed soon is none: only what introduces it goes.
fn string(after: &str) -> usize {
    const LONGEST: usize = 4096;
    let bytes = &after.as_bytes()[..after.len().min(LONGEST)];
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'\n' => break,
            0x07 => return at + 1,
            0x1B if bytes.get(at + 1) == Some(&b'\\') => return at + 2,
            _ => {}
        }
    }
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_go_and_letters_stay() {
        for (text, expected) in [
            ("a\0b\u{8}c", "abc"),
            ("\u{1B}[31mred\u{1B}[0m", "red"),
            ("\u{9B}1;2Hx", "x"),
            ("\u{1B}]0;title\u{7}x\u{1B}]8;;http://a\u{1B}\\y", "xy"),
            ("\u{1B}]never closed", "never closed"),
            ("\u{1B}", ""),
            ("\u{1B}[", ""),
            ("a\u{202E}b\u{2066}c\u{2069}\u{FEFF}\u{AD}\u{E0041}d", "abcd"),
            ("\u{7F}\u{85}x", "x"),
            ("a\r\nb\rc\n\rd\r", "a\nb\nc\n\nd\n"),
            ("가\t나\n\u{200D}👩\u{200D}💻", "가\t나\n\u{200D}👩\u{200D}💻"),
        ] {
            assert_eq!(strip(text, &mut Tally::default()), expected, "{text:?}");
        }
    }

    #[test]
    fn unclosed_strings_come_to_an_end() {
        let text = "\u{1B}]".repeat(30_000);
        assert_eq!(strip(&text, &mut Tally::default()), "");
    }
}

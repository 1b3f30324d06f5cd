//! A text without what nobody sees in it, and the way back to where each byte of it stood.

use std::ops::Range;

use crate::review::acts;

/// What is left of a text without invisible characters, as themselves or as the escapes that messages (`\u{200b}`) and
/// JSON (`\u200b`) show them by. Something that is split by them is found in it.
#[derive(Debug)]
pub struct Seen {
    pub text: String,
    /// Where each byte of it stands in the whole text, and the whole text's length.
    places: Vec<usize>,
}

impl Seen {
    /// `None` where there is nothing to leave out.
    pub fn of(text: &str) -> Option<Self> {
        if !text.contains(is_unseen) && !text.contains("\\u") {
            return None;
        }
        let (mut seen, mut places) = (String::with_capacity(text.len()), Vec::with_capacity(text.len() + 1));
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            if is_unseen(c) {
                at += c.len_utf8();
            } else if let Some(length) = escape(&text[at..]) {
                at += length;
            } else {
                seen.push(c);
                places.extend(at..at + c.len_utf8());
                at += c.len_utf8();
            }
        }
        if seen.len() == text.len() {
            return None;
        }
        places.push(text.len());
        Some(Self { text: seen, places })
    }

    /// The part of the whole text from the first to the last character of a part of what is seen.
    pub fn back(&self, part: &Range<usize>) -> Range<usize> {
        match part.is_empty() {
            true => self.places[part.start]..self.places[part.start],
            false => self.places[part.start]..self.places[part.end - 1] + 1,
        }
    }
}

/// Line ends and tabs are seen; variation selectors are not, though they only choose how a sign is drawn.
fn is_unseen(c: char) -> bool {
    !matches!(c, '\n' | '\r' | '\t') && (acts(c) || matches!(c, '\u{fe0e}' | '\u{fe0f}'))
}

/// The length of an escape of an invisible character.
fn escape(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("\\u")?;
    let (digits, length) = match rest.strip_prefix('{') {
        Some(inner) => {
            let end = inner.bytes().take(7).position(|byte| byte == b'}')?;
            (inner.get(..end)?, end + 4)
        }
        None => (rest.get(..4)?, 6),
    };
    let c = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
    is_unseen(c).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::Seen;

    #[test]
    fn what_is_left_out_is_inside_what_comes_back() {
        for (text, seen, whole) in [
            ("a\u{200b}b", "ab", "a\u{200b}b"),
            ("\u{feff}a\u{200e}b\u{200f}", "ab", "a\u{200e}b"),
            ("a\\u{200b}b", "ab", "a\\u{200b}b"),
            ("a\\u200bb", "ab", "a\\u200bb"),
            ("한\u{200d}\u{fe0f}글", "한글", "한\u{200d}\u{fe0f}글"),
        ] {
            let found = Seen::of(text).unwrap();
            assert_eq!(found.text, seen);
            assert_eq!(&text[found.back(&(0..seen.len()))], whole);
        }
        for text in ["", "plain\n\ttext\r\n", "한국어", "\\u{61} \\u0061 \\u{} \\u{200b \\u20", "\\user"] {
            assert!(Seen::of(text).is_none(), "{text:?}");
        }
    }
}

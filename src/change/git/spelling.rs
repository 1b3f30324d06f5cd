//! How a name that is not UTF-8 may be spelled where only UTF-8 can be written.

/// Whether a name could be such a spelling: lossy, or C-quoted as `git diff` prints it.
pub(super) fn is_suspect(name: &str) -> bool {
    name.contains('\u{FFFD}') || name.as_bytes().windows(2).any(|pair| pair[0] == b'\\' && pair[1].is_ascii_digit())
}

/// Whether `name` is a spelling of the bytes.
pub(super) fn spells(name: &str, bytes: &[u8]) -> bool {
    let lossy = String::from_utf8_lossy(bytes);
    one_mark(name).eq(one_mark(&lossy)) || unquoted(name).is_some_and(|name| name == bytes)
}

/// Writers disagree on how many U+FFFD a run of wrong bytes becomes, so a run counts as one.
fn one_mark(text: &str) -> impl Iterator<Item = char> {
    let mut last = None;
    text.chars().filter(move |c| {
        let repeated = *c == '\u{FFFD}' && last == Some(*c);
        last = Some(*c);
        !repeated
    })
}

/// The bytes of git's C-quoting (`core.quotePath`), with or without the quotes around them.
pub(in crate::change) fn unquoted(name: &str) -> Option<Vec<u8>> {
    let name = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name);
    let mut bytes = name.bytes();
    let mut out = Vec::with_capacity(name.len());
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        out.push(match bytes.next()? {
            b'a' => 7,
            b'b' => 8,
            b't' => b'\t',
            b'n' => b'\n',
            b'v' => 11,
            b'f' => 12,
            b'r' => b'\r',
            same @ (b'"' | b'\\') => same,
            first @ b'0'..=b'3' => {
                let mut digit = || bytes.next().filter(|byte| matches!(byte, b'0'..=b'7')).map(|byte| byte - b'0');
                ((first - b'0') << 6) | (digit()? << 3) | digit()?
            }
            _ => return None,
        });
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c16_a_lossy_or_quoted_name_is_known_for_what_it_spells() {
        let latin = b"caf\xe9/a.rs";
        for name in ["caf\u{FFFD}/a.rs", "caf\\351/a.rs", "\"caf\\351/a.rs\""] {
            assert!(is_suspect(name) && spells(name, latin), "{name}");
        }
        for name in ["cafe/a.rs", "caf\\350/a.rs", "caf/a.rs", "caf\\351/b.rs", "caf\\35"] {
            assert!(!spells(name, latin), "{name}");
        }
        // Two wrong bytes: one mark a byte, or one for both.
        assert!(spells("\u{FFFD}x", b"\xff\xfex") && spells("\u{FFFD}\u{FFFD}x", b"\xff\xfex"));
        assert!(!is_suspect("src/plain.rs") && !is_suspect("src\\plain.rs"));
    }
}

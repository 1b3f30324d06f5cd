//! Tokens and keys that a model echoes out of the code it read.

use std::borrow::Cow;

use super::edit::{EditKind, Tally};

const REDACTED: &str = "[redacted]";

/// Prefixes after which a secret follows, and which characters it is made of.
const PREFIXES: &[(&str, Alphabet)] = &[
    // GitHub: personal, OAuth, user-to-server, server-to-server, refresh, fine-grained.
    ("ghp_", Alphabet::Word),
    ("gho_", Alphabet::Word),
    ("ghu_", Alphabet::Word),
    ("ghs_", Alphabet::Word),
    ("ghr_", Alphabet::Word),
    ("github_pat_", Alphabet::Word),
    // GitLab: "Token prefixes" in its security documentation.
    ("glpat-", Alphabet::Dotted),
    ("gldt-", Alphabet::Dotted),
    ("glrt-", Alphabet::Dotted),
    ("glrtr-", Alphabet::Dotted),
    ("glcbt-", Alphabet::Dotted),
    ("glptt-", Alphabet::Dotted),
    ("glft-", Alphabet::Dotted),
    ("glimt-", Alphabet::Dotted),
    ("glagent-", Alphabet::Dotted),
    ("glwt-", Alphabet::Dotted),
    ("gloas-", Alphabet::Dotted),
    ("glsoat-", Alphabet::Dotted),
    ("glffct-", Alphabet::Dotted),
    // Slack.
    ("xoxa-", Alphabet::Dashed),
    ("xoxb-", Alphabet::Dashed),
    ("xoxe-", Alphabet::Dashed),
    ("xoxp-", Alphabet::Dashed),
    ("xoxr-", Alphabet::Dashed),
    ("xoxs-", Alphabet::Dashed),
    ("xapp-", Alphabet::Dashed),
];

/// A prefix followed by fewer characters is a word about tokens, not a token.
const SHORTEST: usize = 10;

#[derive(Debug, Clone, Copy)]
enum Alphabet {
    /// Letters, digits, `_`.
    Word,
    /// Letters, digits, `-`.
    Dashed,
    /// Letters, digits, `_`, `-`, and `.` before another of them.
    Dotted,
}

/// The text with every secret replaced, in code too.
pub(super) fn redact<'a>(text: &'a str, tally: &mut Tally) -> Cow<'a, str> {
    let mut clean = String::new();
    let (mut done, mut at, mut count) = (0, 0, 0);
    // Up to here no web token can begin: the run of its characters was looked at already.
    let mut no_jwt_before = 0;
    let begins = |byte: &u8| matches!(byte, b'g' | b'x' | b'A' | b'e' | b'-');
    while let Some(found) = text.as_bytes()[at..].iter().position(begins) {
        at += found;
        let rest = &text[at..];
        let length = match rest.as_bytes()[0] {
            b'g' | b'x' => prefixed(rest),
            // Inside a longer run it is no key, and what follows a key that was taken out is no new one.
            b'A' if text[..at].ends_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit()) => None,
            b'A' => aws(rest),
            b'-' => pem(rest),
            _ if at < no_jwt_before => None,
            _ => jwt(rest).unwrap_or_else(|run| {
                no_jwt_before = at + run;
                None
            }),
        };
        match length {
            Some(length) => {
                clean.push_str(&text[done..at]);
                clean.push_str(REDACTED);
                at += length;
                done = at;
                count += 1;
            }
            None => at += 1,
        }
    }
    if count == 0 {
        return Cow::Borrowed(text);
    }
    clean.push_str(&text[done..]);
    tally.add(EditKind::Secret, count);
    Cow::Owned(clean)
}

fn prefixed(rest: &str) -> Option<usize> {
    PREFIXES.iter().find_map(|(prefix, alphabet)| {
        let start = after_prefix(rest, prefix)?;
        let (length, characters) = run(&rest[start..], *alphabet);
        (characters >= SHORTEST).then_some(start + length)
    })
}

/// Where the prefix ends. In prose a `_` or `-` may carry a backslash that nobody sees.
fn after_prefix(rest: &str, prefix: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let mut at = 0;
    for wanted in prefix.bytes() {
        if bytes.get(at) == Some(&b'\\') && matches!(wanted, b'_' | b'-') {
            at += 1;
        }
        if bytes.get(at) != Some(&wanted) {
            return None;
        }
        at += 1;
    }
    Some(at)
}

/// How long the run of a secret's characters is, in bytes, and how many there are.
fn run(rest: &str, alphabet: Alphabet) -> (usize, usize) {
    let bytes = rest.as_bytes();
    let belongs = |byte: Option<&u8>| match (byte, alphabet) {
        (Some(b'_'), Alphabet::Word | Alphabet::Dotted) | (Some(b'-'), Alphabet::Dashed | Alphabet::Dotted) => true,
        (Some(byte), _) => byte.is_ascii_alphanumeric(),
        (None, _) => false,
    };
    let (mut at, mut characters) = (0, 0);
    loop {
        let escaped = bytes.get(at) == Some(&b'\\') && matches!(bytes.get(at + 1), Some(b'_' | b'-'));
        let dot = matches!((alphabet, bytes.get(at)), (Alphabet::Dotted, Some(b'.')));
        let step = usize::from(escaped || dot) + 1;
        if !belongs(bytes.get(at + step - 1)) {
            return (at, characters);
        }
        at += step;
        characters += 1;
    }
}

/// An access key's id: `AKIA` or `ASIA` and sixteen capitals or digits.
fn aws(rest: &str) -> Option<usize> {
    const LENGTH: usize = 20;
    if !(rest.starts_with("AKIA") || rest.starts_with("ASIA")) {
        return None;
    }
    let length = rest.bytes().take_while(|b| b.is_ascii_uppercase() || b.is_ascii_digit()).count();
    (length == LENGTH).then_some(LENGTH)
}

/// A JSON web token: three runs of base64url with dots between, the first an object. `Err` is the
/// length of the first run, from whose inside no token can begin either.
fn jwt(rest: &str) -> Result<Option<usize>, usize> {
    let part = |from: usize| {
        rest[from..].bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')).count()
    };
    if !rest.starts_with("eyJ") {
        return Ok(None);
    }
    let mut end = part(0);
    let first = end;
    for least in [8, 4] {
        let next = if rest[end..].starts_with('.') { part(end + 1) } else { 0 };
        if next < least {
            return Err(first);
        }
        end += 1 + next;
    }
    Ok(Some(end))
}

/// A private key in PEM form, from its first line to its last; without a last line, as far as what
/// follows looks like a key.
fn pem(rest: &str) -> Option<usize> {
    const WINDOW: usize = 16 * 1024;
    const KEY_LINE: usize = 16;
    let label = rest.strip_prefix("-----BEGIN ")?;
    let label = &label[..label.find("-----")?];
    let named = label.len() <= 64 && label.trim_end_matches(" BLOCK").ends_with("PRIVATE KEY");
    if !named || label.contains('\n') {
        return None;
    }
    let head = "-----BEGIN ".len() + label.len() + "-----".len();
    let window = &rest[head..head + floor(&rest[head..], WINDOW)];
    if let Some(end) = window.find("-----END ") {
        let tail = &window[end + "-----END ".len()..];
        let closed = tail.find("-----").filter(|at| !tail[..*at].contains('\n')).map_or(0, |at| at + "-----".len());
        return Some(head + end + "-----END ".len() + closed);
    }
    let is_key = |line: &str| {
        let line = line.trim().trim_start_matches(['>', '+', '|', ' ']);
        line.len() >= KEY_LINE
            && line.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=' | b'\\'))
            || ["Proc-Type:", "DEK-Info:", "Comment:", "Version:"].iter().any(|name| line.starts_with(name))
    };
    let (mut at, mut key) = (0, 0);
    for (number, line) in window.split_inclusive('\n').enumerate() {
        let content = line.trim_end_matches('\n');
        // The first piece is what stands behind the header on its own line.
        match is_key(content) {
            true => key = at + content.len(),
            false if number == 0 && content.trim().is_empty() => {}
            false => break,
        }
        at += line.len();
    }
    Some(head + key)
}

/// The largest character boundary at or below `most`.
fn floor(text: &str, most: usize) -> usize {
    (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redacted(text: &str) -> String {
        redact(text, &mut Tally::default()).into_owned()
    }

    #[test]
    fn every_kind_of_secret_goes_and_what_stands_around_it_stays() {
        let classic = "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";
        for secret in [
            format!("ghp_{classic}"),
            format!("gho_{classic}"),
            format!("ghu_{classic}"),
            format!("ghs_{classic}"),
            format!("ghr_{classic}"),
            format!("github_pat_11ABCDEFG0abcdefghijkl_{classic}{classic}"),
            "glpat-AbCdEfGhIjKlMnOpQrSt".to_owned(),
            "glpat-AbCdEfGhIjKlMnOpQrSt.01.abcdefghi".to_owned(),
            "gldt-AbCdEfGhIj-lMnOpQ_St".to_owned(),
            "glrt-t1_AbCdEfGhIjKlMnOpQrSt".to_owned(),
            "AKIAIOSFODNN7EXAMPLE".to_owned(),
            ["xoxb", "123456789012", "AbCdEfGhIjKl"].join("-"),
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P".to_owned(),
            "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\nabc=\n-----END RSA PRIVATE KEY-----".to_owned(),
            "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQdG\n-----END PGP PRIVATE KEY BLOCK-----".to_owned(),
            r"-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----".to_owned(),
            r"ghp\_A1b2C3d4E5f6G7h8I9j0".to_owned(),
        ] {
            for (before, after) in [("", ""), ("key = \"", "\";"), ("`", "`"), ("\\n", " 가"), ("```\n", "\n```")] {
                assert_eq!(redacted(&format!("{before}{secret}{after}")), format!("{before}[redacted]{after}"));
            }
        }
    }

    #[test]
    fn a_key_cut_short_goes_as_far_as_it_looks_like_one() {
        let line = "MIIEowIBAAKCAQEAabcdefghijklmnop";
        let header = "-----BEGIN PRIVATE KEY-----";
        assert_eq!(redacted(&format!("{header}\n{line}\n{line}\nThen prose.")), "[redacted]\nThen prose.");
        assert_eq!(redacted(&format!("a {header}")), "a [redacted]");
        assert_eq!(redacted(&format!("{header} stands in the file\n")), "[redacted] stands in the file\n");
        assert_eq!(redacted(&format!("{header}\n{line}")), "[redacted]");
        assert_eq!(redacted(&format!("{header}\n\nprose")), "[redacted]\n\nprose");
    }

    #[test]
    fn words_about_tokens_stay() {
        for text in [
            "tokens begin with `ghp_`, `github_pat_` or `glpat-`",
            "ghp_short",
            "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
            "AKIAshort AKIAIOSFODNN7EXAMPLEANDMORE",
            "eyJ is how it begins; eyJhbGciOiJIUzI1NiJ9 alone; eyJhbGci.x.y",
            "deployxox gl-pat glance-at-the-docs",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn long_runs_of_beginnings_come_to_an_end_and_settle() {
        for piece in ["eyJ", "-----BEGIN PRIVATE KEY-----", "-----BEGIN ", "AKIA", "ghp_", "xoxb-", "glpat-a."] {
            let text = piece.repeat(60_000 / piece.len());
            let clean = redacted(&text);
            assert_eq!(redacted(&clean), clean, "{piece}");
        }
    }
}

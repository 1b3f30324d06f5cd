//! Tokens and keys that a model echoes out of the code it read.

use std::borrow::Cow;
use std::ops::Range;

use super::super::unseen::Seen;
use super::edit::{EditKind, Tally};

const REDACTED: &str = "[redacted]";

/// A prefix after which a secret follows, what the secret is made of, and how long it is at least: a prefix with less
/// behind it is a word about tokens.
struct Shape {
    prefix: &'static str,
    alphabet: Alphabet,
    least: usize,
    /// Whether the prefix may also be the end of an ordinary word, and what follows a word.
    begins: Begins,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Begins {
    /// Wherever the prefix stands: no word has it.
    Anywhere,
    /// At the beginning of a word only, and what follows must not read as words with dashes between.
    Word,
}

const fn shape(prefix: &'static str, alphabet: Alphabet) -> Shape {
    Shape { prefix, alphabet, least: 10, begins: Begins::Anywhere }
}

const fn key(prefix: &'static str, alphabet: Alphabet, least: usize) -> Shape {
    Shape { prefix, alphabet, least, begins: Begins::Word }
}

const SHAPES: &[Shape] = &[
    // GitHub: personal, OAuth, user-to-server, server-to-server, refresh, fine-grained.
    shape("ghp_", Alphabet::Word),
    shape("gho_", Alphabet::Word),
    shape("ghu_", Alphabet::Word),
    shape("ghs_", Alphabet::Word),
    shape("ghr_", Alphabet::Word),
    shape("github_pat_", Alphabet::Word),
    // GitLab: "Token prefixes" in its security documentation.
    shape("glpat-", Alphabet::Dotted),
    shape("gldt-", Alphabet::Dotted),
    shape("glrt-", Alphabet::Dotted),
    shape("glrtr-", Alphabet::Dotted),
    shape("glcbt-", Alphabet::Dotted),
    shape("glptt-", Alphabet::Dotted),
    shape("glft-", Alphabet::Dotted),
    shape("glimt-", Alphabet::Dotted),
    shape("glagent-", Alphabet::Dotted),
    shape("glwt-", Alphabet::Dotted),
    shape("gloas-", Alphabet::Dotted),
    shape("glsoat-", Alphabet::Dotted),
    shape("glffct-", Alphabet::Dotted),
    // Slack: `xox` and one letter for the kind.
    shape("xox?-", Alphabet::Dashed),
    shape("xapp-", Alphabet::Dashed),
    // The keys that reviewers run with, and others that code is full of: Anthropic, OpenAI, Google, npm, Stripe.
    key("sk-ant-", Alphabet::Joined, 10),
    key("sk-proj-", Alphabet::Joined, 10),
    key("AIza", Alphabet::Joined, 16),
    key("npm_", Alphabet::Letters, 20),
    key("sk_live_", Alphabet::Letters, 10),
];

#[derive(Debug, Clone, Copy)]
enum Alphabet {
    /// Letters and digits alone.
    Letters,
    /// Letters, digits, `_`.
    Word,
    /// Letters, digits, `-`.
    Dashed,
    /// Letters, digits, `_`, `-`.
    Joined,
    /// Letters, digits, `_`, `-`, and `.` before another of them.
    Dotted,
}

/// The text with every secret replaced, in code too.
pub(super) fn redact<'a>(text: &'a str, tally: &mut Tally) -> Cow<'a, str> {
    let ranges = all(text);
    if ranges.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len());
    let mut done = 0;
    for range in &ranges {
        clean.push_str(&text[done..range.start]);
        clean.push_str(REDACTED);
        done = range.end;
    }
    clean.push_str(&text[done..]);
    tally.add(EditKind::Secret, ranges.len());
    Cow::Owned(clean)
}

/// The same for what is only shown.
pub(crate) fn without_keys(text: &str) -> Cow<'_, str> {
    redact(text, &mut Tally::default())
}

/// Where secrets stand, in their order and apart from each other; those too that invisible characters split.
fn all(text: &str) -> Vec<Range<usize>> {
    let mut found = find(text);
    if let Some(seen) = Seen::of(text) {
        found.extend(find(&seen.text).iter().map(|range| seen.back(range)));
        found.sort_unstable_by_key(|range| range.start);
    }
    let mut apart: Vec<Range<usize>> = Vec::with_capacity(found.len());
    for range in found {
        match apart.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => apart.push(range),
        }
    }
    apart
}

fn find(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut at) = (Vec::new(), 0);
    // Up to here no web token can begin: the run of its characters was looked at already.
    let (mut no_jwt_before, mut words_before) = (0, 0);
    let begins = |byte: &u8| matches!(byte, b'g' | b'x' | b's' | b'n' | b'A' | b'e' | b'-');
    while let Some(next) = text.as_bytes()[at..].iter().position(begins) {
        at += next;
        let (before, rest) = text.split_at(at);
        let length = match rest.as_bytes()[0] {
            b'g' | b'x' | b's' | b'n' => prefixed(before, rest, &mut words_before),
            // Inside a longer run it is no key, and what follows a key that was taken out is no new one.
            b'A' if before.ends_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit()) => None,
            b'A' => aws(rest).or_else(|| prefixed(before, rest, &mut words_before)),
            b'-' => pem(rest),
            _ if at < no_jwt_before => None,
            _ => jwt(rest).unwrap_or_else(|run| {
                no_jwt_before = at + run;
                None
            }),
        };
        match length {
            Some(length) => {
                found.push(at..at + length);
                at += length;
            }
            None => at += 1,
        }
    }
    found
}

/// `read` is up to where what follows a [`Begins::Word`] was looked at already, and found to be words.
fn prefixed(before: &str, rest: &str, read: &mut usize) -> Option<usize> {
    SHAPES.iter().find_map(|shape| {
        let start = after_prefix(rest, shape.prefix)?;
        if shape.begins == Begins::Word && (before.len() < *read || !begins_word(before)) {
            return None;
        }
        let (length, characters) = run(&rest[start..], shape.alphabet);
        if shape.begins == Begins::Word && !is_random(&rest[start..start + length]) {
            *read = before.len() + start + length;
            return None;
        }
        (characters >= shape.least).then_some(start + length)
    })
}

/// Whether a word begins behind this text. A letter behind a backslash is the end of an escape (`\n`).
fn begins_word(before: &str) -> bool {
    let mut back = before.chars().rev();
    match back.next() {
        Some(c) if c.is_alphanumeric() || c == '_' => back.next() == Some('\\'),
        _ => true,
    }
}

/// Whether it is no `your-key-goes-here`: something in it is no lower-case letter, or goes on for longer than words do.
fn is_random(run: &str) -> bool {
    const LONGEST_WORD: usize = 15;
    run.split(['-', '_', '\\'])
        .any(|part| part.len() > LONGEST_WORD || part.bytes().any(|b| b.is_ascii_uppercase() || b.is_ascii_digit()))
}

/// Where the prefix ends; `?` in it is any letter or digit. In prose a `_` or `-` may carry a backslash that nobody sees.
fn after_prefix(rest: &str, prefix: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let mut at = 0;
    for wanted in prefix.bytes() {
        if bytes.get(at) == Some(&b'\\') && matches!(wanted, b'_' | b'-') {
            at += 1;
        }
        let is_wanted = |byte: &u8| *byte == wanted || wanted == b'?' && byte.is_ascii_alphanumeric();
        if !bytes.get(at).is_some_and(is_wanted) {
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
        (Some(b'_'), Alphabet::Word | Alphabet::Joined | Alphabet::Dotted)
        | (Some(b'-'), Alphabet::Dashed | Alphabet::Joined | Alphabet::Dotted) => true,
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
            "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA\n-----END OPENSSH PRIVATE KEY-----".to_owned(),
            ["xoxc", "123456789012", "AbCdEfGhIjKl"].join("-"),
            ["sk", "ant", "api03", "AbCd_EfGh-0123456789AbCdEfGh-xyzAA"].join("-"),
            ["sk", "ant", "abcdefghijklmnopqrstuvwx"].join("-"),
            ["sk", "proj", "A1b2C3d4_E5f6-G7h8I9j0K1l2"].join("-"),
            format!("AIza{}", "SyA1b2C3d4E5f6-7h8I9j0K1l2M3n4O_5p6Q"),
            format!("npm_{classic}"),
            ["sk", "live", "51A1b2C3d4E5f6G7h8I9j0"].join("_"),
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
            "keys begin with `sk-…`, `sk-ant-…`, sk-ant-api03-..., sk-proj-<id>, `AIza…`, npm_…, sk_live_…, xoxb-…",
            "sk-ant-your-api-key-here, sk-proj-your-key, sk-ant-xxxx",
            "npm_config_registry npm_lifecycle_event npm_package_json_version pnpm_workspace",
            "task-proj-A1b2C3d4E5f6 risk-ant-A1b2C3d4E5f6 ask_live_A1b2C3d4E5f6",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn a_shape_that_invisible_characters_split_is_found() {
        let (ant, token) = ("sk-ant-api03-A1b2C3d4E5f6G7h8", "ghp_A1b2C3d4E5f6G7h8I9j0");
        for split in ["\u{200b}", "\u{200e}", "\u{ad}", "\u{2060}\u{feff}", "\u{fe0f}", r"\u{200b}", r"\u200b"] {
            for secret in [ant, token, "AKIAIOSFODNN7EXAMPLE", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3"]
            {
                for at in [1, 3, 8, secret.len() - 1] {
                    let (head, tail) = secret.split_at(at);
                    let text = format!("a `{head}{split}{tail}`{split}.");
                    assert_eq!(redacted(&text), format!("a `[redacted]`{split}."), "{text:?}");
                }
            }
        }
        // A mention that was broken up, and a text without a secret, stay as they are.
        assert_eq!(redacted("@\u{200b}ann \u{202e}x"), "@\u{200b}ann \u{202e}x");
    }

    #[test]
    fn long_runs_of_beginnings_come_to_an_end_and_settle() {
        for piece in [
            "eyJ",
            "-----BEGIN PRIVATE KEY-----",
            "-----BEGIN ",
            "AKIA",
            "ghp_",
            "xoxb-",
            "glpat-a.",
            "sk-ant-",
            "AIza",
            "npm_",
            "\\u200b-",
            "g\u{200b}hp_",
        ] {
            let text = piece.repeat(60_000 / piece.len());
            let clean = redacted(&text);
            assert_eq!(redacted(&clean), clean, "{piece}");
        }
    }
}

//! What must never be shown: every token that the run could see, used or not.

use std::fmt;
use std::ops::Range;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use secrecy::{ExposeSecret, SecretString};

use crate::settings::Settings;
use crate::settings::secret::{Holds, held_by};
use crate::text::Seen;

const REPLACEMENT: &str = "[redacted]";

/// Shorter texts are no tokens, and would take ordinary words out of every message.
const SHORTEST: usize = 4;

/// What is shorter may be an ordinary word, and stays in what a person or a program reads as a result.
const SHORTEST_IN_CONTENT: usize = 12;

/// Takes known secrets out of a text: as they are, percent-encoded, and as they look inside the base64
/// of a basic authorisation, whatever the user's name before them.
#[derive(Clone, Default)]
pub struct Secrets {
    /// Every spelling, the longest first, so that none is taken apart by a shorter one.
    spellings: Vec<SecretString>,
}

impl Secrets {
    /// The secrets of the environment and the dot-env files, the overruled ones too, and the passwords
    /// in the remotes' URLs, which git may quote in its own words.
    pub fn of<'a>(settings: &Settings, remote_urls: impl IntoIterator<Item = &'a str>) -> Self {
        let mut secrets = Self::default();
        for name in settings.names() {
            for value in settings.everywhere(name) {
                match held_by(name) {
                    Some(Holds::Secret) => secrets.add(value),
                    Some(Holds::Address) => credentials(value).iter().for_each(|part| secrets.add(part)),
                    // A name says less about what is short: `NO_PASSWORD=none`.
                    Some(Holds::Likely) if value.trim().len() >= SHORTEST_IN_CONTENT => secrets.add(value),
                    Some(Holds::Likely) | None => {}
                }
            }
        }
        for url in remote_urls {
            for part in credentials(url) {
                secrets.add(&part);
            }
        }
        secrets
    }

    /// One more text that must not be shown.
    pub fn add(&mut self, secret: &str) {
        let secret = secret.trim();
        if secret.len() < SHORTEST {
            return;
        }
        let encoded = utf8_percent_encode(secret, NON_ALPHANUMERIC).to_string();
        let url_encoded = |keep: &[char]| -> String {
            keep.iter()
                .fold(encoded.clone(), |text, char| text.replace(&format!("%{:02X}", *char as u32), &char.to_string()))
        };
        let mut spellings = vec![secret.to_owned(), encoded.clone(), url_encoded(&['-', '_', '.', '~'])];
        spellings.extend(spellings.clone().iter().map(|text| lower_escapes(text)));
        spellings.extend((0..3).filter_map(|offset| inside_base64(secret, offset)));
        for spelling in spellings {
            if spelling.len() >= SHORTEST && !self.spellings.iter().any(|known| known.expose_secret() == spelling) {
                self.spellings.push(SecretString::from(spelling));
            }
        }
        self.spellings.sort_by_key(|spelling| std::cmp::Reverse(spelling.expose_secret().len()));
    }

    /// The text without any of them.
    pub fn redact(&self, text: &str) -> String {
        self.replaced(text, SHORTEST).unwrap_or_else(|| text.to_owned())
    }

    /// The same for what is printed as a result, or posted: only long secrets, so that no word of a text and
    /// no key of a report is taken for one. `None` where there is nothing to take out.
    pub fn redact_content(&self, text: &str) -> Option<String> {
        self.replaced(text, SHORTEST_IN_CONTENT)
    }

    fn replaced(&self, text: &str, shortest: usize) -> Option<String> {
        let spellings = || self.spellings.iter().map(ExposeSecret::expose_secret).filter(|text| text.len() >= shortest);
        let whole = spellings().fold(None, |clean: Option<String>, spelling| {
            let text = clean.as_deref().unwrap_or(text);
            if text.contains(spelling) { Some(text.replace(spelling, REPLACEMENT)) } else { clean }
        });
        // What is still there is split by characters that nobody sees.
        let text = whole.as_deref().unwrap_or(text);
        let Some(seen) = Seen::of(text) else { return whole };
        let places = |spelling: &'_ str| -> Vec<Range<usize>> {
            seen.text.match_indices(spelling).map(|(at, _)| seen.back(&(at..at + spelling.len()))).collect()
        };
        let mut split: Vec<Range<usize>> = spellings().flat_map(places).collect();
        split.sort_unstable_by_key(|range| range.start);
        let mut clean = String::with_capacity(text.len());
        let mut done = 0;
        for range in &split {
            // One that begins inside another goes with it.
            if range.start >= done {
                clean.push_str(&text[done..range.start]);
                clean.push_str(REPLACEMENT);
            }
            done = done.max(range.end);
        }
        clean.push_str(&text[done..]);
        if split.is_empty() { whole } else { Some(clean) }
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secrets").finish_non_exhaustive()
    }
}

/// User and password of a URL. Either may be the token; git's own `ssh://git@` is not one, nor are the
/// names that forges give to a token's user.
fn credentials(url: &str) -> Vec<String> {
    let Some((scheme, rest)) = url.split_once("://") else { return Vec::new() };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let Some((user, _)) = authority.rsplit_once('@') else { return Vec::new() };
    let is_web = scheme.to_ascii_lowercase().contains("http");
    let (name, password) = user.split_once(':').map_or((user, None), |(name, password)| (name, Some(password)));
    // With a password beside it, a name is a name.
    let secret = password.or((is_web && !matches!(name, "git" | "oauth2" | "x-access-token")).then_some(name));
    let decoded = secret.map(|text| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned());
    secret.map(str::to_owned).into_iter().chain(decoded).collect()
}

/// `%2B` as `%2b`, which is the same to every reader.
fn lower_escapes(text: &str) -> String {
    let mut parts = text.split('%');
    let mut lower = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (escape, rest) = part.split_at_checked(2).unwrap_or((part, ""));
        lower.push('%');
        lower.push_str(&escape.to_ascii_lowercase());
        lower.push_str(rest);
    }
    lower
}

/// The digits of a text's base64 that are the same whatever stands around it, where `offset` bytes of
/// other text, modulo 3, stand before it (RFC 4648, section 4).
fn inside_base64(text: &str, offset: usize) -> Option<String> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bytes: Vec<u8> = std::iter::repeat_n(0, offset).chain(text.bytes()).collect();
    let bit = |at: usize| bytes.get(at / 8).is_some_and(|byte| byte >> (7 - at % 8) & 1 == 1);
    // A digit is six bits; only those made of the text's own bits are certain.
    let (first, last) = ((offset * 8).div_ceil(6), bytes.len() * 8 / 6);
    let digit = |index: usize| (0..6).fold(0usize, |value, place| value << 1 | usize::from(bit(index * 6 + place)));
    let digits: String = (first..last).map(|index| char::from(DIGITS[digit(index)])).collect();
    // A few digits would be found in any word.
    (digits.len() >= 8).then_some(digits)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::settings::{DotEnv, Env};

    fn secrets(of: &[&str]) -> Secrets {
        let mut secrets = Secrets::default();
        of.iter().for_each(|secret| secrets.add(secret));
        secrets
    }

    #[test]
    fn every_token_in_sight_is_known_used_or_not() {
        let env = Env::of([("GH_TOKEN", "ghp_used"), ("GITLAB_TOKEN", "glpat-unused\n"), ("CI_JOB_TOKEN", "jobtoken")]);
        let files = vec![DotEnv::of(".env.dai", [("GH_TOKEN", "ghp_overruled")])];
        let urls = ["https://me:p%40ss@git.corp/a/b", "https://urltoken@git.corp/a/b", "ssh://git@git.corp/a/b"];
        let secrets = Secrets::of(&Settings::new(env, files), urls);
        let text = "ghp_used glpat-unused jobtoken ghp_overruled p%40ss p@ss urltoken git@git.corp me";
        let expected = "[redacted] ".repeat(7) + "git@git.corp me";
        assert_eq!(secrets.redact(text), expected);
        assert!(!format!("{secrets:?}").contains("ghp_"));
    }

    #[test]
    fn a_token_is_found_in_a_url_and_in_a_basic_authorisation() {
        // The base64 texts are coreutils' `base64` of `x-access-token:ghp_0123456789abcdef`, of
        // `oauth2:ghp_0123456789abcdef` and of `:ghp_0123456789abcdef`.
        for text in [
            "eC1hY2Nlc3MtdG9rZW46Z2hwXzAxMjM0NTY3ODlhYmNkZWY=",
            "b2F1dGgyOmdocF8wMTIzNDU2Nzg5YWJjZGVm",
            "OmdocF8wMTIzNDU2Nzg5YWJjZGVm",
        ] {
            let clean = secrets(&["ghp_0123456789abcdef"]).redact(text);
            assert!(clean.contains(REPLACEMENT) && clean.len() < 40, "{clean}");
        }
        let secrets = secrets(&["a+b/c=d-e"]);
        for text in ["a+b/c=d-e", "a%2Bb%2Fc%3Dd%2De", "a%2Bb%2Fc%3Dd-e", "a%2bb%2fc%3dd-e"] {
            assert_eq!(secrets.redact(text), REPLACEMENT, "{text}");
        }
    }

    #[test]
    fn of_a_result_only_what_is_no_word_is_taken_out() {
        let secrets = secrets(&["line", "ghp_0123456789abcdef"]);
        assert_eq!(secrets.redact_content("a line"), None);
        assert_eq!(secrets.redact("a line"), "a [redacted]");
        assert_eq!(secrets.redact_content("a line, ghp_0123456789abcdef").as_deref(), Some("a line, [redacted]"));
    }

    #[test]
    fn of_a_result_what_is_as_short_as_a_key_may_be_is_taken_out() {
        for length in 11..=20 {
            let token = &"Zq7canary5f3c9e1b7d2"[..length];
            let clean = secrets(&[token]).redact_content(&format!("a {token}, b"));
            assert_eq!(clean.as_deref(), (length >= 12).then_some("a [redacted], b"), "{length}");
        }
    }

    #[test]
    fn what_invisible_characters_split_is_found() {
        let secrets = secrets(&["Zq7canary5f3c9e1b7d2", "ghp_0123456789abcdef"]);
        let text =
            "a Zq7can\u{200b}ary5f3c9\u{2060}e1b7d2 b ghp_0123\\u{200e}456789abcdef\u{200b} Zq7canary5f3c9e1b7d2";
        let clean = secrets.redact_content(text);
        assert_eq!(clean.as_deref(), Some("a [redacted] b [redacted]\u{200b} [redacted]"));
        assert_eq!(secrets.redact_content("a\u{200b}b"), None);
    }

    #[test]
    fn keys_are_known_by_the_end_of_their_variable_and_addresses_by_their_user_part() {
        let env = Env::of([
            ("ANTHROPIC_API_KEY", "reviewerskey1"),
            ("DEPLOY_PASSWORD", "shortone"),
            ("CI_REPOSITORY_URL", "https://gitlab-ci-token:jobtoken@git.corp/a/b.git"),
            ("CI_PROJECT_PATH", "group/project"),
        ]);
        let secrets = Secrets::of(&Settings::new(env, Vec::new()), []);
        let text = "reviewerskey1 shortone jobtoken https://git.corp/a/b.git group/project";
        assert_eq!(secrets.redact(text), "[redacted] shortone [redacted] https://git.corp/a/b.git group/project");
    }

    #[test]
    fn ordinary_text_and_tiny_secrets_change_nothing() {
        assert_eq!(secrets(&["", " ", "ab"]).redact("ab cabbage"), "ab cabbage");
        assert_eq!(secrets(&["ghp_x1y2"]).redact("nothing here"), "nothing here");
    }

    #[test]
    fn a_token_within_another_leaves_no_rest() {
        assert_eq!(secrets(&["glpat-ab", "glpat-abcdef"]).redact("glpat-abcdef glpat-ab"), "[redacted] [redacted]");
    }

    proptest! {
        #[test]
        fn no_token_survives(token in "[A-Za-z0-9_-]{12,40}", before in "[ -~]{0,9}", after in "[ -~]{0,9}") {
            let clean = secrets(&[&token]).redact(&format!("{before}{token}{after}"));
            prop_assert!(!clean.contains(&token));
        }
    }
}

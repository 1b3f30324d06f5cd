//! What a CI runner reads as a command in what a step prints, and how it is taken away.
//!
//! GitHub's runner takes `##[name …]` anywhere in a line, and `::name …::` at its start behind blanks (`ActionCommand.cs` of
//! actions/runner); Azure's agent takes `##vso[…]` anywhere (`Command.cs`), Gitea's and Forgejo's take GitHub's two forms at
//! the very start of a line (`command.go` of nektos/act), TeamCity takes `##teamcity[…]`. All read both streams.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::review::acts;

/// The variables by which a run knows that a runner reads what it prints.
pub const VARIABLES: [&str; 5] = ["GITHUB_ACTIONS", "GITEA_ACTIONS", "FORGEJO_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"];

/// Takes up no room and is no part of any command.
const BREAK: char = '\u{200b}';

/// The text with a U+200B in every place that a runner would obey.
pub fn without_commands(text: &str) -> Cow<'_, str> {
    let mut breaks: Vec<usize> = brackets(text).collect();
    let mut at = 0;
    for line in text.split_inclusive(['\n', '\r']) {
        let start = at + blanks(line);
        if text[start..].starts_with("::") {
            breaks.push(start);
        }
        at += line.len();
    }
    if breaks.is_empty() {
        return Cow::Borrowed(text);
    }
    breaks.sort_unstable();
    let mut out = String::with_capacity(text.len() + breaks.len() * BREAK.len_utf8());
    let mut done = 0;
    for place in breaks {
        out.push_str(&text[done..place]);
        out.push(BREAK);
        done = place;
    }
    out.push_str(&text[done..]);
    Cow::Owned(out)
}

/// A JSON document with the same values, in which no runner finds a command and a terminal nothing to obey or to hide:
/// such a character stands only in strings, and there JSON has an escape for it. The bytes are the same in any CI and in none.
pub fn json(text: &str) -> Cow<'_, str> {
    let mut brackets = brackets(text).peekable();
    let plain = |line: &str| line.bytes().all(|byte| matches!(byte, b'\n' | b' '..=b'~'));
    if brackets.peek().is_none() && plain(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        if plain(line) && brackets.peek().is_none_or(|next| *next >= end) {
            out.push_str(line);
            at = end;
            continue;
        }
        for (offset, c) in line.char_indices() {
            let is_bracket = brackets.next_if_eq(&(at + offset)).is_some();
            if !is_bracket && (c == '\n' || !acts(c)) {
                out.push(c);
                continue;
            }
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                // Writing into a string cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
        at = end;
    }
    Cow::Owned(out)
}

/// Where a `[` stands behind `##`, or behind `##` and letters.
fn brackets(text: &str) -> impl Iterator<Item = usize> {
    let is_command = |at: &usize| text[..*at].trim_end_matches(|c: char| c.is_ascii_alphabetic()).ends_with("##");
    text.match_indices('[').map(|(at, _)| at).filter(is_command)
}

/// The length of the blanks that a line begins with, codes of colour among them.
fn blanks(line: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = &line[at..];
        let code = rest.strip_prefix("\u{1b}[").and_then(|code| {
            let end = code.find(|c: char| !(c.is_ascii_digit() || c == ';'))?;
            code[end..].starts_with('m').then_some(end + 3)
        });
        let blank = rest.chars().next().filter(|c| c.is_whitespace() || acts(*c) && *c != '\u{1b}').map(char::len_utf8);
        match code.or(blank) {
            Some(length) => at += length,
            None => return at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{json, without_commands};

    #[test]
    fn commands_are_broken_up_and_nothing_else_changes() {
        for (text, shown) in [
            ("a ##[error]b", "a ##\u{200b}[error]b"),
            ("###[x] ##[y]", "###\u{200b}[x] ##\u{200b}[y]"),
            ("##vso[task.x]", "##vso\u{200b}[task.x]"),
            ("::error::x\n \t::Error ::\r::x\n", "\u{200b}::error::x\n \t\u{200b}::Error ::\r\u{200b}::x\n"),
            ("\u{1b}[1m ::x", "\u{1b}[1m \u{200b}::x"),
            ("\u{a0}\u{3000}::x", "\u{a0}\u{3000}\u{200b}::x"),
        ] {
            assert_eq!(without_commands(text), shown);
        }
        for text in ["", "\n\n", "a::b ::c::", "[##] #[x] ## [x]\n: :x", "1. ::x", "vec![] 한::글"] {
            assert_eq!(without_commands(text), text);
        }
    }

    #[test]
    fn a_document_keeps_its_values() {
        for value in ["##[error]", "##vso[a]", "a\u{202e}b\u{200e}", "plain 한", "\u{e0041}##[", "####[[##["] {
            let document = format!("{:#}\n", serde_json::json!({ value: [value] }));
            let inert = json(&document);
            assert!(!inert.contains("##[") && !inert.contains("##vso[") && !inert.contains(['\u{202e}', '\u{200e}']));
            let read: serde_json::Value = serde_json::from_str(&inert).unwrap();
            assert_eq!(read, serde_json::json!({ value: [value] }));
        }
        assert_eq!(json("{ \"a\": \"##[x]\" }\n"), "{ \"a\": \"##\\u005bx]\" }\n");
    }
}

//! Texts in which there is nothing to look for, told without parsing: most findings are such, and a
//! review may have thousands.

use super::bots;

/// Whether no forge and no bot could read anything into a text, whatever of it is code and whatever
/// prose. Says no when unsure; then the pass decides. Characters and secrets have been seen to before.
pub(super) fn is_idle(text: &str) -> bool {
    let plain = |c: char| match c {
        ' ' | '\n' | '.' | ',' | ';' | ':' | '\'' | '"' | '(' | ')' | '?' | '=' | '+' | '*' | '_' | '|' => true,
        '{' | '}' | '`' | '/' | '-' => true,
        c => c.is_alphanumeric(),
    };
    text.chars().all(plain)
        && text.contains(char::is_alphabetic)
        && !has_address(text)
        && !has_short_name(text)
        && text.split('\n').all(opens_nothing)
}

/// `https://…`, `www.…`.
fn has_address(text: &str) -> bool {
    text.contains("://") || text.as_bytes().windows(3).any(|part| part.eq_ignore_ascii_case(b"www"))
}

/// `GH-12`.
fn has_short_name(text: &str) -> bool {
    text.as_bytes().windows(2).any(|pair| pair[0] == b'-' && pair[1].is_ascii_digit())
}

/// No command and no fence.
fn opens_nothing(line: &str) -> bool {
    let line = line.trim_start_matches(' ');
    !line.starts_with(['/', ':']) && !line.contains("```") && !line.contains("*iteration") && !bots::is_command(line)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::is_idle;
    use crate::text::Dialect;
    use crate::text::neutralise::pass::looked_over;

    const PIECES: [&str; 40] = [
        "a", "Z", "9", " ", "\n", "    ", "/", "`", "``", "-", "--", "- ", "1. ", "* ", "_", "**", "|", "|-|", ":",
        "(", ")", "\"", "=", "===", "+ ", "{", "}", "%", ".", ",", "?", "gh", "GH", "w", "www", "http", "한", "é", "'",
        ";",
    ];

    proptest! {
        /// The pass itself is the truth: it finds nothing in a text that was not shown to it.
        #[test]
        fn the_pass_leaves_an_idle_text_as_it_is(parts in prop::collection::vec(0..PIECES.len(), 0..40)) {
            let text: String = parts.into_iter().map(|at| PIECES[at]).collect();
            if is_idle(&text) {
                for dialect in [Dialect::GitHub, Dialect::GitLab] {
                    let clean = looked_over(&text, dialect);
                    prop_assert_eq!((clean.text, clean.edits), (text.clone(), vec![]));
                }
            }
        }
    }

    #[test]
    fn whatever_might_act_is_looked_at() {
        for text in [
            "/approve",
            "a\n/close",
            "  /x",
            "@ann",
            "#12",
            "!12",
            "&12",
            "GH-12",
            "see https://x",
            "www.x",
            "Www.x",
            "```\n",
            "~~~",
            ">>> ",
            "<b>",
            "[a](b)",
            "![a](b)",
            "\\@",
            "&#64;a",
            "a\u{202e}",
            "$x$",
            "a@b.c",
            "\t",
        ] {
            assert!(!is_idle(text), "{text:?}");
        }
        for text in ["The check on `req.user` went away: see src/a.rs, line 12.", "한국어 문장.\n\n- a\n- b"] {
            assert!(is_idle(text), "{text:?}");
        }
    }
}

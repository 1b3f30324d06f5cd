//! The pass over every posted word.

use crate::acting;
use dai::text::{Dialect, EditKind, assert_inert, block, code, inline};

const FOOT: &str = "*Written by an AI reviewer, posted with `dai` from this account.*\n\n<!-- dai v1 finding=0123456789abcdef place=0123456789abcdef -->";

/// Whatever a text is: nothing in its output acts, by an oracle that shares nothing with the pass; its own output has nothing
/// left to change, and with its footer it may be sent.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for dialect in [Dialect::GitHub, Dialect::GitLab] {
        let gitlab = dialect == Dialect::GitLab;
        let clean = block(&text, dialect);
        if clean.edits.is_empty() {
            assert_eq!(clean.text, text, "changed without a word");
        }
        let again = block(&clean.text, dialect);
        assert_eq!(again.text, clean.text, "not idempotent");
        assert!(again.edits.is_empty(), "{:?}", again.edits);
        let whole = format!("{}\n\n{FOOT}", clean.text);
        assert_inert(&whole, dialect).unwrap_or_else(|alarm| panic!("{alarm}: {whole:?}"));
        assert_eq!(acting::acts(&whole, gitlab), Vec::<String>::new(), "{text:?} became {whole:?}");
        let last = acting::top_blocks(&whole, gitlab).pop();
        assert!(last.is_some_and(|(kind, _)| kind == "html"), "the marker of {whole:?} is swallowed");
        let line = inline(&text, dialect);
        for short in [&line, &code(&text)] {
            assert!(!short.text.contains(['\n', '\r']), "{text:?} became {:?}", short.text);
            let sentence = format!("In a sentence, {}\n\n{FOOT}", short.text);
            assert_inert(&sentence, dialect).unwrap_or_else(|alarm| panic!("{alarm}: {sentence:?}"));
            assert_eq!(acting::acts(&sentence, gitlab), Vec::<String>::new(), "{text:?} became {sentence:?}");
        }
        assert_eq!(inline(&line.text, dialect).text, line.text, "inline is not idempotent");
    }
    in_code(&text);
}

/// The first 5,000 texts of a grammar of hostile shapes: nothing of them acts, and all of them may be sent.
#[test]
fn hostile_texts_of_a_fixed_seed_do_not_act() {
    let mut dice = crate::grammar::Dice::new(13);
    for _ in 0..5_000 {
        let text = crate::grammar::text(&mut dice);
        for dialect in [Dialect::GitHub, Dialect::GitLab] {
            let clean = block(text.trim_start_matches(['\n', '\r']).trim_end(), dialect).text;
            let whole = format!("**High severity**\n\n{}\n\n{FOOT}", clean.trim_end());
            assert_eq!(
                acting::acts(&whole, dialect == Dialect::GitLab),
                Vec::<String>::new(),
                "{text:?} became {whole:?}"
            );
            assert_eq!(assert_inert(&whole, dialect), Ok(()), "{text:?} became {whole:?}");
        }
    }
}

/// What stands in a closed fence of three back-ticks at column 0 passes byte for byte; in another code block every line may
/// get one space before it, and nothing else.
fn in_code(text: &str) {
    if text.contains("```") || text.contains("~~~") {
        return;
    }
    let body = text.replace('\r', "");
    for fence in ["```", "~~~"] {
        let fenced = format!("{fence}\n{body}\n{fence}\n");
        let clean = block(&fenced, Dialect::GitLab);
        if clean
            .edits
            .iter()
            .any(|edit| matches!(edit.kind, EditKind::Control | EditKind::Secret | EditKind::BotCommand))
        {
            continue;
        }
        let (wanted, got): (Vec<_>, Vec<_>) = (fenced.lines().collect(), clean.text.lines().collect());
        assert_eq!(wanted.len(), got.len(), "{fenced:?} became {:?}", clean.text);
        for (wanted, got) in wanted.into_iter().zip(got) {
            let spaced = fence == "~~~" && got.strip_prefix(' ') == Some(wanted);
            assert!(wanted == got || spaced, "{wanted:?} became {got:?}");
        }
    }
}

//! The pass over every posted word.

use dai::text::{EditKind, assert_inert, block, code, inline};

const MARKER: &str = "<!-- dai v1 finding=0123456789abcdef place=0123456789abcdef -->";

/// Whatever a text is: its own output has nothing left to change, and with its marker it may be sent.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let clean = block(&text);
    if clean.edits.is_empty() {
        assert_eq!(clean.text, text, "changed without a word");
    }
    let again = block(&clean.text);
    assert_eq!(again.text, clean.text, "not idempotent");
    assert!(again.edits.is_empty(), "{:?}", again.edits);
    let whole = format!("{}\n\n{MARKER}", clean.text);
    assert_inert(&whole).unwrap_or_else(|alarm| panic!("{alarm}: {whole:?}"));
    for (name, short) in [("inline", inline as fn(&str) -> _), ("code", code)] {
        let clean = short(&text);
        assert!(!clean.text.contains(['\n', '\r']), "{name} of {text:?}: {:?}", clean.text);
        let sentence = format!("In a sentence, {}\n\n{MARKER}", clean.text);
        assert_inert(&sentence).unwrap_or_else(|alarm| panic!("{name}: {alarm}: {sentence:?}"));
    }
    let line = inline(&text);
    assert_eq!(inline(&line.text).text, line.text, "inline is not idempotent");
    in_code(&text);
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
        let clean = block(&fenced);
        if clean.edits.iter().any(|edit| matches!(edit.kind, EditKind::Control | EditKind::Secret)) {
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

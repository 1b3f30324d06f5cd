//! What a value must be: one rule a kind of field, `None` for what is not allowed.

use super::document::Document;
use super::finding::{Confidence, Severity, Side, State};
use super::node::{Kind, Node};
use crate::change::CommitId;

pub(super) fn text<'d>(_: &'d Document, node: &'d Node) -> Option<&'d str> {
    if let Kind::Text(text) = &node.kind { Some(text) } else { None }
}

/// Not blank. A zero-width no-break space is as blank as a space.
pub(super) fn some_text<'d>(document: &'d Document, node: &'d Node) -> Option<&'d str> {
    text(document, node).filter(|text| !is_blank(text))
}

pub(super) fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || c == '\u{feff}')
}

/// Not blank, and without a control character (so in one line).
pub(super) fn id<'d>(document: &'d Document, node: &'d Node) -> Option<&'d str> {
    some_text(document, node).filter(|text| !text.chars().any(char::is_control))
}

pub(super) fn list<'d>(_: &'d Document, node: &'d Node) -> Option<&'d [Node]> {
    if let Kind::List(items) = &node.kind { Some(items) } else { None }
}

/// Digits only: `12.0` and `1e9` are numbers, and what wrote them did not count lines.
pub(super) fn line_or_zero(document: &Document, node: &Node) -> Option<u32> {
    let Kind::Number = node.kind else { return None };
    let digits = document.raw(node);
    digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

pub(super) fn line(document: &Document, node: &Node) -> Option<u32> {
    line_or_zero(document, node).filter(|line| *line > 0)
}

pub(super) fn confidence(document: &Document, node: &Node) -> Option<Confidence> {
    let Kind::Number = node.kind else { return None };
    document.raw(node).parse().ok().and_then(Confidence::new)
}

pub(super) fn severity(document: &Document, node: &Node) -> Option<Severity> {
    text(document, node).and_then(Severity::parse)
}

pub(super) fn side(document: &Document, node: &Node) -> Option<Side> {
    text(document, node).and_then(Side::parse)
}

pub(super) fn state(document: &Document, node: &Node) -> Option<State> {
    text(document, node).and_then(State::parse)
}

pub(super) fn commit(document: &Document, node: &Node) -> Option<CommitId> {
    text(document, node).and_then(CommitId::parse)
}

/// Relative, without `..`, and naming something, read with `/` and with `\` between the parts. A
/// line break in it is allowed: git has such names; NUL is in none.
pub(super) fn path<'d>(document: &'d Document, node: &'d Node) -> Option<&'d str> {
    text(document, node).filter(|path| is_relative(path))
}

/// As [`path`], or absolute: where it is then is only known beside a repository.
pub(super) fn any_path<'d>(document: &'d Document, node: &'d Node) -> Option<&'d str> {
    text(document, node).filter(|path| is_relative(path) || is_absolute(path))
}

/// Absolute on any system, without `..`, and naming something.
pub(super) fn is_absolute(path: &str) -> bool {
    let rest = match path.as_bytes() {
        [drive, b':', b'/' | b'\\', ..] if drive.is_ascii_alphabetic() => &path[2..],
        _ => path,
    };
    rest.starts_with(['/', '\\']) && is_relative(rest.trim_start_matches(['/', '\\']))
}

pub(super) fn is_relative(path: &str) -> bool {
    let bytes = path.as_bytes();
    let drive =
        bytes.len() > 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && matches!(bytes[2], b'/' | b'\\');
    let mut parts = path.split(['/', '\\']);
    let names = parts.clone().any(|part| !matches!(part, "" | "."));
    names && !drive && !path.starts_with(['/', '\\']) && !path.contains('\0') && !parts.any(|part| part == "..")
}

#[cfg(test)]
mod tests {
    use super::{is_absolute, is_relative};

    #[test]
    fn c69_an_absolute_path_is_one_on_any_system() {
        for path in ["/a", "\\a", "//h/a", "C:/a", "c:\\a\\b"] {
            assert!(is_absolute(path), "{path:?}");
        }
        for path in ["a", "/", "/.", "C:/", "/a/../b", "C:a", "/a\0", ""] {
            assert!(!is_absolute(path), "{path:?}");
        }
    }

    #[test]
    fn c27_paths_are_relative_and_stay_inside() {
        for path in
            ["a", "./a", "a\\b", ".\\a", "a b ", " ", "...", "a..b/..c", "a:b", "C:a", ".a/", "한/\n\"", "a/./b"]
        {
            assert!(is_relative(path), "{path:?}");
        }
        for path in [
            "", ".", "./", ".\\.", "/a", "\\a", "//h/a", "../a", "a/../b", "a/..", "..", "a\\..\\b", "C:/a", "c:\\a",
            "a\0",
        ] {
            assert!(!is_relative(path), "{path:?}");
        }
    }
}

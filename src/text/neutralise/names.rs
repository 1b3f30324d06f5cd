//! Names that wake somebody, leave a trace, or become a link to what somebody else's project holds.
//!
//! Forges look for them in the rendered text. Rules are wider than the forges' own where those depend on
//! what exists: a label `~bug` is a link only where there is one of that name.

use super::edit::EditKind;
use crate::text::Dialect;

/// GitLab's long forms, `[issue:12]` and its kin (`app/models/concerns/referable.rb` and its users).
const LONG_FORMS: [&str; 10] = [
    "issue",
    "work_item",
    "epic",
    "vulnerability",
    "feature_flag",
    "contact",
    "wiki_page",
    "snippet",
    "cadence",
    "alert",
];

/// What the character at `at` begins, if a forge reads anything into it.
pub(super) fn name_at(chars: &[char], at: usize, dialect: Dialect) -> Option<EditKind> {
    let lab = dialect == Dialect::GitLab;
    match chars[at] {
        '@' if is_mention(chars, at) => Some(EditKind::Mention),
        '@' if is_foreign_commit(chars, at) => Some(EditKind::Reference),
        '#' if is_number(chars, at + 1) => Some(EditKind::Reference),
        '!' | '&' if lab && is_number(chars, at + 1) => Some(EditKind::Reference),
        '-' if is_prefixed_number(chars, at, dialect) => Some(EditKind::Reference),
        ':' if lab && is_long_form(chars, at) => Some(EditKind::Reference),
        ':' if lab && is_iteration(chars, at) => Some(EditKind::Label),
        '[' if lab && is_contents(chars, at) => Some(EditKind::Label),
        '~' | '%' if lab && is_label(chars, at) => Some(EditKind::Label),
        '$' if lab && is_number(chars, at + 1) && !in_word(chars, at) => Some(EditKind::Label),
        _ => None,
    }
}

fn word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn in_word(chars: &[char], at: usize) -> bool {
    // An `_` may be an escaped one, which GitLab shows in a span of its own.
    at.checked_sub(1).is_some_and(|before| chars[before].is_ascii_alphanumeric())
}

/// An `@` before a name, and not inside an address like `a@b.c`. GitHub wants no `\w` before it, and
/// GitLab neither; an `_` may be the end of an emphasis, which nobody sees.
fn is_mention(chars: &[char], at: usize) -> bool {
    let name = match chars.get(at + 1) {
        Some('.' | '-') => chars.get(at + 2).is_some_and(|c| c.is_alphanumeric() || *c == '_'),
        Some(c) => c.is_alphanumeric() || *c == '_',
        None => false,
    };
    name && !at.checked_sub(1).is_some_and(|before| chars[before].is_ascii_alphanumeric())
}

/// `group/project@0123abc` notes its mention on a commit of another project.
fn is_foreign_commit(chars: &[char], at: usize) -> bool {
    const LONGEST: usize = 256;
    let hex = chars[at + 1..].iter().take_while(|c| c.is_ascii_hexdigit()).take(7).count();
    let name = |c: &&char| word(**c) || matches!(**c, '.' | '-' | '/');
    hex == 7 && chars[..at].iter().rev().take(LONGEST).take_while(name).any(|c| *c == '/')
}

/// Digits, and then no letter: `#12`, not `#1a2b3c`. An `_` may again be an emphasis.
fn is_number(chars: &[char], at: usize) -> bool {
    let rest = chars.get(at..).unwrap_or_default();
    let digits = rest.iter().take_while(|c| c.is_ascii_digit()).count();
    digits > 0 && rest.get(digits).is_none_or(|c| !c.is_ascii_alphanumeric())
}

/// `GH-12` on GitHub, `GL-12` on GitLab.
fn is_prefixed_number(chars: &[char], at: usize, dialect: Dialect) -> bool {
    let second = if dialect == Dialect::GitHub { 'H' } else { 'L' };
    let letter =
        |back: usize, wanted: char| at.checked_sub(back).is_some_and(|at| chars[at].eq_ignore_ascii_case(&wanted));
    let in_word = at.checked_sub(3).is_some_and(|at| chars[at].is_ascii_alphanumeric());
    letter(2, 'G') && letter(1, second) && !in_word && is_number(chars, at + 1)
}

fn ends_with(chars: &[char], at: usize, form: &str) -> bool {
    let length = form.chars().count();
    at.checked_sub(length)
        .is_some_and(|from| chars[from..at].iter().zip(form.chars()).all(|(c, wanted)| c.eq_ignore_ascii_case(&wanted)))
}

fn is_long_form(chars: &[char], at: usize) -> bool {
    let named = chars.get(at + 1).is_some_and(is_shown);
    let opened = |form: &&str| {
        let length = form.len();
        ends_with(chars, at, form) && at.checked_sub(length + 1).is_some_and(|from| chars[from] == '[')
    };
    named && LONG_FORMS.iter().any(opened)
}

fn is_shown(c: &char) -> bool {
    !c.is_whitespace() && *c != '\u{200B}'
}

/// `*iteration:12`
fn is_iteration(chars: &[char], at: usize) -> bool {
    ends_with(chars, at, "iteration") && chars.get(at + 1).is_some_and(is_shown)
}

/// `~bug`, `~"in review"`, `%v1`, `%{project_path}`; not `~/path`, `100%`, `~~`.
fn is_label(chars: &[char], at: usize) -> bool {
    let begins = chars.get(at + 1).is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '"' | '{'));
    begins && !in_word(chars, at)
}

/// `[[_TOC_]]` and `[TOC]`, for which GitLab writes a table of contents.
fn is_contents(chars: &[char], at: usize) -> bool {
    let follows = |form: &str| {
        let rest = chars.get(at..at + form.len()).unwrap_or_default();
        rest.iter().zip(form.chars()).all(|(c, wanted)| c.eq_ignore_ascii_case(&wanted)) && !rest.is_empty()
    };
    follows("[[_toc_]]") || follows("[toc]")
}

/// How many characters of a name are shown as code so that they can be copied: a package, a decorator,
/// a team. Plain words, to which bots answer wherever they stand, are broken up instead.
pub(super) fn code_like(chars: &[char], at: usize) -> Option<usize> {
    let in_name = |c: &&char| word(**c) || matches!(**c, '.' | '-' | '/');
    let run = |from: usize| chars[from..].iter().take_while(in_name).count();
    let trimmed = |from: usize, length: usize| {
        let trailing = chars[from..from + length].iter().rev().take_while(|c| matches!(c, '.' | '-' | '/')).count();
        length - trailing
    };
    let mut end = at + 1 + trimmed(at + 1, run(at + 1));
    let name = &chars[at + 1..end];
    let called = chars.get(end) == Some(&'(');
    let first: String = name.iter().take_while(|c| word(**c) || **c == '-').collect();
    let package = name.contains(&'/') || name.first().is_some_and(char::is_ascii_uppercase);
    if !(package || called || DECORATORS.contains(&&*first)) {
        return None;
    }
    // The version of a package.
    if name.contains(&'/') && chars.get(end) == Some(&'@') {
        let digits = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '^' | '~');
        if chars.get(end + 1).is_some_and(digits) {
            let from = end + 1;
            let length = chars[from..].iter().take_while(|c| digits(c) || matches!(c, '.' | '-')).count();
            end = from + trimmed(from, length);
        }
    }
    Some(end - at)
}

/// Words behind an `@` that are of a language and not of a person.
const DECORATORS: &[&str] = &[
    "abstractmethod",
    "author",
    "charset",
    "classmethod",
    "container",
    "contextmanager",
    "custom",
    "dataclass",
    "decorator",
    "deprecated",
    "dynamic",
    "example",
    "extend",
    "final",
    "fixture",
    "font-face",
    "forward",
    "function",
    "import",
    "include",
    "inject",
    "inline",
    "interface",
    "internal",
    "keyframes",
    "layer",
    "link",
    "media",
    "memoize",
    "mixin",
    "namespace",
    "objc",
    "observable",
    "override",
    "overload",
    "page",
    "param",
    "private",
    "property",
    "protected",
    "public",
    "pytest",
    "readonly",
    "return",
    "returns",
    "see",
    "since",
    "staticmethod",
    "supports",
    "switch",
    "throws",
    "todo",
    "tailwind",
    "ts-check",
    "ts-expect-error",
    "ts-ignore",
    "ts-nocheck",
    "type",
    "typedef",
    "use",
    "version",
    "wraps",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn like(text: &str) -> Option<String> {
        let chars: Vec<char> = text.chars().collect();
        code_like(&chars, 0).map(|length| chars[..length].iter().collect())
    }

    #[test]
    fn packages_teams_and_decorators_are_shown_as_code() {
        for (text, expected) in [
            ("@babel/core@7 is", Some("@babel/core@7")),
            ("@types/node.", Some("@types/node")),
            ("@scope/a-b@^1.2.3, x", Some("@scope/a-b@^1.2.3")),
            ("@Override", Some("@Override")),
            ("@app.route('/')", Some("@app.route")),
            ("@property", Some("@property")),
            ("@pytest.fixture", Some("@pytest.fixture")),
            ("@org/team", Some("@org/team")),
            ("@ann", None),
            ("@ann.", None),
            ("@dependabot rebase", None),
        ] {
            assert_eq!(like(text).as_deref(), expected, "{text}");
        }
    }
}

//! The changed path that a path outside the change probably means.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization as _;

use crate::review::distance;

/// The one of `changed` that is nearest: the same but for how it is written, else the only one with a few
/// letters off. `None` where there is none, or several are as near.
pub(super) fn near_path<'c>(written: &str, changed: impl Iterator<Item = &'c str> + Clone) -> Option<&'c str> {
    let meant: BTreeSet<String> = spellings(written).iter().map(|spelling| folded(spelling)).collect();
    let same: BTreeSet<&str> = changed.clone().filter(|path| meant.contains(&folded(path))).collect();
    match (same.len(), same.first()) {
        (1, Some(only)) => return Some(only),
        (0, _) => {}
        _ => return None,
    }
    let bare = folded(written);
    let mut near: Vec<(usize, &str)> =
        changed.filter_map(|path| Some((distance(&bare, &folded(path))?, path))).collect();
    near.sort_unstable();
    near.dedup();
    match near[..] {
        [(_, only)] => Some(only),
        [(best, first), (second, _), ..] if best < second => Some(first),
        _ => None,
    }
}

/// Ways in which a path is written by mistake, taken back one after another.
fn spellings(written: &str) -> Vec<String> {
    let unquoted = unquoted(written.trim()).unwrap_or_else(|| written.trim().to_owned());
    let slashes = unquoted.replace('\\', "/");
    let plain = slashes.split('/').filter(|part| !matches!(*part, "" | ".")).collect::<Vec<_>>().join("/");
    let mut all = vec![written.to_owned(), unquoted, plain];
    let numberless = all.iter().map(|path| without_number(path).to_owned()).collect::<Vec<_>>();
    all.extend(numberless);
    // `a/` and `b/` of a patch, or the repository's own folder.
    let below = all.iter().filter_map(|path| Some(path.split_once('/')?.1.to_owned())).collect::<Vec<_>>();
    all.extend(below);
    all
}

/// Without `:10`, `:10:5`, `:10-12` or `#L10` behind.
fn without_number<'p>(path: &'p str) -> &'p str {
    let number = |rest: &str| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'L'));
    let mut path = path;
    let cut = |path: &'p str| path.rsplit_once([':', '#']).filter(|(before, rest)| !before.is_empty() && number(rest));
    while let Some((before, _)) = cut(path) {
        path = before;
    }
    path
}

/// git's quoting of a name that is not plain.
fn unquoted(name: &str) -> Option<String> {
    let inner = name.strip_prefix('"')?.strip_suffix('"')?;
    String::from_utf8(super::git::unquoted(inner)?).ok()
}

/// One Unicode form, one case.
fn folded(path: &str) -> String {
    path.nfc().flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::near_path;

    #[test]
    fn c68_a_path_is_known_by_what_is_usually_wrong_with_it() {
        let changed = ["docs/café.md", "src/a.rs", "src/long_name.rs", "b.txt"];
        for (written, expected) in [
            ("docs/cafe\u{301}.md", Some("docs/café.md")),
            ("\"docs/caf\\303\\251.md\"", Some("docs/café.md")),
            ("a/src/a.rs", Some("src/a.rs")),
            ("b/src/a.rs", Some("src/a.rs")),
            ("widgets/src/a.rs", Some("src/a.rs")),
            ("SRC/A.rs", Some("src/a.rs")),
            ("src/a.rs:10", Some("src/a.rs")),
            ("b/src/a.rs:10:5", Some("src/a.rs")),
            ("src/a.rs#L10-L12", Some("src/a.rs")),
            ("src/a.rs ", Some("src/a.rs")),
            ("SRC\\a.rs", Some("src/a.rs")),
            ("src/lnog_name.rs", Some("src/long_name.rs")),
            ("quite/other.rs", None),
            ("b/b.txt", Some("b.txt")),
        ] {
            assert_eq!(near_path(written, changed.into_iter()), expected, "{written}");
        }
        assert_eq!(near_path("SRC/A.rs", ["src/a.rs", "Src/a.rs"].into_iter()), None, "two are as near");
        assert_eq!(near_path("src/x.rs", ["src/y.rs", "src/z.rs"].into_iter()), None, "two are as near");
    }
}

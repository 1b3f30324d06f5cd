//! A finding's path: as written first, then as a careless reviewer meant it.

/// The spellings under which a finding's file is looked for: as written, then with `\` as `/` and
/// every `./` taken out, where that differs.
pub fn candidates(path: &str) -> impl Iterator<Item = String> {
    let slashes = path.replace('\\', "/");
    let normal = slashes.split('/').filter(|part| !matches!(*part, "." | "")).collect::<Vec<_>>().join("/");
    let second = (normal != path).then_some(normal);
    std::iter::once(path.to_owned()).chain(second)
}

#[cfg(test)]
mod tests {
    use super::candidates;

    #[test]
    fn as_written_comes_first_and_the_normal_form_second() {
        for (written, expected) in [
            ("src/a.rs", vec!["src/a.rs"]),
            ("./src/a.rs", vec!["./src/a.rs", "src/a.rs"]),
            ("src\\a.rs", vec!["src\\a.rs", "src/a.rs"]),
            ("src/./b//c", vec!["src/./b//c", "src/b/c"]),
            ("a b.txt ", vec!["a b.txt "]),
        ] {
            assert_eq!(candidates(written).collect::<Vec<_>>(), expected, "{written:?}");
        }
    }
}

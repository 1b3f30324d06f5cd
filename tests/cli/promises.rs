//! The table of promises in docs/how-it-works.md: each test that it names exists.

use std::collections::BTreeSet;
use std::path::Path;

/// Names of functions that are tests: `#[test]`, then perhaps other attributes, then `fn NAME(`.
fn tests_in(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            tests_in(&path, names);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).expect("a source file");
            for (at, _) in text.match_indices("#[test]") {
                let mut lines = text[at..].lines().skip(1).map(str::trim).skip_while(|line| line.starts_with("#["));
                let function = lines.next().and_then(|line| line.strip_prefix("fn "));
                names.extend(function.and_then(|rest| rest.split('(').next()).map(str::to_owned));
            }
        }
    }
}

#[test]
fn every_test_that_the_table_of_promises_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut tests = BTreeSet::new();
    tests_in(&root.join("src"), &mut tests);
    tests_in(&root.join("tests"), &mut tests);
    let page = std::fs::read_to_string(root.join("docs/how-it-works.md")).expect("the page");
    let (_, section) = page.split_once("\n## Promises\n").expect("the section");
    let section = section.split("\n## ").next().expect("the section");
    let rows: Vec<&str> = section.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert!(rows.len() >= 20, "{} rows", rows.len());
    for row in rows {
        let cell = row.trim_end_matches(" |").rsplit(" | ").next().expect("a cell");
        let named: Vec<&str> = cell.split(", ").map(|name| name.trim_matches('`')).collect();
        assert!(!named.is_empty() && named.iter().all(|name| name.len() > 10), "a promise without a test: {row}");
        for name in named {
            assert!(tests.contains(name), "there is no test {name}, which the table of promises names");
        }
    }
}

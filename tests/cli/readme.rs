//! What the README tells people to type.

use std::fs;
use std::path::Path;

use crate::support::run::Dai;

/// The whole commands of this program's tests, without what is said beside them.
fn test_commands(text: &str) -> Vec<&str> {
    let lines = text.lines().filter(|line| line.starts_with("cargo test"));
    lines.map(|line| line.split(" #").next().unwrap_or_default().trim_end()).collect()
}

#[test]
fn the_tests_are_run_by_the_command_that_decides_over_a_change() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).expect("the README");
    // The published package leaves the gate out.
    let Ok(gate) = fs::read_to_string(root.join(".ci/run")) else { return };
    let commands = test_commands(&gate);
    assert_eq!(commands.len(), 1, "{gate}");
    assert_eq!(test_commands(&readme), commands);
}

/// The list of exit codes in the README is the program's own.
#[test]
fn the_exit_codes_are_those_of_the_help() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("the README");
    let table = readme.split("| exit code | meaning |").nth(1).expect("the table").split("\n\n").next().expect("rows");
    let rows = table.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | "));
    let rows: Vec<(&str, &str)> = rows.collect();
    let page = Dai::at(std::env::temp_dir()).args(["help", "exit-codes"]).run().exits(0);
    let lines: Vec<&str> = page.out().lines().map(str::trim).filter(|line| !line.is_empty()).skip(1).collect();
    let listed: Vec<(&str, &str)> = lines.chunks(2).map(|pair| (pair[0], pair[1])).collect();
    assert_eq!(rows, listed);
}

//! What the README tells people to type.

use std::fs;
use std::path::Path;

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

//! The recipes of docs/reviewers.md, as printed, with a stand-in for each reviewer that writes what the real one documents.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::json;

use crate::support::repo::Scratch;
use crate::support::run::Dai;
use crate::widgets::{TOKEN, Widgets};

/// Each recipe's heading and its block of commands.
fn recipes(text: &str) -> Vec<(&str, String)> {
    let recipes = text.split_once("\n## Recipes\n").expect("recipes").1;
    let mut found = Vec::new();
    for part in recipes.split("\n### ").skip(1) {
        let heading = part.lines().next().unwrap_or_default();
        for block in part.split("```sh\n").skip(1) {
            found.push((heading, block.split("```").next().unwrap_or_default().to_owned()));
        }
    }
    found
}

/// A program that stands in for another.
fn stand_in(folder: &Path, name: &str, script: &str) {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\nset -eu\n{script}\n")).expect("what the test itself wrote");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("what the test itself wrote");
}

#[test]
fn every_recipe_runs_as_printed_and_ends_in_a_preview() {
    let document = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reviewers.md"))
        .expect("what the test itself wrote");
    let widgets = Widgets::new();
    let tools = Scratch::new();
    let ours = json!({ "head": widgets.head, "summary": null, "good": null, "findings": [{
        "id": null, "path": "a.rs", "side": null, "line": 5, "end_line": null, "severity": "high", "confidence": null,
        "snippet": "line five", "body": "Off by one." }] });
    let sarif = json!({ "version": "2.1.0", "runs": [{ "tool": { "driver": { "name": "t" } }, "results": [{ "ruleId": "R", "message": { "text": "Off by one." },
        "locations": [{ "physicalLocation": { "artifactLocation": { "uri": "a.rs" }, "region": { "startLine": 5 } } }] }] }] });
    let rdjson = json!({ "source": { "name": "golint" }, "diagnostics": [{ "message": "Off by one.",
        "location": { "path": "a.rs", "range": { "start": { "line": 5 } } } }] });
    let envelope = json!({ "type": "result", "subtype": "success", "is_error": false, "structured_output": ours });
    let by_option = |option: &str, text: &str| {
        format!(
            "out=\nwhile [ $# -gt 0 ]; do case $1 in {option}) out=$2; shift ;; esac; shift; done\n[ -n \"$out\" ]\ncat > \"$out\" <<'END'\n{text}\nEND"
        )
    };
    let path = &*tools.path();
    stand_in(
        path,
        "codex",
        &format!(
            "[ \"$1 $2\" = 'exec --output-schema' ]\ngrep -q additionalProperties \"$3\"\n{}",
            by_option("-o", &ours.to_string())
        ),
    );
    stand_in(
        path,
        "claude",
        &format!(
            "case $* in *--output-format\\ json\\ --json-schema*additionalProperties*) ;; *) exit 9 ;; esac\ncat <<'END'\n{envelope}\nEND"
        ),
    );
    stand_in(path, "semgrep", &format!("[ \"$2\" = --sarif ]\n{}", by_option("--output", &sarif.to_string())));
    stand_in(path, "cargo", "[ \"$*\" = 'clippy --message-format=json' ]\necho '{}'");
    stand_in(path, "clippy-sarif", &format!("cat > /dev/null\ncat <<'END'\n{sarif}\nEND"));
    stand_in(path, "golint", "echo 'a.rs:5:1: Off by one.'");
    stand_in(
        path,
        "reviewdog",
        &format!(
            "grep -q 'a.rs:5' \ncase $* in *-f=golint*-reporter=rdjson*) ;; *) exit 9 ;; esac\ncat <<'END'\n{rdjson}\nEND"
        ),
    );
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_dai"), path.join("dai")).expect("what the test itself wrote");
    let recipes = recipes(&document);
    assert!(recipes.len() >= 6, "{recipes:?}");
    for (heading, commands) in recipes {
        let github = json!({ "commit_id": widgets.head, "event": "COMMENT", "body": "b", "comments": [{ "path": "a.rs", "line": 5, "body": "Off by one." }] });
        widgets.clone.write("review.json", github.to_string());
        let search = format!("{}:{}", path.display(), std::env::var("PATH").unwrap_or_default());
        let run = Dai::program("/bin/sh", widgets.clone.path()).args(["-e", "-c", &commands]).env("PATH", search);
        let run = run.env("HOME", widgets.clone.home()).env("GH_ENTERPRISE_TOKEN", TOKEN);
        let run = run.env("GITHUB_API_URL", widgets.forge.api_url()).env("DAI_FORGE", "github");
        let answer = run.run().exits(0);
        assert!(answer.out().contains("a.rs:5 RIGHT") && answer.out().contains("Off by one."), "{heading}: {answer}");
        assert!(answer.out().contains("1 finding"), "{heading}: {answer}");
    }
    assert!(widgets.forge.requests().iter().all(|asked| asked.request.method == "GET"), "nothing is posted");
}

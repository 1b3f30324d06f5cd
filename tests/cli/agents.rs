//! What an agent is handed: the skill, the plugin and its hook. Every command in them is run.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::local::at;
use crate::support::run::Dai;
use crate::widgets::Widgets;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The commands of the fenced `sh` blocks.
fn commands(text: &str) -> Vec<&str> {
    let mut lines = text.lines().map(str::trim);
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        if line == "```sh" {
            found.extend(lines.by_ref().take_while(|line| *line != "```"));
        }
    }
    found
}

#[test]
fn the_skill_keeps_the_limits_of_its_format_and_its_commands_run() {
    let skill = read("skills/dai/SKILL.md");
    let head = skill.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).expect("a front matter").0;
    let field =
        |name: &str| head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).expect("a field");
    let name = field("name");
    assert_eq!(name, "dai", "the folder's name");
    assert!(name.len() <= 64 && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'));
    let description = field("description");
    assert!((1..=1024).contains(&description.chars().count()) && !description.contains(['<', '>']));
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5)]);
    widgets.clone.git(&["branch", "topic", "origin/topic"]);
    widgets.clone.git(&["checkout", "-q", "topic"]);
    let commands = commands(&skill);
    assert_eq!(commands.len(), 3, "{commands:?}");
    for command in commands {
        assert!(!command.contains("--yes"), "{command}");
        let args: Vec<&str> = command.split(' ').skip(1).collect();
        widgets.dai().args(args).run().exits(0);
    }
    assert!(widgets.forge.requests().iter().all(|asked| asked.request.method == "GET"), "nothing is posted");
}

#[test]
fn the_hook_denies_a_post_and_lets_everything_else_pass() {
    let plugin: Value = serde_json::from_str(&read(".claude-plugin/plugin.json")).unwrap();
    assert_eq!((&plugin["name"], &plugin["version"]), (&json!("dai"), &json!(env!("CARGO_PKG_VERSION"))));
    let hooks: Value = serde_json::from_str(&read("hooks/hooks.json")).unwrap();
    let hook = &hooks["hooks"]["PreToolUse"][0];
    assert_eq!(hook["matcher"], "Bash");
    let command = hook["hooks"][0]["command"].as_str().unwrap();
    let verdict = |typed: &str| {
        let call = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": typed}});
        let run = Dai::program("/bin/sh", root()).args(["-c", command]).env("CLAUDE_PLUGIN_ROOT", root());
        run.stdin(call.to_string()).run().exits(0).out().to_owned()
    };
    for denied in [
        "dai forge review 22 --yes --expect 0123456789abcdef",
        "dai forge review 22 -y",
        "dai -C /x forge review -qy 22",
        "cd x && dai forge review --yes; echo done",
        "dai forge review 22 --y\"e\"s",
        "dai forge review 22 \\\n  --yes",
    ] {
        let answer: Value = serde_json::from_str(&verdict(denied)).unwrap_or_else(|_| panic!("{denied}: let pass"));
        assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny", "{denied}");
        assert_eq!(answer["hookSpecificOutput"]["hookEventName"], "PreToolUse");
    }
    for passed in [
        "dai forge review 22",
        "dai forge review 22 --strict --from my-yes.json",
        "dai review check .dai/reviews/22.json",
        "apt-get install -y git",
        "npm init --yes",
    ] {
        assert_eq!(verdict(passed), "", "{passed}");
    }
}

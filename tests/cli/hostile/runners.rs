//! What a CI runner obeys in the output of a step: nothing that `dai` prints is such a line, on either stream, in any format.

use serde_json::{Value, json};

use super::scene::{Hub, author, finding, numbered};
use crate::support::run::{Answer, Dai};

/// The variables of GitHub's, Gitea's, Forgejo's, Azure's and TeamCity's runners.
const RUNNERS: [(&str, &str); 5] = [
    ("GITHUB_ACTIONS", "true"),
    ("GITEA_ACTIONS", "true"),
    ("FORGEJO_ACTIONS", "true"),
    ("TF_BUILD", "True"),
    ("TEAMCITY_VERSION", "2026.1"),
];

/// `ActionCommandManager.cs` of actions/runner; names are compared in any case.
const REGISTERED: [&str; 15] = [
    "set-output",
    "save-state",
    "add-mask",
    "add-matcher",
    "remove-matcher",
    "debug",
    "warning",
    "error",
    "notice",
    "group",
    "endgroup",
    "echo",
    "stop-commands",
    "set-env",
    "add-path",
];

fn is_registered(info: &str) -> bool {
    let name = info.split(' ').next().unwrap_or_default();
    REGISTERED.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// `ActionCommand.TryParseV2`: behind blanks, `::`, a registered name, and another `::`.
fn github_v2(line: &str) -> bool {
    let Some(rest) = line.trim_start().strip_prefix("::") else { return false };
    rest.find("::").is_some_and(|end| is_registered(&rest[..end]))
}

/// `ActionCommand.TryParse`: the first `##[` anywhere, and a `]` behind it.
fn github_v1(line: &str) -> bool {
    let Some(at) = line.find("##[") else { return false };
    let rest = &line[at + 3..];
    rest.find(']').is_some_and(|end| is_registered(&rest[..end]))
}

/// The same where the search is by a culture that passes over characters of no weight, while the places are counted
/// in all of them: .NET's default with ICU.
fn github_by_culture(line: &str) -> bool {
    let weightless = |c: &char| !matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}');
    let (units, line): (Vec<char>, _) = (line.trim_start().chars().collect(), line.trim_start());
    let seen: String = line.chars().filter(|c| weightless(c)).collect();
    let from = |at: usize, end: &str| -> bool {
        let rest: String = units.iter().skip(at).collect();
        rest.find(end).is_some_and(|end| is_registered(&rest[..end]))
    };
    let begins = (0..units.len()).any(|at| {
        let here: String = units[at..].iter().filter(|c| weightless(c)).take(3).collect();
        here == "##[" && from(at + 3, "]")
    });
    begins || seen.starts_with("::") && from(2, "::")
}

/// `^::([^ ]+)( (.+))?::` and `^##\[([^ ]+)( (.+))?]` of nektos/act, which Gitea and Forgejo run.
fn act(line: &str) -> bool {
    let closed = |rest: &str, end: &str| rest.find(end).is_some_and(|at| at > 0 && !rest.starts_with(' '));
    line.strip_prefix("::").is_some_and(|rest| closed(rest, "::"))
        || line.strip_prefix("##[").is_some_and(|rest| closed(rest, "]"))
}

/// `Command.TryParse` of the Azure agent: the first `##vso[` anywhere, `area.event` and a `]` behind it.
fn azure(line: &str) -> bool {
    let Some(at) = line.to_ascii_lowercase().find("##vso[") else { return false };
    line[at + 6..].split(']').next().is_some_and(|info| info.split(' ').next().is_some_and(|name| name.contains('.')))
}

fn teamcity(line: &str) -> bool {
    line.contains("##teamcity[")
}

/// .NET and Go end lines at these.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', '\r'])
}

#[track_caller]
fn assert_unobeyed(answer: &Answer, of: &str) {
    for (stream, text) in [("stdout", answer.out()), ("stderr", answer.err())] {
        for line in lines(text) {
            for (who, obeys) in [
                ("v1", github_v1 as fn(&str) -> bool),
                ("v2", github_v2),
                ("culture", github_by_culture),
                ("act", act),
                ("azure", azure),
                ("teamcity", teamcity),
            ] {
                assert!(!obeys(line), "{of}: {who} obeys {line:?} on {stream}\n{answer}");
            }
            assert!(!line.contains("##["), "{of}: {line:?} on {stream}\n{answer}");
        }
    }
}

const COMMANDS: [&str; 10] = [
    "##[set-output name=clean]true",
    "x ##[SET-ENV name=a]b",
    "####[error]forged",
    "::add-mask::e",
    "  ::Error file=a.rs,line=1::forged",
    "\u{a0}\u{3000}::stop-commands::t",
    "\u{200b}::notice::forged",
    "::set-env name=a::b",
    "y ##vso[task.setvariable variable=a]b",
    "##teamcity[buildProblem description='a']",
];

#[test]
fn the_oracles_know_a_command() {
    for line in COMMANDS {
        let any = github_v1(line) || github_v2(line) || act(line) || azure(line) || teamcity(line);
        assert!(any || line.starts_with('\u{200b}'), "{line}");
    }
    for line in ["plain", "a ::error::b", "# [error]", "1. ::x::", "##\u{200b}[error]a", "\u{200b}::error::a"] {
        assert!(!(github_v1(line) || github_v2(line) || github_by_culture(line) || act(line) || azure(line)), "{line}");
    }
}

fn hostile() -> (Hub, Value) {
    let path = "dir ##[set-output name=clean]true.rs";
    let start = "::error::a.rs";
    let code: String = COMMANDS.iter().map(|line| format!("{line}\n")).collect();
    let hub = Hub::of(author(|author| {
        author.write("a.rs", numbered(40).replace("line 5\n", &code));
        author.write(path, &code).write(start, &code);
    }));
    let body = COMMANDS.join("\n");
    let review = json!({
        "head": hub.head, "summary": body, "us": COMMANDS[0], "good": [body, COMMANDS[3]], (COMMANDS[0]): COMMANDS[3],
        (COMMANDS[3]): 1,
        "findings": [
            { "id": COMMANDS[0], "path": "a.rs", "line": 5, "end_line": 12, "severity": "high", "body": body },
            { "id": COMMANDS[3], "path": path, "line": 1, "severity": "high", "body": format!("```\n{body}\n```") },
            { "path": start, "line": 4, "severity": "low", "body": COMMANDS[8] },
            { "path": "a.rs", "line": 7, "severity": "high", "body": body, "snippet": COMMANDS[3] },
            { "path": COMMANDS[3], "line": 7, "severity": "high", "body": COMMANDS[3] },
            { "path": "a.rs", "line": 900, "severity": "high", "body": COMMANDS[0] },
            { "path": COMMANDS[8], "severity": "low", "body": body },
        ],
    });
    (hub, review)
}

fn watched(run: Dai, runner: (&str, &str)) -> Dai {
    run.env(runner.0, runner.1)
}

/// A step of GitHub's runner that serves this forge.
fn in_actions(hub: &Hub, run: Dai) -> Dai {
    run.env("GITHUB_ACTIONS", "true").env("GITHUB_SERVER_URL", hub.forge.origin())
}

#[test]
fn c64_no_format_of_any_command_holds_a_line_that_a_runner_obeys() {
    let (hub, review) = hostile();
    hub.clone.write(".dai/reviews/22.json", review.to_string());
    hub.run(&[]).run().exits(0);
    let change = ["--base", "origin/main", "--head", hub.head.as_str()];
    let local = |args: &[&str]| {
        let all = args.iter().chain(&change).map(|arg| (*arg).to_owned()).collect::<Vec<_>>();
        hub.dai().args(all)
    };
    let commands: Vec<(&str, Dai)> = vec![
        ("preview", hub.run(&[])),
        ("preview", hub.run(&["-vv", "--min-severity", "high", "--color", "always"])),
        ("preview", hub.run(&["--format", "json"])),
        ("preview", hub.run(&["--format", "markdown"])),
        ("offline", hub.run(&["--offline"])),
        ("check", local(&["review", "check", ".dai/reviews/22.json"])),
        ("check", local(&["review", "check", ".dai/reviews/22.json", "--format", "json"])),
        ("brief", local(&["review", "brief", "--format", "json"])),
        ("brief", local(&["review", "brief", "--format", "markdown"])),
        ("convert", local(&["review", "convert", ".dai/reviews/22.json", "--to", "exchange"])),
        ("convert", hub.dai().args(["review", "convert", ".dai/reviews/22.json", "--to", "orchestra"])),
        ("convert", hub.dai().args(["review", "convert", ".dai/reviews/22.json", "--to", "dai"])),
        ("verdict", hub.dai().args(["review", "verdict", ".dai/reviews/22.json"])),
        ("preview", hub.run(&["--format", "markdown"])),
        ("triage", hub.dai().args(["review", "triage", ".dai/reviews/22.json"])),
    ];
    for (index, (name, run)) in commands.into_iter().enumerate() {
        let run = if index % 2 == 0 { in_actions(&hub, run) } else { watched(run, RUNNERS[3]) };
        let answer = run.run();
        let code = answer.code();
        assert!(code == 0 || code == 1 && name == "verdict" || code == 2 && name == "triage", "{name}\n{answer}");
        assert_unobeyed(&answer, name);
    }
    for runner in RUNNERS {
        let answer = watched(local(&["review", "check", ".dai/reviews/22.json"]), runner).run().exits(0);
        assert_unobeyed(&answer, runner.0);
    }
    let posted = hub.run(&["--yes", "--format", "markdown"]).env("TF_BUILD", "True").run().exits(0);
    assert_unobeyed(&posted, "post");
    assert_unobeyed(&hub.run(&["--yes"]).env("TF_BUILD", "True").run().exits(0), "post again");
}

#[test]
fn c64_neither_does_an_error() {
    let hub = Hub::new();
    let broken = COMMANDS.map(|line| format!("{{ \"findings\": [\n{line}\n ] }}"));
    let fields = COMMANDS.map(|line| {
        json!({ (line): 1, "findings": [{ "path": format!("../{line}"), "line": line, "severity": line, "body": line }] })
            .to_string()
    });
    for text in broken.iter().chain(&fields) {
        let run = hub.dai().args(["review", "check", "-"]).stdin(text.as_bytes());
        assert_unobeyed(&watched(run, RUNNERS[0]).run().exits(3), "broken");
    }
    for line in COMMANDS {
        let option = format!("--{line}");
        for args in [
            vec![line],
            vec!["forge", "review", "22", &option],
            vec!["forge", "review", line],
            vec!["forge", "review", "22", "--from", line],
            vec!["forge", "review", "22", "--min-severity", line],
            vec!["forge", "review", "22", "--base", line, "--head", line],
            vec!["-C", line, "init"],
            vec!["review", "bind", line, "--commit", line],
            vec!["schema", line],
            vec!["completions", line],
        ] {
            let answer = watched(hub.dai().args(args), RUNNERS[0]).run();
            assert!(answer.code() > 0, "{answer}");
            assert_unobeyed(&answer, "typed");
        }
    }
}

/// JSON is the same in a CI and outside one, and holds no bracket behind `##`; text outside a CI is as written.
#[test]
fn c64_json_has_the_same_bytes_everywhere() {
    let (hub, review) = hostile();
    hub.clone.write(".dai/reviews/22.json", review.to_string());
    for format in ["json", "text"] {
        let plain = hub.run(&["--format", format]).run().exits(0);
        let watched = hub.run(&["--format", format]).env("TF_BUILD", "True").run().exits(0);
        assert_eq!(plain.stdout == watched.stdout, format == "json");
        assert_eq!(plain.out().contains("##["), format == "text");
        assert_eq!(plain.out().replace('\u{200b}', ""), watched.out().replace('\u{200b}', ""));
    }
    let report = hub.run(&["--format", "json"]).run().json();
    assert_eq!(report["findings"][0]["anchored"][0], COMMANDS[0]);
}

/// What is the program's own has no command in it: a script for a shell must not be changed on its way into a file.
#[test]
fn what_is_no_foreign_text_is_the_same_in_ci() {
    for args in [
        &["completions", "zsh"][..],
        &["completions", "bash"],
        &["completions", "fish"],
        &["man"],
        &["--help"],
        &["forge", "review", "--help"],
        &["schema", "dai"],
        &["schema", "report"],
    ] {
        let run = || Dai::at(".").args(args.iter().copied());
        let plain = run().run().exits(0);
        let watched = run().env("GITHUB_ACTIONS", "true").run().exits(0);
        assert!(plain.stdout == watched.stdout, "{args:?}");
    }
}

/// A question would be drawn past the writer of both streams.
#[test]
fn nobody_is_asked_where_a_runner_reads() {
    let hub = Hub::new();
    hub.review(&[finding(5, "A fault.")]);
    let run = hub.dai().args(["review", "triage", ".dai/reviews/22.json"]).env("GITEA_ACTIONS", "true");
    let (code, drawn) = run.at_terminal().wait();
    assert_eq!(code, 2, "{drawn}");
}

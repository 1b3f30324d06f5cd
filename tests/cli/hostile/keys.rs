//! The secrets of a CI job and the keys that a reviewer runs with: no child sees them, and nothing shows them.

use serde_json::json;

use super::scene::{Hub, Lab, ListeningGit, finding};
use crate::local::Local;
use crate::support::run::Dai;

/// What the documentation calls a secret. GitHub: "Automatic token authentication", the runner's `ACTIONS_*`, `gh help
/// environment`. GitLab: "Predefined CI/CD variables" (`CI_JOB_TOKEN` to `CI_DEPENDENCY_PROXY_PASSWORD`, the user part of
/// `CI_REPOSITORY_URL`), "OpenID Connect" for the older `CI_JOB_JWT*`, `glab`'s own.
const DOCUMENTED: [&str; 19] = [
    "GH_TOKEN",
    "GITHUB_TOKEN",
    "GH_ENTERPRISE_TOKEN",
    "GITHUB_ENTERPRISE_TOKEN",
    "ACTIONS_RUNTIME_TOKEN",
    "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
    "GITLAB_TOKEN",
    "GITLAB_ACCESS_TOKEN",
    "OAUTH_TOKEN",
    "CI_JOB_TOKEN",
    "CI_BUILD_TOKEN",
    "CI_JOB_JWT",
    "CI_JOB_JWT_V1",
    "CI_JOB_JWT_V2",
    "CI_REGISTRY_PASSWORD",
    "CI_DEPLOY_PASSWORD",
    "CI_DEPENDENCY_PROXY_PASSWORD",
    "CI_RUNNER_SHORT_TOKEN",
    "CI_REPOSITORY_URL",
];

/// The keys that reviewers run with, and secrets of other tools.
const BY_THEIR_END: [&str; 6] =
    ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "NPM_TOKEN", "INPUT_REPO-TOKEN", "CLIENT_SECRET", "DB_PASSWORD"];

/// A value of no known shape, another one for each variable.
fn value(name: &str) -> String {
    match name {
        "CI_REPOSITORY_URL" => format!("https://gitlab-ci-token:{}@git.corp.example/a/b.git", secret(name)),
        _ => secret(name),
    }
}

fn secret(name: &str) -> String {
    let letters: String = name.chars().filter(char::is_ascii_alphanumeric).rev().collect();
    format!("Zq7{letters}5f3c")
}

fn set<'n>(run: Dai, names: impl IntoIterator<Item = &'n str>) -> Dai {
    names.into_iter().fold(run, |run, name| run.env(name, value(name)))
}

fn all() -> impl Iterator<Item = &'static str> {
    DOCUMENTED.into_iter().chain(BY_THEIR_END)
}

#[test]
fn c65_neither_a_gate_nor_an_editor_sees_a_secret() {
    let change = Local::two_hunks();
    let run = Dai::in_repo(&change.repo).args(["review", "brief", "--base", "main", "--head", "topic"]);
    let packet = set(run.args(["--gate", "env | cut -d= -f1"]), all()).env("CI_PROJECT_ID", "7").run().exits(0).json();
    let names: Vec<&str> = packet["gate_output"].as_str().unwrap().lines().collect();
    assert_eq!(all().filter(|name| names.contains(name)).collect::<Vec<_>>(), [""; 0]);
    assert!(names.contains(&"PATH") && names.contains(&"CI_PROJECT_ID"), "{names:?}");
    change.repo.write("r.json", json!({ "findings": [finding(5, "A fault.")] }).to_string());
    change.repo.write("editor.sh", format!("env > '{}'\n", change.repo.path().join("heard").display()));
    let run = Dai::in_repo(&change.repo).env("EDITOR", format!("sh {}/editor.sh", change.repo.path().display()));
    let mut terminal = set(run.args(["review", "triage", "r.json"]), all()).at_terminal();
    terminal.expect("becomes of it:").line("e").expect("the text is as it was").line("q");
    assert_eq!(terminal.wait().0, 0);
    let heard = std::fs::read_to_string(change.repo.path().join("heard")).unwrap();
    for name in all() {
        assert!(!heard.contains(&secret(name)), "{name}\n{heard}");
    }
    assert!(heard.contains("PATH="), "{heard}");
}

#[test]
fn c65_git_sees_no_secret_of_a_forge_or_a_job() {
    let hub = Hub::new();
    hub.review(&[finding(5, "A fault.")]);
    let git = ListeningGit::new();
    let names = DOCUMENTED.into_iter().filter(|name| !matches!(*name, "GH_ENTERPRISE_TOKEN"));
    set(hub.run(&["--base", "main"]), names).env("PATH", git.path()).run().exits(0);
    let heard = git.heard();
    for name in DOCUMENTED {
        assert!(!heard.contains(&secret(name)) && !heard.contains(&format!("\n{name}=")), "{name}\n{heard}");
    }
    assert!(heard.contains("\nPATH="), "{heard}");
}

/// In a body, in the code of the change, in a file that cannot be read, in a path that is not there.
#[test]
fn c65_no_secret_of_the_environment_is_printed_or_posted() {
    let every: String = all().map(|name| format!("{} ", secret(name))).collect();
    let lab = Lab::new();
    // The one that posts is the only one of these that may be another value.
    let names = || all().filter(|name| !matches!(*name, "GITLAB_TOKEN"));
    lab.review(&[finding(5, &every), json!({ "path": every, "line": 1, "severity": "low", "body": "x" })]);
    let assert_silent = |answer: &crate::support::run::Answer| {
        for name in names() {
            assert!(!answer.out().contains(&secret(name)) && !answer.err().contains(&secret(name)), "{name}\n{answer}");
        }
    };
    for args in [&[][..], &["-vv"], &["--format", "json"], &["--format", "markdown"], &["--yes"]] {
        let answer = set(lab.run(args), names()).run().exits(0);
        assert!(answer.out().contains("[redacted]"), "{answer}");
        assert_silent(&answer);
    }
    assert!(lab.bodies().iter().any(|body| body.contains("[redacted]")));
    for body in lab.bodies() {
        assert_eq!(names().filter(|name| body.contains(&secret(name))).collect::<Vec<_>>(), [""; 0]);
    }
    lab.clone.write(".dai/reviews/22.json", format!("{{ \"findings\": [ {every} ] }}"));
    assert_silent(&set(lab.run(&[]), names()).run().exits(3));
    assert_silent(&set(lab.run(&["--from", &every]), names()).run().exits(3));
    assert_silent(&set(lab.run(&[&format!("--{every}")]), names()).run().exits(2));
}
/// Keys that no variable holds are known by their shape, also where characters that nobody sees split them; a word about
/// keys is none.
#[test]
fn c65_keys_of_a_known_shape_are_neither_printed_nor_posted() {
    let random = "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";
    let keys = [
        format!("sk-ant-api03-{random}"),
        format!("sk-proj-{random}"),
        format!("AIza{}", &random[..35]),
        format!("npm_{random}"),
        format!("sk_live_{}", &random[..24]),
        format!("xoxb-{random}"),
        format!("glpat-{}", &random[..20]),
    ];
    let split = |key: &String| format!("{}\u{200b}{}", &key[..6], &key[6..]);
    let pem = format!("-----BEGIN PRIVATE KEY-----\n{random}\n-----END PRIVATE KEY-----");
    let whole = keys.join(" ");
    let words = "A key such as `sk-…`, `sk-ant-…` or `npm_…` stays.";
    let body = format!("{whole}\n\n{}\n\n{pem}\n\n{words}", keys.each_ref().map(split).join(" "));
    let hub = Hub::of(super::scene::author(|author| {
        author.write("a.rs", super::scene::numbered(40).replace("line 5\n", &format!("let k = \"{}\";\n", keys[0])));
    }));
    hub.review(&[finding(5, &body), json!({ "path": whole, "line": 1, "severity": "low", "body": "x" })]);
    let leaks = |text: &str| {
        let bare: String = text.replace("\\u{200b}", "").replace("\\u200b", "").replace('\u{200b}', "");
        assert!(!bare.contains(&random[..20]), "{text}");
    };
    for args in [&[][..], &["-vv"], &["--format", "json"], &["--format", "markdown"], &["--yes"]] {
        let answer = hub.run(args).run().exits(0);
        leaks(answer.out());
        leaks(answer.err());
        assert!(answer.out().contains("[redacted]"), "{answer}");
    }
    hub.bodies().iter().for_each(|body| leaks(body));
    assert!(hub.bodies().iter().any(|body| body.contains("`sk-ant-…` or `npm_…` stays")), "{:?}", hub.bodies());
    hub.clone.write(".dai/reviews/22.json", format!("{{ \"findings\": [ {whole} ] }}"));
    leaks(hub.run(&[]).run().exits(3).err());
    leaks(hub.dai().args(["review", "check", &whole]).run().exits(3).err());
}

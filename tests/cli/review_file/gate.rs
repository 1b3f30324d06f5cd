//! `dai review brief --gate`: what is run, where, and on what.

use crate::local::Local;
use crate::support::run::{Answer, Dai, Signal};
use crate::widgets::Widgets;

const TOKENS: [&str; 7] = [
    "GH_TOKEN",
    "GITHUB_TOKEN",
    "GH_ENTERPRISE_TOKEN",
    "GITHUB_ENTERPRISE_TOKEN",
    "GITLAB_TOKEN",
    "GITLAB_ACCESS_TOKEN",
    "CI_JOB_TOKEN",
];

fn gate(change: &Local, command: &str) -> Answer {
    let run =
        Dai::in_repo(&change.repo).args(["review", "brief", "--base", "main", "--head", "topic", "--gate", command]);
    TOKENS.iter().fold(run, |run, name| run.env(*name, format!("secret-of-{name}"))).run()
}

#[test]
fn it_runs_at_the_root_through_the_shell_and_its_code_and_words_are_handed_over() {
    let change = Local::two_hunks();
    change.repo.write("deep/x", "").commit("a folder");
    let at = change.repo.path().join("deep");
    let run = Dai::at(&at).args(["review", "brief", "--base", "main", "--head", "topic", "--gate"]);
    let packet =
        run.arg("pwd && echo out | tr o O; echo err >&2; exit 3").run().exits(0).says("the gate ended with 3").json();
    assert_eq!(packet["gate_command"], "pwd && echo out | tr o O; echo err >&2; exit 3");
    assert_eq!(packet["gate_exit"], 3);
    let root = change.repo.path().canonicalize().unwrap();
    assert_eq!(packet["gate_output"], format!("{}\nOut\nerr\n", root.display()));
    assert!(packet["brief"].as_str().unwrap().contains("failed (`gate_exit` 3)"));
    assert_eq!(gate(&change, "true").exits(0).json()["gate_exit"], 0);
    assert_eq!(gate(&change, "kill -TERM $$").exits(0).json()["gate_exit"], 128 + 15);
}

#[test]
fn it_sees_no_token_and_none_that_it_finds_is_handed_over() {
    let change = Local::two_hunks();
    change.repo.write(".gitignore", ".env\n").commit("ignore it");
    change.repo.write(".env", "GITLAB_TOKEN=glpat-from-the-file\n");
    let packet = gate(&change, "env; cat .env").exits(0).json();
    let said = packet["gate_output"].as_str().unwrap();
    for name in TOKENS {
        assert!(!said.contains(&format!("secret-of-{name}")), "{said}");
    }
    assert!(said.contains("PATH="), "the rest of the environment is there: {said}");
    assert!(said.ends_with("GITLAB_TOKEN=[redacted]\n"), "{said}");
}

#[test]
fn the_last_8_kib_are_kept_and_no_character_is_torn() {
    let change = Local::two_hunks();
    let said = |command: &str| gate(&change, command).exits(0).json()["gate_output"].as_str().unwrap().to_owned();
    assert_eq!(said("head -c 8192 /dev/zero | tr '\\0' x"), "x".repeat(8192));
    assert_eq!(said("printf a; head -c 8192 /dev/zero | tr '\\0' x"), "x".repeat(8192));
    assert_eq!(said("printf 'a한'; head -c 8190 /dev/zero | tr '\\0' x"), "x".repeat(8190));
}

#[test]
fn it_runs_only_on_the_commit_that_is_judged_and_on_a_clean_tree() {
    let change = Local::two_hunks();
    let repo = &change.repo;
    let ran = repo.path().join("ran");
    let refused = |said: &str| {
        let answer = gate(&change, "touch ran").exits(4).says(said);
        assert_eq!(answer.out(), "");
        assert!(!ran.exists(), "the gate was run");
    };
    repo.write("new.rs", "");
    refused("the tree is not clean: new.rs");
    // As a shell makes it for `> new.rs`, before anything runs.
    refused("send this output to a file elsewhere");
    repo.remove("new.rs").write("a.rs", "changed\n");
    refused("the tree is not clean: a.rs");
    repo.git(&["add", "a.rs"]);
    refused("the tree is not clean: a.rs");
    repo.git(&["reset", "--quiet", "--hard"]);
    repo.write(".dai/reviews/22.json", "{}");
    refused("`dai init`");
    repo.remove(".dai/reviews/22.json").switch("main");
    refused("HEAD is ");
    // The same commit by another way is that commit.
    repo.git(&["switch", "--quiet", "--detach", "topic"]);
    gate(&change, "touch ran").exits(0);
    assert!(ran.exists());
    // A gate of nothing would pass.
    gate(&change, "").exits(2);
}

#[test]
fn a_secret_that_the_cut_would_tear_is_gone_whole() {
    let change = Local::two_hunks();
    change.repo.write(".gitignore", ".env\n").commit("ignore it");
    change.repo.write(".env", "GITLAB_TOKEN=glpat-from-the-file\n");
    // The cut falls into the token's middle.
    let packet = gate(&change, "printf glpat-from-the-file; head -c 8185 /dev/zero | tr '\\0' x").exits(0).json();
    let said = packet["gate_output"].as_str().unwrap();
    assert!(!said.contains("file") && said.ends_with(&"x".repeat(8185)), "{said:.40}");
}

#[test]
fn a_signal_while_it_runs_ends_both() {
    let widgets = Widgets::new();
    widgets.clone.git(&["fetch", "--quiet", "origin", "topic"]);
    widgets.clone.git(&["switch", "--quiet", "--detach", "FETCH_HEAD"]);
    let flag = widgets.clone.path().join(".git/started");
    let gate = format!("touch '{}'; exec sleep 50", flag.display());
    let running = widgets.dai().args(["review", "brief", "22", "--gate", &gate]).spawn();
    while !flag.exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    running.signal(Signal::Terminate);
    let answer = running.wait().exits(130).says("interrupted");
    assert_eq!(answer.out(), "");
}

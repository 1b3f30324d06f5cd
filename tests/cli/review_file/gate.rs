//! `dai review brief --gate`: what is run, where, and on what.

use std::path::Path;
use std::time::{Duration, Instant};

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

/// Waits for the file in which a gate says that it runs; gives the id in it.
fn started(flag: &Path) -> u32 {
    loop {
        let id = std::fs::read_to_string(flag).ok().and_then(|text| text.strip_suffix('\n')?.parse().ok());
        match id {
            Some(id) => return id,
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

/// Whether it ends, for which the system takes a moment.
fn ends(process: u32) -> bool {
    let lives = || {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
    };
    let until = Instant::now() + Duration::from_secs(5);
    while lives() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
    }
    !lives()
}

#[test]
fn a_signal_while_it_runs_ends_both() {
    let widgets = Widgets::new();
    widgets.clone.git(&["fetch", "--quiet", "origin", "topic"]);
    widgets.clone.git(&["switch", "--quiet", "--detach", "FETCH_HEAD"]);
    let flag = widgets.clone.path().join(".git/started");
    let gate = format!("echo $$ > '{}'; exec sleep 50", flag.display());
    let running = widgets.dai().args(["review", "brief", "22", "--gate", &gate]).spawn();
    let shell = started(&flag);
    running.signal(Signal::Terminate);
    let answer = running.wait().exits(130).says("interrupted");
    assert_eq!(answer.out(), "");
    assert!(ends(shell));
}

#[test]
fn a_signal_ends_all_that_it_started_without_a_forge_too() {
    let change = Local::two_hunks();
    let flag = change.repo.path().join(".git/started");
    let inner = format!("sh -c 'echo $$ > \"{}\"; exec sleep 50'", flag.display());
    let stubborn = format!("(trap '' TERM; {inner}; true); true");
    for (gate, signal) in [
        (format!("{inner}; true"), Signal::Terminate),
        (format!("true | {inner} | cat"), Signal::Interrupt),
        (format!("{inner} & wait"), Signal::Interrupt),
        (stubborn, Signal::Terminate),
    ] {
        std::fs::remove_file(&flag).ok();
        let running = Dai::in_repo(&change.repo)
            .args(["review", "brief", "--base", "main", "--head", "topic", "--gate", &gate])
            .spawn();
        let deep = started(&flag);
        running.signal(signal);
        let answer = running.wait().exits(130).says("interrupted");
        assert_eq!(answer.out(), "");
        assert!(ends(deep), "{gate}");
    }
}

#[test]
fn it_has_a_moment_to_end_by_itself() {
    let change = Local::two_hunks();
    let (flag, left) = (change.repo.path().join(".git/started"), change.repo.path().join(".git/left"));
    std::fs::write(&left, "").unwrap();
    let (shown, tidied) = (flag.display(), left.display());
    let gate = format!("trap 'rm \"{tidied}\"; exit' TERM; echo $$ > \"{shown}\"; while :; do sleep 0.05; done");
    let run = Dai::in_repo(&change.repo).args(["review", "brief", "--base", "main", "--head", "topic", "--gate"]);
    let running = run.arg(gate).spawn();
    let shell = started(&flag);
    running.signal(Signal::Interrupt);
    running.wait().exits(130);
    assert!(!left.exists() && ends(shell));
}

#[test]
fn ctrl_c_and_the_terminals_end_are_passed_on() {
    let change = Local::two_hunks();
    let flag = change.repo.path().join(".git/started");
    let gate = format!("sh -c 'echo $$ > \"{}\"; exec sleep 50'; true", flag.display());
    let start = || {
        std::fs::remove_file(&flag).ok();
        let run = Dai::in_repo(&change.repo).args(["review", "brief", "--base", "main", "--head", "topic", "--gate"]);
        let terminal = run.arg(&gate).at_terminal();
        (terminal, started(&flag))
    };
    let (mut terminal, deep) = start();
    terminal.interrupt();
    let (code, drawn) = terminal.wait();
    assert_eq!(code, 130, "{drawn}");
    assert!(drawn.contains("interrupted") && ends(deep), "{drawn}");

    let (terminal, deep) = start();
    terminal.hang_up();
    assert_eq!(terminal.wait().0, 130);
    assert!(ends(deep));
}

#[test]
fn one_that_asks_at_the_terminal_is_ended_and_told() {
    let change = Local::two_hunks();
    let run = Dai::in_repo(&change.repo).args(["review", "brief", "--base", "main", "--head", "topic", "--gate"]);
    let (code, drawn) = run.arg("read answer </dev/tty; true").at_terminal().wait();
    assert_eq!(code, 2, "{drawn}");
    assert!(drawn.contains("the gate asked at the terminal") && drawn.contains("asks nothing"), "{drawn}");
}

//! `dai init`, `dai demo`, and what the program prints of itself.

use std::fs;

use crate::local::fates;
use crate::support::repo::{Repo, Scratch};
use crate::support::run::{Answer, Dai};

fn init(repo: &Repo) -> Answer {
    Dai::in_repo(repo).arg("init").run()
}

fn text(repo: &Repo, path: &str) -> String {
    fs::read_to_string(repo.path().join(path)).unwrap_or_default()
}

#[test]
fn init_makes_a_place_for_reviews_and_a_second_run_changes_nothing() {
    let repo = Repo::new();
    let run = init(&repo).exits(0);
    assert_eq!(run.out(), "");
    insta::assert_snapshot!(run.err(), @"
    made .dai/reviews/
    added .dai/reviews/ and .env.dai to .gitignore
    wrote .env.example
    ");
    assert_eq!(text(&repo, ".gitignore"), "/.dai/reviews/\n/.env.dai\n");
    assert!(text(&repo, ".env.example").contains("GH_TOKEN="));
    repo.write(".dai/reviews/22.json", "{}").write(".env.dai", "GH_TOKEN=x\n");
    let status = repo.git(&["status", "--porcelain", "--untracked-files=all"]);
    assert_eq!(status, "?? .env.example\n?? .gitignore");
    let before = repo.fingerprint();
    init(&repo).exits(0).says("nothing to do: this repository is ready");
    before.assert_same_but(&repo.fingerprint(), &[]);
}

#[test]
fn init_works_from_a_folder_below_and_in_a_linked_work_tree() {
    let repo = Repo::new();
    repo.write("deep/down/x", "").commit("base");
    Dai::at(repo.path().join("deep/down")).arg("init").run().exits(0);
    assert!(repo.path().join(".dai/reviews").is_dir() && !repo.path().join("deep/down/.dai").exists());
    let linked = repo.worktree("main");
    init(&linked).exits(0);
    assert!(linked.path().join(".dai/reviews").is_dir());
}

#[test]
fn init_adds_to_what_stands_and_repeats_nothing() {
    for (before, after) in [
        ("target/\n", "target/\n/.dai/reviews/\n/.env.dai\n"),
        ("target/", "target/\n/.dai/reviews/\n/.env.dai\n"),
        ("target/\r\n", "target/\r\n/.dai/reviews/\r\n/.env.dai\r\n"),
        (".dai/\n.env.dai\n", ".dai/\n.env.dai\n"),
        ("/.env.dai\n", "/.env.dai\n/.dai/reviews/\n"),
        (".dai/reviews\n", ".dai/reviews\n/.env.dai\n"),
    ] {
        let repo = Repo::new();
        repo.write(".gitignore", before).write(".env.example", "MINE=1\n");
        init(&repo).exits(0);
        assert_eq!(text(&repo, ".gitignore"), after, "{before:?}");
        assert_eq!(text(&repo, ".env.example"), "MINE=1\n", "what a person wrote stays");
        let before = repo.fingerprint();
        init(&repo).exits(0);
        before.assert_same_but(&repo.fingerprint(), &[]);
    }
}

#[test]
fn init_keeps_bytes_that_are_no_text() {
    let repo = Repo::new();
    repo.write(".gitignore", b"caf\xe9\n");
    init(&repo).exits(0);
    let bytes = fs::read(repo.path().join(".gitignore")).expect("the file");
    assert_eq!(bytes, b"caf\xe9\n/.dai/reviews/\n/.env.dai\n");
}

#[test]
fn init_does_not_follow_a_link_out_of_the_repository() {
    let repo = Repo::new();
    let outside = Scratch::new();
    repo.symlink(".dai", outside.path().to_str().expect("a path"));
    init(&repo).exits(2).says(".dai");
    assert_eq!(fs::read_dir(outside.path()).expect("a folder").count(), 1, "nothing but the home was made there");
    let repo = Repo::new();
    fs::write(outside.path().join("ignore"), "mine\n").expect("a file");
    repo.symlink(".gitignore", outside.path().join("ignore").to_str().expect("a path"));
    init(&repo);
    assert_eq!(fs::read_to_string(outside.path().join("ignore")).expect("a file"), "mine\n");
}

#[test]
fn init_without_a_repository_is_4_and_in_a_bare_one_2() {
    let nowhere = Scratch::new();
    Dai::at(nowhere.path()).arg("init").run().exits(4).says("no git repository");
    let bare = Repo::new();
    bare.git(&["init", "--quiet", "--bare", "bare.git"]);
    let run = Dai::at(bare.path().join("bare.git")).arg("init").run();
    assert_ne!(run.code(), 0, "{run}");
    assert!(!bare.path().join("bare.git/.dai").exists());
}

#[test]
fn a_file_in_the_way_is_named() {
    let repo = Repo::new();
    repo.write(".dai", "a file\n");
    init(&repo).exits(2).says(".dai/reviews/").says("dai init");
    assert_eq!(text(&repo, ".dai"), "a file\n");
}

/// The demo's commits carry the time at which they were made.
fn steady(text: &str) -> String {
    let is_short = |word: &str| word.len() == 10 && word.bytes().all(|b| b.is_ascii_hexdigit());
    let hide = |line: &str| {
        let words = line.split(' ').map(|word| {
            word.split("..")
                .map(|part| {
                    let bare = part.trim_end_matches(')');
                    if is_short(bare) { part.replace(bare, "[SHORT]") } else { part.to_owned() }
                })
                .collect::<Vec<_>>()
                .join("..")
        });
        words.collect::<Vec<_>>().join(" ")
    };
    text.lines().map(hide).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_demo_shows_the_real_preview_offline() {
    let scratch = Scratch::new();
    let run = Dai::at(scratch.path()).args(["demo", "shop"]).run().exits(0);
    let said = run.err().replace(env!("CARGO_BIN_EXE_dai"), "[DAI]");
    insta::assert_snapshot!(steady(&format!("{}--- stderr\n{said}", run.out())));
    let shop = scratch.path().join("shop");
    let args = ["forge", "review", "--base", "main", "--head", "coupon", "--from", ".dai/reviews/1.json", "--relocate"];
    let report = Dai::at(&shop).args(args).args(["--format", "json"]).run().exits(0).json();
    assert_eq!(fates(&report).iter().filter(|fate| **fate == "ready").count(), 5);
    assert_eq!(report["findings"].as_array().map(Vec::len), Some(7));
}

#[test]
fn the_demo_needs_no_git_and_no_settings_and_leaves_nothing_elsewhere() {
    let scratch = Scratch::new();
    let run = Dai::at(scratch.path())
        .args(["demo", "shop"])
        .env("PATH", "/nonexistent")
        .env("HTTPS_PROXY", "http://127.0.0.1:1");
    run.run().exits(0);
    assert_eq!(fs::read_dir(scratch.path()).expect("a folder").count(), 2, "the home and the shop");
    assert_eq!(fs::read_dir(scratch.home()).expect("a folder").count(), 0);
}

#[test]
fn the_demo_is_the_same_whatever_is_set_for_reviews() {
    let scratch = Scratch::new();
    let run = |dir: &str| Dai::at(scratch.path()).args(["demo", dir]);
    let plain = run("plain").run().exits(0);
    let set = [("DAI_OFFLINE", "1"), ("DAI_STRICT", "1"), ("DAI_FORMAT", "json"), ("DAI_MAX_COMMENTS", "0")];
    let demo = set.iter().fold(run("set"), |run, (name, value)| run.env(*name, value)).run().exits(0);
    assert_eq!(steady(demo.out()), steady(plain.out()));
}

#[test]
fn the_demo_makes_a_folder_of_its_own_and_takes_only_an_empty_one() {
    let scratch = Scratch::new();
    let run = Dai::at(scratch.path()).arg("demo").env("TMPDIR", scratch.home()).run().exits(0);
    assert!(run.err().contains("dai-demo-"), "{run}");
    let last = run.err().lines().last().expect("a line");
    let made = fs::read_dir(scratch.home()).expect("a folder").next().expect("the demo's").expect("an entry").path();
    assert_eq!(last, format!("to remove it: rm -rf {}", made.display()));
    Dai::program("/bin/sh", scratch.path()).args(["-c", last.split_once(": ").expect("a command").1]).run().exits(0);
    assert!(!made.exists());
    // A folder that was named is that person's.
    let named = Dai::at(scratch.path()).args(["demo", "na med"]).run().exits(0);
    assert!(!named.err().contains("rm -rf") && named.err().contains("git -C 'na med' diff"), "{named}");
    fs::create_dir(scratch.path().join("empty")).expect("a folder");
    Dai::at(scratch.path()).args(["demo", "empty"]).run().exits(0);
    Dai::at(scratch.path()).args(["demo", "empty"]).run().exits(2).says("is not empty");
    fs::write(scratch.path().join("file"), "x").expect("a file");
    Dai::at(scratch.path()).args(["demo", "file"]).run().exits(2);
    Dai::at(scratch.path()).args(["demo", "/proc/nowhere"]).run().exits(2);
    Dai::at(scratch.path()).args(["-C", "empty", "demo", "inner"]).run().exits(0);
    assert!(scratch.path().join("empty/inner/.git").is_dir());
}

/// The commands of the demo's tour: the lines that are set in furthest, and the one behind `$`.
fn tour(run: &Answer) -> Vec<String> {
    let command = |line: &str| line.strip_prefix("$ ").or_else(|| line.strip_prefix("      ")).map(str::to_owned);
    run.err().lines().filter_map(command).collect()
}

/// After `cargo run` no `dai` is on the PATH, and nobody has changed the folder yet.
#[test]
fn every_command_of_the_demo_runs_as_printed_from_where_it_was_started() {
    let scratch = Scratch::new();
    let run = Dai::at(scratch.path()).args(["demo", "my shop"]).env("PATH", "/usr/bin:/bin").run().exits(0);
    let commands = tour(&run);
    assert_eq!(commands.len(), 7, "{run}");
    for command in &commands {
        let answer = Dai::program("/bin/sh", scratch.path()).args(["-c", command]).env("PATH", "/usr/bin:/bin").run();
        // Questions need a terminal, and this is none.
        let triage = command.contains(" triage ");
        assert_eq!(answer.code(), if triage { 2 } else { 0 }, "{command}\n{answer}");
        assert!(if triage { answer.err().contains("terminal") } else { !answer.out().is_empty() }, "{answer}");
    }
    for part in ["diff main...coupon", " review check", "--fix", " review triage ", "--format json"] {
        assert!(commands.iter().any(|command| command.contains(part)), "{part}: {commands:?}");
    }
}

#[test]
fn the_demo_calls_the_program_by_its_name_only_where_the_shell_would_find_this_one() {
    let scratch = Scratch::new();
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_dai"));
    let dir = binary.parent().expect("a folder").to_str().expect("a path");
    let first = |dir: &str, path: &str| {
        let run = Dai::at(scratch.path()).args(["demo", dir]).env("PATH", path).run().exits(0);
        tour(&run).first().expect("a command").clone()
    };
    assert!(first("one", &format!("/nonexistent:{dir}")).starts_with("dai -C one forge review "));
    fs::create_dir(scratch.path().join("other")).expect("a folder");
    fs::write(scratch.path().join("other/dai"), "#!/bin/sh\n").expect("another program of this name");
    let other = format!("{}:{dir}", scratch.path().join("other").display());
    assert!(first("two", &other).starts_with(&format!("{} -C two forge review ", binary.display())));
    // From a folder above it, as after `cargo run`, the path is short.
    let above = binary.parent().and_then(std::path::Path::parent).expect("a folder");
    let shop = scratch.path().join("three");
    let run = Dai::at(above).args(["demo".as_ref(), shop.as_os_str()]).env("PATH", "/usr/bin").run().exits(0);
    let expected = format!("./{} -C ", binary.strip_prefix(above).expect("below it").display());
    assert!(tour(&run).first().is_some_and(|line| line.starts_with(&expected)), "{run}");
}

#[test]
fn the_demo_may_be_piped_into_head() {
    let scratch = Scratch::new();
    let binary = env!("CARGO_BIN_EXE_dai");
    let run = Dai::program("/bin/sh", scratch.path()).args(["-c", &format!("{binary} demo shop | head -1")]);
    let run = run.run().exits(0);
    assert!(run.out().starts_with("change ") && !run.err().contains("panicked"), "{run}");
}

fn printed(args: &[&str]) -> String {
    let run = Dai::at(std::env::temp_dir()).args(args.iter().copied()).run().exits(0);
    assert_eq!(run.err(), "", "{args:?}");
    run.out().to_owned()
}

#[test]
fn help_reads_like_this() {
    let pages = [
        &["--help"][..],
        &["forge", "review", "--help"],
        &["init", "--help"],
        &["demo", "--help"],
        &["schema", "--help"],
    ];
    for args in pages {
        insta::assert_snapshot!(args.join("_").replace("--", ""), printed(args));
    }
    assert_eq!(printed(&["-h"]), printed(&["--help"]));
}

#[test]
fn the_version_is_the_packages() {
    for flag in ["--version", "-V"] {
        assert_eq!(printed(&[flag]), format!("dai {}\n", env!("CARGO_PKG_VERSION")));
    }
}

#[test]
fn schemas_are_json_schemas_that_take_what_the_program_takes() {
    for name in ["dai", "report"] {
        let schema: serde_json::Value = serde_json::from_str(&printed(&["schema", name])).expect("a document");
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
        jsonschema::draft202012::new(&schema).expect("a schema");
    }
    let schema: serde_json::Value = serde_json::from_str(&printed(&["schema", "dai"])).expect("a document");
    let schema = jsonschema::draft202012::new(&schema).expect("a schema");
    let demo = include_str!("../../fixtures/demo/review.json");
    assert!(schema.is_valid(&serde_json::from_str(demo).expect("a document")));
    assert!(
        !schema
            .is_valid(&serde_json::json!({ "findings": [{ "path": "a", "line": 0, "severity": "low", "body": "x" }] }))
    );
}

#[test]
fn completions_and_the_man_page_know_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = printed(&["completions", shell]);
        for word in ["forge", "review", "min-severity", "init", "demo"] {
            assert!(text.contains(word), "{shell} {word}");
        }
    }
    let man = printed(&["man"]);
    for part in [".TH dai", "DAI FORGE REVIEW", "min\\-severity", "DAI REVIEW TRIAGE", "130 interrupted", "DAI MAN"] {
        assert!(man.contains(part), "{part}: {man}");
    }
    for section in [".SH \"EXIT STATUS\"", ".SH ENVIRONMENT", ".SH EXAMPLES"] {
        assert_eq!(man.matches(section).count(), 1, "{section}: {man}");
    }
    // There is one page: it sends nobody to another.
    assert!(!man.contains("dai\\-forge"), "{man}");
    Dai::at(std::env::temp_dir()).args(["completions", "tcsh"]).run().exits(2);
}

/// What bash offers behind these words, by the script itself.
fn completed(line: &[&str]) -> Vec<String> {
    let scratch = Scratch::new();
    fs::write(scratch.path().join("a-file"), "").expect("a file");
    fs::write(scratch.path().join("completions"), printed(&["completions", "bash"])).expect("the script");
    let words: Vec<String> = line.iter().map(|word| format!("'{word}'")).collect();
    let script = format!(
        "source ./completions; COMP_WORDS=({}); COMP_CWORD={}; _dai dai '{}' '{}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        words.join(" "),
        line.len() - 1,
        line[line.len() - 1],
        line[line.len() - 2],
    );
    let run = Dai::program("/bin/bash", scratch.path()).args(["-c", &script]).run().exits(0);
    run.out().lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn values_are_completed_by_what_they_can_be_and_not_by_files() {
    for option in ["--min-severity", "--fail-on"] {
        assert_eq!(completed(&["dai", "forge", "review", option, ""]), ["low", "medium", "high"], "{option}");
    }
    assert_eq!(completed(&["dai", "forge", "review", "--forge", ""]), ["github", "gitlab"]);
    for option in ["--base", "--head", "--remote", "--project"] {
        assert_eq!(completed(&["dai", "forge", "review", option, ""]), [""; 0], "{option}");
    }
    assert_eq!(completed(&["dai", "review", "check", "--base", ""]), [""; 0]);
    assert_eq!(completed(&["dai", "forge", "review", "--from", "a"]), ["a-file"], "this one is a file");
}

#[test]
fn help_is_a_command_too_and_has_pages_of_its_own() {
    assert_eq!(printed(&["help"]), printed(&["--help"]));
    assert_eq!(printed(&["help", "forge", "review"]), printed(&["forge", "review", "--help"]));
    insta::assert_snapshot!("help_exit_codes", printed(&["help", "exit-codes"]));
    insta::assert_snapshot!("help_environment", printed(&["help", "environment"]));
    let run = Dai::at(std::env::temp_dir()).args(["help", "exit-code"]).run().exits(2);
    assert!(run.says("did you mean exit-codes?").out().is_empty());
}

#[test]
fn words_that_name_no_command_are_answered_with_the_one_that_was_meant() {
    for (typed, command) in [
        (&["review", "22"][..], "dai forge review 22"),
        (&["22"], "dai forge review 22"),
        (&["check"], "dai review check"),
        (&["triage", "a.json"], "dai review triage"),
        (&["forge", "verdict"], "dai review verdict"),
    ] {
        let run = Dai::at(std::env::temp_dir()).args(typed.iter().copied()).run().exits(2);
        assert!(run.says(&format!("did you mean `{command}`?")).out().is_empty());
    }
    let run = Dai::at(std::env::temp_dir()).arg("nonsense").run().exits(2);
    assert!(!run.err().contains("dai forge"), "{run}");
}

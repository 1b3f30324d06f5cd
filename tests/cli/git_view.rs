//! The repository and its configuration as git itself sees them.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::local::{Local, at, fates, numbered};
use crate::support::repo::{Cloned, Repo, Scratch};
use crate::support::run::Dai;
use crate::widgets::{PROJECT, Widgets};

fn ready() -> Widgets {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5)]);
    widgets
}

/// `GIT_CONFIG_COUNT` and what belongs to it.
fn counted(run: Dai, settings: &[(&str, String)]) -> Dai {
    let run = run.env("GIT_CONFIG_COUNT", settings.len().to_string());
    settings.iter().enumerate().fold(run, |run, (at, (key, value))| {
        run.env(format!("GIT_CONFIG_KEY_{at}"), key).env(format!("GIT_CONFIG_VALUE_{at}"), value)
    })
}

/// git fetches the first URL; the second one is a mirror that is pushed to as well.
#[test]
fn c62_of_two_urls_the_one_that_git_fetches_from_counts() {
    let widgets = ready();
    let mirror = widgets.forge.clone_url("mirrors/widgets");
    widgets.clone.git(&["remote", "set-url", "--add", "origin", &mirror]);
    let report = widgets.dai().args(["forge", "review", "acme/widgets#22", "--format", "json"]).run().exits(0).json();
    assert_eq!(report["project"], PROJECT);
    widgets.run(&["--yes"]).run().exits(0);
    assert_eq!(widgets.stored(), (1, 1));
    let run = widgets.dai().args(["forge", "review", "mirrors/widgets#22"]).run().exits(2);
    assert!(run.err().contains("no remote is of the project mirrors/widgets"), "{run}");
}

#[test]
fn c62_instead_of_counts_wherever_git_reads_it() {
    let widgets = ready();
    let url = widgets.forge.clone_url(PROJECT);
    let base = url.strip_suffix("acme/widgets.git").expect("the project's address").to_owned();
    widgets.clone.git(&["remote", "set-url", "origin", "work:acme/widgets.git"]);
    let host = |run: Dai| run.args(["--format", "json"]).run().exits(0).json()["host"].clone();
    let here = widgets.forge.origin().replace("http://", "");
    assert_eq!(host(widgets.run(&[])), "work");
    let rewrite = format!("url.{base}.insteadOf");
    assert_eq!(host(counted(widgets.run(&[]), &[(rewrite.as_str(), "work:".to_owned())])), here);
    let scratch = Scratch::new();
    let (file, included) = (scratch.path().join("global"), scratch.path().join("included"));
    fs::write(&file, format!("[include]\n\tpath = {}\n", included.display())).expect("a configuration");
    fs::write(&included, format!("[url \"{base}\"]\n\tinsteadOf = work:\n")).expect("a configuration");
    for name in ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"] {
        assert_eq!(host(widgets.run(&[]).env_remove("GIT_CONFIG_NOSYSTEM").env(name, &file)), here, "{name}");
    }
    // Which remote `gh` marked is configuration, too.
    widgets.clone.git(&["remote", "set-url", "origin", &url]);
    widgets.clone.remote("fork", &widgets.forge.clone_url("bob/widgets"));
    widgets.run(&[]).run().exits(2).says("several projects");
    let report = counted(widgets.run(&["--format", "json"]), &[("remote.origin.gh-resolved", "base".to_owned())]);
    assert_eq!(report.run().exits(0).json()["project"], PROJECT);
}

/// Needs to be root: only root can give a folder away.
#[test]
fn c62_who_may_use_the_repository_is_git_s_to_say() {
    let change = Local::two_hunks();
    let path = change.repo.path();
    let given = std::process::Command::new("chown").args(["-R", "12345:12345"]).arg(path).output();
    if !given.expect("chown can be started").status.success() {
        return;
    }
    let parent = path.parent().expect("a folder above it");
    let scratch = Scratch::new();
    let link = scratch.path().join("link");
    std::os::unix::fs::symlink(path, &link).expect("a link");
    let global = scratch.path().join("global");
    let review = json!({ "findings": [at("a.rs", 5)] }).to_string();
    for (directory, trusted) in [
        (format!("{}/*", parent.display()), true),
        (format!("{}/", path.display()), true),
        (path.display().to_string(), true),
        ("*".to_owned(), true),
        (link.display().to_string(), true),
        (format!("{}/elsewhere", parent.display()), false),
    ] {
        fs::write(&global, format!("[safe]\n\tdirectory = {directory}\n")).expect("a configuration");
        let git = std::process::Command::new("git")
            .args(["rev-parse", "HEAD"])
            .current_dir(path)
            .env("GIT_CONFIG_GLOBAL", &global)
            .output()
            .expect("git is there");
        let run = Dai::in_repo(&change.repo).args(["forge", "review", "--base=main", "--head=topic", "--from=-"]);
        let answer = run.env("GIT_CONFIG_GLOBAL", &global).stdin(review.clone()).run();
        assert_eq!(answer.code() == 0, git.status.success(), "{directory}\n{answer}");
        if git.status.success() != trusted {
            // Older versions of git take fewer of them.
            assert!(answer.err().contains("safe.directory"), "{answer}");
        }
    }
}

#[test]
fn the_repository_that_the_caller_names_is_the_one() {
    let change = Local::two_hunks();
    let elsewhere = Scratch::new();
    let other = Repo::new();
    other.write("a.rs", "x\n").commit("another history");
    let review = json!({ "findings": [at("a.rs", 5)] }).to_string();
    let run = |dir: &std::path::Path| {
        let run = Dai::at(dir).args(["forge", "review", "--base=main", "--head=topic", "--from=-", "--format=json"]);
        run.stdin(review.clone())
    };
    let (top, git_dir) = (change.repo.path(), change.repo.path().join(".git"));
    for dir in [elsewhere.path(), other.path().to_owned()] {
        for run in [
            run(&dir).env("GIT_DIR", &git_dir),
            run(&dir).env("GIT_DIR", &git_dir).env("GIT_WORK_TREE", top),
            run(&dir).env("GIT_WORK_TREE", &dir).env("GIT_DIR", &git_dir).arg("-v"),
        ] {
            assert_eq!(fates(&run.run().exits(0).json()), ["ready"]);
        }
    }
    // Where a default file is looked for is the work tree's top.
    change.repo.write(".dai/reviews/22.json", &review);
    let run = Dai::at(elsewhere.path()).args(["forge", "review", "22", "--base=main", "--head=topic"]);
    run.env("GIT_DIR", &git_dir).env("GIT_WORK_TREE", top).run().exits(0);
    let gone = Dai::in_repo(&change.repo).args(["init"]).env("GIT_DIR", "/nonexistent").run().exits(4);
    gone.says("GIT_DIR=/nonexistent is set").says("unset the variable");
}

#[test]
fn c63_a_read_only_git_directory_is_previewed() {
    let widgets = ready();
    widgets.clone.git(&["fetch", "--quiet", "origin", "topic"]);
    let git_dir = widgets.clone.path().join(".git");
    let writable = |writable: &str| {
        let change = std::process::Command::new("chmod").args(["-R", writable]).arg(&git_dir).status();
        assert!(change.expect("chmod can be started").success());
    };
    writable("a-w");
    // Root writes all the same, so that the refs' folder is made one that cannot be.
    if fs::write(git_dir.join("probe"), "").is_ok() {
        fs::remove_file(git_dir.join("probe")).expect("it goes");
        fs::write(git_dir.join("refs/dai"), "").expect("a file in its place");
    }
    let shown = widgets.run(&[]).run().exits(0).says("nothing was kept for --offline");
    assert!(shown.out().contains("1 comment would be posted"), "{shown}");
    let report = widgets.run(&["--format", "json"]).run().exits(0).json();
    assert_eq!((&report["warnings"][0]["code"], fates(&report)), (&json!("not_kept"), vec!["ready"]));
    widgets.dai().args(["review", "brief", "22"]).run().exits(0);
    writable("u+w");
}

#[test]
fn c63_a_treeless_clone_works_or_names_the_one_command() {
    let widgets = ready();
    let upstream = widgets.forge.upstream(PROJECT);
    upstream.git(&["config", "uploadpack.allowFilter", "true"]);
    let review = fs::read(widgets.clone.path().join(".dai/reviews/22.json")).expect("the review");
    let cloned = || {
        let clone = Cloned::of(widgets.forge.clone_url(PROJECT)).treeless().no_checkout().make();
        clone.write(".dai/reviews/22.json", &review);
        clone
    };
    let clone = cloned();
    let run = |args: &[&str]| widgets.dai_in(&clone).args(args.iter().copied()).run();
    let local = ["forge", "review", "22", "--base", "origin/main", "--head", "origin/topic"];
    let refused = run(&local).exits(4);
    assert!(!refused.err().contains("fsck"), "{refused}");
    let command = refused.err().split('`').find(|word| word.starts_with("git -C ")).expect("a command").to_owned();
    let git = std::process::Command::new("sh").args(["-c", &command]).output().expect("a shell");
    assert!(git.status.success(), "{}", String::from_utf8_lossy(&git.stderr));
    run(&local).exits(0);
    run(&["review", "check", ".dai/reviews/22.json", "--base", "origin/main", "--head", "origin/topic"]).exits(0);

    let clone = cloned();
    let run = |args: &[&str]| widgets.dai_in(&clone).args(args.iter().copied()).run();
    run(&["forge", "review", "22"]).exits(0);
    run(&["forge", "review", "22", "--offline"]).exits(0);
    run(&["review", "brief", "22"]).exits(0);
    run(&["forge", "review", "22", "--yes"]).exits(0);
    assert_eq!(widgets.stored(), (1, 1));
}

/// As a crash leaves it. libgit2 waits for ever for the rest of such a file.
#[test]
fn a_commit_cut_short_in_the_history_ends_the_run_and_does_not_hang_it() {
    let repo = Repo::new();
    repo.write("a.rs", numbered(12)).commit("base");
    repo.switch_new("topic").write("b.rs", "1\n");
    let cut = repo.commit("cut short");
    repo.write("a.rs", numbered(12).replace("line 5\n", "five\n")).commit("head");
    repo.switch("main").write("c.rs", "1\n").commit("main goes on");
    let object = repo.path().join(".git/objects").join(&cut[..2]).join(&cut[2..]);
    fs::set_permissions(&object, fs::Permissions::from_mode(0o644)).expect("the object's file");
    let whole = fs::read(&object).expect("the object");
    fs::write(&object, &whole[..whole.len() / 2]).expect("half of it");
    let review = json!({ "findings": [at("a.rs", 5)] }).to_string();
    for (base, head) in [("main", "topic"), ("main", "topic~2"), ("topic~1", "topic"), (&cut[..12], "topic")] {
        let run = Dai::in_repo(&repo).args(["forge", "review", "--from=-", "--base", base, "--head", head]);
        let answer = run.stdin(review.clone()).run().exits(4);
        assert_eq!(answer.out(), "", "{base} {head}");
    }
}

#[test]
fn how_long_git_may_take_is_shown() {
    let change = Local::two_hunks();
    let run = change.dai(&json!({ "findings": [] })).arg("-v").run().exits(0);
    run.says("git may take 120 s to read, 600 s to fetch");
}

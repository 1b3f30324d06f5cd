//! c23: the commits, from clones of every kind, and what a run leaves behind in them.

use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::local::{Local, at, fates, left, numbered};
use crate::support::github::Head;
use crate::support::repo::{Cloned, Repo, Scratch, ShaWants, Upstream};
use crate::support::run::Dai;
use crate::widgets::{PROJECT, Widgets};

/// Previews and posts in this clone; nothing in it changes but refs under `refs/dai/` and the review's folder.
#[track_caller]
fn works_in(widgets: &Widgets, clone: &Repo) {
    clone.write(
        ".dai/reviews/22.json",
        json!({ "head": widgets.head, "findings": [at("a.rs", 5), left("gone.rs", 1)] }).to_string(),
    );
    let before = clone.fingerprint();
    let run = |args: &[&str]| {
        widgets.dai_in(clone).args(["forge", "review", "22", "--format", "json"]).args(args.iter().copied()).run()
    };
    let report = run(&[]).exits(0).json();
    assert_eq!(fates(&report), ["ready", "ready"]);
    assert_eq!(
        (&report["commits"]["head"], &report["commits"]["merge_base"]),
        (&json!(widgets.head), &json!(widgets.base))
    );
    before.assert_same_but(&clone.fingerprint(), &["ref refs/dai/", "git shallow"]);
    let posted = run(&["--yes"]).exits(0).json();
    assert_eq!(fates(&posted), ["posted", "posted"]);
    let reviews = ["ref refs/dai/", "git shallow", "file .dai/reviews/22.posted.json", "git dai/"];
    before.assert_same_but(&clone.fingerprint(), &reviews);
    let offline = run(&["--offline"]).exits(0).json();
    assert_eq!(fates(&offline), ["ready", "ready"]);
}

/// A request of a commit that no branch has.
fn of_a_fork() -> Widgets {
    let widgets = Widgets::new();
    widgets.forge.stage.pull(22, |pull| pull.head = Head::fork("bob", "topic"));
    widgets.forge.upstream(PROJECT).delete_branch("topic");
    widgets
}

fn cloned(widgets: &Widgets) -> Cloned {
    Cloned::of(widgets.forge.clone_url(PROJECT))
}

#[test]
fn c23_a_forks_head_and_a_deleted_branch() {
    let widgets = of_a_fork();
    let clone = cloned(&widgets).make();
    assert!(!clone.try_git(&["cat-file", "-e", &widgets.head]).status.success(), "the head is not there yet");
    works_in(&widgets, &clone);
}

#[test]
fn c23_a_clone_of_depth_1_stays_shallow_and_gets_exactly_what_is_missing() {
    let widgets = of_a_fork();
    let upstream = widgets.forge.upstream(PROJECT);
    for n in 0..3 {
        widgets.author.switch("main").write("main.txt", format!("{n}\n")).commit("main moves on");
    }
    upstream.push(&widgets.author, &["main"]);
    let clone = cloned(&widgets).shallow(1).make();
    works_in(&widgets, &clone);
    assert_eq!(clone.git(&["rev-parse", "--is-shallow-repository"]), "true");
    assert_eq!(clone.git(&["rev-list", "--count", "HEAD"]), "1");
}

#[test]
fn c23_cis_merge_commit_is_no_basis_for_anything() {
    let widgets = of_a_fork();
    // Main has moved the lines: the merge's numbers are not the request's.
    widgets.author.switch("main").write("a.rs", format!("top\ntop\n{}", numbered(40))).commit("main moves on");
    widgets.forge.upstream(PROJECT).push(&widgets.author, &["main"]);
    let merge = widgets.forge.stage.test_merge(22);
    let clone = Repo::new();
    clone.remote("origin", &widgets.forge.clone_url(PROJECT));
    clone.git(&[
        "fetch",
        "--quiet",
        "--depth=1",
        "--no-tags",
        "origin",
        &format!("+{merge}:refs/remotes/pull/22/merge"),
    ]);
    clone.switch("refs/remotes/pull/22/merge");
    works_in(&widgets, &clone);
    assert_eq!(clone.head(), merge);
}

#[test]
fn c23_a_partial_clone_and_one_without_a_work_tree_of_files() {
    let widgets = of_a_fork();
    works_in(&widgets, &cloned(&widgets).partial().no_checkout().make());
    let widgets = of_a_fork();
    works_in(&widgets, &cloned(&widgets).branch("main").config("remote.origin.tagOpt", "--tags").make());
}

#[test]
fn c23_a_linked_work_tree_and_a_dirty_one() {
    let widgets = of_a_fork();
    let clone = cloned(&widgets).make();
    clone.write("a.rs", "dirty\n").write("untracked", "x\n").git(&["add", "untracked"]);
    works_in(&widgets, &clone);
    let widgets = of_a_fork();
    let linked = cloned(&widgets).make().worktree("main");
    works_in(&widgets, &linked);
}

#[test]
fn c23_a_full_clone_stays_full_and_its_remote_branches_stay_where_they_are() {
    let widgets = Widgets::new();
    let old = widgets.clone.rev("refs/remotes/origin/topic");
    let head = widgets.author.write("made.rs", "one\ntwo\nthree\n").commit("a push");
    widgets.forge.stage.push(22, &widgets.author, &head);
    widgets.author.git(&["tag", "v1"]);
    widgets.forge.upstream(PROJECT).push(&widgets.author, &["v1"]);
    widgets.review(&json!({ "findings": [at("made.rs", 3)] }));
    let before = widgets.clone.fingerprint();
    widgets.run(&[]).run().exits(0);
    before.assert_same_but(&widgets.clone.fingerprint(), &["ref refs/dai/"]);
    assert_eq!(widgets.clone.rev("refs/remotes/origin/topic"), old);
    assert_eq!(widgets.clone.git(&["rev-parse", "--is-shallow-repository"]), "false");
    assert_eq!(widgets.clone.git(&["rev-list", "--count", "--all"]), "3");
}

#[test]
fn one_head_and_one_base_of_a_request_are_kept_and_overwritten() {
    let widgets = of_a_fork();
    let refs = |widgets: &Widgets| widgets.clone.git(&["for-each-ref", "--format=%(refname)", "refs/dai/"]);
    widgets.findings(&[at("a.rs", 5)]);
    widgets.run(&[]).run().exits(0);
    let kept = refs(&widgets);
    assert!(kept.lines().all(|name| name.contains("/acme/widgets/22/")), "{kept}");
    let head = widgets.author.switch("topic").write("made.rs", "one\ntwo\nthree\n").commit("a push");
    widgets.forge.stage.push(22, &widgets.author, &head);
    widgets.review(&json!({ "findings": [] }));
    widgets.run(&[]).run().exits(0);
    assert_eq!(refs(&widgets), kept);
}

#[test]
fn a_server_that_takes_no_commit_ids_is_asked_for_its_ref() {
    let widgets = of_a_fork();
    widgets.forge.upstream(PROJECT).sha_wants(ShaWants::TipsOnly);
    let clone = cloned(&widgets).make();
    works_in(&widgets, &clone);
}

#[test]
fn a_shallow_clone_without_its_merge_base_is_4_with_the_exact_command() {
    let author = Repo::new();
    author.write("a.rs", numbered(12)).commit("base");
    author.switch_new("topic").write("a.rs", numbered(12).replace("line 5\n", "five\n")).commit("head");
    author.switch("main").write("b.rs", "x\n").commit("main moves on");
    let upstream = Upstream::alone(PROJECT);
    upstream.push(&author, &["main", "topic"]);
    let clone = Cloned::of(upstream.file_url()).shallow(1).branch("topic").make();
    clone.git(&["fetch", "--quiet", "--depth=1", "origin", "main:main"]);
    let preview = || {
        let run = Dai::in_repo(&clone).args(["forge", "review", "--base", "main", "--head", "HEAD", "--from", "-"]);
        run.stdin(json!({ "findings": [at("a.rs", 5)] }).to_string()).run()
    };
    let run = preview().exits(4);
    assert_eq!(run.out(), "");
    let command = run.err().split('`').find(|part| part.starts_with("git fetch")).expect("a command").to_owned();
    clone.git(&command.split(' ').skip(1).collect::<Vec<_>>());
    preview().exits(0);
}

#[test]
fn revisions_that_are_none_are_4() {
    let local = Local::two_hunks();
    let run = |base: &str, head: &str| {
        let run = Dai::in_repo(&local.repo).args(["forge", "review", "--from", "-"]).stdin("{\"findings\":[]}");
        run.arg(format!("--base={base}")).arg(format!("--head={head}")).run()
    };
    run("main", "topic").exits(0);
    run("nowhere", "topic").exits(4).says("nowhere");
    run("main", "0123456789").exits(4);
    run("main", "-x").exits(4).says("begins with `-`");
    run("main^{tree}", "topic").exits(4);
    local.repo.orphan("apart").write("x", "1\n").commit("apart");
    run("main", "apart").exits(4).says("no common ancestor");
}

#[test]
fn base_alone_fetches_the_head_and_asks_no_api() {
    let widgets = of_a_fork();
    let clone = cloned(&widgets).make();
    clone.write(".dai/reviews/22.json", json!({ "findings": [at("a.rs", 5)] }).to_string());
    let before = clone.fingerprint();
    let run = widgets.dai_in(&clone).env_remove("GH_ENTERPRISE_TOKEN").args([
        "forge",
        "review",
        "22",
        "--base",
        "origin/main",
        "--format",
        "json",
    ]);
    let report = run.run().exits(0).json();
    assert_eq!((fates(&report), &report["digest"]), (vec!["ready"], &json!(null)));
    assert_eq!(widgets.forge.requests(), []);
    before.assert_same_but(&clone.fingerprint(), &["ref refs/dai/"]);
}

#[test]
fn offline_knows_what_an_earlier_run_fetched_and_nothing_else() {
    let widgets = of_a_fork();
    widgets.findings(&[at("a.rs", 5)]);
    widgets.run(&["--offline"]).run().exits(4).says("without --offline");
    widgets.run(&[]).run().exits(0);
    widgets.forge.forget_requests();
    let text = widgets.run(&["--offline"]).run().exits(0);
    assert!(text.out().contains("offline: fetched"), "{text}");
    let report = widgets.run(&["--offline", "--format", "json"]).run().exits(0).json();
    assert_eq!((fates(&report), &report["digest"]), (vec!["ready"], &json!(null)));
    assert_eq!((widgets.forge.requests(), widgets.forge.git_requests()), (vec![], vec![]));
}

#[test]
fn a_repository_of_sha_256_objects_is_previewed() {
    let repo = Repo::sha256();
    repo.write("a.rs", numbered(12)).commit("base");
    repo.switch_new("topic").write("a.rs", numbered(12).replace("line 5\n", "five\n")).commit("head");
    let run = Dai::in_repo(&repo).args(["forge", "review", "--base", "main", "--head", "topic", "--from", "-"]);
    let review = json!({ "head": repo.head(), "findings": [at("a.rs", 5)] });
    let report = run.args(["--format", "json"]).stdin(review.to_string()).run().exits(0).json();
    assert_eq!(fates(&report), ["ready"]);
    assert_eq!(report["commits"]["head"].as_str().map(str::len), Some(64));
}

#[test]
fn a_bare_repository_is_previewed_with_a_named_file() {
    let local = Local::two_hunks();
    let bare = Cloned::of(local.repo.path().display().to_string()).bare().make();
    let run = Dai::in_repo(&bare).args(["forge", "review", "--base", "main", "--head", "topic", "--from", "-"]);
    run.stdin(json!({ "findings": [at("a.rs", 5)] }).to_string()).run().exits(0);
}

#[test]
fn without_git_on_the_path_a_local_preview_still_works() {
    let local = Local::two_hunks();
    local.dai(&json!({ "findings": [at("a.rs", 5)] })).env("PATH", "/nonexistent").run().exits(0);
    let widgets = of_a_fork();
    let clone = cloned(&widgets).make();
    clone.write(".dai/reviews/22.json", json!({ "findings": [at("a.rs", 5)] }).to_string());
    let run = widgets.dai_in(&clone).args(["forge", "review", "22"]).env("PATH", "/nonexistent").run().exits(4);
    run.says("`git` is not on the PATH");
}

/// Ctrl-C at a terminal reaches git too: that git failed is then not what ended the run.
#[test]
fn an_interrupt_that_git_hears_first_is_an_interrupt() {
    let widgets = of_a_fork();
    let upstream = widgets.forge.upstream(PROJECT);
    widgets.author.switch("main").write("main.txt", "on\n").commit("main moves on");
    upstream.push(&widgets.author, &["main"]);
    let real = std::env::var("PATH").expect("a path");
    for (command, nth) in [(" fetch ", 1), (" fetch ", 2), (" diff-tree ", 1)] {
        let clone = cloned(&widgets).shallow(1).make();
        clone
            .write(".dai/reviews/22.json", json!({ "head": widgets.head, "findings": [at("new.rs", 10)] }).to_string());
        let fake = Scratch::new();
        let script = format!(
            "#!/bin/sh\ncase \" $* \" in *'{command}'*) echo >>'{0}'\n\
             if [ $(wc -l <'{0}') = {nth} ]; then kill -INT $PPID; sleep 0.3; echo cut >&2; exit 130; fi;; esac\n\
             PATH='{real}' exec git \"$@\"\n",
            fake.path().join("count").display()
        );
        std::fs::write(fake.path().join("git"), script).expect("the script can be written");
        std::fs::set_permissions(fake.path().join("git"), std::fs::Permissions::from_mode(0o755)).expect("and run");
        let run = widgets.dai_in(&clone).args(["forge", "review", "22", "--yes"]);
        let run = run.env("PATH", format!("{}:{real}", fake.path().display())).run().exits(130);
        run.says("interrupted; nothing was posted");
        assert_eq!(widgets.forge.writes(), [], "{command}{nth}");
    }
}

/// In the product's words, whatever the library beneath calls it.
#[test]
fn a_revision_that_is_none_is_told_with_the_one_that_was_meant() {
    let change = Local::two_hunks();
    let repo = &change.repo;
    repo.git(&["branch", "feature/checkout", "topic"]);
    repo.git(&["update-ref", "refs/remotes/origin/release-2", "topic"]);
    repo.git(&["tag", "version-1.4", "topic"]);
    repo.git(&["tag", "a-tree", "topic^{tree}"]);
    let run = |base: &str| {
        let run = Dai::in_repo(repo).args(["forge", "review", "--head=topic", "--from=-"]).stdin("{\"findings\":[]}");
        run.arg(format!("--base={base}")).run().exits(4)
    };
    for (rev, said, help) in [
        ("mian", "`mian` names no commit of this repository", "did you mean `main`?"),
        ("Main~1", "`Main~1` names no commit", "did you mean `main~1`?"),
        ("feature/chekcout", "names no commit", "did you mean `feature/checkout`?"),
        ("origin/relase-2", "names no commit", "did you mean `origin/release-2`?"),
        ("release-2", "names no commit", "did you mean `origin/release-2`?"),
        ("version-1.5", "names no commit", "did you mean `version-1.4`?"),
        ("nothing-like-it", "names no commit", "git rev-parse --verify nothing-like-it"),
        ("main~9", "`main~9` names no commit", "git rev-parse --verify 'main~9'"),
        ("a-tree", "`a-tree` names no commit, but a tree", "give a commit, a branch or a tag"),
        ("topic:a.rs", "`topic:a.rs` names no commit, but a file", "give a commit, a branch or a tag"),
        ("main^{", "`main^{` is not how a revision is written", "give a commit, a branch or a tag"),
    ] {
        let answer = run(rev).says(said).says(help);
        for theirs in ["revspec", "refspec", "rev-spec", "not found", "libgit2", "peel", "requested type", "parse"] {
            let err = answer.err().replace("rev-parse --verify", "");
            assert!(!err.contains(theirs), "{theirs}: {answer}");
        }
    }
    let empty = Repo::new();
    let run = Dai::in_repo(&empty).args(["forge", "review", "--base=HEAD", "--head=HEAD", "--from=-"]);
    let run = run.stdin("{\"findings\":[]}").run().exits(4);
    run.says("the branch that is checked out has none yet").says("commit something first");
    // Where history was cut off, the name may still be the fault.
    std::fs::write(repo.path().join(".git/shallow"), repo.git(&["rev-parse", "main"]) + "\n").unwrap();
    run_shallow(repo, "mian", "did you mean `main`?");
    run_shallow(repo, "main~9", "git fetch --unshallow");
}

#[track_caller]
fn run_shallow(repo: &Repo, base: &str, help: &str) {
    let run = Dai::in_repo(repo).args(["forge", "review", "--head=topic", "--from=-"]).stdin("{\"findings\":[]}");
    run.arg(format!("--base={base}")).run().exits(4).says(help);
}

#[test]
fn a_repository_of_a_later_format_is_named_in_our_words() {
    let repo = Repo::new();
    repo.write("x", "").commit("one");
    repo.config("core.repositoryformatversion", "7");
    let answer = Dai::in_repo(&repo).args(["forge", "review", "22"]).run().exits(4);
    assert!(answer.err().contains("uses `repository format 7`, which cannot be read here"), "{answer}");
}

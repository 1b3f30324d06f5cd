//! c45 and the rules of the default file.

use std::fs;

use serde_json::json;

use crate::local::{Local, at, fates};
use crate::support::run::Dai;
use crate::widgets::Widgets;

const FILE: &str = ".dai/reviews/22.json";

fn document(body: &str) -> String {
    json!({ "findings": [{ "path": "a.rs", "line": 5, "severity": "low", "body": body }] }).to_string()
}

fn local(run: Dai) -> Dai {
    run.args(["forge", "review", "22", "--base", "main", "--head", "topic", "--format", "json"])
}

fn body(report: &serde_json::Value) -> bool {
    report["findings"][0]["body"].as_str().expect("a body").contains("From the default file.")
}

#[test]
fn the_default_file_is_found_from_every_folder() {
    let change = Local::two_hunks();
    change.repo.write(FILE, document("From the default file.")).write("deep/down/x", "");
    for run in [
        Dai::in_repo(&change.repo),
        Dai::at(change.repo.path().join("deep/down")),
        Dai::in_repo(&change.repo).args(["-C", "deep", "-C", "down"]),
    ] {
        assert!(body(&local(run).run().exits(0).json()));
    }
    let linked = change.repo.worktree("topic");
    linked.write(FILE, document("From the default file."));
    assert!(body(&local(Dai::in_repo(&linked)).run().exits(0).json()));
}

#[test]
fn a_named_file_is_taken_from_the_folder_and_a_dash_is_stdin() {
    let change = Local::two_hunks();
    change.repo.write("deep/mine.json", document("From the default file."));
    let args = ["forge", "review", "--base", "main", "--head", "topic", "--format", "json", "--from"];
    let run = Dai::at(change.repo.path().join("deep")).args(args).arg("mine.json").run().exits(0);
    assert!(body(&run.json()));
    let run = Dai::in_repo(&change.repo).args(args).arg("deep/mine.json").run().exits(0);
    assert!(body(&run.json()));
    let run = Dai::in_repo(&change.repo).args(args).arg("-").stdin(document("From the default file.")).run().exits(0);
    assert!(body(&run.json()));
    Dai::in_repo(&change.repo).args(args).arg("mine.json").run().exits(3).says("mine.json");
    Dai::in_repo(&change.repo).args(args).arg("deep").run().exits(3).says("deep");
    Dai::in_repo(&change.repo).args(args).arg("-").run().exits(3).says("stdin");
}

#[test]
fn c45_a_default_file_that_git_tracks_is_not_read() {
    let change = Local::two_hunks();
    change.repo.write(FILE, document("From the default file.")).git(&["add", "--force", FILE]);
    let run = local(Dai::in_repo(&change.repo)).run().exits(3).says("git tracks it").says(&format!("--from {FILE}"));
    assert_eq!(run.out(), "");
    let run = local(Dai::in_repo(&change.repo)).args(["--from", FILE]).run().exits(0);
    assert!(body(&run.json()));
}

#[test]
fn c45_a_default_file_that_the_head_commit_contains_is_not_read() {
    let change = Local::two_hunks();
    change.repo.write(FILE, document("From the default file.")).commit("brings its own review");
    change.repo.git(&["rm", "--quiet", "--cached", FILE]);
    let run = local(Dai::in_repo(&change.repo)).run().exits(3).says("the head commit contains it");
    assert_eq!(run.out(), "");
    assert!(run.err().contains(&format!("--from {FILE}")), "{run}");
    change.repo.remove(FILE).switch("main").write(FILE, document("From the default file."));
    local(Dai::in_repo(&change.repo)).run().exits(3);
    change.repo.git(&["config", "core.ignoreCase", "true"]);
    local(Dai::in_repo(&change.repo)).run().exits(3);
}

#[test]
fn c45_online_a_file_that_the_head_brings_is_not_read_either() {
    let widgets = Widgets::new();
    let head = widgets.author.write(FILE, document("From the default file.")).commit("brings its own review");
    widgets.forge.stage.push(22, &widgets.author, &head);
    widgets.clone.write(FILE, document("From the default file."));
    for args in [&[][..], &["--yes"]] {
        widgets.run(args).run().exits(3).says("the head commit contains it");
    }
    assert_eq!(widgets.forge.writes(), []);
    widgets.run(&["--from", FILE]).run().exits(0);
}

#[test]
fn a_link_out_of_the_repository_is_not_followed_unasked() {
    let change = Local::two_hunks();
    let outside = change.repo.home().join("review.json");
    fs::write(&outside, document("From the default file.")).expect("a file");
    fs::create_dir_all(change.repo.path().join(".dai/reviews")).expect("a folder");
    change.repo.symlink(FILE, outside.to_str().expect("a path"));
    local(Dai::in_repo(&change.repo)).run().exits(3).says("leads out of the repository").says("--from");
    let run = local(Dai::in_repo(&change.repo)).args(["--from", FILE]).run().exits(0);
    assert!(body(&run.json()));
    change.repo.symlink(FILE, "nowhere.json");
    local(Dai::in_repo(&change.repo)).run().exits(3).says(FILE);
    change.repo.write("kept.json", document("From the default file.")).symlink(FILE, "../../kept.json");
    assert!(body(&local(Dai::in_repo(&change.repo)).run().exits(0).json()));
    change.repo.git(&["add", "--force", "kept.json"]);
    local(Dai::in_repo(&change.repo)).run().exits(3).says("git tracks it");
}

#[test]
fn c45_a_folder_that_the_branch_turned_into_a_link_brings_no_review() {
    let change = Local::two_hunks();
    change.repo.write("docs/reviews/22.json", document("From the default file.")).symlink(".dai", "docs");
    change.repo.commit("brings its own review by a link");
    local(Dai::in_repo(&change.repo)).run().exits(3).says("git tracks it");
    change.repo.git(&["rm", "--quiet", "-r", "--cached", ".dai", "docs"]);
    local(Dai::in_repo(&change.repo)).run().exits(3).says("the head commit contains it");
}

#[test]
fn a_missing_file_is_named_with_what_to_do() {
    let change = Local::two_hunks();
    let run = local(Dai::in_repo(&change.repo)).run().exits(3).says(FILE).says("--from");
    assert_eq!(run.out(), "");
    let args = ["forge", "review", "--base", "main", "--head", "topic"];
    Dai::in_repo(&change.repo).args(args).run().exits(2).says("--from");
}

#[test]
fn c45_orchestras_file_is_a_default_only_for_the_head_it_is_bound_to() {
    let change = Local::two_hunks();
    let orchestra = |sha: &str| {
        json!({ "result_sha": sha, "findings": [{ "id": "r1", "severity": "important", "file": "a.rs", "line": 5, "claim": "c", "evidence": "e" }] })
            .to_string()
    };
    change.repo.write(".orchestra/review.json", orchestra(&change.repo.head()));
    let report = local(Dai::in_repo(&change.repo)).run().exits(0).json();
    assert_eq!((fates(&report), &report["findings"][0]["severity"]), (vec!["ready"], &json!("medium")));
    change.repo.write(".orchestra/review.json", orchestra(&change.repo.rev("main")));
    local(Dai::in_repo(&change.repo)).run().exits(3).says(FILE).says("is bound to");
    change.repo.write(FILE, document("From the default file."));
    assert!(body(&local(Dai::in_repo(&change.repo)).run().exits(0).json()));
    let unbound = json!({ "findings": [{ "id": "r1", "severity": "minor", "file": "a.rs", "line": 5, "claim": "c", "evidence": "e" }] });
    change.repo.remove(FILE).write(".orchestra/review.json", unbound.to_string());
    local(Dai::in_repo(&change.repo)).run().exits(3);
}

#[test]
fn a_file_that_is_no_file_is_refused_without_waiting() {
    let change = Local::two_hunks();
    change.repo.write(".dai/reviews/x", "");
    fs::create_dir(change.repo.path().join(FILE)).expect("a folder");
    local(Dai::in_repo(&change.repo)).run().exits(3).says(FILE);
    let pipe = change.repo.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo is there");
    assert!(made.success());
    local(Dai::in_repo(&change.repo)).args(["--from", "pipe"]).run().exits(3).says("pipe");
    assert!(fates(&change.report(&[at("a.rs", 5)])) == ["ready"]);
}

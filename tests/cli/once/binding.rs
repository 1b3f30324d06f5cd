//! `dai review bind`.

use std::fs;

use serde_json::{Value, json};

use crate::support::repo::Repo;
use crate::support::run::Dai;

fn scene() -> (Repo, String, String) {
    let repo = Repo::new();
    let first = repo.write("a", "1\n").commit("first");
    let second = repo.write("a", "2\n").commit("second");
    (repo, first, second)
}

fn bind(repo: &Repo, args: &[&str]) -> Dai {
    Dai::in_repo(repo).args(["review", "bind"]).args(args.iter().copied())
}

#[test]
fn the_commit_is_written_into_the_file_and_no_other_byte_changes() {
    let (repo, first, second) = scene();
    let path = repo.path().join("r.json");
    let text = "{\r\n  \"us\":  \"ABC-1\",\r\n  \"findings\": [ ]\r\n}\r\n";
    for (commit, id) in [(None, &second), (Some("HEAD~1"), &first), (Some(&*first), &first)] {
        fs::write(&path, text).unwrap();
        let args: Vec<_> = ["r.json"].into_iter().chain(commit.iter().flat_map(|c| ["--commit", c])).collect();
        let answer = bind(&repo, &args).run().exits(0).says(id);
        assert!(answer.stdout.is_empty());
        let bound = fs::read_to_string(&path).unwrap();
        let added = format!("\"head\":  \"{id}\",\r\n  ");
        assert_eq!(bound, text.replacen("\"us\"", &format!("{added}\"us\""), 1));
        bind(&repo, &args).run().exits(0).says("already");
        assert_eq!(fs::read_to_string(&path).unwrap(), bound);
    }
}

#[test]
fn a_file_that_is_bound_to_another_commit_is_refused_and_left_alone() {
    let (repo, first, _) = scene();
    let path = repo.path().join("r.json");
    for text in [
        json!({"head": first, "findings": []}),
        json!({"result_sha": first, "findings": []}),
        json!({"result_sha": first, "findings": [{"id": "a", "severity": "minor", "file": "a", "claim": "c", "evidence": "e"}]}),
    ] {
        fs::write(&path, text.to_string()).unwrap();
        bind(&repo, &["r.json"]).run().exits(7).says(&first).says("another commit");
        assert_eq!(fs::read_to_string(&path).unwrap(), text.to_string());
    }
}

#[test]
fn a_clean_review_in_orchestras_folder_is_bound_by_orchestras_field() {
    let (repo, _, second) = scene();
    let run = |dir: &std::path::Path, file: &str| Dai::at(dir).args(["review", "bind", file]).run().exits(0);
    for (dir, file) in [("", ".orchestra/review.json"), (".orchestra", "review.json")] {
        repo.write(".orchestra/review.json", r#"{"findings": []}"#);
        run(&repo.path().join(dir), file);
        let bound: Value =
            serde_json::from_slice(&fs::read(repo.path().join(".orchestra/review.json")).unwrap()).unwrap();
        assert_eq!(bound, json!({"result_sha": second, "findings": []}));
        run(&repo.path().join(dir), file).says("already");
    }
}

#[test]
fn orchestras_field_has_its_own_name_and_an_exchange_has_none() {
    let (repo, _, second) = scene();
    let path = repo.path().join("r.json");
    let finding = json!({"id": "a", "severity": "minor", "file": "a", "claim": "c", "evidence": "e"});
    fs::write(&path, json!({"findings": [finding]}).to_string()).unwrap();
    bind(&repo, &["r.json"]).run().exits(0);
    let bound: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert_eq!(bound["result_sha"], json!(second));
    let exchange = json!({"leanreview_review": 1, "title": "t", "patch": "+x", "comments": []}).to_string();
    fs::write(&path, &exchange).unwrap();
    bind(&repo, &["r.json"]).run().exits(2).says("exchange");
    assert_eq!(fs::read_to_string(&path).unwrap(), exchange);
}

#[test]
fn faults_have_their_exit_codes() {
    let (repo, ..) = scene();
    fs::write(repo.path().join("bad.json"), "{").unwrap();
    fs::write(repo.path().join("good.json"), "{\"findings\": []}").unwrap();
    for (args, code) in [
        (&["nowhere.json"][..], 3),
        (&["bad.json"], 3),
        (&["good.json", "--commit", "nonsense"], 4),
        (&["-"], 2),
        (&[], 2),
    ] {
        bind(&repo, args).run().exits(code);
    }
    std::os::unix::fs::symlink("good.json", repo.path().join("link.json")).unwrap();
    bind(&repo, &["link.json"]).run().exits(3);
    assert_eq!(fs::read_to_string(repo.path().join("good.json")).unwrap(), "{\"findings\": []}");
}

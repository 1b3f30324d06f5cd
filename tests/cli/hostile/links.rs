//! Links, devices and pipes in the places where the program reads and writes.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use super::scene::{Hub, author, finding};
use crate::support::repo::Scratch;

fn review_bytes(hub: &Hub) -> Vec<u8> {
    fs::read(hub.clone.path().join(".dai/reviews/22.json")).expect("the review")
}

fn remove(path: &Path) {
    match path.symlink_metadata() {
        Ok(meta) if meta.is_dir() => fs::remove_dir_all(path).expect("the folder goes"),
        Ok(_) => fs::remove_file(path).expect("the file goes"),
        Err(_) => {}
    }
}

/// What stands in a folder outside the repository, by name and content.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<_> = fs::read_dir(folder)
        .expect("the folder stands")
        .flatten()
        .filter(|entry| entry.path().is_file())
        .map(|entry| (entry.file_name().display().to_string(), fs::read(entry.path()).expect("a file")))
        .collect();
    all.sort();
    all
}

#[test]
fn a_review_that_a_link_leads_to_is_not_read() {
    for place in [".dai", ".dai/reviews", ".dai/reviews/22.json"] {
        let hub = Hub::new();
        let outside = Scratch::new();
        hub.review(&[finding(5, "A fault.")]);
        let bytes = review_bytes(&hub);
        fs::create_dir_all(outside.path().join("reviews")).expect("a folder outside");
        fs::write(outside.path().join("22.json"), &bytes).expect("a review outside");
        fs::write(outside.path().join("reviews/22.json"), &bytes).expect("a review outside");
        let link = hub.clone.path().join(place);
        remove(&link);
        let target = if place.ends_with(".json") { outside.path().join("22.json") } else { outside.path() };
        symlink(target, &link).expect("a link");
        let answer = hub.run(&["--yes"]).run().exits(3);
        assert!(answer.err().contains("leads out of the repository"), "{place}\n{answer}");
        assert_eq!(hub.forge.writes(), [], "{place}");
    }
}

/// A check of the only review there is may rewrite it, and so looks where it really is.
#[test]
fn a_check_follows_no_link_out_of_the_repository() {
    for place in [".dai", ".dai/reviews", ".dai/reviews/22.json"] {
        let hub = Hub::new();
        let outside = Scratch::new();
        // Off by one, with a snippet that says where it belongs: --fix has something to write.
        let mut off = finding(6, "A fault.");
        off["snippet"] = "line five".into();
        hub.review(&[off]);
        hub.clone.git(&["fetch", "--quiet", "origin", "topic"]);
        let check = |more: &[&str]| {
            let run = hub.dai().args(["review", "check", "--base", "main", "--head", &hub.head]);
            run.args(more.iter().copied()).run()
        };
        check(&[]).exits(0);
        let folder = outside.path().join(if place == ".dai" { "reviews" } else { "" });
        fs::create_dir_all(&folder).expect("a folder outside");
        fs::write(folder.join("22.json"), review_bytes(&hub)).expect("a review outside");
        let before = contents(&folder);
        let link = hub.clone.path().join(place);
        remove(&link);
        let target = if place.ends_with(".json") { outside.path().join("22.json") } else { outside.path() };
        symlink(target, &link).expect("a link");
        for more in [&[][..], &["--fix"], &["--write"]] {
            check(more).exits(3).says("leads out of the repository");
        }
        assert_eq!(contents(&folder), before, "{place}");
    }
}

/// The review is named, so it is read wherever it is; the receipt still goes nowhere but into the repository.
#[test]
fn a_receipt_never_leaves_the_repository() {
    for place in [".dai", ".dai/reviews", ".dai/reviews/22.posted.json"] {
        let hub = Hub::new();
        hub.review(&[finding(5, "A fault.")]);
        let outside = Scratch::new();
        let named = outside.path().join("named.json");
        fs::write(&named, review_bytes(&hub)).expect("the review");
        fs::create_dir_all(outside.path().join("reviews")).expect("a folder outside");
        fs::write(outside.path().join("precious"), "kept").expect("a file outside");
        let before = contents(&outside.path());
        let link = hub.clone.path().join(place);
        remove(&link);
        let target = if place.ends_with(".json") { outside.path().join("precious") } else { outside.path() };
        symlink(target, &link).expect("a link");
        let answer = hub.run(&["--yes", "--from", &named.display().to_string()]).run().exits(0);
        assert!(answer.err().contains("the receipt .dai/reviews/22.posted.json was not written"), "{place}\n{answer}");
        assert_eq!(contents(&outside.path()), before, "{place}");
        assert_eq!(fs::read_dir(outside.path().join("reviews")).expect("it stands").count(), 0, "{place}");
    }
}

#[test]
fn a_receipt_is_for_its_owner_alone() {
    let hub = Hub::new();
    hub.review(&[finding(5, "A fault.")]);
    hub.run(&["--yes"]).run().exits(0);
    let meta = fs::metadata(hub.clone.path().join(".dai/reviews/22.posted.json")).expect("the receipt");
    assert_eq!(meta.permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::read_dir(hub.clone.path().join(".dai/reviews")).expect("it stands").count(), 2);
}

#[test]
fn a_folder_a_device_or_a_pipe_is_no_review() {
    for kind in ["folder", "device", "pipe", "nowhere", "loop"] {
        let hub = Hub::new();
        hub.clone.write(".dai/reviews/keep", "");
        let path = hub.clone.path().join(".dai/reviews/22.json");
        match kind {
            "folder" => fs::create_dir(&path).expect("a folder"),
            "device" => symlink("/dev/zero", &path).expect("a link"),
            "nowhere" => symlink("nowhere", &path).expect("a link"),
            "loop" => symlink("22.json", &path).expect("a link"),
            _ => assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo").success()),
        }
        let answer = hub.run(&[]).run().exits(3);
        assert_eq!(answer.out(), "", "{kind}");
        assert_eq!(hub.forge.requests(), [], "{kind}");
        let named = hub.run(&["--from", ".dai/reviews/22.json"]).run().exits(3);
        assert_eq!(named.out(), "", "{kind}");
    }
    let hub = Hub::new();
    for device in ["/dev/zero", "/dev/null", "/dev/tty"] {
        hub.run(&["--from", device]).run().exits(3);
    }
    assert_eq!(hub.forge.requests(), []);
}

/// A branch cannot bring its own review, nor a dot-env file, nor Orchestra's.
#[test]
fn c45_what_a_branch_brings_is_not_read() {
    let evil = r#"{"findings": [{"path": "a.rs", "line": 5, "severity": "low", "body": "Looks good."}]}"#;
    let hub = Hub::of(author(|author| {
        author.write(".dai/reviews/22.json", evil).write(".env", "GH_ENTERPRISE_TOKEN=stolen\nDAI_MIN_SEVERITY=high\n");
        author.write(".env.dai", "GITHUB_API_URL=http://127.0.0.1:9/\nDAI_MAX_COMMENTS=0\n");
    }));
    // Checked out, and tracked.
    hub.clone.switch("topic");
    let answer = hub.run(&["--yes"]).run().exits(3);
    assert!(answer.err().contains("git tracks it"), "{answer}");
    let named = hub.run(&["--from", ".dai/reviews/22.json", "--format", "json"]).run().exits(0);
    assert!(named.err().contains(".env.dai is not read") && named.err().contains(".env is not read"), "{named}");
    assert_eq!(named.json()["counts"]["ready"], 1, "{named}");
    // Taken out of the index, and in the head all the same.
    hub.clone.git(&["rm", "--quiet", "--cached", ".dai/reviews/22.json"]);
    let answer = hub.run(&["--yes"]).run().exits(3);
    assert!(answer.err().contains("the head commit contains it"), "{answer}");
    assert_eq!(hub.forge.writes(), []);

    let hub = Hub::of(author(|author| {
        author.write(".orchestra/review.json", r#"{"findings": []}"#);
    }));
    hub.clone.switch("topic");
    hub.run(&["--yes"]).run().exits(3);
    // A link to a folder that is the owner's, brought by the branch.
    let hub = Hub::of(author(|author| {
        author.symlink(".dai", "..").symlink(".env", "/etc/passwd").symlink(".env.dai", "../../home/.env");
    }));
    hub.clone.switch("topic");
    hub.run(&["--yes"]).run().exits(3);
    assert_eq!(hub.forge.writes(), []);
}

#[test]
fn the_lock_is_made_under_the_git_directory_alone() {
    let hub = Hub::new();
    hub.review(&[finding(5, "A fault.")]);
    let outside = Scratch::new();
    fs::write(outside.path().join("precious"), "kept").expect("a file outside");
    fs::create_dir_all(hub.clone.path().join(".git/dai")).expect("the lock's folder");
    symlink(outside.path().join("precious"), hub.clone.path().join(".git/dai/lock")).expect("a link");
    hub.run(&["--yes"]).run();
    assert_eq!(fs::read(outside.path().join("precious")).expect("it stands"), b"kept");
}

#[test]
fn init_follows_no_link_out_of_the_repository() {
    for place in [".gitignore", ".env.example", ".dai", ".dai/reviews"] {
        for target in ["precious", "not-there", "folder"] {
            let hub = Hub::new();
            let outside = Scratch::new();
            fs::write(outside.path().join("precious"), "kept").expect("a file outside");
            fs::create_dir(outside.path().join("folder")).expect("a folder outside");
            let link = hub.clone.path().join(place);
            fs::create_dir_all(link.parent().expect("a parent")).expect("the parent");
            symlink(outside.path().join(target), &link).expect("a link");
            let answer = hub.dai().arg("init").run();
            // An example that stands already, as whatever, is left alone.
            assert_eq!(answer.code(), if place == ".env.example" { 0 } else { 2 }, "{place} {target}\n{answer}");
            assert_eq!(fs::read(outside.path().join("precious")).expect("it stands"), b"kept");
            assert!(!outside.path().join("not-there").exists(), "{place}");
            assert_eq!(fs::read_dir(outside.path().join("folder")).expect("it stands").count(), 0, "{place}");
        }
    }
    // A device or a pipe in their place.
    for place in [".gitignore", ".env.example"] {
        let hub = Hub::new();
        let path = hub.clone.path().join(place);
        assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
        let answer = hub.dai().arg("init").run();
        assert!(matches!(answer.code(), 0 | 2), "{answer}");
        remove(&path);
        symlink("/dev/zero", &path).expect("a link");
        let answer = hub.dai().arg("init").run();
        assert!(matches!(answer.code(), 0 | 2), "{answer}");
    }
}

#[test]
fn a_demo_is_made_where_it_was_asked_for_and_nowhere_else() {
    let outside = Scratch::new();
    fs::create_dir(outside.path().join("target")).expect("a folder");
    fs::write(outside.path().join("target/precious"), "kept").expect("a file outside");
    let place = Scratch::new();
    symlink(outside.path().join("target"), place.path().join("full")).expect("a link");
    fs::write(place.path().join("file"), "kept").expect("a file");
    for taken in ["full", "file", "file/below"] {
        let answer = crate::support::run::Dai::at(place.path()).args(["demo", taken]).run().exits(2);
        assert_eq!(answer.out(), "", "{answer}");
    }
    assert_eq!(contents(&outside.path().join("target")), [("precious".to_owned(), b"kept".to_vec())]);
    assert_eq!(fs::read(place.path().join("file")).expect("it stands"), b"kept");
    // Templates and hooks of the owner have no part in it, nor has another repository around it.
    let canary = super::scene::Canary::new();
    let templates = place.path().join("templates");
    fs::create_dir_all(templates.join("hooks")).expect("a folder");
    for hook in ["post-checkout", "post-commit", "reference-transaction"] {
        super::scene::executable(&templates.join("hooks").join(hook), &format!("#!/bin/sh\n{}\n", canary.command()));
    }
    let run = crate::support::run::Dai::at(place.path()).args(["demo", "new"]);
    run.env("GIT_TEMPLATE_DIR", &templates).env("GIT_DIR", place.path().join("elsewhere")).run().exits(0);
    canary.assert_asleep();
    assert!(place.path().join("new/.git/HEAD").is_file() && !place.path().join("elsewhere").exists());
    // The folder that is made up is nobody else's to write to.
    let temporary = Scratch::new();
    let answer = crate::support::run::Dai::at(place.path()).arg("demo").env("TMPDIR", temporary.path()).run().exits(0);
    let made = fs::read_dir(temporary.path()).expect("it stands").flatten().map(|entry| entry.path());
    let made: Vec<_> = made.filter(|path| path.join(".git").exists()).collect();
    assert_eq!(made.len(), 1, "{answer}");
    assert_eq!(fs::metadata(&made[0]).expect("the demo").mode() & 0o022, 0);
}

//! Clones that have not everything: cut by depth, or partial.

use std::collections::BTreeSet;
use std::path::Path;

use dai::change::Paths;
use dai::change::git::{GitError, Network, Repo, RequestRefs, Slot, Want};

use crate::check;
use crate::lab::{Lab, Work, between, lines, open};

/// A server's repository with a request of one commit on a branch of twenty-five.
pub fn server(lab: &Lab) -> Work {
    let work = lab.init("server");
    for setting in ["uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"] {
        work.git(&["config", setting, "true"]);
    }
    work.write("a", lines("a", 30)).write("d/ren", lines("r", 40)).write("other", "o\n").write("d/e/f", "f\n");
    for n in 0..25 {
        work.write("count", format!("{n}\n")).commit(&format!("main {n}"));
    }
    work.git(&["checkout", "-q", "-b", "topic"]);
    work.write("a", lines("a", 30).replace("line 9 ", "L ")).remove("d/ren");
    work.write("e/new", lines("r", 25) + &lines("s", 15)).write("d/e/f", "g\n").commit("topic");
    work.git(&["update-ref", "refs/pull/22/head", "topic"]);
    work.git(&["checkout", "-q", "main"]);
    work
}

fn names() -> BTreeSet<String> {
    ["a", "e/new", "d/e/f", "other"].map(str::to_owned).into()
}

fn networked(path: &Path) -> Repo {
    Repo::discover(path, Network::Allowed).unwrap()
}

#[test]
fn c23_depth_one_gets_exactly_the_two_commits() {
    let lab = Lab::new();
    let server = server(&lab);
    let (main, topic) = (server.id("main"), server.id("topic"));
    for depth in ["1", "20"] {
        let clone = lab.clone(&server.path, &format!("depth{depth}"), &["--depth", depth, "--branch", "main"]);
        let mut repo = networked(&clone.path);
        assert!(repo.is_shallow());
        let refs = RequestRefs::new("h.example", "acme/widgets", 22);
        assert!(!repo.has_commit(&topic));
        for (slot, id) in [(Slot::Head, &topic), (Slot::Base, &main)] {
            let want = Want::Commit { id: id.clone(), or_ref: None };
            assert_eq!(repo.fetch("origin", &want, &refs, slot).unwrap(), *id);
        }
        let tally = check::check(&repo, &between(&main, &topic), 50).unwrap();
        assert_eq!((tally.differences, tally.files), (Vec::new(), 3));
        let kept = repo.kept(&refs).unwrap();
        assert_eq!((kept.head, kept.base), (topic.clone(), Some(main.clone())));
        assert!(kept.age.unwrap().as_secs() < 60);
        let commits = clone.git(&["rev-list", "--count", topic.as_str()]);
        assert_eq!(commits, "1", "one commit came, not its history");
    }
}

#[test]
fn c23_a_history_that_is_cut_says_how_to_get_it() {
    let lab = Lab::new();
    let server = server(&lab);
    server.write("count", "on\n").commit("main goes on");
    let clone = lab.clone(&server.path, "clone", &["--depth", "1", "--no-single-branch"]);
    let repo = open(&clone.path);
    let error = repo.merge_base(&server.id("main"), &server.id("topic")).unwrap_err();
    assert!(matches!(error, GitError::NoMergeBase { shallow: true, .. }), "{error:?}");
    let help = error.help().unwrap();
    assert!(help.contains("`git fetch --unshallow origin`"), "{help}");
    clone.git(&["-c", "protocol.file.allow=always", "fetch", "-q", "--unshallow", "origin"]);
    assert_eq!(
        open(&clone.path).merge_base(&server.id("main"), &server.id("topic")).unwrap().chosen,
        server.id("topic~1")
    );

    let absent = server.id("main~4");
    let clone = lab.clone(&server.path, "other", &["--depth", "1"]);
    let error = open(&clone.path).change(&between(&absent, &server.id("main")), &names(), 50).unwrap_err();
    assert!(matches!(&error, GitError::MissingCommit { id, .. } if *id == absent));
    assert!(error.help().unwrap().contains(&format!("git fetch origin {absent}")));
}

#[test]
fn a_partial_clone_fetches_just_what_the_change_needs() {
    let lab = Lab::new();
    let server = server(&lab);
    let range = between(&server.id("main"), &server.id("topic"));
    let there = |clone: &Work, object: &str| {
        clone
            .command(&["cat-file", "-e", &server.git(&["rev-parse", object])])
            .env("GIT_NO_LAZY_FETCH", "1")
            .status()
            .unwrap()
            .success()
    };
    for filter in ["blob:none", "tree:0"] {
        for old in [false, true] {
            for threshold in [50, 30] {
                let name = format!("{}-{old}-{threshold}", filter.replace(':', "-"));
                let clone = lab.clone(&server.path, &name, &["--filter", filter, "--no-checkout"]);
                if old {
                    // As git before 2.27 left it.
                    clone.git(&["config", "core.repositoryFormatVersion", "1"]);
                    clone.git(&["config", "extensions.partialClone", "origin"]);
                    clone.git(&["config", "--unset", "remote.origin.promisor"]);
                    clone.git(&["config", "--unset", "remote.origin.partialclonefilter"]);
                }
                assert!(!there(&clone, "topic:a"), "{name}");
                let offline = open(&clone.path);
                let error = offline.change(&range, &names(), threshold).unwrap_err();
                let GitError::NeedsNetwork { command, .. } = &error else { panic!("{error:?}") };
                assert!(!there(&clone, "topic:a"), "{name}: nothing is fetched unasked");

                let config = std::fs::read_to_string(clone.path.join(".git/config")).unwrap();
                let online = networked(&clone.path);
                let (change, warnings) = online.change(&range, &names(), threshold).unwrap();
                assert_eq!(warnings, []);
                assert_eq!(
                    change.by_new_path("e/new").unwrap().1.paths,
                    Paths::Renamed { old: "d/ren".into(), new: "e/new".into() }
                );
                assert_eq!(change.deltas().len(), 3);
                assert!(
                    there(&clone, "topic:a") && !there(&clone, "topic:count") && !there(&clone, "main~3:count"),
                    "{name}"
                );
                assert_eq!(std::fs::read_to_string(clone.path.join(".git/config")).unwrap(), config);
                let tally = check::check(&offline, &range, threshold).unwrap();
                assert_eq!((tally.differences, tally.files), (Vec::new(), 3), "{name}: now it is all here");
                assert!(offline.is_tracked("a") || clone.git(&["ls-files"]).is_empty());

                // What a person is told to run does the same.
                let again = lab.clone(&server.path, &format!("{name}-again"), &["--filter", filter, "--no-checkout"]);
                let command = command.replace(&format!("-C {}", offline.root().display()), "");
                let told: Vec<&str> = command.split_whitespace().skip(1).collect();
                again.git(&told);
                assert!(open(&again.path).change(&range, &names(), threshold).is_ok(), "{command}");
            }
        }
    }
}

#[test]
fn a_partial_clone_fetches_a_request_like_any_other() {
    let lab = Lab::new();
    let server = server(&lab);
    let (main, topic) = (server.id("main"), server.id("topic"));
    for filter in ["blob:none", "tree:0"] {
        for depth in [&[][..], &["--depth", "1"]] {
            let name = format!("{}-{}", filter.replace(':', "-"), depth.len());
            let options = [&["--filter", filter, "--single-branch", "--branch", "main", "-q"], depth].concat();
            let clone = lab.clone(&server.path, &name, &options);
            let mut repo = networked(&clone.path);
            let want = Want::Commit { id: topic.clone(), or_ref: None };
            let refs = RequestRefs::new("h.example", "acme/widgets", 22);
            assert_eq!(repo.fetch("origin", &want, &refs, Slot::Head).unwrap(), topic, "{name}");
            let (change, _) = repo.change(&between(&main, &topic), &names(), 50).unwrap();
            assert_eq!(change.deltas().len(), 3, "{name}");
            assert_eq!(check::check(&repo, &between(&main, &topic), 30).unwrap().differences, Vec::<String>::new());
        }
    }
}

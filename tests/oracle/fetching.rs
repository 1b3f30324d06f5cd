//! Fetching a request's commits moves nothing else in the clone.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use dai::change::git::{GitError, Network, RemoteFault, Repo, RequestRefs, Slot, Want};
use dai::exit::Exit;

use crate::clones::server;
use crate::lab::{Lab, Work, between, open};

fn refs() -> RequestRefs {
    RequestRefs::new("h.example", "acme/widgets", 22)
}

fn networked(work: &Work) -> Repo {
    Repo::discover(&work.path, Network::Allowed).unwrap()
}

/// Everything of a clone that a fetch could touch, objects and our own refs aside.
fn state(work: &Work) -> BTreeMap<String, Vec<u8>> {
    fn walk(dir: &Path, root: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().display().to_string();
            if path.is_dir() {
                if ![".git/objects", ".git/refs/dai"].contains(&name.as_str()) {
                    walk(&path, root, files);
                }
            } else {
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    let mut files = BTreeMap::new();
    walk(&work.path, &work.path, &mut files);
    files
}

#[test]
fn a_fetch_moves_nothing_but_our_own_refs() {
    let lab = Lab::new();
    let server = server(&lab);
    let clone = lab.clone(&server.path, "clone", &["--single-branch", "--branch", "main"]);
    for setting in [
        "fetch.prune=true",
        "fetch.pruneTags=true",
        "remote.origin.prune=true",
        "remote.origin.tagOpt=--tags",
        "fetch.recurseSubmodules=true",
        "fetch.all=true",
        "remote.origin.mirror=true",
    ] {
        let (key, value) = setting.split_once('=').unwrap();
        clone.git(&["config", key, value]);
    }
    clone.git(&["update-ref", "refs/remotes/origin/gone", "HEAD"]);
    clone.git(&["tag", "mine"]);
    // The server has moved on in every way since.
    server.write("later", "x\n").commit("later");
    server.git(&["tag", "theirs"]);
    server.git(&["checkout", "-q", "topic"]);
    let topic = server.write("later", "y\n").commit("topic goes on");
    server.git(&["update-ref", "refs/pull/22/head", "topic"]);
    clone.write("a", "edited by hand\n").write("untracked", "u\n");
    let depth = clone.git(&["rev-list", "--count", "main"]);
    let before = state(&clone);

    let url = format!("file://{}", server.path.display());
    for remote in ["origin", &url, server.path.to_str().unwrap()] {
        for want in [
            Want::Commit { id: topic.clone(), or_ref: Some("refs/pull/22/head".into()) },
            Want::Ref("refs/pull/22/head".into()),
        ] {
            let mut repo = networked(&clone);
            assert_eq!(repo.fetch(remote, &want, &refs(), Slot::Head).unwrap(), topic, "{remote}");
            repo.keep(&refs(), &topic, &server.id("topic~1")).unwrap();
            assert_eq!(state(&clone), before, "{remote}");
            assert_eq!(clone.git(&["for-each-ref", "--format=%(refname)", "refs/dai"]).lines().count(), 2);
            repo.change(&between(&server.id("topic~1"), &topic), &["later".to_owned()].into(), 50).unwrap();
            assert_eq!(state(&clone), before);
        }
        fs::remove_dir_all(clone.path.join(".git/refs/dai")).unwrap();
    }
    assert_eq!(clone.git(&["rev-list", "--count", "main"]), depth);
    assert!(!networked(&clone).is_shallow());
}

#[test]
fn c23_a_deleted_head_branch_and_a_forks_head_come_from_the_target() {
    let lab = Lab::new();
    let server = server(&lab);
    let topic = server.id("topic");
    server.git(&["branch", "-q", "-D", "topic"]);
    let clone = lab.clone(&server.path, "clone", &[]);
    let mut repo = networked(&clone);
    assert!(!repo.has_commit(&topic));
    let want = Want::Commit { id: topic.clone(), or_ref: Some("refs/pull/22/head".into()) };
    assert_eq!(repo.fetch("origin", &want, &refs(), Slot::Head).unwrap(), topic);
    assert!(repo.has_commit(&topic));
}

#[test]
fn a_server_that_refuses_ids_is_asked_for_the_ref_which_must_be_the_commit() {
    let lab = Lab::new();
    let server = server(&lab);
    // The oldest protocol, with the strictest server: only what is advertised.
    server.git(&["config", "uploadpack.allowAnySHA1InWant", "false"]);
    server.git(&["config", "transfer.hideRefs", "refs/pull"]);
    let topic = server.id("topic");
    server.git(&["update-ref", "refs/merge-requests/3/head", topic.as_str()]);
    server.git(&["branch", "-q", "-D", "topic"]);
    let clone = lab.clone(&server.path, "clone", &[]);
    clone.git(&["config", "protocol.version", "0"]);
    let hidden = server.git(&["commit-tree", "-m", "hidden", "main^{tree}"]);
    let hidden = dai::change::CommitId::parse(&hidden).unwrap();
    let mut repo = networked(&clone);

    let want = Want::Commit { id: hidden.clone(), or_ref: None };
    let error = repo.fetch("origin", &want, &refs(), Slot::Head).unwrap_err();
    assert!(matches!(&error, GitError::Fetch { words, .. } if words.contains("unadvertised")), "{error:?}");
    assert_eq!(error.exit(), Exit::Git);

    let main = server.id("main");
    repo.keep(&refs(), &main, &main).unwrap();
    let want = Want::Commit { id: hidden.clone(), or_ref: Some("refs/merge-requests/3/head".into()) };
    let error = repo.fetch("origin", &want, &refs(), Slot::Head).unwrap_err();
    assert!(
        matches!(&error, GitError::RefMoved { wanted, found, .. } if (wanted, found) == (&hidden, &topic)),
        "{error:?}"
    );
    assert_eq!(repo.kept(&refs()).unwrap().head, main, "what was kept before still is");

    // Without the id's own object the ref decides, and it is right.
    let clone = lab.clone(&server.path, "second", &[]);
    clone.git(&["config", "protocol.version", "0"]);
    let mut repo = networked(&clone);
    let want = Want::Commit { id: topic.clone(), or_ref: Some("refs/merge-requests/3/head".into()) };
    assert_eq!(repo.fetch("origin", &want, &refs(), Slot::Head).unwrap(), topic);
}

#[test]
fn a_failed_fetch_has_gits_own_words_and_the_command() {
    let lab = Lab::new();
    let server = server(&lab);
    let clone = lab.clone(&server.path, "clone", &[]);
    clone.git(&["remote", "add", "gone", "file:///nowhere/at all"]);
    let unknown = dai::change::CommitId::parse(&"12".repeat(20)).unwrap();
    let want = Want::Commit { id: unknown.clone(), or_ref: None };
    let error = networked(&clone).fetch("gone", &want, &refs(), Slot::Head).unwrap_err();
    let GitError::Fetch { words, command, .. } = &error else { panic!("{error:?}") };
    assert!(words.contains("nowhere"), "{words}");
    let root = open(&clone.path).root().display().to_string();
    assert_eq!(
        *command,
        format!(
            "git -C {root} fetch --no-tags --no-write-fetch-head --refmap= --no-recurse-submodules \
             --no-auto-maintenance --end-of-options gone +{unknown}:refs/dai/h.example/acme/widgets/22/head"
        )
    );
    let error = open(&clone.path).fetch("origin", &want, &refs(), Slot::Head).unwrap_err();
    assert!(matches!(&error, GitError::NeedsNetwork { .. }), "{error:?}");
    let none = std::ffi::OsStr::new("no-such-git");
    let error =
        Repo::discover_with(&clone.path, Network::Allowed, none).unwrap().fetch("origin", &want, &refs(), Slot::Head);
    assert!(matches!(error, Err(GitError::NoGit { .. })));
}

#[test]
fn what_runs_a_program_is_refused_also_behind_another_name() {
    let lab = Lab::new();
    let server = server(&lab);
    let clone = lab.clone(&server.path, "clone", &[]);
    let proof = lab.path("proof");
    let run = format!("ext::touch {}", proof.display());
    clone.git(&["remote", "add", "evil", &run]);
    clone.git(&["config", &format!("url.{run}.insteadOf"), "nice:"]);
    clone.git(&["remote", "add", "nicer", "nice:x"]);
    clone.git(&["config", "protocol.ext.allow", "always"]);
    let want = Want::Ref("refs/pull/22/head".into());
    for (remote, program) in [
        ("evil", true),
        ("nicer", true),
        ("nice:x", true),
        (run.as_str(), true),
        ("--upload-pack=touch", false),
        ("", false),
    ] {
        let error = networked(&clone).fetch(remote, &want, &refs(), Slot::Head).unwrap_err();
        let GitError::Refused { fault, .. } = error else { panic!("{remote}: {error:?}") };
        assert_eq!(matches!(fault, RemoteFault::Program(_)), program, "{remote}: {fault:?}");
    }
    assert!(!proof.exists());
    for name in ["refs/heads/a:refs/heads/main", "refs/heads/*", "main", "-x", "refs/../x"] {
        let error = networked(&clone).fetch("origin", &Want::Ref(name.into()), &refs(), Slot::Head).unwrap_err();
        assert!(matches!(error, GitError::BadRef { .. }), "{name}");
    }
}

#[test]
fn what_an_earlier_run_kept_is_found_and_overwritten() {
    let lab = Lab::new();
    let work = lab.init("w");
    let one = work.commit("one");
    let two = work.write("a", "a\n").commit("two");
    let repo = open(&work.path);
    assert_eq!(repo.kept(&refs()), None);
    repo.keep(&refs(), &one, &one).unwrap();
    repo.keep(&refs(), &two, &one).unwrap();
    let kept = repo.kept(&refs()).unwrap();
    assert_eq!((&kept.head, kept.base.as_ref()), (&two, Some(&one)));
    assert!(kept.age.unwrap().as_secs() < 60);
    work.git(&["pack-refs", "--all"]);
    let kept = open(&work.path).kept(&refs()).unwrap();
    assert_eq!((kept.head, kept.age), (two, None));
}

//! Merge bases, and the shapes a repository itself can have.

use dai::change::CommitId;
use dai::change::git::{GitError, Head, Network, Repo, Upstream};
use dai::warning::Code;

use crate::check;
use crate::lab::{Lab, Work, between, lines, open};

fn sound(work: &Work, base: &CommitId, head: &CommitId) {
    let repo = open(&work.path);
    let merge_base = repo.merge_base(base, head).unwrap().chosen;
    assert_eq!(merge_base.as_str(), work.git(&["merge-base", base.as_str(), head.as_str()]));
    for threshold in [50, 30] {
        let tally = check::check(&repo, &between(&merge_base, head), threshold).unwrap();
        assert_eq!(tally.differences, Vec::<String>::new());
        assert!(tally.files > 0);
    }
}

/// `main` and `topic`, each merged into the other: two merge bases with disjoint hunks.
fn criss_cross(work: &Work) -> (CommitId, CommitId) {
    work.write("a", lines("a", 30)).commit("root");
    work.git(&["checkout", "-q", "-b", "topic"]);
    work.write("a", lines("a", 30).replace("line 28 ", "TOPIC ")).commit("topic 1");
    work.git(&["checkout", "-q", "main"]);
    work.write("a", lines("a", 30).replace("line 2 ", "MAIN ")).commit("main 1");
    let (main, topic) = (work.id("main"), work.id("topic"));
    work.git(&["merge", "-q", "--no-edit", topic.as_str()]);
    work.git(&["checkout", "-q", "topic"]);
    work.git(&["merge", "-q", "--no-edit", main.as_str()]);
    work.write("b", "b\n").commit("topic 2");
    (work.id("main"), work.id("topic"))
}

#[test]
fn c22_a_criss_cross_history_is_said() {
    let lab = Lab::new();
    let work = lab.init("w");
    let (main, topic) = criss_cross(&work);
    for graph in [false, true] {
        if graph {
            work.git(&["commit-graph", "write", "--reachable"]);
        }
        // git itself orders bases of one date differently once there is a graph.
        let expected = work.git(&["merge-base", "--all", main.as_str(), topic.as_str()]);
        let expected: Vec<&str> = expected.lines().collect();
        assert_eq!(expected.len(), 2);
        let found = open(&work.path).merge_base(&main, &topic).unwrap();
        assert_eq!(found.chosen.as_str(), expected[0]);
        assert_eq!(found.others.iter().map(CommitId::as_str).collect::<Vec<_>>(), expected[1..]);
        let warning = found.warning().unwrap();
        assert_eq!(warning.code, Code::MergeBases);
        assert!(warning.message.contains(&expected[1][..10]));
    }
    sound(&work, &main, &topic);
}

#[test]
fn c22_the_base_merged_back_into_the_branch() {
    let lab = Lab::new();
    let work = lab.init("w");
    work.write("a", lines("a", 30)).commit("root");
    work.git(&["checkout", "-q", "-b", "topic"]);
    work.write("t", "t\n").commit("topic");
    work.git(&["checkout", "-q", "main"]);
    let merged = work.write("m", "m\n").commit("main");
    work.git(&["checkout", "-q", "topic"]);
    work.git(&["merge", "-q", "--no-edit", "main"]);
    work.git(&["checkout", "-q", "main"]);
    work.write("n", "n\n").commit("main goes on");
    let (main, topic) = (work.id("main"), work.id("topic"));
    let found = open(&work.path).merge_base(&main, &topic).unwrap();
    assert_eq!((found.chosen, found.others.len()), (merged.clone(), 0));
    let names = ["m".to_owned(), "t".to_owned()].into();
    let (change, _) = open(&work.path).change(&between(&merged, &topic), &names, 50).unwrap();
    assert_eq!(change.deltas().len(), 1, "what came from the base is not the branch's change");
    sound(&work, &main, &topic);
}

#[test]
fn unrelated_histories_have_no_change() {
    let lab = Lab::new();
    let work = lab.init("w");
    let one = work.commit("one");
    work.git(&["checkout", "-q", "--orphan", "other"]);
    let two = work.write("a", "a\n").commit("two");
    for graph in [false, true] {
        if graph {
            work.git(&["commit-graph", "write", "--reachable"]);
        }
        let error = open(&work.path).merge_base(&one, &two).unwrap_err();
        assert!(matches!(error, GitError::NoMergeBase { shallow: false, .. }), "{error:?}");
        assert!(error.help().unwrap().contains("unrelated"));
    }
}

#[test]
fn a_repository_is_found_in_all_its_shapes() {
    let lab = Lab::new();
    let work = lab.init("w");
    work.write("d/e/a", lines("a", 9)).write("ren", lines("r", 9));
    let before = work.commit("before");
    work.write("d/e/a", lines("a", 9).replace("line 3", "L")).remove("ren").write("d/ren", lines("r", 9) + "more\n");
    let after = work.commit("after");
    work.git(&["worktree", "add", "-q", "--detach", lab.path("linked").to_str().unwrap()]);
    lab.git(&lab.path(""), &["clone", "-q", "--bare", work.path.to_str().unwrap(), "bare"]);
    lab.git(&lab.path(""), &["clone", "-q", "--shared", work.path.to_str().unwrap(), "shared"]);
    lab.git(&lab.path(""), &["clone", "-q", "--separate-git-dir", "apart.git", work.path.to_str().unwrap(), "apart"]);
    let real = |name: &str| lab.path(name).canonicalize().unwrap();
    for (at, root, bare) in [
        ("w", "w", false),
        ("w/d/e", "w", false),
        ("linked", "linked", false),
        ("linked/d", "linked", false),
        ("bare", "bare", true),
        ("shared", "shared", false),
        ("apart", "apart", false),
    ] {
        let repo = open(&lab.path(at));
        assert_eq!((repo.root(), repo.is_bare()), (real(root).as_path(), bare), "{at}");
        for threshold in [50, 30] {
            let tally = check::check(&repo, &between(&before, &after), threshold).unwrap();
            assert_eq!((tally.differences, tally.files), (Vec::new(), 2), "{at}");
        }
        assert_eq!(repo.is_tracked("d/ren"), !bare, "{at}");
    }
    let linked = open(&lab.path("linked"));
    assert_eq!(linked.common_dir(), real("w/.git"));
    assert_eq!(linked.git_dir(), real("w/.git/worktrees/linked"));
}

#[test]
fn a_sha256_repository_is_read_like_any_other() {
    let lab = Lab::new();
    let work = lab.init_with("w", &["--object-format=sha256"]);
    work.write("a", lines("a", 30)).write("ren", lines("r", 30)).commit("root");
    work.git(&["checkout", "-q", "-b", "topic"]);
    work.write("a", lines("a", 30).replace("line 9 ", "L ")).remove("ren");
    work.write("new", lines("r", 12) + &lines("s", 18)).commit("topic");
    let (main, topic) = (work.id("main"), work.id("topic"));
    assert_eq!(topic.as_str().len(), 64);
    assert_eq!(open(&work.path).resolve("topic").unwrap(), topic);
    sound(&work, &main, &topic);
    work.git(&["commit-graph", "write", "--reachable"]);
    sound(&work, &main, &topic);
    let names = ["new".to_owned()].into();
    let old_path = |threshold| {
        let (change, _) = open(&work.path).change(&between(&main, &topic), &names, threshold).unwrap();
        change.deltas()[0].old_path().map(str::to_owned)
    };
    assert_eq!((old_path(50), old_path(30)), (None, Some("ren".to_owned())));
    let sha1 = CommitId::parse(&topic.as_str()[..40]).unwrap();
    assert!(!open(&work.path).has_commit(&sha1) && open(&work.path).has_commit(&topic));
}

#[test]
fn revisions_are_commits_and_never_options() {
    let lab = Lab::new();
    let work = lab.init("w");
    let root = work.commit("root");
    let tip = work.write("a", "a\n").commit("tip");
    work.git(&["tag", "-a", "-m", "v", "v1"]);
    let repo = open(&work.path);
    for (rev, id) in
        [("main", &tip), ("HEAD", &tip), ("v1", &tip), ("HEAD~1", &root), ("main^", &root), (&tip.as_str()[..9], &tip)]
    {
        assert_eq!(repo.resolve(rev).unwrap(), *id, "{rev}");
    }
    assert!(matches!(repo.resolve("--all"), Err(GitError::LikeAnOption { .. })));
    for none in ["nothing", "HEAD:a", "", "main..HEAD", &"0".repeat(40), "HEAD~9"] {
        assert!(matches!(repo.resolve(none), Err(GitError::UnknownRevision { .. })), "{none}");
    }
}

#[test]
fn head_and_remotes_are_as_configured() {
    let lab = Lab::new();
    let work = lab.init("w");
    let head = || open(&work.path).head().unwrap();
    assert_eq!(head(), Head::Unborn { name: "main".into() });
    work.commit("root");
    assert_eq!(head(), Head::Branch { name: "main".into(), upstream: None });
    work.git(&["checkout", "-q", "-b", "feat/x.y"]);
    work.git(&["config", "branch.feat/x.y.remote", "upstream"]);
    work.git(&["config", "branch.feat/x.y.merge", "refs/heads/feat/there"]);
    let Head::Branch { name, upstream: Some(upstream) } = head() else { panic!() };
    assert_eq!(
        (name.as_str(), upstream.remote.as_str(), upstream.branch()),
        ("feat/x.y", "upstream", Some("feat/there"))
    );
    work.git(&["config", "branch.feat/x.y.merge", "refs/pull/22/head"]);
    let Head::Branch { upstream: Some(Upstream { merge, .. }), .. } = head() else { panic!() };
    assert_eq!(merge, "refs/pull/22/head");
    work.git(&["checkout", "-q", "--detach"]);
    assert_eq!(head(), Head::Detached);

    work.git(&["remote", "add", "upstream", "gh:acme/widgets"]);
    work.git(&["remote", "add", "origin", "git@github.com:me/widgets.git"]);
    work.git(&["config", "url.https://github.com/.insteadOf", "gh:"]);
    work.git(&["config", "remote.upstream.gh-resolved", "base"]);
    work.git(&["config", "remote.no-url.fetch", "+refs/heads/*:refs/remotes/no-url/*"]);
    let repo = open(&work.path);
    let remotes = repo.remotes().unwrap();
    let shown: Vec<_> = remotes.iter().map(|r| (r.name.as_str(), r.url.as_str(), r.gh_resolved.as_deref())).collect();
    assert_eq!(
        shown,
        [
            ("origin", "git@github.com:me/widgets.git", None),
            ("upstream", "https://github.com/acme/widgets", Some("base"))
        ]
    );
    let repo = Repo::discover(&work.path, Network::Allowed).unwrap();
    assert_eq!(repo.network(), Network::Allowed);
}

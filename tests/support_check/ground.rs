//! Repositories, clones, fingerprints, the diff reader and the runner.

use std::time::Duration;

use crate::support::diff::{self, Change, LineKind, between, carried};
use crate::support::repo::{Cloned, Repo, ShaWants, Upstream};
use crate::support::run::{Dai, Normal, Signal};

fn two_commits() -> (Repo, String, String) {
    let repo = Repo::new();
    let base = repo.write("a.txt", "1\n2\n3\n").commit("base");
    let head = repo.write("a.txt", "1\nzwei\n3\n").commit("head");
    (repo, base, head)
}

#[test]
fn the_same_steps_give_the_same_commits() {
    assert_eq!(two_commits().2, two_commits().2);
}

#[test]
fn a_clone_has_what_was_asked_for() {
    let (work, base, head) = two_commits();
    let upstream = Upstream::alone("acme/widgets");
    upstream.push(&work, &["main"]);

    let full = Cloned::of(upstream.file_url()).make();
    assert_eq!(full.git(&["rev-list", "--count", "HEAD"]), "2");
    let shallow = Cloned::of(upstream.file_url()).shallow(1).make();
    assert_eq!(shallow.git(&["rev-list", "--count", "HEAD"]), "1");
    assert_eq!(shallow.git(&["rev-parse", "--is-shallow-repository"]), "true");
    let bare = Cloned::of(upstream.file_url()).bare().make();
    assert_eq!(bare.git(&["rev-parse", "--is-bare-repository"]), "true");
    let partial = Cloned::of(upstream.file_url()).partial().no_checkout().make();
    let missing = partial.git(&["rev-list", "--objects", "--missing=print", "--all"]);
    assert!(missing.lines().any(|line| line.starts_with('?')), "every blob is there: {missing}");
    let linked = full.worktree(&base);
    assert_eq!((linked.head(), full.head()), (base, head));
}

#[test]
fn a_sha_is_refused_where_only_tips_are_served() {
    let (work, base, _) = two_commits();
    let upstream = Upstream::alone("acme/widgets");
    upstream.push(&work, &["main"]);
    let clone = Cloned::of(upstream.file_url()).config("protocol.version", "0").shallow(1).make();
    upstream.sha_wants(ShaWants::TipsOnly);
    assert!(!clone.try_git(&["fetch", "origin", &base]).status.success());
    upstream.sha_wants(ShaWants::Any);
    assert!(clone.try_git(&["fetch", "origin", &base]).status.success());
}

#[test]
fn a_fingerprint_sees_every_kind_of_change() {
    let (repo, base, _) = two_commits();
    let before = repo.fingerprint();
    assert_eq!(before, repo.fingerprint());
    let changes = |what: &dyn Fn()| {
        let before = repo.fingerprint();
        what();
        before.changes(&repo.fingerprint())
    };
    assert_eq!(
        changes(&|| {
            repo.write("new.txt", "");
        }),
        ["file new.txt"]
    );
    assert_eq!(
        changes(&|| {
            repo.config("x.y", "z");
        }),
        ["git config"]
    );
    assert_eq!(
        changes(&|| {
            repo.git(&["add", "new.txt"]);
        }),
        ["git index"]
    );
    assert_eq!(
        changes(&|| {
            repo.git(&["update-ref", "refs/dai/h/p/1/head", &base]);
        }),
        ["ref refs/dai/h/p/1/head"]
    );
    assert_eq!(
        changes(&|| {
            repo.executable("a.txt", true);
        }),
        ["file a.txt"]
    );
    repo.executable("a.txt", false);
    let fetched = changes(&|| {
        repo.git(&["fetch", "--quiet", ".", "main"]);
    });
    assert_eq!(fetched, ["git FETCH_HEAD"]);
    let moved = changes(&|| {
        repo.switch(&base);
    });
    assert!(moved.contains(&"git HEAD".to_owned()) && moved.contains(&"git logs/HEAD".to_owned()), "{moved:?}");
}

#[test]
#[should_panic(expected = "the repository was changed")]
fn a_fingerprint_fails_the_test_for_what_is_not_allowed() {
    let (repo, base, _) = two_commits();
    let before = repo.fingerprint();
    repo.git(&["update-ref", "refs/dai/h/p/1/head", &base]);
    repo.git(&["update-ref", "refs/heads/other", &base]);
    before.assert_same_but(&repo.fingerprint(), &["ref refs/dai/"]);
}

#[test]
fn hunks_are_read_by_their_counts() {
    let repo = Repo::new();
    let many: String = (1..=30).map(|n| format!("line {n}\n")).collect();
    let base = repo.write("q.sql", format!("-- drop old\nkeep\n{many}")).commit("base");
    let head = repo.write("q.sql", format!("keep\n++ i\n{many}tail")).commit("head");
    let files = between(repo.path(), &base, &head, 50, &[]);
    assert_eq!(files.len(), 1);
    let places: Vec<_> = files[0]
        .lines()
        .filter(|l| l.kind != LineKind::Context)
        .map(|l| (l.kind, l.old, l.new, l.text.as_slice()))
        .collect();
    assert_eq!(
        places,
        [
            (LineKind::Deleted, 1, 1, b"-- drop old".as_slice()),
            (LineKind::Added, 3, 2, b"++ i".as_slice()),
            (LineKind::Added, 33, 33, b"tail".as_slice()),
        ]
    );
    assert_eq!(files[0].hunks.len(), 2);
    assert!(files[0].patch().ends_with("+tail\n\\ No newline at end of file\n"));
}

#[test]
fn a_new_file_begins_at_nought_and_one() {
    let repo = Repo::new();
    let base = repo.commit("base");
    let head = repo.write("n", "one\ntwo\n").commit("head");
    let files = between(repo.path(), &base, &head, 30, &[]);
    assert_eq!(files[0].change, Change::Added);
    let numbers: Vec<_> = files[0].lines().map(|l| (l.old, l.new)).collect();
    // GitLab's line codes of a new file are `…_0_1`, `…_0_2`: there is no line before the first.
    assert_eq!(numbers, [(0, 1), (0, 2)]);
}

#[test]
fn every_kind_of_delta_is_told_apart() {
    let repo = Repo::new();
    let body: String = (1..=20).map(|n| format!("row {n}\n")).collect();
    repo.write("old.txt", &body)
        .write("gone.txt", "x\n")
        .write("kind", "file\n")
        .write("mode", "m\n")
        .write("bin", [0u8, 1]);
    repo.write(b"caf\xe9", "1\n");
    let base = repo.commit("base");
    repo.rename("old.txt", "dir/new name.txt").write("dir/new name.txt", body.replace("row 7", "row seven"));
    repo.remove("gone.txt")
        .symlink("kind", "mode")
        .executable("mode", true)
        .write("bin", [0u8, 2])
        .write(b"caf\xe9", "2\n");
    repo.gitlink("sub", &base);
    let head = repo.commit("head");
    let files = between(repo.path(), &base, &head, 50, &[]);
    let seen: Vec<_> =
        files.iter().map(|f| (f.new_path.as_slice(), f.change, f.binary, f.has_text(), f.hunks.len())).collect();
    assert_eq!(
        seen,
        [
            (b"bin".as_slice(), Change::Modified, true, true, 0),
            (b"caf\xe9", Change::Modified, false, true, 1),
            (b"dir/new name.txt", Change::Renamed, false, true, 1),
            (b"gone.txt", Change::Deleted, false, true, 1),
            (b"kind", Change::Deleted, false, true, 1),
            (b"kind", Change::Added, false, false, 1),
            (b"mode", Change::Modified, false, true, 0),
            (b"sub", Change::Added, false, false, 1),
        ]
    );
    assert_eq!(files[2].old_path_text(), "old.txt");
    let alone = between(repo.path(), &base, &head, 30, &["dir/new name.txt"]);
    assert_eq!(alone[0].change, Change::Added, "one path of a rename alone is an added file");
}

#[test]
fn attributes_of_the_change_blank_no_diff() {
    let repo = Repo::new();
    let base = repo.write("a.rs", "1\n").commit("base");
    let head = repo.write(".gitattributes", "*.rs -diff\n").write("a.rs", "2\n").commit("head");
    let files = between(repo.path(), &base, &head, 50, &["a.rs"]);
    assert_eq!(files[0].hunks.len(), 1);
}

#[test]
fn a_line_is_carried_across_a_diff() {
    let repo = Repo::new();
    let base = repo.write("f", "a\nb\nc\nd\n").commit("base");
    let head = repo.write("f", "new\na\nB\nc\n").commit("head");
    let hunks = &between(repo.path(), &base, &head, 50, &[])[0].hunks;
    let carried: Vec<_> = (1..=4).map(|n| carried(hunks, n)).collect();
    assert_eq!(carried, [Some(2), None, Some(4), None]);
    assert_eq!(diff::carried(&[], 7), Some(7));
}

#[test]
fn the_runner_gives_only_its_own_environment() {
    let (repo, ..) = two_commits();
    let answer = Dai::program("env", repo.path()).env("ONE", "1").run().exits(0);
    let names: Vec<_> = answer.out().lines().filter_map(|l| l.split_once('=')).map(|(name, _)| name).collect();
    for name in names {
        let known = [
            "HOME",
            "XDG_CONFIG_HOME",
            "GIT_CONFIG_NOSYSTEM",
            "GIT_TERMINAL_PROMPT",
            "LANG",
            "LC_ALL",
            "TZ",
            "TMPDIR",
            "NO_PROXY",
            "PATH",
            "ONE",
            "DAI_TEST_HURRY",
        ];
        assert!(known.contains(&name), "{name} came through");
    }
}

#[test]
fn the_runner_feeds_stdin_and_tells_the_streams_apart() {
    let (repo, ..) = two_commits();
    let answer = Dai::program("sh", repo.path()).args(["-c", "cat; echo no >&2; exit 3"]).stdin("hello").run().exits(3);
    assert_eq!((answer.out(), answer.err()), ("hello", "no\n"));
}

#[test]
#[should_panic(expected = "still running after")]
fn the_runner_loses_patience() {
    let (repo, ..) = two_commits();
    Dai::program("sleep", repo.path()).arg("30").patience(Duration::from_millis(50)).run();
}

#[test]
fn the_runner_sends_signals() {
    let (repo, ..) = two_commits();
    let running = Dai::program("sleep", repo.path()).arg("30").spawn();
    running.signal(Signal::Terminate);
    assert_eq!(running.wait().code(), 143);
}

#[test]
fn the_built_program_can_be_run() {
    let (repo, ..) = two_commits();
    Dai::in_repo(&repo).arg("--version").run();
}

#[test]
fn snapshots_hide_paths_ports_and_object_names() {
    let (repo, base, head) = two_commits();
    let text = format!(
        "{} at http://127.0.0.1:4711/x {base}..{head} {base} 127.0.0.1: {}",
        repo.path().display(),
        &base[..16]
    );
    assert_eq!(
        Normal::new().repo(&repo).apply(&text),
        format!("[REPO] at http://127.0.0.1:[PORT]/x [SHA-1]..[SHA-2] [SHA-1] 127.0.0.1: {}", &base[..16])
    );
}

#[test]
fn a_terminal_is_one_and_takes_keys() {
    let (repo, ..) = two_commits();
    let script = r#"test -t 0 && test -t 1 && test -t 2 || exit 9; printf '\033[1mname?\033[0m '; read -r name; echo "hello $name"; exit 4"#;
    let mut terminal = Dai::program("sh", repo.path()).args(["-c", script]).at_terminal();
    terminal.expect("name? ").line("ann").expect("hello ann");
    assert!(terminal.raw().windows(4).any(|w| w == b"\x1b[1m"));
    let (code, drawn) = terminal.wait();
    assert_eq!((code, drawn.as_str()), (4, "name? hello ann\n"));
}

#[test]
fn a_terminal_interrupts() {
    let (repo, ..) = two_commits();
    let mut terminal = Dai::program("sh", repo.path()).args(["-c", "echo ready; exec sleep 30"]).at_terminal();
    terminal.expect("ready").interrupt();
    assert_eq!(terminal.wait().0, 130);
}

/// As below `nohup`, or in the background of a shell without job control.
#[test]
fn a_terminal_interrupts_where_signals_are_ignored_around_it() {
    let tests = std::env::current_exe().expect("this program");
    let script = r#"trap '' INT HUP TERM; exec "$0" --exact ground::a_terminal_interrupts"#;
    let run = std::process::Command::new("sh").args(["-c", script]).arg(tests).output().expect("a shell is there");
    let told = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success() && told.contains("1 passed"), "{told}");
}

#[test]
#[should_panic(expected = "was never drawn")]
fn a_terminal_loses_patience() {
    let (repo, ..) = two_commits();
    let run = Dai::program("sleep", repo.path()).arg("30").patience(Duration::from_millis(80));
    run.at_terminal().expect("anything");
}

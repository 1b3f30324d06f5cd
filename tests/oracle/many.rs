//! Many files at once: git gives their contents, and whatever it does instead, the change is the same.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use dai::change::git::{GitError, Network, Repo};
use dai::change::{Commits, FileDelta};
use dai::exit::Exit;

use crate::generate::repository;
use crate::lab::{Lab, Work, between, lines, open};

/// Every delta by its two names.
type Deltas = BTreeMap<(Option<String>, Option<String>), FileDelta>;

/// The deltas of the change, asked for so many names at a time.
fn deltas(repo: &Repo, commits: &Commits, names: &BTreeSet<String>, at_once: usize) -> Result<Deltas, GitError> {
    let names: Vec<&String> = names.iter().collect();
    let mut all = Deltas::new();
    for few in names.chunks(at_once) {
        let (change, _) = repo.change(commits, &few.iter().map(|name| (*name).clone()).collect(), 50)?;
        for delta in change.deltas() {
            let key = [delta.old_path(), delta.new_path()].map(|path| path.map(str::to_owned));
            all.insert(key.into(), delta.clone());
        }
    }
    Ok(all)
}

/// Fifty at a time are too few for git to be asked.
const FEW: usize = 50;
const ALL: usize = usize::MAX;

/// The names of a change that JSON can spell.
fn changed(work: &Work, commits: &Commits) -> BTreeSet<String> {
    let args = ["diff-tree", "-r", "-z", "--no-renames", "--name-only"];
    let listed = work.output(&[&args[..], &[commits.merge_base.as_str(), commits.head.as_str()]].concat()).stdout;
    let names = listed.split(|b| *b == 0).filter_map(|name| String::from_utf8(name.to_vec()).ok());
    names.filter(|name| !name.is_empty()).collect()
}

/// A change of a delta of every kind.
fn random(lab: &Lab, files: usize) -> (Work, Commits) {
    let (work, ranges) = repository(lab, "random", 7, 1, files);
    (work, between(&ranges[0].0, &ranges[0].1))
}

/// An edit in each of two hundred files, every object in a file of its own.
fn edits(lab: &Lab, name: &str, options: &[&str]) -> (Work, Commits) {
    let work = lab.init_with(name, options);
    let file = |n: usize| format!("d{}/f{n}.rs", n % 7);
    for n in 0..200 {
        work.write(&file(n), lines(&format!("f{n}"), 20 + n));
    }
    let before = work.commit("before");
    for n in 0..200 {
        work.write(&file(n), lines(&format!("f{n}"), 20 + n).replace(&format!("line {} ", 1 + n % 19), "LINE "));
    }
    let after = work.commit("after");
    (work, between(&before, &after))
}

/// A `git` that does `instead` where it is asked for contents.
fn git_that(lab: &Lab, name: &str, instead: &str) -> PathBuf {
    let program = lab.path(name);
    fs::write(&program, format!("#!/bin/sh\ncase \"$*\" in *cat-file*) {instead};; esac\nexec git \"$@\"\n")).unwrap();
    fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    program
}

fn with(program: &Path, at: &Path) -> Repo {
    Repo::discover_with(at, Network::Forbidden, program.as_os_str()).unwrap()
}

#[test]
fn all_at_once_is_what_small_portions_are() {
    let lab = Lab::new();
    let asked = lab.path("asked");
    let program = git_that(&lab, "git", &format!("echo \"$*\" >>{}", asked.display()));
    let same = |at: &Path, commits: &Commits, names: &BTreeSet<String>| {
        let parts = deltas(&with(&program, at), commits, names, FEW).unwrap();
        assert!(!asked.exists(), "{at:?}: small portions are libgit2's");
        assert_eq!(deltas(&with(&program, at), commits, names, ALL).unwrap(), parts, "{at:?}");
        let heard = fs::read_to_string(&asked).unwrap();
        assert!(heard.lines().all(|line| line.ends_with("cat-file --batch --buffer")), "{heard}");
        fs::remove_file(&asked).unwrap();
        assert!(parts.len() > 128, "{}", parts.len());
    };
    let (work, commits) = random(&lab, 400);
    let names = changed(&work, &commits);
    same(&work.path, &commits, &names);
    work.git(&["repack", "-adfq", "--depth=50"]);
    same(&work.path, &commits, &names);

    let (work, commits) = edits(&lab, "edits", &[]);
    let names = changed(&work, &commits);
    same(&work.path, &commits, &names);
    work.git(&["worktree", "add", "-q", "--detach", lab.path("linked").to_str().unwrap()]);
    lab.git(&lab.path(""), &["clone", "-q", "--shared", work.path.to_str().unwrap(), "shared"]);
    lab.git(&lab.path(""), &["clone", "-q", "--bare", work.path.to_str().unwrap(), "bare"]);
    for shape in ["linked", "linked/d1", "shared", "bare"] {
        same(&lab.path(shape), &commits, &names);
    }
    let (work, commits) = edits(&lab, "sha256", &["--object-format=sha256"]);
    same(&work.path, &commits, &changed(&work, &commits));
}

#[test]
fn nothing_that_is_configured_or_replaced_has_a_say_in_many_files_either() {
    let lab = Lab::new();
    let (work, commits) = edits(&lab, "w", &[]);
    let names = changed(&work, &commits);
    let plain = deltas(&open(&work.path), &commits, &names, FEW).unwrap();
    let woken = lab.path("woken");
    let wake = format!("touch {}", woken.display());
    for key in [
        "diff.x.textconv",
        "diff.x.command",
        "filter.x.smudge",
        "filter.x.clean",
        "filter.x.process",
        "core.fsmonitor",
        "diff.external",
        "core.sshCommand",
        "core.pager",
    ] {
        work.git(&["config", key, &wake]);
    }
    for setting in ["core.autocrlf=true", "core.eol=crlf", "core.bigFileThreshold=1", "core.hooksPath=/nonexistent"] {
        let (key, value) = setting.split_once('=').unwrap();
        work.git(&["config", key, value]);
    }
    fs::write(work.path.join(".git/info/attributes"), "* diff=x filter=x text eol=crlf working-tree-encoding=utf-16\n")
        .unwrap();
    let blob = |rev: &str| work.git(&["rev-parse", rev]);
    work.git(&["replace", &blob("main:d1/f1.rs"), &blob("main:d2/f2.rs")]);
    work.git(&["replace", "--graft", commits.head.as_str()]);
    assert_eq!(deltas(&open(&work.path), &commits, &names, ALL).unwrap(), plain);
    assert!(!woken.exists());
}

#[test]
fn a_git_that_fails_in_any_way_changes_nothing() {
    let lab = Lab::new();
    let (work, commits) = random(&lab, 300);
    let names = changed(&work, &commits);
    let plain = deltas(&open(&work.path), &commits, &names, FEW).unwrap();
    for (number, instead) in [
        "exit 0",
        "exit 1",
        "kill -9 $$",
        // In the middle of a content, of a header, and behind the first.
        "git \"$@\" | head -c 150000; exit",
        "git \"$@\" | head -c 60; exit",
        "git \"$@\" | sed -n '1,/^[0-9a-f]* blob/p'; exit",
        "head -c 1000000 /dev/urandom; exit",
        "yes | tr -d '\\n'; exit",
        "yes; exit",
        // Other objects, other types, other sizes than were asked for.
        "git \"$@\" | sed '1s/^..../0000/'; exit",
        "git \"$@\" | sed '9,$s/ blob / tree /'; exit",
        "git \"$@\" | sed 's/ blob [0-9]*$/ blob 1/'; exit",
        "git \"$@\" | sed 's/ blob [0-9]*$/ blob 536870912/'; exit",
        "git \"$@\" | sed 's/ blob [0-9]*$/ blob 536870913/'; exit",
        "git \"$@\" | sed 's/ blob [0-9]*$/ blob 18446744073709551615/'; exit",
        "git \"$@\" | sed 's/ blob [0-9]*$/ blob 18446744073709551616/'; exit",
        "git \"$@\" | sed 's/ blob [0-9]*$/ blob -1/'; exit",
        "sed 's/$/ missing/'; exit",
        "yes 'error: x' | head -c 3000000 >&2",
        "git \"$@\" | { head -c 5000; exec sleep 60; }; exit",
        "exec sleep 60",
    ]
    .into_iter()
    .enumerate()
    {
        let program = git_that(&lab, &format!("git{number}"), instead);
        assert_eq!(deltas(&with(&program, &work.path), &commits, &names, ALL).unwrap(), plain, "{instead}");
    }
    let nothing = Path::new("no-such-git");
    let edited = edits(&lab, "edits", &[]);
    let names = changed(&edited.0, &edited.1);
    let plain = deltas(&open(&edited.0.path), &edited.1, &names, FEW).unwrap();
    assert_eq!(deltas(&with(nothing, &edited.0.path), &edited.1, &names, ALL).unwrap(), plain);
}

#[test]
fn one_bad_object_among_many_is_told_as_it_is_among_few() {
    let lab = Lab::new();
    let (work, commits) = edits(&lab, "w", &[]);
    let names = changed(&work, &commits);
    let id = work.git(&["rev-parse", "main:d3/f101.rs"]);
    let path = work.path.join(".git/objects").join(&id[..2]).join(&id[2..]);
    let sound = fs::read(&path).unwrap();
    fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
    let mut flipped = sound.clone();
    let middle = flipped.len() / 2;
    flipped[middle..middle + 8].iter_mut().for_each(|byte| *byte ^= 0x55);
    let tree = work.git(&["rev-parse", "main:d3"]);
    let tree = fs::read(work.path.join(".git/objects").join(&tree[..2]).join(&tree[2..])).unwrap();
    for (how, bytes) in [
        ("missing", None),
        ("empty", Some(Vec::new())),
        ("garbage", Some(vec![0x78; 300])),
        ("flipped", Some(flipped)),
        ("cut short", Some(sound[..sound.len() / 2].to_vec())),
        ("one byte short", Some(sound[..sound.len() - 1].to_vec())),
        ("of another type", Some(tree)),
    ] {
        fs::remove_file(&path).unwrap();
        if let Some(bytes) = bytes {
            fs::write(&path, bytes).unwrap();
        }
        let few = deltas(&open(&work.path), &commits, &names, FEW).unwrap_err();
        let all = deltas(&open(&work.path), &commits, &names, ALL).unwrap_err();
        assert_eq!(all.to_string(), few.to_string(), "{how}");
        assert_eq!(all.help(), few.help(), "{how}");
        assert!(all.to_string().contains(&id) && all.help().unwrap().contains("git fsck"), "{how}: {all}");
        assert_eq!(all.exit(), Exit::Git);
        fs::write(&path, &sound).unwrap();
    }
    assert!(deltas(&open(&work.path), &commits, &names, ALL).is_ok());
}

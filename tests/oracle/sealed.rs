//! Nothing that a user, a machine or the change itself configures alters the diff.

use std::collections::BTreeSet;
use std::fs;

use dai::change::Change;
use dai::change::git::{Network, Repo, RequestRefs, Slot, Want};
use dai::warning::Code;

use crate::check;
use crate::lab::{Lab, Work, between, lines, open};

/// A change whose renames are near both thresholds, by CRLF too, whose hunks depend on the
/// heuristic, and that brings attributes of its own.
fn work(lab: &Lab) -> Work {
    let work = lab.init("w");
    let crlf = |text: String| text.replace('\n', "\r\n");
    for (n, kept) in [25, 29, 31, 40, 49, 51, 60].into_iter().enumerate() {
        work.write(&format!("old{n}.rs"), lines(&format!("f{n}"), 100));
        work.write(&format!("keep{n}.rs"), format!("{}\n\n{}", lines("k", kept), lines("l", 9)));
    }
    work.write("crlf.rs", crlf(lines("crlf", 60)));
    work.commit("before");
    for (n, kept) in [25, 29, 31, 40, 49, 51, 60].into_iter().enumerate() {
        work.remove(&format!("old{n}.rs"));
        work.write(&format!("new{n}.rs"), lines(&format!("f{n}"), kept) + &lines("other", 100 - kept));
        work.write(&format!("keep{n}.rs"), format!("{}\n\n{}\n{}", lines("k", kept), lines("k", 3), lines("l", 9)));
    }
    work.remove("crlf.rs").write("lf.rs", lines("crlf", 60));
    work.write(".gitattributes", "*.rs -diff -text\n");
    work.commit("after");
    work
}

/// The whole change, once it was held against git's.
fn checked(work: &Work, threshold: u8) -> Change {
    let commits = between(&work.id("main~1"), &work.id("main"));
    let tally = check::check(&open(&work.path), &commits, threshold).unwrap();
    assert_eq!(tally.differences, Vec::<String>::new());
    whole(work, threshold)
}

fn whole(work: &Work, threshold: u8) -> Change {
    let commits = between(&work.id("main~1"), &work.id("main"));
    let names: BTreeSet<String> = (0..7)
        .flat_map(|n| ["old", "new", "keep"].map(|kind| format!("{kind}{n}.rs")))
        .chain(["crlf.rs".to_owned(), "lf.rs".to_owned()])
        .collect();
    open(&work.path).change(&commits, &names, threshold).unwrap().0
}

#[test]
fn c18_no_configuration_changes_the_diff() {
    let lab = Lab::new();
    let work = work(&lab);
    for threshold in [50, 30] {
        let plain = checked(&work, threshold);
        let path = work.path.join(".git/config");
        let before = fs::read(&path).unwrap();
        for setting in [
            "diff.noprefix=true",
            "diff.mnemonicPrefix=true",
            "diff.context=10",
            "diff.interHunkContext=9",
            "diff.algorithm=histogram",
            "diff.indentHeuristic=false",
            "diff.renames=copies",
            "diff.renames=false",
            "diff.renameLimit=1",
            "diff.external=/bin/false",
            "diff.ignoreSubmodules=all",
            "diff.suppressBlankEmpty=true",
            "diff.orderFile=none",
            "diff.relative=true",
            "color.ui=always",
            "color.diff=always",
            "core.quotePath=false",
            "core.autocrlf=true",
            "core.eol=crlf",
            "core.abbrev=4",
            "core.bigFileThreshold=1",
            "core.fsmonitor=/bin/false",
            "core.hooksPath=/nonexistent",
            "core.attributesFile=/nonexistent",
            "core.pager=/bin/false",
            "core.ignoreCase=true",
            "core.precomposeUnicode=true",
            "log.showSignature=true",
        ] {
            let (key, value) = setting.split_once('=').unwrap();
            work.git(&["config", key, value]);
            assert_eq!(whole(&work, threshold).deltas(), plain.deltas(), "{setting}");
            fs::write(&path, &before).unwrap();
        }
    }
}

#[test]
fn c19_no_attribute_changes_the_diff_or_the_pairing() {
    let lab = Lab::new();
    let work = work(&lab);
    let global = lab.path("attributes");
    for threshold in [50, 30] {
        let plain = checked(&work, threshold);
        let crlf = plain.by_new_path("lf.rs").unwrap().1;
        assert_eq!(crlf.old_path(), Some("crlf.rs"), "a change of line ends is a rename, whatever the attributes");
        for attributes in [
            "*.rs -diff\n",
            "*.rs binary\n",
            "*.rs diff=python\n",
            "*.rs text eol=crlf\n",
            "*.rs -text\n",
            "* diff=x\n",
        ] {
            work.git(&["config", "diff.x.binary", "true"]);
            for place in [work.path.join(".git/info/attributes"), work.path.join(".gitattributes"), global.clone()] {
                fs::create_dir_all(place.parent().unwrap()).unwrap();
                let before = fs::read(&place).ok();
                fs::write(&place, attributes).unwrap();
                work.git(&["config", "core.attributesFile", global.to_str().unwrap()]);
                assert_eq!(whole(&work, threshold).deltas(), plain.deltas(), "{attributes:?} in {place:?}");
                match before {
                    Some(before) => fs::write(&place, before).unwrap(),
                    None => fs::remove_file(&place).unwrap(),
                }
            }
        }
    }
}

#[test]
fn c18_c19_a_home_full_of_settings_changes_nothing() {
    let lab = Lab::new();
    let home = lab.path("hostile");
    fs::create_dir_all(home.join(".config/git")).unwrap();
    // Neither is named by any setting: git looks there by itself.
    fs::write(home.join(".config/git/attributes"), "* text eol=crlf -diff\n").unwrap();
    let config = "[diff]\nrenames = false\nalgorithm = patience\ncontext = 9\nexternal = /bin/false\n\
                  [core]\nautocrlf = true\nbigFileThreshold = 1\n[color]\nui = always\n[alias]\ndiff-tree = version\n";
    fs::write(home.join(".gitconfig"), config).unwrap();
    // The home of a process is read once, so the tests run again in one that has this home.
    let again = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["cases::", "sealed::c19_no_attribute", "histories::"])
        .env("HOME", &home)
        .env_remove("XDG_CONFIG_HOME")
        .env("GIT_INDEX_FILE", "/nonexistent")
        .env("GIT_EXTERNAL_DIFF", "/bin/false")
        .env("GIT_DIFF_OPTS", "-U9")
        .env("GIT_CONFIG_COUNT", "1")
        .env("GIT_CONFIG_KEY_0", "diff.renameLimit")
        .env("GIT_CONFIG_VALUE_0", "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&again.stdout);
    assert!(again.status.success() && !said.contains(" 0 passed"), "{said}");
}

#[test]
fn replace_refs_and_grafts_have_no_say() {
    let lab = Lab::new();
    let work = work(&lab);
    let plain = checked(&work, 50);
    let (old, new) = (work.git(&["rev-parse", "main:new6.rs"]), work.git(&["rev-parse", "main:keep0.rs"]));
    work.git(&["replace", &old, &new]);
    assert_eq!(whole(&work, 50).deltas(), plain.deltas());
}

#[test]
fn without_git_libgit2_pairs_and_says_so() {
    let lab = Lab::new();
    let work = work(&lab);
    let nothing = std::ffi::OsStr::new("no-such-git");
    let repo = Repo::discover_with(&work.path, Network::Forbidden, nothing).unwrap();
    let commits = between(&work.id("main~1"), &work.id("main"));
    let (change, warnings) = repo.change(&commits, &["new6.rs".to_owned()].into(), 50).unwrap();
    assert_eq!(warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(), [Code::NoGit]);
    assert_eq!(change.by_new_path("new6.rs").unwrap().1.old_path(), Some("old6.rs"));
    // No pairing is asked for, so there is nothing to warn of.
    let (change, warnings) = repo.change(&commits, &["keep1.rs".to_owned()].into(), 50).unwrap();
    assert_eq!((change.deltas().len(), warnings.len()), (1, 0));
    assert_eq!(repo.merge_base(&work.id("main~1"), &work.id("main")).unwrap().chosen, work.id("main~1"));
}

#[test]
fn beyond_gits_limit_only_exact_renames_are_paired_and_it_is_said() {
    let lab = Lab::new();
    let work = lab.init("w");
    let content = |n: usize, end: &str| format!("{}{end}\n", lines(&format!("f{n}"), 3));
    for n in 0..1002 {
        work.write(&format!("old/a{n}"), content(n, "old"));
    }
    work.write("old/exact", "exactly this\n");
    let before = work.commit("before");
    for n in 0..1002 {
        work.remove(&format!("old/a{n}")).write(&format!("new/b{}", n + 5000), content(n, "new"));
    }
    work.remove("old/exact").write("new/same", "exactly this\n");
    let after = work.commit("after");
    let repo = open(&work.path);
    let names = ["new/b5000".to_owned(), "new/same".to_owned()].into();
    let (change, warnings) = repo.change(&between(&before, &after), &names, 50).unwrap();
    assert_eq!(warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(), [Code::RenameLimit]);
    assert_eq!(change.by_new_path("new/b5000").unwrap().1.old_path(), None);
    assert_eq!(change.by_new_path("new/same").unwrap().1.old_path(), Some("old/exact"));
}

/// Runs one test of this binary again, with these variables; the test tells by `DAI_ORACLE_INNER`.
fn again(test: &str, variables: &[(&str, &str)]) {
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test])
        .env("DAI_ORACLE_INNER", "1")
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

#[test]
fn no_child_has_a_token_or_a_variable_that_redirects_it() {
    if std::env::var_os("DAI_ORACLE_INNER").is_none() {
        let tokens = [
            "GH_TOKEN",
            "GITHUB_TOKEN",
            "GH_ENTERPRISE_TOKEN",
            "GITHUB_ENTERPRISE_TOKEN",
            "GITLAB_TOKEN",
            "GITLAB_ACCESS_TOKEN",
            "CI_JOB_TOKEN",
        ];
        let mut variables = tokens.map(|name| (name, "s3cret")).to_vec();
        variables.extend([("GIT_COMMON_DIR", "/redirected"), ("GIT_INDEX_FILE", "/redirected"), ("GIT_TRACE", "1")]);
        variables.extend([("GIT_SSH_COMMAND", "owners-ssh"), ("GIT_CONFIG_PARAMETERS", "/redirected")]);
        return again("sealed::no_child_has_a_token_or_a_variable_that_redirects_it", &variables);
    }
    let lab = Lab::new();
    let server = crate::clones::server(&lab);
    let clone = lab.clone(&server.path, "clone", &[]);
    let (seen, program) = (lab.path("seen"), lab.path("git"));
    fs::write(&program, format!("#!/bin/sh\n(echo \"ARGS $*\"; env) >>{}\nexec git \"$@\"\n", seen.display())).unwrap();
    fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut repo = Repo::discover_with(&clone.path, Network::Allowed, program.as_os_str()).unwrap();
    let topic = server.id("topic");
    let want = Want::Ref("refs/pull/22/head".into());
    repo.fetch("origin", &want, &RequestRefs::new("h", "p", 1), Slot::Head).unwrap();
    let seen_by_fetch = fs::read_to_string(&seen).unwrap();
    assert!(seen_by_fetch.contains("GIT_SSH_COMMAND=owners-ssh\n"), "the way to the server is its owner's");
    clone.git(&["commit-graph", "write", "--reachable"]);
    repo.merge_base(&server.id("main"), &topic).unwrap();
    repo.change(&between(&server.id("main"), &topic), &["e/new".to_owned()].into(), 50).unwrap();
    let seen = fs::read_to_string(&seen).unwrap();
    let arguments: Vec<_> = seen.lines().filter_map(|line| line.strip_prefix("ARGS --no-pager ")).collect();
    let commands = ["rev-parse", "config", "remote", "fetch", "merge-base", "diff-tree"];
    let ran = |command: &str| arguments.iter().filter(|words| words.split(' ').any(|word| word == command)).count();
    assert_eq!(commands.map(ran), [1; 6], "{arguments:?}");
    assert_eq!(seen.matches("\nGIT_TERMINAL_PROMPT=0\n").count(), 6);
    assert_eq!(seen.matches("GIT_SSH_COMMAND").count(), 4, "all but the sealed ones are the owner's");
    for never in ["s3cret", "/redirected", "GIT_TRACE=1"] {
        assert!(!seen.contains(never), "{never}: {seen}");
    }
}

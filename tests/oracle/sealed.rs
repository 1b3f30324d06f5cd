//! Nothing that a user, a machine or the change itself configures alters the diff.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use dai::change::Change;
use dai::change::git::{GitError, Network, Repo};
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
        .env("GIT_DIR", "/nonexistent")
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
fn a_sparse_split_or_broken_index_is_no_obstacle() {
    let lab = Lab::new();
    let work = work(&lab);
    work.write("dir/a", "a\n").write(".env", "tracked\n");
    work.commit("more");
    let plain = {
        let repo = open(&work.path);
        assert!(repo.is_tracked(".env") && repo.is_tracked("dir/a") && !repo.is_tracked("dir/b"));
        assert!(!repo.is_tracked(".env.dai"));
        (work.id("HEAD~1"), work.id("HEAD"))
    };
    let changed = || {
        let names = ["dir/a".to_owned()].into();
        open(&work.path).change(&between(&plain.0, &plain.1), &names, 50).unwrap().0.deltas().len()
    };
    work.git(&["update-index", "--split-index"]);
    let repo = open(&work.path);
    assert!(repo.is_tracked(".env") && repo.is_tracked("dir/a") && !repo.is_tracked("dir/b"));
    assert_eq!(changed(), 1);
    work.git(&["update-index", "--no-split-index"]);
    work.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "elsewhere"]);
    let repo = open(&work.path);
    assert!(repo.is_tracked(".env") && repo.is_tracked("dir/a") && !repo.is_tracked("dir/b"));
    assert_eq!(changed(), 1);
    fs::write(work.path.join(".git/index"), "no index").unwrap();
    // Nobody can tell, so the file is not to be read.
    assert!(open(&work.path).is_tracked(".env.dai"));
    assert_eq!(changed(), 1);
}

#[test]
fn c45_a_file_behind_a_tracked_link_is_tracked() {
    let lab = Lab::new();
    let work = lab.init("w");
    work.write("evil/reviews/22.json", "{}");
    std::os::unix::fs::symlink("evil", work.path.join(".dai")).unwrap();
    let head = work.commit("a review of its own");
    let repo = open(&work.path);
    assert!(repo.is_tracked(".dai/reviews/22.json"));
    assert!(repo.commit_has_path(&head, ".dai/reviews/22.json").unwrap());
    assert!(repo.commit_has_path(&head, "evil/reviews/22.json").unwrap());
    assert!(!repo.commit_has_path(&head, "evil/reviews/23.json").unwrap());
    assert!(!repo.commit_has_path(&head, "evil").unwrap(), "a directory is no file");
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

#[test]
fn what_cannot_be_opened_says_what_to_do() {
    let lab = Lab::new();
    let gone = |path: &Path| Repo::discover(path, Network::Forbidden).err().unwrap();
    // A temporary directory may itself lie in a repository; its root does not.
    assert!(matches!(gone(Path::new("/")), GitError::NoRepository { .. }));
    let reftable = lab.init_with("reftable", &["--ref-format=reftable"]);
    let error = gone(&reftable.path);
    assert!(matches!(&error, GitError::Unsupported { what, .. } if what == "extensions.refstorage"), "{error:?}");
    assert!(error.help().unwrap().contains("--ref-format=files"));
    let odd = lab.init("odd");
    odd.git(&["config", "core.repositoryFormatVersion", "1"]);
    odd.git(&["config", "extensions.future", "x"]);
    assert!(matches!(gone(&odd.path), GitError::Unsupported { what, .. } if what == "extensions.future"));
    let broken = lab.init("broken");
    fs::write(broken.path.join(".git/config"), "[core\n").unwrap();
    assert!(matches!(gone(&broken.path), GitError::Open { .. }));
}

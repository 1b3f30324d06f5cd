//! The shapes of diffs that have cost other tools a finding, for the thresholds of both forges.

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};

use dai::change::{Change, Content, LineKind, Missing, NoText, Paths};
use dai::review::Side;

use crate::check;
use crate::lab::{Lab, Work, between, lines, missing, open};

const THRESHOLDS: [u8; 2] = [50, 30];

/// A repository with `before` as its first commit and `after` as its second.
fn two(lab: &Lab, before: impl Fn(&Work) -> &Work, after: impl Fn(&Work) -> &Work) -> Work {
    let work = lab.init("w");
    before(&work);
    work.commit("before");
    after(&work);
    work.commit("after");
    work
}

/// The change for one path, after the whole change was held against git.
fn change(work: &Work, names: &[&str], threshold: u8) -> Change {
    let repo = open(&work.path);
    let commits = between(&work.id("HEAD~1"), &work.id("HEAD"));
    let tally = check::check(&repo, &commits, threshold).unwrap();
    assert_eq!(tally.differences, Vec::<String>::new());
    let named: BTreeSet<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let (change, warnings) = repo.change(&commits, &named, threshold).unwrap();
    assert_eq!(warnings, []);
    change
}

fn texts(change: &Change, path: &str, kind: LineKind) -> Vec<(u32, u32, String)> {
    let (_, delta) = change.by_new_path(path).or_else(|| change.by_old_path(path)).unwrap();
    let lines = delta.hunks().iter().flat_map(|hunk| &hunk.lines).filter(|line| line.kind == kind);
    lines.map(|line| (line.old, line.new, line.lossy().into_owned())).collect()
}

fn no_text(change: &Change, path: &str) -> NoText {
    let (_, delta) = change.by_new_path(path).or_else(|| change.by_old_path(path)).unwrap();
    match delta.content {
        Content::None(why) => why,
        ref other => panic!("{other:?}"),
    }
}

#[test]
fn c10_lines_that_look_like_headers_are_lines() {
    let lab = Lab::new();
    let work = two(
        &lab,
        |w| w.write("q.sql", format!("-- drop old\n{}end\n", lines("a", 20))),
        |w| w.write("q.sql", format!("++ i\n{}END\n", lines("a", 20))),
    );
    for threshold in THRESHOLDS {
        let change = change(&work, &["q.sql"], threshold);
        assert_eq!(texts(&change, "q.sql", LineKind::Removed), [(1, 1, "-- drop old".into()), (22, 22, "end".into())]);
        assert_eq!(texts(&change, "q.sql", LineKind::Added), [(2, 1, "++ i".into()), (23, 22, "END".into())]);
        assert_eq!(change.deltas().len(), 1);
    }
}

#[test]
fn c11_an_empty_context_line_ends_the_diff() {
    let lab = Lab::new();
    let work = two(&lab, |w| w.write("a", "x\n\n"), |w| w.write("a", "y\n\n"));
    for threshold in THRESHOLDS {
        let change = change(&work, &["a"], threshold);
        assert_eq!(texts(&change, "a", LineKind::Context), [(2, 2, String::new())]);
        let delta = &change.deltas()[0];
        assert!(delta.line(Side::Left, 2).is_some() && delta.line(Side::Right, 2).is_some());
        assert!(delta.line(Side::Right, 3).is_none());
    }
}

#[test]
fn c12_a_deleted_file_has_a_left_side_only() {
    let lab = Lab::new();
    let work = two(&lab, |w| w.write("a", "x\ny\n").write("b", "b\n"), |w| w.remove("a"));
    for threshold in THRESHOLDS {
        let change = change(&work, &["a"], threshold);
        let (_, delta) = change.by_old_path("a").unwrap();
        assert_eq!(delta.paths, Paths::Deleted { old: "a".into() });
        assert!(change.by_new_path("a").is_none());
        assert_eq!(texts(&change, "a", LineKind::Removed), [(1, 0, "x".into()), (2, 0, "y".into())]);
    }
}

#[test]
fn c13_a_new_file_has_a_right_side_only() {
    let lab = Lab::new();
    let work = two(&lab, |w| w.write("b", "b\n"), |w| w.write("d/a", "x\ny\n"));
    for threshold in THRESHOLDS {
        let change = change(&work, &["d/a", "d", "b", "d/none", "b/c", "", "d//a"], threshold);
        assert_eq!(change.by_new_path("d/a").unwrap().1.paths, Paths::Added { new: "d/a".into() });
        assert!(change.by_old_path("d/a").is_none());
        assert_eq!(texts(&change, "d/a", LineKind::Added), [(0, 1, "x".into()), (0, 2, "y".into())]);
        assert_eq!(missing(&change, "b"), Some(Missing::Untouched));
        for absent in ["d", "d/none", "b/c", "", "d//a"] {
            assert_eq!(missing(&change, absent), Some(Missing::Absent), "{absent}");
        }
    }
}

#[test]
fn c14_a_rename_with_edits_is_one_delta_under_both_names() {
    let lab = Lab::new();
    let work = two(
        &lab,
        |w| w.write("old.rs", lines("a", 30)).write("k", "k\n"),
        |w| w.remove("old.rs").write("new.rs", lines("a", 30).replace("line 9 ", "LINE 9 ")),
    );
    for threshold in THRESHOLDS {
        for asked in [&["old.rs"][..], &["new.rs"], &["old.rs", "new.rs"]] {
            let change = change(&work, asked, threshold);
            assert_eq!(change.deltas().len(), 1);
            let paths = Paths::Renamed { old: "old.rs".into(), new: "new.rs".into() };
            assert_eq!(change.by_old_path("old.rs").unwrap().1.paths, paths);
            assert_eq!(change.by_new_path("new.rs").unwrap().1.paths, paths);
            assert_eq!(texts(&change, "new.rs", LineKind::Added), [(10, 9, "a LINE 9 of the file".into())]);
        }
    }
}

#[test]
fn c15_what_has_no_line_says_why() {
    let lab = Lab::new();
    let other = lab.init("other").commit("elsewhere");
    let set = |w: &Work, at: &str| {
        w.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{at},sub")]);
    };
    let work = lab.init("w");
    work.write("pure", lines("p", 9)).write("mode", "m\n").write("bin", [0, 1, 2]).write("gone_empty", "");
    work.write("text_then_nul", [&[b'x'; 8000][..], b"\0y\n"].concat());
    work.write("nul_early", [&[b'x'; 7999][..], b"\0y\n"].concat());
    symlink("mode", work.path.join("link")).unwrap();
    work.commit("before");
    set(&work, other.as_str());
    work.git(&["commit", "-qm", "with a submodule"]);
    let before = work.id("HEAD");
    std::fs::remove_file(work.path.join("link")).unwrap();
    symlink("pure", work.path.join("link")).unwrap();
    std::fs::set_permissions(work.path.join("mode"), PermissionsExt::from_mode(0o755)).unwrap();
    work.remove("pure").write("moved", lines("p", 9)).write("bin", [0, 9]).write("empty", "");
    work.remove("gone_empty").remove("text_then_nul").remove("nul_early");
    work.write("text_then_nul", [&[b'x'; 8000][..], b"\0z\n"].concat());
    work.write("nul_early", [&[b'x'; 7999][..], b"\0z\n"].concat());
    work.git(&["add", "-A"]);
    set(&work, before.as_str());
    work.git(&["commit", "-qm", "after"]);
    for threshold in THRESHOLDS {
        let names =
            ["pure", "moved", "mode", "bin", "link", "sub", "empty", "gone_empty", "text_then_nul", "nul_early"];
        let repo = open(&work.path);
        let commits = between(&before, &work.id("HEAD"));
        assert_eq!(check::check(&repo, &commits, threshold).unwrap().differences, Vec::<String>::new());
        let (change, _) = repo.change(&commits, &names.map(str::to_owned).into(), threshold).unwrap();
        assert_eq!(no_text(&change, "pure"), NoText::PureRename);
        assert_eq!(no_text(&change, "moved"), NoText::PureRename);
        assert_eq!(no_text(&change, "mode"), NoText::ModeOnly);
        assert_eq!(no_text(&change, "link"), NoText::Symlink);
        assert_eq!(no_text(&change, "sub"), NoText::Submodule);
        // An empty file that goes and one that comes are a rename of 100 %, to git as to the forges.
        assert_eq!(no_text(&change, "empty"), NoText::PureRename);
        let binary = |path: &str| change.by_new_path(path).unwrap().1.content == Content::Binary;
        assert!(binary("bin") && binary("nul_early") && !binary("text_then_nul"));
    }
}

#[test]
fn c15_an_empty_file_that_only_comes_has_no_line() {
    let lab = Lab::new();
    let work = two(&lab, |w| w.write("k", "k\n"), |w| w.write("empty", ""));
    for threshold in THRESHOLDS {
        assert_eq!(no_text(&change(&work, &["empty"], threshold), "empty"), NoText::Empty);
    }
}

#[test]
fn c16_names_are_bytes() {
    let lab = Lab::new();
    let odd = [
        "a b",
        "q\"uote",
        "t\tab",
        "x b/y",
        "한국어/파일",
        "ñ.rs",
        "trailing ",
        "back\\slash",
        "new\nline",
        "-dash",
        ":(top)glob*[x]",
        "\"quoted\"",
        "%41",
        "c\\303\\261",
    ];
    let latin = std::ffi::OsStr::from_bytes(b"caf\xe9.rs");
    let work = two(
        &lab,
        |w| {
            for name in odd {
                w.write(name, "x\n");
            }
            w.write("Case.rs", lines("c", 9)).write("ren", lines("r", 9));
            std::fs::write(w.path.join(latin), "x\n").unwrap();
            w
        },
        |w| {
            for name in odd {
                w.write(name, "y\n");
            }
            w.remove("Case.rs").write("case.rs", lines("c", 9).replace("line 3", "LINE 3"));
            std::fs::write(w.path.join(latin), "y\n").unwrap();
            w.remove("ren");
            std::fs::write(w.path.join(std::ffi::OsStr::from_bytes(b"\xff")), lines("r", 9)).unwrap();
            w
        },
    );
    for threshold in THRESHOLDS {
        for name in odd {
            let change = change(&work, &[name], threshold);
            assert_eq!(texts(&change, name, LineKind::Added), [(2, 1, "y".into())], "{name}");
        }
        let asked =
            ["Case.rs", "case.rs", "caf\u{FFFD}.rs", "caf\\351.rs", "\"caf\\351.rs\"", "café.rs", "caf\\350.rs", "ren"];
        let change = change(&work, &asked, threshold);
        let (_, delta) = change.by_old_path("Case.rs").unwrap();
        assert_eq!(delta.paths, Paths::Renamed { old: "Case.rs".into(), new: "case.rs".into() });
        for spelling in ["caf\u{FFFD}.rs", "caf\\351.rs", "\"caf\\351.rs\""] {
            assert_eq!(missing(&change, spelling), Some(Missing::NotUtf8), "{spelling}");
        }
        for other in ["café.rs", "caf\\350.rs"] {
            assert_eq!(missing(&change, other), Some(Missing::Absent), "{other}");
        }
        // Its other name cannot be told to a forge.
        assert_eq!(missing(&change, "ren"), Some(Missing::NotUtf8));
    }
}

#[test]
fn c17_only_a_newline_ends_a_line() {
    let lab = Lab::new();
    let before = "one\r\ntwo\rstill two\r\nthree\u{2028}still\u{c}three\nlast";
    let after = "one\r\ntwo\rSTILL two\r\nthree\u{2028}still\u{c}three\nlast\n";
    let work = two(&lab, |w| w.write("a", before), |w| w.write("a", after));
    for threshold in THRESHOLDS {
        let change = change(&work, &["a"], threshold);
        assert_eq!(texts(&change, "a", LineKind::Removed), [(2, 2, "two\rstill two\r".into()), (4, 4, "last".into())]);
        assert_eq!(texts(&change, "a", LineKind::Added), [(3, 2, "two\rSTILL two\r".into()), (5, 4, "last".into())]);
        assert_eq!(texts(&change, "a", LineKind::Context).len(), 2);
    }
}

#[test]
fn c20_a_file_that_becomes_a_link_is_two_deltas() {
    let lab = Lab::new();
    let work = two(
        &lab,
        |w| {
            w.write("a", "x\ny\n").write("dir", "was a file\n");
            symlink("a", w.path.join("b")).unwrap();
            w
        },
        |w| {
            w.remove("a").remove("b").remove("dir").write("b", "text\n").write("dir/in", "now a directory\n");
            symlink("b", w.path.join("a")).unwrap();
            w
        },
    );
    for threshold in THRESHOLDS {
        let change = change(&work, &["a", "b", "dir", "dir/in"], threshold);
        let (_, old) = change.by_old_path("a").unwrap();
        assert_eq!(old.paths, Paths::Deleted { old: "a".into() });
        assert_eq!(old.line(Side::Left, 2).unwrap().text.as_ref(), b"y");
        let (_, new) = change.by_new_path("a").unwrap();
        assert_eq!((&new.paths, &new.content), (&Paths::Added { new: "a".into() }, &Content::None(NoText::Symlink)));
        assert_eq!(change.by_old_path("b").unwrap().1.content, Content::None(NoText::Symlink));
        assert_eq!(change.by_new_path("b").unwrap().1.line(Side::Right, 1).unwrap().text.as_ref(), b"text");
        assert_eq!(change.by_old_path("dir").unwrap().1.paths, Paths::Deleted { old: "dir".into() });
        assert_eq!(change.by_new_path("dir/in").unwrap().1.paths, Paths::Added { new: "dir/in".into() });
    }
}

#[test]
fn c21_forty_percent_alike_is_a_rename_to_gitlab_alone() {
    let lab = Lab::new();
    let work = two(
        &lab,
        |w| w.write("old.rs", format!("{}{}", lines("same", 40), lines("left", 60))),
        |w| w.remove("old.rs").write("new.rs", format!("{}{}", lines("same", 40), lines("then", 60))),
    );
    let renamed = change(&work, &["old.rs"], 30);
    assert_eq!(renamed.deltas()[0].paths, Paths::Renamed { old: "old.rs".into(), new: "new.rs".into() });
    assert!(renamed.deltas()[0].line(Side::Right, 1).is_none(), "far from any edit");
    let apart = change(&work, &["old.rs", "new.rs"], 50);
    assert_eq!(apart.by_old_path("old.rs").unwrap().1.paths, Paths::Deleted { old: "old.rs".into() });
    assert_eq!(apart.by_new_path("new.rs").unwrap().1.paths, Paths::Added { new: "new.rs".into() });
}

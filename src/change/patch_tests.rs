//! The reader of unified diffs against git itself, and against what models and people get wrong.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use bytes::Bytes;
use proptest::prelude::*;

use super::hunk::{Hunk, LineKind};
use super::patch::{FileChange, Patch, PatchFault, PatchFaultKind, PatchPath, hunks, parse};
use super::{NoText, Paths};
use crate::review::Side;

fn git(folder: &Path, words: &[&str]) -> Output {
    Command::new("git")
        .args(words)
        .current_dir(folder)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_AUTHOR_NAME", "a")
        .env("GIT_AUTHOR_EMAIL", "a@example.com")
        .env("GIT_COMMITTER_NAME", "a")
        .env("GIT_COMMITTER_EMAIL", "a@example.com")
        .output()
        .unwrap()
}

fn done(folder: &Path, words: &[&str]) -> Vec<u8> {
    let output = git(folder, words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// Lines as git counts them: only `\n` ends one.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<_> = text.split(|b| *b == b'\n').collect();
    if lines.last() == Some(&&b""[..]) {
        lines.pop();
    }
    lines
}

/// Applies the hunks to the old file: every line must be where its numbers say, every counter be
/// what has been consumed so far, and the result be the new file.
fn apply(old: &[u8], new: &[u8], hunks: &[Hunk]) {
    let (old, new) = (lines(old), lines(new));
    // A range `0,0` is that of a file that is empty, or, without context lines, of the place before
    // line 1; GitLab's line codes count from 0 there.
    let counter = |consumed: usize, start: u32| if start == 0 { 0 } else { consumed as u32 + 1 };
    let (mut taken, mut made) = (0, Vec::new());
    for hunk in hunks {
        let from = if hunk.old_len == 0 { hunk.old_start as usize } else { hunk.old_start as usize - 1 };
        made.extend_from_slice(&old[taken..from]);
        taken = from;
        let before = (taken, made.len());
        for line in &hunk.lines {
            assert_eq!((line.old, line.new), (counter(taken, hunk.old_start), counter(made.len(), hunk.new_start)));
            if line.kind != LineKind::Added {
                assert_eq!(line.text, old[taken]);
                taken += 1;
            }
            if line.kind != LineKind::Removed {
                assert_eq!(line.text, new[made.len()]);
                made.push(&line.text);
            }
        }
        assert_eq!((hunk.old_len as usize, hunk.new_len as usize), (taken - before.0, made.len() - before.1));
    }
    made.extend_from_slice(&old[taken..]);
    assert_eq!(made, new);
}

/// Few different lines, so that files are alike, and all of them ones that look like something else.
fn line() -> impl Strategy<Value = &'static str> {
    prop::sample::select(
        &[
            "",
            "a",
            "b",
            " c",
            "-- old",
            "++ i",
            "@@ -1 +1 @@",
            "-",
            "+",
            "\\ No newline at end of file",
            "diff --git a/x b/x",
            "--- a/x",
            "+++ b/x",
            "x\ry",
            "\r",
            "é\r",
            "\u{2028}",
            "\u{c}",
            "-- ",
            "\t",
            "index 1..2",
            "한",
        ][..],
    )
}

fn file() -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(line(), 0..40)
}

fn image(lines: &[&str], end: bool) -> Vec<u8> {
    let mut text = lines.join("\n");
    if end && !lines.is_empty() {
        text.push('\n');
    }
    text.into_bytes()
}

fn edited() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let edits =
        prop::collection::vec((any::<prop::sample::Index>(), 0usize..3, prop::collection::vec(line(), 0..3)), 0..5);
    let related = (file(), edits).prop_map(|(old, edits)| {
        let mut new = old.clone();
        for (at, gone, put) in edits {
            let at = at.index(new.len() + 1);
            let end = (at + gone).min(new.len());
            new.splice(at..end, put);
        }
        (old, new)
    });
    let pair = prop_oneof![4 => related, 1 => (file(), file())];
    (pair, any::<bool>(), any::<bool>()).prop_map(|((old, new), one, other)| (image(&old, one), image(&new, other)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn c10_c17_lines_and_counters_are_those_of_the_files((old, new) in edited(), context in 0usize..5) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("old"), &old).unwrap();
        std::fs::write(folder.path().join("new"), &new).unwrap();
        let context = format!("-U{context}");
        let text = git(folder.path(), &["diff", "--no-index", "--text", &context, "old", "new"]).stdout;
        let patch = parse(&Bytes::from(text.clone()));
        prop_assert_eq!(&patch.faults, &[]);
        if old == new {
            prop_assert!(patch.files.is_empty());
            return Ok(());
        }
        prop_assert_eq!(patch.files.len(), 1);
        apply(&old, &new, &patch.files[0].hunks);
        // The forges hand out the hunks alone, without the last newline.
        let start = text.windows(3).position(|bytes| bytes == b"\n@@").map_or(text.len(), |at| at + 1);
        let bare = text[start..].strip_suffix(b"\n").unwrap_or_default();
        let (bare, faults) = hunks(bare);
        prop_assert_eq!(faults, vec![]);
        prop_assert_eq!(&bare, &patch.files[0].hunks);
        for hunk in &bare {
            for line in &hunk.lines {
                for side in [Side::Left, Side::Right] {
                    if let Some(number) = line.number(side) {
                        prop_assert_eq!(patch.files[0].line(side, number), Some(line));
                    }
                }
            }
        }
    }

    #[test]
    fn any_text_is_read_without_a_panic(pieces in prop::collection::vec(prop_oneof![
        line().prop_map(str::to_owned),
        "[-+ ][a-z]?",
        "@@ -[0-9]{1,2}(,[0-9])? \\+[0-9]{1,2}(,[0-9])? @@",
        Just("@@ -4294967295,9 +1 @@".to_owned()),
        Just("rename from \"x".to_owned()),
        Just("diff --git \"a".to_owned()),
        Just("new file mode 9".to_owned()),
        ".*",
    ], 0..40)) {
        let patch = parse(&Bytes::from(pieces.join("\n")));
        for file in &patch.files {
            for pair in file.hunks.windows(2) {
                prop_assert!(pair[0].old_start <= pair[1].old_start && pair[0].new_start <= pair[1].new_start);
            }
            for hunk in &file.hunks {
                let count = |side| hunk.lines.iter().filter(|line| line.number(side).is_some()).count() as u32;
                prop_assert_eq!((hunk.old_len, hunk.new_len), (count(Side::Left), count(Side::Right)));
            }
        }
        patch.faults.iter().for_each(|fault| assert!(!fault.to_string().contains(char::is_control)));
    }
}

#[cfg(unix)]
#[test]
fn c16_names_are_exact_whatever_the_prefix() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let names: [&[u8]; 14] = [
        b"plain",
        b"with space",
        b" b/x",
        b"x b/x",
        b"a/x",
        b"b/x",
        b"quo\"te",
        b"tab\tname",
        "한국어".as_bytes(),
        "ñ".as_bytes(),
        b"trailing ",
        b"not-utf8-\xff",
        b"new\nline",
        b"dir with/ b/x b/y",
    ];
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &[u8], text: &str| {
        let path = folder.path().join(OsStr::from_bytes(name));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    done(folder.path(), &["init", "-q"]);
    for (at, name) in names.iter().enumerate() {
        put(&[*name, b".old"].concat(), &format!("{at}\n{at}\n{at}\nsame\n"));
        put(&[*name, b".changed"].concat(), &format!("a {at}\n"));
        put(&[*name, b".mode"].concat(), &format!("m {at}\n"));
        put(&[*name, b".gone"].concat(), &format!("gone {at}\n"));
    }
    done(folder.path(), &["add", "-A"]);
    done(folder.path(), &["commit", "-qm", "one"]);
    for (at, name) in names.iter().enumerate() {
        std::fs::remove_file(folder.path().join(OsStr::from_bytes(&[*name, b".old"].concat()))).unwrap();
        std::fs::remove_file(folder.path().join(OsStr::from_bytes(&[*name, b".gone"].concat()))).unwrap();
        put(&[*name, b".moved"].concat(), &format!("{at}\n{at}\n{at}\nsame\nmore\n"));
        put(&[*name, b".changed"].concat(), &format!("b {at}\n"));
        put(&[*name, b".empty"].concat(), "");
        put(&[*name, b".new"].concat(), &format!("wholly new {at}\n"));
        put(&[*name, b".binary"].concat(), "\0");
        let mode = folder.path().join(OsStr::from_bytes(&[*name, b".mode"].concat()));
        std::fs::set_permissions(mode, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    done(folder.path(), &["add", "-A"]);
    done(folder.path(), &["commit", "-qm", "two"]);

    // What changed, from git's own machine-readable listing.
    let raw = done(folder.path(), &["diff-tree", "-r", "-z", "--raw", "-M", "HEAD~", "HEAD"]);
    let mut fields = raw.split(|b| *b == 0);
    let mut expected = BTreeSet::new();
    while let Some(status) = fields.next().filter(|field| !field.is_empty()) {
        let letter = status.rsplit(|b| *b == b' ').next().unwrap()[0];
        let first = fields.next().unwrap().to_vec();
        expected.insert(match letter {
            b'A' => (None, Some(first)),
            b'D' => (Some(first), None),
            b'R' => (Some(first), Some(fields.next().unwrap().to_vec())),
            _ => (Some(first.clone()), Some(first)),
        });
    }
    assert_eq!(expected.len(), names.len() * 7);

    for prefix in [
        &[][..],
        &["--no-prefix"],
        &["--src-prefix=i/", "--dst-prefix=w/"],
        &["--src-prefix=x/old/", "--dst-prefix=new/"],
    ] {
        for quote in ["core.quotePath=true", "core.quotePath=false"] {
            let words = [&["-c", quote, "diff-tree", "-r", "-p", "-M"], prefix, &["HEAD~", "HEAD"]].concat();
            let patch = parse(&Bytes::from(done(folder.path(), &words)));
            assert_eq!(patch.faults, [], "{words:?}");
            let bytes = |path: &Option<PatchPath>| path.as_ref().map(|path| path.0.to_vec());
            let found: BTreeSet<_> =
                patch.files.iter().map(|file| (bytes(&file.old_path), bytes(&file.new_path))).collect();
            assert_eq!(found, expected, "{words:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn c15_c20_what_has_no_line_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    done(folder.path(), &["init", "-q"]);
    for (name, text) in [("moved", "1\n2\n3\n"), ("mode", "x\n"), ("type", "x\ny\n"), ("gone", ""), ("binary", "\0")] {
        std::fs::write(path(name), text).unwrap();
    }
    done(folder.path(), &["add", "-A"]);
    done(folder.path(), &["commit", "-qm", "one"]);
    let head = String::from_utf8(done(folder.path(), &["rev-parse", "HEAD"])).unwrap();
    std::fs::rename(path("moved"), path("moved to")).unwrap();
    std::fs::set_permissions(path("mode"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::remove_file(path("type")).unwrap();
    std::os::unix::fs::symlink("target", path("type")).unwrap();
    std::fs::remove_file(path("gone")).unwrap();
    std::fs::write(path("binary"), "\0\0").unwrap();
    done(folder.path(), &["add", "-A"]);
    let module = format!("160000,{},module", head.trim());
    done(folder.path(), &["update-index", "--add", "--cacheinfo", &module]);
    done(folder.path(), &["commit", "-qm", "two"]);

    for words in [
        &["diff-tree", "-r", "-p", "-M", "HEAD~", "HEAD"][..],
        &["diff-tree", "-r", "-p", "-M", "--binary", "HEAD~", "HEAD"],
    ] {
        let patch = parse(&Bytes::from(done(folder.path(), words)));
        assert_eq!(patch.faults, []);
        let facts: Vec<_> =
            patch.files.iter().map(|file| (file.paths().unwrap(), file.no_text(), file.binary, file.change)).collect();
        let same = |path: &str| Paths::Modified { path: path.to_owned() };
        assert_eq!(
            facts,
            [
                (same("binary"), None, true, FileChange::Modified),
                (Paths::Deleted { old: "gone".into() }, Some(NoText::Empty), false, FileChange::Deleted),
                (same("mode"), Some(NoText::ModeOnly), false, FileChange::Modified),
                (Paths::Added { new: "module".into() }, Some(NoText::Submodule), false, FileChange::Added),
                (
                    Paths::Renamed { old: "moved".into(), new: "moved to".into() },
                    Some(NoText::PureRename),
                    false,
                    FileChange::Renamed
                ),
                (Paths::Deleted { old: "type".into() }, None, false, FileChange::Deleted),
                (Paths::Added { new: "type".into() }, Some(NoText::Symlink), false, FileChange::Added),
            ]
        );
        assert_eq!(patch.file(Side::Left, "type").unwrap().line(Side::Left, 2).unwrap().text, "y");
        assert_eq!(
            patch.file(Side::Left, "moved").map(|file| file.line),
            patch.file(Side::Right, "moved to").map(|file| file.line)
        );
        assert_eq!(patch.file(Side::Right, "moved"), None);
    }
}

fn read(text: &str) -> Patch {
    parse(&Bytes::from(text.to_owned()))
}

/// Faults as `(line, hunk, kind)`.
fn faults(patch: &Patch) -> Vec<(usize, Option<usize>, PatchFaultKind)> {
    let brief = |fault: &PatchFault| (fault.line, fault.hunk.as_ref().map(|hunk| hunk.0), fault.kind.clone());
    patch.faults.iter().map(brief).collect()
}

fn texts(hunk: &Hunk) -> Vec<String> {
    hunk.lines.iter().map(|line| format!("{}/{} {}", line.old, line.new, line.lossy())).collect()
}

#[test]
fn a_hunk_that_is_cut_short_is_named_and_what_was_read_stays() {
    let patch = read(
        "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -3,4 +3,5 @@ fn f\n one\n+two\n\ndiff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
    );
    assert_eq!(faults(&patch), [(4, Some(0), PatchFaultKind::CutShort { old_missing: 3, new_missing: 3 })]);
    assert_eq!(
        patch.faults[0].to_string(),
        "line 4 of the patch, \"x\", hunk 1 (\"@@ -3,4 +3,5 @@ fn f\"): cut short, 3 old and 3 new lines are missing"
    );
    assert_eq!(texts(&patch.files[0].hunks[0]), ["3/3 one", "4/4 two"]);
    assert_eq!((patch.files[0].hunks[0].old_len, patch.files[0].hunks[0].new_len), (1, 2));
    assert_eq!(texts(&patch.files[1].hunks[0]), ["1/1 a", "2/1 b"]);
}

#[test]
fn a_cut_hunk_does_not_swallow_the_header_of_a_file_without_gits_own() {
    let patch = read("--- a/x\n+++ b/x\n@@ -3,4 +3,5 @@\n one\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n");
    assert_eq!(faults(&patch), [(3, Some(0), PatchFaultKind::CutShort { old_missing: 3, new_missing: 4 })]);
    assert_eq!(texts(&patch.files[0].hunks[0]), ["3/3 one"]);
    assert_eq!(patch.files[1].paths(), Some(Paths::Modified { path: "y".into() }));
    assert_eq!(texts(&patch.files[1].hunks[0]), ["1/1 a", "2/1 b"]);
}

#[test]
fn a_header_that_counts_one_line_too_many_takes_no_line_of_the_next_files_header() {
    // Both counts, the old one, the new one; each is reached exactly by a line that is a header's.
    for (counts, old_missing, new_missing) in [("-1,4 +1,4", 1, 1), ("-1,4 +1,3", 1, 0), ("-1,3 +1,4", 0, 1)] {
        for (old, new, path, behind) in [
            ("a/y", "b/y", "y", ""),
            ("/dev/null", "b/y", "y", ""),
            ("a/z", "b/y", "y", ""),
            ("a/y\t2026", "b/y\t2026", "y", "And then:\n"),
            ("\"a/\\303\\261\"", "\"b/\\303\\261\"", "ñ", "\n"),
            ("src/y", "src/y", "src/y", ""),
        ] {
            let text = format!(
                "--- a/x\n+++ b/x\n@@ {counts} @@\n a\n-b\n+c\n d\n--- {old}\n+++ {new}\n{behind}@@ -50 +50 @@\n-a\n+b\n"
            );
            let patch = read(&text);
            let told = faults(&patch);
            assert_eq!((told[0].0, told[0].1), (3, Some(0)), "{text}");
            if let PatchFaultKind::CutShort { .. } = told[0].2 {
                assert_eq!(told[0].2, PatchFaultKind::CutShort { old_missing, new_missing }, "{text}");
            }
            assert_eq!(texts(&patch.files[0].hunks[0]), ["1/1 a", "2/2 b", "3/2 c", "3/3 d"], "{text}");
            assert_eq!(patch.files[0].hunks.len(), 1, "{text}");
            let next = patch.file(Side::Right, path).unwrap();
            assert_eq!(texts(&next.hunks[0]), ["50/50 a", "51/50 b"], "{text}");
        }
    }
}

#[test]
fn c10_lines_that_begin_as_a_header_does_are_lines_where_they_are_counted() {
    let patch = read("--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- drop old\n+++ i\n@@ -9 +9 @@\n-a\n+b\n");
    assert_eq!(faults(&patch), []);
    assert_eq!(texts(&patch.files[0].hunks[0]), ["1/1 -- drop old", "2/1 ++ i"]);
    assert_eq!((patch.files.len(), patch.files[0].hunks.len()), (1, 2));
    // With names as git writes them, where the next file would have git's own line.
    let patch = read("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- a/y\n+++ b/y\n c\n");
    assert_eq!(faults(&patch), []);
    assert_eq!(texts(&patch.files[0].hunks[0]), ["1/1 -- a/y", "2/1 ++ b/y", "2/2 c"]);
}

#[test]
fn behind_an_empty_line_of_a_hunk_that_is_not_as_counted_nothing_is_sure() {
    // A text whose lines were spread out: each empty line would count as one of context.
    for counts in ["-1,3 +1,3", "-1,9 +1,9"] {
        let patch = read(&format!("--- a/x\n+++ b/x\n@@ {counts} @@\n\n one\n\n-two\n\n+2\n\n three\n"));
        assert_eq!((patch.faults[0].line, patch.faults[0].hunk.as_ref().map(|hunk| hunk.0)), (3, Some(0)), "{counts}");
        assert_eq!(patch.files[0].hunks, [], "{counts}");
    }
    let patch = read("--- a/x\n+++ b/x\n@@ -1,5 +1,5 @@\n one\n\n-two\n+2\n");
    assert_eq!(faults(&patch), [(3, Some(0), PatchFaultKind::CutShort { old_missing: 4, new_missing: 4 })]);
    assert_eq!(texts(&patch.files[0].hunks[0]), ["1/1 one"]);
    // As counted, it is a context line whose space something took away.
    let patch = read("--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one\n\n-two\n+2\n");
    assert_eq!(faults(&patch), []);
    assert_eq!(texts(&patch.files[0].hunks[0]), ["1/1 one", "2/2 ", "3/3 two", "4/3 2"]);
}

#[test]
fn counts_off_by_one_are_told_and_only_what_they_cover_anchors() {
    // One too many lines for the counts, then a hunk that is right.
    let patch = read("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n two\n three\n@@ -9 +9 @@\n-a\n+b\n");
    assert_eq!(faults(&patch), [(3, Some(0), PatchFaultKind::Miscounted)]);
    assert_eq!(texts(&patch.files[0].hunks[0]), ["1/1 one", "2/2 two"]);
    assert_eq!(texts(&patch.files[0].hunks[1]), ["9/9 a", "10/9 b"]);
    // One added line more than counted.
    let patch = read("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n+1\n two\n@@ -9 +9 @@\n-a\n+b\n");
    assert_eq!(faults(&patch), [(3, Some(0), PatchFaultKind::Miscounted)]);
    assert_eq!(texts(&patch.files[0].hunks[0]), ["1/1 one", "2/2 1"]);
    assert_eq!(patch.files[0].hunks.len(), 2);
}

#[test]
fn prose_a_broken_header_and_a_hunk_out_of_order_are_told() {
    let patch = read(
        "Here is the patch:\n\n--- a/x\n+++ b/x\n@@ -9 +9 @@\n-a\n+b\nand then\nthe rest\n@@ ... @@\n x\n@@ -1 +1 @@\n-a\n+b\n@@ -0,1 +1 @@\n y\n",
    );
    assert_eq!(
        faults(&patch),
        [
            (8, None, PatchFaultKind::Prose { lines: 2 }),
            (10, Some(1), PatchFaultKind::Header),
            (12, Some(2), PatchFaultKind::OutOfOrder),
            (15, Some(3), PatchFaultKind::Header),
        ]
    );
    assert!(patch.faults.iter().all(|fault| fault.file.as_deref() == Some("x")));
    assert_eq!(patch.files[0].hunks.len(), 1);
    assert_eq!(faults(&read("@@ -1 +1 @@\n-a\n+b\n")), [(1, Some(0), PatchFaultKind::NoFile)]);
    let merge = read("diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,2 @@@\n++a\n  b\n");
    assert_eq!(faults(&merge), [(5, None, PatchFaultKind::Combined)]);
}

#[test]
fn c11_an_empty_context_line_counts_at_the_end_too() {
    for text in ["@@ -1,2 +1,3 @@\n a\n+b\n ", "@@ -1,2 +1,3 @@\n a\n+b\n\n", "@@ -1,2 +1,3 @@\n a\n+b\n \n"] {
        let (hunks, faults) = hunks(text.as_bytes());
        assert_eq!(faults, [], "{text:?}");
        let last = hunks[0].lines.last().unwrap();
        assert_eq!((last.number(Side::Left), last.number(Side::Right), &last.text[..]), (Some(2), Some(3), &b""[..]));
    }
}

#[test]
fn hunks_alone_may_have_the_two_header_lines_before_them() {
    let bare = "@@ -1 +1 @@\n--- a\n+++ b\n\\ No newline at end of file\n";
    let (with, faults) = hunks(format!("--- a/x\n+++ b/x\n{bare}").as_bytes());
    assert_eq!((with, faults), hunks(bare.as_bytes()));
    assert_eq!(texts(&hunks(bare.as_bytes()).0[0]), ["1/1 -- a", "2/1 ++ b"]);
    assert_eq!(hunks(b""), (vec![], vec![]));
}

#[test]
fn a_million_empty_lines_are_looked_over_once() {
    // Once a line, this would not end.
    let (read, faults) = hunks(format!("@@ -1,1000000 +1,1000000 @@\n{} a", "\n".repeat(999_999)).as_bytes());
    assert_eq!((read[0].lines.len(), faults), (1_000_000, vec![]));
}

#[test]
fn a_mails_head_and_signature_and_other_tools_headers_are_no_faults() {
    let patch = read(
        "From 0123 Mon Sep 17 00:00:00 2001\nSubject: x\n\n---\n x | 2 +-\n\ndiff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-- a\n+- b\n-- \n2.47.3\n\nFrom 4567\nSubject: y\n\ndiff -ru old/y new/y\n--- old/y\t2026-01-01 00:00:00\n+++ new/y\t2026-01-02 00:00:00\n@@ -1 +1 @@\n-a\n+b\n",
    );
    assert_eq!(patch.faults, []);
    assert_eq!(texts(&patch.files[0].hunks[0]), ["1/1 - a", "2/1 - b"]);
    assert_eq!(patch.files[1].paths(), Some(Paths::Modified { path: "y".into() }));
}

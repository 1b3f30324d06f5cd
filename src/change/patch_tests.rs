//! The reader of unified diffs against git itself.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use bytes::Bytes;
use proptest::prelude::*;

use super::hunk::{Hunk, LineKind};
use super::patch::{FileChange, PatchPath, hunks, parse};
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

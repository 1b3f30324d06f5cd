//! The change as git itself shows it: the truth that forges and tests judge places by.
//!
//! Paths, modes and kinds come from `git diff-tree --raw -z`, hunks from its patch, read by the counts of their `@@` lines and
//! never by a line's first characters. Attributes are taken from nowhere.

use std::path::Path;

use crate::support::repo::{git, git_bytes};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    Context,
    Added,
    Deleted,
}

/// A line of a hunk. `old` and `new` are both always there: on the image that does not have the line it is the number
/// that the next line of that image has, or 0 where the whole image is absent or empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub kind: LineKind,
    pub old: u32,
    pub new: u32,
    /// Without the `\n`; a `\r` belongs to it.
    pub text: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    pub lines: Vec<Line>,
    /// As in the patch, header and `\ No newline` lines included.
    pub raw: Vec<u8>,
}

/// What became of a file, by git's letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Added,
    Deleted,
    Modified,
    Renamed,
}

/// One path, or a pair of them. A type change is two: the old file deleted, the new one added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileDiff {
    pub change: Change,
    /// The same as `new_path` unless renamed.
    pub old_path: Vec<u8>,
    pub new_path: Vec<u8>,
    /// `000000` where the image does not exist.
    pub old_mode: String,
    pub new_mode: String,
    pub new_blob: String,
    pub binary: bool,
    pub hunks: Vec<Hunk>,
}

impl FileDiff {
    /// Whether comments may stand at its lines at all: not in a submodule or a symbolic link.
    pub fn has_text(&self) -> bool {
        ![&self.old_mode, &self.new_mode].iter().any(|mode| ["160000", "120000"].contains(&mode.as_str()))
    }

    /// The hunks as one text, as both forges give it; empty without any.
    pub fn patch(&self) -> String {
        let raw: Vec<u8> = self.hunks.iter().flat_map(|h| h.raw.iter().copied()).collect();
        String::from_utf8_lossy(&raw).into_owned()
    }

    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.hunks.iter().flat_map(|h| &h.lines)
    }

    /// Lines added and deleted.
    pub fn counts(&self) -> (usize, usize) {
        let of = |kind| self.lines().filter(|l| l.kind == kind).count();
        (of(LineKind::Added), of(LineKind::Deleted))
    }

    pub fn new_path_text(&self) -> String {
        String::from_utf8_lossy(&self.new_path).into_owned()
    }

    pub fn old_path_text(&self) -> String {
        String::from_utf8_lossy(&self.old_path).into_owned()
    }
}

/// The diff from `base` to `head`; `renames` is the threshold in percent, `paths` limits the comparison, as Gitaly does it
/// (with one path of a rename there is no rename). Empty `paths`: everything.
pub fn between(repo: &Path, base: &str, head: &str, renames: u8, paths: &[&str]) -> Vec<FileDiff> {
    let empty_tree = git(repo, &["hash-object", "-t", "tree", "/dev/null"]);
    let attributes = format!("--attr-source={empty_tree}");
    let similarity = format!("-M{renames}%");
    let run = |how: &[&str]| {
        let mut args = vec!["--literal-pathspecs", &attributes, "diff-tree", "-r", &similarity, "--full-index"];
        args.extend(["--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none", "--submodule=short"]);
        args.extend(how);
        args.extend([base, head, "--"]);
        args.extend(paths);
        git_bytes(repo, &args)
    };
    let raw = run(&["--raw", "-z"]);
    let patch = run(&["--patch", "--unified=3", "--src-prefix=a/", "--dst-prefix=b/"]);
    let mut sections = sections(&patch).into_iter();
    let mut files = deltas(&raw);
    for file in &mut files {
        (file.binary, file.hunks) = sections.next().expect("a patch section for every delta");
    }
    assert!(sections.next().is_none(), "a patch section without a delta");
    files
}

fn deltas(raw: &[u8]) -> Vec<FileDiff> {
    let mut fields = raw.split(|b| *b == 0);
    let mut files = Vec::new();
    while let Some(header) = fields.next().filter(|f| !f.is_empty()) {
        let header = String::from_utf8_lossy(header);
        let words: Vec<&str> = header.trim_start_matches(':').split(' ').collect();
        let [old_mode, new_mode, _, new_blob, status] = words[..] else { panic!("a raw line of five words: {header}") };
        let old_path = fields.next().expect("a path").to_vec();
        let file = |change, old_mode: &str, new_mode: &str, new_path: &[u8]| FileDiff {
            change,
            old_path: old_path.clone(),
            new_path: new_path.to_vec(),
            old_mode: old_mode.to_owned(),
            new_mode: new_mode.to_owned(),
            new_blob: new_blob.to_owned(),
            binary: false,
            hunks: Vec::new(),
        };
        match status.as_bytes()[0] {
            b'A' => files.push(file(Change::Added, old_mode, new_mode, &old_path)),
            b'D' => files.push(file(Change::Deleted, old_mode, new_mode, &old_path)),
            b'M' => files.push(file(Change::Modified, old_mode, new_mode, &old_path)),
            b'T' => {
                files.push(file(Change::Deleted, old_mode, "000000", &old_path));
                files.push(file(Change::Added, "000000", new_mode, &old_path));
            }
            b'R' => files.push(file(Change::Renamed, old_mode, new_mode, fields.next().expect("a second path"))),
            other => panic!("a status that is not expected here: {}", other as char),
        }
    }
    files
}

/// One `(binary, hunks)` for every `diff --git` of a patch.
fn sections(patch: &[u8]) -> Vec<(bool, Vec<Hunk>)> {
    let mut lines = patch.split_inclusive(|b| *b == b'\n').peekable();
    let mut sections: Vec<(bool, Vec<Hunk>)> = Vec::new();
    while let Some(line) = lines.next() {
        if line.starts_with(b"diff --git ") {
            sections.push((false, Vec::new()));
        } else if line.starts_with(b"Binary files ") {
            sections.last_mut().expect("inside a section").0 = true;
        } else if line.starts_with(b"@@ ") {
            let hunk = hunk(line, &mut lines);
            sections.last_mut().expect("inside a section").1.push(hunk);
        }
    }
    sections
}

fn hunk<'a>(header: &'a [u8], lines: &mut std::iter::Peekable<impl Iterator<Item = &'a [u8]>>) -> Hunk {
    let text = String::from_utf8_lossy(header);
    let mut words = text.split(' ').skip(1);
    let mut range = |sign: char| {
        let word = words.next().expect("a range").trim_start_matches(sign);
        let (start, count) = word.split_once(',').unwrap_or((word, "1"));
        let number = |s: &str| s.parse::<u32>().expect("a number in the hunk's header");
        (number(start), number(count))
    };
    let ((mut old, mut old_left), (mut new, mut new_left)) = (range('-'), range('+'));
    let mut hunk = Hunk { lines: Vec::new(), raw: header.to_vec() };
    while old_left > 0 || new_left > 0 || lines.peek().is_some_and(|l| l.starts_with(b"\\ ")) {
        let line = lines.next().expect("as many lines as the header says");
        hunk.raw.extend_from_slice(line);
        let kind = match line[0] {
            b' ' => LineKind::Context,
            b'+' => LineKind::Added,
            b'-' => LineKind::Deleted,
            b'\\' => continue,
            other => panic!("a hunk line that begins with {:?}", other as char),
        };
        let text = line[1..].strip_suffix(b"\n").unwrap_or(&line[1..]).to_vec();
        hunk.lines.push(Line { kind, old, new, text });
        if kind != LineKind::Added {
            (old, old_left) = (old + 1, old_left - 1);
        }
        if kind != LineKind::Deleted {
            (new, new_left) = (new + 1, new_left - 1);
        }
    }
    hunk
}

/// Where line `number` of the old image stands in the new one, or `None` when it was changed or removed. `hunks` are those of
/// the one file.
pub fn carried(hunks: &[Hunk], number: u32) -> Option<u32> {
    let mut shift = 0i64;
    for line in hunks.iter().flat_map(|h| &h.lines) {
        match line.kind {
            LineKind::Deleted if line.old == number => return None,
            LineKind::Deleted if line.old < number => shift -= 1,
            LineKind::Added if line.old <= number => shift += 1,
            _ => {}
        }
    }
    u32::try_from(i64::from(number) + shift).ok()
}

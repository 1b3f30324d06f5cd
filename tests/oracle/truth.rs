//! What `git diff-tree -p` says of a change, read by the counts of its `@@` headers.
//!
//! Run in an empty repository that borrows the objects, so that no configuration, no attribute and
//! no work tree of the real one has a say.

use std::fs;
use std::path::Path;
use std::process::Command;

/// One `diff --git` section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    pub old_path: Option<Vec<u8>>,
    pub new_path: Option<Vec<u8>>,
    /// A side is a symlink or a submodule: whatever git prints, it has no line.
    pub special: bool,
    pub binary: bool,
    pub hunks: Vec<Hunk>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// Old start and length, new start and length.
    pub header: [u32; 4],
    pub lines: Vec<Line>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub sign: u8,
    /// The counters of both images when the line is reached.
    pub old: u32,
    pub new: u32,
    pub text: Vec<u8>,
}

/// The sections between two commits or trees of the repository whose objects are at `objects`.
pub fn sections(objects: &Path, old: &str, new: &str, threshold: u8) -> Vec<Section> {
    let dir = tempfile::tempdir().unwrap();
    let git = |args: &[&str]| {
        let mut command = Command::new("git");
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", dir.path());
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_ATTR_NOSYSTEM", "1").env("GIT_NO_REPLACE_OBJECTS", "1");
        let output = command.env("LC_ALL", "C").current_dir(dir.path()).args(args).output().unwrap();
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    let format = if old.len() == 64 { "--object-format=sha256" } else { "--object-format=sha1" };
    git(&["init", "-q", "--bare", format]);
    fs::write(dir.path().join("objects/info/alternates"), format!("{}\n", objects.display())).unwrap();
    let similarity = format!("-M{threshold}%");
    let diff = |kind: &[&str]| {
        git(&[&["diff-tree", "-r", &similarity, "-l1000", "--no-ext-diff", "--no-textconv"], kind, &[old, new]]
            .concat())
    };
    let records = records(&diff(&["--raw", "-z", "--no-abbrev"]));
    let patch = diff(&["-p", "--full-index"]);
    parse(records, &patch)
}

/// A raw record, a type change already split in two as `-p` prints it.
struct Record {
    old_path: Option<Vec<u8>>,
    new_path: Option<Vec<u8>>,
    special: bool,
}

fn records(raw: &[u8]) -> Vec<Record> {
    let special = |mode: &str| mode == "120000" || mode == "160000";
    let mut fields = raw.split(|b| *b == 0).filter(|field| !field.is_empty());
    let mut records = Vec::new();
    while let Some(head) = fields.next() {
        let head = String::from_utf8(head[1..].to_vec()).unwrap();
        let facts: Vec<&str> = head.split(' ').collect();
        let (old_mode, new_mode, status) = (facts[0], facts[1], &facts[4][..1]);
        let path = fields.next().unwrap().to_vec();
        let mut record = |old: Option<&Vec<u8>>, new: Option<&Vec<u8>>, special| {
            records.push(Record { old_path: old.cloned(), new_path: new.cloned(), special });
        };
        match status {
            "A" => record(None, Some(&path), special(new_mode)),
            "D" => record(Some(&path), None, special(old_mode)),
            "M" => record(Some(&path), Some(&path), special(old_mode)),
            "R" => record(Some(&path), Some(&fields.next().unwrap().to_vec()), special(old_mode)),
            "T" => {
                record(Some(&path), None, special(old_mode));
                record(None, Some(&path), special(new_mode));
            }
            other => panic!("an unknown status {other}"),
        }
    }
    records
}

fn parse(records: Vec<Record>, patch: &[u8]) -> Vec<Section> {
    let mut lines = patch.strip_suffix(b"\n").unwrap_or(patch).split(|b| *b == b'\n').peekable();
    if patch.is_empty() {
        lines.next();
    }
    let mut sections: Vec<Section> = Vec::new();
    let mut records = records.into_iter();
    while let Some(line) = lines.next() {
        if line.starts_with(b"diff --git ") {
            let Record { old_path, new_path, special } = records.next().unwrap();
            sections.push(Section { old_path, new_path, special, binary: false, hunks: Vec::new() });
        } else if line.starts_with(b"Binary files ") {
            sections.last_mut().unwrap().binary = true;
        } else if line.starts_with(b"@@ -") {
            let header = counts(line);
            let [mut old, old_len, mut new, new_len] = header;
            let (old_end, new_end) = (old + old_len, new + new_len);
            let mut hunk = Hunk { header, lines: Vec::new() };
            while old < old_end || new < new_end {
                let line = lines.next().unwrap();
                let (sign, text) = (line[0], line[1..].to_vec());
                if sign == b'\\' {
                    continue;
                }
                hunk.lines.push(Line { sign, old, new, text });
                old += u32::from(sign != b'+');
                new += u32::from(sign != b'-');
            }
            assert_eq!((old, new), (old_end, new_end));
            sections.last_mut().unwrap().hunks.push(hunk);
        }
    }
    assert!(records.next().is_none(), "a record without a section");
    sections
}

/// `@@ -1,2 +3 @@ …`: a length that is left out is 1.
fn counts(line: &[u8]) -> [u32; 4] {
    let line = String::from_utf8_lossy(line).into_owned();
    let mut parts = line[4..].split(" @@").next().unwrap().split(" +").map(|part| {
        let (start, len) = part.split_once(',').unwrap_or((part, "1"));
        [start.parse().unwrap(), len.parse().unwrap()]
    });
    let ([a, b], [c, d]) = (parts.next().unwrap(), parts.next().unwrap());
    [a, b, c, d]
}

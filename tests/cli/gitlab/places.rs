//! Every place of a change with every kind of delta: what is sent is taken, is where it was meant, and nothing else is sent.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::ground::{Ground, IID, numbered};
use crate::support::diff::{Change, FileDiff, Line, LineKind, between};
use crate::support::gitlab::line_code;
use crate::support::repo::{Repo, git};

/// Twenty lines of one length that no other file has, the first `kept` of them those of the old image.
fn alike(word: &str, kept: u32) -> (String, String) {
    let line = |kind: &str, n: u32| format!("{word} {kind} {n:02} ~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n");
    let old = (1..=20).map(|n| line("old", n)).collect();
    // Changed lines in blocks, so that context lies before, between and after them.
    let is_kept = |n: u32| (n * kept) / 20 != ((n - 1) * kept) / 20;
    let new = (1..=20).map(|n| line(if is_kept(n) { "old" } else { "new" }, n)).collect();
    (old, new)
}

fn rich() -> Ground {
    let renames = [("r35", 7), ("r45", 9), ("r80", 16)];
    let ground = Ground::of(
        |work: &Repo| {
            work.write("mod.rs", numbered(30)).write("gone.rs", "a\nb\nc\n").write("kind", "one\ntwo\n");
            work.write("crlf.txt", "a\r\nb\r\nc\r\nd\r\n")
                .write("end.txt", "a\nb\nc")
                .write("q.sql", "-- drop old\nkeep\n");
            work.write("pure.txt", "the very same\n").write("mode.sh", "x\n").write("bin", [0u8, 1]);
            for (word, kept) in renames {
                work.write(format!("{word}.old"), alike(word, kept).0);
            }
        },
        |work: &Repo| {
            let changed = numbered(30)
                .replace("line 3\n", "line three\nmore\n")
                .replace("line 25\n", "")
                .replace("line 26\n", "l 26\n");
            work.write("mod.rs", changed).remove("gone.rs").symlink("kind", "mod.rs").write("made.rs", "1\n2\n3\n");
            work.write("crlf.txt", "a\r\nB\r\nc\r\nd\r\n").write("end.txt", "a\nb\nC").write("q.sql", "keep\n++ i");
            work.rename("pure.txt", "pure2.txt").executable("mode.sh", true).write("bin", [0u8, 2]).write("empty", "");
            for (word, kept) in renames {
                work.rename(format!("{word}.old"), format!("sub dir/{word}.new"));
                work.write(format!("sub dir/{word}.new"), alike(word, kept).1);
            }
        },
    );
    let raw = git(ground.work.path(), &["diff-tree", "-r", "-M30%", "--raw", &ground.base, &ground.head]);
    for (word, similarity) in [("r35", "R035"), ("r45", "R045"), ("r80", "R080")] {
        let line = raw.lines().find(|line| line.contains(&format!("{word}.old"))).expect("the rename is seen");
        assert!(line.contains(similarity), "{line}");
    }
    ground
}

fn files(ground: &Ground) -> Vec<FileDiff> {
    between(ground.work.path(), &ground.base, &ground.head, 30, &[])
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Side {
    Left,
    Right,
}

impl Side {
    fn word(self) -> &'static str {
        if self == Side::Left { "LEFT" } else { "RIGHT" }
    }

    /// The line's number on this side, if it is there at all.
    fn number(self, line: &Line) -> Option<u32> {
        match (self, line.kind) {
            (Side::Left, LineKind::Added) | (Side::Right, LineKind::Deleted) => None,
            (Side::Left, _) => Some(line.old),
            (Side::Right, _) => Some(line.new),
        }
    }

    fn path(self, file: &FileDiff) -> String {
        if self == Side::Left { file.old_path_text() } else { file.new_path_text() }
    }
}

/// The lines of a hunk on one side.
fn of_side(lines: &[Line], side: Side) -> Vec<&Line> {
    lines.iter().filter(|line| side.number(line).is_some()).collect()
}

/// What must be sent for one finding.
struct Expected {
    paths: (String, String),
    last: Line,
    /// The line codes of a range's ends.
    ends: Option<(String, String)>,
}

fn expected(file: &FileDiff, first: &Line, last: &Line, range: bool) -> Expected {
    let path = file.new_path_text();
    Expected {
        paths: (file.old_path_text(), path.clone()),
        last: last.clone(),
        ends: range.then(|| (line_code(&path, first), line_code(&path, last))),
    }
}

/// Posts, and holds what the server stored against what had to be sent.
fn posted_exactly(ground: &Ground, wanted: &BTreeMap<String, Expected>) -> Value {
    let run = ground.dai().args(["7", "--yes", "--format", "json"]).patience(std::time::Duration::from_secs(240)).run();
    let report = run.exits(0).json();
    let stored = ground.comments();
    for (body, position) in &stored {
        let name = body.lines().find(|line| line.starts_with("Here: ")).expect("a body of this test").to_owned();
        let expected = wanted.get(&name).unwrap_or_else(|| panic!("this must not be sent: {name}"));
        let last = &expected.last;
        let numbers = match last.kind {
            LineKind::Added => (Value::Null, json!(last.new)),
            LineKind::Deleted => (json!(last.old), Value::Null),
            LineKind::Context => (json!(last.old), json!(last.new)),
        };
        assert_eq!((position["old_line"].clone(), position["new_line"].clone()), numbers, "{name}");
        assert_eq!(
            (&position["old_path"], &position["new_path"]),
            (&json!(expected.paths.0), &json!(expected.paths.1)),
            "{name}"
        );
        let range = &position["line_range"];
        let ends = expected.ends.as_ref();
        assert_eq!(range.is_null(), ends.is_none(), "{name}: {range}");
        if let Some((start, end)) = ends {
            assert_eq!(
                (&range["start"]["line_code"], &range["end"]["line_code"]),
                (&json!(start), &json!(end)),
                "{name}"
            );
        }
    }
    assert_eq!(stored.len(), wanted.len(), "each once, and all of them");
    let sent = ground.discussions_sent();
    assert_eq!(sent.len(), wanted.len(), "nothing is refused");
    for request in sent {
        let text = String::from_utf8_lossy(&request.body).into_owned();
        for word in ["merge_request_diff_head_sha", "approve"] {
            assert!(!text.contains(word), "{word}: {text}");
        }
        let range = &request.json()["position"]["line_range"];
        for end in ["start", "end"].iter().filter_map(|end| range[*end].as_object()) {
            assert!(end.values().all(Value::is_string), "numbers in a line_range: {range}");
        }
    }
    let calls: Vec<String> = ground.forge.writes().iter().map(|write| write.line()).collect();
    let is_comment =
        |call: &String| call.starts_with("POST ") && (call.ends_with("/discussions") || call.ends_with("/notes"));
    assert!(calls.iter().all(is_comment), "{calls:?}");
    report
}

/// The status of each finding by its body.
fn fates(report: &Value) -> BTreeMap<u64, (String, String)> {
    let findings = report["findings"].as_array().expect("findings");
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    findings
        .iter()
        .map(|f| (f["index"].as_u64().expect("an index"), (word(&f["status"]), word(&f["reason"]["code"]))))
        .collect()
}

#[test]
fn c29_every_line_of_every_kind_of_delta_lands_and_no_other_is_sent() {
    let ground = rich();
    let mut wanted = BTreeMap::new();
    let mut index = 0;
    let mut beyond = Vec::new();
    for file in files(&ground) {
        for side in [Side::Left, Side::Right] {
            let path = side.path(&file);
            let image = if side == Side::Left { &ground.base } else { &ground.head };
            let blob = ground.work.try_git(&["show", &format!("{image}:{path}")]).stdout;
            let count = u32::try_from(blob.split_inclusive(|b| *b == b'\n').count()).expect("a short file");
            let lines: Vec<&Line> = file.hunks.iter().flat_map(|hunk| of_side(&hunk.lines, side)).collect();
            // One past the end as well, and line 1 of an image that is not there.
            for number in 1..=count + 1 {
                let name = format!("Here: {path} {} {number}.", side.word());
                ground.add(json!({ "path": path, "side": side.word(), "line": number, "body": name }));
                let here = lines
                    .iter()
                    .find(|line| side.number(line) == Some(number))
                    .filter(|_| file.has_text() && !file.binary);
                match here {
                    Some(line) => drop(wanted.insert(name, expected(&file, line, line, false))),
                    None => beyond.push(index),
                }
                index += 1;
            }
        }
    }
    // Both names of a type change name two deltas, whose findings may be the same: then they are alike here too.
    let report = posted_exactly(&ground, &wanted);
    let fates = fates(&report);
    assert!(beyond.len() > 20, "places outside the diff were tried: {beyond:?}");
    for at in beyond {
        assert_eq!(fates[&at].0, "rejected", "finding {at}: {}", report["findings"][at as usize]);
    }
    let kinds: Vec<Change> = files(&ground).iter().map(|file| file.change).collect();
    for kind in [Change::Added, Change::Deleted, Change::Modified, Change::Renamed] {
        assert!(kinds.contains(&kind), "{kind:?}");
    }
    assert_eq!(ground.forge.stage.request(IID, |request| request.notes().count()), wanted.len() + 1, "and the summary");
}

#[test]
fn c29_every_range_within_a_hunk_lands_with_its_ends() {
    let ground = rich();
    let mut wanted = BTreeMap::new();
    for file in files(&ground).iter().filter(|file| file.has_text()) {
        // The first hunk of each file has lines of every kind that the file has.
        let Some(hunk) = file.hunks.first() else { continue };
        for side in [Side::Left, Side::Right] {
            let lines = of_side(&hunk.lines, side);
            let last = lines.len().saturating_sub(1);
            let every = |step: usize| {
                (0..lines.len()).flat_map(move |from| (from + 1..=last).step_by(step).map(move |to| (from, to)))
            };
            // All pairs of a short hunk, and of a long one its neighbours and the pairs with its ends.
            let pairs: Vec<_> = match lines.len() {
                0..=7 => every(1).collect(),
                _ => every(1)
                    .filter(|(from, to)| {
                        to - from == 1 || (*from == 0 && to % 4 == 0) || (*to == last && from % 4 == 0)
                    })
                    .collect(),
            };
            for (from, to) in pairs {
                let (first, last) = (lines[from], lines[to]);
                let (Some(line), Some(end)) = (side.number(first), side.number(last)) else { continue };
                let path = if from % 2 == 0 { side.path(file) } else { file.new_path_text() };
                let name = format!("Here: {} {} {line} to {end}.", file.new_path_text(), side.word());
                ground.add(json!({ "path": path, "side": side.word(), "line": line, "end_line": end, "body": name }));
                wanted.insert(name, expected(file, first, last, true));
            }
        }
    }
    posted_exactly(&ground, &wanted);
    for (body, position) in ground.comments() {
        let name = body.lines().find(|line| line.starts_with("Here: ")).expect("a body of this test");
        let words: Vec<&str> = name.trim_end_matches('.').rsplit(' ').collect();
        let named = format!("lines {} to {} ({})", words[2], words[0], words[3]);
        assert!(body.starts_with(&format!("**Medium severity** · {named}")), "{named}: {body}");
        assert!(position["line_range"]["start"].is_object());
    }
}

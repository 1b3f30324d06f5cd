//! Changes for tests, written out by hand: a whole file as a script of ` kept`, `-old` and `+new` lines.

use std::collections::HashMap;

use bytes::Bytes;

use crate::change::{
    Change, CommitId, Commits, Content, DiffLine, FileDelta, Hunk, Image, LineKind, Missing, NoText, Paths, Text,
};
use crate::review::{Finding, LineRange, Place, Severity, Side, State};

/// The lines that git shows around a changed one.
const CONTEXT: usize = 3;

pub(crate) fn text(script: &[&str]) -> Text {
    let (mut old_count, mut new_count) = (0, 0);
    let (mut old, mut new) = (String::new(), String::new());
    let (has_old, has_new) =
        (script.iter().any(|line| !line.starts_with('+')), script.iter().any(|line| !line.starts_with('-')));
    let mut lines = Vec::new();
    for entry in script {
        let (mark, body) = entry.split_at(1);
        let kind = match mark {
            "+" => LineKind::Added,
            "-" => LineKind::Removed,
            " " => LineKind::Context,
            _ => panic!("no mark: {entry:?}"),
        };
        let number = |has: bool, count: u32| if has { count + 1 } else { 0 };
        let text = Bytes::copy_from_slice(body.as_bytes());
        lines.push(DiffLine { kind, old: number(has_old, old_count), new: number(has_new, new_count), text });
        if kind != LineKind::Added {
            old_count += 1;
            old.extend([body, "\n"]);
        }
        if kind != LineKind::Removed {
            new_count += 1;
            new.extend([body, "\n"]);
        }
    }
    let shown = |at: usize| {
        let near = at.saturating_sub(CONTEXT)..=(at + CONTEXT).min(lines.len() - 1);
        lines[near].iter().any(|line| line.kind != LineKind::Context)
    };
    let mut hunks: Vec<Vec<DiffLine>> = Vec::new();
    for at in (0..lines.len()).filter(|at| shown(*at)) {
        if at == 0 || !shown(at - 1) {
            hunks.push(Vec::new());
        }
        hunks.last_mut().unwrap().push(lines[at].clone());
    }
    Text { old: Image(old.into()), new: Image(new.into()), hunks: hunks.into_iter().map(hunk).collect() }
}

pub(crate) fn hunk(lines: Vec<DiffLine>) -> Hunk {
    let count = |side: Side| lines.iter().filter(|line| line.number(side).is_some()).count() as u32;
    let (old_len, new_len) = (count(Side::Left), count(Side::Right));
    Hunk { old_start: lines[0].old, old_len, new_start: lines[0].new, new_len, lines }
}

pub(crate) fn modified(path: &str, script: &[&str]) -> FileDelta {
    FileDelta { paths: Paths::Modified { path: path.to_owned() }, content: Content::Text(text(script)) }
}

pub(crate) fn added(path: &str, script: &[&str]) -> FileDelta {
    FileDelta { paths: Paths::Added { new: path.to_owned() }, content: Content::Text(text(script)) }
}

pub(crate) fn deleted(path: &str, script: &[&str]) -> FileDelta {
    FileDelta { paths: Paths::Deleted { old: path.to_owned() }, content: Content::Text(text(script)) }
}

pub(crate) fn renamed(old: &str, new: &str, script: &[&str]) -> FileDelta {
    let paths = Paths::Renamed { old: old.to_owned(), new: new.to_owned() };
    FileDelta { paths, content: Content::Text(text(script)) }
}

pub(crate) fn without_text(paths: Paths, why: NoText) -> FileDelta {
    FileDelta { paths, content: Content::None(why) }
}

pub(crate) fn commit(digit: char) -> CommitId {
    CommitId::parse(&digit.to_string().repeat(40)).unwrap()
}

pub(crate) fn change(deltas: Vec<FileDelta>) -> Change {
    change_with(deltas, HashMap::new())
}

pub(crate) fn change_with(deltas: Vec<FileDelta>, missing: HashMap<String, Missing>) -> Change {
    let commits = Commits { base: None, merge_base: commit('a'), head: commit('b') };
    Change::new(commits, deltas, missing)
}

pub(crate) fn place(side: Side, start: u32, end: u32) -> Place {
    Place { side, range: LineRange::new(start, end) }
}

pub(crate) fn finding(path: &str, side: Side, start: u32, end: u32) -> Finding {
    Finding {
        index: 0,
        pointer: "/findings/0".to_owned(),
        id: None,
        path: path.to_owned(),
        place: Some(place(side, start, end)),
        severity: Some(Severity::Medium),
        confidence: None,
        body: "What is wrong, why, and what to do.".to_owned(),
        snippet: None,
        state: State::Active,
        defect: None,
        replies: Vec::new(),
    }
}

pub(crate) fn quoting(finding: Finding, snippet: &str) -> Finding {
    Finding { snippet: Some(snippet.to_owned()), ..finding }
}

//! The change under test held against git's, place by place.

use std::collections::{BTreeMap, BTreeSet};

use dai::change::git::{GitError, Repo};
use dai::change::{Change, Commits, Content, FileDelta, LineKind};
use dai::review::Side;

use crate::truth::{self, Section};

/// What was compared, and every difference.
#[derive(Debug, Default)]
pub struct Tally {
    pub files: usize,
    /// Places asked for: a path, a side and a line number.
    pub places: usize,
    pub differences: Vec<String>,
}

/// Asks the product for every path of the change, in batches of uneven size so that the two names of
/// a rename are mostly asked for apart, and compares every line of it. The batches are small; many files
/// at once are read in another way, so the whole is asked for too, and must be the same.
pub fn check(repo: &Repo, commits: &Commits, threshold: u8) -> Result<Tally, GitError> {
    let objects = repo.common_dir().join("objects");
    let sections = truth::sections(&objects, commits.merge_base.as_str(), commits.head.as_str(), threshold);
    let (mut by_old, mut by_new) = (BTreeMap::new(), BTreeMap::new());
    let mut names = BTreeSet::new();
    for section in &sections {
        let text = |path: &Option<Vec<u8>>| path.clone().map(String::from_utf8);
        let (old, new) = (text(&section.old_path), text(&section.new_path));
        // A pair with a name that JSON cannot spell is not the product's to name.
        if matches!(old, Some(Err(_))) || matches!(new, Some(Err(_))) {
            continue;
        }
        for (name, index) in [(old, &mut by_old), (new, &mut by_new)] {
            if let Some(Ok(name)) = name {
                names.insert(name.clone());
                assert!(index.insert(name, section).is_none(), "git lists a name twice");
            }
        }
    }
    let mut order: Vec<&String> = names.iter().collect();
    order.sort_by_key(|name| spread(name));
    let mut tally = Tally { files: sections.len(), ..Tally::default() };
    let mut rest = order.as_slice();
    let mut size = 1;
    let (whole, _) = repo.change(commits, &names, threshold)?;
    while !rest.is_empty() {
        let (batch, after) = rest.split_at(size.min(rest.len()));
        rest = after;
        size = (size * 3 + 1) % 121 + 1;
        let asked: BTreeSet<String> = batch.iter().map(|name| (*name).clone()).collect();
        let (change, _) = repo.change(commits, &asked, threshold)?;
        for name in batch {
            if change.by_old_path(name).map(|(_, delta)| delta) != whole.by_old_path(name).map(|(_, delta)| delta)
                || change.by_new_path(name).map(|(_, delta)| delta) != whole.by_new_path(name).map(|(_, delta)| delta)
            {
                tally.differences.push(format!("{name:?}: the whole change has another delta than a part of it"));
            }
            for (side, index) in [(Side::Left, &by_old), (Side::Right, &by_new)] {
                compare(&change, name, side, index.get(*name).copied(), &mut tally);
            }
        }
    }
    Ok(tally)
}

fn compare(change: &Change, name: &str, side: Side, truth: Option<&Section>, tally: &mut Tally) {
    let delta = match side {
        Side::Left => change.by_old_path(name),
        Side::Right => change.by_new_path(name),
    };
    let mut differs = |what: String| tally.differences.push(format!("{name:?} {side}: {what}"));
    let (truth, delta) = match (truth, delta) {
        (None, None) => return,
        (Some(_), None) => return differs("git has it, the change has not".to_owned()),
        (None, Some(_)) => return differs("the change has it, git has not".to_owned()),
        (Some(truth), Some((_, delta))) => (truth, delta),
    };
    let paths = [&truth.old_path, &truth.new_path].map(|path| path.as_deref());
    if paths != [delta.old_path(), delta.new_path()].map(|path| path.map(str::as_bytes)) {
        differs(format!("paths {:?} against {:?}", delta.paths, (delta.old_path(), delta.new_path())));
    }
    match (&delta.content, truth) {
        (Content::Binary, Section { special: false, binary: true, .. }) => return,
        (Content::None(_), Section { special: true, .. }) => return,
        (Content::None(_), Section { special: false, binary: false, hunks, .. }) if hunks.is_empty() => return,
        (Content::Text(_), Section { special: false, binary: false, hunks, .. }) if !hunks.is_empty() => {}
        (content, truth) => {
            let content = match content {
                Content::Text(text) => format!("{} hunks", text.hunks.len()),
                other => format!("{other:?}"),
            };
            let git = (truth.special, truth.binary, truth.hunks.len());
            return differs(format!("content {content} against (special, binary, hunks) {git:?}"));
        }
    }
    lines(delta, name, side, truth, tally);
}

fn lines(delta: &FileDelta, name: &str, side: Side, truth: &Section, tally: &mut Tally) {
    let headers = |hunk: &dai::change::Hunk| [hunk.old_start, hunk.old_len, hunk.new_start, hunk.new_len];
    let ours: Vec<[u32; 4]> = delta.hunks().iter().map(headers).collect();
    let gits: Vec<[u32; 4]> = truth.hunks.iter().map(|hunk| hunk.header).collect();
    if ours != gits {
        tally.differences.push(format!("{name:?}: hunks {ours:?} against {gits:?}"));
    }
    let mut expected = BTreeMap::new();
    let mut probes: BTreeSet<u32> = [0, 1, u32::MAX].into();
    for hunk in &truth.hunks {
        for line in &hunk.lines {
            let number = match (side, line.sign) {
                (Side::Left, b'+') | (Side::Right, b'-') => continue,
                (Side::Left, _) => line.old,
                (Side::Right, _) => line.new,
            };
            expected.insert(number, line);
        }
        let [old, old_len, new, new_len] = hunk.header;
        let (start, len) = if side == Side::Left { (old, old_len) } else { (new, new_len) };
        for near in 1..=4 {
            probes.extend([start.saturating_sub(near), start + len + near - 1]);
        }
    }
    probes.extend(expected.keys());
    for number in probes {
        tally.places += 1;
        let ours = delta.line(side, number).map(|line| {
            let sign = match line.kind {
                LineKind::Added => b'+',
                LineKind::Removed => b'-',
                LineKind::Context => b' ',
            };
            (sign, line.old, line.new, line.text.to_vec())
        });
        let gits = expected.get(&number).map(|line| (line.sign, line.old, line.new, line.text.clone()));
        if ours != gits {
            tally.differences.push(format!("{name:?} {side} {number}: {ours:?} against {gits:?}"));
        }
    }
}

/// An order that keeps neighbours apart and is the same in every run.
fn spread(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

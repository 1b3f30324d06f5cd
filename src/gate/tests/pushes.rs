//! Histories of pushes, made to be awkward: few different lines, so that equal ones stand everywhere, files that are
//! renamed again and again, bases that move. A review posted at one commit and again after each push has one comment for
//! each finding, the one that was made for it.
//!
//! `DAI_PUSHES` says how many histories are tried (30), `DAI_PUSHES_SEED` which is the first (1).

use std::collections::{BTreeMap, BTreeSet};

use super::super::existing::{Made, MadeAt, Numbers};
use super::*;
use crate::anchor::Relocate;
use crate::anchor::trace::{Carried, Journey, carry};
use crate::change::git::hunks;
use crate::change::{CommitId, Commits, Content, FileDelta, Image, LineKind, NoText, Paths, Text};
use crate::review::{LineRange, Place, State};

const PUSHES: usize = 5;

/// `splitmix64`.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % bound.max(1) as u64).unwrap()
    }
}

type Tree = BTreeMap<String, Vec<String>>;

/// A state of the request: what its diff starts from, and its head.
#[derive(Debug, Clone)]
struct Commit {
    base: Tree,
    head: Tree,
}

fn line(dice: &mut Dice) -> String {
    let words = ["}", "", "    return nil", "let x = 1;", "    x += 1;", "end"];
    let at = dice.below(words.len() + 4);
    words.get(at).map_or_else(|| format!("line {}", dice.below(60)), |word| (*word).to_owned())
}

fn edit(dice: &mut Dice, lines: &mut Vec<String>) {
    let at = dice.below(lines.len() + 1);
    match dice.below(6) {
        // An equal line, above or below.
        0 | 1 if !lines.is_empty() => lines.insert(at, lines[dice.below(lines.len())].clone()),
        2 => drop(lines.splice(at..at, (0..3).map(|_| line(dice)).collect::<Vec<_>>())),
        3 if at < lines.len() => lines[at] = line(dice),
        4 if at < lines.len() && lines.len() > 12 => drop(lines.remove(at)),
        5 if at < lines.len() => {
            let block: Vec<String> = lines[at..(at + 4).min(lines.len())].to_vec();
            lines.splice(at..at, block);
        }
        _ => lines.insert(at, line(dice)),
    }
}

/// A file gets another name, and perhaps other lines.
fn rename(dice: &mut Dice, tree: &mut Tree) {
    let name = tree.keys().nth(dice.below(tree.len())).unwrap().clone();
    let lines = tree.remove(&name).unwrap();
    tree.insert(format!("r{}-{name}", dice.below(90)), lines);
}

fn push(dice: &mut Dice, commit: &mut Commit) {
    for _ in 0..=dice.below(4) {
        match dice.below(8) {
            0 | 1 => rename(dice, &mut commit.head),
            // The branch is moved onto a base that has gone on.
            2 => {
                let name = commit.base.keys().nth(dice.below(commit.base.len())).unwrap().clone();
                let (at, new) = (dice.below(3), line(dice));
                for tree in [&mut commit.base, &mut commit.head] {
                    if let Some(lines) = tree.get_mut(&name) {
                        lines.insert(at.min(lines.len()), new.clone());
                    }
                }
            }
            _ => {
                let at = dice.below(commit.head.len());
                edit(dice, commit.head.values_mut().nth(at).unwrap());
            }
        }
    }
}

fn history(dice: &mut Dice) -> Vec<Commit> {
    let text = |dice: &mut Dice| (0..20 + dice.below(30)).map(|_| line(dice)).collect::<Vec<_>>();
    let base: Tree = (0..4).map(|n| (format!("f{n}"), text(dice))).collect();
    let mut head = base.clone();
    head.insert("added".to_owned(), text(dice));
    head.remove("f3");
    rename(dice, &mut head);
    for lines in head.values_mut() {
        (0..4).for_each(|_| edit(dice, lines));
    }
    let mut commits = vec![Commit { base, head }];
    for _ in 0..PUSHES {
        let mut next = commits.last().unwrap().clone();
        push(dice, &mut next);
        commits.push(next);
    }
    commits
}

fn image(lines: &[String]) -> Image {
    let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
    Image(text.into_bytes().into())
}

/// Half of the lines, whatever their order.
fn alike(old: &[String], new: &[String]) -> bool {
    let mut left: Vec<&String> = new.iter().collect();
    let kept = old.iter().filter(|line| left.iter().position(|l| l == line).map(|at| left.swap_remove(at)).is_some());
    kept.count() * 2 >= old.len().max(new.len())
}

fn between(old: &Tree, new: &Tree) -> Change {
    let (mut deltas, mut paired) = (Vec::new(), BTreeSet::new());
    let content = |old: &[String], new: &[String]| {
        if old == new {
            return Content::None(NoText::PureRename);
        }
        let (old, new) = (image(old), image(new));
        let hunks = hunks(&old, &new).unwrap();
        Content::Text(Text { old, new, hunks })
    };
    for (path, lines) in old {
        let paths = match new.get(path) {
            Some(same) if same == lines => continue,
            Some(_) => Paths::Modified { path: path.clone() },
            None => {
                let comes = |(name, text): &(&String, &Vec<String>)| {
                    !old.contains_key(*name) && !paired.contains(*name) && alike(lines, text)
                };
                match new.iter().find(comes) {
                    Some((name, _)) => Paths::Renamed { old: path.clone(), new: name.clone() },
                    None => Paths::Deleted { old: path.clone() },
                }
            }
        };
        let delta = FileDelta { paths, content: Content::Binary };
        let to = delta.new_path().map(|name| new[name].as_slice()).unwrap_or_default();
        paired.extend(delta.new_path().map(str::to_owned));
        deltas.push(FileDelta { content: content(lines, to), ..delta });
    }
    for (path, lines) in new.iter().filter(|(path, _)| !old.contains_key(*path) && !paired.contains(*path)) {
        deltas.push(FileDelta { paths: Paths::Added { new: path.clone() }, content: content(&[], lines) });
    }
    let commits = Commits { base: None, merge_base: id(0), head: id(1) };
    Change::new(commits, deltas, HashMap::new())
}

fn id(number: usize) -> CommitId {
    CommitId::parse(&format!("{number:040x}")).unwrap()
}

/// Findings with few different words at commentable lines, no two of them the same.
fn findings(dice: &mut Dice, change: &Change) -> Vec<Finding> {
    let mut found = Vec::new();
    let hunks: Vec<_> = change.deltas().iter().flat_map(|d| d.hunks().iter().map(move |hunk| (d, hunk))).collect();
    for _ in 0..if hunks.is_empty() { 0 } else { 14 } {
        let (delta, hunk) = hunks[dice.below(hunks.len())];
        let side = if dice.below(3) == 0 { L } else { R };
        let lines: Vec<u32> = hunk.lines.iter().filter_map(|line| line.number(side)).collect();
        if lines.is_empty() {
            continue;
        }
        let first = dice.below(lines.len());
        let last = (first + if dice.below(3) == 0 { dice.below(4) } else { 0 }).min(lines.len() - 1);
        let name = if side == L && dice.below(2) == 0 { delta.both_paths().0 } else { delta.path() };
        let body = ["This leaks.", "Handle the error."][dice.below(2)];
        let place = Place { side, range: LineRange::new(lines[first], lines[last]) };
        found.push(Finding { body: body.to_owned(), place: Some(place), ..sample::finding(name, side, 1, 1) });
    }
    found
}

/// The request on a forge, and one review of its first commit.
struct World {
    kind: Kind,
    commits: Vec<Commit>,
    /// As of the first commit.
    findings: Vec<Finding>,
    comments: Vec<OwnComment>,
}

impl World {
    /// The findings as they are at a commit: those whose lines are gone are stale.
    fn carried(&self, to: usize) -> Vec<Finding> {
        let (from, to) = (&self.commits[0], &self.commits[to]);
        let (right, left) = (between(&from.head, &to.head), between(&from.base, &to.base));
        let own = between(&from.base, &from.head);
        let journey = Journey { right: &right, left: &left };
        let one = |finding: &Finding| {
            let path = crate::anchor::trace::old_name(finding, &own).unwrap_or_else(|| finding.path.clone());
            let finding = Finding { path, ..finding.clone() };
            match carry(&finding, &journey) {
                Carried::Same => finding,
                Carried::Moved { path, place } => Finding { path, place: Some(place), ..finding },
                Carried::Stale => Finding { state: State::Stale, ..finding },
            }
        };
        self.findings.iter().map(one).collect()
    }

    fn locate(&mut self, head: usize) {
        let mut comments = std::mem::take(&mut self.comments);
        for at in 0..=head {
            let (then, now) = (&self.commits[at], &self.commits[head]);
            let own = between(&then.base, &then.head);
            let (right, left) = (between(&then.head, &now.head), between(&then.base, &now.base));
            let findings: Vec<Finding> =
                self.carried(at).into_iter().filter(|finding| finding.state == State::Active).collect();
            let journey = Journey { right: &right, left: &left };
            let (kind, relocate) = (self.kind, Relocate::Never);
            let made_at = MadeAt { own: Some(&own), journey, findings: &findings, kind, relocate };
            let made = |comment: &&mut OwnComment| comment.made.as_ref().is_some_and(|made| made.commit == id(at));
            made_at.locate(comments.iter_mut().filter(made));
        }
        self.comments = comments;
    }

    /// A finding goes out at its own push at the earliest, so that comments are made at every commit.
    fn is_due(at: usize, head: usize) -> bool {
        at % (PUSHES + 1) <= head
    }

    /// One run with `--yes --trace`.
    fn run(&mut self, head: usize) -> Plan {
        let change = between(&self.commits[head].base, &self.commits[head].head);
        let mut plan =
            plan(&review(self.carried(head)), &change, &Options::default(), &CrossCheck::NotCompared, self.kind);
        self.locate(head);
        plan.stand(&Standing { comments: self.comments.clone(), ..Standing::default() }, Again::No);
        for at in ready(&plan).into_iter().filter(|at| Self::is_due(*at, head)) {
            let spot = plan.items[at].spot.as_ref().unwrap();
            self.comments.push(OwnComment {
                finding: spot.finding_tag,
                place: spot.place_tag,
                by: plan.review,
                url: Some(at.to_string()),
                stands: Stands::AtLine,
                made: Some(self.made(spot, head)),
                located: Located::ByMarker,
            });
        }
        plan
    }

    /// What the forge says of a comment.
    fn made(&self, spot: &Spot, head: usize) -> Made {
        let by_points = Made {
            commit: id(head),
            merge_base: None,
            old_path: Some(spot.old_path.clone()),
            new_path: spot.new_path.clone(),
            side: if spot.last.kind == LineKind::Removed || spot.first.kind == LineKind::Removed { L } else { R },
            first: spot.first.into(),
            last: spot.last.into(),
        };
        match self.kind {
            Kind::GitLab => by_points,
            Kind::GitHub => Made {
                old_path: None,
                new_path: spot.path.clone(),
                side: spot.side,
                first: Numbers::on(spot.side, spot.range.start),
                last: Numbers::on(spot.side, spot.range.end),
                ..by_points
            },
        }
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

#[test]
fn c52_after_any_pushes_each_finding_has_the_one_comment_that_was_made_for_it() {
    let first = number("DAI_PUSHES_SEED", 1);
    let (mut posted, mut recognised, mut late) = (0, 0, 0);
    for seed in first..first + number("DAI_PUSHES", 30) {
        let mut dice = Dice(seed);
        let commits = history(&mut dice);
        let change = between(&commits[0].base, &commits[0].head);
        let kind = if seed % 2 == 0 { Kind::GitHub } else { Kind::GitLab };
        // Only what is one of its own: neither a duplicate nor at the same lines by another side's numbers.
        let found = findings(&mut dice, &change);
        let all = plan(&review(found.clone()), &change, &Options::default(), &CrossCheck::NotCompared, kind);
        let mut places = BTreeSet::new();
        let mut fresh = |at: &usize| {
            let spot = all.items[*at].spot.as_ref().unwrap();
            let place = (spot.side, spot.range, spot.new_path.clone(), found[*at].body.clone());
            places.insert(place)
        };
        let kept: Vec<usize> = ready(&all).into_iter().filter(&mut fresh).collect();
        let findings: Vec<Finding> =
            (0..).zip(kept).map(|(index, at)| Finding { index, ..found[at].clone() }).collect();
        let mut world = World { kind, commits, findings, comments: Vec::new() };
        for head in 0..=PUSHES {
            let before = world.comments.len();
            let plan = world.run(head);
            posted += world.comments.len() - before;
            late += if head > 0 { world.comments.len() - before } else { 0 };
            for (index, item) in plan.items.iter().enumerate() {
                let own = world.comments.iter().filter(|c| c.url.as_deref() == Some(&*index.to_string())).count();
                let context = || format!("seed {seed}, push {head}, finding {index}: {:?}", world.findings[index]);
                assert!(own <= 1, "{own} comments: {}", context());
                let due = World::is_due(index, head);
                if matches!(item.fate, Fate::Ready if due) || matches!(item.fate, Fate::AlreadyPosted { .. }) {
                    assert_eq!(own, 1, "none: {}", context());
                }
                if let Some(existing) = &item.existing {
                    recognised += 1;
                    assert_eq!(existing.url, Some(index.to_string()), "another finding's: {}", context());
                } else if !matches!(item.fate, Fate::Ready) {
                    assert_eq!(own, 0, "not recognised: {}, {:?}", context(), item.fate);
                }
                assert!(!matches!(item.fate, Fate::Suppressed(_)), "{}: {:?}", context(), item.fate);
            }
            let again = world.run(head);
            let left: Vec<usize> = ready(&again).into_iter().filter(|at| World::is_due(*at, head)).collect();
            assert_eq!(left, Vec::<usize>::new(), "seed {seed}, push {head}, at once again");
        }
    }
    assert!(
        posted > 100 && recognised > 1000 && late > 0,
        "{posted} posted, {late} of them late, {recognised} recognised"
    );
}

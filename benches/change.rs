//! What a preview costs: the change itself, and finding places in it.
//!
//! `cargo bench --bench change`. `benches/against-git` measures the whole command beside `git diff`.

#![expect(clippy::unwrap_used, reason = "a bench that cannot set up its repository has nothing to say")]

#[path = "../tests/oracle/generate.rs"]
mod generate;
#[expect(dead_code, reason = "the tests use more of it")]
#[path = "../tests/oracle/lab.rs"]
mod lab;

use std::collections::BTreeSet;
use std::path::PathBuf;

use dai::change::Commits;
use dai::review::Side;
use divan::{Bencher, black_box};
use lab::{Lab, between, open};

fn main() {
    divan::main();
}

/// A repository, the ends of its change, and the changed files that JSON can name.
struct Subject {
    _lab: Lab,
    path: PathBuf,
    commits: Commits,
    names: BTreeSet<String>,
}

fn subject(files: usize) -> Subject {
    let lab = Lab::new();
    let (work, ranges) = generate::repository(&lab, "w", 7, 1, files);
    let (old, new) = &ranges[0];
    let listed = work.output(&["diff-tree", "-r", "-z", "--name-only", "--no-renames", old.as_str(), new.as_str()]);
    let names = listed.stdout.split(|b| *b == 0).filter(|name| !name.is_empty());
    let names = names.filter_map(|name| String::from_utf8(name.to_vec()).ok()).collect();
    Subject { path: work.path.clone(), commits: between(old, new), names, _lab: lab }
}

fn take(subject: &Subject) -> dai::change::Change {
    open(&subject.path).change(&subject.commits, &subject.names, 50).unwrap().0
}

/// Ten changed files, every one of them named.
#[divan::bench]
fn small(bencher: Bencher) {
    let subject = subject(10);
    bencher.bench_local(|| take(&subject));
}

/// Three thousand changed files, every one of them named.
#[divan::bench(sample_count = 10)]
fn three_thousand_files(bencher: Bencher) {
    let subject = subject(3200);
    assert!(subject.names.len() > 3000);
    bencher.bench_local(|| take(&subject));
}

/// Three thousand changed files, five of them named: what a review usually asks for.
#[divan::bench]
fn five_of_three_thousand_files(bencher: Bencher) {
    let mut subject = subject(3200);
    subject.names = subject.names.into_iter().step_by(700).take(5).collect();
    bencher.bench_local(|| take(&subject));
}

/// A hundred thousand places looked up in one change, half of them outside its hunks.
#[divan::bench]
fn a_hundred_thousand_places(bencher: Bencher) {
    let subject = subject(400);
    let change = take(&subject);
    let names: Vec<&String> = subject.names.iter().collect();
    let mut dice = generate::Dice(3);
    let places: Vec<(&str, Side, u32)> = (0..100_000)
        .map(|_| {
            let side = *dice.pick(&[Side::Left, Side::Right]);
            (dice.pick(&names).as_str(), side, u32::try_from(dice.below(200)).unwrap())
        })
        .collect();
    bencher.bench_local(|| {
        let found = places.iter().filter(|(name, side, number)| {
            let delta = match side {
                Side::Left => change.by_old_path(name),
                Side::Right => change.by_new_path(name),
            };
            delta.is_some_and(|(_, delta)| delta.line(*side, *number).is_some())
        });
        black_box(found.count())
    });
}

//! Every place of a million, of histories nobody has seen before.
//!
//! `DAI_ORACLE_SEED=123 cargo test --test oracle random` repeats a run; the seed is printed.

use std::collections::BTreeSet;
use std::time::{SystemTime, UNIX_EPOCH};

use dai::change::Missing;

use crate::check::{self, Tally};
use crate::generate::{Dice, repository};
use crate::lab::{Lab, between, missing, open};

fn seed() -> u64 {
    let given = std::env::var("DAI_ORACLE_SEED").ok().map(|seed| seed.parse().unwrap());
    let seed = given.unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs());
    eprintln!("DAI_ORACLE_SEED={seed}");
    seed
}

#[test]
fn random_histories_agree_with_git_at_every_place() {
    let lab = Lab::new();
    let (work, ranges) = repository(&lab, "w", seed(), 8, 500);
    let repo = open(&work.path);
    let mut all = Tally::default();
    for (old, new) in &ranges {
        for threshold in [50, 30] {
            let tally = check::check(&repo, &between(old, new), threshold).unwrap();
            all.files += tally.files;
            all.places += tally.places;
            all.differences.extend(tally.differences);
        }
    }
    eprintln!("{} files, {} places", all.files, all.places);
    let shown: Vec<&String> = all.differences.iter().take(20).collect();
    assert!(shown.is_empty(), "{} differences, of them {shown:#?}", all.differences.len());
    assert!(all.places > 900_000, "only {} places were compared", all.places);
}

#[test]
fn random_paths_that_the_change_leaves_alone_are_told_apart_from_none() {
    let lab = Lab::new();
    let (work, ranges) = repository(&lab, "w", seed(), 2, 400);
    let repo = open(&work.path);
    for (old, new) in &ranges {
        let listed = |args: &[&str]| -> BTreeSet<Vec<u8>> {
            work.output(args).stdout.split(|b| *b == 0).filter(|name| !name.is_empty()).map(<[u8]>::to_vec).collect()
        };
        let changed = listed(&["diff-tree", "-r", "-z", "--name-only", "--no-renames", old.as_str(), new.as_str()]);
        let files = listed(&["ls-tree", "-r", "-z", "--name-only", new.as_str()]);
        let text = |name: &Vec<u8>| String::from_utf8(name.clone()).ok();
        let untouched: BTreeSet<String> = files.difference(&changed).filter_map(text).collect();
        assert!(!untouched.is_empty());
        let absent: BTreeSet<String> =
            untouched.iter().flat_map(|name| [format!("{name}x"), format!("{name}/x")]).collect();
        let (change, _) = repo.change(&between(old, new), &untouched, 50).unwrap();
        assert_eq!(change.deltas().len(), 0);
        // For a name that is in neither image, files with a near one are read as well.
        let (change, _) = repo.change(&between(old, new), &untouched.union(&absent).cloned().collect(), 50).unwrap();
        for name in &untouched {
            assert_eq!(missing(&change, name), Some(Missing::Untouched), "{name:?}");
        }
        for name in &absent {
            let told = missing(&change, name);
            assert!(matches!(told, Some(Missing::Absent | Missing::Near(_))), "{name:?}: {told:?}");
        }
    }
}

#[test]
fn a_huge_file_agrees_with_git_at_every_place() {
    let lab = Lab::new();
    let work = lab.init("w");
    let mut dice = Dice(seed());
    let mut content: Vec<String> = (0..300_000).map(|n| format!("{} of {n}", dice.below(50))).collect();
    let long = "x".repeat(2_000_000);
    work.write("huge", content.join("\n")).write("long", format!("a\n{long}\nb\n"));
    let old = work.commit("before");
    for _ in 0..3000 {
        let at = dice.below(content.len());
        match dice.below(3) {
            0 => drop(content.remove(at)),
            1 => content.insert(at, "inserted".to_owned()),
            _ => content[at].push('!'),
        }
    }
    work.write("huge", content.join("\n") + "\n").write("long", format!("a\n{long}y\nb\n"));
    let tally = check::check(&open(&work.path), &between(&old, &work.commit("after")), 50).unwrap();
    assert_eq!((tally.differences, tally.files), (Vec::new(), 2));
    assert!(tally.places > 20_000);
}

//! A review posted at one commit and again after each of the five that follow, by the built program.
//!
//! `DAI_HISTORY` names a repository whose own history is taken instead, from `DAI_HISTORY_TIP` (HEAD) back, in
//! `DAI_HISTORY_WINDOWS` pieces (20); the outcome is printed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::ground::{BOTH, Forge, Lab, NUMBER, PROJECT, Which, statuses};
use crate::support::diff::{FileDiff, LineKind, between};

const PUSHES: usize = 5;
/// So many commits lie between the base and the first head.
const BEFORE: usize = 3;

/// The base, the head that is reviewed, and those that follow.
struct Window {
    base: String,
    heads: Vec<String>,
}

fn text(lines: &[String]) -> String {
    lines.iter().fold(String::new(), |mut text, line| {
        let _ = writeln!(text, "{line}");
        text
    })
}

/// A history in which nearly every line has an equal one.
fn generated(lab: &Lab) -> Window {
    let words = ["}", "", "    return nil;", "    let x = 1;", "}"];
    let mut lines: Vec<String> = (0..40).map(|n| words[n * 7 % 5].to_owned()).collect();
    lab.work.switch("main").write("code.rs", text(&lines)).write("moved.rs", text(&lines[..25]));
    let base = lab.work.commit("base");
    lab.work.switch_new("work");
    for at in [5, 17, 30] {
        lines.splice(at..at, ["    return nil;".to_owned(), "}".to_owned()]);
    }
    lab.work.write("code.rs", text(&lines)).write("fresh.rs", text(&lines[..20]));
    lab.work.rename("moved.rs", "moved1.rs").write("moved1.rs", text(&lines[..22]));
    let mut heads = vec![lab.work.commit("change")];
    for push in 1..=PUSHES {
        // Equal lines above everything, one word of them each time, and both files renamed again.
        lines.insert(0, words[push % 5].to_owned());
        lines.insert(3, "    return nil;".to_owned());
        lab.work.write("code.rs", text(&lines));
        let (from, to) = (format!("moved{push}.rs"), format!("moved{}.rs", push + 1));
        lab.work.rename(from, to.as_str());
        let fresh = |push: usize| if push == 0 { "fresh.rs".to_owned() } else { format!("fresh{push}.rs") };
        lab.work.rename(fresh(push - 1), fresh(push));
        heads.push(lab.work.commit("push"));
    }
    Window { base, heads }
}

/// Pieces of a real history, the newest first.
fn real(lab: &Lab, repo: &str) -> Vec<Window> {
    let number = |name: &str, default: usize| std::env::var(name).map_or(default, |n| n.parse().expect("a number"));
    let tip = std::env::var("DAI_HISTORY_TIP").unwrap_or_else(|_| "HEAD".to_owned());
    lab.work.git(&["fetch", "--quiet", repo, &tip]);
    let listed = lab.work.git(&["rev-list", "--first-parent", "FETCH_HEAD"]);
    let commits: Vec<&str> = listed.lines().collect();
    let pieces = commits.chunks_exact(1 + BEFORE + PUSHES).take(number("DAI_HISTORY_WINDOWS", 20));
    let window = |piece: &[&str]| {
        let oldest: Vec<String> = piece.iter().rev().map(|id| (*id).to_owned()).collect();
        Window { base: oldest[0].clone(), heads: oldest[BEFORE..].to_vec() }
    };
    pieces.map(window).collect()
}

/// Every so many commentable lines a finding, two words between them.
fn findings(files: &[FileDiff]) -> Vec<Value> {
    let all: Vec<(String, &str, u32)> = files
        .iter()
        .filter(|file| file.has_text() && std::str::from_utf8(&file.new_path).is_ok())
        .flat_map(|file| {
            file.lines().map(|line| match line.kind {
                LineKind::Deleted => (file.new_path_text(), "LEFT", line.old),
                LineKind::Added | LineKind::Context => (file.new_path_text(), "RIGHT", line.new),
            })
        })
        .collect();
    let step = (all.len() / 20).max(1);
    let chosen = all.into_iter().step_by(step).take(20).enumerate();
    let finding = |(n, (path, side, line)): (usize, (String, &str, u32))| json!({"id": n.to_string(), "path": path, "side": side, "line": line, "severity": "low", "body": format!("Words {}.", n % 2)});
    chosen.map(finding).collect()
}

/// Posts at each head in turn, and gives how many comments were recognised.
fn ride(lab: &Lab, window: &Window) -> usize {
    let renames = if lab.which() == Which::GitHub { 50 } else { 30 };
    let upstream = match &lab.forge {
        Forge::GitHub(forge) => forge.upstream(PROJECT),
        Forge::GitLab(forge) => forge.upstream(PROJECT),
    };
    upstream.push(&lab.work, &[&format!("{}:refs/heads/main", window.base)]);
    if let Forge::GitHub(forge) = &lab.forge {
        forge.stage.pull(NUMBER, |pull| pull.base_sha.clone_from(&window.base));
    }
    let findings = findings(&between(lab.work.path(), &window.base, &window.heads[0], renames, &[]));
    let review = json!({"head": window.heads[0], "findings": findings});
    let (mut recognised, mut made) = (0, BTreeMap::<u64, usize>::new());
    lab.wipe();
    for head in &window.heads {
        lab.push(head);
        lab.write_review(&review);
        let before: Vec<u64> = lab.comments().iter().map(|c| c.id).collect();
        let answer = lab.dai(["--yes", "--trace"]).run().exits(0);
        let after: Vec<u64> = lab.comments().iter().map(|c| c.id).filter(|id| !before.contains(id)).collect();
        let report = answer.json();
        let told = |index: usize| report["findings"][index]["url"].as_str().map(str::to_owned);
        let id = |url: &str| url.rsplit(['r', '_']).next().and_then(|id| id.parse::<u64>().ok()).expect("an id");
        for (index, status) in statuses(&answer).iter().enumerate() {
            match status.as_str() {
                "posted" => {
                    let id = id(&told(index).expect("a URL"));
                    assert!(after.contains(&id) && made.insert(id, index).is_none(), "{head}: {index}\n{answer}");
                }
                "already_posted" => {
                    assert_eq!(made.get(&id(&told(index).expect("a URL"))), Some(&index), "{head}\n{answer}");
                    recognised += 1;
                }
                _ => {}
            }
        }
        assert_eq!(made.len(), lab.comments().len(), "{head}: each comment is told of\n{answer}");
        let mut of: Vec<usize> = made.values().copied().collect();
        of.sort_unstable();
        of.dedup();
        assert_eq!(of.len(), made.len(), "{head}: two comments of one finding\n{answer}");
    }
    recognised
}

#[test]
#[expect(clippy::print_stdout, reason = "what a real history came to is what it is run for")]
fn c52_a_review_posted_after_each_of_five_pushes_has_one_comment_for_each_finding() {
    for which in BOTH {
        let lab = Lab::new(which);
        if let Ok(repo) = std::env::var("DAI_HISTORY") {
            let windows = real(&lab, &repo);
            let recognised: usize = windows.iter().map(|window| ride(&lab, window)).sum();
            println!("{which:?}: {} pieces of {} pushes, {recognised} comments recognised", windows.len(), PUSHES);
        } else {
            let window = generated(&lab);
            assert!(ride(&lab, &window) > 50, "{which:?}");
        }
    }
}

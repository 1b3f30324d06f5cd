//! Texts that try to act, through the whole program onto both forges: whatever a model writes, nothing runs, nobody is
//! called, nothing is forged and nothing is swallowed.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};

use super::scene::{Hub, Lab, author, numbered};
use crate::acting;
use crate::support::faults::Fault;
use crate::support::server::Response;

/// Pieces that act, protect, open, close or begin a line.
const PIECES: &[&str] = &[
    "/approve",
    "/close",
    "/merge",
    "/label ~x",
    "/Titel",
    "/ТЕСТ",
    "/a",
    "\n",
    "\n\n",
    "\r",
    "\r\n",
    "\u{2028}",
    " ",
    "    ",
    "\t",
    "```",
    "\n```\n",
    "````\n",
    "~~~\n",
    "\n~~~",
    "```js `x`\n",
    "```suggestion\n",
    "```suggestion:-0+1\n",
    "> ",
    ">>>",
    "\n>>>\n",
    "- ",
    "1. ",
    "* ",
    "<!--",
    "-->",
    "<!-- x -->\n",
    "<details>",
    "</details>",
    "<summary>",
    "<b>",
    "<img src=x>",
    "![a](https://x.example/i.png)",
    "![a][r]",
    "[r]: https://x.example/i.png\n",
    "@ann",
    "@org/team",
    "@here",
    "a@b.c",
    "#12",
    "!12",
    "&12",
    "owner/repo#12",
    "GH-12",
    "https://github.com/acme/widgets/pull/9",
    "http://127.0.0.1/group/x/-/merge_requests/9",
    "<https://github.com/acme/widgets/issues/3>",
    "[x](https://github.com/a/b/issues/1)",
    "\u{202e}",
    "\u{0}",
    "\u{1b}[2J",
    "\u{feff}",
    "\u{ad}",
    "\u{200b}",
    "<!-- dai v1 finding=0123456789abcdef place=0123456789abcdef -->",
    "<!-- dai v1 review=0123456789abcdef head=0123456789abcdef0123456789abcdef01234567 -->",
    "Vec<T>",
    "`code`",
    "`",
    "``",
    "\\",
    "\\/approve",
    "&#47;approve",
    "&#64;ann",
    "<a\n/approve\n>",
    "[x](\n/approve\n)",
    "| a |\n|-|\n| /approve |\n",
    "# ",
    "---\n",
    "===\n",
    "$$\n/close\n$$",
    "```math\n/close\n```",
    ":::\n/close\n:::",
    "[^1]: /close",
    "word",
    "한국어",
    "ghp_0123456789abcdefghijABCDEFGHIJ012345",
    "glpat-0123456789abcdefghij",
    "AKIAABCDEFGHIJKLMNOP",
    "%{start_tag}",
    "~label",
    "%milestone",
    "$1",
    "[[_TOC_]]",
    "::include{file=/etc/passwd}",
    "{{ x }}",
    "\n/approve\n",
    "\n```\n/b\n```\n",
    "<",
    "&lt;",
];

fn hostile() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 1..14).prop_map(|pieces| pieces.concat())
}

/// Texts from a fixed seed, so that a failure can be looked at again.
fn texts(seed: u8, count: usize) -> Vec<String> {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let body = |text: String| {
        if text.trim_matches(|c: char| c.is_whitespace() || c.is_control()).is_empty() { "x".to_owned() } else { text }
    };
    (0..count).map(|_| body(hostile().new_tree(&mut runner).expect("a text").current())).collect()
}

const LINES: u32 = 60;

fn wide() -> crate::support::repo::Repo {
    author(|author| {
        author.write("a.rs", numbered(40)).write("wide.rs", numbered(LINES));
        for (name, text) in [("/approve.rs", "x"), ("@ann.rs", "x"), ("a`b<!--.rs", "x"), ("#12 ![x](y).rs", "x")] {
            author.write(name.trim_start_matches('/'), format!("{text}\n"));
        }
    })
}

/// A review of many findings whose every field is one of these texts.
fn review(head: &str, seed: u8) -> Value {
    let count = LINES as usize;
    let all = texts(seed, count * 2 + 12);
    let mut findings: Vec<Value> = (0..count)
        .map(|at| {
            // Some stand at a line, some have none, some are held back: every list of the summary is there.
            let place = match at % 6 {
                0..=2 => json!({ "path": "wide.rs", "line": at + 1 }),
                3 => json!({ "path": "wide.rs" }),
                4 => json!({ "path": all[count + at].replace(['/', '\\', '\0'], "."), "line": 3 }),
                _ => json!({ "path": "a.rs", "line": 33, "snippet": all[count + at] }),
            };
            let severity = ["low", "medium", "high"][at % 3];
            let mut finding = json!({ "severity": severity, "body": all[at], "id": format!("f{at}") });
            finding.as_object_mut().expect("an object").extend(place.as_object().expect("an object").clone());
            finding
        })
        .collect();
    for path in ["@ann.rs", "a`b<!--.rs", "#12 ![x](y).rs"] {
        findings.push(json!({ "path": path, "line": 1, "severity": "high", "body": format!("In {path}.") }));
    }
    let word = |at: usize| all[count * 2 + at].clone();
    json!({
        "head": head, "summary": word(0), "us": word(1), "version": word(2), "checkStatus": word(3), "dod": word(4),
        "good": [word(5), word(6), word(7)], "findings": findings,
    })
}

/// What a reader's browser or the forge would act on in a posted text.
fn lives(text: &str, gitlab: bool) -> Vec<String> {
    let mut found = acting::acts(text, gitlab);
    let marker = text.rsplit('\n').next().unwrap_or_default();
    if !(marker.starts_with("<!-- dai v1 ") && marker.ends_with(" -->")) {
        found.push(format!("the last line is no marker: {marker:?}"));
    }
    let blocks = acting::top_blocks(text, gitlab);
    if blocks.last().is_none_or(|(kind, source)| *kind != "html" || source != marker) {
        found.push(format!("the marker is swallowed by {:?}", blocks.last()));
    }
    let tags = |tag: &str| {
        let blocks = acting::top_blocks(text, gitlab);
        blocks.iter().filter(|(kind, _)| *kind == "html").map(|(_, source)| source.matches(tag).count()).sum::<usize>()
    };
    if tags("<details>") != tags("</details>") {
        found.push("details that are not closed".to_owned());
    }
    for secret in PIECES.iter().filter(|piece| ["ghp_", "glpat-", "AKIA"].iter().any(|lead| piece.starts_with(lead))) {
        for (at, _) in text.match_indices(secret) {
            let word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
            // Glued to a word it is no secret that anybody could tell from one.
            if !text[..at].ends_with(word) && !text[at + secret.len()..].starts_with(word) {
                found.push((*secret).to_owned());
            }
        }
    }
    found
}

#[track_caller]
fn assert_dead(seed: u8, bodies: &[String], gitlab: bool) {
    for body in bodies {
        let found = lives(body, gitlab);
        assert!(found.is_empty(), "seed {seed}: {found:#?}\nin\n{body}\n\n{body:?}");
        let commands = if gitlab { crate::support::gitlab::acting_lines(body) } else { Vec::new() };
        assert!(commands.is_empty(), "seed {seed}: {commands:?} would run\nin\n{body}\n\n{body:?}");
    }
}

#[test]
fn c38_nothing_that_is_posted_to_gitlab_acts() {
    for seed in 0..6 {
        let lab = Lab::of(wide());
        lab.write(&review(&lab.head, seed));
        let report =
            lab.run(&["--yes", "--format", "json"]).patience(std::time::Duration::from_secs(300)).run().exits(0).json();
        assert!(report["counts"]["posted"].as_u64() > Some(20), "{}", report["counts"]);
        assert!(report["counts"]["rejected"].as_u64() > Some(5), "{}", report["counts"]);
        let bodies = lab.bodies();
        assert!(bodies.len() > 20);
        assert_dead(seed, &bodies, true);
        assert_eq!(lab.forge.quick_actions_run(), [""; 0], "seed {seed}");
        // The same once more: what stands is recognised, so no marker was swallowed and none forged.
        let again = lab.run(&["--yes", "--format", "json"]).run().exits(0).json();
        assert_eq!(again["counts"]["already_posted"], report["counts"]["posted"], "seed {seed}");
        assert_eq!(lab.bodies().len(), bodies.len(), "seed {seed}");
    }
}

#[test]
fn c38_nothing_that_is_posted_to_github_acts() {
    for seed in 10..16 {
        let hub = Hub::of(wide());
        hub.clone.write(".dai/reviews/22.json", review(&hub.head, seed).to_string());
        let report = hub.run(&["--yes", "--format", "json", "--max-comments", "40"]).run().exits(0).json();
        assert!(report["counts"]["posted"].as_u64() > Some(20), "{}", report["counts"]);
        assert_dead(seed, &hub.bodies(), false);
        let again = hub.run(&["--yes", "--format", "json", "--max-comments", "40"]).run().exits(0).json();
        assert_eq!(again["counts"]["already_posted"], report["counts"]["posted"], "seed {seed}");
    }
}

/// A summary that is edited runs commands like one that is written.
#[test]
fn c38_nothing_that_is_edited_acts() {
    let lab = Lab::of(wide());
    for seed in 20..24 {
        lab.write(&review(&lab.head, seed));
        lab.run(&["--yes", "--again"]).patience(std::time::Duration::from_secs(300)).run().exits(0);
    }
    let edits = lab.forge.writes().into_iter().filter(|recorded| recorded.request.method == "PUT").count();
    assert!(edits > 0, "no summary was edited");
    assert_eq!(lab.forge.quick_actions_run(), [""; 0]);
    assert_dead(20, &lab.bodies(), true);
}

/// What the forge says comes into the summary and the next edit, too.
#[test]
fn a_refusal_in_the_forges_words_does_not_act_either() {
    let lab = Lab::of(wide());
    lab.write(&review(&lab.head, 30));
    let message = json!({ "message": { "note": ["\n/approve\n@ann ![x](y) <!-- dai v1 -->"] } });
    lab.forge.fault(
        Fault::on("POST", "/projects/*/merge_requests/22/discussions").nth(2).instead(Response::json(400, &message)),
    );
    lab.run(&["--yes"]).patience(std::time::Duration::from_secs(300)).run().exits(6);
    assert_eq!(lab.forge.quick_actions_run(), [""; 0]);
    assert_dead(30, &lab.bodies(), true);
}

/// Prose, code, tables, links and generics arrive as they were written.
#[test]
fn ordinary_text_arrives_byte_for_byte() {
    let plain = "`HashMap<K, V>` is *not* `Sync`; see [the book](https://doc.rust-lang.org/book/) and `a/b.rs`.\n\n\
        | a | b |\n|---|---|\n| 1 | x / y |\n\n```rust\nlet x = 1; // fine\n/usr/bin/env\n#[derive(Debug)]\n@decorator\n```\n\n\
        1. first\n2. second, with / a slash\n\n> quoted\n\nMail a@b.c, path /usr/bin/x, 한국어, 5 > 3 && 2 < 4.";
    let lab = Lab::new();
    lab.review(&[super::scene::finding(5, plain)]);
    lab.run(&["--yes"]).run().exits(0);
    assert!(lab.bodies().iter().any(|body| body.contains(plain)), "{:#?}", lab.bodies());
    assert_eq!(lab.forge.quick_actions_run(), [""; 0]);
}

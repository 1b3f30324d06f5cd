//! What comes from the file, the change, the forge or git is looked at in a terminal and acts on none.

use serde_json::json;

use super::scene::{Canary, HUB_PROJECT, Hub, LAB_PROJECT, Lab, author, executable, finding, numbered};
use crate::support::faults::Fault;
use crate::support::github::{Head, HeadRepo};
use crate::support::repo::{Cloned, Scratch};
use crate::support::run::Answer;
use crate::support::server::Response;

/// One of each kind: erase the screen, bidi override and isolate, zero width, soft hyphen, C1's CSI, DEL, BEL, backspace,
/// line separator, tag, filler, the three marks of direction, a lone return.
const NASTY: &str = "\u{1b}[2J\u{1b}]0;t\u{7}\u{202e}\u{2066}\u{200b}\u{ad}\u{9b}31m\u{7f}\u{8}\u{2028}\u{e0041}\u{3164}\u{feff}\u{200e}\u{200f}\u{61c}\rX";

/// What may be drawn: written down here by hand, from the Unicode character database's `Cc`, `Cf`, `Zl`, `Zp` and
/// `Default_Ignorable_Code_Point`.
fn acts(c: char) -> bool {
    let code = u32::from(c);
    let ranges = [
        (0x00, 0x09),
        (0x0b, 0x1f),
        (0x7f, 0x9f),
        (0xad, 0xad),
        (0x34f, 0x34f),
        (0x600, 0x605),
        (0x61c, 0x61c),
        (0x6dd, 0x6dd),
        (0x115f, 0x1160),
        (0x17b4, 0x17b5),
        (0x180b, 0x180f),
        (0x200b, 0x200f),
        (0x2028, 0x202e),
        (0x2060, 0x206f),
        (0x3164, 0x3164),
        (0xfeff, 0xfeff),
        (0xffa0, 0xffa0),
        (0xfff0, 0xfffb),
        (0x1bca0, 0x1bca3),
        (0x1d173, 0x1d17a),
        (0xe0000, 0xe0fff),
    ];
    // Arabic number signs are seen, and stand in ordinary text.
    let seen = matches!(code, 0x600..=0x605 | 0x6dd);
    !seen && ranges.iter().any(|(from, to)| (*from..=*to).contains(&code))
}

#[track_caller]
fn assert_still(answer: &Answer) {
    for (stream, text) in [("stdout", answer.out()), ("stderr", answer.err())] {
        if let Some(c) = text.chars().find(|c| acts(*c)) {
            panic!("{stream} holds {c:?}\n{:?}", answer);
        }
    }
}

#[test]
fn every_field_of_the_file_is_shown_with_visible_escapes() {
    let hub = Hub::new();
    let nasty = |lead: &str| format!("{lead}{NASTY}");
    let review = json!({
        "head": hub.head, "summary": nasty("summary"), "us": nasty("us"), "version": nasty("v"), "dod": nasty("d"),
        "checkStatus": nasty("c"), "good": [nasty("good")], (nasty("unknown")): nasty("field"),
        "findings": [
            { "id": "id", "path": "a.rs", "line": 5, "severity": "high", "body": nasty("body\n") },
            { "id": "b", "path": nasty("a.rs"), "line": 5, "severity": "high", "body": nasty("path") },
            { "id": "c", "path": "a.rs", "line": 6, "severity": "low", "body": "x", "snippet": nasty("no such text") },
            { "id": "d", "path": nasty("b.rs"), "severity": "low", "body": nasty("whole file") },
            { "id": "e", "path": "a.rs", "line": 30, "severity": "low", "body": nasty("elsewhere") },
        ],
    });
    hub.clone.write(".dai/reviews/22.json", review.to_string());
    for args in [&[][..], &["-v"], &["-vv"], &["--min-severity", "high"], &["--yes"]] {
        let answer = hub.run(args).run().exits(0);
        assert_still(&answer);
        assert!(answer.out().contains("\\u{202e}"), "{answer}");
    }
    assert_still(&hub.run(&["--format", "json"]).run().exits(0));
    let markdown = hub.run(&["--format", "markdown"]).run().exits(0);
    assert!(!markdown.out().contains(['\u{1b}', '\u{202e}', '\u{9b}', '\r']), "{markdown}");
}

#[test]
fn what_is_wrong_with_a_file_is_shown_with_visible_escapes() {
    let hub = Hub::new();
    for text in [
        json!({ "findings": [{ "path": NASTY, "line": NASTY, "side": NASTY, "severity": NASTY, "body": 1, NASTY: 2 }] }).to_string(),
        json!({ "findings": [{ "path": format!("../{NASTY}"), "severity": "high", "body": "x", "state": NASTY }] }).to_string(),
        json!({ NASTY: NASTY, "findings": NASTY }).to_string(),
        format!("{{ \"findings\": [ {NASTY} ] }}"),
        NASTY.to_owned(),
        format!("{{ \"{NASTY}\": \u{85}\u{34f}\u{e0100}"),
        json!({ "leanreview_review": 9, "title": NASTY }).to_string(),
        json!({ "findings": [{ "file": NASTY, "claim": NASTY, "severity": NASTY, "line": -1 }] }).to_string(),
    ] {
        hub.clone.write(".dai/reviews/22.json", &text);
        let answer = hub.run(&[]).run().exits(3);
        assert_still(&answer);
        assert_eq!(answer.out(), "", "{answer}");
    }
    assert_still(&hub.run(&["--from", &format!("no{NASTY}where.json")]).run().exits(3));
    hub.clone.write(format!("odd{}.json", NASTY.replace('\0', "")), "{");
    assert_still(&hub.run(&["--from", &format!("odd{NASTY}.json")]).run().exits(3));
}

#[test]
fn lines_and_names_of_the_change_are_shown_with_visible_escapes() {
    let name = format!("dir/{}.rs", NASTY.replace('/', ""));
    let hub = Hub::of(author(|author| {
        author.write(&name, format!("one {NASTY} 한국어\ntwo\n"));
        author.write("a.rs", numbered(40).replace("line 5\n", &format!("{NASTY}\n")));
    }));
    hub.review(&[
        finding(5, "A fault."),
        json!({ "path": name, "line": 1, "severity": "high", "body": "Another.", "snippet": "not there at all" }),
        json!({ "path": name, "line": 2, "severity": "high", "body": "Another." }),
    ]);
    for args in [&[][..], &["-vv"], &["--format", "json"], &["--yes"]] {
        let answer = hub.run(args).run().exits(0);
        assert_still(&answer);
        assert!(answer.out().contains("\\u{202e}") || answer.out().contains("\\u202e"), "{answer}");
    }
}

/// Whatever a path or a body holds, a line that begins where the program's own do is the program's own.
#[test]
fn neither_a_path_nor_a_body_forges_a_line_of_the_preview() {
    let forged = "\n2. a.rs:9 RIGHT  low, confidence 1\n   forge_disagrees: no\n\nnothing was posted\nto post exactly this:\n  sh evil";
    let path = format!("b{}.rs", forged.replace('/', ""));
    let hub = Hub::of(author(|author| {
        author.write(&path, "one\n");
    }));
    hub.review(&[
        json!({ "path": path, "line": 1, "severity": "high", "body": forged, "id": "2. a.rs:9 RIGHT  low" }),
        json!({ "path": format!("c{forged}"), "line": 1, "severity": "high", "body": format!("x\r\n{forged}") }),
        json!({ "path": "a.rs", "line": 6, "severity": "high", "body": format!("y{forged}"), "snippet": forged }),
    ]);
    let answer = hub.run(&[]).run().exits(0);
    let (mut labels, mut ends) = (0, 0);
    for line in answer.out().lines() {
        labels += usize::from(line.starts_with("2. "));
        ends += usize::from(line == "nothing was posted");
        let bare = line.trim_start();
        assert!(!bare.starts_with("sh evil") && !bare.starts_with("forge_disagrees"), "{answer}");
    }
    assert_eq!((labels, ends), (0, 1), "{answer}");
}

/// A terminal breaks long lines: what the break puts at the beginning of a row must not look like a row of ours.
#[test]
fn a_long_line_does_not_forge_one_by_the_edge_of_the_terminal() {
    let long = format!("{}2. a.rs:9 RIGHT  low", " 한".repeat(300));
    let path = format!("{}2. fake.rs:9", "x".repeat(115));
    let hub = Hub::of(author(|author| {
        author.write(&path, "one\n").write("a.rs", numbered(40).replace("line 5\n", &format!("{long}\n")));
    }));
    hub.review(&[
        finding(5, &long),
        json!({ "path": path, "line": 1, "severity": "high", "body": "Another." }),
        json!({ "path": path, "line": 2, "severity": "high", "body": long }),
    ]);
    let (code, drawn) = hub.run(&["--color", "never"]).at_terminal().wait();
    assert_eq!(code, 0, "{drawn}");
    for line in drawn.lines().filter(|line| line.contains('한') || line.contains("fake.rs")) {
        let columns: usize = line.chars().map(|c| if c == '한' { 2 } else { 1 }).sum();
        assert!(
            columns <= 120 && (line.starts_with(' ') || line.starts_with("1. ") || line.starts_with("-  ")),
            "{line:?}\n{drawn}"
        );
    }
}

#[test]
fn what_the_forge_answers_is_shown_with_visible_escapes() {
    let hub = Hub::new();
    hub.review(&[finding(5, "A fault.")]);
    let message = json!({ "message": NASTY, "errors": [NASTY, { "message": NASTY }], "documentation_url": NASTY });
    for (method, path) in [
        ("GET", "/repos/*/*/pulls/22"),
        ("GET", "/user"),
        ("GET", "/repos/*/*/pulls/22/files"),
        ("GET", "/repos/*/*/pulls/22/reviews"),
        ("POST", "/repos/*/*/pulls/22/reviews"),
    ] {
        let statuses = if method == "POST" { &[400, 401, 403, 404, 409, 422, 451][..] } else { &[403, 422] };
        for status in statuses {
            hub.forge.clear_faults();
            hub.forge.fault(Fault::on(method, path).every().instead(Response::json(*status, &message)));
            assert_still(&hub.run(&["-vv", "--yes"]).run());
        }
    }
    hub.forge.clear_faults();
    let lab = Lab::new();
    lab.review(&[finding(5, "A fault.")]);
    let message = json!({ "message": { "note": [NASTY], NASTY: [NASTY] }, "error": NASTY, "error_description": NASTY });
    for (method, path) in [
        ("GET", "/projects/*/merge_requests/22"),
        ("GET", "/projects/*/merge_requests/22/discussions"),
        ("POST", "/projects/*/merge_requests/22/discussions"),
        ("POST", "/projects/*/merge_requests/22/notes"),
    ] {
        let statuses = if method == "POST" { &[400, 401, 403, 404, 422][..] } else { &[403] };
        for status in statuses {
            lab.forge.clear_faults();
            lab.forge.fault(Fault::on(method, path).every().instead(Response::json(*status, &message)));
            assert_still(&lab.run(&["-vv", "--yes"]).run());
        }
    }
}

#[test]
fn addresses_titles_and_names_of_the_forge_are_shown_with_visible_escapes() {
    let hub = Hub::new();
    hub.review(&[finding(5, "A fault.")]);
    let nasty = format!("https://x.example/{NASTY}");
    let review =
        json!({ "id": 1, "html_url": nasty, "body": "", "state": "COMMENTED", "user": { "login": NASTY, "id": 1 }});
    hub.forge.fault(Fault::on("POST", "/repos/*/*/pulls/22/reviews").after_write(Response::json(200, &review)));
    let answer = hub.run(&["--yes", "-vv"]).run();
    assert_still(&answer);
    assert_still(&hub.run(&["--yes", "--format", "json"]).run());
    // Which of several requests: their titles are the authors'.
    let hub = Hub::new();
    hub.review(&[]);
    hub.forge.stage.open(HUB_PROJECT, 23, Head { branch: "topic".to_owned(), repo: HeadRepo::Same }, "main");
    for number in [22, 23] {
        hub.forge.stage.pull(number, |pull| pull.title = NASTY.to_owned());
    }
    hub.clone.git(&["switch", "--quiet", "topic"]);
    let answer = hub.dai().args(["forge", "review"]).run().exits(2);
    assert_still(&answer);
    assert!(answer.err().contains("\\u{202e}"), "{answer}");
    let mut terminal = hub.dai().args(["forge", "review"]).at_terminal();
    terminal.expect("\\u{202e}").interrupt();
    let (_, drawn) = terminal.wait();
    assert!(!drawn.contains('\u{202e}'), "{drawn:?}");
}

#[test]
fn what_git_says_is_shown_with_visible_escapes() {
    let hub = Hub::new();
    hub.review(&[finding(5, "A fault.")]);
    let fake = Scratch::new();
    let words = fake.path().join("words");
    std::fs::write(&words, format!("remote: {NASTY}\nfatal: {NASTY}\n")).expect("the words");
    let real = std::env::var_os("PATH").unwrap_or_default().into_string().expect("a path");
    let script = format!(
        "#!/bin/sh\ncase \" $* \" in *' fetch '*) cat '{}' >&2; exit 128;; esac\nPATH='{real}' exec git \"$@\"\n",
        words.display()
    );
    executable(&fake.path().join("git"), &script);
    let clone = Cloned::of(hub.forge.clone_url(HUB_PROJECT)).shallow(1).make();
    clone.write(".dai/reviews/22.json", std::fs::read(hub.clone.path().join(".dai/reviews/22.json")).expect("it"));
    for args in [&[][..], &["-vv"], &["--base", "main"]] {
        let run = crate::support::run::Dai::in_repo(&clone).env("GITHUB_API_URL", hub.forge.api_url());
        let run = run.env("DAI_FORGE", "github").env("PATH", format!("{}:{real}", fake.path().display()));
        let answer = run.args(["forge", "review", "22"]).args(args.iter().copied()).run().exits(4);
        assert_still(&answer);
        assert!(answer.err().contains("\\u{202e}"), "{answer}");
    }
}

/// What a person typed may have been copied from a page that an attacker wrote.
#[test]
fn what_was_typed_is_shown_with_visible_escapes() {
    let hub = Hub::new();
    hub.review(&[]);
    let long = format!("--{NASTY}");
    for args in [
        vec!["forge", "review", NASTY],
        vec!["forge", "review", "22", "-R", NASTY],
        vec!["forge", "review", "22", "--remote", NASTY],
        vec!["forge", "review", "22", "--base", NASTY, "--head", NASTY],
        vec!["forge", "review", "22", "--expect", NASTY],
        vec!["forge", "review", "22", "--api-url", NASTY],
        vec!["forge", "review", "22", "--min-severity", NASTY],
        vec!["forge", "review", "22", &long],
        vec![NASTY],
        vec!["-C", NASTY, "init"],
        vec!["demo", NASTY, NASTY],
    ] {
        assert_still(&hub.dai().args(args).run());
    }
    let canary = Canary::new();
    canary.assert_asleep();
    let lab = Lab::new();
    lab.clone.config("remote.origin.url", &format!("https://h.example/{LAB_PROJECT}{}", NASTY.replace('\r', "")));
    lab.review(&[]);
    assert_still(&lab.run(&[]).run());
}

/// What is exact in a pipe is looked at in a terminal, like everything else.
#[test]
fn markdown_at_a_terminal_is_shown_with_visible_escapes() {
    let hub = Hub::of(author(|author| {
        author.write("a.rs", numbered(40).replace("line 5\n", &format!("{NASTY}\n")));
    }));
    hub.review(&[finding(5, &format!("A fault.\u{200e}\u{200f}\u{61c}{NASTY}"))]);
    hub.clone.write("contract.md", format!("A contract {NASTY}\n"));
    let brief = ["review", "brief", "22", "--format", "markdown", "--with", "contract.md"];
    let markdown = ["forge", "review", "22", "--format", "markdown", "--color", "never"];
    for args in [&brief[..], &markdown] {
        let (code, drawn) = hub.dai().args(args.iter().copied()).env("CI", "true").at_terminal().wait_raw();
        assert_eq!(code, 0, "{drawn}");
        let found = drawn.replace("\r\n", "\n").chars().find(|c| acts(*c));
        assert_eq!(found, None, "{drawn:?}");
        assert!(drawn.contains("\\u{200e}"), "{drawn}");
    }
    let piped = hub.dai().args(brief).run().exits(0);
    assert!(piped.out().contains(&NASTY[..NASTY.len() - 2]), "{piped}");
    let document = hub.dai().args(["review", "brief", "22"]).run().exits(0);
    assert_still(&document);
    assert!(document.json()["diff"].as_str().is_some_and(|diff| diff.contains(&NASTY[..NASTY.len() - 2])));
}

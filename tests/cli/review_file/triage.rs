//! `dai review triage`, at a pseudo-terminal.

use std::fs;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::local::Local;
use crate::support::repo::Repo;
use crate::support::run::{Dai, Normal, Terminal};

const FILE: &str = "review.json";

/// Two hunks of `a.rs`, and a review whose layout a rewriting would lose.
const REVIEW: &str = r#"{ "findings": [
    {"path": "a.rs",  "line": 5, "severity": "high", "confidence": 0.90, "body": "The first.", "snippet": "line five"},
    {"path": "a.rs", "line": 9, "body": "The second.", "severity": "low",
     "snippet": "line five and a half"},
    {"path": "a.rs", "line": 500, "severity": "medium", "body": "The third."}
] }
"#;

fn triage(repo: &Repo, args: &[&str]) -> Terminal {
    dai(repo).args(["review", "triage", FILE]).args(args.iter().copied()).at_terminal()
}

fn dai(repo: &Repo) -> Dai {
    // An editor that writes what the test wants, and leaves beside it what it was given.
    repo.write("editor.sh", "cp \"$2\" \"$1.was\"\ncp \"$1\" \"$2\"\n");
    Dai::in_repo(repo).env("EDITOR", format!("sh {0}/editor.sh {0}/new.md", repo.path().display()))
}

fn read(repo: &Repo) -> String {
    fs::read_to_string(repo.path().join(FILE)).expect("the file stands")
}

const CHANGE: [&str; 4] = ["--base", "main", "--head", "topic"];

#[test]
fn each_answer_is_saved_at_once_and_changes_only_its_own_bytes() {
    let change = Local::two_hunks();
    let repo = &change.repo;
    repo.write(FILE, REVIEW).write("new.md", "Another text,\nof two lines.\n");
    let mut terminal = triage(repo, &CHANGE);
    terminal.expect("1 of 3").expect("> 5 + line five").expect("The first.").expect("becomes of it:");
    terminal.line("s").expect("as it is").line("m").expect("saved").expect("1 of 3").expect("medium");
    let mut expected = REVIEW.replacen("high", "medium", 1);
    assert_eq!(read(repo), expected);
    terminal.line("e").expect("saved").expect("of two lines.");
    expected = expected.replace("The first.", "Another text,\\nof two lines.");
    assert_eq!(read(repo), expected);
    assert_eq!(fs::read_to_string(repo.path().join("new.md.was")).unwrap(), "The first.\n");
    terminal.expect("becomes of it:").line("keep");
    terminal
        .expect("2 of 3")
        .expect("does not hold:")
        .expect("proposed: a.rs:6 RIGHT")
        .expect("> 6 + line five and a half");
    terminal.expect("[a]ccept").expect("becomes of it:").line("a").expect("saved").expect("2 of 3").expect("> 6 +");
    expected = expected.replace("\"line\": 9", "\"line\": 6");
    assert_eq!(read(repo), expected);
    terminal
        .expect("becomes of it:")
        .line("k")
        .expect("3 of 3")
        .expect("does not hold:")
        .expect("becomes of it:")
        .line("d")
        .expect("saved");
    expected = expected.replace("\"The third.\"}", "\"The third.\", \"state\": \"dismissed\"}");
    assert_eq!(read(repo), expected);
    let (code, drawn) = terminal.wait();
    assert_eq!(code, 0, "{drawn}");
    assert!(drawn.contains("review.json: 2 kept, 1 dismissed, 3 changes"), "{drawn}");
}

#[test]
fn what_is_drawn() {
    let change = Local::two_hunks();
    change.repo.write(FILE, REVIEW);
    let mut terminal = triage(&change.repo, &CHANGE);
    terminal.expect("becomes of it:").line("k").expect("2 of 3").expect("becomes of it:").line("quit");
    let (code, drawn) = terminal.wait();
    assert_eq!(code, 0);
    assert_eq!(read(&change.repo), REVIEW, "keeping and quitting write nothing");
    assert_snapshot!("questions", drawn);
}

#[test]
fn an_answer_that_is_none_is_asked_again_and_a_dismissed_finding_is_not_asked_about() {
    let change = Local::two_hunks();
    let review = REVIEW.replace("\"The first.\"", "\"The first.\", \"state\": \"dismissed\"");
    change.repo.write(FILE, &review);
    let mut terminal = triage(&change.repo, &[]);
    terminal.expect("no change is here").expect("2 of 3").expect("becomes of it:");
    // Nothing is proposed where there is no code.
    terminal.line("a").expect("answer with one of: keep, dismiss, severity, edit, quit");
    terminal.send("\u{8}").line("s").expect("as it is").line("").expect("2 of 3").expect("becomes of it:").line("q");
    let (code, drawn) = terminal.wait();
    assert_eq!(code, 0, "{drawn}");
    assert!(drawn.contains("1 dismissed before") && !drawn.contains("1 of 3"), "{drawn}");
    assert_eq!(read(&change.repo), review);
}

#[test]
fn what_a_review_holds_cannot_act_on_the_terminal_and_a_long_text_is_cut() {
    let change = Local::two_hunks();
    let body = format!("\u{1b}[2J\u{202e}evil\n{}\n{}", "x".repeat(600), "more\n".repeat(40));
    let id = "\u{9b}31m\u{200b}";
    let finding = json!({ "path": "a\u{1b}]0;x\u{7}", "severity": "low", "body": body, "snippet": id });
    change.repo.write(FILE, json!({ "findings": [finding] }).to_string());
    let mut terminal = triage(&change.repo, &CHANGE);
    terminal
        .expect("\\u{1b}]0;x\\u{7} (as a whole)")
        .expect("\\u{1b}[2J\\u{202e}evil")
        .expect("xxx…")
        .expect("… 18 more lines");
    terminal.expect("becomes of it:").line("q");
    assert_eq!(terminal.wait().0, 0);
}

#[test]
fn ctrl_c_ends_it_and_what_was_answered_stays() {
    let change = Local::two_hunks();
    change.repo.write(FILE, REVIEW);
    let mut terminal = triage(&change.repo, &CHANGE);
    terminal.expect("becomes of it:").line("d").expect("2 of 3").expect("becomes of it:").interrupt();
    let (code, drawn) = terminal.wait();
    assert_eq!(code, 130, "{drawn}");
    assert_eq!(read(&change.repo).matches("dismissed").count(), 1);
}

#[test]
fn an_editor_that_fails_or_changes_nothing_leaves_the_text() {
    let change = Local::two_hunks();
    let repo = &change.repo;
    repo.write(FILE, REVIEW);
    for (editor, said) in
        [("false", "the editor failed"), ("true", "the text is as it was"), ("no-such-editor", "the editor failed")]
    {
        let run = dai(repo).env("VISUAL", editor).args(["review", "triage", FILE]);
        let mut terminal = run.at_terminal();
        terminal.expect("becomes of it:").line("e").expect(said).expect("becomes of it:").line("q");
        assert_eq!(terminal.wait().0, 0);
        assert_eq!(read(repo), REVIEW);
    }
    // What would make the file invalid is told and not saved.
    repo.write("new.md", "x".repeat(60_001));
    let mut terminal = triage(repo, &[]);
    terminal
        .expect("becomes of it:")
        .line("e")
        .expect("60000 are allowed")
        .expect("not saved")
        .expect("1 of 3")
        .expect("becomes of it:")
        .line("q");
    assert_eq!(terminal.wait().0, 0);
    assert_eq!(read(repo), REVIEW);
}

#[test]
fn an_editor_sees_no_token() {
    let change = Local::two_hunks();
    change.repo.write(FILE, REVIEW);
    let run = dai(&change.repo).env("GH_TOKEN", "ghp_secret").env("VISUAL", "env > seen; true");
    let mut terminal = run.args(["review", "triage", FILE]).at_terminal();
    terminal.expect("becomes of it:").line("e").expect("as it was").expect("becomes of it:").line("q");
    assert_eq!(terminal.wait().0, 0);
    let seen = fs::read_to_string(change.repo.path().join("seen")).expect("it ran in the folder");
    assert!(seen.contains("VISUAL=") && !seen.contains("ghp_secret"), "{seen}");
}

#[test]
fn a_file_that_somebody_else_writes_meanwhile_is_not_overwritten() {
    let change = Local::two_hunks();
    change.repo.write(FILE, REVIEW);
    let mut terminal = triage(&change.repo, &CHANGE);
    terminal.expect("becomes of it:");
    let theirs = REVIEW.replace("The first.", "Theirs.");
    change.repo.write(FILE, &theirs);
    terminal.line("d");
    let (code, drawn) = terminal.wait();
    assert_eq!(code, 3, "{drawn}");
    assert!(drawn.contains("was changed meanwhile"), "{drawn}");
    assert_eq!(read(&change.repo), theirs);
}

#[test]
fn orchestras_format_is_offered_what_it_can_hold_and_told_how_to_dismiss() {
    let change = Local::two_hunks();
    let repo = &change.repo;
    let review = json!({ "findings": [
        { "id": "f1", "severity": "blocker", "file": "a.rs", "line": 5, "claim": "A claim.", "evidence": "Evidence." }
    ]});
    repo.write(FILE, review.to_string()).write("new.md", "é".repeat(250) + "\n\n" + &"a".repeat(501));
    let mut terminal = triage(repo, &CHANGE);
    terminal.expect("dai review convert FILE --to dai").expect("1 of 1").expect("Evidence.");
    terminal.expect("[k]eep, [s]everity, [e]dit the text, [q]uit").expect("becomes of it:");
    terminal.line("e").expect("not saved: the evidence has 501 bytes").expect("becomes of it:");
    repo.write("new.md", "é".repeat(250) + "\n\n" + &"a".repeat(500));
    terminal
        .line("e")
        .expect("saved")
        .expect("becomes of it:")
        .line("s")
        .expect("as it is")
        .line("low")
        .expect("saved");
    terminal.expect("becomes of it:").line("k");
    assert_eq!(terminal.wait().0, 0);
    let mut expected = review;
    expected["findings"][0]["claim"] = json!("é".repeat(250));
    expected["findings"][0]["evidence"] = json!("a".repeat(500));
    expected["findings"][0]["severity"] = json!("minor");
    assert_eq!(read(repo), expected.to_string());
}

#[test]
fn an_exchange_shows_its_own_patch_and_has_no_severity_to_ask_for() {
    let change = Local::two_hunks();
    let repo = &change.repo;
    let patch = ["--- a/else.rs", "+++ b/else.rs", "@@ -7,2 +7,3 @@", " before", "+their line", " after"];
    let review = json!({ "leanreview_review": 1, "patch": patch, "comments": [
        { "path": "else.rs", "start_line": 8, "body": "On their line." },
        { "path": "else.rs", "start_line": 70, "body": "Nowhere.", "snippet": "their line", "state": "orphaned" }
    ]});
    repo.write(FILE, review.to_string());
    let mut terminal = triage(repo, &[]);
    terminal.expect("1 of 2").expect("no severity").expect("> 8 + their line");
    terminal.expect("[k]eep, [d]ismiss, [e]dit the text, [q]uit").expect("becomes of it:").line("d").expect("saved");
    terminal
        .expect("2 of 2")
        .expect("orphaned")
        .expect("proposed: else.rs:8 RIGHT")
        .expect("becomes of it:")
        .line("a")
        .expect("saved");
    terminal.expect("> 8 + their line").expect("becomes of it:").line("k");
    assert_eq!(terminal.wait().0, 0);
    let after: Value = serde_json::from_str(&read(repo)).expect("JSON");
    let mut expected = review;
    expected["comments"][0]["state"] = json!("dismissed");
    expected["comments"][1]["start_line"] = json!(8);
    expected["comments"][1]["state"] = json!("active");
    assert_eq!(after, expected);
}

#[test]
fn without_a_terminal_it_refuses_with_the_words_for_doing_it_by_hand() {
    let change = Local::two_hunks();
    change.repo.write(FILE, REVIEW);
    let answer = Dai::in_repo(&change.repo).args(["review", "triage", FILE]).run().exits(2);
    assert_eq!(answer.out(), "");
    assert_snapshot!("by_hand", Normal::new().apply(answer.err()));
    assert_eq!(read(&change.repo), REVIEW);
    let mut terminal = Dai::in_repo(&change.repo).args(["review", "triage", "-"]).at_terminal();
    terminal.expect("no terminal to ask at");
    assert_eq!(terminal.wait().0, 2);
    let mut terminal = Dai::in_repo(&change.repo).args(["review", "triage", "none.json"]).at_terminal();
    terminal.expect("there is no review file");
    assert_eq!(terminal.wait().0, 3);
}

#[cfg(unix)]
#[test]
fn a_link_is_not_written_through() {
    let change = Local::two_hunks();
    change.repo.write("target.json", REVIEW).symlink(FILE, "target.json");
    let mut terminal = triage(&change.repo, &[]);
    terminal.expect("becomes of it:").line("d");
    let (code, drawn) = terminal.wait();
    assert_eq!(code, 3, "{drawn}");
    assert_eq!(fs::read_to_string(change.repo.path().join("target.json")).unwrap(), REVIEW);
}

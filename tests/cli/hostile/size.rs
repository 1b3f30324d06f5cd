//! More than anyone writes by hand: bounded in memory, ended by a clear word.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::json;

use super::scene::{Hub, author, finding, numbered};
use crate::support::repo::Repo;
use crate::support::run::{Answer, Dai};

const MIB: u64 = 1024;
/// On a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(600);

#[track_caller]
fn within(run: Dai, mebibytes: u64) -> Answer {
    let answer = run.patience(PATIENCE).run();
    assert!(answer.peak < mebibytes * MIB, "{} MiB; exit code {}", answer.peak / MIB, answer.code());
    assert!(!answer.err().contains("panicked"), "{}", answer.err());
    answer
}

/// A repository of two commits, with the program told to take the change between them.
fn local(repo: &Repo, review: &str) -> Dai {
    repo.write(".dai/reviews/1.json", review);
    Dai::in_repo(repo).args(["forge", "review", "1", "--base", "main", "--head", "topic", "--forge", "github"])
}

#[test]
fn a_file_at_the_limit_is_read_and_one_over_it_is_not() {
    let repo = author(|_| ());
    let padded = |bytes: usize| {
        let review = json!({ "findings": [finding(5, "A fault.")] }).to_string();
        format!("{review}{}", " ".repeat(bytes - review.len()))
    };
    within(local(&repo, &padded(8 << 20)), 200).exits(0);
    let answer = within(local(&repo, &padded((8 << 20) + 1)), 200).exits(3);
    assert!(answer.err().contains("8 MiB"), "{}", answer.err());
    // One string of eight mebibytes, and one of escapes; a body may have 60,000 characters.
    for unit in ["x", "x\\u202e", "x\\n", "한"] {
        let body = unit.repeat((8 << 20) / unit.len() - 100);
        let text = format!(r#"{{"findings": [{{"path": "a.rs", "line": 5, "severity": "high", "body": "{body}"}}]}}"#);
        let answer = within(local(&repo, &text), 400).exits(3);
        assert!(
            answer.err().contains("60000") || answer.err().contains("60,000"),
            "{}",
            &answer.err()[..answer.err().len().min(2000)]
        );
        assert!(answer.err().len() < 10_000);
    }
}

#[test]
fn five_thousand_findings_are_read_and_one_more_is_not() {
    let repo = author(|author| {
        author.write("wide.rs", numbered(5000));
    });
    let review = |count: u32| {
        let finding = |n: u32| json!({ "path": "wide.rs", "line": n % 5000 + 1, "severity": "low", "body": format!("Number {n}.\n\n/approve @ann #1") });
        json!({ "findings": (0..count).map(finding).collect::<Vec<_>>() }).to_string()
    };
    let answer = within(local(&repo, &review(5000)).args(["--format", "json"]), 600).exits(0);
    assert_eq!(answer.json()["counts"]["ready"], 5000);
    within(local(&repo, &review(5000)), 600).exits(0);
    let answer = within(local(&repo, &review(5001)), 200).exits(3);
    assert!(answer.err().contains("5000") || answer.err().contains("5,000"), "{}", answer.err());
}

/// A fault in each of them: every one is reported, and the report is bounded.
#[test]
fn a_file_of_nothing_but_faults_is_answered_in_bounds() {
    let repo = author(|_| ());
    let bad = r#"{"path":"/","line":0,"side":"x","severity":"","confidence":2,"body":""},"#.repeat(5000);
    let text = format!(r#"{{"findings":[{}]}}"#, bad.trim_end_matches(','));
    let answer = within(local(&repo, &text), 600).exits(3);
    assert!(answer.err().len() < 64 << 20, "{}", answer.err().len());
    // One line of brackets, of quotes, of names.
    for unit in ["[", "{\"a\":", "\"", "[],", "1,", "\u{feff}", "```", "\\"] {
        let text = format!(r#"{{"findings":{}"#, unit.repeat((4 << 20) / unit.len()));
        let answer = within(local(&repo, &text), 600).exits(3);
        assert!(answer.err().len() < 100_000, "{unit:?}: {}", answer.err().len());
    }
    let many: String = (0..300_000).map(|n| format!("\"k{n}\":0,")).collect();
    within(local(&repo, &format!("{{{many}\"findings\":[]}}")), 900);
}

#[test]
fn json_nested_ten_thousand_deep_is_a_fault_like_any_other() {
    let repo = author(|_| ());
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"findings\":", "}]")] {
        for (before, after) in [
            ("", ""),
            ("{\"findings\": ", "}"),
            ("{\"findings\": [], \"x\": ", "}"),
            ("{\"leanreview_review\": 1, \"comments\": ", "}"),
        ] {
            let text = format!("{before}{}0{}{after}", open.repeat(10_000), close.repeat(10_000));
            let answer = within(local(&repo, &text), 200).exits(3);
            assert!(answer.err().len() < 20_000 && answer.err().contains("error:"), "{}", answer.err());
        }
    }
}

/// One line of a hundred megabytes, changed in its middle.
#[test]
fn a_line_of_a_hundred_megabytes_is_a_line() {
    let long = "x".repeat(100_000_000);
    let repo = Repo::new();
    repo.config("core.compression", "0");
    repo.write("a.rs", numbered(5)).write("long.rs", format!("one\n{long}\ntwo\n")).commit("base");
    repo.switch_new("topic").write("long.rs", format!("one\n{long}y\ntwo\n")).commit("change");
    let review = json!({ "findings": [
        { "path": "long.rs", "line": 2, "severity": "high", "body": "Long.", "snippet": "x".repeat(4000) },
        { "path": "long.rs", "line": 1, "severity": "high", "body": "Another text.", "snippet": "no such text here" },
    ]});
    let answer = within(local(&repo, &review.to_string()), 2500).exits(0);
    assert!(answer.out().contains("1 comment would be posted") && answer.out().contains("snippet_mismatch"));
    assert!(answer.stdout.len() < 100_000, "{}", answer.stdout.len());
}

/// What each finding holds of its lines would be gigabytes in all.
#[test]
fn a_thousand_findings_on_all_of_a_big_file_and_on_a_big_line_stay_in_bounds() {
    let repo = Repo::new();
    repo.write("a.rs", numbered(5)).commit("base");
    let wide: String = (0..20_000).map(|n| format!("line {} of it\n", n % 7)).collect();
    repo.switch_new("topic").write("wide.rs", wide).write("long.rs", "x".repeat(4_000_000)).commit("change");
    let of_wide = (0..700).map(
        |n| json!({ "path": "wide.rs", "line": 1 + n, "end_line": 20_000 - n, "severity": "low", "body": "Wide." }),
    );
    let of_long =
        (0..300).map(|n| json!({ "path": "long.rs", "line": 1, "severity": "low", "body": format!("Long {n}.") }));
    let review = json!({ "findings": of_wide.chain(of_long).collect::<Vec<_>>() }).to_string();
    for (format, most) in [("text", 4), ("json", 40)] {
        let answer = within(local(&repo, &review).args(["--format", format]), 400).exits(0);
        assert!(answer.stdout.len() < most << 20, "{format}: {}", answer.stdout.len());
    }
}

/// Fed to git as a stream: making a hundred thousand files would take longer than looking at them.
#[test]
fn a_change_of_a_hundred_thousand_files_is_a_change() {
    let repo = author(|_| ());
    let mut child = Command::new("git")
        .args(["fast-import", "--quiet"])
        .current_dir(repo.path())
        .env("HOME", repo.home())
        .stdin(Stdio::piped())
        .spawn()
        .expect("git is there");
    let mut stream = std::io::BufWriter::new(child.stdin.take().expect("its stdin"));
    let commit = "committer Ann Author <ann@example.org> 1767225900 +0000\ndata 0\n";
    let mut put = |text: String| stream.write_all(text.as_bytes()).expect("git reads");
    put(format!("commit refs/heads/wide\n{commit}from refs/heads/main\n"));
    for n in 0..100_000 {
        put(format!("M 644 inline dir{}/file{n}.rs\ndata {}\nfile {n}\n\n", n % 300, n.to_string().len() + 6));
    }
    put("\n".to_owned());
    drop(stream);
    assert!(child.wait().expect("git ends").success());
    repo.write(
        ".dai/reviews/1.json",
        json!({ "findings": [
            { "path": "dir1/file1.rs", "line": 1, "severity": "high", "body": "One of many." },
            { "path": "dir1/file2.rs", "line": 1, "severity": "high", "body": "Not one of them." },
        ]})
        .to_string(),
    );
    for forge in ["github", "gitlab"] {
        let run = Dai::in_repo(&repo)
            .args(["forge", "review", "1", "--base", "main", "--head", "wide", "--format", "json", "--forge", forge]);
        let report = within(run, 500).exits(0).json();
        assert_eq!((&report["counts"]["ready"], &report["counts"]["rejected"]), (&json!(1), &json!(1)), "{forge}");
    }
}

/// Bodies of the longest kind for a forge that takes less: the summary is cut, nothing grows.
#[test]
fn a_summary_of_three_thousand_long_entries_fits() {
    let hub = Hub::new();
    let review = json!({ "head": hub.head, "summary": "s".repeat(200_000), "good": vec!["g".repeat(1000); 500], "findings":
        (0..2500).map(|n| json!({ "path": format!("no{n}.rs"), "line": 1, "severity": "low", "body": "b".repeat(2500) })).collect::<Vec<_>>() });
    hub.clone.write(".dai/reviews/22.json", review.to_string());
    let answer = within(hub.run(&["--yes", "--format", "json"]), 600);
    assert!(matches!(answer.code(), 0 | 3), "{}", answer.err());
    for body in hub.bodies() {
        assert!(body.chars().count() <= 65_536);
    }
    assert!(fs::metadata(hub.clone.path().join(".dai/reviews/22.json")).expect("it").len() < 8 << 20);
}

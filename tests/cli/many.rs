//! Findings in two hundred files: git gives the contents of so many, and the report is the same.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::local::{Local, at, fates, left, numbered, with};
use crate::support::repo::Scratch;
use crate::support::run::Signal;

const FILES: u32 = 200;

fn name(n: u32) -> String {
    format!("d{}/f{n}.rs", n % 9)
}

/// Every file changed, and a few renamed at either forge's threshold.
fn many() -> Local {
    let of = |n: u32| (1..=40).map(|line| format!("file {n} line {line}\n")).collect::<String>();
    Local::of(
        |repo| {
            for n in 0..FILES {
                repo.write(name(n), of(n)).write(format!("old{}", n % 5), of(1000 + n % 5));
            }
        },
        |repo| {
            for n in 0..FILES {
                repo.write(name(n), of(n).replace(&format!("line {}\n", 1 + n % 40), "changed\nand more\n"));
            }
            for n in 0..5 {
                let kept: String =
                    of(1000 + n).lines().take(10 + 6 * n as usize).map(|line| format!("{line}\n")).collect();
                repo.remove(format!("old{n}")).write(format!("new{n}"), kept + &numbered(30 - 6 * n));
            }
        },
    )
}

fn findings() -> Vec<Value> {
    let files = (0..FILES).map(name).chain((0..5).flat_map(|n| [format!("old{n}"), format!("new{n}")]));
    let both = |path: String| {
        [1, 9, 33].into_iter().flat_map(move |line| {
            let words = |side: &str| json!({ "body": format!("{path} {side} {line}") });
            [with(at(&path, line), words("RIGHT")), with(left(&path, line), words("LEFT"))]
        })
    };
    files.flat_map(both).collect()
}

#[test]
fn a_report_on_many_files_is_that_on_few_at_a_time() {
    let local = many();
    let all = findings();
    for forge in ["github", "gitlab"] {
        let report = |findings: &[Value]| {
            let report = local.report_with(findings, &["--forge", forge, "--max-comments", "5000"]);
            report["findings"].as_array().expect("findings").clone()
        };
        let whole = report(&all);
        // Where it stands in the file is all that differs.
        let known = |findings: Vec<Value>| -> Vec<Value> {
            let without = |mut finding: Value| {
                let fields = finding.as_object_mut().expect("a finding");
                assert!(fields.remove("pointer").is_some() && fields.remove("index").is_some());
                finding
            };
            findings.into_iter().map(without).collect()
        };
        let parts: Vec<Value> = all.chunks(180).flat_map(|few| known(report(few))).collect();
        let ready = whole.iter().filter(|finding| finding["status"] == "ready").count();
        assert!(ready > 100 && ready < whole.len(), "{ready} of {}", whole.len());
        let whole = known(whole);
        assert_eq!(whole.len(), parts.len());
        for (at_once, few) in whole.iter().zip(&parts) {
            assert_eq!(at_once, few, "{forge}");
        }
    }
}

#[test]
fn without_a_temporary_directory_or_a_git_many_files_are_read_all_the_same() {
    let local = many();
    let edits: Vec<Value> = (0..FILES).map(|n| at(&name(n), 1 + n % 40)).collect();
    let plain = local.report(&edits);
    assert!(fates(&plain).iter().all(|fate| *fate == "ready"));
    for (variable, value) in [("TMPDIR", "/nonexistent"), ("PATH", "/nonexistent")] {
        let run = local.dai(&json!({ "findings": edits })).args(["--format", "json"]).env(variable, value);
        assert_eq!(run.run().exits(0).json(), plain, "{variable}");
    }
    local.repo.git(&["commit-graph", "write", "--reachable"]);
    let without = |findings: &[Value]| local.dai(&json!({ "findings": findings })).env("TMPDIR", "/nonexistent").run();
    without(&edits).exits(0);
    // Which files are one renamed file only git can tell.
    let run = without(&[at("new0", 30)]).exits(4).says("making a temporary directory failed").says("TMPDIR");
    assert_eq!(run.err().matches("No such file").count(), 1, "{run}");
}

#[test]
fn an_object_whose_file_was_cut_short_is_4_and_never_waited_for() {
    let local = many();
    let findings: Vec<Value> = (0..FILES).map(|n| at(&name(n), 1 + n % 40)).collect();
    for what in ["main:d1/f1.rs", "topic:d1/f1.rs", "topic:d1", "topic^{tree}", "main^{commit}", "topic"] {
        let id = local.repo.git(&["rev-parse", what]);
        let file = local.repo.path().join(".git/objects").join(&id[..2]).join(&id[2..]);
        let sound = fs::read(&file).expect("an object in a file of its own");
        for length in [sound.len() - 1, sound.len() * 2 / 3] {
            fs::remove_file(&file).expect("it can be removed");
            fs::write(&file, &sound[..length]).expect("it can be written");
            for findings in [&findings[..], &findings[..2]] {
                let run = local.dai(&json!({ "findings": findings })).patience(Duration::from_secs(20)).run().exits(4);
                assert!(run.err().contains(&id) && run.err().contains("git fsck"), "{what} {length}\n{run}");
                assert_eq!(run.out(), "");
            }
        }
        fs::remove_file(&file).expect("it can be removed");
        fs::write(&file, &sound).expect("it can be written");
    }
    // A pack that has it too is read instead, as git does.
    let id = local.repo.git(&["rev-parse", "topic:d1/f1.rs"]);
    let file = local.repo.path().join(".git/objects").join(&id[..2]).join(&id[2..]);
    let sound = fs::read(&file).expect("an object in a file of its own");
    local.repo.git(&["repack", "-a", "-q"]);
    fs::remove_file(&file).expect("it can be removed");
    fs::write(&file, &sound[..sound.len() - 9]).expect("it can be written");
    local.dai(&json!({ "findings": findings[..2] })).run().exits(0);
}

#[test]
fn an_interrupt_in_the_middle_leaves_no_git_behind() {
    let local = many();
    let scratch = Scratch::new();
    let (started, real) = (scratch.path().join("started"), std::env::var("PATH").expect("a path"));
    // What git says begins well, and goes on for longer than anybody waits.
    let script = format!(
        "#!/bin/sh\nPATH='{real}'\nexport PATH\ncase \"$*\" in *cat-file*)\n\
         git \"$@\" | head -c 3000; echo $$ >>'{}'; while sleep 0.05; do echo; done; exit;;\nesac\nexec git \"$@\"\n",
        started.display()
    );
    let git = scratch.path().join("git");
    fs::write(&git, script).expect("the script can be written");
    fs::set_permissions(&git, fs::Permissions::from_mode(0o755)).expect("the script can be run");
    let path = format!("{}:{real}", scratch.path().display());
    let run = local.dai(&json!({ "findings": findings() })).env("PATH", path).spawn();
    let patience = Instant::now() + Duration::from_secs(20);
    while !started.exists() {
        assert!(Instant::now() < patience, "git was never asked for contents");
        sleep(Duration::from_millis(5));
    }
    run.signal(Signal::Interrupt);
    run.wait().exits(130);
    let processes = fs::read_to_string(&started).expect("their ids");
    let lives = |process: &str| {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
    };
    while processes.lines().any(lives) {
        assert!(Instant::now() < patience, "a child outlived the run");
        sleep(Duration::from_millis(5));
    }
}

/// Beyond git's limit only what is the same is paired, by the forges too, and whoever reads the preview is told.
#[test]
fn more_files_than_git_compares_are_said_in_the_preview_and_in_the_report() {
    let of = |n: u32| format!("the {n}th file\nof many\nthat move\n");
    let local = Local::of(
        |repo| {
            (0..1002).for_each(|n| _ = repo.write(format!("old/{n}"), of(n)));
        },
        |repo| {
            for n in 0..1002 {
                let moved = if n == 7 { of(n) } else { of(n) + "and change\n" };
                // Another last name: of the same one git compares the two before it counts.
                repo.remove(format!("old/{n}")).write(format!("new/{}", n + 5000), moved);
            }
        },
    );
    let findings = [at("new/5003", 1), at("new/5007", 1)];
    let report = local.report(&findings);
    assert_eq!(fates(&report), ["ready", "no_text_diff"]);
    let codes = |report: &Value| {
        let warnings = report["warnings"].as_array().expect("warnings").clone();
        warnings.iter().map(|warning| warning["code"].as_str().expect("a code").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(codes(&report), ["rename_limit"]);
    local.dai(&json!({ "findings": findings })).run().exits(0).says("its limit is 1000");
    // Where both images have the file, no pairing has a say.
    assert_eq!(codes(&local.report(&[at("nowhere", 1)])), Vec::<String>::new());
}

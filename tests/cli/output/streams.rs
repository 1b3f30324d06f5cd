//! Colour, quiet, verbose, closed pipes, and a stdout that holds the result and nothing else.

use std::io::Read;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::local::{Local, at, numbered};
use crate::support::repo::environment;
use crate::support::run::Dai;
use crate::widgets::{TOKEN, Widgets};

fn local() -> (Local, serde_json::Value) {
    (Local::two_hunks(), json!({ "findings": [at("a.rs", 5), at("a.rs", 20)], "fidings": 1 }))
}

#[test]
fn colour_is_for_terminals_and_for_who_asks() {
    let (local, review) = local();
    let coloured = |run: Dai| {
        let run = run.run().exits(0);
        (run.out().contains('\u{1b}'), run.err().contains('\u{1b}'))
    };
    let run = || local.dai(&review);
    assert_eq!(coloured(run()), (false, false));
    assert_eq!(coloured(run().arg("--color=always")), (true, true));
    assert_eq!(coloured(run().env("CLICOLOR_FORCE", "1")), (true, true));
    assert_eq!(coloured(run().env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1")), (false, false));
    assert_eq!(coloured(run().env("CLICOLOR_FORCE", "1").arg("--color=never")), (false, false));
    assert_eq!(coloured(run().env("CLICOLOR_FORCE", "0")), (false, false));
    assert!(!coloured(run().args(["--color=always", "--format=json"])).0, "a report is never painted");
    assert!(!coloured(run().args(["--color=always", "--format=markdown"])).0);
}

#[test]
fn at_a_terminal_there_is_colour_and_it_can_be_turned_off() {
    let (local, _) = local();
    local.repo.write("r.json", json!({ "findings": [at("a.rs", 5)] }).to_string());
    let run = || Dai::in_repo(&local.repo).args(["forge", "review", "--base=main", "--head=topic", "--from=r.json"]);
    for (run, expected) in [
        (run(), true),
        (run().env("NO_COLOR", "1"), false),
        (run().arg("--color=never"), false),
        (run().env("CLICOLOR", "0"), false),
        (run().env("CI", "true"), false),
    ] {
        let mut terminal = run.at_terminal();
        terminal.expect("nothing was posted");
        // Bold is what a heading has; a spinner clears its line in any case.
        assert_eq!(terminal.raw().windows(4).any(|codes| codes == b"\x1b[1m"), expected);
        assert_eq!(terminal.wait().0, 0);
    }
}

#[test]
fn a_narrow_terminal_gets_whole_places_and_rows_of_its_own_width() {
    let change = Local::file("src/checkout.ts", numbered(60), numbered(60).replace("line 42\n", "line xlii\n"));
    let review = json!({ "findings": [
        { "path": "src/checkout.ts", "line": 41, "end_line": 42, "severity": "high", "confidence": 0.8, "body": "x" },
        { "path": "src/checkout.ts", "line": 5, "severity": "high", "confidence": 0.8, "body": "x" },
        { "path": "src/checkout.ts", "severity": "high", "confidence": 0.8, "body": "x" },
    ] });
    change.repo.write("r.json", review.to_string());
    for (columns, rest) in [
        (30, "\n      high, confidence 0.8\n      /findings/1\n      line_not_in_diff\n"),
        (40, "\n      high, confidence 0.8  /findings/1\n      line_not_in_diff\n"),
    ] {
        let run = Dai::in_repo(&change.repo).args(["forge", "review", "--base=main", "--head=topic", "--from=r.json"]);
        let (code, drawn) = run.args(["--color=never", "-q"]).at_terminal_of(columns).wait();
        assert_eq!(code, 0);
        let headings: Vec<_> = drawn.lines().filter(|row| row.contains("src/checkout.ts")).collect();
        assert_eq!(headings[0], "1. src/checkout.ts:41-42 RIGHT", "{drawn}");
        assert!(headings[1].starts_with("-  src/checkout.ts (the"), "{drawn}");
        assert!(drawn.contains(&format!("-  src/checkout.ts:5 RIGHT{rest}")), "{drawn}");
        let parts = ["src/checkout", "confidence", "/findings/", "line_not_in_diff"];
        for row in drawn.lines().filter(|row| parts.iter().any(|part| row.contains(part))) {
            assert!(row.len() <= usize::from(columns), "{row:?}\n{drawn}");
        }
    }
}

#[test]
fn the_painted_preview_reads_like_the_plain_one() {
    let (local, review) = local();
    let plain = local.dai(&review).run().exits(0);
    let painted = local.dai(&review).arg("--color=always").run().exits(0);
    assert_eq!(anstream::adapter::strip_str(painted.out()).to_string(), plain.out());
    assert_eq!(anstream::adapter::strip_str(painted.err()).to_string(), plain.err());
}

#[test]
fn spinners_are_only_at_a_terminal_and_never_with_no_progress() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5)]);
    let run = widgets.run(&[]).run().exits(0);
    assert_eq!(run.err(), "", "nothing but the result of a run that goes well");
    let mut terminal = widgets.run(&["--no-progress", "--color=never"]).at_terminal();
    terminal.expect("nothing was posted");
    assert!(!terminal.raw().contains(&0x1b), "{}", String::from_utf8_lossy(terminal.raw()));
}

#[test]
fn quiet_says_errors_only_and_keeps_the_result() {
    let (local, review) = local();
    let loud = local.dai(&review).run().exits(0);
    assert!(loud.err().contains("warning:"), "{loud}");
    let quiet = local.dai(&review).arg("-q").run().exits(0);
    assert_eq!((quiet.err(), quiet.out()), ("", loud.out()));
    local.dai(&json!({})).arg("--quiet").run().exits(3).says("error:");
    local.dai(&review).args(["-q", "-v"]).run().exits(2);
}

#[test]
fn verbose_says_what_was_decided_and_twice_every_call() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5)]);
    let once = widgets.run(&["-v"]).run().exits(0);
    once.clone().says("token: GH_ENTERPRISE_TOKEN").says("acme/widgets").says("remote origin");
    assert!(!once.err().contains("GET"), "{once}");
    let twice = widgets.run(&["-vv"]).run().exits(0).says("GET").says("/repos/acme/widgets/pulls/22");
    assert!(!twice.err().contains(TOKEN), "{twice}");
    assert_eq!(widgets.run(&[]).run().out(), once.out(), "stdout is the same");
}

#[test]
fn without_a_plan_stdout_stays_empty_in_every_format() {
    let local = Local::two_hunks();
    for format in ["text", "json", "markdown"] {
        let run = |args: &[&str], review: &str| {
            let run =
                Dai::in_repo(&local.repo).args(["forge", "review", "--format", format]).args(args.iter().copied());
            run.stdin(review.to_owned()).run()
        };
        for (code, args, review) in [
            (2, &["--head", "topic"][..], ""),
            (2, &["nonsense"], ""),
            (3, &["--base", "main", "--head", "topic", "--from", "-"], "{"),
            (3, &["--base", "main", "--head", "topic", "--from", "none.json"], ""),
            (4, &["--base", "none", "--head", "topic", "--from", "-"], "{\"findings\":[]}"),
        ] {
            assert_eq!(run(args, review).exits(code).out(), "", "{args:?}");
        }
    }
}

/// Runs it with a reader that takes one line and goes away; gives the exit code and stderr.
fn into_head(dai: &[&str], at: &crate::support::repo::Repo, env: &[(&str, &str)]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dai"));
    command.args(dai).env_clear().envs(environment(&at.home())).envs(env.iter().copied()).current_dir(at.path());
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    drop(child.stdout.take());
    let mut err = String::new();
    child.stderr.take().expect("stderr").read_to_string(&mut err).expect("stderr can be read");
    (child.wait().expect("it ends").code(), err)
}

#[test]
fn a_closed_pipe_ends_a_preview_quietly() {
    let local = Local::file("a.rs", "x\n", numbered(2000));
    let findings: Vec<_> = (1..=2000).map(|line| at("a.rs", line)).collect();
    local.repo.write("r.json", json!({ "findings": findings }).to_string());
    for format in ["text", "json", "markdown"] {
        let args = ["forge", "review", "--base=main", "--head=topic", "--from=r.json", "--format", format];
        assert_eq!(into_head(&args, &local.repo, &[]), (Some(0), String::new()), "{format}");
    }
    for args in [&["schema", "report"][..], &["completions", "bash"], &["man"], &["--help"], &["--version"]] {
        let (code, err) = into_head(args, &local.repo, &[]);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn a_closed_pipe_never_stops_a_post() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5), at("made.rs", 1)]);
    let api = widgets.forge.api_url();
    let env = [("GH_ENTERPRISE_TOKEN", TOKEN), ("GITHUB_API_URL", api.as_str()), ("DAI_FORGE", "github")];
    let (code, err) = into_head(&["forge", "review", "22", "--yes"], &widgets.clone, &env);
    assert_eq!((code, err.as_str(), widgets.stored()), (Some(0), "", (1, 2)));
    assert!(widgets.clone.path().join(".dai/reviews/22.posted.json").exists());
}

/// Runs it with a stdout that takes nothing; gives the exit code and stderr.
fn onto_a_full_disk(dai: &[&str], at: &crate::support::repo::Repo, env: &[(&str, &str)]) -> (Option<i32>, String) {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    let mut command = Command::new(env!("CARGO_BIN_EXE_dai"));
    command.args(dai).env_clear().envs(environment(&at.home())).envs(env.iter().copied()).current_dir(at.path());
    let output = command.stdin(Stdio::null()).stdout(full).stderr(Stdio::piped()).output().expect("it ends");
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(err.contains("cannot write to stdout") && !err.contains("panicked"), "{err}");
    (output.status.code(), err)
}

#[test]
fn a_full_disk_is_an_error_and_not_a_panic() {
    let local = Local::two_hunks();
    local.repo.write("r.json", json!({ "findings": [] }).to_string());
    let args = ["forge", "review", "--base=main", "--head=topic", "--from=r.json"];
    assert_eq!(onto_a_full_disk(&args, &local.repo, &[]).0, Some(2));
}

#[test]
fn after_a_post_the_exit_code_is_about_the_post_whatever_becomes_of_its_report() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5)]);
    let api = widgets.forge.api_url();
    let env = [("GH_ENTERPRISE_TOKEN", TOKEN), ("GITHUB_API_URL", api.as_str()), ("DAI_FORGE", "github")];
    let run =
        |args: &[&str]| onto_a_full_disk(&[&["forge", "review", "22", "--yes"], args].concat(), &widgets.clone, &env);
    let (code, err) = run(&[]);
    assert_eq!((code, widgets.stored()), (Some(0), (1, 1)), "{err}");
    assert!(err.contains("what was posted stands"), "{err}");
    assert!(widgets.clone.path().join(".dai/reviews/22.posted.json").exists());
    assert_eq!(run(&["--fail-on", "low"]).0, Some(1));
}

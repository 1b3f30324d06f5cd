//! Which request: REF in every shape, or left out.

use serde_json::json;

use crate::local::at;
use crate::support::github::Head;
use crate::support::run::{Answer, Dai};
use crate::widgets::{PROJECT, Widgets};

fn ready() -> Widgets {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5)]);
    widgets
}

fn review(widgets: &Widgets, args: &[&str]) -> Dai {
    widgets.dai().args(["forge", "review"]).args(args.iter().copied())
}

#[track_caller]
fn number(run: Answer) -> u64 {
    run.exits(0).json()["number"].as_u64().expect("a number")
}

#[test]
fn ref_is_taken_in_every_shape() {
    let widgets = ready();
    let page = widgets.forge.page_url(PROJECT, 22);
    for reference in [
        "22".to_owned(),
        "#22".to_owned(),
        "!22".to_owned(),
        "acme/widgets#22".to_owned(),
        "Acme/Widgets#22".to_owned(),
        page.clone(),
        format!("{page}/files"),
        format!("{page}/commits"),
        format!("{page}#discussion_r1"),
        format!("{page}/changes?w=1"),
    ] {
        assert_eq!(number(review(&widgets, &[&reference, "--format", "json"]).run()), 22, "{reference}");
    }
    assert_eq!(number(review(&widgets, &["22", "-R", PROJECT, "--format", "json"]).run()), 22);
}

#[test]
fn what_is_no_ref_is_2_with_the_shapes() {
    let widgets = ready();
    for reference in [
        "",
        "0",
        "-1",
        "twenty",
        "22a",
        "#",
        "acme#22",
        "acme/widgets",
        "acme/widgets#0",
        "22 23",
        "https://",
        "ext::sh",
    ] {
        let run = review(&widgets, &["--", reference]).run().exits(2);
        assert_eq!(run.out(), "", "{reference:?}");
        assert!(run.err().contains("help:") || run.err().contains("--help"), "{run}");
    }
    let run = review(&widgets, &["99999999999999999999999"]).run().exits(2);
    assert_eq!(run.out(), "");
    let run = review(&widgets, &["acme/widgets#22", "-R", "other/project"]).run().exits(2);
    assert_eq!(run.out(), "");
    assert_eq!(widgets.forge.requests(), []);
}

#[test]
fn a_ref_of_a_project_that_no_remote_has_is_2() {
    let widgets = ready();
    for reference in ["other/project#22", "https://github.com/acme/widgets/pull/22", "https://example.org/a/b/pull/22"]
    {
        let run = review(&widgets, &[reference]).run().exits(2);
        assert_eq!(run.out(), "", "{reference}");
    }
    assert_eq!(widgets.forge.requests(), []);
}

#[test]
fn left_out_it_is_the_open_request_of_the_branchs_upstream() {
    let widgets = ready();
    widgets.clone.git(&["switch", "--quiet", "topic"]);
    assert_eq!(number(review(&widgets, &["--format", "json"]).run()), 22);
    // The local name does not matter, the upstream's does.
    widgets.clone.git(&["branch", "--quiet", "--move", "other-name"]);
    assert_eq!(number(review(&widgets, &["--format", "json"]).run()), 22);
    // As `gh pr checkout` sets it up for a fork's request.
    widgets.clone.config("branch.other-name.merge", "refs/pull/22/head");
    assert_eq!(number(review(&widgets, &["--format", "json"]).run()), 22);
}

#[test]
fn left_out_of_a_forks_branch_it_is_found_in_the_target() {
    let widgets = ready();
    let forge = &widgets.forge;
    forge.upstream("bob/widgets").push(&widgets.author, &["main", "topic"]);
    forge.stage.pull(22, |pull| pull.head = Head::fork("bob", "topic"));
    widgets.clone.remote("fork", &forge.clone_url("bob/widgets")).git(&["fetch", "--quiet", "fork"]);
    widgets.clone.git(&["switch", "--quiet", "-c", "mine", "--track", "fork/topic"]);
    assert_eq!(number(review(&widgets, &["--remote", "origin", "--format", "json"]).run()), 22);
    let run = review(&widgets, &[]).run().exits(2).says("bob/widgets").says(PROJECT);
    assert_eq!(run.out(), "");
}

#[test]
fn c51_left_out_on_a_detached_head_it_is_2_where_nobody_can_be_asked() {
    let widgets = ready();
    widgets.clone.git(&["checkout", "--quiet", "--detach"]);
    let run = review(&widgets, &[]).run().exits(2).says("no branch is checked out").says("dai forge review 22");
    assert_eq!(run.out(), "");
}

#[test]
fn left_out_without_a_request_or_with_several_it_is_2() {
    let widgets = ready();
    let run = review(&widgets, &[]).run().exits(2).says("main");
    assert_eq!(run.out(), "");
    widgets.clone.git(&["switch", "--quiet", "--no-track", "-c", "alone"]);
    review(&widgets, &[]).run().exits(2).says("follows no branch");
    widgets.clone.git(&["switch", "--quiet", "topic"]);
    widgets.forge.upstream(PROJECT).push(&widgets.author, &["main:release"]);
    widgets.forge.stage.open(PROJECT, 23, Head::branch("topic"), "release");
    let run = review(&widgets, &[]).run().exits(2).says("22 (request 22)").says("23 (request 23)");
    assert_eq!(run.out(), "");
}

#[test]
fn c51_left_out_it_is_never_the_request_of_a_branch_that_only_shares_the_name() {
    let widgets = ready();
    widgets.forge.upstream(PROJECT).push(&widgets.author, &["main:release"]);
    widgets.forge.stage.open(PROJECT, 23, Head::branch("main"), "release");
    // A branch that was begun from a local one follows that.
    widgets.clone.git(&["switch", "--quiet", "-c", "mine", "--track", "main"]);
    review(&widgets, &[]).run().exits(2).says("of this repository itself");
    // The same path on another host is another project, a path on this machine is none.
    widgets.clone.remote("mirror", "https://mirror.example/acme/widgets").config("branch.mine.remote", "mirror");
    let of_origin = || review(&widgets, &["--remote", "origin"]).run();
    of_origin().exits(2).says("mirror.example");
    let path = widgets.clone.path().display().to_string();
    widgets.clone.config("branch.mine.remote", &path);
    of_origin().exits(2).says("names no project");
    // The number of a request is one of the project that it was fetched from.
    widgets.clone.remote("fork", &widgets.forge.clone_url("bob/widgets")).config("branch.mine.remote", "fork");
    widgets.clone.config("branch.mine.merge", "refs/pull/22/head");
    of_origin().exits(2).says("of bob/widgets");
    widgets.clone.config("branch.mine.remote", "origin");
    assert_eq!(number(review(&widgets, &["--remote", "origin", "--format", "json"]).run()), 22);
}

#[test]
fn c51_at_a_terminal_it_is_asked() {
    let widgets = ready();
    widgets.clone.git(&["checkout", "--quiet", "--detach"]);
    let mut terminal = review(&widgets, &[]).at_terminal();
    terminal.expect("Which request").line("22");
    let (code, plain) = terminal.wait();
    assert_eq!(code, 0, "{plain}");
    assert!(plain.contains("acme/widgets#22") && plain.contains("nothing was posted"), "{plain}");
    let mut terminal = review(&widgets, &[]).at_terminal();
    // The echo says that keys are being read.
    terminal.expect("Which request").send("9").expect("9").interrupt();
    assert_eq!(terminal.wait().0, 130);
    // In CI nobody is there, whatever stderr is.
    let terminal = review(&widgets, &[]).env("CI", "true").at_terminal();
    assert_eq!(terminal.wait().0, 2);
}

#[test]
fn at_a_terminal_one_of_several_requests_is_chosen() {
    let widgets = ready();
    widgets.clone.git(&["switch", "--quiet", "topic"]);
    widgets.forge.upstream(PROJECT).push(&widgets.author, &["main:release"]);
    widgets.forge.stage.open(PROJECT, 23, Head::branch("topic"), "release");
    let mut terminal = review(&widgets, &["--from", ".dai/reviews/22.json"]).at_terminal();
    terminal.expect("Which request").expect("22").send("\u{1b}[B").send("\r");
    let (code, plain) = terminal.wait();
    assert_eq!(code, 0, "{plain}");
    assert!(plain.contains("acme/widgets#2"), "{plain}");
}

#[test]
fn at_a_terminal_one_of_several_projects_is_chosen() {
    let widgets = ready();
    widgets.forge.upstream("ann/widgets").push(&widgets.author, &["main"]);
    widgets.clone.remote("fork", &widgets.forge.clone_url("ann/widgets"));
    let mut terminal = review(&widgets, &["22"]).at_terminal();
    terminal.expect("Which project").expect("acme/widgets").expect("ann/widgets").send("\r");
    let (code, plain) = terminal.wait();
    assert_eq!(code, 0, "{plain}");
    // The command that posts it asks nothing.
    assert!(plain.contains("dai forge review 22 ") && plain.contains(" --remote origin "), "{plain}");
    let mut terminal = review(&widgets, &["22"]).at_terminal();
    terminal.expect("Which project").send("\u{1b}");
    assert_eq!(terminal.wait().0, 2);
}

#[test]
fn remotes_that_name_no_project_are_2() {
    let widgets = ready();
    widgets.clone.git(&["remote", "set-url", "origin", "/srv/git/widgets.git"]);
    review(&widgets, &["22"]).run().exits(2);
    widgets.clone.git(&["remote", "remove", "origin"]);
    review(&widgets, &["22"]).run().exits(2).says("no remote");
    widgets.clone.remote("origin", &widgets.forge.clone_url(PROJECT));
    review(&widgets, &["22", "--remote", "nowhere"]).run().exits(2).says("nowhere").says("origin");
    for name in ["-x", "--upload-pack=evil"] {
        review(&widgets, &["22", &format!("--remote={name}")]).run().exits(2);
    }
    let report = review(&widgets, &["22", "--format", "json"]).run().exits(0).json();
    assert_eq!(report["project"], json!(PROJECT));
}

#[test]
fn a_host_that_nobody_knows_is_asked_for_and_never_guessed() {
    let widgets = ready();
    let run = review(&widgets, &["22"]).env_remove("DAI_FORGE").run().exits(2).says("--forge github or --forge gitlab");
    assert_eq!((run.out(), widgets.forge.requests()), ("", vec![]));
    widgets.clone.git(&["remote", "set-url", "origin", "ext::sh -c evil"]);
    review(&widgets, &["22"]).run().exits(2);
}

#[test]
fn instead_of_is_followed() {
    let widgets = ready();
    widgets.clone.git(&["remote", "set-url", "origin", "short:acme/widgets"]);
    widgets.clone.user_config(&format!("url.{}/.insteadOf", widgets.forge.origin()), "short:");
    assert_eq!(number(review(&widgets, &["22", "--format", "json"]).run()), 22);
}

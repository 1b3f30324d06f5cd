//! Every error that a person can meet, as it is read: what happened, to what, and what to do next.

use serde_json::json;

use crate::local::{Local, at, with};
use crate::support::faults::Fault;
use crate::support::github::{Access, Account, ReviewState, User};
use crate::support::repo::{Repo, Scratch};
use crate::support::run::{Answer, Dai, Normal};
use crate::support::server::Response;
use crate::widgets::{PROJECT, Widgets};

/// All the errors of one kind on a page, each under the name of its case.
struct Pages(String);

impl Pages {
    fn new() -> Self {
        Self(String::new())
    }

    #[track_caller]
    fn add(&mut self, case: &str, normal: &Normal, code: i32, run: Answer) {
        let run = run.exits(code);
        // How long it waits is drawn by lot.
        let lines = run.err().lines().map(|line| line.split(": waiting ").next().unwrap_or(line));
        let err = normal.apply(&(lines.collect::<Vec<_>>().join("\n") + "\n"));
        assert!(err.contains("error: "), "no error\n{run}");
        assert!(err.contains("help: ") || err.contains("For more information, try '--help'"), "no help\n{run}");
        for line in err.lines().filter_map(|line| line.strip_prefix("error: ")) {
            // Names such as REF and DAI_BASE aside.
            let sentence = line.chars().next().is_some_and(char::is_uppercase);
            let name = line.chars().nth(1).is_some_and(char::is_uppercase);
            assert!(!sentence || name, "not a fragment: {line}");
        }
        self.0 += &format!("##### {case} → {code}\n{err}\n");
    }
}

fn ready() -> Widgets {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5)]);
    widgets
}

#[test]
fn usage() {
    let mut pages = Pages::new();
    let local = Local::two_hunks();
    let normal = Normal::new().repo(&local.repo);
    for args in [
        &["forge", "review", "nonsense"][..],
        &["forge", "review", "0"],
        &["forge", "review", "acme/widgets"],
        &["forge", "review", "22", "23"],
        &["forge", "review", "22", "--min-severity", "critical"],
        &["forge", "review", "22", "--min-confidence", "1.0001"],
        &["forge", "review", "22", "--min-confidence=-1"],
        &["forge", "review", "22", "--max-comments", "many"],
        &["forge", "review", "22", "--max-comments=-1"],
        &["forge", "review", "22", "--expect", "123"],
        &["forge", "review", "22", "--forge", "gitea"],
        &["forge", "review", "22", "--format", "yaml"],
        &["forge", "review", "22", "--head", "topic"],
        &["forge", "review", "22", "--yes", "--dry-run"],
        &["forge", "review", "22", "--yes", "--base", "main", "--head", "topic"],
        &["forge", "review", "22", "--yes", "--offline"],
        &["forge", "review", "--base", "main", "--head", "topic"],
        &["forge", "review", "22", "--bogus"],
        &["forge", "post", "22"],
        &["-C", "nowhere", "forge", "review", "22"],
        &["schema", "yaml"],
        &["forge", "review", "22"],
    ] {
        pages.add(
            &format!("dai {}", args.join(" ")),
            &normal,
            2,
            Dai::in_repo(&local.repo).args(args.iter().copied()).run(),
        );
    }
    let environment =
        [("DAI_MIN_SEVERITY", "critical"), ("DAI_MAX_COMMENTS", "x"), ("DAI_STRICT", "maybe"), ("DAI_HEAD", "topic")];
    let run = Dai::in_repo(&local.repo).args(["forge", "review", "22"]);
    let run = environment.into_iter().fold(run, |run, (name, value)| run.env(name, value));
    pages.add("bad values in the environment", &normal, 2, run.run());
    insta::assert_snapshot!(pages.0);
}

#[test]
fn remotes() {
    let mut pages = Pages::new();
    let repo = Repo::new();
    repo.write("x", "1\n").commit("base");
    let normal = Normal::new().repo(&repo);
    let run = |args: &[&str]| Dai::in_repo(&repo).args(["forge", "review"]).args(args.iter().copied()).run();
    pages.add("no remote", &normal, 2, run(&["22"]));
    repo.remote("origin", "/srv/git/x.git");
    pages.add("a remote without a project", &normal, 2, run(&["22"]));
    repo.git(&["remote", "set-url", "origin", "https://git.example.org/acme/widgets.git"]);
    pages.add("a host that nobody knows", &normal, 2, run(&["22"]));
    repo.git(&["remote", "set-url", "origin", "git@work:acme/widgets.git"]);
    pages.add("an alias of ssh", &normal, 2, run(&["22"]));
    repo.git(&["remote", "set-url", "origin", "https://github.com/ann/widgets.git"]);
    pages.add("a project that no remote has", &normal, 2, run(&["acme/widgets#22"]));
    pages.add("two projects in one command", &normal, 2, run(&["acme/widgets#22", "-R", "other/thing"]));
    pages.add("a remote that is not there", &normal, 2, run(&["22", "--remote", "upstream"]));
    pages.add("an API over http", &normal, 2, run(&["22", "--api-url", "http://git.example.org/api/v3"]));
    pages.add("an API that is no URL", &normal, 2, run(&["22", "--api-url", "git.example.org"]));
    repo.remote("upstream", "https://github.com/acme/widgets.git");
    pages.add("several projects", &normal, 2, run(&["22"]));
    insta::assert_snapshot!(pages.0);
}

#[test]
fn the_request_left_out() {
    let mut pages = Pages::new();
    let widgets = ready();
    let run = || widgets.dai().args(["forge", "review"]).run();
    pages.add("no request of the branch", &widgets.normal(), 2, run());
    widgets.clone.git(&["switch", "--quiet", "--no-track", "-c", "alone"]);
    pages.add("a branch without an upstream", &widgets.normal(), 2, run());
    widgets.clone.git(&["checkout", "--quiet", "--detach"]);
    pages.add("a detached HEAD", &widgets.normal(), 2, run());
    widgets.clone.git(&["switch", "--quiet", "alone"]);
    widgets.clone.git(&["branch", "--quiet", "--set-upstream-to", "main"]);
    pages.add("a branch that follows a local one", &widgets.normal(), 2, run());
    let of_origin = || widgets.dai().args(["forge", "review", "--remote", "origin"]).run();
    widgets.clone.remote("mirror", "https://mirror.example/acme/widgets").config("branch.alone.remote", "mirror");
    pages.add("a branch of another host", &widgets.normal(), 2, of_origin());
    widgets.clone.config("branch.alone.remote", "/srv/git/x.git");
    pages.add("a branch of a path", &widgets.normal(), 2, of_origin());
    widgets.clone.remote("fork", &widgets.forge.clone_url("bob/widgets")).config("branch.alone.remote", "fork");
    widgets.clone.config("branch.alone.merge", "refs/pull/7/head");
    pages.add("a request of another project", &widgets.normal(), 2, of_origin());
    insta::assert_snapshot!(pages.0);
}

#[test]
fn the_repository() {
    let mut pages = Pages::new();
    let nowhere = Scratch::new();
    let normal = Normal::new().path(&nowhere.path(), "[DIR]");
    pages.add("no repository", &normal, 4, Dai::at(nowhere.path()).args(["forge", "review", "22"]).run());
    let local = Local::two_hunks();
    let normal = Normal::new().repo(&local.repo);
    let run = |base: &str, head: &str| {
        let run = Dai::in_repo(&local.repo).args(["forge", "review", "--from", "-"]).stdin("{\"findings\":[]}");
        run.arg(format!("--base={base}")).arg(format!("--head={head}")).run()
    };
    pages.add("an unknown revision", &normal, 4, run("nowhere", "topic"));
    pages.add("a revision like an option", &normal, 4, run("main", "-x"));
    local.repo.orphan("apart").write("x", "1\n").commit("apart");
    pages.add("unrelated histories", &normal, 4, run("main", "apart"));
    let widgets = ready();
    pages.add("offline without an earlier run", &widgets.normal(), 4, widgets.run(&["--offline"]).run());
    let private = Repo::new();
    private.write("x", "1\n").commit("another history");
    private.remote("origin", &widgets.forge.clone_url(PROJECT));
    private.write(".dai/reviews/22.json", json!({ "findings": [] }).to_string());
    widgets.forge.stage.project(PROJECT, |project| project.private = true);
    let run = widgets.dai_in(&private).args(["forge", "review", "22"]).run();
    let port = widgets.forge.origin().rsplit(':').next().expect("a port").to_owned();
    pages.add("git may not fetch", &Normal::new().repo(&private).text(format!("%3A{port}"), "%3A[PORT]"), 4, run);
    let run = widgets.dai_in(&private).args(["forge", "review", "22"]).env("PATH", "/nonexistent").run();
    pages.add("no git", &Normal::new().repo(&private), 4, run);
    insta::assert_snapshot!(pages.0);
}

#[test]
fn the_file() {
    let mut pages = Pages::new();
    let local = Local::two_hunks();
    let normal = Normal::new().repo(&local.repo);
    let run = |args: &[&str]| {
        let run = Dai::in_repo(&local.repo).args(["forge", "review", "22", "--base", "main", "--head", "topic"]);
        run.args(args.iter().copied()).run()
    };
    pages.add("no default file", &normal, 3, run(&[]));
    pages.add("no such file", &normal, 3, run(&["--from", "none.json"]));
    pages.add("a folder", &normal, 3, run(&["--from", "."]));
    pages.add("nothing on stdin", &normal, 3, run(&["--from", "-"]));
    local.repo.write("typos.json", r#"{"sumary": "x", "findings": [{"path": "a", "severity": "hihg", "body": "b"}]}"#);
    pages.add("a fault and an unknown field", &normal, 3, run(&["--from", "typos.json"]));
    local.repo.write(".dai/reviews/22.json", "{\"findings\":[]}").git(&["add", "--force", ".dai"]);
    pages.add("a tracked default", &normal, 3, run(&[]));
    local.repo.commit("brings a review");
    local.repo.git(&["rm", "--quiet", "--cached", ".dai/reviews/22.json"]);
    pages.add("a default of the head's", &normal, 3, run(&[]));
    insta::assert_snapshot!(pages.0);
}

#[test]
fn tokens() {
    let mut pages = Pages::new();
    let widgets = ready();
    let normal = widgets.normal();
    pages.add("no token", &normal, 8, widgets.run(&["--yes"]).env_remove("GH_ENTERPRISE_TOKEN").run());
    let run = widgets.run(&["--yes"]).env_remove("GH_ENTERPRISE_TOKEN").env("GH_TOKEN", "ghp_x").run();
    pages.add("a token of another host", &normal, 8, run);
    pages.add("a wrong token", &normal, 8, widgets.run(&[]).env("GH_ENTERPRISE_TOKEN", "wrong").run());
    pages.add("a text that is no token", &normal, 8, widgets.run(&[]).env("GH_ENTERPRISE_TOKEN", "a b").run());
    for (case, access) in [("a token that only reads", Access::Read), ("single sign-on", Access::SingleSignOn)] {
        widgets.forge.stage.account("ghp_of_another_account", Account::person("ann").with(access));
        pages.add(case, &normal, 8, widgets.run(&["--yes"]).env("GH_ENTERPRISE_TOKEN", "ghp_of_another_account").run());
    }
    widgets.forge.stage.project(PROJECT, |project| project.private = true);
    pages.add("a private project", &normal, 8, widgets.run(&[]).env_remove("GH_ENTERPRISE_TOKEN").run());
    insta::assert_snapshot!(pages.0);
}

#[test]
fn the_forge() {
    let mut pages = Pages::new();
    let widgets = ready();
    let normal = widgets.normal();
    widgets.clone.write(".dai/reviews/99.json", "{\"findings\":[]}");
    pages.add("no such request", &normal, 5, widgets.dai().args(["forge", "review", "99"]).run());
    let mine = widgets.forge.stage.review(22, User::person("ann"), ReviewState::Pending, "draft");
    pages.add("a pending review", &normal, 5, widgets.run(&["--yes"]).run());
    widgets.forge.stage.pull(22, |pull| pull.reviews.retain(|review| review.id != mine));
    widgets.forge.stage.pull(22, |pull| pull.locked = Some(403));
    pages.add("locked", &normal, 5, widgets.run(&["--yes"]).run());
    widgets.forge.stage.pull(22, |pull| pull.locked = None);
    widgets.forge.stage.project(PROJECT, |project| project.archived = true);
    pages.add("archived", &normal, 5, widgets.run(&["--yes"]).run());
    widgets.forge.stage.project(PROJECT, |project| project.archived = false);
    let place = ("a.rs".to_owned(), 5);
    widgets.forge.stage.pull(22, |pull| pull.refused.insert(place.clone()));
    pages.add("a place that GitHub refuses", &normal, 5, widgets.run(&["--yes"]).run());
    widgets.forge.stage.pull(22, |pull| pull.refused.clear());
    widgets.forge.fault(Fault::on("GET", "/repos/*/*/pulls/22").every().instead(Response::html(404)));
    pages.add("an API base of something else", &normal, 5, widgets.run(&[]).run());
    widgets.forge.clear_faults();
    widgets.forge.fault(Fault::on("GET", "/repos/*/*/pulls/22").every().redirect(301, "https://elsewhere.example/x"));
    let run = widgets.run(&[]).run();
    pages.add("a redirect elsewhere", &normal, run.code(), run);
    widgets.forge.clear_faults();
    widgets.forge.stop();
    pages.add("nobody listens", &normal, 5, widgets.run(&[]).run());
    insta::assert_snapshot!(pages.0);
}

#[test]
fn stale_and_the_gate() {
    let mut pages = Pages::new();
    let widgets = ready();
    let normal = widgets.normal().text(widgets.digest(&[]), "[DIGEST]");
    let run = widgets.run(&["--yes", "--expect", "0123456789abcdef"]).run();
    pages.add("another digest", &normal, 7, run);
    pages.add("--fail-on", &normal, 1, widgets.run(&["--fail-on", "medium"]).run());
    widgets.findings(&[at("a.rs", 20), at("a.rs", 21)]);
    pages.add("--strict", &normal, 1, widgets.run(&["--strict"]).run());
    pages.add("--strict and --fail-on", &normal, 1, {
        widgets.findings(&[at("a.rs", 20), with(at("a.rs", 5), json!({ "severity": "high" }))]);
        widgets.run(&["--strict", "--fail-on", "low"]).run()
    });
    widgets.review(&json!({ "head": "1".repeat(40), "findings": [at("a.rs", 5)] }));
    pages.add("another head", &normal, 7, widgets.run(&["--yes"]).run());
    widgets.review(&json!({ "head": widgets.base, "findings": [at("a.rs", 5)] }));
    pages.add("an older head", &normal, 7, widgets.run(&["--yes"]).run());
    widgets.review(&json!({ "findings": [at("a.rs", 5)] }));
    pages.add("--trace of nothing", &normal, 2, widgets.run(&["--trace"]).run());
    let stage = widgets.forge.stage.clone();
    let aim = move || stage.pull(22, |pull| pull.base_branch = "topic".to_owned());
    // The plan's read of the request is the first one, the post's own the second.
    widgets.forge.fault(Fault::on("GET", format!("/repos/{PROJECT}/pulls/22")).nth(2).before(aim));
    pages.add("another base", &normal, 7, widgets.run(&["--yes"]).run());
    insta::assert_snapshot!(pages.0);
}

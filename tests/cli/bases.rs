//! c22: which merge base the change is taken from.

use serde_json::{Value, json};

use crate::local::{at, fates, numbered};
use crate::support::faults::Fault;
use crate::support::github::GitHub;
use crate::support::gitlab::{Account, GitLab, NoteKind};
use crate::support::repo::{Cloned, Repo};
use crate::support::run::Dai;
use crate::support::server::Response;
use crate::widgets::Widgets;

const GROUP: &str = "group/sub/widgets";

/// Two merge bases: from `ours` the change is at line 30 of `a.rs`, from `theirs` at line 5.
struct CrissCross {
    author: Repo,
    ours: String,
    theirs: String,
}

fn criss_cross() -> CrissCross {
    let author = Repo::new();
    author.write("a.rs", numbered(40)).commit("root");
    let theirs =
        author.switch_new("topic").write("a.rs", numbered(40).replace("line 30\n", "thirty\n")).commit("topic");
    let ours = author.switch("main").write("a.rs", numbered(40).replace("line 5\n", "five\n")).commit("main");
    author.merge(&theirs);
    author.switch("topic").merge(&ours);
    author.write("t.rs", "t\n").commit("topic goes on");
    let bases = author.git(&["merge-base", "--all", "main", "topic"]);
    assert_eq!(bases.lines().count(), 2, "{bases}");
    CrissCross { author, ours, theirs }
}

/// The branch has what the base had at `merged`, and the base goes on.
fn merged_back() -> (Repo, String) {
    let author = Repo::new();
    author.write("a.rs", numbered(40)).commit("root");
    author.switch_new("topic").write("t.rs", "t\n").commit("topic");
    let merged = author.switch("main").write("m.rs", "m\n").commit("main");
    author.switch("topic").merge("main");
    author.switch("main").write("n.rs", "n\n").commit("main goes on");
    author.switch("topic");
    (author, merged)
}

/// Request 7 of the author's branch `topic` into `main` on a loopback GitLab, and a clone of its project.
pub struct Lab {
    forge: GitLab,
    clone: Repo,
}

impl Lab {
    pub fn of(author: &Repo) -> Self {
        let forge = GitLab::below("/gitlab");
        forge.upstream(GROUP).push(author, &["main", "topic"]);
        forge.stage.open(GROUP, 7, "topic", "main");
        forge.stage.account("glpat-ann", Account::person("ann"));
        let clone = Cloned::of(forge.clone_url(GROUP)).make();
        Self { forge, clone }
    }

    /// Where the comments stand, in their order.
    pub fn positions(&self) -> Vec<Value> {
        let position =
            |kind: &NoteKind| if let NoteKind::Diff(position) = kind { Some(position.clone()) } else { None };
        self.forge.stage.request(7, |request| request.notes().filter_map(|note| position(&note.kind)).collect())
    }

    #[track_caller]
    pub fn report(&self, findings: &[Value], args: &[&str]) -> Value {
        let head = self.forge.stage.request(7, |request| request.latest().head.clone());
        self.clone.write(".dai/reviews/7.json", json!({ "head": head, "findings": findings }).to_string());
        let host = self.forge.api_url().replace("/api/v4", "");
        let run = Dai::in_repo(&self.clone).env("GITLAB_HOST", host).env("GITLAB_TOKEN", "glpat-ann");
        run.args(["forge", "review", "7", "--format", "json"]).args(args.iter().copied()).run().exits(0).json()
    }
}

fn warned(report: &Value, code: &str) -> bool {
    report["warnings"].as_array().expect("warnings").iter().any(|warning| warning["code"] == code)
}

#[test]
fn c22_githubs_own_answer_is_the_merge_base() {
    let CrissCross { author, ours, theirs } = criss_cross();
    let gits = author.merge_base("main", "topic");
    let widgets = Widgets::of(GitHub::start(), author);
    widgets.findings(&[at("a.rs", 30), at("a.rs", 5)]);
    for (named, hunk) in [(&ours, 0), (&theirs, 1)] {
        let answer = json!({ "merge_base_commit": { "sha": named }, "status": "diverged", "files": [] });
        widgets.forge.clear_faults();
        widgets.forge.fault(Fault::on("GET", "/repos/*/*/compare/*").every().instead(Response::json(200, &answer)));
        let report = widgets.run(&["--format", "json"]).run().exits(0).json();
        assert_eq!(report["commits"]["merge_base"], **named);
        assert!(!warned(&report, "merge_bases"), "nothing is open: {report:#}");
        // The forge under test shows the patch from git's base, whatever it was made to answer.
        let mut expected = ["line_not_in_diff"; 2];
        expected[hunk] = if *named == gits { "ready" } else { "forge_disagrees" };
        assert_eq!(fates(&report), expected, "{named}");
    }
}

#[test]
fn c22_gitlabs_version_has_the_merge_base() {
    let CrissCross { author, ours, theirs } = criss_cross();
    for (named, hunk) in [(&ours, 0), (&theirs, 1)] {
        let lab = Lab::of(&author);
        lab.forge.stage.request(7, |request| request.versions[0].base.clone_from(named));
        let report = lab.report(&[at("a.rs", 30), at("a.rs", 5)], &["--yes"]);
        assert_eq!(report["commits"]["merge_base"], **named);
        assert!(!warned(&report, "merge_bases"), "nothing is open: {report:#}");
        let mut expected = ["line_not_in_diff"; 2];
        expected[hunk] = "posted";
        assert_eq!(fates(&report), expected, "{named}");
        let positions = lab.positions();
        assert_eq!(positions.len(), 1);
        assert_eq!(positions[0]["base_sha"], **named);
    }
}

#[test]
fn c22_without_a_forges_word_the_other_bases_are_named() {
    let CrissCross { author, ours, theirs } = criss_cross();
    let gits = author.merge_base("main", "topic");
    let other = if gits == ours { &theirs } else { &ours };
    let run = Dai::in_repo(&author).args(["forge", "review", "--base", "main", "--head", "topic", "--from", "-"]);
    let run = run.stdin(json!({ "findings": [at("t.rs", 1)] }).to_string()).run().exits(0).says(&other[..10]);
    assert!(run.out().contains(&format!("merge base {}", &gits[..10])), "{run}");
}

#[test]
fn c22_what_the_branch_took_from_its_base_is_not_its_change() {
    let (author, merged) = merged_back();
    let findings = [at("t.rs", 1), at("m.rs", 1)];
    let lab = Lab::of(&author);
    let report = lab.report(&findings, &["--yes"]);
    assert_eq!(
        (&report["commits"]["merge_base"], fates(&report)),
        (&json!(merged), vec!["posted", "file_not_in_diff"])
    );
    let widgets = Widgets::of(GitHub::start(), author);
    widgets.findings(&findings);
    let report = widgets.run(&["--yes", "--format", "json"]).run().exits(0).json();
    assert_eq!(
        (&report["commits"]["merge_base"], fates(&report)),
        (&json!(merged), vec!["posted", "file_not_in_diff"])
    );
}

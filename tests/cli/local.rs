//! A change between two branches of a local repository, and reviews of it: no forge, no network.

use serde_json::{Value, json};

use crate::support::repo::Repo;
use crate::support::run::{Answer, Dai};

/// `main` is the base, `topic` the head, which is checked out.
pub struct Local {
    pub repo: Repo,
}

/// `line 1` to `line <count>`, each on a line.
pub fn numbered(count: u32) -> String {
    (1..=count).map(|n| format!("line {n}\n")).collect()
}

impl Local {
    /// A change that `before` and `after` make, one for each side.
    pub fn of(before: impl FnOnce(&Repo), after: impl FnOnce(&Repo)) -> Self {
        let repo = Repo::new();
        before(&repo);
        repo.commit("base");
        repo.switch_new("topic");
        after(&repo);
        repo.commit("head");
        Self { repo }
    }

    /// One file, changed.
    pub fn file(path: &str, before: impl AsRef<[u8]>, after: impl AsRef<[u8]>) -> Self {
        Self::of(
            |repo| {
                repo.write(path, before);
            },
            |repo| {
                repo.write(path, after);
            },
        )
    }

    /// Two hunks in `a.rs`: line 5 became two lines, line 30 is gone.
    pub fn two_hunks() -> Self {
        let after = numbered(40).replace("line 5\n", "line five\nline five and a half\n").replace("line 30\n", "");
        Self::file("a.rs", numbered(40), after)
    }

    /// `dai forge review` of the two branches, with the review on stdin.
    pub fn dai(&self, review: &Value) -> Dai {
        self.dai_bytes(serde_json::to_vec_pretty(review).expect("a document"))
    }

    /// The same with any bytes for a review.
    pub fn dai_bytes(&self, review: impl Into<Vec<u8>>) -> Dai {
        let run = Dai::in_repo(&self.repo).args(["forge", "review", "--base", "main", "--head", "topic"]);
        run.args(["--from", "-"]).stdin(review)
    }

    /// The report of a review with these findings.
    #[track_caller]
    pub fn report(&self, findings: &[Value]) -> Value {
        self.report_with(findings, &[])
    }

    /// The same with further arguments.
    #[track_caller]
    pub fn report_with(&self, findings: &[Value], args: &[&str]) -> Value {
        let run = self.dai(&json!({ "findings": findings })).args(["--format", "json"]).args(args.iter().copied());
        run.run().exits(0).json()
    }

    /// The text preview of a review with these findings.
    #[track_caller]
    pub fn preview(&self, findings: &[Value]) -> Answer {
        self.dai(&json!({ "findings": findings })).run().exits(0)
    }
}

/// A finding of medium severity on RIGHT.
pub fn at(path: &str, line: u32) -> Value {
    json!({ "path": path, "line": line, "severity": "medium", "body": format!("About {path}, line {line}.") })
}

/// The same on LEFT.
pub fn left(path: &str, line: u32) -> Value {
    with(at(path, line), json!({ "side": "LEFT" }))
}

/// A finding on a range of lines on RIGHT.
pub fn range(path: &str, line: u32, end: u32) -> Value {
    with(at(path, line), json!({ "end_line": end }))
}

/// A finding that quotes.
pub fn quoting(path: &str, line: u32, snippet: &str) -> Value {
    with(at(path, line), json!({ "snippet": snippet }))
}

/// The finding with these fields set.
pub fn with(mut finding: Value, fields: Value) -> Value {
    let Value::Object(fields) = fields else { panic!("fields: {fields}") };
    finding.as_object_mut().expect("a finding").extend(fields);
    finding
}

/// What became of every finding of a report: the status, or the reason's code where there is one.
pub fn fates(report: &Value) -> Vec<&str> {
    let findings = report["findings"].as_array().expect("findings").iter();
    findings.map(|f| f["reason"]["code"].as_str().or(f["status"].as_str()).expect("a status")).collect()
}

/// The reason's message of one finding.
#[track_caller]
pub fn message(report: &Value, finding: usize) -> &str {
    report["findings"][finding]["reason"]["message"].as_str().expect("a reason")
}

//! The report of the last post, beside the review file, and which comments there were besides. Best effort: the forge
//! is the truth, and a receipt gives another run patience, and the knowledge of what was deleted.

use std::collections::HashSet;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use crate::atomic::{self, Audience};
use crate::change::git::Repo;
use crate::cli::reviews;
use crate::forge::Secrets;
use crate::gate::Standing;
use crate::output::report::{Report, Status, to_json};
use crate::text::marker::Marker;
use crate::warning::{Code, Warning};

/// `.dai/reviews/<n>.posted.json`, written anew each time one more item is settled.
pub struct Receipt {
    name: String,
    /// `None` in a bare repository, which has no place for it.
    root: Option<PathBuf>,
    /// Nothing of this is written.
    secrets: Secrets,
    /// The comments that were there before this post, and those that were deleted.
    earlier: Vec<Earlier>,
    /// How the last writing failed.
    fault: Mutex<Option<io::Error>>,
}

/// A comment of this account's that was listed once.
#[derive(Debug, Serialize, Deserialize)]
pub struct Earlier {
    pub marker: String,
    pub url: String,
}

/// The report, and of `earlier` what its findings do not say.
#[derive(Serialize)]
struct Kept<'a> {
    #[serde(flatten)]
    report: &'a Report,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    earlier: Vec<&'a Earlier>,
}

/// Below the repository's root.
pub fn name(number: u64) -> String {
    format!(".dai/reviews/{number}.posted.json")
}

impl Receipt {
    pub fn new(repo: &Repo, number: u64, secrets: Secrets, standing: &Standing) -> Self {
        let root = (!repo.is_bare()).then(|| repo.root().to_path_buf());
        let earlier = standing.comments.iter().chain(&standing.deleted).filter_map(|own| {
            let marker = Marker::Finding { finding: own.finding, place: own.place, by: own.by };
            Some(Earlier { marker: marker.to_string(), url: own.url.clone()? })
        });
        Self { name: name(number), root, secrets, earlier: earlier.collect(), fault: Mutex::new(None) }
    }

    /// Puts this report in the place of the last one.
    pub fn write(&self, report: &Report) {
        let json = to_json(&self.kept(report));
        let json = self.secrets.redact_content(&json).unwrap_or(json);
        let written = match &self.root {
            None => Err(io::Error::other("a bare repository has no work tree")),
            Some(root) => reviews::make(root)
                .and_then(|_| atomic::write(&root.join(&self.name), json.as_bytes(), Audience::Owner)),
        };
        if let Ok(mut fault) = self.fault.lock() {
            *fault = written.err();
        }
    }

    fn kept<'a>(&'a self, report: &'a Report) -> Kept<'a> {
        let there =
            report.findings.iter().filter(|finding| matches!(finding.status, Status::Posted | Status::AlreadyPosted));
        let there: HashSet<&str> = there
            .filter_map(|finding| Some([finding.url.as_deref()?, finding.body.as_deref()?.trim_end().lines().last()?]))
            .flatten()
            .collect();
        let said = |earlier: &&Earlier| there.contains(&*earlier.url) || there.contains(&*earlier.marker);
        Kept { report, earlier: self.earlier.iter().filter(|earlier| !said(earlier)).collect() }
    }

    /// One remark, where the last report could not be written.
    pub fn warning(self) -> Option<Warning> {
        let fault = self.fault.into_inner().ok()??;
        Some(Warning::run(Code::Receipt, format!("the receipt {} was not written: {fault}", self.name)))
    }
}

//! The report of the last post, beside the review file. Best effort: the forge is the truth, and a receipt
//! gives another run nothing but patience.

use std::io;
use std::path::PathBuf;
use std::sync::Mutex;

use crate::atomic::{self, Audience};
use crate::change::git::Repo;
use crate::cli::reviews;
use crate::forge::Secrets;
use crate::output::report::Report;
use crate::warning::{Code, Warning};

/// `.dai/reviews/<n>.posted.json`, written anew each time one more item is settled.
pub struct Receipt {
    name: String,
    /// `None` in a bare repository, which has no place for it.
    root: Option<PathBuf>,
    /// Nothing of this is written.
    secrets: Secrets,
    /// How the last writing failed.
    fault: Mutex<Option<io::Error>>,
}

/// Below the repository's root.
pub fn name(number: u64) -> String {
    format!(".dai/reviews/{number}.posted.json")
}

impl Receipt {
    pub fn new(repo: &Repo, number: u64, secrets: Secrets) -> Self {
        let root = (!repo.is_bare()).then(|| repo.root().to_path_buf());
        Self { name: name(number), root, secrets, fault: Mutex::new(None) }
    }

    /// Puts this report in the place of the last one.
    pub fn write(&self, report: &Report) {
        let json = report.to_json();
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

    /// One remark, where the last report could not be written.
    pub fn warning(self) -> Option<Warning> {
        let fault = self.fault.into_inner().ok()??;
        Some(Warning::run(Code::Receipt, format!("the receipt {} was not written: {fault}", self.name)))
    }
}

//! The report of the last post, beside the review file. Best effort: the forge is the truth, and
//! nothing ever reads a receipt.

use std::io;

use crate::atomic::{self, Audience};
use crate::change::git::Repo;
use crate::cli::reviews;
use crate::output::report::Report;
use crate::warning::{Code, Warning};

/// Writes `.dai/reviews/<n>.posted.json`; what hinders it is a warning.
pub fn write(repo: &Repo, number: u64, report: &Report) -> Option<Warning> {
    let name = format!(".dai/reviews/{number}.posted.json");
    let written = folder(repo)
        .and_then(|()| atomic::write(&repo.root().join(&name), report.to_json().as_bytes(), Audience::Owner));
    let fault = written.err()?;
    Some(Warning::run(Code::Receipt, format!("the receipt {name} was not written: {fault}")))
}

fn folder(repo: &Repo) -> io::Result<()> {
    if repo.is_bare() {
        return Err(io::Error::other("a bare repository has no work tree"));
    }
    reviews::make(repo.root()).map(|_| ())
}

//! Holds the change between two revisions of any repository against `git diff`, place by place.
//!
//! ```text
//! cargo run --release --example parity -- REPO BASE HEAD
//! ```
//!
//! Both forges' rename thresholds; every difference is printed, and the exit is 1 when there is one.

#![expect(clippy::unwrap_used, reason = "shared with the tests, where a broken set-up is the end")]
#![expect(clippy::print_stdout, reason = "its output is what it is run for")]

#[path = "../tests/oracle/check.rs"]
mod check;
#[path = "../tests/oracle/truth.rs"]
mod truth;

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use dai::change::Commits;
use dai::change::git::{GitError, Network, Repo};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [repo, base, head] = arguments.as_slice() else {
        println!("usage: parity REPO BASE HEAD");
        return ExitCode::from(2);
    };
    match compare(Path::new(repo), base, head) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            println!("{error}\n{}", error.help().unwrap_or_default());
            ExitCode::from(error.exit())
        }
    }
}

fn compare(repo: &Path, base: &str, head: &str) -> Result<bool, GitError> {
    let repo = Repo::discover(repo, Network::Forbidden)?;
    let (base, head) = (repo.resolve(base)?, repo.resolve(head)?);
    let merge_base = repo.merge_base(&base, &head)?;
    println!("merge base {}, {} more", merge_base.chosen, merge_base.others.len());
    let commits = Commits { base: Some(base), merge_base: merge_base.chosen, head };
    let mut agree = true;
    for threshold in [50, 30] {
        let started = Instant::now();
        let tally = check::check(&repo, &commits, threshold)?;
        for difference in &tally.differences {
            println!("{difference}");
        }
        agree &= tally.differences.is_empty();
        println!(
            "-M{threshold}%: {} files, {} places, {} differences, {:.1?}",
            tally.files,
            tally.places,
            tally.differences.len(),
            started.elapsed()
        );
    }
    Ok(agree)
}

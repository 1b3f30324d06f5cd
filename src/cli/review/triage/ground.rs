//! The change that a review's places are looked up in, where there is one.

use std::collections::BTreeSet;

use super::TriageArgs;
use crate::anchor::{Relocate, Resolver, Verdict};
use crate::change::git::{Network, Repo};
use crate::change::{Change, CommitId, Commits};
use crate::cli::forge::kept_commits;
use crate::cli::{Failure, Place as Dir};
use crate::forge::Kind;
use crate::output::{Row, Ui, excerpt};
use crate::review::{Document, Finding, Format, Place, Review, candidates, exchange};
use crate::settings::Env;

/// Where findings stand.
pub struct Ground(Option<Change>);

/// A finding's code, and what is to be said of its place.
#[derive(Debug, Default)]
pub struct Look {
    pub rows: Vec<Row>,
    /// Why its place does not hold.
    pub fault: Option<String>,
    pub proposal: Option<Proposed>,
}

/// A place that is probably meant, and its code.
#[derive(Debug)]
pub struct Proposed {
    pub path: String,
    pub place: Place,
    pub rows: Vec<Row>,
}

impl Ground {
    /// An exchange's numbers are its patch's, whatever stands in the repository.
    pub fn of(
        args: &TriageArgs,
        review: &Review,
        document: &Document,
        dir: &Dir<'_>,
        env: &Env,
        ui: &Ui,
    ) -> Result<Self, Failure> {
        if review.format == Format::Exchange {
            let patch = exchange::read(document).ok().map(|(exchange, _)| exchange.diff());
            return Ok(Self(patch.map(|patch| patch.change())));
        }
        let named: BTreeSet<String> = review.findings.iter().flat_map(|finding| candidates(&finding.path)).collect();
        if let Some(base) = &args.base {
            let repo = Repo::discover(dir.dir, Network::Forbidden)?;
            let (base, head) = (repo.resolve(base)?, repo.resolve(args.head.as_deref().unwrap_or("HEAD"))?);
            let merge_base = repo.merge_base(&base, &head)?.chosen;
            let commits = Commits { base: Some(base), merge_base, head };
            note_other(review, &commits.head, ui);
            return Ok(Self(Some(repo.change(&commits, &named, Kind::GitHub.rename_threshold())?.0)));
        }
        let kept = number(args).and_then(|number| kept_commits(number, dir, env, ui));
        let change = kept.and_then(|(commits, kind)| {
            let repo = Repo::discover(dir.dir, Network::Forbidden).ok()?;
            note_other(review, &commits.head, ui);
            Some(repo.change(&commits, &named, kind.rename_threshold()).ok()?.0)
        });
        if change.is_none() {
            ui.note("no change is here to show the code of: name it with --base REV --head REV");
        }
        Ok(Self(change))
    }

    pub fn look(&self, finding: &Finding) -> Look {
        let Some(change) = &self.0 else { return Look::default() };
        let resolver = Resolver::new(change);
        match resolver.resolve(finding, Relocate::Never) {
            Verdict::WholeFile => Look::default(),
            Verdict::Anchored(anchor) => Look { rows: excerpt(change, &anchor), ..Look::default() },
            Verdict::Rejected(rejection) => {
                let proposal = rejection.proposal.as_ref().map(|proposal| {
                    let place = Place { side: proposal.side, range: proposal.range };
                    let there =
                        Finding { path: proposal.path.clone(), place: Some(place), snippet: None, ..finding.clone() };
                    let rows = match resolver.resolve(&there, Relocate::Never) {
                        Verdict::Anchored(anchor) => excerpt(change, &anchor),
                        Verdict::WholeFile | Verdict::Rejected(_) => Vec::new(),
                    };
                    Proposed { path: proposal.path.clone(), place, rows }
                });
                Look { rows: Vec::new(), fault: Some(rejection.to_string()), proposal }
            }
        }
    }
}

/// The number that a default file is named by.
fn number(args: &TriageArgs) -> Option<u64> {
    args.file.file_stem()?.to_str()?.parse().ok()
}

/// The lines are those of another commit than the review's.
fn note_other(review: &Review, head: &CommitId, ui: &Ui) {
    if let Some(reviewed) = review.head.as_ref().filter(|reviewed| *reviewed != head.as_str()) {
        let reviewed = &reviewed[..reviewed.len().min(10)];
        ui.note(&format!(
            "the review is of {reviewed}, and the code shown is of {}: lines may have moved",
            head.short()
        ));
    }
}

//! What a review file is held against without any network.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

use crate::change::git::{Network, Repo};
use crate::change::patch::Patch;
use crate::change::{Change, Commits};
use crate::cli::forge::kept_commits;
use crate::cli::forge::review::named;
use crate::cli::{Failure, Place};
use crate::forge::Kind;
use crate::output::Ui;
use crate::review::{Document, Format, Review, exchange};
use crate::settings::Env;
use crate::warning::{Code, Warning};

/// What names the change on the command line.
#[derive(Debug, Clone, Copy)]
pub struct Named<'a> {
    pub file: &'a Path,
    pub base: Option<&'a str>,
    /// Only with a base; HEAD where it is left out.
    pub head: Option<&'a str>,
    pub forge: Option<Kind>,
}

/// Two commits that are here, and how they were found.
pub struct Between {
    pub repo: Repo,
    pub commits: Commits,
    pub kind: Kind,
    /// For people.
    pub origin: String,
    pub warnings: Vec<Warning>,
}

impl Between {
    /// Local revisions, else what an earlier run kept of the request that a default file is named by.
    /// The inner `Err` says why there is neither.
    ///
    /// # Errors
    ///
    /// Exit 4 for revisions that are none, or no repository where some are named.
    pub fn find(
        named: &Named<'_>,
        place: &Place<'_>,
        env: &Env,
        ui: &Ui,
    ) -> Result<Result<Self, &'static str>, Failure> {
        if let Some(base) = named.base {
            let repo = Repo::discover(place.dir, Network::Forbidden)?;
            let (base, head) = (repo.resolve(base)?, repo.resolve(named.head.unwrap_or("HEAD"))?);
            let found = repo.merge_base(&base, &head)?;
            let origin = format!("local revisions, merge base {}", found.chosen.short());
            let warnings = found.warning().into_iter().collect();
            let commits = Commits { base: Some(base), merge_base: found.chosen, head };
            let kind = named.forge.unwrap_or(Kind::GitHub);
            return Ok(Ok(Self { repo, commits, kind, origin, warnings }));
        }
        let Some(number) = number(&place.dir.join(named.file)) else {
            return Ok(Err("the file is not named by a request, and there is no --base"));
        };
        let Some((commits, kind)) = kept_commits(number, place, env, ui) else {
            return Ok(Err("no earlier `dai forge review` fetched the request's commits, and there is no --base"));
        };
        let repo = Repo::discover(place.dir, Network::Forbidden)?;
        let origin = format!("as an earlier run fetched request {number}");
        Ok(Ok(Self { repo, commits, kind: named.forge.unwrap_or(kind), origin, warnings: Vec::new() }))
    }
}

/// The number of the request that a file of the reviews' folder is named by.
fn number(file: &Path) -> Option<u64> {
    let file = file.canonicalize().ok()?;
    let mut folders = file.parent()?.iter().rev();
    let in_place = folders.next() == Some(OsStr::new("reviews")) && folders.next() == Some(OsStr::new(".dai"));
    let name = file.file_name()?.to_str()?.strip_suffix(".json")?;
    name.parse().ok().filter(|_| in_place)
}

/// Where the findings are looked up.
pub enum Target {
    /// An exchange's own patch.
    Patch(Change),
    /// A change; an exchange is carried there by its patch.
    Change { change: Box<Change>, between: Box<Between>, patch: Option<Patch> },
    /// Nothing is here: only the file itself is checked.
    Nothing { why: &'static str },
}

impl Target {
    /// # Errors
    ///
    /// Exit 4: git cannot give the change that was named.
    pub fn of(
        named_on: &Named<'_>,
        review: &Review,
        document: &Document,
        place: &Place<'_>,
        env: &Env,
        ui: &Ui,
    ) -> Result<Self, Failure> {
        let patch = patch(review, document);
        if let (None, Some(patch)) = (named_on.base, &patch) {
            return Ok(Self::Patch(patch.change()));
        }
        let mut between = match Between::find(named_on, place, env, ui)? {
            Ok(between) => between,
            Err(why) => return Ok(Self::Nothing { why }),
        };
        let paths: BTreeSet<String> = named(review, patch.as_ref());
        let (change, told) = between.repo.change(&between.commits, &paths, between.kind.rename_threshold())?;
        between.warnings.extend(told);
        if let Some(reviewed) = review.head.as_deref().filter(|head| *head != between.commits.head.as_str()) {
            let (old, new) = (&reviewed[..reviewed.len().min(10)], between.commits.head.short());
            let message =
                format!("the review is of {old}, and what it is checked against is {new}: lines may have moved");
            between.warnings.push(Warning::run(Code::HeadMoved, message));
        }
        Ok(Self::Change { change: Box::new(change), between: Box::new(between), patch })
    }
}

/// The patch that an exchange embeds; `None` of any other format.
pub fn patch(review: &Review, document: &Document) -> Option<Patch> {
    let read = (review.format == Format::Exchange).then(|| exchange::read(document).ok()).flatten();
    read.map(|(exchange, _)| exchange.diff())
}

//! What a check found, as the report that a preview has as well.

use std::collections::HashMap;

use super::super::target::{Between, Target};
use crate::anchor::{Rejection, Relocate, Resolver, Verdict};
use crate::change::Change;
use crate::cli::Failure;
use crate::cli::forge::review::by_patch;
use crate::exit::Exit;
use crate::forge::Kind;
use crate::gate::{self, CrossCheck, Fate, Hold, Item, Options, Plan};
use crate::output::preview::Extras;
use crate::output::report::{Commits, Counts, Finding, Mode, Remark, Report, SCHEMA, Status, Summary, SummaryStatus};
use crate::output::{Written, fill, findings};
use crate::reason::ReasonCode;
use crate::review::{Review, State};
use crate::text::marker::ReviewId;
use crate::warning::{Code, Warning};

/// A report with what its form for people needs beside it.
pub struct Checked<'t> {
    pub report: Report,
    pub warnings: Vec<Warning>,
    review: Review,
    plan: Plan,
    source: String,
    target: &'t Target,
    /// `--strict`.
    pub refusal: Option<Failure>,
}

impl Checked<'_> {
    /// `columns` is the width of the terminal that the report is for, where it is for one.
    pub fn extras(&self, columns: Option<usize>) -> Extras<'_> {
        let change = match self.target {
            Target::Patch(change) => Some(change),
            Target::Change { change, .. } => Some(&**change),
            Target::Nothing { .. } => None,
        };
        Extras {
            findings: &self.review.findings,
            items: &self.plan.items,
            change,
            order: if change.is_some() { self.plan.order.clone() } else { unordered(&self.plan) },
            source: self.source.clone(),
            origin: Some(match self.target {
                Target::Patch(_) => "the patch in the file".to_owned(),
                Target::Change { between, .. } => between.origin.clone(),
                Target::Nothing { .. } => "none is here: only the file was checked".to_owned(),
            }),
            command: None,
            own_patch: matches!(self.target, Target::Patch(_) | Target::Change { patch: Some(_), .. }),
            columns,
            dialect: self.plan.kind.dialect(),
        }
    }
}

pub fn checked<'t>(mut review: Review, source: &str, target: &'t Target, strict: bool) -> Checked<'t> {
    let source = review.described(source);
    let mut warnings = std::mem::take(&mut review.warnings);
    let mut written = Written::default();
    let plan = match target {
        Target::Patch(change) => planned(&review, change, Kind::GitHub, &HashMap::new()),
        Target::Change { change, between, patch } => {
            warnings.extend(between.warnings.iter().cloned());
            let lost = match patch {
                Some(patch) => by_patch(patch, change, &mut review, &mut written),
                None => HashMap::new(),
            };
            planned(&review, change, between.kind, &lost)
        }
        Target::Nothing { why } => {
            let message = format!(
                "there is no change to hold the findings against, so only the file was checked: {why}; name the change \
                 with --base REV"
            );
            warnings.push(Warning::run(Code::NotCompared, message));
            unlooked(&review)
        }
    };
    let mut described = findings(&review, &plan, &written);
    if let Target::Patch(change) = target {
        in_the_patch(&review, change, &mut described);
    }
    if let Target::Nothing { .. } = target {
        let unlooked = described.iter_mut().filter(|finding| finding.status == Status::NotAttempted);
        unlooked.for_each(|finding| finding.reason = None);
    }
    let counts = Counts::of(&described);
    let exit = if strict && counts.rejected > 0 { Exit::Gate } else { Exit::Done };
    let report = Report {
        schema: SCHEMA,
        mode: Mode::Check,
        exit: exit.code(),
        digest: None,
        forge: None,
        host: None,
        project: None,
        number: None,
        url: None,
        state: None,
        draft: None,
        commits: commits(target, &review),
        summary: Summary { status: SummaryStatus::Ready, url: None, body: None },
        counts,
        findings: described,
        warnings: warnings.iter().map(remark).collect(),
    };
    let refusal = (exit == Exit::Gate).then(|| {
        let many =
            if counts.rejected == 1 { "1 finding is".to_owned() } else { format!("{} findings are", counts.rejected) };
        Failure::new(Exit::Gate, format!("the gate says no: {many} rejected (--strict)"))
            .help("mend or dismiss those findings, or run without the flag")
    });
    Checked { report, warnings, review, plan, source, target, refusal }
}

fn planned(review: &Review, change: &Change, kind: Kind, lost: &HashMap<usize, Rejection>) -> Plan {
    gate::plan_carried(review, change, &Options::default(), &CrossCheck::NotCompared, kind, lost)
}

/// What the file alone says: a state holds, a finding without a line goes into the summary, and
/// whether any other lands is not known.
fn unlooked(review: &Review) -> Plan {
    let items = review.findings.iter().map(|finding| {
        let fate = match finding.state {
            State::Dismissed => Hold::Dismissed.fate(),
            State::Orphaned => Hold::Orphaned.fate(),
            State::Stale => Hold::Stale.fate(),
            State::Active if finding.defect.is_some() => {
                finding.defect.clone().map(Hold::Written).map_or(Fate::Summary, Hold::fate)
            }
            State::Active if finding.place.is_none() => Fate::Summary,
            State::Active => {
                Fate::NotAttempted { code: ReasonCode::NotCompared, message: "its place was not looked up".to_owned() }
            }
        };
        Item::new(finding, None, fate)
    });
    Plan {
        kind: Kind::GitHub,
        review: ReviewId::Default,
        items: items.collect(),
        order: Vec::new(),
        tags: Default::default(),
        digest: None,
    }
}

fn unordered(plan: &Plan) -> Vec<usize> {
    plan.items.iter().filter(|item| matches!(item.fate, Fate::NotAttempted { .. })).map(|item| item.finding).collect()
}

/// What only a check against the embedded patch has: an orphan's nearest lines; and no text of a
/// comment, whose marker is made from the file that is not here.
fn in_the_patch(review: &Review, change: &Change, described: &mut [Finding]) {
    let resolver = Resolver::new(change);
    for (finding, described) in review.findings.iter().zip(described) {
        described.body = None;
        if finding.state != State::Orphaned {
            continue;
        }
        if let Verdict::Rejected(rejection) = resolver.resolve(finding, Relocate::Never) {
            fill(described, &rejection);
        }
    }
}

fn commits(target: &Target, review: &Review) -> Commits {
    let reviewed = review.head.clone();
    match target {
        Target::Change { between, .. } => {
            let Between { commits, .. } = &**between;
            Commits {
                base: commits.base.as_ref().map(ToString::to_string),
                merge_base: Some(commits.merge_base.to_string()),
                head: Some(commits.head.to_string()),
                reviewed,
            }
        }
        Target::Patch(_) | Target::Nothing { .. } => Commits { reviewed, ..Commits::default() },
    }
}

fn remark(warning: &Warning) -> Remark {
    Remark { code: warning.code, message: warning.message.clone(), finding: warning.finding }
}

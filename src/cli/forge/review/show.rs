//! The report of a run, printed in the form that was asked for.

use std::fmt::Write as _;

use super::assess::Assessment;
use super::command;
use super::file::ReviewFile;
use super::post::{SummaryLine, too_many};
use crate::cli::Failure;
use crate::cli::forge::args::{Format, ReviewArgs};
use crate::cli::forge::run::Run;
use crate::cli::forge::scene::{RequestPlace, Scene};
use crate::exit::Exit;
use crate::forge::Decision;
use crate::output::preview::{Extras, called, render};
use crate::output::report::{Commits, Counts, Mode, Remark, Report, SCHEMA, Summary, SummaryStatus};
use crate::output::{Form, findings, visible};
use crate::warning::Warning;

/// What a run came to, whichever way it went.
pub struct Result<'a> {
    pub mode: Mode,
    pub exit: Exit,
    pub scene: &'a Scene,
    pub file: &'a ReviewFile,
    pub assessment: &'a Assessment,
    pub summary: &'a SummaryLine,
    pub warnings: &'a [Warning],
}

impl Result<'_> {
    pub fn report(&self) -> Report {
        let Scene { place, request, commits, .. } = self.scene;
        let findings = findings(&self.file.review, &self.assessment.plan, &self.file.written);
        Report {
            schema: SCHEMA,
            mode: self.mode,
            exit: self.exit.code(),
            digest: self.assessment.plan.digest.as_ref().map(|digest| digest.0.to_string()),
            forge: place.as_ref().map(|place| place.site.kind.as_str()),
            host: place.as_ref().map(RequestPlace::host),
            project: place.as_ref().map(|place| place.site.project.clone()),
            number: place.as_ref().map(|place| place.number),
            url: request.as_ref().map(|request| request.url.clone()),
            state: request.as_ref().map(|request| request.state.as_str()),
            draft: request.as_ref().map(|request| request.draft),
            commits: Commits {
                base: commits.base.as_ref().map(ToString::to_string),
                merge_base: Some(commits.merge_base.to_string()),
                head: Some(commits.head.to_string()),
                reviewed: self.file.review.head.clone(),
            },
            summary: Summary {
                status: self.summary.status,
                url: self.summary.url.clone(),
                body: Some(self.summary.text.clone()),
            },
            counts: Counts::of(&findings),
            findings,
            warnings: self.warnings.iter().map(remark).collect(),
        }
    }
}

fn remark(warning: &Warning) -> Remark {
    Remark { code: warning.code, message: warning.message.clone(), finding: warning.finding }
}

/// Prints the result on stdout and the warnings on stderr.
pub fn print(run: &Run<'_>, result: &Result<'_>) -> std::result::Result<(), Failure> {
    let report = result.report();
    for warning in result.warnings.iter().filter(|warning| !run.told.contains(warning)) {
        let finding = warning.finding.and_then(|at| report.findings.get(at)).map(called);
        run.ui.warn_of(warning, finding.as_deref());
    }
    let (text, form) = match run.args.format.unwrap_or_default() {
        Format::Json => (report.to_json(), Form::Json),
        Format::Markdown => (markdown(&report, &result.assessment.plan.order), Form::Markdown),
        Format::Text => (render(&report, &extras(run, result, &report), run.ui.out), Form::Text),
    };
    run.ui.result(&text, form).map_err(|fault| Failure::stdout(&fault))
}

fn extras<'a>(run: &Run<'_>, result: &Result<'a>, report: &Report) -> Extras<'a> {
    let Assessment { change, plan, .. } = result.assessment;
    let reference = run.reference_to_print(result.scene);
    let nothing_new = report.counts.ready == 0 && report.summary.status != SummaryStatus::Ready;
    // What a person was asked for is not asked for again.
    let asked =
        result.scene.place.as_ref().map(|place| &place.site).filter(|site| site.decided.remote == Decision::Asked);
    let remote = run.args.remote.clone().or_else(|| asked.map(|site| site.remote.clone()));
    let args = ReviewArgs { remote, ..run.args.clone() };
    let command = match (result.mode, &plan.digest) {
        (Mode::Preview, Some(digest)) if !nothing_new => {
            // So many are sent only with a cap in so many words; one at their number cuts nothing off the plan.
            let cap = too_many(plan.kind, plan, run.args.max_comments).map(|_| plan.order.len());
            let args = ReviewArgs { max_comments: args.max_comments.or(cap), ..args };
            Some(command::posting(&args, run.directory, &reference, digest))
        }
        (Mode::Post, _) if matches!(result.exit, Exit::Partial | Exit::Interrupted) => {
            Some(command::resuming(&args, run.directory, &reference))
        }
        _ => None,
    };
    Extras {
        findings: &result.file.review.findings,
        items: &plan.items,
        change: Some(change),
        order: plan.order.clone(),
        source: result.file.review.described(&result.file.shown),
        origin: result.scene.origin.clone(),
        command,
        columns: run.ui.result_columns(),
        own_patch: result.file.patch.is_some(),
        dialect: plan.kind.dialect(),
    }
}

/// Exactly what would be or was sent, one text after another, each under a line that says where it goes.
fn markdown(report: &Report, order: &[usize]) -> String {
    let mut out = String::new();
    let body = report.summary.body.as_deref().unwrap_or_default();
    let _ = write!(out, "===== summary ({}) =====\n{body}\n", report.summary.status.as_str());
    for finding in order.iter().map(|at| &report.findings[*at]) {
        let (Some(body), Some(line), Some(end), Some(side)) =
            (&finding.body, finding.line, finding.end_line, finding.side)
        else {
            continue;
        };
        let lines = if line == end { line.to_string() } else { format!("{line}-{end}") };
        let place = format!("{}:{lines} {side}", finding.path);
        let _ = write!(out, "\n===== {} =====\n{body}\n", visible(&place));
    }
    out
}

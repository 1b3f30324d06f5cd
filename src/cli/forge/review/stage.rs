//! A change and a review of it, taken to their end: a preview, a post, or a refusal that still shows
//! the plan.

use super::assess::{Assessment, Postable, assess};
use super::file::ReviewFile;
use super::post::{self, Destination, MOST_AT_ONCE, SummaryLine, hold_back, planned_summary, too_many};
use super::receipt::Receipt;
use super::{show, summary};
use crate::cli::Failure;
use crate::cli::forge::run::Run;
use crate::cli::forge::scene::Scene;
use crate::consent::Consent;
use crate::exit::Exit;
use crate::forge::{Kind, SummaryPlan};
use crate::gate::{Fate, Plan, judgement};
use crate::output::findings;
use crate::output::report::{Counts, Mode, SummaryStatus};
use crate::reason::ReasonCode;
use crate::text::Edit;
use crate::warning::{Code, Warning};

pub struct Stage<'a, 'r> {
    pub run: &'a mut Run<'r>,
    pub scene: Scene,
    pub file: ReviewFile,
    pub warnings: Vec<Warning>,
}

impl Stage<'_, '_> {
    /// Posts with `--yes`, and previews without.
    pub fn go(self) -> Result<Exit, Failure> {
        // Only what a forge told is what it would be posted to.
        let postable = if self.scene.request.is_some() { Postable::Yes } else { Postable::No };
        match self.run.args.yes.consent() {
            Some(consent) => self.post(consent),
            None => self.preview(postable),
        }
    }

    /// Shows what would be posted.
    pub fn preview(mut self, postable: Postable) -> Result<Exit, Failure> {
        let assessment = self.assess(postable)?;
        if let Some(count) = too_many(self.scene.kind, &assessment.plan, self.run.args.max_comments)
            && postable == Postable::Yes
        {
            let message = format!(
                "{count} comments are more than one GitHub review carries safely: --yes will ask for --max-comments N"
            );
            self.warnings.push(Warning::run(Code::ManyComments, message));
        }
        if postable == Postable::Yes {
            self.warnings.extend(self.obstacles(&assessment));
        }
        let failure = self.unexpected(&assessment).or_else(|| self.judged(&assessment));
        self.end(&assessment, Mode::Preview, failure)
    }

    /// What a post would be refused for as things are.
    fn obstacles(&self, assessment: &Assessment) -> Vec<Warning> {
        let (intent, planned) = planned_summary(&self.scene, &self.file.review, assessment);
        let creates = assessment.plan.items.iter().any(|item| item.fate == Fate::Ready) || intent == SummaryPlan::Write;
        let writes = creates || planned.status == SummaryStatus::Ready;
        let draft = assessment.standing.draft.as_ref().filter(|_| creates).map(|url| {
            let message =
                format!("a pending review of yours stands in the way of a post: submit or discard it at {url}");
            Warning::run(Code::Draft, message)
        });
        let request = self.scene.request.as_ref().filter(|_| writes);
        let warn = |code, what: &str| Warning::run(code, format!("{what}, which stands in the way of a post"));
        let locked = request.filter(|request| request.locked);
        let locked = locked.map(|_| warn(Code::Locked, "the conversation is locked"));
        let archived = request.filter(|request| request.archived);
        let archived = archived.map(|_| warn(Code::Archived, "the project is archived and so read-only"));
        draft.into_iter().chain(locked).chain(archived).collect()
    }

    /// Refuses a post before anything of it is asked; the plan is shown all the same.
    pub fn refuse(mut self, refusal: Failure) -> Result<Exit, Failure> {
        let mut assessment = self.assess(Postable::No)?;
        hold_back(&mut assessment.plan, ReasonCode::HeadMoved, &refusal.message);
        self.end(&assessment, Mode::Post, Some(refusal))
    }

    fn post(mut self, consent: Consent) -> Result<Exit, Failure> {
        let mut assessment = self.assess(Postable::Yes)?;
        if let Some(refusal) = self.unexpected(&assessment) {
            hold_back(&mut assessment.plan, ReasonCode::DigestDiffers, &refusal.message);
            return self.end(&assessment, Mode::Post, Some(refusal));
        }
        if let Some(count) = too_many(self.scene.kind, &assessment.plan, self.run.args.max_comments) {
            let refusal = Failure::new(
                Exit::Gate,
                format!("{count} comments are more than one GitHub review carries safely ({MOST_AT_ONCE}); nothing was posted"),
            )
            .help("choose how many go out with --max-comments N, or raise --min-severity");
            return self.end(&assessment, Mode::Preview, Some(refusal));
        }
        let Self { run, scene, file, .. } = &self;
        let (Some(place), Some(session), Some(request)) = (&scene.place, &scene.session, &scene.request) else {
            return Err(Failure::usage("there is no forge to post to", "leave --base, --head and --offline out"));
        };
        if request.locked {
            let refusal = Failure::new(Exit::Forge, "the request's conversation is locked; nothing was posted")
                .help("unlock the conversation, or ask someone who may");
            hold_back(&mut assessment.plan, ReasonCode::ForgeRefused, &refusal.message);
            return self.end(&assessment, Mode::Post, Some(refusal));
        }
        let receipt = Receipt::new(&run.repo, place.number, run.secrets.clone(), &assessment.standing);
        let (_, mut undone) = planned_summary(scene, &file.review, &assessment);
        // On GitHub it is sent together with the comments.
        undone.status = match scene.kind {
            Kind::GitHub => SummaryStatus::Unknown,
            Kind::GitLab => SummaryStatus::NotAttempted,
        };
        // What is true if the process ends at this very moment.
        let cut_short = self.result(&assessment, Mode::Post, Exit::Interrupted, &undone).report();
        let settled = |plan: &Plan| {
            let mut report = cut_short.clone();
            report.findings = findings(&file.review, plan, &file.written);
            report.counts = Counts::of(&report.findings);
            receipt.write(&report);
        };
        let posted =
            post::post(run, scene, Destination { place, session, consent }, &file.review, &assessment, &settled)?;
        assessment.plan = posted.plan;
        let judged = if posted.exit == Exit::Done { self.judged(&assessment) } else { None };
        let failure = posted.failure.or(judged);
        self.warnings.extend(posted.warnings);
        let exit = exit_of(failure.as_ref());
        receipt.write(&self.result(&assessment, Mode::Post, exit, &posted.summary).report());
        self.warnings.extend(receipt.warning());
        self.show(&assessment, Mode::Post, &posted.summary, failure)
    }

    fn assess(&mut self, postable: Postable) -> Result<Assessment, Failure> {
        self.warnings.append(&mut self.file.review.warnings);
        let mut assessment = assess(self.run, &self.scene, &mut self.file, postable)?;
        self.warnings.append(&mut assessment.warnings);
        self.warnings.extend(neutralised(&assessment));
        self.warnings.extend(post::changed_summary(&self.scene, &self.file.review, &assessment));
        self.warnings.extend(self.kept_summary(&assessment));
        Ok(assessment)
    }

    /// The summary of this head stays as it is, although the file has no findings.
    fn kept_summary(&self, assessment: &Assessment) -> Option<Warning> {
        let Assessment { standing, plan, .. } = assessment;
        let mut of_review = standing.summaries.iter().rev().filter(|own| own.by == plan.review);
        let own = of_review.find(|own| own.head == self.scene.commits.head)?;
        if !summary::is_kept(own, &self.file.review, standing) {
            return None;
        }
        let comments = match standing.comments.iter().filter(|comment| comment.by == plan.review).count() {
            1 => "a comment of an earlier run exists".to_owned(),
            count => format!("{count} comments of earlier runs exist"),
        };
        let url = own.url.as_deref().unwrap_or("its address is not known");
        let message = format!(
            "the file has no findings, and {comments}: the summary that tells of them is left as it is ({url})"
        );
        Some(Warning::run(Code::ExistingComments, message))
    }

    /// The plan is not the one that `--expect` names.
    fn unexpected(&self, assessment: &Assessment) -> Option<Failure> {
        let expected = self.run.args.expect?;
        let digest = assessment.plan.digest.as_ref();
        if digest.is_some_and(|digest| digest.0 == expected) {
            return None;
        }
        let is =
            digest.map_or("there is none for what cannot be posted".to_owned(), |digest| format!("it is {}", digest.0));
        Some(
            Failure::new(Exit::Stale, format!("the plan's digest is not {expected}; nothing was posted"))
                .cause(is)
                .help("something of the plan changed: look at the preview again, which prints the new digest"),
        )
    }

    /// `--strict` and `--fail-on`.
    fn judged(&self, assessment: &Assessment) -> Option<Failure> {
        let args = &self.run.args;
        let found = judgement(&assessment.plan, &self.file.review, args.strict, args.fail_on)?;
        Some(
            Failure::new(Exit::Gate, format!("the gate says no: {found}"))
                .help("mend or dismiss those findings, or run without the flag"),
        )
    }

    /// Ends a run that posted nothing.
    fn end(self, assessment: &Assessment, mode: Mode, failure: Option<Failure>) -> Result<Exit, Failure> {
        let (_, mut summary) = planned_summary(&self.scene, &self.file.review, assessment);
        if mode == Mode::Post && summary.status == SummaryStatus::Ready {
            summary.status = SummaryStatus::NotAttempted;
        }
        self.show(assessment, mode, &summary, failure)
    }

    fn show(
        self,
        assessment: &Assessment,
        mode: Mode,
        summary: &SummaryLine,
        failure: Option<Failure>,
    ) -> Result<Exit, Failure> {
        let exit = exit_of(failure.as_ref());
        let printed = show::print(self.run, &self.result(assessment, mode, exit, summary));
        match (failure, printed) {
            (Some(failure), Ok(())) => Err(failure),
            (Some(failure), Err(unwritten)) => Err(failure.cause(unwritten.message)),
            // What stands stands: the exit code is about that, and not about who could be told of it.
            (None, Err(unwritten)) if mode == Mode::Post => {
                unwritten
                    .help("what was posted stands, and the receipt beside the review file has the report")
                    .show(self.run.ui);
                Ok(exit)
            }
            (None, printed) => printed.map(|()| exit),
        }
    }

    fn result<'s>(
        &'s self,
        assessment: &'s Assessment,
        mode: Mode,
        exit: Exit,
        summary: &'s SummaryLine,
    ) -> show::Result<'s> {
        show::Result { mode, exit, scene: &self.scene, file: &self.file, assessment, summary, warnings: &self.warnings }
    }
}

fn exit_of(failure: Option<&Failure>) -> Exit {
    failure.map_or(Exit::Done, |failure| failure.exit)
}

/// What was done to the posted texts so that they cannot act.
fn neutralised(assessment: &Assessment) -> Vec<Warning> {
    let listed = |edits: &[Edit]| edits.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    let comments = assessment.plan.order.iter().filter_map(|at| {
        let edits = &assessment.plan.items[*at].spot.as_ref()?.comment.edits;
        (!edits.is_empty()).then(|| Warning::finding(Code::Neutralised, *at, listed(edits)))
    });
    let summary = &assessment.draft.body.edits;
    let summary =
        (!summary.is_empty()).then(|| Warning::run(Code::Neutralised, format!("in the summary: {}", listed(summary))));
    comments.chain(summary).collect()
}

//! Posting a plan, and what became of it.

use super::assess::Assessment;
use super::summary;
use crate::cli::Failure;
use crate::cli::forge::args::Format;
use crate::cli::forge::run::Run;
use crate::cli::forge::scene::{RequestPlace, Scene};
use crate::cli::forge::session::Session;
use crate::consent::Consent;
use crate::exit::Exit;
use crate::forge::{
    Expectation, FailCode, ForgeError, HeldCode, ItemOutcome, Kind, Outcome, OutgoingComment, Post, SummaryOutcome,
    SummaryPlan, Twin, changed_by_person,
};
use crate::gate::{Fate, Hold, Plan, Stands};
use crate::output::report::SummaryStatus;
use crate::reason::ReasonCode;
use crate::review::Review;
use crate::text::marker::Tag;
use crate::text::{Rewrite, assert_inert};
use crate::warning::{Code, Warning};

/// The most comments in one GitHub review that are sent without `--max-comments`: beyond about 70 its
/// server has been seen to time out with the review half done.
pub const MOST_AT_ONCE: usize = 50;

/// The summary's line of the report.
#[derive(Debug, Clone)]
pub struct SummaryLine {
    pub status: SummaryStatus,
    pub url: Option<String>,
    pub text: String,
}

/// Where a post goes, and the consent to it.
pub struct Destination<'a> {
    pub place: &'a RequestPlace,
    pub session: &'a Session,
    pub consent: Consent,
}

/// What a post came to.
pub struct Posted {
    /// With what became of every finding.
    pub plan: Plan,
    pub summary: SummaryLine,
    pub warnings: Vec<Warning>,
    pub exit: Exit,
    /// What went wrong, for stderr.
    pub failure: Option<Failure>,
}

/// The findings that this run would post, in the plan's order.
pub fn new_comments(plan: &Plan) -> Vec<usize> {
    plan.order.iter().copied().filter(|at| matches!(plan.items[*at].fate, Fate::Ready)).collect()
}

/// What is to become of the summary, and whether there is nothing to do about it.
pub fn planned_summary(scene: &Scene, review: &Review, assessment: &Assessment) -> (SummaryPlan, SummaryLine) {
    let new = new_comments(&assessment.plan);
    let (head, by) = (&scene.commits.head, assessment.plan.review);
    let intent = summary::intent(scene.kind, head, review.head.as_deref(), by, &assessment.standing, new.len());
    if let SummaryPlan::Update(own) = &intent
        && summary::is_kept(own, review, &assessment.standing)
    {
        let (status, url) = (SummaryStatus::AlreadyPosted, own.url.clone());
        return (SummaryPlan::Leave { url: url.clone() }, SummaryLine { status, url, text: own.body.clone() });
    }
    let body = &assessment.draft.body.text;
    let tags: Vec<Tag> = tags(&assessment.plan, &new);
    let line = match &intent {
        SummaryPlan::Write => {
            SummaryLine { status: SummaryStatus::Ready, url: None, text: summary::signed(body, head, by, &tags) }
        }
        SummaryPlan::Update(own) => {
            let url = own.url.clone();
            match summary::edited(own, scene.kind, body) {
                Rewrite::New(text) => SummaryLine { status: SummaryStatus::Ready, url, text },
                Rewrite::Same => {
                    SummaryLine { status: SummaryStatus::AlreadyPosted, url, text: own.body.trim_end().to_owned() }
                }
                Rewrite::ChangedByPerson => {
                    let text = summary::resigned(body, own);
                    let line = SummaryLine { status: SummaryStatus::AlreadyPosted, url: url.clone(), text };
                    return (SummaryPlan::Leave { url }, line);
                }
            }
        }
        SummaryPlan::Leave { url } => SummaryLine {
            status: SummaryStatus::AlreadyPosted,
            url: url.clone(),
            text: summary::signed(body, head, by, &tags),
        },
    };
    (intent, line)
}

/// What is to be said of a summary that a person changed, and that is left as it is.
pub fn changed_summary(scene: &Scene, review: &Review, assessment: &Assessment) -> Option<Warning> {
    let (head, by) = (&scene.commits.head, assessment.plan.review);
    let new = new_comments(&assessment.plan).len();
    let SummaryPlan::Update(own) =
        summary::intent(scene.kind, head, review.head.as_deref(), by, &assessment.standing, new)
    else {
        return None;
    };
    let kept = summary::is_kept(&own, review, &assessment.standing);
    let changed = summary::edited(&own, scene.kind, &assessment.draft.body.text) == Rewrite::ChangedByPerson;
    (!kept && changed).then(|| changed_by_person(own.url.as_deref()))
}

/// Everything that stays undone, with one word why.
pub fn hold_back(plan: &mut Plan, code: ReasonCode, message: &str) {
    for at in new_comments(plan) {
        plan.items[at].fate = Fate::NotAttempted { code, message: message.to_owned() };
    }
}

/// Posts what is new and brings the summary to the truth. `settled` hears the plan as it is each time
/// one more comment is settled, with the rest as if the run ended there.
pub fn post(
    run: &Run<'_>,
    scene: &Scene,
    Destination { place, session, consent }: Destination<'_>,
    review: &Review,
    assessment: &Assessment,
    settled: &(dyn Fn(&Plan) + Sync),
) -> Result<Posted, Failure> {
    let new = new_comments(&assessment.plan);
    let (intent, planned) = planned_summary(scene, review, assessment);
    if new.is_empty() && planned.status == SummaryStatus::AlreadyPosted {
        // The page for people counts what is there; a program's reader is told here.
        if run.args.format.unwrap_or_default() != Format::Text {
            run.ui.note("nothing new: what can be posted stands already, and nothing was written");
        }
        let plan = assessment.plan.clone();
        return Ok(Posted { plan, summary: planned, warnings: Vec::new(), exit: Exit::Done, failure: None });
    }
    let comments: Vec<OutgoingComment> = new.iter().filter_map(|at| outgoing(&assessment.plan, *at)).collect();
    // An edit holds what people wrote; our own words in it are held against the rules when they are written.
    let new_summary = (intent == SummaryPlan::Write).then_some(planned.text.as_str());
    let sure = comments.iter().map(|comment| comment.body.as_str()).chain(new_summary);
    for text in sure {
        assert_inert(text, scene.kind.dialect()).map_err(|alarm| {
            Failure::new(Exit::Forge, "a text would act on the forge, and nothing was posted")
                .cause(alarm)
                .help("this is a fault of dai: report it with the review file")
        })?;
    }
    let text = {
        let (plan, new, intent) = (&assessment.plan, &new, &intent);
        let head = &scene.commits.head;
        move |outcomes: &[ItemOutcome]| {
            let mut plan = plan.clone();
            settle(&mut plan, new, outcomes);
            let body = summary::draft(review, &plan, scene.kind).body.text;
            let text = match intent {
                SummaryPlan::Update(own) => summary::resigned(&body, own),
                SummaryPlan::Write | SummaryPlan::Leave { .. } => {
                    let posted: Vec<usize> = new
                        .iter()
                        .zip(outcomes)
                        .filter(|(_, outcome)| matches!(outcome, ItemOutcome::Posted { .. }))
                        .map(|(at, _)| *at)
                        .collect();
                    summary::signed(&body, head, plan.review, &tags(&plan, &posted))
                }
            };
            assert_inert(&text, scene.kind.dialect()).map(|()| text)
        }
    };
    let expectation = if run.args.expect.is_some() { Expectation::Digest } else { Expectation::None };
    let (commit, merge_base) = (scene.commits.head.clone(), scene.commits.merge_base.clone());
    let base_branch = scene.request.as_ref().map(|request| request.base_branch.clone()).unwrap_or_default();
    let so_far = |outcomes: &[ItemOutcome]| {
        let mut plan = assessment.plan.clone();
        let message = "the run had not come to it".to_owned();
        let rest = ItemOutcome::NotAttempted { code: HeldCode::Interrupted, message };
        let rest = std::iter::repeat_n(rest, new.len().saturating_sub(outcomes.len()));
        settle(&mut plan, &new, &outcomes.iter().cloned().chain(rest).collect::<Vec<_>>());
        settled(&plan);
    };
    let (summary, by) = (intent.clone(), assessment.plan.review);
    let handed =
        Post { commit, base_branch, merge_base, comments, summary, by, text: &text, expectation, settled: &so_far };
    let outcome = session.post(session.forge.post(place.number, &handed, consent));
    let summary = summary_line(&outcome, planned);
    let mut plan = assessment.plan.clone();
    settle(&mut plan, &new, &outcome.items);
    let (exit, failure) = match (ending(&outcome, session), outcome.twins.len()) {
        ((Exit::Done, None), twins) if twins > 0 => (Exit::Partial, Some(posted_twice(twins))),
        (ended, _) => ended,
    };
    let warnings = outcome.warnings.into_iter().chain(outcome.twins.iter().map(twin)).collect();
    Ok(Posted { plan, summary, warnings, exit, failure })
}

fn outgoing(plan: &Plan, at: usize) -> Option<OutgoingComment> {
    let spot = plan.items[at].spot.as_ref()?;
    Some(OutgoingComment {
        finding: at,
        path: spot.path.clone(),
        old_path: spot.old_path.clone(),
        new_path: spot.new_path.clone(),
        side: spot.side,
        range: spot.range,
        first: spot.first,
        last: spot.last,
        body: spot.comment.text.clone(),
    })
}

fn tags(plan: &Plan, of: &[usize]) -> Vec<Tag> {
    of.iter().filter_map(|at| plan.items[*at].spot.as_ref()).map(|spot| spot.finding_tag).collect()
}

/// Writes the outcomes of the posted findings into the plan.
fn settle(plan: &mut Plan, new: &[usize], outcomes: &[ItemOutcome]) {
    for (at, outcome) in new.iter().zip(outcomes) {
        plan.items[*at].fate = match outcome.clone() {
            ItemOutcome::Posted { url } => Fate::Posted { url },
            ItemOutcome::Stands { url } => Fate::AlreadyPosted { url, stands: Stands::AtLine },
            ItemOutcome::Failed { code, message } => Fate::Failed { code: code.reason(), message },
            ItemOutcome::Disagrees { detail } => Fate::Rejected(Hold::ForgeDisagrees { detail }),
            ItemOutcome::Unknown { message } => Fate::Unknown { message },
            ItemOutcome::NotAttempted { code, message } => Fate::NotAttempted { code: code.reason(), message },
        };
    }
}

fn summary_line(outcome: &Outcome, planned: SummaryLine) -> SummaryLine {
    let text = outcome.summary_text.clone().unwrap_or(planned.text);
    let (status, url) = match &outcome.summary {
        SummaryOutcome::Posted { url } => (SummaryStatus::Posted, url.clone()),
        SummaryOutcome::Updated { url } => (SummaryStatus::Updated, url.clone()),
        SummaryOutcome::AlreadyPosted { url } => (SummaryStatus::AlreadyPosted, url.clone()),
        SummaryOutcome::Failed { .. } => (SummaryStatus::Failed, planned.url),
        SummaryOutcome::Unknown { .. } => (SummaryStatus::Unknown, planned.url),
        SummaryOutcome::NotAttempted { .. } => (SummaryStatus::NotAttempted, planned.url),
    };
    SummaryLine { status, url, text }
}

fn posted_twice(twins: usize) -> Failure {
    let what = if twins == 1 { "one text is".to_owned() } else { format!("{twins} texts are") };
    Failure::new(Exit::Partial, format!("{what} posted twice: another run posted the same at the same time"))
        .help("delete one of each two that are named above; dai deletes nothing")
}

fn twin(twin: &Twin) -> Warning {
    let [ours, other] = twin.urls.each_ref().map(|url| url.as_deref().unwrap_or("an unknown place"));
    let message = format!("posted twice, at {ours} by this run and at {other} by another at the same time");
    match twin.finding {
        Some(finding) => Warning::finding(Code::PostedTwice, finding, message),
        None => Warning::run(Code::PostedTwice, format!("the summary is {message}")),
    }
}

/// The exit code of a post, and its word for stderr: interrupted, in part, refused, done.
fn ending(outcome: &Outcome, session: &Session) -> (Exit, Option<Failure>) {
    let counts = |what: fn(&ItemOutcome) -> bool| outcome.items.iter().filter(|item| what(item)).count();
    let posted = counts(|item| matches!(item, ItemOutcome::Posted { .. }));
    let undone = counts(|item| matches!(item, ItemOutcome::Failed { .. } | ItemOutcome::NotAttempted { .. }));
    let unknown = counts(|item| matches!(item, ItemOutcome::Unknown { .. }));
    // Without its position, but there.
    let adrift = counts(|item| matches!(item, ItemOutcome::Failed { code: FailCode::Demoted, .. }));
    let (summary_there, summary_lack) = match &outcome.summary {
        SummaryOutcome::Posted { .. } | SummaryOutcome::Updated { .. } => (true, None),
        SummaryOutcome::AlreadyPosted { .. } => (false, None),
        SummaryOutcome::Unknown { message } => (true, Some(format!("the summary perhaps ({message})"))),
        SummaryOutcome::Failed { message } => (false, Some(format!("the summary was not ({message})"))),
        SummaryOutcome::NotAttempted { .. } => (false, Some("the summary was not".to_owned())),
    };
    if undone + unknown == 0 && summary_lack.is_none() && outcome.stop.is_none() {
        return (Exit::Done, None);
    }
    let count = outcome.items.len();
    let noun = if count == 1 { "comment" } else { "comments" };
    let comments = (count > 0).then(|| format!("{posted} of {count} {noun} posted"));
    let open = (unknown > 0).then(|| format!("of {unknown} it is not known"));
    let progress: Vec<String> = comments.into_iter().chain(open).chain(summary_lack).collect();
    let progress = progress.join("; ");
    let rerun = "run the same command again: what stands is recognised and not repeated";

    if session.interrupt.is_raised() {
        let failure = Failure::new(Exit::Interrupted, format!("interrupted: {progress}")).help(rerun);
        return (Exit::Interrupted, Some(failure));
    }
    let in_part = posted + unknown + adrift > 0 || summary_there;
    let mut failure = match &outcome.stop {
        Some(stop) if in_part => Failure::from(stop.clone()).cause(progress),
        Some(stop) => {
            let mut failure = Failure::from(stop.clone());
            if !stop.left_something() {
                failure.message.push_str("; nothing was posted");
            }
            failure
        }
        None if in_part => Failure::new(Exit::Partial, format!("posted in part: {progress}")),
        None => Failure::new(Exit::Forge, "nothing was posted").cause(progress),
    };
    if in_part {
        failure.exit = Exit::Partial;
        if !outcome.stop.as_ref().is_some_and(ForgeError::says_to_run_again) {
            failure = failure.help(rerun);
        }
    }
    (failure.exit, Some(failure))
}

/// Whether so many comments would go into one GitHub review that it is not sent unasked.
pub fn too_many(kind: Kind, plan: &Plan, max_comments: Option<usize>) -> Option<usize> {
    let count = new_comments(plan).len();
    (kind == Kind::GitHub && max_comments.is_none() && count > MOST_AT_ONCE).then_some(count)
}

//! Posting: one discussion after another, each answer looked at, then the summary.

use gitlab::api::common::NameOrId;

use super::endpoint::{CreateDiscussion, WriteNote};
use super::look;
use super::pacer::Pacer;
use super::position::Position;
use super::project::{GitLab, commit};
use super::readback;
use super::refs::{self, Refs};
use super::standing::note_url;
use super::wire::{Discussion, Note, Project};
use crate::consent::Consent;
use crate::forge::post::same_text;
use crate::forge::{
    Event, FailCode, Fault, Identity, ItemOutcome, Outcome, OutgoingComment, Post, SummaryOutcome, SummaryPlan, Trouble,
};
use crate::warning::{Code, Warning};

pub async fn post(gitlab: &GitLab, number: u64, post: &Post<'_>, consent: Consent) -> Outcome {
    let doing = format!("post to !{number}");
    // Nothing is sent yet, so a signal ends it at once, whatever is being read.
    let ready = tokio::select! {
        ready = Run::ready(gitlab, number, post, consent) => ready,
        () = gitlab.api().http().interrupt().raised() => Err(Trouble::Fault(Fault::Interrupted)),
    };
    match ready {
        Ok(run) => run.go().await,
        Err(trouble) => Outcome::not_attempted(post.comments.len(), gitlab.error(doing, trouble)),
    }
}

/// A post that nothing speaks against, and how far it is.
struct Run<'a> {
    gitlab: &'a GitLab,
    project: NameOrId<'static>,
    number: u64,
    post: &'a Post<'a>,
    consent: Consent,
    me: &'a Identity,
    url: String,
    refs: Refs,
    pacer: Pacer,
    /// The comments that stand, and the notes that they became.
    stored: Vec<(&'a OutgoingComment, u64)>,
    warnings: Vec<Warning>,
}

/// How one write ended.
enum Ended {
    Stands(Note),
    /// This one is refused; the next may not be.
    Refused(Trouble),
    /// No further write makes sense.
    Stop(Trouble),
    /// Nor here, and this one may or may not stand.
    Unknown(Trouble),
}

impl<'a> Run<'a> {
    /// Reads once more what must hold before the first write.
    async fn ready(gitlab: &'a GitLab, number: u64, post: &'a Post<'a>, consent: Consent) -> Result<Self, Trouble> {
        let http = gitlab.api().http();
        if !http.has_token() {
            return Err(Trouble::NoToken);
        }
        let me = gitlab.me().await?;
        let project = gitlab.own_project().await?;
        if project.archived {
            return Err(Trouble::Archived);
        }
        let project = writable(gitlab.project(), &project);
        // A head that moved is told at once, and not after a minute of waiting for its diff.
        let moved = |now: CommitNow| match now {
            Some(now) if now != post.commit => Err(Trouble::HeadMoved { expected: post.commit.clone(), now }),
            _ => Ok(()),
        };
        moved(head_of(&gitlab.merge_request(number).await?)?)?;
        let (request, refs) = refs::ready(gitlab, number).await?;
        moved(head_of(&request)?)?;
        moved(Some(refs.head.clone()))?;
        if refs.base != post.merge_base {
            let (expected, now) = (post.merge_base.to_string(), refs.base.to_string());
            return Err(Trouble::BaseMoved { expected, now });
        }
        if request.discussion_locked == Some(true) {
            return Err(Trouble::Locked);
        }
        let pacer = Pacer::new(http.host());
        let (url, stored, warnings) = (request.web_url, Vec::new(), Vec::new());
        Ok(Self { gitlab, project, number, post, consent, me, url, refs, pacer, stored, warnings })
    }

    async fn go(mut self) -> Outcome {
        let (post, of) = (self.post, self.post.comments.len());
        let mut items = Vec::with_capacity(of);
        let mut stop = None;
        if of > 0 {
            self.gitlab.api().http().tell(Event::Posting { done: 0, of });
        }
        for (done, comment) in post.comments.iter().enumerate() {
            let (item, ended) = self.comment(comment).await;
            items.push(item);
            (post.settled)(&items);
            self.gitlab.api().http().tell(Event::Posting { done: done + 1, of });
            if let Some(trouble) = ended {
                stop = Some(self.gitlab.error(format!("post to !{}", self.number), trouble));
                break;
            }
        }
        if let Some(stop) = stop {
            let (code, message) = (stop.held_code(), stop.trouble.before_it());
            items.resize_with(of, || ItemOutcome::NotAttempted { code, message: message.clone() });
            let summary = SummaryOutcome::NotAttempted { code, message };
            // Where no list can be read any more, the stop says enough.
            let _ = self.read_back().await;
            return Outcome { items, summary, summary_text: None, stop: Some(stop), warnings: self.warnings };
        }
        let text = (post.text)(&items);
        let (summary, trouble) = match &text {
            Ok(text) => self.summary(text).await,
            Err(alarm) => {
                let trouble = Trouble::from(alarm.clone());
                (SummaryOutcome::stopped(&trouble), Some(trouble))
            }
        };
        let stop = trouble.map(|trouble| self.gitlab.error(format!("post the summary to !{}", self.number), trouble));
        if let Err(trouble) = self.read_back().await {
            let message = format!("the comments stand, and could not be read back: {trouble}");
            self.warnings.push(Warning::run(Code::ReadBack, message));
        }
        self.look_at_the_head().await;
        Outcome { items, summary, summary_text: text.ok(), stop, warnings: self.warnings }
    }

    /// Posts one comment; with what ends the run, if that does.
    async fn comment(&mut self, comment: &'a OutgoingComment) -> (ItemOutcome, Option<Trouble>) {
        let refs = self.refs.clone();
        let position = Position::new(&refs, comment);
        let project = self.project.clone();
        let create =
            CreateDiscussion { project: &project, request: self.number, body: &comment.body, position: &position };
        self.pacer.before_write(self.gitlab.api().http()).await;
        let answered = match self.gitlab.api().write(&create, self.consent).await {
            Ok(answer) => self.gitlab.api().parse::<Discussion>(&answer),
            Err(trouble) => Err(trouble),
        };
        let note = answered.and_then(|discussion| {
            let empty = || Trouble::Unreadable { cause: "a discussion without a note".to_owned() };
            discussion.notes.into_iter().next().ok_or_else(empty)
        });
        match self.settle(note, &comment.body).await {
            Ended::Stands(note) => (self.stands(comment, &note), None),
            Ended::Refused(trouble) => {
                (ItemOutcome::Failed { code: FailCode::ForgeRefused, message: trouble.to_string() }, None)
            }
            Ended::Stop(trouble) => (ItemOutcome::stopped(&trouble), Some(trouble)),
            Ended::Unknown(trouble) => (ItemOutcome::Unknown { message: trouble.to_string() }, Some(trouble)),
        }
    }

    /// The stored note, looked at for what GitLab made of it.
    fn stands(&mut self, comment: &'a OutgoingComment, note: &Note) -> ItemOutcome {
        let url = note_url(&self.url, note.id);
        if !note.is_at_line() {
            let message = format!("GitLab stored it without its position, as a plain thread: {url}");
            return ItemOutcome::Failed { code: FailCode::Demoted, message };
        }
        self.stored.push((comment, note.id));
        ItemOutcome::Posted { url: Some(url) }
    }

    /// GitLab's own list against what was sent. Whoever interrupts a run does not wait for it.
    async fn read_back(&mut self) -> Result<(), Trouble> {
        if !self.stored.is_empty() && !self.gitlab.api().http().interrupt().is_raised() {
            let notes = self.gitlab.notes(self.number).await?;
            self.warnings.extend(readback::differences(&self.stored, &self.refs, &notes));
        }
        Ok(())
    }

    /// Decides what an answer to a write means for it and for the run; one that says nothing for sure
    /// is settled by a look.
    async fn settle(&self, answered: Result<Note, Trouble>, sent: &str) -> Ended {
        let trouble = match answered {
            Ok(note) => return Ended::Stands(note),
            Err(trouble) => trouble,
        };
        match trouble {
            Trouble::Refused { .. } => Ended::Refused(trouble),
            Trouble::NoRequest => {
                let sentences = vec!["not found, or not for this token to comment on".to_owned()];
                Ended::Refused(Trouble::Refused { status: 404, sentences, suspects: Vec::new() })
            }
            trouble if trouble.never_happened() => Ended::Stop(trouble),
            trouble => match look::patiently(self.gitlab, self.number, self.me, sent).await {
                Ok(Some(note)) => Ended::Stands(note),
                Ok(None) => Ended::Refused(trouble),
                Err(look) => Ended::Unknown(Trouble::Unlearned { cause: format!("{trouble}; and then: {look}") }),
            },
        }
    }

    async fn summary(&mut self, text: &str) -> (SummaryOutcome, Option<Trouble>) {
        let own = match &self.post.summary {
            SummaryPlan::Leave { url } => return (SummaryOutcome::AlreadyPosted { url: url.clone() }, None),
            SummaryPlan::Update(own) if same_text(text, &own.body) => {
                return (SummaryOutcome::AlreadyPosted { url: own.url.clone() }, None);
            }
            SummaryPlan::Update(own) => Some(own),
            SummaryPlan::Write => None,
        };
        self.pacer.before_write(self.gitlab.api().http()).await;
        let answered = self.write_summary(text, own.map(|own| own.id)).await;
        match self.settle(answered, text).await {
            Ended::Stands(note) => {
                let url = Some(note_url(&self.url, note.id));
                if !same_text(text, &note.body) {
                    // After a lost answer to an edit this is the old text.
                    let message = "the summary that stands is not the one that was sent";
                    if own.is_some() {
                        return (SummaryOutcome::Failed { message: message.to_owned() }, None);
                    }
                    self.warnings.push(Warning::run(Code::ReadBack, message));
                }
                (own.map_or(SummaryOutcome::Posted { url: url.clone() }, |_| SummaryOutcome::Updated { url }), None)
            }
            Ended::Refused(trouble) => (SummaryOutcome::Failed { message: trouble.to_string() }, None),
            Ended::Stop(trouble) => (SummaryOutcome::stopped(&trouble), Some(trouble)),
            Ended::Unknown(trouble) => (SummaryOutcome::Unknown { message: trouble.to_string() }, Some(trouble)),
        }
    }

    async fn write_summary(&self, text: &str, edit: Option<u64>) -> Result<Note, Trouble> {
        let (api, project) = (self.gitlab.api(), self.project.clone());
        let write = WriteNote { project: &project, request: self.number, note: edit, body: text };
        let answer = api.write(&write, self.consent).await?;
        api.parse(&answer)
    }

    /// A push during the run leaves the comments outdated: said, and no fault.
    async fn look_at_the_head(&mut self) {
        let Ok(request) = self.gitlab.merge_request(self.number).await else { return };
        if let Ok(Some(now)) = head_of(&request)
            && now != self.post.commit
        {
            let message = format!("the head moved to {} while the comments were posted", now.short());
            self.warnings.push(Warning::run(Code::HeadMoved, message));
        }
    }
}

/// A moved project answers reads under its old path and refuses writes with 405; its number stays.
fn writable(named: &NameOrId<'static>, project: &Project) -> NameOrId<'static> {
    match (named, &project.path_with_namespace) {
        (NameOrId::Name(named), Some(path)) if !named.eq_ignore_ascii_case(path) => NameOrId::Id(project.id),
        _ => named.clone(),
    }
}

type CommitNow = Option<crate::change::CommitId>;

/// The head as the request names it, which may be ahead of its diff.
fn head_of(request: &super::wire::MergeRequest) -> Result<CommitNow, Trouble> {
    request.sha.as_deref().map(commit).transpose()
}

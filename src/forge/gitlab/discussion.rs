//! Posting: one discussion after another, each answer looked at, then the summary.

use std::collections::HashSet;

use gitlab::api::common::NameOrId;
use gitlab::api::endpoint_prelude::Endpoint;
use serde::de::DeserializeOwned;

use super::endpoint::{CreateDiscussion, WriteNote};
use super::look::{self, Sought};
use super::pacer::Pacer;
use super::position::Position;
use super::project::{GitLab, commit};
use super::readback;
use super::refs::{self, Refs};
use super::standing::{is_own, note_url};
use super::wire::{Discussion, Note, Project};
use crate::consent::Consent;
use crate::forge::error::OfWrite;
use crate::forge::http::SendAgain;
use crate::forge::post::{changed_by_person, same_text};
use crate::forge::{
    Doing, Event, FailCode, Fault, Identity, ItemOutcome, Outcome, OutgoingComment, Post, SummaryOutcome, SummaryPlan,
    Trouble, Twin, WaitFor,
};
use crate::gate::OwnSummary;
use crate::text::marker::Marker;
use crate::text::{Dialect, Rewrite, own_words, rewrite};
use crate::warning::{Code, Warning};

pub async fn post(gitlab: &GitLab, number: u64, post: &Post<'_>, consent: Consent) -> Outcome {
    let doing = Doing::writing(format!("post to !{number}"));
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
    /// The summary that this run wrote.
    summary: Option<u64>,
    /// The notes that were listed before the first write.
    known: HashSet<u64>,
    /// Those of them that are own ones and that the plan knows nothing of: another run wrote them meanwhile.
    overtaken: Vec<Note>,
    twins: Vec<Twin>,
    warnings: Vec<Warning>,
    /// The whole of a summary that was there before, with what people put around our words.
    edited: Option<String>,
}

/// What a write was to leave behind.
#[derive(Debug, Clone, Copy)]
enum Wanted {
    AtLine,
    Plain,
    Edit(u64),
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
        let notes = gitlab.notes(number).await?;
        let known = notes.iter().map(|note| note.id).collect();
        let unseen = |note: &Note| gitlab.seen().is_some_and(|seen| !seen.contains(&note.id));
        let overtaken = notes.into_iter().filter(|note| is_own(me, note.author.as_ref()) && unseen(note)).collect();
        Ok(Self {
            gitlab,
            project,
            number,
            post,
            consent,
            me,
            url: request.web_url,
            refs,
            pacer: Pacer::new(http.host()),
            stored: Vec::new(),
            summary: None,
            known,
            overtaken,
            twins: Vec::new(),
            warnings: Vec::new(),
            edited: None,
        })
    }

    async fn go(mut self) -> Outcome {
        let (post, of) = (self.post, self.post.comments.len());
        let mut items = Vec::with_capacity(of);
        let mut stop = None;
        if of > 0 {
            self.gitlab.api().http().tell(Event::Posting { done: 0, of });
        }
        for (done, comment) in post.comments.iter().enumerate() {
            let there = self.overtaken.iter().find(|note| look::is_of(&comment.body, note));
            let (item, ended) = match there {
                Some(note) => (ItemOutcome::Stands { url: Some(note_url(&self.url, note.id)) }, None),
                None => {
                    items.push(ItemOutcome::in_flight());
                    (post.settled)(&items);
                    items.pop();
                    self.comment(comment).await
                }
            };
            items.push(item);
            (post.settled)(&items);
            self.gitlab.api().http().tell(Event::Posting { done: done + 1, of });
            if let Some(trouble) = ended {
                stop = Some(self.gitlab.error(Doing::writing(format!("post to !{}", self.number)), trouble));
                break;
            }
        }
        if let Some(stop) = stop {
            let (code, message) = (stop.held_code(), stop.trouble.before_it());
            items.resize_with(of, || ItemOutcome::NotAttempted { code, message: message.clone() });
            let summary = SummaryOutcome::NotAttempted { code, message };
            // Where no list can be read any more, the stop says enough.
            let _ = self.read_back(None).await;
            let (warnings, twins) = (self.warnings, self.twins);
            return Outcome { items, summary, summary_text: None, stop: Some(stop), warnings, twins };
        }
        let text = (post.text)(&items);
        let (summary, trouble) = match &text {
            Ok(text) => self.summary(text).await,
            Err(alarm) => {
                let trouble = Trouble::from(alarm.clone());
                (SummaryOutcome::stopped(&trouble), Some(trouble))
            }
        };
        let stop = trouble
            .map(|trouble| self.gitlab.error(Doing::writing(format!("post the summary to !{}", self.number)), trouble));
        if let Err(trouble) = self.read_back(text.as_deref().ok()).await {
            let message = format!("the comments stand, and could not be read back: {trouble}");
            self.warnings.push(Warning::run(Code::ReadBack, message));
        }
        self.look_at_the_head().await;
        let summary_text = self.edited.or(text.ok());
        Outcome { items, summary, summary_text, stop, warnings: self.warnings, twins: self.twins }
    }

    /// Posts one comment; with what ends the run, if that does.
    async fn comment(&mut self, comment: &'a OutgoingComment) -> (ItemOutcome, Option<Trouble>) {
        let refs = self.refs.clone();
        let position = Position::new(&refs, comment);
        let project = self.project.clone();
        let create =
            CreateDiscussion { project: &project, request: self.number, body: &comment.body, position: &position };
        self.pacer.before_write(self.gitlab.api().http()).await;
        let note = self.create::<Discussion>(&create, &comment.body).await.and_then(|discussion| {
            let empty = || Trouble::Unreadable { cause: "a discussion without a note".to_owned() };
            discussion.notes.into_iter().next().ok_or_else(empty)
        });
        match self.settle(note, &comment.body, Wanted::AtLine).await {
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

    /// GitLab's own list against what was sent, and against what another run sent at the same time. Whoever
    /// interrupts a run does not wait for it.
    async fn read_back(&mut self, summary: Option<&str>) -> Result<(), Trouble> {
        if (self.stored.is_empty() && self.summary.is_none()) || self.gitlab.api().http().interrupt().is_raised() {
            return Ok(());
        }
        let notes = self.gitlab.notes(self.number).await?;
        self.warnings.extend(readback::differences(&self.stored, &self.refs, &notes));
        let url = |id| Some(note_url(&self.url, id));
        let new = notes.iter().filter(|note| !self.known.contains(&note.id) && is_own(self.me, note.author.as_ref()));
        for note in new {
            let is_it = |(comment, id): &&(&OutgoingComment, u64)| *id != note.id && look::is_of(&comment.body, note);
            if let Some((comment, id)) = self.stored.iter().find(is_it)
                && !self.stored.iter().any(|(_, id)| *id == note.id)
            {
                self.twins.push(Twin { finding: Some(comment.finding), urls: [url(*id), url(note.id)] });
            }
            if let (Some(id), Some(text)) = (self.summary, summary)
                && id != note.id
                && is_summary_as(text, note)
            {
                self.twins.push(Twin { finding: None, urls: [url(id), url(note.id)] });
            }
        }
        Ok(())
    }

    /// Sends what makes a new note, again after a pause or at its new place where the answer says so. The
    /// answer may be a proxy's: the note is looked for first.
    async fn create<T: DeserializeOwned>(&self, endpoint: &(impl Endpoint + Sync), sent: &str) -> Result<T, Trouble> {
        let (api, mut at, mut attempt) = (self.gitlab.api(), None, 0);
        loop {
            attempt += 1;
            let (url, answer) = api.write(endpoint, at.as_ref(), self.consent).await?;
            match api.http().again(&url, &answer, attempt) {
                None => return api.parse(&answer),
                Some(SendAgain::At(to)) => at = Some(to),
                Some(SendAgain::After(pause)) => {
                    if api.http().wait(WaitFor::Throttle, pause).await.is_err() {
                        return api.parse(&answer);
                    }
                }
            }
            match look::once(self.gitlab, &self.sought(sent)).await {
                Ok(None) => {}
                // Whoever settles it looks once more.
                _ => return api.parse(&answer),
            }
        }
    }

    fn sought<'s>(&'s self, text: &'s str) -> Sought<'s> {
        Sought { number: self.number, me: self.me, text, known: &self.known }
    }

    /// Decides what an answer to a write means for it and for the run. One that does not show the note as it was
    /// sent is settled by a look.
    async fn settle(&self, answered: Result<Note, Trouble>, sent: &str, wanted: Wanted) -> Ended {
        let carries = |note: &Note| match wanted {
            Wanted::Plain => look::is_of(sent, note),
            Wanted::AtLine => look::is_of(sent, note) && note.is_at_line(),
            Wanted::Edit(id) => note.id == id && same_text(sent, note.text()),
        };
        let trouble = match answered {
            Ok(note) if carries(&note) => return Ended::Stands(note),
            Ok(_) => Trouble::Unreadable { cause: "it does not show what was sent".to_owned() },
            Err(Trouble::NoRequest) => {
                let sentences = vec!["not found, or not for this token to comment on".to_owned()];
                Trouble::Refused { status: 404, sentences, suspects: Vec::new() }
            }
            Err(trouble) => trouble,
        };
        let known = trouble.of_write();
        let sought = self.sought(sent);
        let found = match (known, wanted) {
            (OfWrite::NeverSent, _) => return Ended::Stop(trouble),
            (_, Wanted::Edit(id)) => {
                let notes = self.gitlab.notes(self.number).await;
                notes.map(|notes| notes.into_iter().find(|note| note.id == id).filter(carries))
            }
            (OfWrite::Refused, _) => look::once(self.gitlab, &sought).await,
            (OfWrite::Open, _) => look::patiently(self.gitlab, &sought).await,
        };
        let unlearned = |rest: String| Ended::Unknown(Trouble::Unlearned { cause: format!("{trouble}; {rest}") });
        match (found, &trouble, known) {
            (Ok(Some(note)), ..) => Ended::Stands(note),
            (Err(look), ..) => unlearned(format!("and then: {look}")),
            // It may be listed later: only another run, with more patience, can tell.
            (Ok(None), _, OfWrite::Open) => unlearned("not listed yet".to_owned()),
            (Ok(None), Trouble::Refused { .. }, _) => Ended::Refused(trouble),
            (Ok(None), ..) => Ended::Stop(trouble),
        }
    }

    async fn summary(&mut self, text: &str) -> (SummaryOutcome, Option<Trouble>) {
        let own = match &self.post.summary {
            SummaryPlan::Leave { url } => return (SummaryOutcome::AlreadyPosted { url: url.clone() }, None),
            SummaryPlan::Update(own) => Some(own),
            SummaryPlan::Write => {
                let there = self.overtaken.iter().find(|note| is_summary_as(text, note));
                if let Some(note) = there {
                    return (SummaryOutcome::AlreadyPosted { url: Some(note_url(&self.url, note.id)) }, None);
                }
                None
            }
        };
        let whole;
        let text = match own {
            None => text,
            Some(own) => match self.rewritten(own, text).await {
                (Rewrite::New(text), _) => {
                    self.edited = Some(text.clone());
                    whole = text;
                    &whole
                }
                (Rewrite::Same, stored) => {
                    self.edited = Some(stored.trim_end().to_owned());
                    return (SummaryOutcome::AlreadyPosted { url: own.url.clone() }, None);
                }
                (Rewrite::ChangedByPerson, _) => {
                    self.warnings.push(changed_by_person(own.url.as_deref()));
                    return (SummaryOutcome::AlreadyPosted { url: own.url.clone() }, None);
                }
            },
        };
        self.pacer.before_write(self.gitlab.api().http()).await;
        let wanted = own.map_or(Wanted::Plain, |own| Wanted::Edit(own.id));
        let answered = self.write_summary(text, own.map(|own| own.id)).await;
        match self.settle(answered, text, wanted).await {
            Ended::Stands(note) => {
                let url = Some(note_url(&self.url, note.id));
                self.summary = Some(note.id);
                if !same_text(text, note.text()) {
                    let message = "the summary that stands is not the one that was sent";
                    self.warnings.push(Warning::run(Code::ReadBack, message));
                }
                (own.map_or(SummaryOutcome::Posted { url: url.clone() }, |_| SummaryOutcome::Updated { url }), None)
            }
            Ended::Refused(trouble) => (SummaryOutcome::Failed { message: trouble.to_string() }, None),
            Ended::Stop(trouble) => (SummaryOutcome::stopped(&trouble), Some(trouble)),
            Ended::Unknown(trouble) => (SummaryOutcome::Unknown { message: trouble.to_string() }, Some(trouble)),
        }
    }

    /// What an edit comes to, and of which stored text. A person may have written into the summary since it was listed, and
    /// the list may have shown an older text of it.
    async fn rewritten(&self, own: &OwnSummary, text: &str) -> (Rewrite, String) {
        let known = rewrite(&own.body, Dialect::GitLab, own.words.clone(), text);
        if !matches!(known, Rewrite::New(_)) {
            return (known, own.body.clone());
        }
        let notes = self.gitlab.notes(self.number).await.unwrap_or_default();
        match notes.iter().find(|note| note.id == own.id && !same_text(&own.body, note.text())) {
            None => (known, own.body.clone()),
            Some(note) => {
                let words = own_words(note.text(), Dialect::GitLab, &[]);
                (rewrite(note.text(), Dialect::GitLab, words, text), note.text().to_owned())
            }
        }
    }

    async fn write_summary(&self, text: &str, edit: Option<u64>) -> Result<Note, Trouble> {
        let (api, project) = (self.gitlab.api(), self.project.clone());
        let write = WriteNote { project: &project, request: self.number, note: edit, body: text };
        match edit {
            Some(_) => {
                let (_, answer) = api.write(&write, None, self.consent).await?;
                api.parse(&answer)
            }
            None => self.create(&write, text).await,
        }
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

/// Whether a note is the summary that another run of the same review wrote of the same head.
fn is_summary_as(text: &str, note: &Note) -> bool {
    let of = |text: &str| match Marker::read(text, Dialect::GitLab) {
        Some(Marker::Review { head, by, .. }) => Some((head, by)),
        _ => None,
    };
    of(text).is_some_and(|ours| of(note.text()) == Some(ours))
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

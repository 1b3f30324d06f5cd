//! Posting: exactly one review, whatever is heard of it.

use std::collections::{BTreeSet, HashSet};

use super::culprit;
use super::look::{self, Found, Sent};
use super::outgoing::OutgoingReview;
use super::project::{GitHub, commit};
use super::standing::is_own;
use super::summary::{Stored, resigned};
use super::wire::{Comment, Review};
use super::{readback, refusal};
use crate::consent::Consent;
use crate::forge::error::OfWrite;
use crate::forge::http::SendAgain;
use crate::forge::{
    Doing, Event, Expectation, Fault, ForgeError, Identity, ItemOutcome, Outcome, OutgoingComment, Post,
    SummaryOutcome, SummaryPlan, Trouble, Twin, WaitFor,
};
use crate::text::marker::Marker;
use crate::text::{Dialect, disowned, own_words};
use crate::warning::{Code, Warning};

pub async fn post(github: &GitHub, number: u64, post: &Post<'_>, consent: Consent) -> Outcome {
    let doing = Doing::writing(format!("post the review to #{number}"));
    // Nothing is sent yet, so a signal ends it at once, whatever is being read.
    let ready = tokio::select! {
        ready = Run::ready(github, number, post, consent) => ready,
        () = github.api().http().interrupt().raised() => Err(Trouble::Fault(Fault::Interrupted)),
    };
    match ready {
        Ok(run) => run.go().await,
        Err(trouble) => Outcome::not_attempted(post.comments.len(), github.error(doing, trouble)),
    }
}

/// A post that nothing speaks against.
pub(super) struct Run<'a> {
    pub(super) github: &'a GitHub,
    pub(super) number: u64,
    post: &'a Post<'a>,
    pub(super) consent: Consent,
    me: &'a Identity,
    /// The reviews that stood before.
    known: HashSet<u64>,
    /// Own comments that the plan knows nothing of: another run wrote them meanwhile.
    overtaken: Vec<Comment>,
    /// Those of them that are own summaries, oldest first.
    own: Vec<Review>,
}

/// How one POST ended, for sure.
enum Ended {
    /// `None`: its comments are not read back yet.
    Stands(Review, Option<Vec<Comment>>),
    /// A 422 that left nothing behind.
    Refused {
        status: u16,
        sentences: Vec<String>,
    },
    /// Nothing of it stands.
    Failed(Trouble),
    Unknown(Trouble),
}

impl<'a> Run<'a> {
    /// Reads once more what must hold right before a write.
    async fn ready(github: &'a GitHub, number: u64, post: &'a Post<'a>, consent: Consent) -> Result<Self, Trouble> {
        if !github.api().http().has_token() {
            return Err(Trouble::NoToken);
        }
        let me = github.me().await?;
        // A draft of one's own refuses any new review; an edit of an old one it does not touch.
        let creates = !post.comments.is_empty() || post.summary == SummaryPlan::Write;
        let (mut known, mut own) = (HashSet::new(), Vec::new());
        if creates {
            for review in github.reviews(number).await? {
                if review.is_pending() {
                    return Err(Trouble::Pending { url: review.html_url });
                }
                known.insert(review.id);
                let is_summary = matches!(Marker::read(review.text(), Dialect::GitHub), Some(Marker::Review { .. }));
                if is_summary && is_own(me, review.user.as_ref()) {
                    own.push(review);
                }
            }
        }
        let overtaken = match post.comments.is_empty() {
            true => Vec::new(),
            false => github.unseen_comments(number, me).await?,
        };
        // The head comes last: the less time between it and the write, the better.
        let pull = github.pull(number).await?;
        if pull.is_archived() {
            return Err(Trouble::Archived);
        }
        if pull.locked {
            return Err(Trouble::Locked);
        }
        let now = commit(&pull.head.sha)?;
        if now != post.commit {
            return Err(Trouble::HeadMoved { expected: post.commit.clone(), now });
        }
        if pull.base.name != post.base_branch {
            return Err(Trouble::BaseMoved { expected: post.base_branch.clone(), now: pull.base.name });
        }
        Ok(Self { github, number, post, consent, me, known, overtaken, own })
    }

    async fn go(&self) -> Outcome {
        if self.post.comments.is_empty() {
            match &self.post.summary {
                SummaryPlan::Leave { url } => return self.outcome(SummaryOutcome::AlreadyPosted { url: url.clone() }),
                SummaryPlan::Update(own) => {
                    return match (self.post.text)(&[]) {
                        Ok(text) => {
                            let (words, url) = (own.words.clone(), own.url.clone());
                            self.edit(Stored { id: own.id, text: &own.body, words, url }, text).await
                        }
                        Err(alarm) => self.nothing(alarm.into()),
                    };
                }
                SummaryPlan::Write => {}
            }
        }
        let all: Vec<&OutgoingComment> = self.post.comments.iter().collect();
        let item =
            |comment: &&OutgoingComment| match self.overtaken.iter().find(|there| readback::is_of(comment, there)) {
                Some(there) => ItemOutcome::Stands { url: there.html_url.clone() },
                None => ItemOutcome::Posted { url: None },
            };
        let mut items: Vec<ItemOutcome> = all.iter().map(item).collect();
        let mut text = match (self.post.text)(&items) {
            Ok(text) => text,
            Err(alarm) => return self.nothing(alarm.into()),
        };
        let is_posted = |(_, item): &(_, &ItemOutcome)| matches!(item, ItemOutcome::Posted { .. });
        let mut kept: Vec<_> = all.iter().copied().zip(&items).filter(is_posted).map(|(comment, _)| comment).collect();
        if kept.is_empty()
            && let Some(own) = self.unseen_summary()
        {
            let summary = SummaryOutcome::AlreadyPosted { url: own.html_url.clone() };
            return Outcome { items, ..self.outcome(summary) };
        }
        let mut ended = self.attempt(&text, &kept).await;
        if let Ended::Refused { sentences, .. } = &ended {
            match self.without_guesses(sentences, &kept).await {
                Ok(Some(sure)) => {
                    let guessed = items.iter_mut().zip(&all).filter(|(item, comment)| {
                        matches!(item, ItemOutcome::Posted { .. }) && culprit::is_guess(comment)
                    });
                    for (item, comment) in guessed {
                        let detail = format!(
                            "GitHub refused the review, and does not document LEFT in a renamed file ({})",
                            comment.old_path
                        );
                        *item = ItemOutcome::Disagrees { detail };
                    }
                    kept = sure;
                    text = match (self.post.text)(&items) {
                        Ok(text) => text,
                        Err(alarm) => return self.nothing(alarm.into()),
                    };
                    // With nothing left to post, what stands of this head is brought to the truth: another
                    // summary would come with every run.
                    if let Some(standing) = self.summary_of_head().filter(|_| kept.is_empty()) {
                        let stored = standing.text();
                        let (words, url) = (own_words(stored, Dialect::GitHub, &[]), standing.html_url.clone());
                        let stored = Stored { id: standing.id, text: stored, words, url };
                        let outcome = self.edit(stored, resigned(&text, standing.text())).await;
                        return Outcome { items, ..outcome };
                    }
                    ended = self.attempt(&text, &kept).await;
                }
                Ok(None) => {}
                Err(moved) => ended = Ended::Failed(moved),
            }
        }
        self.github.api().http().tell(Event::Posting { done: all.len(), of: all.len() });
        let mut outcome = match ended {
            Ended::Stands(review, comments) => self.stands(review, comments, (&text, &kept), items).await,
            Ended::Refused { status, sentences } => {
                let named = all.iter().map(|comment| comment.path.clone()).collect::<BTreeSet<_>>();
                let patches = self.github.files(self.number, &named).await.ok();
                let suspects = culprit::suspects(&all, patches.as_ref());
                self.nothing(Trouble::Refused { status, sentences, suspects })
            }
            Ended::Failed(trouble) => self.nothing(trouble),
            Ended::Unknown(trouble) => self.unknown(trouble),
        };
        (self.post.settled)(&outcome.items);
        outcome.summary_text = Some(text);
        outcome
    }

    /// Makes the call, and if its answer says nothing for sure, looks at what became of it.
    async fn attempt(&self, text: &str, comments: &[&OutgoingComment]) -> Ended {
        let api = self.github.api();
        let review = OutgoingReview::new(self.post.commit.as_str(), text, comments);
        let url = match api.url(&format!("{}/reviews", self.github.pull_path(self.number))) {
            Ok(url) => url,
            Err(trouble) => return Ended::Failed(trouble),
        };
        let sent = Sent { number: self.number, text, comments, known: &self.known, me: self.me };
        if let Some(ended) = self.earlier(&sent).await {
            return ended;
        }
        (self.post.settled)(&vec![ItemOutcome::in_flight(); self.post.comments.len()]);
        let (mut url, mut attempt) = (url, 0);
        let answered = loop {
            attempt += 1;
            let answer = match api.post(&url, &review, self.consent).await {
                Ok(answer) => answer,
                Err(trouble) => break Err(trouble),
            };
            let Some(again) = api.http().again(&url, &answer, attempt) else { break api.parse::<Review>(&answer) };
            match again {
                SendAgain::At(to) => url = to,
                SendAgain::After(pause) => {
                    if api.http().wait(WaitFor::Throttle, pause).await.is_err() {
                        break api.parse::<Review>(&answer);
                    }
                }
            }
            match look::once(self.github, &sent).await {
                Ok(Found::Absent) => {}
                _ => break api.parse::<Review>(&answer),
            }
        };
        let trouble = match answered {
            Ok(review) if look::is_of(&sent, &review) => return Ended::Stands(review, None),
            Ok(_) => Trouble::Unreadable { cause: "it is not that of the review that was sent".to_owned() },
            // A write to what was just read: the token may see it, and no more.
            Err(Trouble::NoRequest) => {
                Trouble::Forbidden { message: "404 on a request that it can read".to_owned(), needs: None }
            }
            Err(trouble) => trouble,
        };
        let found = match trouble.of_write() {
            OfWrite::NeverSent => return Ended::Failed(trouble),
            // A refusal is believed where nothing stands; it has been seen to leave a summary behind.
            OfWrite::Refused => match look::once(self.github, &sent).await {
                Ok(Found::Absent) => {
                    return match trouble {
                        Trouble::Refused { status, sentences, .. } => Ended::Refused { status, sentences },
                        trouble => Ended::Failed(trouble),
                    };
                }
                // Its comments may be listed later than the summary.
                Ok(Found::Orphan(_)) => look::patiently(self.github, &sent).await,
                found => found,
            },
            OfWrite::Open => look::patiently(self.github, &sent).await,
        };
        match found {
            Ok(found) => self.settle(found, trouble).await,
            Err(look) => Ended::Unknown(Trouble::Unlearned { cause: format!("{trouble}; and then: {look}") }),
        }
    }

    /// What an earlier run left of this very call: it may have been cut off before it could look, and
    /// the forge may have stored the summary alone. `None` where the call is still to be made.
    async fn earlier(&self, sent: &Sent<'_>) -> Option<Ended> {
        let marker = Marker::read(sent.text, Dialect::GitHub)?;
        let is_it = |own: &Review| Marker::read(own.text(), Dialect::GitHub).is_some_and(|own| own.same_call(&marker));
        if !self.own.iter().any(is_it) {
            return None;
        }
        let none = HashSet::new();
        match look::patiently(self.github, &Sent { known: &none, ..*sent }).await {
            Ok(Found::Whole { review, comments }) => Some(Ended::Stands(review, Some(comments))),
            Ok(Found::Orphan(review)) => self.disown(&review).await.err().map(Ended::Failed),
            Ok(Found::Absent | Found::Draft(_)) => None,
            Err(trouble) => Some(Ended::Failed(trouble)),
        }
    }

    /// The newest own summary of the head and of the review that are posted.
    fn summary_of_head(&self) -> Option<&Review> {
        let is_it = |review: &&Review| {
            let marker = Marker::read(review.text(), Dialect::GitHub);
            matches!(marker, Some(Marker::Review { head, by, .. }) if head == self.post.commit && by == self.post.by)
        };
        self.own.iter().rev().find(is_it)
    }

    /// Takes the marker from a summary that is there without its comments, and lets it say so.
    async fn disown(&self, orphan: &Review) -> Result<(), Trouble> {
        let note = "This review was not completed: GitHub stored its summary without its comments. \
                    It does not count, and a later one takes its place.";
        let words = own_words(orphan.text(), Dialect::GitHub, &[]);
        self.put(orphan.id, &disowned(orphan.text(), Dialect::GitHub, words, note)).await.map(drop)
    }

    /// What a look says of a write that ended so. After an open end what is not listed may be listed later: only
    /// another run, with more patience, can tell.
    async fn settle(&self, found: Found, trouble: Trouble) -> Ended {
        let open = trouble.of_write() == OfWrite::Open;
        match found {
            Found::Whole { review, comments } => Ended::Stands(review, Some(comments)),
            Found::Draft(review) => Ended::Failed(Trouble::Pending { url: review.html_url }),
            Found::Absent if open => Ended::Unknown(Trouble::Unlearned { cause: format!("{trouble}; not listed yet") }),
            Found::Absent => Ended::Failed(trouble),
            Found::Orphan(review) if open => Ended::Unknown(Trouble::Unlearned {
                cause: format!(
                    "{trouble}; its summary stands at {}, and its comments are not listed yet",
                    review.html_url.as_deref().unwrap_or("an unknown place")
                ),
            }),
            Found::Orphan(review) => match self.disown(&review).await {
                Ok(()) => Ended::Failed(Trouble::Orphan { url: review.html_url }),
                // It keeps its marker, and would pass for a summary.
                Err(edit) => Ended::Unknown(Trouble::Unlearned {
                    cause: format!(
                        "a summary without its comments stands at {}, and could not be edited: {edit}",
                        review.html_url.as_deref().unwrap_or("an unknown place")
                    ),
                }),
            },
        }
    }

    /// After a refusal that is about places: the comments whose placement is no guess, where sending
    /// them alone is allowed and is something else.
    ///
    /// # Errors
    ///
    /// When the head moved meanwhile, which explains the refusal.
    async fn without_guesses(
        &self,
        sentences: &[String],
        sent: &[&'a OutgoingComment],
    ) -> Result<Option<Vec<&'a OutgoingComment>>, Trouble> {
        let now = self.github.pull(self.number).await.and_then(|pull| commit(&pull.head.sha));
        match now {
            Ok(now) if now != self.post.commit => {
                return Err(Trouble::HeadMoved { expected: self.post.commit.clone(), now });
            }
            Ok(_) => {}
            // The refusal is what there is to tell.
            Err(_) => return Ok(None),
        }
        let sure: Vec<_> = sent.iter().copied().filter(|comment| !culprit::is_guess(comment)).collect();
        let may = refusal::is_about_places(sentences) && self.post.expectation == Expectation::None;
        Ok((may && sure.len() < sent.len()).then_some(sure))
    }

    /// The review stands: where, and whether as it was sent.
    async fn stands(
        &self,
        review: Review,
        comments: Option<Vec<Comment>>,
        (text, kept): (&str, &[&OutgoingComment]),
        mut items: Vec<ItemOutcome>,
    ) -> Outcome {
        let mut warnings = Vec::new();
        let mut twins = Vec::new();
        let mut stop = None;
        let comments = match self.github.comments(self.number).await {
            Ok(_) if kept.is_empty() => Some(Vec::new()),
            Ok(listed) => {
                let (listed, others): (Vec<_>, Vec<_>) =
                    listed.into_iter().partition(|comment| comment.pull_request_review_id == Some(review.id));
                twins.extend(self.twins(kept, &listed, &others));
                Some(listed)
            }
            Err(trouble) => {
                let message = format!("the review stands, and its comments could not be read back: {trouble}");
                warnings.push(Warning::run(Code::ReadBack, message));
                // Nobody has seen its comments then, and GitHub may have stored it without them.
                if matches!(trouble, Trouble::Fault(Fault::Interrupted)) && comments.is_none() {
                    stop = Some(self.stop(trouble));
                }
                // A look has seen that they are there, if not at which lines.
                comments
            }
        };
        if let Some(comments) = &comments {
            warnings.extend(readback::differences(kept, comments));
            let urls = readback::pair(kept, comments).into_iter().map(|c| c.and_then(|c| c.html_url.clone()));
            let posted = items.iter_mut().filter(|item| matches!(item, ItemOutcome::Posted { .. }));
            posted.zip(urls).for_each(|(item, url)| *item = ItemOutcome::Posted { url });
        }
        for (item, comment) in items.iter().zip(&self.post.comments).filter(|_| comments.is_some()) {
            if let ItemOutcome::Posted { url: None } = item {
                let message = format!("GitHub named no URL for the comment at {}:{}", comment.path, comment.range);
                warnings.push(Warning::finding(Code::NoUrl, comment.finding, message));
            }
        }
        warnings.extend(self.another_summary(&review, text).await);
        twins.extend(self.summary_twin(&review, text).await);
        if review.html_url.is_none() {
            warnings.push(Warning::run(Code::NoUrl, "GitHub named no URL for the review"));
        }
        let summary = SummaryOutcome::Posted { url: review.html_url };
        Outcome { items, summary, summary_text: None, stop, warnings, twins }
    }

    /// Which of the comments stand twice: another run sent them at the same time.
    fn twins(&self, kept: &[&OutgoingComment], listed: &[Comment], others: &[Comment]) -> Vec<Twin> {
        let pairs = kept.iter().zip(readback::pair(kept, listed));
        let new = |comment: &&Comment| {
            is_own(self.me, comment.user.as_ref())
                && !self.github.seen().is_some_and(|seen| seen.comments.contains(&comment.id))
        };
        let others: Vec<_> = others.iter().filter(new).collect();
        let twin = |(sent, stored): (&&OutgoingComment, Option<&Comment>)| {
            let other = others.iter().find(|other| readback::is_of(sent, other))?;
            let urls = [stored.and_then(|stored| stored.html_url.clone()), other.html_url.clone()];
            Some(Twin { finding: Some(sent.finding), urls })
        };
        pairs.filter_map(twin).collect()
    }

    /// Another run's review of the very same call.
    async fn summary_twin(&self, ours: &Review, text: &str) -> Option<Twin> {
        let sent = Sent { number: self.number, text, comments: &[], known: &self.known, me: self.me };
        let reviews = self.github.reviews(self.number).await.ok()?;
        let is_it = |review: &&Review| {
            review.id != ours.id
                && !self.known.contains(&review.id)
                && !review.is_pending()
                && is_own(self.me, review.user.as_ref())
                && look::is_of(&sent, review)
        };
        let other = reviews.iter().find(is_it)?;
        Some(Twin { finding: None, urls: [ours.html_url.clone(), other.html_url.clone()] })
    }

    /// The summary of this head that another run wrote since the plan was made.
    fn unseen_summary(&self) -> Option<&Review> {
        let seen = self.github.seen()?;
        self.summary_of_head().filter(|own| !seen.reviews.contains(&own.id))
    }

    /// Nothing stands, and it is known.
    pub(super) fn nothing(&self, trouble: Trouble) -> Outcome {
        let stop = self.stop(trouble);
        let (item, summary) = (ItemOutcome::stopped(&stop.trouble), SummaryOutcome::stopped(&stop.trouble));
        let items = vec![item; self.post.comments.len()];
        Outcome { items, summary, summary_text: None, stop: Some(stop), warnings: Vec::new(), twins: Vec::new() }
    }

    pub(super) fn unknown(&self, trouble: Trouble) -> Outcome {
        let message = trouble.to_string();
        Outcome {
            items: vec![ItemOutcome::Unknown { message: message.clone() }; self.post.comments.len()],
            summary: SummaryOutcome::Unknown { message },
            summary_text: None,
            stop: Some(self.stop(trouble)),
            warnings: Vec::new(),
            twins: Vec::new(),
        }
    }

    fn stop(&self, trouble: Trouble) -> ForgeError {
        self.github.error(Doing::writing(format!("post the review to #{}", self.number)), trouble)
    }

    pub(super) fn outcome(&self, summary: SummaryOutcome) -> Outcome {
        let (items, warnings, twins) = (Vec::new(), Vec::new(), Vec::new());
        Outcome { items, summary, summary_text: None, stop: None, warnings, twins }
    }
}

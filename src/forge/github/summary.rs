//! A summary that stands: brought to the truth, and read back.

use std::ops::Range;

use serde::Serialize;

use super::review::Run;
use super::wire::Review;
use crate::forge::error::OfWrite;
use crate::forge::post::{changed_by_person, same_text};
use crate::forge::{Outcome, SummaryOutcome, Trouble};
use crate::text::marker::Marker;
use crate::text::{Dialect, Rewrite, own_words, rewrite, with_marker};
use crate::warning::{Code, Warning};

/// A summary that stands, and where our own words are in it.
pub(super) struct Stored<'s> {
    pub id: u64,
    pub text: &'s str,
    pub words: Option<Range<usize>>,
    pub url: Option<String>,
}

impl Run<'_> {
    /// Brings a summary that stands to what is true now.
    pub(super) async fn edit(&self, standing: Stored<'_>, text: String) -> Outcome {
        let Stored { id, text: stored, words, url } = standing;
        // A person may have written into it since it was listed.
        let fresh = self.read(id).await.map_or_else(|_| stored.to_owned(), |review| review.text().to_owned());
        let words = if same_text(&fresh, stored) { words } else { own_words(&fresh, Dialect::GitHub, &[]) };
        let text = match rewrite(&fresh, Dialect::GitHub, words, &text) {
            Rewrite::New(text) => text,
            Rewrite::Same => {
                return Outcome { summary_text: Some(fresh), ..self.outcome(SummaryOutcome::AlreadyPosted { url }) };
            }
            Rewrite::ChangedByPerson => {
                let warnings = vec![changed_by_person(url.as_deref())];
                let outcome = self.outcome(SummaryOutcome::AlreadyPosted { url });
                return Outcome { summary_text: Some(text), warnings, ..outcome };
            }
        };
        let mut outcome = match self.put(id, &text).await {
            Ok(review) => {
                let warnings = self.another_summary(&review, &text).await.into_iter().collect();
                Outcome { warnings, ..self.outcome(SummaryOutcome::Updated { url }) }
            }
            Err(trouble) if trouble.of_write() == OfWrite::NeverSent => self.nothing(trouble),
            Err(trouble) => match self.read(id).await {
                Ok(review) if same_text(&text, review.text()) => self.outcome(SummaryOutcome::Updated { url }),
                Ok(_) if trouble.of_write() == OfWrite::Refused => self.nothing(trouble),
                Ok(_) => self.unknown(Trouble::Unlearned { cause: format!("{trouble}; the old text stands yet") }),
                Err(look) => self.unknown(Trouble::Unlearned { cause: format!("{trouble}; and then: {look}") }),
            },
        };
        outcome.summary_text = Some(text);
        outcome
    }

    /// What is said where the stored summary is not what was sent. If it cannot be read once more, the
    /// answer is the last that is known of it.
    pub(super) async fn another_summary(&self, answered: &Review, sent: &str) -> Option<Warning> {
        let listed = self.read(answered.id).await.ok();
        let same = same_text(sent, listed.as_ref().unwrap_or(answered).text());
        (!same).then(|| Warning::run(Code::ReadBack, "the summary that stands is not the one that was sent"))
    }

    async fn read(&self, id: u64) -> Result<Review, Trouble> {
        self.github.api().read(&format!("{}/reviews/{id}", self.github.pull_path(self.number))).await
    }

    pub(super) async fn put(&self, id: u64, body: &str) -> Result<Review, Trouble> {
        #[derive(Serialize)]
        struct Edited<'a> {
            body: &'a str,
        }
        let api = self.github.api();
        let url = api.url(&format!("{}/reviews/{id}", self.github.pull_path(self.number)))?;
        let answer = api.put(&url, &Edited { body }, self.consent).await?;
        api.parse(&answer)
    }
}

/// The text with the marker of the one that it takes the place of, so that an equal text is equal to the
/// last byte.
pub(super) fn resigned(text: &str, standing: &str) -> String {
    let body = text.rsplit_once('\n').map_or("", |(body, _)| body).trim_end();
    let marker = Marker::read(standing, Dialect::GitHub);
    marker.map_or_else(|| text.to_owned(), |marker| with_marker(body, &marker.over(body)))
}

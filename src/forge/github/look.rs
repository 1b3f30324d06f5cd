//! What an unclear answer left behind: the reviews are listed, and the marker of the call looked for.

use std::collections::HashSet;
use std::time::Duration;

use super::project::GitHub;
use super::readback;
use super::standing::is_own;
use super::wire::{Comment, Review};
use crate::forge::post::same_text;
use crate::forge::{Identity, OutgoingComment, Trouble, WaitFor};
use crate::text::Dialect;
use crate::text::marker::Marker;

/// One review that was sent, and how to know it again.
pub struct Sent<'a> {
    pub number: u64,
    pub text: &'a str,
    pub comments: &'a [&'a OutgoingComment],
    /// The reviews that stood before.
    pub known: &'a HashSet<u64>,
    pub me: &'a Identity,
}

/// What a look settled.
pub enum Found {
    /// With all its comments.
    Whole {
        review: Review,
        comments: Vec<Comment>,
    },
    /// The summary without its comments.
    Orphan(Review),
    /// A draft that was never submitted.
    Draft(Review),
    Absent,
}

/// GitHub gives up on a call after ten seconds; the lists may trail by more. The first look comes at once.
const LOOKS: [u64; 4] = [0, 2, 4, 8];

/// Looks until it is found whole, or for as long as it may still come.
///
/// # Errors
///
/// Where the last look failed: then nothing is settled.
pub async fn patiently(github: &GitHub, sent: &Sent<'_>) -> Result<Found, Trouble> {
    let mut last = Ok(Found::Absent);
    for seconds in LOOKS {
        // Interrupted, or out of time: what the last look saw is all there is.
        if seconds > 0 && github.api().http().wait(WaitFor::Look, Duration::from_secs(seconds)).await.is_err() {
            return match last {
                Ok(Found::Absent) => Err(Trouble::Unlearned { cause: "the look for it was cut short".to_owned() }),
                last => last,
            };
        }
        last = once(github, sent).await;
        if let Ok(Found::Whole { .. }) = last {
            return last;
        }
    }
    last
}

/// Whether this is the review that was sent, by its marker, or else by its text.
pub fn is_of(sent: &Sent<'_>, review: &Review) -> bool {
    match (Marker::read(sent.text, Dialect::GitHub), Marker::read(review.text(), Dialect::GitHub)) {
        (Some(sent), Some(stored)) => sent.same_call(&stored),
        _ => same_text(sent.text, review.text()),
    }
}

/// One look.
pub async fn once(github: &GitHub, sent: &Sent<'_>) -> Result<Found, Trouble> {
    let reviews = github.reviews(sent.number).await?;
    let mine = reviews.into_iter().filter(|review| {
        !sent.known.contains(&review.id) && is_own(sent.me, review.user.as_ref()) && is_of(sent, review)
    });
    let mut found = Found::Absent;
    for review in mine {
        if review.is_pending() {
            found = Found::Draft(review);
            continue;
        }
        let comments = github.review_comments(sent.number, review.id).await?;
        if readback::pair(sent.comments, &comments).iter().all(Option::is_some) {
            return Ok(Found::Whole { review, comments });
        }
        found = Found::Orphan(review);
    }
    Ok(found)
}

//! What an unclear answer left behind: a note is often written before the server fails.

use std::time::Duration;

use super::project::GitLab;
use super::standing::is_own;
use super::wire::Note;
use crate::forge::post::same_text;
use crate::forge::{Identity, Trouble, WaitFor};
use crate::text::Dialect;
use crate::text::marker::Marker;

/// The note is written early in the call, so it is there at once or never; the later looks are for
/// replicas that trail.
const LOOKS: [u64; 3] = [0, 2, 4];

/// The own note with the marker of this text (without one: with this text), the newest.
///
/// # Errors
///
/// Where the look failed, or was cut short: then nothing is settled.
pub async fn patiently(gitlab: &GitLab, number: u64, me: &Identity, sent: &str) -> Result<Option<Note>, Trouble> {
    let mut last = Ok(None);
    for seconds in LOOKS {
        if seconds > 0 && gitlab.api().http().wait(WaitFor::Look, Duration::from_secs(seconds)).await.is_err() {
            let cause = "the look for it was cut short".to_owned();
            return last.and_then(|note: Option<Note>| note.map(Some).ok_or(Trouble::Unlearned { cause }));
        }
        last = once(gitlab, number, me, sent).await;
        if let Ok(Some(_)) = last {
            return last;
        }
    }
    last
}

async fn once(gitlab: &GitLab, number: u64, me: &Identity, sent: &str) -> Result<Option<Note>, Trouble> {
    let marker = Marker::read(sent, Dialect::GitLab);
    let is_it = |note: &Note| match (&marker, Marker::read(&note.body, Dialect::GitLab)) {
        (Some(sent), Some(stored)) => sent.same_call(&stored),
        _ => same_text(sent, &note.body),
    };
    let notes = gitlab.notes(number).await?;
    let mine = notes.into_iter().filter(|note| !note.system && is_own(me, note.author.as_ref()) && is_it(note));
    Ok(mine.max_by_key(|note| note.id))
}

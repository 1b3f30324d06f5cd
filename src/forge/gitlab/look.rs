//! What an unclear answer left behind: a note is often written before the server fails.

use std::collections::HashSet;
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
const LOOKS: [u64; 4] = [0, 2, 4, 8];

/// What is looked for.
pub struct Sought<'a> {
    pub number: u64,
    pub me: &'a Identity,
    pub text: &'a str,
    /// The notes that were there before it was sent.
    pub known: &'a HashSet<u64>,
}

/// Whether a note is the one that was sent, by its marker, or else by its text.
pub fn is_of(sent: &str, note: &Note) -> bool {
    match (Marker::read(sent, Dialect::GitLab), Marker::read(note.text(), Dialect::GitLab)) {
        (Some(sent), Some(stored)) => sent.same_call(&stored),
        _ => same_text(sent, note.text()),
    }
}

/// The note that this text became, the newest.
///
/// # Errors
///
/// Where the look failed, or was cut short: then nothing is settled.
pub async fn patiently(gitlab: &GitLab, sought: &Sought<'_>) -> Result<Option<Note>, Trouble> {
    let mut last = Ok(None);
    for seconds in LOOKS {
        if seconds > 0 && gitlab.api().http().wait(WaitFor::Look, Duration::from_secs(seconds)).await.is_err() {
            let cause = "the look for it was cut short".to_owned();
            return last.and_then(|note: Option<Note>| note.map(Some).ok_or(Trouble::Unlearned { cause }));
        }
        last = once(gitlab, sought).await;
        if let Ok(Some(_)) = last {
            return last;
        }
    }
    last
}

/// One look.
pub async fn once(gitlab: &GitLab, sought: &Sought<'_>) -> Result<Option<Note>, Trouble> {
    let notes = gitlab.notes(sought.number).await?;
    let is_it = |note: &Note| {
        !note.system
            && !sought.known.contains(&note.id)
            && is_own(sought.me, note.author.as_ref())
            && is_of(sought.text, note)
    };
    Ok(notes.into_iter().filter(is_it).max_by_key(|note| note.id))
}

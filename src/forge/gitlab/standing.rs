//! What of ours stands on a request, told by author and marker.

use std::collections::BTreeMap;

use super::made::made;
use super::wire::{Note, User};
use crate::forge::strangers::Strangers;
use crate::forge::{Author, Identity};
use crate::gate::{Located, OwnComment, OwnSummary, Standing, Stands};
use crate::text::Dialect;
use crate::text::marker::Marker;

/// The page of a note.
pub fn note_url(request_url: &str, note: u64) -> String {
    format!("{request_url}#note_{note}")
}

pub fn is_own(me: &Identity, author: Option<&User>) -> bool {
    author.is_some_and(|author| me.owns(&Author::from(author.clone())))
}

/// The same note may be listed twice, on its own and in its discussion. A comment that was stored
/// without its position counts as well: it is there to be read.
pub fn standing(me: &Identity, request_url: &str, notes: impl IntoIterator<Item = Note>) -> Standing {
    let by_id: BTreeMap<u64, Note> =
        notes.into_iter().filter(|note| !note.system).map(|note| (note.id, note)).collect();
    let mut standing = Standing::default();
    let mut strangers = Strangers::default();
    for (id, note) in by_id {
        standing.listed.insert(note_url(request_url, id));
        let Some(marker) = Marker::read(note.text(), Dialect::GitLab) else { continue };
        let url = Some(note_url(request_url, id));
        let stands = if note.is_at_line() { Stands::AtLine } else { Stands::Adrift };
        if !is_own(me, note.author.as_ref()) {
            strangers.note(note.author.map(|author| author.username), url);
            continue;
        }
        match marker {
            Marker::Finding { finding, place, by } => {
                let made = note.position.as_ref().filter(|_| stands == Stands::AtLine).and_then(made);
                standing.comments.push(OwnComment {
                    finding,
                    place,
                    by,
                    url,
                    stands,
                    made,
                    located: Located::default(),
                });
            }
            Marker::Review { review, head, by, .. } => {
                standing.summaries.push(OwnSummary {
                    id,
                    review,
                    head,
                    by,
                    body: note.body.unwrap_or_default(),
                    words: None,
                    url,
                });
            }
        }
    }
    standing.find_words(Dialect::GitLab);
    standing.warnings = strangers.warnings();
    standing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c35_notes_count_once_oldest_first_and_only_own_ones() {
        let finding = "x\n<!-- dai v1 finding=0123456789abcdef place=fedcba9876543210 -->";
        let summary = format!("s\n<!-- dai v1 review=0123456789abcdef head={} -->", "a".repeat(40));
        let note = |id: u64, author: u64, body: &str, system: bool| Note {
            id,
            kind: None,
            body: Some(body.into()),
            author: Some(User { id: author, username: format!("u{author}") }),
            system,
            position: None,
        };
        let me = Identity::User { id: 7, login: "u7".into() };
        let notes = vec![
            note(9, 7, &summary, false),
            note(5, 7, finding, false),
            note(3, 7, &summary, false),
            note(5, 7, finding, false),
            note(6, 8, finding, false),
            note(8, 7, finding, true),
        ];
        let standing = standing(&me, "https://h/1", notes);
        assert_eq!(standing.summaries.iter().map(|s| s.id).collect::<Vec<_>>(), [3, 9]);
        assert_eq!(standing.comments.len(), 1);
        assert_eq!(standing.comments[0].url.as_deref(), Some("https://h/1#note_5"));
        assert_eq!(standing.warnings.len(), 1);
        assert!(standing.warnings[0].message.contains("u8") && standing.warnings[0].message.contains("#note_6"));
    }
}

//! Whether what GitLab lists is what was sent to it.

use std::collections::BTreeMap;

use super::position::Position;
use super::refs::Refs;
use super::wire::Note;
use crate::forge::OutgoingComment;
use crate::forge::post::same_text;
use crate::warning::{Code, Warning};

/// What differs, said for each comment. `sent` pairs each with the note that it became.
pub fn differences(sent: &[(&OutgoingComment, u64)], refs: &Refs, stored: &[Note]) -> Vec<Warning> {
    let stored: BTreeMap<u64, &Note> = stored.iter().map(|note| (note.id, note)).collect();
    let mut warnings = Vec::new();
    for (comment, note) in sent {
        let mut say = |message: String| warnings.push(Warning::finding(Code::ReadBack, comment.finding, message));
        let place = format!("{}:{}", comment.path, comment.range);
        let Some(note) = stored.get(note) else {
            say(format!("GitLab took the comment for {place}, and does not list it"));
            continue;
        };
        let wanted = Position::new(refs, comment);
        if let Some(position) = &note.position {
            if (position.old_line, position.new_line) != (wanted.old_line, wanted.new_line) {
                let line = |line: Option<u32>| line.map_or_else(|| "none".to_owned(), |line| line.to_string());
                say(format!(
                    "the comment for {place} stands at old line {}, new line {}",
                    line(position.old_line),
                    line(position.new_line)
                ));
            }
            let paths = [(&position.old_path, &comment.old_path), (&position.new_path, &comment.new_path)];
            if let Some((stands, _)) = paths.iter().find(|(there, sent)| there.as_ref().is_some_and(|p| p != *sent)) {
                say(format!("the comment for {place} stands in {}", stands.as_deref().unwrap_or_default()));
            }
        }
        if !same_text(&comment.body, note.text()) {
            say(format!("the text that GitLab stored for {place} is not the one that was sent"));
        }
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::super::tests::fake::{body, comments, sha};
    use super::super::wire::{StoredPosition, User};
    use super::*;
    use crate::change::CommitId;

    fn note(id: u64, body: &str, new_line: u32, new_path: &str) -> Note {
        let position = StoredPosition {
            old_line: Some(new_line - 10),
            new_line: Some(new_line),
            old_path: Some("old.rs".into()),
            new_path: Some(new_path.into()),
            ..StoredPosition::default()
        };
        let author = Some(User { id: 7, username: "me".into() });
        Note {
            id,
            kind: Some("DiffNote".into()),
            body: Some(body.into()),
            author,
            system: false,
            position: Some(position),
        }
    }

    #[test]
    fn count_path_line_and_text_are_compared_and_each_difference_is_named() {
        let comments = comments(6);
        let sent: Vec<_> = comments.iter().zip(50..).collect();
        let commit = |c| CommitId::parse(&sha(c)).unwrap();
        let refs = Refs { base: commit('b'), start: commit('b'), head: commit('a') };
        let stored = [
            note(50, &format!("{}\r\n", body(0).replace('\n', "\r\n")), 20, "new.rs"),
            note(50, &body(0), 20, "new.rs"),
            note(51, &body(1), 99, "new.rs"),
            note(52, &body(2), 22, "other.rs"),
            note(53, &body(3).replace("text", "words"), 23, "new.rs"),
            note(54, &body(4), 24, "new.rs"),
            note(60, &body(4), 24, "new.rs"),
        ];
        let said: Vec<_> = differences(&sent, &refs, &stored).into_iter().map(|w| (w.finding, w.message)).collect();
        let expected = [
            (1, "the comment for new.rs:21 stands at old line 89, new line 99"),
            (2, "the comment for new.rs:22 stands in other.rs"),
            (3, "the text that GitLab stored for new.rs:23 is not the one that was sent"),
            (5, "GitLab took the comment for new.rs:25, and does not list it"),
        ];
        assert_eq!(said, expected.map(|(at, message)| (Some(at), message.to_owned())));
    }
}

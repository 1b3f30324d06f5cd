//! Whether what stands is what was sent.

use super::wire::Comment;
use crate::forge::OutgoingComment;
use crate::forge::post::same_text;
use crate::review::LineRange;
use crate::text::Dialect;
use crate::text::marker::Marker;
use crate::warning::{Code, Warning};

/// Whether a comment is the one that was sent, by its marker.
pub fn is_of(sent: &OutgoingComment, stored: &Comment) -> bool {
    Marker::read(&sent.body, Dialect::GitHub)
        .is_some_and(|marker| Marker::read(stored.text(), Dialect::GitHub) == Some(marker))
}

/// For each sent comment the stored one: by its whole text, then by its marker, each stored one once.
pub fn pair<'s>(sent: &[&OutgoingComment], stored: &'s [Comment]) -> Vec<Option<&'s Comment>> {
    let mut left: Vec<&Comment> = stored.iter().collect();
    let mut pairs = vec![None; sent.len()];
    let exact = |sent: &OutgoingComment, stored: &Comment| same_text(&sent.body, stored.text());
    for same in [&exact as &dyn Fn(&OutgoingComment, &Comment) -> bool, &is_of] {
        for (pair, sent) in pairs.iter_mut().zip(sent).filter(|(pair, _)| pair.is_none()) {
            if let Some(at) = left.iter().position(|stored| stored.path == sent.path && same(sent, stored)) {
                *pair = Some(left.remove(at));
            }
        }
    }
    pairs
}

/// What differs, said for each finding.
pub fn differences(sent: &[&OutgoingComment], stored: &[Comment]) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for (sent, stored) in sent.iter().zip(pair(sent, stored)) {
        let mut say = |message: String| warnings.push(Warning::finding(Code::ReadBack, sent.finding, message));
        let place = format!("{}:{}", sent.path, sent.range);
        let Some(stored) = stored else {
            say(format!("GitHub took the review, and does not list the comment at {place}"));
            continue;
        };
        if !same_text(&sent.body, stored.text()) {
            say(format!("the text that GitHub stored at {place} is not the one that was sent"));
        }
        // Outdated at once, by a push in between, is no line at all.
        let Some(end) = stored.line.or(stored.original_line) else { continue };
        let start = stored.start_line.or(stored.original_start_line).unwrap_or(end);
        let stands = LineRange::new(start, end);
        if stands != sent.range {
            say(format!("the comment for {place} stands at {stands}"));
        }
    }
    if stored.len() > sent.len() {
        let message = format!("{} comments were sent, and GitHub lists {} of the review", sent.len(), stored.len());
        warnings.push(Warning::run(Code::ReadBack, message));
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::super::outgoing::tests::comment;
    use super::*;
    use crate::review::Side;

    fn stored(path: &str, line: u32, body: &str) -> Comment {
        let (body, html_url) = (Some(body.to_owned()), Some(format!("{path}#{line}")));
        Comment { body, path: path.into(), line: Some(line), html_url, ..Comment::default() }
    }

    #[test]
    fn equal_texts_pair_and_each_difference_is_said_once() {
        let marker = "<!-- dai v1 finding=0123456789abcdef place=fedcba9876543210 -->";
        let sent = [
            comment(0, "a", Side::Right, LineRange::line(1), "one\ntwo"),
            comment(1, "a", Side::Right, LineRange::line(2), "same"),
            comment(2, "a", Side::Right, LineRange::line(3), "same"),
            comment(3, "b", Side::Right, LineRange::line(4), &format!("x\n{marker}")),
            comment(4, "c", Side::Right, LineRange::line(5), "gone"),
        ];
        let sent: Vec<_> = sent.iter().collect();
        let there = [
            stored("a", 2, "same"),
            stored("a", 3, "same"),
            stored("a", 1, "one\r\ntwo\n"),
            stored("b", 9, &format!("changed\n{marker}")),
            stored("d", 5, "gone"),
        ];
        let found: Vec<_> = pair(&sent, &there).iter().map(|c| c.and_then(|c| c.html_url.clone())).collect();
        let url = |u: &str| Some(u.to_owned());
        assert_eq!(found, [url("a#1"), url("a#2"), url("a#3"), url("b#9"), None]);
        let said: Vec<_> = differences(&sent, &there).into_iter().map(|w| w.finding).collect();
        assert_eq!(said, [Some(3), Some(3), Some(4)], "text and line of 3, absence of 4");
    }

    #[test]
    fn one_comment_more_than_was_sent_is_a_difference() {
        let sent = comment(0, "a", Side::Right, LineRange::line(1), "one");
        let (one, other) = (stored("a", 1, "one"), stored("a", 2, "two"));
        assert_eq!(differences(&[&sent], std::slice::from_ref(&one)), []);
        for more in [other, one.clone()] {
            let said = differences(&[&sent], &[one.clone(), more]);
            let said: Vec<_> = said.iter().map(|warning| (warning.finding, warning.message.as_str())).collect();
            assert_eq!(said, [(None, "1 comments were sent, and GitHub lists 2 of the review")]);
        }
    }
}

//! A comment at a line, as readers see it.

use std::borrow::Cow;
use std::fmt;

use super::dialect::Dialect;
use super::footer;
use super::marker::Marker;
use super::neutralise::{self, Clean, Form, Pass, Tally, assert_inert};
use crate::review::{Confidence, LineRange, Reply, Severity, Side};

/// Everything a comment is made from.
#[derive(Debug, Clone)]
pub struct CommentFacts<'a> {
    pub severity: Option<Severity>,
    pub confidence: Option<Confidence>,
    /// Markdown, as written in the review file.
    pub body: &'a str,
    /// Set where the page does not show the whole range by itself.
    pub range_note: Option<RangeNote>,
    pub replies: &'a [Reply],
    /// The name that the review gives its reviewer.
    pub reviewer: Option<&'a str>,
    pub marker: Marker,
    pub dialect: Dialect,
}

/// The lines a comment speaks of, in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RangeNote {
    pub side: Side,
    pub range: LineRange,
}

impl fmt::Display for RangeNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", Lines(self.range), self.side)
    }
}

/// A range in words: `line 42`, `lines 42 to 44`.
pub(super) struct Lines(pub LineRange);

impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            range if range.is_single() => write!(f, "line {}", range.start),
            range => write!(f, "lines {} to {}", range.start, range.end),
        }
    }
}

/// A comment's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// All of it, the marker as the last line.
    pub whole: Clean,
    /// The finding's own words in it.
    pub body: String,
}

/// The text of a comment, which is proved as a whole: parts that are fine by themselves may not be so together.
pub fn comment(facts: &CommentFacts<'_>) -> Comment {
    let written = assembled(facts, Form::Written);
    if assert_inert(&written.whole.text, facts.dialect).is_ok() { written } else { assembled(facts, Form::Strong) }
}

fn assembled(facts: &CommentFacts<'_>, form: Form) -> Comment {
    let pass = Pass { dialect: facts.dialect, form };
    let mut tally = Tally::default();
    let own = tally.take(body(facts.body, pass));
    let mut parts = vec![badge(facts), own.clone()];
    parts.extend(facts.replies.iter().map(|reply| quoted(reply, pass, &mut tally)));
    parts.push(tally.take(footer::visible(facts.reviewer, pass)));
    let text = tally.take(neutralise::whole(&footer::paragraphs(parts), facts.dialect));
    Comment { whole: tally.clean(footer::with_marker(&text, &facts.marker)), body: own }
}

/// Severity, confidence where there is one, and the range where the page does not show it.
fn badge(facts: &CommentFacts<'_>) -> String {
    let mut line = format!("**{}**", severity_word(facts.severity));
    if let Some(confidence) = facts.confidence {
        line += &format!(" · confidence {confidence}");
    }
    if let Some(note) = facts.range_note {
        line += &format!(" · {note}");
    }
    line
}

/// Absent is a word of its own, never a default.
pub(super) fn severity_word(severity: Option<Severity>) -> &'static str {
    match severity {
        Some(Severity::High) => "High severity",
        Some(Severity::Medium) => "Medium severity",
        Some(Severity::Low) => "Low severity",
        None => "No severity",
    }
}

/// A field of Markdown without the blank lines around it.
pub(super) fn body(text: &str, pass: Pass) -> Clean {
    // What is trimmed afterwards was not there when the text was proved.
    let clean = pass.block(text.trim_start_matches(['\n', '\r']).trim_end());
    Clean { text: clean.text.trim_start_matches(['\n', '\r']).trim_end().to_owned(), ..clean }
}

/// A reply as a quote, under its author's name.
pub(super) fn quoted(reply: &Reply, pass: Pass, tally: &mut Tally) -> String {
    let body = tally.take(body(&without_tabs(&reply.body), pass));
    let mut text = format!("> {}:\n>", who(reply, pass, tally));
    for line in body.split('\n') {
        text += if line.is_empty() { "\n>" } else { "\n> " };
        text += line;
    }
    text
}

/// Behind the mark of a quote a tab would reach less far, and what was code or a list would be none.
fn without_tabs(text: &str) -> Cow<'_, str> {
    if !text.contains('\t') {
        return Cow::Borrowed(text);
    }
    let mut column = 0;
    let mut spaced = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\t' => {
                let width = 4 - column % 4;
                spaced.extend(std::iter::repeat_n(' ', width));
                column += width;
            }
            '\n' | '\r' => {
                spaced.push(c);
                column = 0;
            }
            c => {
                spaced.push(c);
                column += 1;
            }
        }
    }
    Cow::Owned(spaced)
}

/// `ann replied`, `a reply`.
pub(super) fn who(reply: &Reply, pass: Pass, tally: &mut Tally) -> String {
    let author = reply.author.as_deref().map(str::trim).filter(|author| !author.is_empty());
    author.map_or_else(|| "A reply".to_owned(), |author| format!("{} replied", tally.take(pass.short(author, 100))))
}

#[cfg(test)]
mod tests {
    use super::super::marker::{ReviewId, Tag};
    use super::*;

    fn facts<'a>(body: &'a str, replies: &'a [Reply]) -> CommentFacts<'a> {
        CommentFacts {
            severity: Some(Severity::High),
            confidence: Confidence::new(0.9),
            body,
            range_note: None,
            replies,
            reviewer: None,
            marker: Marker::Finding { finding: Tag([1; 8]), place: Tag([2; 8]), by: ReviewId::Default },
            dialect: Dialect::GitLab,
        }
    }

    const MARKER: &str = "<!-- dai v1 finding=0101010101010101 place=0202020202020202 -->";

    #[test]
    fn a_comment_has_badge_body_visible_line_and_marker() {
        let text = comment(&facts("What is wrong.\n\n```rust\nlet x = 1;\n```\n", &[])).whole.text;
        let expected = format!(
            "**High severity** · confidence 0.9\n\nWhat is wrong.\n\n```rust\nlet x = 1;\n```\n\n\
             *Written by an AI reviewer, posted with `dai` from this account.*\n\n{MARKER}"
        );
        assert_eq!(text, expected);
        assert_eq!(Marker::read(&text, Dialect::GitHub), Some(facts("", &[]).marker));
    }

    #[test]
    fn a_reviewer_is_named_in_the_visible_line_and_cannot_act_there() {
        let of = |name| comment(&CommentFacts { reviewer: Some(name), ..facts("x", &[]) }).whole.text;
        let text = of("claude");
        assert!(
            text.contains("\n\n*Written by an AI reviewer (claude), posted with `dai` from this account.*\n\n"),
            "{text}"
        );
        for name in ["a* b", "@ann", "`x", "[a](b)", "<b>", "a_b*"] {
            assert_eq!(assert_inert(&of(name), Dialect::GitLab), Ok(()), "{name}");
        }
    }

    #[test]
    fn a_range_is_named_with_its_side() {
        for (side, range, expected) in [
            (Side::Left, LineRange::new(42, 44), "**No severity** · lines 42 to 44 (LEFT)"),
            (Side::Right, LineRange::line(7), "**No severity** · line 7 (RIGHT)"),
        ] {
            let facts = CommentFacts {
                severity: None,
                confidence: None,
                range_note: Some(RangeNote { side, range }),
                ..facts("x", &[])
            };
            assert_eq!(comment(&facts).whole.text.lines().next(), Some(expected));
        }
    }

    #[test]
    fn replies_are_quoted_with_their_author() {
        let replies = [
            Reply { author: Some("ann".into()), body: "No:\n\n```\n/shout\n```".into() },
            Reply { author: None, body: "Yes.".into() },
        ];
        let text = comment(&facts("Body.", &replies)).whole.text;
        let quotes =
            "Body.\n\n> ann replied:\n>\n> No:\n>\n> ```\n> /shout\n> ```\n\n> A reply:\n>\n> Yes.\n\n*Written";
        assert!(text.contains(quotes), "{text}");
    }

    #[test]
    fn c38_a_fence_of_one_part_cannot_eat_the_opening_of_the_next() {
        // To GitLab's raw view the first fence, of four back-ticks, goes on to the reply's or the
        // second block's opening line, so that what follows would run.
        let body = "````\nx\n````\n\n```\n/shout\n```";
        let text = comment(&facts(body, &[])).whole.text;
        assert!(text.contains("\n```\n /shout\n```\n"), "{text}");
        assert_eq!(assert_inert(&text, Dialect::GitLab), Ok(()));
    }
}

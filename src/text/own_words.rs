//! Which words of a stored summary this program wrote, so that an edit replaces those and keeps what people added.

use std::ops::Range;

use super::Dialect;
use super::marker::{Marker, Tag, plain_words, words_tag};

/// What an edit of a stored text comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rewrite {
    /// It says so already.
    Same,
    /// The whole text to be sent: new words, and whatever people put around the old ones.
    New(String),
    /// A person changed the words themselves: nothing of them may be replaced.
    ChangedByPerson,
}

/// The beginning of every summary.
const HEADING: &str = "## Review";
/// The line that ends the words, whoever the reviewer is.
const VISIBLE: (&str, &str) = ("*Written by an AI reviewer", "from this account.*");

/// Where the words are that were written last, as long as nobody changed them. People may have written above,
/// below, and between them and the marker.
///
/// A marker of version 0.1 does not say what the words were, but its `review` is over them and the findings of that call:
/// they are found unless 0.1 itself edited them later. `carried` are the findings of the comments that exist, as
/// the forge lists them.
pub fn own_words(stored: &str, dialect: Dialect, carried: &[Tag]) -> Option<Range<usize>> {
    let (marker, line) = Marker::find(stored, dialect)?;
    candidates(&stored[..line.start]).find(|range| match &marker {
        Marker::Review { text: Some(text), .. } => words_tag(&stored[range.clone()]) == *text,
        Marker::Review { review, head, text: None, .. } => {
            let words = plain_words(&stored[range.clone()]);
            let call = |findings: &[Tag]| {
                let fields = [head.as_str().as_bytes(), words.as_bytes()].into_iter();
                Tag::of(fields.chain(findings.iter().map(|tag| &tag.0[..]))) == *review
            };
            call(&[]) || runs(carried).any(call)
        }
        Marker::Finding { .. } => false,
    })
}

/// What becomes of a stored text whose own words are there, where `new` (words, and the marker as its last line) is
/// to be said.
pub fn rewrite(stored: &str, dialect: Dialect, words: Option<Range<usize>>, new: &str) -> Rewrite {
    let Some((_, line)) = Marker::find(stored, dialect) else { return Rewrite::ChangedByPerson };
    let (new_words, new_marker) = new.rsplit_once('\n').unwrap_or(("", new));
    let new_words = new_words.trim();
    let says_so = |range: &Range<usize>| plain_words(&stored[range.clone()]) == plain_words(new_words);
    match words {
        Some(words) if !says_so(&words) => {
            let (before, between, after) =
                (&stored[..words.start], &stored[words.end..line.start], &stored[line.end..]);
            Rewrite::New(format!("{before}{new_words}{between}{new_marker}{after}"))
        }
        Some(_) => Rewrite::Same,
        None if candidates(&stored[..line.start]).any(|range| says_so(&range)) => Rewrite::Same,
        None => Rewrite::ChangedByPerson,
    }
}

/// The stored text with a note in the place of its words, and without its marker; with a note in the marker's place where
/// a person changed the words.
pub fn disowned(stored: &str, dialect: Dialect, words: Option<Range<usize>>, note: &str) -> String {
    let Some((_, line)) = Marker::find(stored, dialect) else { return stored.to_owned() };
    let (before, after) = (&stored[..line.start], &stored[line.end..]);
    match words {
        Some(words) => {
            let between = before[words.end..].trim();
            let between = if between.is_empty() { String::new() } else { format!("\n\n{between}") };
            format!("{}{note}{between}{after}", &before[..words.start])
        }
        None => format!("{before}{note}{after}"),
    }
}

/// From the beginning or a heading to the end or a visible line, without the white space around: the longest first.
fn candidates(above: &str) -> impl Iterator<Item = Range<usize>> {
    let lines: Vec<Range<usize>> = above
        .split_inclusive('\n')
        .scan(0, |at, line| {
            let start = *at;
            *at += line.len();
            Some(start..start + line.trim_end().len())
        })
        .collect();
    let is_visible = |line: &str| line.starts_with(VISIBLE.0) && line.ends_with(VISIBLE.1);
    let headings = lines.iter().filter(|line| above[(*line).clone()].starts_with(HEADING)).map(|line| line.start);
    let starts: Vec<usize> = [above.len() - above.trim_start().len()].into_iter().chain(headings).collect();
    let visible = lines.iter().rev().filter(|line| is_visible(&above[(*line).clone()])).map(|line| line.end);
    let ends: Vec<usize> = [above.trim_end().len()].into_iter().chain(visible).collect();
    let pairs = starts.into_iter().flat_map(move |start| ends.clone().into_iter().map(move |end| (start, end)));
    // So few are needed that more are nobody's ordinary text.
    pairs.filter(|(start, end)| start < end).map(|(start, end)| start..end).take(64)
}

/// Every run of findings that one call may have carried.
fn runs(carried: &[Tag]) -> impl Iterator<Item = &[Tag]> {
    let carried = &carried[..carried.len().min(100)];
    (0..carried.len()).flat_map(move |from| (from + 1..=carried.len()).map(move |to| &carried[from..to]))
}

#[cfg(test)]
mod tests {
    use super::super::marker::ReviewId;
    use super::super::with_marker;
    use super::*;
    use crate::change::CommitId;

    const WORDS: &str = "## Review\n\nGood.\n\n*Written by an AI reviewer, posted with `dai` from this account.*";
    const NEW: &str = "## Review\n\nBad.\n\n*Written by an AI reviewer (x), posted with `dai` from this account.*";

    fn marker() -> Marker {
        let head = CommitId::parse(&"a".repeat(40)).unwrap();
        Marker::Review { review: Tag([1; 8]), head, by: ReviewId::Default, text: None }
    }

    fn signed(words: &str) -> String {
        with_marker(words, &marker().over(words))
    }

    fn edited(stored: &str, carried: &[Tag]) -> Rewrite {
        rewrite(stored, Dialect::GitHub, own_words(stored, Dialect::GitHub, carried), &signed(NEW))
    }

    #[test]
    fn c55_what_people_put_around_the_words_is_kept() {
        let (old, new) = (signed(WORDS), signed(NEW));
        let (old_marker, new_marker) = (old.lines().last().unwrap(), new.lines().last().unwrap());
        for around in [
            "{words}\n\n{marker}",
            "{words}\r\n\r\n{marker}\r\n",
            "{words}\n\n{marker}\n\nEdit: done",
            "{words}\n\n{marker}\n\n-- \nAnn\nSent from my phone\n",
            "Edit: done, all of it.\n\n{words}\n\n{marker}",
            "{words}\n\nEdit: done\n\n{marker}",
            "## Review of the review\n\nAgreed.\n\n{words}\n\nBut see above.\n\n{marker}\n\n~~Struck.~~",
        ] {
            let with = |words: &str, marker: &str| around.replace("{words}", words).replace("{marker}", marker);
            assert_eq!(edited(&with(WORDS, old_marker), &[]), Rewrite::New(with(NEW, new_marker)), "{around}");
            assert_eq!(edited(&with(NEW, new_marker), &[]), Rewrite::Same, "{around}");
        }
    }

    #[test]
    fn c55_words_that_a_person_changed_are_never_replaced() {
        let old = signed(WORDS);
        for changed in [
            old.replace("Good.", "Good, says Ann."),
            old.replace("Good.", "~~Good.~~"),
            old.replace("Good.", "Good.\n\nAnn: no."),
            old.replace("## Review\n", ""),
            old.replace("from this account", "by nobody"),
            // The marker alone, and none at all.
            old.lines().last().unwrap().to_owned(),
            WORDS.to_owned(),
        ] {
            assert_eq!(edited(&changed, &[]), Rewrite::ChangedByPerson, "{changed}");
        }
    }

    #[test]
    fn the_words_of_version_0_1_are_known_by_what_its_call_carried() {
        let head = CommitId::parse(&"a".repeat(40)).unwrap();
        let tags = [Tag([2; 8]), Tag([3; 8]), Tag([4; 8]), Tag([5; 8])];
        for carried in [&[][..], &tags[1..3], &tags] {
            let fields = [head.as_str().as_bytes(), WORDS.as_bytes()].into_iter();
            let review = Tag::of(fields.chain(carried.iter().map(|tag| &tag.0[..])));
            let stored = format!("{WORDS}\n\n<!-- dai v1 review={review} head={head} -->\n\nEdit: done");
            let Rewrite::New(text) = edited(&stored, &tags) else { panic!("{stored}") };
            assert!(text.starts_with("## Review\n\nBad.") && text.ends_with("-->\n\nEdit: done"), "{text}");
            assert_eq!(edited(&stored.replace("Good.", "Good!"), &tags), Rewrite::ChangedByPerson);
        }
        // What it edited itself later cannot be told from what a person edited, unless it is right.
        let stored = |words: &str| format!("{words}\n\n{}", marker());
        assert_eq!(edited(&stored(WORDS), &tags), Rewrite::ChangedByPerson);
        assert_eq!(edited(&stored(NEW), &tags), Rewrite::Same);
    }

    #[test]
    fn a_disowned_text_has_no_marker_and_keeps_what_people_wrote() {
        let stored = format!("Above.\n\n{}\n\nBelow.", signed(WORDS));
        let words = own_words(&stored, Dialect::GitHub, &[]);
        assert_eq!(disowned(&stored, Dialect::GitHub, words, "Note."), "Above.\n\nNote.\n\nBelow.");
        let changed = stored.replace("Good.", "Good, says Ann.");
        let left = disowned(&changed, Dialect::GitHub, own_words(&changed, Dialect::GitHub, &[]), "Note.");
        assert!(left.contains("Good, says Ann.") && left.ends_with("\n\nNote.\n\nBelow."), "{left}");
        assert_eq!(Marker::read(&left, Dialect::GitHub), None);
    }
}

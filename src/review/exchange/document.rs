//! An exchange as a value. Absent is a value of its own everywhere, so that writing it keeps it absent.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;

use crate::change::DiffLine;
use crate::change::patch::{self, Patch};
use crate::review::finding::{LineRange, Place, Side, State};

/// A whole exchange.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Exchange {
    pub title: Option<String>,
    pub summary: Option<String>,
    /// The diff, a line an element, without the newlines.
    pub patch: Vec<String>,
    pub comments: Comments,
    /// How the file spells what JSON can spell in two ways; kept so that it comes back as it was.
    pub spelling: Spelling,
}

/// The list of comments, or how it is not there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Comments {
    #[default]
    Absent,
    /// What leanreview writes for none.
    Null,
    List(Vec<Comment>),
}

/// One comment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Comment {
    pub id: Option<String>,
    pub author: Option<String>,
    pub path: String,
    pub side: Option<Side>,
    /// In the patch's numbers; 0 or absent: the file as a whole.
    pub start_line: Option<u32>,
    /// Included; 0 or absent: `start_line`.
    pub end_line: Option<u32>,
    pub body: String,
    pub state: Option<State>,
    pub snippet: Option<String>,
    pub at: Option<String>,
    pub replies: Option<Vec<Answer>>,
}

/// An answer to a comment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    pub author: Option<String>,
    pub body: String,
    pub at: Option<String>,
}

/// What Go's writer spells differently by version, or by what the text was before.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spelling {
    /// `\u0008` and `\u000c`, as before Go 1.22, instead of `\b` and `\f`.
    pub long_controls: bool,
    /// Of the texts with U+FFFD, each time that one stands in the document in turn, which of them are
    /// written `\ufffd`: Go does so for bytes that were not UTF-8, and writes the character itself for
    /// one that was read. Empty where none is.
    pub replaced: BTreeMap<String, Vec<Vec<bool>>>,
    /// The pointers of the fields that are `null`, as Go writes a nil slice or pointer, instead of not
    /// there; but for the list of comments.
    pub nulls: BTreeSet<String>,
}

impl Exchange {
    /// The comments, none where the list is absent or null.
    pub fn comments(&self) -> &[Comment] {
        if let Comments::List(list) = &self.comments { list } else { &[] }
    }

    pub(super) fn comments_mut(&mut self) -> &mut [Comment] {
        if let Comments::List(list) = &mut self.comments { list } else { &mut [] }
    }

    /// The embedded diff, read.
    pub fn diff(&self) -> Patch {
        let size = self.patch.iter().map(|line| line.len() + 1).sum();
        let mut text = String::with_capacity(size);
        for line in &self.patch {
            text.push_str(line);
            text.push('\n');
        }
        patch::parse(&Bytes::from(text))
    }
}

impl Comment {
    pub fn side(&self) -> Side {
        self.side.unwrap_or(Side::Right)
    }

    /// The place in the patch; `None` for the file as a whole.
    pub fn place(&self) -> Option<Place> {
        let start = self.start_line.filter(|line| *line > 0)?;
        let end = self.end_line.filter(|line| *line > 0).unwrap_or(start);
        Some(Place { side: self.side(), range: LineRange::new(start, end) })
    }

    /// Whether the patch has what the comment points at: the file, and the line it starts at.
    pub fn stands_in(&self, patch: &Patch) -> bool {
        match (patch.file(self.side(), &self.path), self.place()) {
            (Some(file), Some(place)) => file.line(place.side, place.range.start).is_some(),
            (Some(_), None) => true,
            (None, Some(_)) => false,
            // The whole file goes by either name.
            (None, None) => patch.file(self.side().other(), &self.path).is_some(),
        }
    }

    /// The comment's state by the patch. A person's rejection outranks that it is nowhere; what is
    /// stale waits to be looked at; an orphan is never revived.
    pub fn state_in(&self, patch: &Patch) -> State {
        match self.state.unwrap_or_default() {
            State::Active if !self.stands_in(patch) => State::Orphaned,
            state => state,
        }
    }

    /// The lines of the comment's range that the patch has without a gap, from its start.
    pub(super) fn lines<'p>(&self, patch: &'p Patch) -> Vec<&'p DiffLine> {
        let Some((file, place)) = patch.file(self.side(), &self.path).zip(self.place()) else { return Vec::new() };
        let last = place.range.end.max(place.range.start);
        (place.range.start..=last).map_while(|number| file.line(place.side, number)).collect()
    }
}

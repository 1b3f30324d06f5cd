//! What `--write` does to an exchange: states by the patch, ids and snippets where they are missing.

use std::collections::HashSet;

use super::document::{Comment, Exchange};
use super::read::before;
use crate::change::patch::Patch;
use crate::review::edit::{Edits, Nowhere};
use crate::review::finding::{LineRange, State};
use crate::text::marker::Tag;

/// One value that was given to a comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mended {
    /// The comment's place in the list, from 0.
    pub comment: usize,
    pub given: Given,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    State { from: State, to: State },
    Id(String),
    Snippet(String),
}

impl Exchange {
    /// Gives a comment other lines of the patch, as many as it has.
    pub fn renumber(&mut self, comment: usize, range: LineRange) {
        if let Some(comment) = self.comments_mut().get_mut(comment) {
            comment.start_line = Some(range.start);
            comment.end_line = comment.end_line.map(|end| if end == 0 { 0 } else { range.end });
        }
    }

    /// Gives missing ids and snippets, as every writing does, and leaves the states alone.
    pub fn complete(&mut self) {
        self.give(|comment, _| comment.state.unwrap_or_default());
    }

    /// Gives missing snippets alone.
    pub fn quote(&mut self) {
        let patch = self.diff();
        for comment in self.comments_mut() {
            comment.snippet = quoted(comment, &patch).or(comment.snippet.take());
        }
    }

    /// Anchors every comment in the embedded patch: what is stale becomes active or orphaned, what
    /// is active and not in the patch orphaned. Missing ids and snippets are given. Doing it twice
    /// changes nothing more.
    pub fn mend(&mut self) -> Vec<Mended> {
        self.give(anchored)
    }

    fn give(&mut self, state: impl Fn(&Comment, &Patch) -> State) -> Vec<Mended> {
        let patch = self.diff();
        let mut taken: HashSet<String> = self.comments().iter().filter_map(|comment| comment.id.clone()).collect();
        let mut mended = Vec::new();
        for (index, comment) in self.comments_mut().iter_mut().enumerate() {
            let from = comment.state.unwrap_or_default();
            let to = state(comment, &patch);
            if from != to {
                comment.state = Some(to);
                mended.push(Mended { comment: index, given: Given::State { from, to } });
            }
            if comment.id.is_none() {
                let id = derived(comment, &mut taken);
                comment.id = Some(id.clone());
                mended.push(Mended { comment: index, given: Given::Id(id) });
            }
            if let Some(snippet) = quoted(comment, &patch) {
                comment.snippet = Some(snippet.clone());
                mended.push(Mended { comment: index, given: Given::Snippet(snippet) });
            }
        }
        mended
    }
}

/// The patch's lines for a comment without a snippet.
fn quoted(comment: &Comment, patch: &Patch) -> Option<String> {
    let lines = if comment.snippet.is_none() { comment.lines(patch) } else { Vec::new() };
    let texts: Vec<_> = lines.iter().map(|line| line.lossy()).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// Writes into a file what mending gave: the bytes of these values, and of no other.
///
/// # Errors
///
/// Where the document is not the one that was mended.
pub fn write_into(edits: &mut Edits<'_>, mended: &[Mended]) -> Result<(), Nowhere> {
    for Mended { comment, given } in mended {
        let (field, value) = match given {
            Given::State { to, .. } => ("state", to.as_str()),
            Given::Id(id) => ("id", id.as_str()),
            Given::Snippet(text) => ("snippet", text.as_str()),
        };
        edits.set_after(&format!("/comments/{comment}"), field, value, before(field))?;
    }
    Ok(())
}

fn anchored(comment: &Comment, patch: &Patch) -> State {
    match comment.state_in(patch) {
        State::Stale if comment.stands_in(patch) => State::Active,
        State::Stale => State::Orphaned,
        state => state,
    }
}

/// The same comment has the same id whoever writes the file: sixteen hex digits over path, side,
/// line and body, with a number behind where two comments are equal in all four.
fn derived(comment: &Comment, taken: &mut HashSet<String>) -> String {
    let line = comment.place().map_or(0, |place| place.range.start).to_string();
    let fields = [comment.path.as_str(), comment.side().as_str(), &line, &comment.body];
    let tag = Tag::of(fields.map(str::as_bytes)).to_string();
    let numbered = (2u32..).map(|number| format!("{tag}-{number}"));
    let id = std::iter::once(tag.clone()).chain(numbered).find(|id| !taken.contains(id)).unwrap_or(tag);
    taken.insert(id.clone());
    id
}

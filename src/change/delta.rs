//! One file of a change, under both its names.

use bytes::Bytes;

use super::hunk::{DiffLine, Hunk};
use crate::review::Side;

/// What happened to the file, with the names it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Paths {
    Added { new: String },
    Deleted { old: String },
    Modified { path: String },
    Renamed { old: String, new: String },
}

/// Why a delta without hunks has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoText {
    /// Renamed without a changed line.
    PureRename,
    /// Only the mode changed.
    ModeOnly,
    /// A commit of another repository.
    Submodule,
    Symlink,
    /// Added or deleted empty.
    Empty,
}

/// What there is to comment on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    Text(Text),
    Binary,
    None(NoText),
}

/// A whole image of a file, split on `\n` only.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Image(pub Bytes);

impl Image {
    /// The lines without their `\n`, the first being number 1.
    pub fn lines(&self) -> impl Iterator<Item = &[u8]> {
        let body: &[u8] = self.0.strip_suffix(b"\n").unwrap_or(&self.0);
        let empty = self.0.is_empty();
        body.split(|b| *b == b'\n').filter(move |_| !empty)
    }
}

/// A text file's two images and the hunks between them, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    pub old: Image,
    pub new: Image,
    pub hunks: Vec<Hunk>,
}

/// One delta of the change. A type change (a file that became a symlink) is two: a deletion and an
/// addition of one path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileDelta {
    pub paths: Paths,
    pub content: Content,
}

impl FileDelta {
    pub fn old_path(&self) -> Option<&str> {
        match &self.paths {
            Paths::Added { .. } => None,
            Paths::Deleted { old } | Paths::Renamed { old, .. } => Some(old),
            Paths::Modified { path } => Some(path),
        }
    }

    pub fn new_path(&self) -> Option<&str> {
        match &self.paths {
            Paths::Deleted { .. } => None,
            Paths::Added { new } | Paths::Renamed { new, .. } => Some(new),
            Paths::Modified { path } => Some(path),
        }
    }

    /// The name a forge knows the delta by: the new one, the old one for a deleted file.
    pub fn path(&self) -> &str {
        match &self.paths {
            Paths::Deleted { old } => old,
            Paths::Added { new } | Paths::Renamed { new, .. } => new,
            Paths::Modified { path } => path,
        }
    }

    /// Both names, never empty: an added or deleted file has its one name twice.
    pub fn both_paths(&self) -> (&str, &str) {
        (self.old_path().unwrap_or(self.path()), self.new_path().unwrap_or(self.path()))
    }

    pub fn text(&self) -> Option<&Text> {
        match &self.content {
            Content::Text(text) => Some(text),
            Content::Binary | Content::None(_) => None,
        }
    }

    pub fn hunks(&self) -> &[Hunk] {
        self.text().map_or(&[], |text| &text.hunks)
    }

    /// The hunk and the line in it, by index, of a number on a side; `None` outside the hunks.
    pub fn locate(&self, side: Side, number: u32) -> Option<(usize, usize)> {
        let hunks = self.hunks();
        let start = |hunk: &Hunk| match side {
            Side::Left => hunk.old_start,
            Side::Right => hunk.new_start,
        };
        // A hunk that has no line on this side starts at the line before it, so the one that holds
        // the number may be one further back than the last start.
        let after = hunks.partition_point(|hunk| start(hunk) <= number);
        (after.saturating_sub(2)..after).rev().find_map(|at| hunks[at].find(side, number).map(|line| (at, line)))
    }

    pub fn line(&self, side: Side, number: u32) -> Option<&DiffLine> {
        self.locate(side, number).map(|(hunk, line)| &self.hunks()[hunk].lines[line])
    }
}

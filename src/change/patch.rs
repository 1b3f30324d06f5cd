//! A unified diff as text: what an exchange embeds, what the forges' APIs hand out, what a model
//! makes up. Only what is sure is kept; everything else is a fault that names its hunk.

use std::collections::HashMap;
use std::fmt;

use bytes::Bytes;

use super::delta::{NoText, Paths};
use super::hunk::{DiffLine, Hunk};
use super::patch_read::Reader;
use crate::review::Side;

/// A whole diff.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Patch {
    /// In the text's order. A type change is two files of one path.
    pub files: Vec<PatchFile>,
    pub faults: Vec<PatchFault>,
    by_old: HashMap<PatchPath, usize>,
    by_new: HashMap<PatchPath, usize>,
}

/// A file's name as a diff spells it; git's names are bytes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PatchPath(pub Bytes);

/// By its bytes, as it compares and hashes.
impl std::borrow::Borrow<[u8]> for PatchPath {
    fn borrow(&self) -> &[u8] {
        &self.0
    }
}

impl PatchPath {
    /// `None` for a name that is not UTF-8, which no JSON can spell.
    pub fn utf8(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }
}

impl fmt::Display for PatchPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}

/// What git's extended header says happened, where it says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FileChange {
    #[default]
    Modified,
    Added,
    Deleted,
    Renamed,
    Copied,
}

/// One file's part of a diff.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PatchFile {
    /// The line of the text, from 1, that its header begins at.
    pub line: usize,
    /// `None` where the diff says `/dev/null`, or names nothing that could be read.
    pub old_path: Option<PatchPath>,
    pub new_path: Option<PatchPath>,
    pub change: FileChange,
    /// `Binary files differ`, or a binary patch.
    pub binary: bool,
    /// Modes, where the header names them.
    pub old_mode: Option<u32>,
    pub new_mode: Option<u32>,
    /// In order, and apart from each other. The lengths are those of the lines that were read.
    pub hunks: Vec<Hunk>,
}

/// What could not be read, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatchFault {
    /// The line of the text, from 1.
    pub line: usize,
    /// The file's name, for people.
    pub file: Option<String>,
    /// The hunk's place among those of its file, from 0, and its header as written.
    pub hunk: Option<(usize, String)>,
    pub kind: PatchFaultKind,
}

/// The kinds of fault, with their facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatchFaultKind {
    /// The hunk ends before its header's counts are reached; what was read stays.
    CutShort { old_missing: u32, new_missing: u32 },
    /// More lines, or others, than the header counts; what the counts cover stays.
    Miscounted,
    /// A line that begins with `@@` and is no hunk's header; its lines are not read.
    Header,
    /// The hunk lies before or over the one before it; it is not read.
    OutOfOrder,
    /// A merge's combined diff, which has more than two sides; it is not read.
    Combined,
    /// Lines that belong to no file and no hunk.
    Prose { lines: usize },
    /// A hunk before any file's header; it is not read.
    NoFile,
    /// The header's names cannot be told apart or unquoted.
    Name,
}

/// Reads a whole diff. Lines end at `\n` only, and a hunk's lines are counted, never guessed by
/// their first characters.
pub fn parse(text: &Bytes) -> Patch {
    Reader::new(text.clone()).patch()
}

/// Reads the hunks of one file without a header: GitHub's `patch`, GitLab's `diff`. A final newline
/// may be absent.
pub fn hunks(text: &[u8]) -> (Vec<Hunk>, Vec<PatchFault>) {
    Reader::new(Bytes::copy_from_slice(text)).hunks()
}

impl Patch {
    pub(super) fn new(files: Vec<PatchFile>, faults: Vec<PatchFault>) -> Self {
        let index = |side| files.iter().enumerate().filter_map(move |(at, file)| Some((file.path(side)?.clone(), at)));
        let (by_old, by_new) = (index(Side::Left).collect(), index(Side::Right).collect());
        Self { by_old, by_new, files, faults }
    }

    /// The file that has this name on this side: the last one, as in [`super::Change`].
    pub fn file(&self, side: Side, path: &str) -> Option<&PatchFile> {
        let by_name = match side {
            Side::Left => &self.by_old,
            Side::Right => &self.by_new,
        };
        by_name.get(path.as_bytes()).map(|at| &self.files[*at])
    }
}

impl PatchFile {
    pub fn path(&self, side: Side) -> Option<&PatchPath> {
        match side {
            Side::Left => self.old_path.as_ref(),
            Side::Right => self.new_path.as_ref(),
        }
    }

    /// The names as a delta has them; `None` where one is not UTF-8 or none could be read.
    pub fn paths(&self) -> Option<Paths> {
        let name = |path: &PatchPath| path.utf8().map(str::to_owned);
        Some(match (&self.old_path, &self.new_path) {
            (None, None) => return None,
            (None, Some(new)) => Paths::Added { new: name(new)? },
            (Some(old), None) => Paths::Deleted { old: name(old)? },
            (Some(old), Some(new)) if old == new => Paths::Modified { path: name(new)? },
            // A copy leaves its source alone: its lines are compared with it all the same.
            (Some(old), Some(new)) => Paths::Renamed { old: name(old)?, new: name(new)? },
        })
    }

    /// Why there is nothing to comment on; `None` where there are hunks of text, or it is binary.
    pub fn no_text(&self) -> Option<NoText> {
        const SYMLINK: u32 = 0o120_000;
        const SUBMODULE: u32 = 0o160_000;
        let modes = [self.old_mode, self.new_mode];
        let is = |kind| modes.iter().flatten().any(|mode| mode & 0o170_000 == kind);
        match () {
            () if is(SUBMODULE) => Some(NoText::Submodule),
            () if is(SYMLINK) => Some(NoText::Symlink),
            () if self.binary || !self.hunks.is_empty() => None,
            () if matches!(self.change, FileChange::Renamed | FileChange::Copied) => Some(NoText::PureRename),
            () if matches!(self.change, FileChange::Added | FileChange::Deleted) => Some(NoText::Empty),
            () => Some(NoText::ModeOnly),
        }
    }

    /// The line with this number on this side; `None` outside the hunks.
    pub fn line(&self, side: Side, number: u32) -> Option<&DiffLine> {
        let after = |hunk: &Hunk| match side {
            Side::Left => hunk.old_start.saturating_add(hunk.old_len),
            Side::Right => hunk.new_start.saturating_add(hunk.new_len),
        };
        let hunk = self.hunks.get(self.hunks.partition_point(|hunk| after(hunk) <= number))?;
        hunk.find(side, number).map(|at| &hunk.lines[at])
    }
}

impl fmt::Display for PatchFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the patch", self.line)?;
        if let Some(file) = &self.file {
            write!(f, ", {}", crate::review::quoted(file))?;
        }
        if let Some((index, header)) = &self.hunk {
            write!(f, ", hunk {} ({})", index + 1, crate::review::quoted(header))?;
        }
        match &self.kind {
            PatchFaultKind::CutShort { old_missing, new_missing } => {
                write!(f, ": cut short, {old_missing} old and {new_missing} new lines are missing")
            }
            PatchFaultKind::Miscounted => f.write_str(": its lines are not those that its header counts"),
            PatchFaultKind::Header => f.write_str(": not a hunk's header, its lines are not read"),
            PatchFaultKind::OutOfOrder => f.write_str(": does not come after the hunk before it, and is not read"),
            PatchFaultKind::Combined => f.write_str(": the combined diff of a merge is not read"),
            PatchFaultKind::Prose { lines: 1 } => f.write_str(": a line that belongs to no hunk"),
            PatchFaultKind::Prose { lines } => write!(f, ": {lines} lines that belong to no hunk"),
            PatchFaultKind::NoFile => f.write_str(": a hunk before any file's header is not read"),
            PatchFaultKind::Name => f.write_str(": the file's name cannot be read"),
        }
    }
}

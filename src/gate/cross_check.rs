//! The forge's own patch, held against ours: it decides what lands.

use std::collections::HashMap;

use crate::anchor::Rows;
use crate::change::{DiffLine, Hunk};
use crate::review::Side;

/// What the forge says of the change's files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum CrossCheck {
    /// It was not asked, or did not answer: every place is taken as it is.
    #[default]
    NotCompared,
    /// By the name it goes by on the forge: the new one, the old one for a deleted file. A file that
    /// is not here is not in the forge's diff.
    Files(HashMap<String, ForgeFile>),
}

/// One file as the forge's list has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForgeFile {
    Hunks(Vec<Hunk>),
    /// Listed without a patch.
    NoPatch,
    /// Over the forge's limit for a file: it has no line to comment on.
    TooLarge,
    /// Not shown in the list, though the forge can show it: taken as it is here.
    Collapsed,
    /// Shown without a patch by a forge that does not say why: taken as it is here, with a word.
    Unshown,
    /// The forge's list of files ends before it.
    BeyondList,
}

/// Looks up places in the forge's hunks; each file's rows are made once.
#[derive(Debug)]
pub(super) struct Comparison<'a> {
    files: Option<&'a HashMap<String, ForgeFile>>,
    rows: HashMap<(&'a str, Side), Rows>,
}

impl<'a> Comparison<'a> {
    pub(super) fn new(check: &'a CrossCheck) -> Self {
        let files = match check {
            CrossCheck::NotCompared => None,
            CrossCheck::Files(files) => Some(files),
        };
        Self { files, rows: HashMap::new() }
    }

    /// What speaks against the place: `None` when the forge has the same first and last line, by
    /// kind, both numbers and text, in one hunk.
    pub(super) fn against(&mut self, path: &str, side: Side, first: &DiffLine, last: &DiffLine) -> Option<String> {
        let Some((path, file)) = self.files?.get_key_value(path) else {
            return Some(format!("the forge's diff does not have {path}"));
        };
        let hunks = match file {
            ForgeFile::Collapsed | ForgeFile::Unshown => return None,
            ForgeFile::BeyondList => {
                return Some(format!("GitHub lists the first 3,000 files of a request, and {path} is not among them"));
            }
            ForgeFile::NoPatch => {
                return Some(format!("the forge shows no diff for {path}, so it takes no comment there"));
            }
            ForgeFile::TooLarge => return Some(format!("{path} is over the forge's size limit for a diff")),
            ForgeFile::Hunks(hunks) => hunks,
        };
        let rows = self.rows.entry((path, side)).or_insert_with(|| Rows::new(hunks, side));
        let find = |line: &DiffLine| line.number(side).and_then(|number| rows.find(number));
        let (Some(from), Some(to)) = (find(first), find(last)) else {
            return Some(format!("the forge's diff of {path} does not show the place"));
        };
        let same = |at: usize, line: &DiffLine| rows.get(at).is_some_and(|row| alike(row.of(hunks), line));
        if !same(from, first) || !same(to, last) {
            return Some(format!("the forge's diff of {path} has another line there"));
        }
        (!rows.one_hunk(from, to))
            .then(|| format!("the forge's diff of {path} has the range's ends in different hunks"))
    }
}

/// The forge's patch comes as JSON, so bytes that are not UTF-8 are lost in it.
fn alike(theirs: &DiffLine, ours: &DiffLine) -> bool {
    theirs.kind == ours.kind
        && (theirs.old, theirs.new) == (ours.old, ours.new)
        && (theirs.text == ours.text || theirs.lossy() == ours.lossy())
}

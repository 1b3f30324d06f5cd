//! A change as the anchor asks for it: by path.

use std::collections::HashMap;

use super::{Commits, FileDelta};

/// Why the change has no delta for a path that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    /// The file is there, and the change does not touch it.
    Untouched,
    /// No such file, before or after.
    Absent,
    /// No such file; this changed one is probably meant.
    Near(String),
    /// The change has a path that JSON cannot spell, and this is a spelling of it.
    NotUtf8,
}

/// The change between a merge base and a head, as far as it was asked for.
///
/// Hunks are computed only for files that findings name, so `deltas` may be fewer than git lists;
/// every asked path is either in a delta or in `missing`.
#[derive(Debug, Clone)]
pub struct Change {
    pub commits: Commits,
    deltas: Vec<FileDelta>,
    by_old: HashMap<String, usize>,
    by_new: HashMap<String, usize>,
    missing: HashMap<String, Missing>,
}

impl Change {
    pub fn new(commits: Commits, deltas: Vec<FileDelta>, missing: HashMap<String, Missing>) -> Self {
        let index = |path: fn(&FileDelta) -> Option<&str>| {
            deltas.iter().enumerate().filter_map(|(at, delta)| Some((path(delta)?.to_owned(), at))).collect()
        };
        Self { by_old: index(FileDelta::old_path), by_new: index(FileDelta::new_path), commits, deltas, missing }
    }

    pub fn deltas(&self) -> &[FileDelta] {
        &self.deltas
    }

    /// The delta that deletes or changes the file of this name.
    pub fn by_old_path(&self, path: &str) -> Option<(usize, &FileDelta)> {
        self.by_old.get(path).map(|at| (*at, &self.deltas[*at]))
    }

    /// The delta that adds or changes the file of this name.
    pub fn by_new_path(&self, path: &str) -> Option<(usize, &FileDelta)> {
        self.by_new.get(path).map(|at| (*at, &self.deltas[*at]))
    }

    /// Why neither of the two knows the path.
    pub fn missing(&self, path: &str) -> Missing {
        self.missing.get(path).cloned().unwrap_or(Missing::Absent)
    }
}

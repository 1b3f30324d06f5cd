//! From a path as written to the delta that is meant.

use super::verdict::{Fault, NotInDiff};
use crate::change::{Change, FileDelta, Missing, Paths};
use crate::review::{Side, candidates};

/// The file a finding names, under the spelling that the change knows.
#[derive(Debug, Clone)]
pub(super) struct File<'a> {
    pub(super) path: String,
    /// Index into the change's deltas.
    pub(super) at: usize,
    pub(super) delta: &'a FileDelta,
}

/// How the change knows the path on the side that was asked for.
#[derive(Debug)]
pub(super) enum Lookup<'a> {
    Here(File<'a>),
    /// The old name of a renamed file on RIGHT; `path` of the file is the new one.
    Renamed {
        written: String,
        file: File<'a>,
    },
    /// No such file, and this changed one is probably meant.
    Near {
        written: String,
        file: File<'a>,
    },
    Nowhere(Fault),
}

/// The first spelling of the path that the change knows. A type change is two deltas of one path, so
/// the side decides which of them is asked first.
pub(super) fn find<'a>(change: &'a Change, path: &str, side: Side) -> Lookup<'a> {
    let known = candidates(path).find_map(|path| {
        let (new, old) = (change.by_new_path(&path), change.by_old_path(&path));
        let (at, delta) = match side {
            Side::Left => old.or(new),
            Side::Right => new.or(old),
        }?;
        Some(File { path, at, delta })
    });
    match known {
        None => near(change, path).unwrap_or_else(|| Lookup::Nowhere(nowhere(change, path))),
        Some(file) => match &file.delta.paths {
            Paths::Renamed { old, new } if side == Side::Right && file.path == *old && old != new => {
                Lookup::Renamed { written: old.clone(), file: File { path: new.clone(), ..file } }
            }
            _ => Lookup::Here(file),
        },
    }
}

fn near<'a>(change: &'a Change, path: &str) -> Option<Lookup<'a>> {
    let near = candidates(path).find_map(|path| match change.missing(&path) {
        Missing::Near(near) => Some(near),
        Missing::Untouched | Missing::Absent | Missing::NotUtf8 => None,
    })?;
    let (at, delta) = change.by_new_path(&near).or_else(|| change.by_old_path(&near))?;
    Some(Lookup::Near { written: path.to_owned(), file: File { path: near, at, delta } })
}

fn nowhere(change: &Change, path: &str) -> Fault {
    let missing: Vec<Missing> = candidates(path).map(|path| change.missing(&path)).collect();
    let path = path.to_owned();
    if missing.contains(&Missing::NotUtf8) {
        Fault::PathNotUtf8 { path }
    } else if missing.contains(&Missing::Untouched) {
        Fault::FileNotInDiff { path, detail: NotInDiff::Untouched }
    } else {
        Fault::FileNotInDiff { path, detail: NotInDiff::Absent }
    }
}

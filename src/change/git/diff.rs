//! The change, for the paths that are asked for.
//!
//! The trees are not diffed: a path is looked up in both, and only a path that stands in one alone
//! sends git over the whole change, for the file it may be paired with.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bytes::Bytes;
use git2::{ObjectType, Oid};

use super::batch::{Batch, Blob, MANY};
use super::error::GitError;
use super::images::{BIG, hunks, is_binary};
use super::loose;
use super::pairs::{Names, Rename};
use super::repo::Repo;
use super::spelling;
use super::tree::{Entry, Fault, Files, Kind};
use crate::change::near_path::near_path;
use crate::change::{Change, Commits, Content, FileDelta, Image, Missing, NoText, Paths, Text};
use crate::parallel;
use crate::review::candidates;
use crate::warning::Warning;

/// A delta before its images are read.
struct Sketch {
    paths: Paths,
    old: Option<Entry>,
    new: Option<Entry>,
}

/// A named path and what both trees have under it.
struct Found<'a> {
    path: &'a str,
    old: Option<Entry>,
    new: Option<Entry>,
}

impl Repo {
    /// The change `merge_base..head`, as far as `named` asks for it.
    ///
    /// Every path of `named` is then in a delta, under the old or the new name, or in the change's
    /// `missing`. A renamed file is one delta whichever of its names was asked for.
    /// `rename_threshold` is in percent; the forges differ.
    pub fn change(
        &self,
        commits: &Commits,
        named: &BTreeSet<String>,
        rename_threshold: u8,
    ) -> Result<(Change, Vec<Warning>), GitError> {
        let tree = |commit| Ok::<_, GitError>(self.commit(commit)?.tree_id());
        let range = (tree(&commits.merge_base)?, tree(&commits.head)?);
        let found = self.look_up(named, range)?;

        let alone = |found: &Found<'_>| found.old.is_some() != found.new.is_some();
        let nowhere = |found: &Found<'_>| found.old.is_none() && found.new.is_none();
        // A careless spelling whose plain form is looked up as well is not asked about itself.
        let asked = |found: &Found<'_>| nowhere(found) && candidates(found.path).nth(1).is_none();
        let (names, warnings) = if found.iter().any(alone) {
            self.provide_for_pairing(range.0, range.1)?;
            self.names(range.0, range.1, rename_threshold)?
        } else if found.iter().any(asked) {
            // Only the names matter here, and they are the same without a pairing to warn of.
            self.provide_for_pairing(range.0, range.1)?;
            (self.names(range.0, range.1, rename_threshold)?.0, Vec::new())
        } else {
            (Names::default(), Vec::new())
        };

        let mut missing = HashMap::new();
        let mut sketches = BTreeMap::new();
        for found in &found {
            let unspellable = || names.not_utf8().iter().any(|name| spelling::spells(found.path, name));
            let verdict = match (found.old, found.new) {
                (Some(old), Some(new)) if old == new => Err(Missing::Untouched),
                (None, None) if spelling::is_suspect(found.path) && unspellable() => Err(Missing::NotUtf8),
                (None, None) => Err(match near_path(found.path, names.utf8()) {
                    Some(near) => Missing::Near(near.to_owned()),
                    None => Missing::Absent,
                }),
                _ => match names.rename(found.path) {
                    Some(rename) => renamed(rename).map(|sketch| vec![sketch]).ok_or(Missing::NotUtf8),
                    None => Ok(unpaired(found)),
                },
            };
            match verdict {
                Ok(deltas) => {
                    for sketch in deltas {
                        sketches.insert(sketch.key(), sketch);
                    }
                }
                Err(why) => {
                    missing.insert(found.path.to_owned(), why);
                }
            }
        }

        // The change of what is probably meant is looked at too: there the place is proposed.
        let near =
            missing.values().filter_map(|why| if let Missing::Near(path) = why { Some(path.clone()) } else { None });
        let near: BTreeSet<String> = near.filter(|path| !named.contains(path)).collect();
        if !near.is_empty() {
            return self.change(commits, &named.union(&near).cloned().collect(), rename_threshold);
        }

        let blobs = sketches.values().flat_map(Sketch::blobs);
        self.provide(blobs, range)?;
        let sketches: Vec<Sketch> = sketches.into_values().collect();
        Ok((Change::new(commits.clone(), self.deltas(&sketches)?, missing), warnings))
    }

    fn look_up<'a>(&self, named: &'a BTreeSet<String>, range: (Oid, Oid)) -> Result<Vec<Found<'a>>, GitError> {
        let (mut old, mut new) = (Files::new(&self.inner, range.0), Files::new(&self.inner, range.1));
        named
            .iter()
            .map(|path| {
                Ok(Found { path, old: self.entry(&mut old, path, range)?, new: self.entry(&mut new, path, range)? })
            })
            .collect()
    }

    /// One lookup; a tree that a partial clone left out is fetched on the way.
    fn entry(&self, files: &mut Files<'_>, path: &str, range: (Oid, Oid)) -> Result<Option<Entry>, GitError> {
        loop {
            match files.entry(path) {
                Ok(entry) => return Ok(entry),
                Err(Fault::Gone(id)) => self.provide([id], range)?,
                Err(Fault::Cut(id)) => return Err(GitError::cut(format!("the tree {id}"))),
                Err(Fault::Unreadable(id, error)) => return Err(GitError::object(format!("the tree {id}"), &error)),
            }
        }
    }

    /// In the order of the sketches.
    fn deltas(&self, sketches: &[Sketch]) -> Result<Vec<FileDelta>, GitError> {
        let mut contents: Vec<Option<Content>> = sketches.iter().map(|_| None).collect();
        // Without a directory for it there is no git, and libgit2 reads them all.
        if sketches.len() >= MANY
            && let Ok(scratch) = self.scratch()
        {
            let (program, common_dir) = (&self.program, &self.common_dir);
            contents = parallel::runs(sketches, |run| {
                let batch = Batch::start(scratch.git(program, common_dir), run.iter().flat_map(Sketch::blobs));
                batched(batch, run)
            });
        }
        let deltas = sketches.iter().zip(contents).map(|(sketch, content)| {
            let content = content.map_or_else(|| self.content(sketch), Ok)?;
            Ok(FileDelta { paths: sketch.paths.clone(), content })
        });
        deltas.collect()
    }

    fn content(&self, sketch: &Sketch) -> Result<Content, GitError> {
        if let Some(why) = sketch.no_text() {
            return Ok(Content::None(why));
        }
        let [old, new] = [self.image(sketch.old)?, self.image(sketch.new)?];
        compared(old, new).map_err(|error| GitError::object(sketch.name().to_owned(), &error))
    }

    /// A side that is not there is empty.
    fn image(&self, entry: Option<Entry>) -> Result<Blob, GitError> {
        let Some(Entry { id, .. }) = entry else { return Ok(Blob::Text(Image::default())) };
        if loose::is_cut(&self.inner, id) {
            return Err(GitError::cut(format!("the object {id}")));
        }
        let read = || {
            let odb = self.inner.odb()?;
            let (size, kind) = odb.read_header(id)?;
            if kind != ObjectType::Blob {
                return Err(git2::Error::from_str("it is no file's content"));
            }
            if size > BIG {
                return Ok(Blob::Binary);
            }
            let blob = odb.read(id)?;
            let image = || Blob::Text(Image(Bytes::copy_from_slice(blob.data())));
            Ok(if is_binary(blob.data()) { Blob::Binary } else { image() })
        };
        read().map_err(|error| GitError::object(format!("the object {id}"), &error))
    }
}

/// The contents that a batch gives; `None` for every sketch from the first that it does not.
fn batched(mut batch: Option<Batch>, sketches: &[Sketch]) -> Vec<Option<Content>> {
    let one = |sketch: &Sketch| {
        if let Some(why) = sketch.no_text() {
            return Some(Content::None(why));
        }
        let mut image = |entry: Option<Entry>| match entry {
            None => Some(Blob::Text(Image::default())),
            Some(entry) => {
                let blob = batch.as_mut().and_then(|batch| batch.next(entry.id));
                if blob.is_none() {
                    batch = None;
                }
                blob
            }
        };
        let (old, new) = (image(sketch.old), image(sketch.new));
        compared(old?, new?).ok()
    };
    sketches.iter().map(one).collect()
}

fn compared(old: Blob, new: Blob) -> Result<Content, git2::Error> {
    let (Blob::Text(old), Blob::Text(new)) = (old, new) else { return Ok(Content::Binary) };
    if old.0.is_empty() && new.0.is_empty() {
        return Ok(Content::None(NoText::Empty));
    }
    let hunks = hunks(&old, &new)?;
    Ok(Content::Text(Text { old, new, hunks }))
}

impl Sketch {
    fn name(&self) -> &str {
        match &self.paths {
            Paths::Deleted { old } => old,
            Paths::Added { new } | Paths::Renamed { new, .. } => new,
            Paths::Modified { path } => path,
        }
    }

    /// By name, and of a type change the deletion first, as git prints them.
    fn key(&self) -> (String, bool) {
        (self.name().to_owned(), self.old.is_none())
    }

    /// Why there is no text to compare, where the trees alone say so.
    fn no_text(&self) -> Option<NoText> {
        let kinds = [self.old, self.new].map(|entry| entry.map(|entry| entry.kind));
        if kinds.contains(&Some(Kind::Submodule)) {
            return Some(NoText::Submodule);
        }
        if kinds.contains(&Some(Kind::Symlink)) {
            return Some(NoText::Symlink);
        }
        let same = self.old.map(|entry| entry.id) == self.new.map(|entry| entry.id);
        let renamed = matches!(self.paths, Paths::Renamed { .. });
        same.then_some(if renamed { NoText::PureRename } else { NoText::ModeOnly })
    }

    /// The blobs that its content is made of, the old one first.
    fn blobs(&self) -> impl Iterator<Item = Oid> + use<> {
        let entries = if self.no_text().is_some() { [None, None] } else { [self.old, self.new] };
        entries.into_iter().flatten().map(|entry| entry.id)
    }
}

/// `None` where one of the names cannot be spelled: a forge could not be told the pair.
fn renamed(rename: &Rename) -> Option<Sketch> {
    let name = |bytes: &[u8]| String::from_utf8(bytes.to_owned()).ok();
    let paths = Paths::Renamed { old: name(&rename.old_path)?, new: name(&rename.new_path)? };
    Some(Sketch { paths, old: Some(rename.old), new: Some(rename.new) })
}

/// The deltas of a path that no rename has: one, or two where a file became a link or a submodule.
fn unpaired(found: &Found<'_>) -> Vec<Sketch> {
    let path = || found.path.to_owned();
    let deleted = |old| Sketch { paths: Paths::Deleted { old: path() }, old: Some(old), new: None };
    let added = |new| Sketch { paths: Paths::Added { new: path() }, old: None, new: Some(new) };
    match (found.old, found.new) {
        (Some(old), Some(new)) if old.kind == new.kind => {
            vec![Sketch { paths: Paths::Modified { path: path() }, old: Some(old), new: Some(new) }]
        }
        (old, new) => old.map(deleted).into_iter().chain(new.map(added)).collect(),
    }
}

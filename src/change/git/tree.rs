//! Looking paths up in a tree, without diffing it.

use std::collections::HashMap;
use std::rc::Rc;

use git2::{ErrorCode, ObjectType, Oid, Repository, Tree};

use super::loose;

/// What a tree has under a name, directories aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub id: Oid,
    pub kind: Kind,
    pub executable: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Symlink,
    Submodule,
}

impl Entry {
    /// `None` for a directory. Of a file's mode bits git keeps one.
    pub fn new(id: Oid, mode: u32) -> Option<Self> {
        let kind = match mode & 0o170000 {
            0o120000 => Kind::Symlink,
            0o160000 => Kind::Submodule,
            0o040000 => return None,
            _ => Kind::File,
        };
        Some(Self { id, kind, executable: kind == Kind::File && mode & 0o100 != 0 })
    }
}

/// Why a lookup has no answer.
#[derive(Debug)]
pub(super) enum Fault {
    /// The tree is not here: the clone is partial.
    Gone(Oid),
    /// Its file ends too early.
    Cut(Oid),
    Unreadable(Oid, git2::Error),
}

/// One image of the whole tree; directories are read once.
pub(super) struct Files<'r> {
    repo: &'r Repository,
    root: Oid,
    read: HashMap<String, Option<Rc<Tree<'r>>>>,
}

impl<'r> Files<'r> {
    pub fn new(repo: &'r Repository, root: Oid) -> Self {
        Self { repo, root, read: HashMap::new() }
    }

    /// The entry of a path, byte for byte; `None` where there is none, or a directory.
    pub fn entry(&mut self, path: &str) -> Result<Option<Entry>, Fault> {
        if path.contains('\0') || path.split('/').any(str::is_empty) {
            return Ok(None);
        }
        let (parent, name) = path.rsplit_once('/').map_or(("", path), |(parent, name)| (parent, name));
        let Some(tree) = self.directory(parent)? else { return Ok(None) };
        let entry = tree.get_name(name).and_then(|entry| Entry::new(entry.id(), entry.filemode().unsigned_abs()));
        Ok(entry)
    }

    fn directory(&mut self, path: &str) -> Result<Option<Rc<Tree<'r>>>, Fault> {
        if let Some(known) = self.read.get(path) {
            return Ok(known.clone());
        }
        // From the top down and not by recursion: the path comes from outside and may be deep.
        let mut tree = self.top()?;
        let mut from = 0;
        while from < path.len() {
            let to = path[from..].find('/').map_or(path.len(), |at| from + at);
            tree = self.below(&tree, &path[..to], &path[from..to])?;
            let Some(_) = tree else { return Ok(None) };
            from = to + 1;
        }
        Ok(tree)
    }

    fn top(&mut self) -> Result<Option<Rc<Tree<'r>>>, Fault> {
        if let Some(known) = self.read.get("") {
            return Ok(known.clone());
        }
        let top = Some(Rc::new(self.find(self.root)?));
        self.read.insert(String::new(), top.clone());
        Ok(top)
    }

    fn below(&mut self, tree: &Option<Rc<Tree<'r>>>, path: &str, name: &str) -> Result<Option<Rc<Tree<'r>>>, Fault> {
        if let Some(known) = self.read.get(path) {
            return Ok(known.clone());
        }
        let entry = tree.as_ref().and_then(|tree| tree.get_name(name));
        let found = match entry.filter(|entry| entry.kind() == Some(ObjectType::Tree)) {
            Some(entry) => Some(Rc::new(self.find(entry.id())?)),
            None => None,
        };
        self.read.insert(path.to_owned(), found.clone());
        Ok(found)
    }

    fn find(&self, id: Oid) -> Result<Tree<'r>, Fault> {
        if loose::is_cut(self.repo, id) {
            return Err(Fault::Cut(id));
        }
        self.repo.find_tree(id).map_err(|error| {
            if is_gone(self.repo, id, &error) { Fault::Gone(id) } else { Fault::Unreadable(id, error) }
        })
    }
}

/// Whether an object is not here at all; one of another kind is told with the same error code.
pub(super) fn is_gone(repo: &Repository, id: Oid, error: &git2::Error) -> bool {
    error.code() == ErrorCode::NotFound && !repo.odb().is_ok_and(|odb| odb.exists(id))
}

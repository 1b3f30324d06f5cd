//! Setting the scene: what a test tells the forge besides asking it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sha1::{Digest, Sha1};

use super::world::{
    Account, Discussion, MergeRequest, Note, NoteKind, Project, Release, RequestState, Source, User, Version, World,
};
use crate::support::repo::{Repo, Upstream};

/// A handle on what the forge stores; clones share it, so that a fault's hook can hold one.
#[derive(Clone)]
pub struct Stage {
    world: Arc<Mutex<World>>,
}

pub(super) fn discussion_id(number: u64) -> String {
    hex::encode(Sha1::digest(number.to_string()))
}

impl Stage {
    pub(super) fn new(world: Arc<Mutex<World>>) -> Self {
        Self { world }
    }

    /// The whole state, locked; let it go before the forge is asked anything.
    pub fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers in the shape of this version from now on.
    pub fn release(&self, release: Release) {
        self.world().release = release;
    }

    pub fn account(&self, token: &str, account: Account) {
        self.world().accounts.insert(token.to_owned(), account);
    }

    /// Changes a project; made on first use.
    pub fn project<T>(&self, path: &str, change: impl FnOnce(&mut Project) -> T) -> T {
        let mut world = self.world();
        let id = world.id();
        let project = world.projects.entry(path.to_owned()).or_insert_with(|| Project {
            id,
            private: false,
            archived: false,
            forked_from: None,
            default_branch: "main".to_owned(),
            requests: BTreeMap::new(),
        });
        change(project)
    }

    /// Opens a request. The head is the source branch's tip, or what was pushed to `refs/merge-requests/<iid>/head` before, as
    /// with a fork.
    pub fn open(&self, project: &str, iid: u64, source: &str, target: &str) {
        let upstream = self.world().upstream(project);
        let mut request = MergeRequest {
            iid,
            title: format!("request {iid}"),
            author: User::person("author"),
            state: RequestState::Opened,
            draft: false,
            discussion_locked: false,
            source_branch: source.to_owned(),
            source: Source::Same,
            target_branch: target.to_owned(),
            versions: Vec::new(),
            unready: 0,
            trailing: 0,
            discussions: Vec::new(),
            too_large: BTreeSet::new(),
            collapsed: BTreeSet::new(),
            without_diff: BTreeSet::new(),
            overflows_at: None,
            refused: BTreeSet::new(),
            short_pages: None,
        };
        let own = request.head_ref();
        let pushed = upstream.commit(&own);
        let head = pushed.or_else(|| upstream.commit(&format!("refs/heads/{source}"))).expect("the head was pushed");
        upstream.set_ref(&own, &head);
        let version = self.version(&upstream, target, head);
        request.versions.push(version);
        self.project(project, |p| p.requests.insert(iid, request));
    }

    fn version(&self, upstream: &Upstream, target: &str, head: String) -> Version {
        let start = upstream.commit(&format!("refs/heads/{target}")).expect("the target branch was pushed");
        let base = upstream.merge_base(&start, &head).expect("a merge base");
        Version { id: self.world().id(), base, start, head }
    }

    /// Changes the only request of this number.
    pub fn request<T>(&self, iid: u64, change: impl FnOnce(&mut MergeRequest) -> T) -> T {
        let mut world = self.world();
        let mut found: Vec<_> = world.projects.values_mut().filter_map(|p| p.requests.get_mut(&iid)).collect();
        assert_eq!(found.len(), 1, "requests with the number {iid}");
        change(found.remove(0))
    }

    fn upstream_of(&self, iid: u64) -> Upstream {
        let world = self.world();
        let found = world.projects.iter().find(|(_, p)| p.requests.contains_key(&iid));
        world.upstream(found.expect("a request of this number").0)
    }

    /// Pushes a new head, by force where it must be: the request's ref, its branch where that stands, and a new version.
    pub fn push(&self, iid: u64, from: &Repo, commit: &str) {
        let upstream = self.upstream_of(iid);
        let (own, source, branch, target) = self.request(iid, |r| {
            (r.head_ref(), r.source, format!("refs/heads/{}", r.source_branch), r.target_branch.clone())
        });
        upstream.push_request(from, commit, &own);
        if source == Source::Same && upstream.commit(&branch).is_some() {
            upstream.set_ref(&branch, commit);
        }
        let version = self.version(&upstream, &target, commit.to_owned());
        self.request(iid, |r| r.versions.push(version));
    }

    /// The request's own ref is dropped, as some days after a merge.
    pub fn drop_ref(&self, iid: u64) {
        let own = self.request(iid, |r| r.head_ref());
        self.upstream_of(iid).git(&["update-ref", "-d", &own]);
    }

    /// The project goes by another path from now on; the old one answers `GET` with redirects and refuses the rest.
    pub fn rename(&self, from: &str, to: &str) {
        let mut world = self.world();
        let (old, new) = (world.upstream(from), world.upstream(to));
        new.delete();
        std::fs::rename(old.path(), new.path()).expect("the repository moves");
        let project = world.projects.remove(from).expect("a project of this path");
        world.projects.insert(to.to_owned(), project);
        world.renamed.insert(from.to_owned(), to.to_owned());
    }

    /// A person edits a note on the page: its author, or a maintainer.
    pub fn edit(&self, iid: u64, id: u64, change: impl FnOnce(&str) -> String) {
        self.request(iid, |request| {
            let mut notes = request.discussions.iter_mut().flat_map(|discussion| &mut discussion.notes);
            let note = notes.find(|note| note.id == id).expect("a note of this id");
            note.body = change(&note.body);
        });
    }

    /// A person deletes a note on the page; a discussion without notes is gone.
    pub fn delete_note(&self, iid: u64, id: u64) {
        self.request(iid, |request| {
            let before = request.notes().count();
            for discussion in &mut request.discussions {
                discussion.notes.retain(|note| note.id != id);
            }
            request.discussions.retain(|discussion| !discussion.notes.is_empty());
            assert_eq!(request.notes().count() + 1, before, "a note of this id");
        });
    }

    /// Stores a note of anybody's in a discussion of its own; gives its id. Its lines run no quick actions.
    pub fn note(&self, iid: u64, author: User, kind: NoteKind, body: &str) -> u64 {
        let id = self.world().id();
        let individual = kind == NoteKind::Plain;
        let note = Note { id, author, body: body.to_owned(), kind, system: false };
        self.request(iid, |r| r.discussions.push(Discussion { id: discussion_id(id), individual, notes: vec![note] }));
        id
    }
}

//! Setting the scene: what a test tells the forge besides asking it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::world::{
    Account, Comment, Head, HeadRepo, Place, Project, Pull, PullState, Review, ReviewState, User, World,
};
use crate::support::repo::{Repo, Upstream, git};

/// A handle on what the forge stores; clones share it, so that a fault's hook can hold one.
#[derive(Clone)]
pub struct Stage {
    world: Arc<Mutex<World>>,
}

impl Stage {
    pub(super) fn new(world: Arc<Mutex<World>>) -> Self {
        Self { world }
    }

    /// The whole state, locked; let it go before the forge is asked anything.
    pub fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn account(&self, token: &str, account: Account) {
        self.world().accounts.insert(token.to_owned(), account);
    }

    /// Changes a project; made on first use.
    pub fn project<T>(&self, name: &str, change: impl FnOnce(&mut Project) -> T) -> T {
        let mut world = self.world();
        let id = world.id();
        let project = world.projects.entry(name.to_owned()).or_insert_with(|| Project {
            id,
            private: false,
            archived: false,
            default_branch: "main".to_owned(),
            pulls: BTreeMap::new(),
        });
        change(project)
    }

    /// Opens a request. The head is the branch's tip, or what was pushed to `refs/pull/<n>/head` before.
    pub fn open(&self, project: &str, number: u64, head: Head, base: &str) {
        let upstream = self.world().upstream(project);
        let base_sha = upstream.commit(&format!("refs/heads/{base}")).expect("the base branch was pushed");
        let pull = Pull {
            number,
            title: format!("request {number}"),
            author: User::person("author"),
            state: PullState::Open,
            draft: false,
            locked: None,
            base_branch: base.to_owned(),
            base_sha,
            head,
            reviews: Vec::new(),
            comments: Vec::new(),
            without_patch: BTreeSet::new(),
            refused: BTreeSet::new(),
            times_out_above: None,
        };
        if pull.head.repo == HeadRepo::Same
            && let Some(tip) = upstream.commit(&format!("refs/heads/{}", pull.head.branch))
        {
            upstream.set_ref(&pull.head_ref(), &tip);
        }
        assert!(upstream.commit(&pull.head_ref()).is_some(), "the head of request {number} was not pushed");
        self.project(project, |p| p.pulls.insert(number, pull));
    }

    /// Changes the only request of this number.
    pub fn pull<T>(&self, number: u64, change: impl FnOnce(&mut Pull) -> T) -> T {
        let mut world = self.world();
        let mut found: Vec<_> = world.projects.values_mut().filter_map(|p| p.pulls.get_mut(&number)).collect();
        assert_eq!(found.len(), 1, "requests with the number {number}");
        change(found.remove(0))
    }

    fn upstream_of(&self, number: u64) -> Upstream {
        let world = self.world();
        let found = world.projects.iter().find(|(_, p)| p.pulls.contains_key(&number));
        world.upstream(found.expect("a request of this number").0)
    }

    /// Pushes a new head, by force where it must be: the request's ref, and its branch where that stands.
    pub fn push(&self, number: u64, from: &Repo, commit: &str) {
        let upstream = self.upstream_of(number);
        let (own, head) = self.pull(number, |pull| (pull.head_ref(), pull.head.clone()));
        upstream.push_request(from, commit, &own);
        let branch = format!("refs/heads/{}", head.branch);
        if head.repo == HeadRepo::Same && upstream.commit(&branch).is_some() {
            upstream.set_ref(&branch, commit);
        }
    }

    /// Makes the commit that the forge tries a merge with, at `refs/pull/<n>/merge`, and gives its name. Its tree is the head's.
    pub fn test_merge(&self, number: u64) -> String {
        let upstream = self.upstream_of(number);
        let (base, head) = self.pull(number, |pull| (format!("refs/heads/{}", pull.base_branch), pull.head_ref()));
        let tree = format!("{head}^{{tree}}");
        let commit = git(upstream.path(), &["commit-tree", &tree, "-p", &base, "-p", &head, "-m", "merge"]);
        upstream.set_ref(&format!("refs/pull/{number}/merge"), &commit);
        commit
    }

    /// Merges: the base branch moves to a merge commit, the request is closed.
    pub fn merge(&self, number: u64) {
        let commit = self.test_merge(number);
        let upstream = self.upstream_of(number);
        let base = self.pull(number, |pull| {
            pull.state = PullState::Merged;
            pull.base_branch.clone()
        });
        upstream.set_ref(&format!("refs/heads/{base}"), &commit);
    }

    /// The project goes by another name from now on; the old one answers with redirects.
    pub fn rename(&self, from: &str, to: &str) {
        let mut world = self.world();
        let (old, new) = (world.upstream(from), world.upstream(to));
        new.delete();
        std::fs::rename(old.path(), new.path()).expect("the repository moves");
        let project = world.projects.remove(from).expect("a project of this name");
        world.projects.insert(to.to_owned(), project);
        world.renamed.insert(from.to_owned(), to.to_owned());
    }

    /// A person edits a review's text or a comment on the page; anybody who may write can.
    pub fn edit(&self, number: u64, id: u64, change: impl FnOnce(&str) -> String) {
        self.pull(number, |pull| {
            let reviews = pull.reviews.iter_mut().filter(|review| review.state != ReviewState::Pending);
            let reviews = reviews.map(|review| (review.id, &mut review.body));
            let mut texts = reviews.chain(pull.comments.iter_mut().map(|comment| (comment.id, &mut comment.body)));
            let (_, body) = texts.find(|(stored, _)| *stored == id).expect("a text of this id");
            *body = change(body);
        });
    }

    /// A person deletes a comment on the page. A review that was submitted cannot be deleted.
    pub fn delete_comment(&self, number: u64, id: u64) {
        self.pull(number, |pull| {
            let before = pull.comments.len();
            pull.comments.retain(|comment| comment.id != id);
            assert_eq!(pull.comments.len() + 1, before, "a comment of this id");
        });
    }

    /// Stores a review of anybody's, as if it had been posted on the current head; gives its id.
    pub fn review(&self, number: u64, user: User, state: ReviewState, body: &str) -> u64 {
        let upstream = self.upstream_of(number);
        let id = self.world().id();
        self.pull(number, |pull| {
            let commit = pull.head_sha(&upstream);
            pull.reviews.push(Review { id, user, body: body.to_owned(), state, commit });
        });
        id
    }

    /// Stores a comment of anybody's, as if it had been posted on the current head; gives its id.
    pub fn comment(&self, number: u64, review: Option<u64>, user: User, place: Place, body: &str) -> u64 {
        let upstream = self.upstream_of(number);
        let id = self.world().id();
        self.pull(number, |pull| {
            let commit = pull.head_sha(&upstream);
            pull.comments.push(Comment { id, review, user, body: body.to_owned(), place, commit });
        });
        id
    }
}

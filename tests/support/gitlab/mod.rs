//! A GitLab on the loopback interface. It takes and refuses positions by the real diff, which it has from `git` as Gitaly has it:
//! renames from 30 %, and only the two paths that the position names.
//!
//! What it has: `GET projects/:id`, `merge_requests`, `merge_requests/:iid` and below it `versions`, `diffs` (from 15.7), `changes`, `discussions`,
//! `discussions/:id`, `notes`, `notes/:id`; `GET user`; `POST discussions`, `POST notes`, `PUT notes/:id`; and git by smart HTTP. Bodies may be
//! JSON or form-encoded. Anything else is answered 404 and fails the test when the forge is dropped, as do a quick action that
//! ran and a `line_range` that the page would show wrong (the real one takes it).
//!
//! Where it is unsettled what the real one does, this one refuses: a comment in a submodule or a symbolic link. Quick actions
//! run wherever some version of GitLab may run them.
//!
//! ```ignore
//! let forge = GitLab::below("/gitlab");
//! forge.upstream("group/sub/widgets").push(&work, &["main", "topic"]);
//! forge.stage.open("group/sub/widgets", 7, "topic", "main");
//! forge.stage.account("glpat-secret", Account::person("ann"));
//! forge.stage.request(7, |request| request.unready = 2);
//! ```

mod body;
mod position;
mod quick_actions;
mod render;
mod routes;
mod stage;
mod throttle;
mod world;
mod write;

use std::ops::Deref;
use std::sync::{Arc, Mutex};

use crate::support::repo::Scratch;
use crate::support::server::Desk;

pub use position::line_code;
pub use quick_actions::acting_lines;
pub use stage::Stage;
pub use throttle::Throttle;
pub use world::{
    Access, Account, Discussion, MergeRequest, Note, NoteKind, Project, Release, RequestState, Source, User, Version,
    World,
};

/// The running forge. Its requests, faults and violations are those of its [`Desk`]; what it stores is set through
/// [`GitLab::stage`].
pub struct GitLab {
    desk: Desk,
    pub stage: Stage,
    below: String,
}

impl GitLab {
    /// At the root of its host.
    pub fn start() -> Self {
        Self::below("")
    }

    /// Under a sub-path such as `/gitlab`: pages, git and API alike.
    pub fn below(path: &str) -> Self {
        let scratch = Scratch::new();
        let world = Arc::new(Mutex::new(World::new(scratch.path().join("srv"))));
        let front = routes::Front { world: Arc::clone(&world), below: path.to_owned() };
        Self { desk: Desk::start(Arc::new(front), scratch), stage: Stage::new(world), below: path.to_owned() }
    }

    /// The base of the API, without a slash at its end.
    pub fn api_url(&self) -> String {
        format!("{}{}/api/v4", self.desk.origin(), self.below)
    }

    /// What a clone has as its remote.
    pub fn clone_url(&self, project: &str) -> String {
        format!("{}{}/{project}.git", self.desk.origin(), self.below)
    }

    /// The page of a request.
    pub fn page_url(&self, project: &str, iid: u64) -> String {
        format!("{}{}/{project}/-/merge_requests/{iid}", self.desk.origin(), self.below)
    }

    /// The raw lines that ran as commands, in any post or edit.
    pub fn quick_actions_run(&self) -> Vec<String> {
        self.stage.world().quick_actions.clone()
    }
}

impl Deref for GitLab {
    type Target = Desk;

    fn deref(&self) -> &Desk {
        &self.desk
    }
}

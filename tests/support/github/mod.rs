//! A GitHub on the loopback interface. It takes and refuses reviews by the real diff, which it has from `git`.
//!
//! What it has: `GET repos/{o}/{r}`, `pulls`, `pulls/{n}` and below it `files`, `reviews`, `reviews/{id}`, `reviews/{id}/comments`,
//! `comments`; `GET compare/{base}...{head}`; `GET user`; `POST pulls/{n}/reviews`; `PUT pulls/{n}/reviews/{id}`; and git by smart HTTP.
//! Anything else is answered 404 and fails the test when the forge is dropped.
//!
//! Rules that the real forge is known to have are followed to the letter. Where it is unsettled what the real one does, this
//! one refuses: a comment on LEFT at a context line, a comment in a submodule or a symbolic link, a review without text, a range
//! whose ends are on different sides. `reviews/{id}/comments` gives places by `position` alone, without `line`; `compare` leaves its
//! `commits` and `files` empty.
//!
//! ```ignore
//! let forge = GitHub::start();
//! forge.upstream("acme/widgets").push(&work, &["main", "topic"]);
//! forge.stage.open("acme/widgets", 22, Head::branch("topic"), "main");
//! forge.stage.account("secret", Account::person("ann"));
//! forge.stage.pull(22, |pull| pull.locked = true);
//! forge.fault(Fault::on("POST", "/repos/*/*/pulls/*/reviews").cut_after());
//! ```

mod place;
mod render;
mod routes;
mod stage;
mod submit;
mod throttle;
mod world;

use std::ops::Deref;
use std::sync::{Arc, Mutex};

use crate::support::repo::Scratch;
use crate::support::server::Desk;

pub use place::Refusals;
pub use stage::Stage;
pub use throttle::Throttle;
pub use world::{
    Access, Account, Comment, Head, HeadRepo, Place, Project, Pull, PullState, Review, ReviewState, Side, User, World,
};

/// The running forge. Its requests, faults and violations are those of its [`Desk`]; what it stores is set through
/// [`GitHub::stage`].
pub struct GitHub {
    desk: Desk,
    pub stage: Stage,
    api_prefix: &'static str,
}

impl GitHub {
    /// As github.com's API host: `repos/…` at the root.
    pub fn start() -> Self {
        Self::with_prefix("")
    }

    /// As GitHub Enterprise Server: the API under `/api/v3`, git and pages at the root.
    pub fn enterprise() -> Self {
        Self::with_prefix("/api/v3")
    }

    fn with_prefix(api_prefix: &'static str) -> Self {
        let scratch = Scratch::new();
        let world = Arc::new(Mutex::new(World::new(scratch.path().join("srv"))));
        let front = routes::Front { world: Arc::clone(&world), api_prefix };
        Self { desk: Desk::start(Arc::new(front), scratch), stage: Stage::new(world), api_prefix }
    }

    /// The base of the API, without a slash at its end.
    pub fn api_url(&self) -> String {
        self.desk.origin() + self.api_prefix
    }

    /// What a clone has as its remote.
    pub fn clone_url(&self, project: &str) -> String {
        format!("{}/{project}.git", self.desk.origin())
    }

    /// The page of a request.
    pub fn page_url(&self, project: &str, number: u64) -> String {
        format!("{}/{project}/pull/{number}", self.desk.origin())
    }
}

impl Deref for GitHub {
    type Target = Desk;

    fn deref(&self) -> &Desk {
        &self.desk
    }
}

//! What the integration tests stand on. Nothing here uses the crate under test: the truth about a change comes from `git`.
//!
//! | module | gives |
//! |---|---|
//! | [`repo`] | real repositories in temporary directories, the forge's bare side, clones of every kind, fingerprints |
//! | [`run`] | the built program in a scrubbed environment, with a time limit, and its output made comparable |
//! | [`pty`] | the same program at a pseudo-terminal |
//! | [`diff`] | git's own diff of two commits, read by the counts of its hunk headers |
//! | [`server`] | the HTTP part of both forges: records every request, plays faults, serves git by smart HTTP |
//! | [`faults`] | which call goes wrong, and how |
//! | [`github`], [`gitlab`] | forges on the loopback interface that take and refuse what the real ones do |
//!
//! A forge panics when it is dropped if it was asked for anything that the real one does not have, so a test need not
//! look for that itself.
//!
//! ```ignore
//! let forge = GitHub::start();
//! let work = Repo::new();
//! work.write("a.rs", "one\ntwo\n").commit("base");
//! work.switch_new("topic").write("a.rs", "one\n2\n").commit("change");
//! forge.upstream("acme/widgets").push(&work, &["main", "topic"]);
//! forge.open("acme/widgets", 22, "topic", "main");
//! forge.account("secret", Account::user("ann"));
//! // The files of this directory name each other by `crate::support`, so the test binary declares `mod support` at its root.
//! let clone = Cloned::of(forge.clone_url("acme/widgets")).make();
//! let answer = Dai::at(clone.path()).args(["forge", "review", "22"]).env("GH_TOKEN", "secret").run();
//! assert_eq!(forge.writes().len(), 0);
//! ```
#![allow(dead_code, unused_imports, reason = "each test binary uses its own part of this")]

pub mod diff;
pub mod faults;
pub mod github;
pub mod gitlab;
pub mod repo;
pub mod run;
pub mod server;

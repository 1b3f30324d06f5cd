//! What the integration tests stand on. Nothing here uses the crate under test: the truth about a change comes from `git`.
//!
//! | module | gives |
//! |---|---|
//! | [`repo`] | real repositories in temporary directories, the forge's bare side, clones of every kind, fingerprints |
//! | [`run`] | the built program in a scrubbed environment, piped or at a terminal, with a time limit; its output made comparable |
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
//! forge.stage.open("acme/widgets", 22, Head::branch("topic"), "main");
//! forge.stage.account("secret", Account::person("ann"));
//! let clone = Cloned::of(forge.clone_url("acme/widgets")).make();
//! let before = clone.fingerprint();
//! let run = Dai::in_repo(&clone).args(["forge", "review", "22", "--forge", "github"]);
//! run.env("GH_ENTERPRISE_TOKEN", "secret").env("GITHUB_API_URL", forge.api_url()).run().exits(0);
//! before.assert_same_but(&clone.fingerprint(), &["ref refs/dai/"]);
//! assert_eq!(forge.writes(), []);
//! ```
//!
//! The files of this directory name each other by `crate::support`: a test binary declares `mod support` at its root. Hold no
//! lock of a `stage` while the forge is asked something.
#![allow(dead_code, unused_imports, reason = "each test binary uses its own part of this")]

pub mod diff;
pub mod faults;
pub mod github;
pub mod gitlab;
pub mod repo;
pub mod run;
pub mod server;

//! One change with a place of every kind in it.

use crate::support::repo::Repo;

/// `a.rs` has two hunks, `old.rs` is renamed to `new.rs` with one line changed, `gone.rs` is deleted, `made.rs` is added.
pub struct Scene {
    pub work: Repo,
    pub base: String,
    pub first: String,
    pub head: String,
}

pub fn numbered(count: u32) -> String {
    (1..=count).map(|n| format!("line {n}\n")).collect()
}

impl Scene {
    pub fn new() -> Self {
        let work = Repo::new();
        work.write("a.rs", numbered(40))
            .write("old.rs", numbered(20))
            .write("gone.rs", "x\ny\n")
            .write("link", "file\n");
        let base = work.commit("base");
        work.switch_new("topic");
        let first = work.write("made.rs", "one\ntwo\n").commit("first");
        let changed = numbered(40).replace("line 5\n", "line five\nline five and a half\n").replace("line 30\n", "");
        work.write("a.rs", changed)
            .rename("old.rs", "new.rs")
            .write("new.rs", numbered(20).replace("line 10\n", "line ten\n"));
        let head = work.remove("gone.rs").symlink("link", "a.rs").commit("head");
        Self { work, base, first, head }
    }
}

//! Reading.

use super::super::GitLab;
use super::fake::{Fake, run, sha, words};
use crate::exit::Exit;
use crate::forge::loopback::{self, Server, access, block_on};
use crate::forge::{Forge, HeadBranch, RawPatch};
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[test]
fn c34_diff_refs_are_waited_for_and_not_forever() {
    let fake = Fake::with(&[], |store| store.unready = 2);
    let request = block_on(async { fake.gitlab().request(4).await }).unwrap();
    assert_eq!((request.merge_base.unwrap().unwrap().as_str(), request.base.as_str()), (&*sha('b'), &*sha('5')));
    let fake = Fake::with(&[], |store| store.unready = 2);
    assert_eq!(words(&run(&fake, 1)), ["posted"]);
    let fake = Fake::with(&[], |store| store.unready = usize::MAX);
    let error = block_on(async { fake.gitlab().request(4).await }).unwrap_err();
    assert_eq!(error.exit(), Exit::Stale, "{error}");
    assert!(fake.server.calls().len() < 20);
}

#[test]
fn a_version_stands_in_for_diff_refs_that_stay_null() {
    let server = Server::start(|seen| match seen.target.as_str() {
        "/projects/9/merge_requests/4/versions" => loopback::json(
            200,
            json!([{"base_commit_sha": sha('b'), "start_commit_sha": sha('5'), "head_commit_sha": sha('a')}]),
        ),
        _ => loopback::json(
            200,
            json!({"iid": 4, "web_url": "u", "state": "opened", "sha": sha('a'), "target_branch": "m", "diff_refs": null}),
        ),
    });
    let gitlab = GitLab::new(&access(&server.base(), "9")).unwrap();
    let request = block_on(async { gitlab.request(4).await }).unwrap();
    assert_eq!((request.head.as_str(), request.base.as_str()), (&*sha('a'), &*sha('5')));
}

#[test]
fn a_rerun_finds_everything_on_all_pages() {
    let fake = Fake::new(&[]);
    run(&fake, 5);
    let standing = block_on(async { fake.gitlab().standing(4).await }).unwrap();
    assert_eq!((standing.comments.len(), standing.summaries.len()), (5, 1), "the middle page is empty");
    assert_eq!(standing.comments[4].url.as_deref(), Some("https://h/4#note_4"));
}

#[test]
fn c50_patches_tell_too_large_collapsed_and_absent_apart() {
    let server = Server::start(|_| {
        let diff = |new: &str, old: &str, diff: &str, too_large: bool, collapsed: bool| json!({"new_path": new, "old_path": old, "diff": diff, "too_large": too_large, "collapsed": collapsed});
        loopback::json(
            200,
            json!([
                diff("text", "before", "@@ -1 +1 @@\n-a\n+b\n", false, false),
                diff("large", "large", "", true, false),
                diff("folded", "folded", "", false, true),
                diff("folded2", "folded2", "@@ -1 +1 @@\n-a\n+b\n", false, true),
                diff("empty", "empty", "", false, false),
                diff("unnamed", "unnamed", "x", false, false),
            ]),
        )
    });
    let gitlab = GitLab::new(&access(&server.base(), "9")).unwrap();
    let named = ["text", "large", "folded", "folded2", "empty", "missing"].map(str::to_owned);
    let patches = block_on(async { gitlab.patches(4, &BTreeSet::from(named)).await }).unwrap();
    let hunk = || RawPatch::Text("@@ -1 +1 @@\n-a\n+b\n".into());
    let raw: Vec<_> = patches.iter().map(|(name, patch)| (name.as_str(), patch.clone())).collect();
    assert_eq!(
        raw,
        [
            ("empty", RawPatch::Absent),
            ("folded", RawPatch::Collapsed),
            ("folded2", hunk()),
            ("large", RawPatch::TooLarge),
            ("text", hunk()),
        ]
    );
}

#[test]
fn the_request_of_a_branch_is_told_from_that_of_another_projects_branch() {
    let server = Server::start(|seen| match seen.target.as_str() {
        "/projects/me%2Fp" => loopback::json(200, json!({"id": 8})),
        "/projects/hidden%2Fp" => loopback::json(404, "{}"),
        _ => {
            let request = |iid: u64, source: Option<u64>| {
                json!({
                    "iid": iid, "title": "t", "web_url": "u", "state": "opened", "sha": sha('a'), "target_branch": "m",
                    "source_branch": "feat/x", "source_project_id": source,
                })
            };
            loopback::json(200, json!([request(1, Some(9)), request(2, Some(8)), request(3, None)]))
        }
    });
    let gitlab = GitLab::new(&access(&server.base(), "9")).unwrap();
    // A fork that cannot be seen or is gone may be anybody's.
    for (project, expected) in [("me/p", &[2][..]), ("hidden/p", &[])] {
        let head = HeadBranch { project: project.into(), branch: "feat/x".into() };
        let found = block_on(async { gitlab.find_open(&head).await }).unwrap();
        assert_eq!(found.iter().map(|open| open.number).collect::<Vec<_>>(), expected, "{project}");
    }
    assert!(server.calls()[0].contains("source_branch=feat%2Fx"), "{:?}", server.calls());
}

#[test]
fn a_merged_request_is_not_waited_for_and_its_diff_is_what_it_is() {
    let whole = json!({"base_sha": sha('b'), "start_sha": sha('5'), "head_sha": sha('c')});
    // A list of versions that cannot be read is not a diff that is not made.
    for (refs, versions, code) in [
        (whole, 404, None),
        (Value::Null, 404, Some(Exit::Stale)),
        (Value::Null, 400, Some(Exit::Forge)),
        (Value::Null, 403, Some(Exit::Token)),
    ] {
        let request = json!({
            "iid": 4, "web_url": "u", "state": "merged", "sha": sha('a'), "target_branch": "m", "diff_refs": refs,
        });
        let server = Server::start(move |seen| match seen.target.ends_with("/versions") {
            true => loopback::json(versions, "{}"),
            false => loopback::json(200, &request),
        });
        let gitlab = GitLab::new(&access(&server.base(), "9")).unwrap();
        let read = block_on(async { gitlab.request(4).await });
        assert_eq!(server.count("GET /projects/9/merge_requests/4"), 1);
        match read {
            Ok(request) => assert_eq!((request.head.as_str(), code), (&*sha('c'), None)),
            Err(error) => assert_eq!(Some(error.exit()), code, "{error}"),
        }
    }
}

#[test]
fn a_project_that_cannot_be_seen_is_a_matter_of_the_token() {
    let server = Server::start(|_| loopback::json(404, json!({"message": "404 Project Not Found"})));
    let gitlab = GitLab::new(&access(&server.base(), "g/p")).unwrap();
    let head = HeadBranch { project: "g/p".into(), branch: "x".into() };
    let errors = block_on(async { (gitlab.request(4).await.unwrap_err(), gitlab.find_open(&head).await.unwrap_err()) });
    assert_eq!((errors.0.exit(), errors.1.exit()), (Exit::Token, Exit::Token));
}

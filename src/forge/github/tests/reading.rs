//! Reading.

use super::super::GitHub;
use super::fake::sha;
use crate::exit::Exit;
use crate::forge::loopback::{self, Reply, Server, access, block_on};
use crate::forge::{Forge, HeadBranch, RawPatch, State};
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[test]
fn the_merge_base_is_that_of_the_branch_unless_merged() {
    for (state, merged_at, wanted, range) in [
        ("open", Value::Null, State::Open, "release%2F1...".to_owned() + &sha('a')),
        ("closed", Value::Null, State::Closed, "release%2F1...".to_owned() + &sha('a')),
        ("closed", json!("2026-01-01T00:00:00Z"), State::Merged, sha('b') + "..." + &sha('a')),
    ] {
        let pull = json!({
            "number": 22, "html_url": "u", "state": state, "merged_at": merged_at,
            "head": {"ref": "topic", "sha": sha('a'), "repo": null},
            "base": {"ref": "release/1", "sha": sha('b'), "repo": null},
        });
        let server = Server::start(move |seen| match seen.target.contains("/compare/") {
            true => loopback::json(200, json!({"merge_base_commit": {"sha": sha('d')}})),
            false => loopback::json(200, &pull),
        });
        let github = GitHub::new(&access(&server.base(), "o/r")).unwrap();
        let request = block_on(async { github.request(22).await }).unwrap();
        assert_eq!((request.state, request.merge_base.unwrap().unwrap().as_str()), (wanted, &*sha('d')));
        assert_eq!(server.calls()[1], format!("GET /repos/o/r/compare/{range}?per_page=1"));
    }
}

#[test]
fn a_404_is_a_missing_request_or_a_hidden_project() {
    for (project, exit) in [(200, Exit::Forge), (404, Exit::Token)] {
        let server = Server::start(move |seen| match seen.target.as_str() {
            "/repos/o/r" => loopback::json(project, json!({"full_name": "o/r"})),
            _ => loopback::json(404, json!({"message": "Not Found"})),
        });
        let github = GitHub::new(&access(&server.base(), "o/r")).unwrap();
        let error = block_on(async { github.request(22).await }).unwrap_err();
        assert_eq!(error.exit(), exit, "{error}");
    }
}

#[test]
fn patches_are_read_page_by_page_until_all_named_files_were_seen() {
    let server = Server::start(|seen| {
        let page: usize = seen.target.split("&page=").nth(1).map_or(1, |page| page.parse().unwrap());
        let host = &seen.headers["host"];
        let link = format!("<http://{host}/repos/o/r/pulls/22/files?per_page=100&page={}>; rel=\"next\"", page + 1);
        let files = json!([
            {"filename": format!("f{page}"), "patch": "@@ -1 +1 @@\n-a\n+b"},
            {"filename": format!("n{page}"), "previous_filename": format!("o{page}")},
        ]);
        Reply::Whole(200, vec![("link", link)], files.to_string())
    });
    let github = GitHub::new(&access(&server.base(), "o/r")).unwrap();
    let named = BTreeSet::from(["f1".to_owned(), "n2".to_owned()]);
    let patches = block_on(async { github.patches(22, &named).await }).unwrap();
    assert_eq!(server.calls().len(), 2);
    assert_eq!(patches["f1"], RawPatch::Text("@@ -1 +1 @@\n-a\n+b".into()));
    assert_eq!(patches["n2"], RawPatch::Absent);
    assert_eq!(patches.len(), 2);
}

#[test]
fn only_requests_of_that_very_branch_are_found() {
    let server = Server::start(|_| {
        let pull = |number: u64, branch: &str, repo: Value| {
            json!({
                "number": number, "title": "t", "html_url": "u", "state": "open", "merged_at": null,
                "head": {"ref": branch, "sha": sha('a'), "repo": repo}, "base": {"ref": "main", "sha": sha('b'), "repo": null},
            })
        };
        let fork = json!({"full_name": "Me/r"});
        let other = json!({"full_name": "o/r"});
        loopback::json(
            200,
            json!([
                pull(1, "feat/x", fork.clone()),
                pull(2, "feat/x", other),
                pull(3, "y", fork),
                pull(4, "feat/x", Value::Null)
            ]),
        )
    });
    let github = GitHub::new(&access(&server.base(), "o/r")).unwrap();
    let head = HeadBranch { project: "me/r".into(), branch: "feat/x".into() };
    let found = block_on(async { github.find_open(&head).await }).unwrap();
    assert_eq!(found.iter().map(|open| open.number).collect::<Vec<_>>(), [1]);
    assert_eq!(server.calls(), ["GET /repos/o/r/pulls?state=open&head=me:feat%2Fx&per_page=100"]);
}

#[test]
fn c46_an_app_token_that_may_not_ask_who_it_is_owns_what_bots_wrote_on_every_page() {
    let marked = |n: u8, kind: &str| {
        json!({
            "id": n, "user": {"id": n, "login": format!("u{n}"), "type": kind}, "path": "a", "line": 1,
            "body": format!("x\n<!-- dai v1 finding={n:016x} place={n:016x} -->"), "html_url": format!("https://h/{n}"),
        })
    };
    let server = Server::start(move |seen| match seen.target.as_str() {
        "/user" => loopback::json(403, json!({"message": "Resource not accessible by integration"})),
        "/repos/o/r/pulls/22/comments?per_page=100" => {
            let next = format!("<http://{}/more?page=2>; rel=\"next\"", seen.headers["host"]);
            Reply::Whole(200, vec![("link", next)], json!([marked(1, "Bot"), marked(2, "User")]).to_string())
        }
        "/more?page=2" => loopback::json(200, json!([marked(3, "Bot")])),
        _ => loopback::json(200, "[]"),
    });
    let github = GitHub::new(&access(&server.base(), "o/r")).unwrap();
    let standing = block_on(async { github.standing(22).await }).unwrap();
    let urls: Vec<_> = standing.comments.iter().map(|own| own.url.as_deref().unwrap()).collect();
    assert_eq!(urls, ["https://h/1", "https://h/3"]);
    assert_eq!(standing.warnings.len(), 1);
    assert!(standing.warnings[0].message.contains("u2"), "{:?}", standing.warnings);
}

#[test]
fn a_page_link_to_another_server_is_not_followed_but_counted_on() {
    let other = Server::start(|_| loopback::json(200, "[]"));
    let link = format!("<{}steal>; rel=\"next\"", other.base());
    let server = Server::start(move |seen| {
        let files =
            if seen.target.ends_with("page=3") { json!([]) } else { json!([{"filename": "a", "patch": seen.target}]) };
        Reply::Whole(200, vec![("link", link.clone())], files.to_string())
    });
    let github = GitHub::new(&access(&server.base(), "o/r")).unwrap();
    let named = BTreeSet::from(["a".to_owned(), "b".to_owned()]);
    let patches = block_on(async { github.patches(22, &named).await }).unwrap();
    let page = |n| format!("GET /repos/o/r/pulls/22/files?per_page=100{n}");
    assert_eq!(server.calls(), [page(""), page("&page=2"), page("&page=3")]);
    assert_eq!((patches.len(), other.calls().len()), (1, 0));
}

//! What the loopback GitLab shows, and to whom.

use serde_json::{Value, json};

use super::ground::{DISCUSSIONS, NOTES, PROJECT, REQUEST, ask, at, scene, stored};
use crate::client::Client;
use crate::support::gitlab::{Access, Account, NoteKind, Release, RequestState, Source, User};

#[test]
fn what_the_forge_does_not_have_fails_the_test() {
    let (forge, _) = scene();
    let client = ask(&forge, "glpat");
    for path in
        ["/version", &format!("{REQUEST}/approvals"), &format!("{REQUEST}?full=1"), &format!("{REQUEST}/draft_notes")]
    {
        assert_eq!(client.get(path).status, 404, "{path}");
    }
    assert_eq!(client.post(&format!("{REQUEST}/approve"), &json!({})).status, 404);
    assert_eq!(client.send("DELETE", &format!("{NOTES}/1"), "", b"").expect("an answer").status, 404);
    let above = Client::new(forge.origin(), &[]);
    assert_eq!(above.get("/api/v4/user").status, 404, "not below the sub-path");
    assert_eq!(forge.take_violations().len(), 7);
}

#[test]
fn tokens_open_what_they_are_for() {
    let (forge, _) = scene();
    let accounts = [
        ("read", Account::person("bob").with(Access::ReadApi)),
        ("outside", Account::person("eve").with(Access::Outsider)),
        ("job", Account::person("ann").with(Access::Job)),
        ("bot", Account::project_token(5)),
    ];
    for (token, account) in accounts {
        forge.stage.account(token, account);
    }
    let note = json!({ "body": "b" });
    let row =
        |client: &Client| (client.get("/user").status, client.get(REQUEST).status, client.post(NOTES, &note).status);
    let nobody = Client::new(forge.api_url(), &[]);
    assert_eq!(row(&nobody), (401, 200, 401));
    assert_eq!(row(&ask(&forge, "wrong")), (401, 401, 401));
    assert_eq!(row(&ask(&forge, "glpat")), (200, 200, 201));
    assert_eq!(row(&Client::new(forge.api_url(), &[("authorization", "Bearer glpat")])), (200, 200, 201));
    assert_eq!(row(&ask(&forge, "read")), (200, 200, 403));
    assert_eq!(row(&ask(&forge, "outside")), (200, 200, 201));
    assert_eq!(row(&ask(&forge, "job")), (401, 200, 401));
    assert_eq!(row(&Client::new(forge.api_url(), &[("job-token", "job")])), (401, 200, 401));
    assert_eq!(row(&ask(&forge, "bot")), (200, 200, 201));
    assert_eq!(ask(&forge, "read").post(NOTES, &note).json()["error"], "insufficient_scope");
    forge.stage.project(PROJECT, |p| p.private = true);
    assert_eq!(row(&nobody), (401, 404, 401));
    assert_eq!(row(&ask(&forge, "outside")), (200, 404, 404));
    assert_eq!(row(&ask(&forge, "read")), (200, 200, 403));
    assert_eq!(ask(&forge, "glpat").get("/user").json()["username"], "ann");
}

#[test]
fn states_of_a_request_are_shown_and_obeyed() {
    let (forge, scene) = scene();
    let client = ask(&forge, "glpat");
    let shown = client.get(REQUEST).json();
    assert_eq!(shown["diff_refs"], json!({ "base_sha": scene.base, "head_sha": scene.head, "start_sha": scene.base }));
    assert_eq!(shown["web_url"], json!(forge.page_url(PROJECT, 7)));
    let id = shown["project_id"].as_u64().expect("a number");
    assert_eq!(client.get(&format!("/projects/{id}/merge_requests/7")).json(), shown);
    assert_eq!(client.get(&format!("/projects/{id}")).json()["path_with_namespace"], PROJECT);
    forge.stage.request(7, |r| (r.draft, r.state, r.source) = (true, RequestState::Merged, Source::Deleted));
    let shown = client.get(REQUEST).json();
    assert_eq!(
        (&shown["draft"], &shown["state"], &shown["source_project_id"]),
        (&json!(true), &json!("merged"), &Value::Null)
    );
    forge.stage.drop_ref(7);
    assert_eq!(client.post(NOTES, &json!({ "body": "b" })).status, 201, "the ref may be gone");
    forge.stage.request(7, |r| r.discussion_locked = true);
    assert_eq!(
        (client.post(NOTES, &json!({ "body": "b" })).status, client.get(REQUEST).json()["discussion_locked"].clone()),
        (403, json!(true))
    );
    forge.stage.request(7, |r| r.discussion_locked = false);
    forge.stage.project(PROJECT, |p| p.archived = true);
    assert_eq!(client.post(NOTES, &json!({ "body": "b" })).status, 403);
    assert_eq!(client.get("/projects/group%2Fother").status, 404);
    assert_eq!(client.get("/projects/group%2Fsub%2Fwidgets/merge_requests/8").status, 404);
}

#[test]
fn diff_refs_come_late() {
    let (forge, scene) = scene();
    let client = ask(&forge, "glpat");
    let head = || client.get(REQUEST).json()["diff_refs"]["head_sha"].clone();
    forge.stage.request(7, |r| r.unready = 2);
    assert_eq!(client.get(&format!("{REQUEST}/versions")).json(), json!([]));
    assert_eq!([head(), head(), head()], [Value::Null, Value::Null, json!(scene.head)]);
    let next = scene.work.write("made.rs", "three\n").commit("next");
    forge.stage.push(7, &scene.work, &next);
    forge.stage.request(7, |r| r.trailing = 1);
    let versions = |row: usize| client.get(&format!("{REQUEST}/versions")).json()[row]["head_commit_sha"].clone();
    assert_eq!(versions(0), json!(scene.head));
    assert_eq!([head(), head()], [json!(scene.head), json!(next)]);
    assert_eq!([versions(0), versions(1)], [json!(next), json!(scene.head)]);
}

#[test]
fn files_carry_their_diffs() {
    let (forge, _) = scene();
    let client = ask(&forge, "glpat");
    forge.stage.request(7, |r| {
        r.too_large.insert("made.rs".to_owned());
        r.collapsed.insert("a.rs".to_owned());
    });
    let files = client.get(&format!("{REQUEST}/diffs")).json();
    let row = |f: &Value| {
        let flag = |name: &str| f[name].as_bool().expect("a flag");
        let kind = (flag("new_file"), flag("renamed_file"), flag("deleted_file"));
        (f["old_path"].clone(), f["new_path"].clone(), kind, flag("collapsed"), flag("too_large"), f["diff"] != "")
    };
    let rows: Vec<_> = files.as_array().expect("an array").iter().map(row).collect();
    let expected = [
        ("a.rs", "a.rs", (false, false, false), true, false, false),
        ("gone.rs", "gone.rs", (false, false, true), false, false, true),
        ("link", "link", (false, false, true), false, false, true),
        ("link", "link", (true, false, false), false, false, true),
        ("made.rs", "made.rs", (true, false, false), false, true, false),
        ("old.rs", "new.rs", (false, true, false), false, false, true),
    ];
    let expected: Vec<_> =
        expected.into_iter().map(|(o, n, kind, c, t, d)| (json!(o), json!(n), kind, c, t, d)).collect();
    assert_eq!(rows, expected);
    assert_eq!(files[1]["diff"], "@@ -1,2 +0,0 @@\n-x\n-y\n");
}

#[test]
fn each_release_lists_files_in_its_own_shape() {
    let (forge, _) = scene();
    let client = ask(&forge, "glpat");
    for (release, diffs, flags) in [
        (Release(15, 0), 404, false),
        (Release(15, 7), 200, false),
        (Release(18, 3), 200, false),
        (Release(18, 4), 200, true),
    ] {
        forge.stage.release(release);
        assert_eq!(client.get(&format!("{REQUEST}/diffs")).status, diffs, "{release:?}");
        let changes = client.get(&format!("{REQUEST}/changes")).json();
        assert_eq!((&changes["iid"], &changes["overflow"]), (&json!(7), &json!(false)));
        let file = &changes["changes"][0];
        assert_eq!((file["new_path"].as_str(), file.get("collapsed").is_some()), (Some("a.rs"), flags), "{release:?}");
        assert_eq!(file.get("too_large").is_some(), flags, "{release:?}");
    }
    forge.stage.request(7, |r| r.overflows_at = Some(1));
    let changes = client.get(&format!("{REQUEST}/changes")).json();
    assert_eq!((changes["changes"].as_array().map(Vec::len), &changes["overflow"]), (Some(1), &json!(true)));
}

#[test]
fn nobody_in_particular_reads_public_projects_and_is_told_less() {
    let (forge, _) = scene();
    let project = "/projects/group%2Fsub%2Fwidgets";
    forge.stage.project(PROJECT, |p| (p.archived, p.forked_from) = (true, Some((9, "group/origin".to_owned()))));
    let nobody = Client::new(forge.api_url(), &[]).get(project).json();
    assert_eq!((nobody["path_with_namespace"].as_str(), nobody.get("archived")), (Some(PROJECT), None));
    let ann = ask(&forge, "glpat").get(project).json();
    assert_eq!((&ann["archived"], &ann["forked_from_project"]["id"]), (&json!(true), &json!(9)));
}

#[test]
fn a_short_page_need_not_be_the_last() {
    let (forge, _) = scene();
    let client = ask(&forge, "glpat");
    for n in 0..25 {
        forge.stage.note(7, User::person("bob"), NoteKind::Plain, &format!("{n}"));
    }
    let page = |query: &str| {
        let got = client.get(&format!("{NOTES}{query}"));
        (
            got.json().as_array().map(Vec::len),
            got.header("x-next-page"),
            got.header("link").expect("a link").contains("rel=\"next\""),
        )
    };
    assert_eq!(page(""), (Some(20), Some("2".to_owned()), true));
    assert_eq!(page("?page=2"), (Some(5), Some(String::new()), false));
    forge.stage.request(7, |r| r.short_pages = Some(10));
    assert_eq!(page("?per_page=100"), (Some(10), Some("2".to_owned()), true));
    assert_eq!(page("?per_page=100&page=3"), (Some(5), Some(String::new()), false));
    let ordered = client.get(&format!("{NOTES}?sort=asc")).json();
    assert_eq!((&ordered[0]["body"], &client.get(NOTES).json()[0]["body"]), (&json!("0"), &json!("24")));
}

#[test]
fn requests_are_found_by_their_source_branch() {
    let (forge, scene) = scene();
    let client = ask(&forge, "glpat");
    forge.upstream(PROJECT).push_request(&scene.work, &scene.first, "refs/merge-requests/8/head");
    forge.stage.open(PROJECT, 8, "other", "main");
    let found = |query: &str| {
        let shown = client.get(&format!("/projects/group%2Fsub%2Fwidgets/merge_requests?{query}")).json();
        shown.as_array().expect("an array").iter().map(|r| r["iid"].as_u64().expect("a number")).collect::<Vec<_>>()
    };
    assert_eq!(found("state=opened&source_branch=topic"), [7]);
    assert_eq!(found("source_branch=other"), [8]);
    assert_eq!(found("state=merged"), [0u64; 0]);
    assert_eq!(found("state=all"), [8, 7]);
}

#[test]
fn notes_are_shown_in_their_discussions_and_edited_by_their_author() {
    let (forge, scene) = scene();
    let client = ask(&forge, "glpat");
    let made =
        client.post(DISCUSSIONS, &at(&scene, &json!({ "old_path": "a.rs", "new_path": "a.rs", "new_line": 5 }))).json();
    let note = client.post(NOTES, &json!({ "body": "summary" })).json();
    let all = client.get(DISCUSSIONS).json();
    assert_eq!(all[0], made);
    assert_eq!(
        (&all[0]["individual_note"], &all[1]["individual_note"], stored(&forge)),
        (&json!(false), &json!(true), 2)
    );
    let id = made["id"].as_str().expect("an id");
    assert_eq!(client.get(&format!("{DISCUSSIONS}/{id}")).json(), made);
    let place = format!("{NOTES}/{}", note["id"]);
    assert_eq!(client.get(&place).json(), note);
    assert_eq!(client.put(&place, &json!({ "body": "other" })).json()["body"], "other");
    assert_eq!(client.get(&place).json()["body"], "other");
    assert_eq!(client.put(&format!("{NOTES}/1"), &json!({ "body": "x" })).status, 404);
    let foreign = forge.stage.note(7, User::person("bob"), NoteKind::Thread, "bob's");
    assert_eq!(client.put(&format!("{NOTES}/{foreign}"), &json!({ "body": "x" })).status, 403);
}

//! What the loopback GitHub shows, and to whom.

use serde_json::{Value, json};

use super::ground::{PULL, REVIEWS, ask, review, scene};
use crate::client::Client;
use crate::scene::numbered;
use crate::support::github::{Access, Account, Head, HeadRepo, Place, ReviewState, Side, User};

#[test]
fn what_the_forge_does_not_have_fails_the_test() {
    let (forge, _) = scene();
    let client = ask(&forge, "secret");
    for path in
        ["/repos/acme/widgets/issues/22/comments", "/graphql", "/repos/acme/widgets/pulls/22?full=1", "/api/v3/user"]
    {
        assert_eq!(client.get(path).status, 404);
    }
    assert_eq!(client.send("DELETE", &format!("{REVIEWS}/1"), "", b"").expect("an answer").status, 404);
    assert_eq!(forge.take_violations().len(), 5);
}

#[test]
#[should_panic(expected = "asked what it does not have")]
fn a_violation_that_nobody_takes_panics_on_drop() {
    let (forge, _) = scene();
    ask(&forge, "secret").get("/emojis");
    drop(forge);
}

#[test]
fn tokens_open_what_they_are_for() {
    let (forge, scene) = scene();
    let accounts = [
        ("reader", Account::person("bob").with(Access::Read)),
        ("public", Account::person("eve").with(Access::Public)),
        ("sso", Account::person("sam").with(Access::SingleSignOn)),
        ("app", Account::app("reviewer")),
        ("actions", Account::actions()),
    ];
    for (token, account) in accounts {
        forge.stage.account(token, account);
    }
    let nobody = Client::new(forge.api_url(), &[("user-agent", "check")]);
    let sent = review(&scene, &json!([]));
    let row =
        |client: &Client| (client.get("/user").status, client.get(PULL).status, client.post(REVIEWS, &sent).status);
    assert_eq!(row(&nobody), (401, 200, 401));
    assert_eq!(row(&ask(&forge, "wrong")), (401, 401, 401));
    assert_eq!(row(&ask(&forge, "secret")), (200, 200, 200));
    assert_eq!(row(&ask(&forge, "reader")), (200, 200, 403));
    assert_eq!(row(&ask(&forge, "sso")), (200, 403, 403));
    assert_eq!(row(&ask(&forge, "app")), (403, 200, 200));
    assert_eq!(row(&ask(&forge, "actions")), (403, 200, 200));
    forge.stage.project("acme/widgets", |p| p.private = true);
    assert_eq!(row(&nobody), (401, 404, 404));
    assert_eq!(row(&ask(&forge, "public")), (200, 404, 404));
    assert_eq!(row(&ask(&forge, "reader")), (200, 200, 403));
    let refused = ask(&forge, "reader").post(REVIEWS, &sent);
    assert_eq!(refused.header("x-accepted-github-permissions").as_deref(), Some("pull_requests=write"));
    assert!(ask(&forge, "sso").get(PULL).header("x-github-sso").is_some());
    let bots: Vec<_> = forge.stage.pull(22, |p| p.reviews.iter().map(|r| (r.user.login.clone(), r.user.bot)).collect());
    assert_eq!(bots[1..], [("reviewer[bot]".to_owned(), true), ("github-actions[bot]".to_owned(), true)]);
    let anonymous = Client::new(forge.api_url(), &[("authorization", "Bearer secret")]);
    assert_eq!(anonymous.get(PULL).status, 403, "a user agent is required");
    let older = Client::new(forge.api_url(), &[("user-agent", "check"), ("authorization", "token secret")]);
    assert_eq!(older.get("/user").json()["login"], "ann");
}

#[test]
fn states_of_a_request_are_shown_and_obeyed() {
    let (forge, scene) = scene();
    let client = ask(&forge, "secret");
    let sent = review(&scene, &json!([]));
    let shown = client.get(PULL).json();
    assert_eq!((&shown["head"]["sha"], &shown["base"]["sha"]), (&json!(scene.head), &json!(scene.base)));
    assert_eq!(
        (&shown["state"], &shown["draft"], &shown["locked"], &shown["merged"]),
        (&json!("open"), &json!(false), &json!(false), &json!(false))
    );
    forge.stage.pull(22, |p| p.draft = true);
    assert_eq!(client.get(PULL).json()["draft"], true);
    for status in [403, 422] {
        forge.stage.pull(22, |p| p.locked = Some(status));
        assert_eq!(client.post(REVIEWS, &sent).status, status);
    }
    assert_eq!(client.get(PULL).json()["locked"], true);
    forge.stage.pull(22, |p| p.locked = None);
    forge.stage.project("acme/widgets", |p| p.archived = true);
    assert_eq!(client.post(REVIEWS, &sent).status, 403);
    assert_eq!(client.get("/repos/acme/widgets").json()["archived"], true);
    forge.stage.project("acme/widgets", |p| p.archived = false);

    let mine = forge.stage.review(22, User::person("ann"), ReviewState::Pending, "draft");
    assert_eq!(
        client.post(REVIEWS, &sent).json()["errors"],
        json!(["User can only have one pending review per pull request"])
    );
    assert_eq!(client.get(REVIEWS).json()[0]["id"], mine);
    forge.stage.account("other", Account::person("bob"));
    assert_eq!(ask(&forge, "other").get(REVIEWS).json(), json!([]), "a pending review is its author's alone");
    assert_eq!(ask(&forge, "other").post(REVIEWS, &sent).status, 200);

    forge.stage.pull(22, |p| p.head.repo = HeadRepo::Deleted("bob".to_owned()));
    assert_eq!(client.get(PULL).json()["head"]["repo"], Value::Null);
    forge.stage.merge(22);
    let merged = client.get(PULL).json();
    assert_eq!((&merged["state"], &merged["merged"]), (&json!("closed"), &json!(true)));
    assert_ne!(client.get(&format!("{PULL}/files")).json(), json!([]), "the diff of a merged request stays");
    assert_eq!(ask(&forge, "other").post(REVIEWS, &sent).status, 200);
}

#[test]
fn files_carry_their_patches() {
    let (forge, _) = scene();
    let client = ask(&forge, "secret");
    forge.stage.pull(22, |p| p.without_patch.insert("made.rs".to_owned()));
    let files = client.get(&format!("{PULL}/files")).json();
    let row = |f: &Value| {
        (f["filename"].clone(), f["status"].clone(), f["previous_filename"].clone(), f["patch"].is_string())
    };
    let rows: Vec<_> = files.as_array().expect("an array").iter().map(row).collect();
    let expected = [
        ("a.rs", "modified", Value::Null, true),
        ("gone.rs", "removed", Value::Null, true),
        ("link", "removed", Value::Null, true),
        ("link", "added", Value::Null, true),
        ("made.rs", "added", Value::Null, false),
        ("new.rs", "renamed", json!("old.rs"), true),
    ];
    let expected: Vec<_> = expected.into_iter().map(|(p, s, prev, patch)| (json!(p), json!(s), prev, patch)).collect();
    assert_eq!(rows, expected);
    assert_eq!(files[1]["patch"], "@@ -1,2 +0,0 @@\n-x\n-y");
    let at = json!([{ "path": "made.rs", "line": 1, "side": "RIGHT", "body": "b" }]);
    assert_eq!(client.post(REVIEWS, &json!({ "body": "b", "event": "COMMENT", "comments": at })).status, 422);
}

#[test]
fn lists_are_paged_by_links() {
    let (forge, _) = scene();
    let client = ask(&forge, "secret");
    for n in 0..120 {
        forge.stage.review(22, User::person("bob"), ReviewState::Commented, &format!("{n}"));
    }
    assert_eq!(client.get(REVIEWS).json().as_array().map(Vec::len), Some(30));
    let first = client.get(&format!("{REVIEWS}?per_page=500"));
    assert_eq!(first.json().as_array().map(Vec::len), Some(100));
    let link = first.header("link").expect("a link");
    let (next, rel) = link.split_once('>').expect("a URL");
    assert!(rel.starts_with("; rel=\"next\""), "{link}");
    let second = client.get(next.trim_start_matches('<').strip_prefix(&forge.api_url()).expect("the same host"));
    assert_eq!(second.json().as_array().map(Vec::len), Some(20));
    assert!(!second.header("link").expect("a link").contains("next"));
}

#[test]
fn requests_are_found_by_their_head() {
    let (forge, scene) = scene();
    let client = ask(&forge, "secret");
    forge.upstream("acme/widgets").push_request(&scene.work, &scene.first, "refs/pull/23/head");
    forge.stage.open("acme/widgets", 23, Head::fork("bob", "topic"), "main");
    let numbers = |query: &str| {
        let found = client.get(&format!("/repos/acme/widgets/pulls{query}")).json();
        found.as_array().expect("an array").iter().map(|p| p["number"].as_u64().expect("a number")).collect::<Vec<_>>()
    };
    assert_eq!(numbers(""), [23, 22]);
    assert_eq!(numbers("?head=acme:topic"), [22]);
    assert_eq!(numbers("?head=bob:topic&state=open"), [23]);
    assert_eq!(numbers("?head=topic"), [23, 22]);
    forge.stage.merge(22);
    assert_eq!(numbers("?state=closed"), [22]);
    assert_eq!(numbers("?state=all"), [23, 22]);
}

#[test]
fn the_merge_base_is_the_forges_own() {
    let (forge, scene) = scene();
    let client = ask(&forge, "secret");
    let tip = scene.work.switch("main").write("x", "1\n").commit("main moves on");
    forge.upstream("acme/widgets").push(&scene.work, &["main"]);
    let compared = client.get(&format!("/repos/acme/widgets/compare/main...{}", scene.head)).json();
    assert_eq!(compared["merge_base_commit"]["sha"], json!(scene.base));
    assert_eq!((&compared["status"], &compared["base_commit"]["sha"]), (&json!("diverged"), &json!(tip)));
    assert_eq!(client.get(PULL).json()["base"]["sha"], json!(scene.base), "base.sha stays behind its branch");
    assert_eq!(client.get("/repos/acme/widgets/compare/main...nowhere").status, 404);
    scene.work.orphan("apart").write("y", "1\n").commit("another history");
    forge.upstream("acme/widgets").push(&scene.work, &["apart"]);
    assert_eq!(client.get("/repos/acme/widgets/compare/main...apart").status, 404);
}

#[test]
fn stored_reviews_are_shown_and_edited_by_their_author() {
    let (forge, scene) = scene();
    let client = ask(&forge, "secret");
    let at = json!([{ "path": "a.rs", "start_line": 5, "start_side": "RIGHT", "line": 6, "side": "RIGHT", "body": "words\n" }]);
    let made = client.post(REVIEWS, &review(&scene, &at)).json();
    let id = made["id"].as_u64().expect("an id");
    assert_eq!((&made["state"], &made["commit_id"]), (&json!("COMMENTED"), &json!(scene.head)));
    assert_eq!(made["html_url"], format!("{}#pullrequestreview-{id}", forge.page_url("acme/widgets", 22)));
    let own = client.get(&format!("{REVIEWS}/{id}/comments")).json();
    assert_eq!((own[0]["line"].is_null(), own[0]["position"].is_null()), (true, false));
    let comment = client.get(&format!("{PULL}/comments")).json()[0].clone();
    assert_eq!(
        (
            &comment["line"],
            &comment["start_line"],
            &comment["side"],
            &comment["body"],
            &comment["pull_request_review_id"]
        ),
        (&json!(6), &json!(5), &json!("RIGHT"), &json!("words\n"), &json!(id))
    );
    assert_eq!(comment["user"]["login"], "ann");
    let place = format!("{REVIEWS}/{id}");
    assert_eq!(client.put(&place, &json!({ "body": "other" })).json()["body"], "other");
    assert_eq!(client.get(&place).json()["body"], "other");
    assert_eq!(client.put(&place, &json!({ "body": "x", "event": "COMMENT" })).status, 422);
    assert_eq!(client.put(&place, &json!({ "body": "" })).status, 422);
    assert_eq!(client.put(&format!("{REVIEWS}/1"), &json!({ "body": "x" })).status, 404);
    let foreign = forge.stage.review(22, User::person("bob"), ReviewState::Commented, "bob's");
    assert_eq!(client.put(&format!("{REVIEWS}/{foreign}"), &json!({ "body": "x" })).status, 403);
}

#[test]
fn a_push_carries_comments_or_makes_them_outdated() {
    let (forge, scene) = scene();
    let client = ask(&forge, "secret");
    let at = |line: u32, side: &str| json!({ "path": "a.rs", "line": line, "side": side, "body": "b" });
    client.post(REVIEWS, &review(&scene, &json!([at(5, "RIGHT"), at(6, "RIGHT"), at(30, "LEFT")])));
    let changed = numbered(40).replace("line 5\n", "line five\nanother\n").replace("line 30\n", "");
    let head = scene.work.write("a.rs", format!("top\n{changed}")).commit("above");
    forge.stage.push(22, &scene.work, &head);
    let lines = || {
        let shown = client.get(&format!("{PULL}/comments")).json();
        shown
            .as_array()
            .expect("an array")
            .iter()
            .map(|c| (c["line"].clone(), c["original_line"].clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(lines(), [(json!(6), json!(5)), (Value::Null, json!(6)), (json!(30), json!(30))]);
    scene.work.git(&["reset", "--quiet", "--hard", &scene.first]);
    let forced = scene.work.write("made.rs", "else\n").commit("forced");
    forge.stage.push(22, &scene.work, &forced);
    assert_eq!(lines(), [(Value::Null, json!(5)), (Value::Null, json!(6)), (Value::Null, json!(30))]);
    assert_eq!(client.get(REVIEWS).json()[0]["commit_id"], json!(forced), "re-pointed after a force push");
    let comment = client.get(&format!("{PULL}/comments")).json()[0].clone();
    assert_eq!(comment["original_commit_id"], json!(scene.head));
}

#[test]
fn a_strangers_words_are_stored_as_they_are() {
    let (forge, _) = scene();
    let place = Place { path: "a.rs".to_owned(), side: Side::Right, start_line: None, line: 5 };
    forge.stage.comment(22, None, User::bot("other[bot]"), place, "<!-- dai v1 -->");
    let shown = ask(&forge, "secret").get(&format!("{PULL}/comments")).json();
    assert_eq!((&shown[0]["body"], &shown[0]["user"]["type"]), (&json!("<!-- dai v1 -->"), &json!("Bot")));
}

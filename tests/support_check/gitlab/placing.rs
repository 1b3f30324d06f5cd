//! Which positions the loopback GitLab takes.

use serde_json::{Value, json};

use super::ground::{DISCUSSIONS, NOTES, PROJECT, ask, at, code, position, scene, stored};
use crate::scene::numbered;
use crate::support::gitlab::{GitLab, Version};
use crate::support::repo::Repo;

const LINE_CODE: &str = r#"400 Bad request - Note {:line_code=>["can't be blank", "must be a valid line code"]}"#;
const SCHEMA: &str = r#"400 Bad request - Note {:position=>["must be a valid json schema"]}"#;

#[test]
fn a_line_is_taken_when_both_its_numbers_match() {
    let (forge, scene) = scene();
    let client = ask(&forge, "glpat");
    let same = |path: &str, old: Value, new: Value| json!({ "old_path": path, "new_path": path, "old_line": old, "new_line": new });
    let none = Value::Null;
    let table = [
        (same("a.rs", none.clone(), json!(5)), true),
        (same("a.rs", none.clone(), json!(6)), true),
        (same("a.rs", json!(5), none.clone()), true),
        (same("a.rs", json!(30), none.clone()), true),
        (same("a.rs", json!(4), json!(4)), true),
        (same("a.rs", json!(6), json!(7)), true),
        (json!({ "old_path": "a.rs", "new_path": "a.rs", "new_line": 5 }), true),
        (json!({ "old_path": "old.rs", "new_path": "new.rs", "new_line": 10 }), true),
        (json!({ "old_path": "old.rs", "new_path": "new.rs", "old_line": 10 }), true),
        (json!({ "old_path": "old.rs", "new_path": "new.rs", "old_line": 9, "new_line": 9 }), true),
        (same("gone.rs", json!(2), none.clone()), true),
        (same("made.rs", none.clone(), json!(1)), true),
        // The first of the two deltas of a type change is the deleted file.
        (same("link", json!(1), none.clone()), true),
        (same("link", none.clone(), json!(1)), false),
        (same("a.rs", none.clone(), json!(4)), false),
        (same("a.rs", json!(4), none.clone()), false),
        (same("a.rs", json!(5), json!(5)), false),
        (same("a.rs", json!(7), json!(7)), false),
        (same("a.rs", json!(20), json!(21)), false),
        (same("a.rs", none.clone(), none.clone()), false),
        (same("gone.rs", none.clone(), json!(1)), false),
        (same("made.rs", json!(1), none.clone()), false),
        (same("nowhere.rs", none.clone(), json!(1)), false),
        // With one path of a rename Gitaly sees an added file: nothing is a context line or a removed one there.
        (same("new.rs", json!(9), json!(9)), false),
        (json!({ "new_path": "new.rs", "old_line": 10 }), false),
        (json!({ "new_line": 5 }), false),
        (json!({ "old_path": "/dev/null", "new_path": "made.rs", "new_line": 1 }), false),
        (json!({ "old_path": "a.rs", "new_path": "a.rs", "new_line": 5, "head_sha": "0".repeat(40) }), false),
    ];
    for (place, taken) in table {
        let count = stored(&forge);
        let got = client.post(DISCUSSIONS, &at(&scene, &place));
        if taken {
            assert_eq!((got.status, stored(&forge)), (201, count + 1), "{place} {}", got.json());
            assert_eq!(got.json()["notes"][0]["type"], "DiffNote");
        } else {
            assert_eq!((got.status, stored(&forge)), (400, count), "{place}");
            assert_eq!(got.json()["message"], LINE_CODE, "{place}");
        }
    }
}

#[test]
fn one_path_of_a_rename_is_an_added_file() {
    let (forge, scene) = scene();
    let place = json!({ "old_path": "new.rs", "new_path": "new.rs", "new_line": 3 });
    // Line 3 is no line of the rename's hunk, but every line of an added file can be named.
    assert_eq!(ask(&forge, "glpat").post(DISCUSSIONS, &at(&scene, &place)).status, 201);
    let place = json!({ "old_path": "old.rs", "new_path": "new.rs", "old_line": 3, "new_line": 3 });
    assert_eq!(ask(&forge, "glpat").post(DISCUSSIONS, &at(&scene, &place)).status, 400);
}

#[test]
fn forty_percent_alike_is_a_rename() {
    let forge = GitLab::start();
    let work = Repo::new();
    let base = work.write("one.txt", numbered(100)).commit("base");
    let kept: String = numbered(100).lines().take(45).map(|line| format!("{line}\n")).collect();
    let other: String = (0..60).map(|n| format!("other {n}\n")).collect();
    let head = work.switch_new("topic").rename("one.txt", "two.txt").write("two.txt", kept + &other).commit("head");
    assert_eq!(
        work.git(&["diff-tree", "-r", "-M50%", "--name-status", &base, &head]).lines().count(),
        2,
        "git's own threshold"
    );
    forge.upstream(PROJECT).push(&work, &["main", "topic"]);
    forge.stage.open(PROJECT, 7, "topic", "main");
    forge.stage.account("glpat", crate::support::gitlab::Account::person("ann"));
    let files = ask(&forge, "glpat").get(&format!("{}/diffs", super::ground::REQUEST)).json();
    assert_eq!((files.as_array().map(Vec::len), &files[0]["renamed_file"]), (Some(1), &json!(true)));
    let commits = json!({ "position_type": "text", "base_sha": base, "start_sha": base, "head_sha": head });
    let mut place = commits;
    for (key, value) in [
        ("old_path", json!("one.txt")),
        ("new_path", json!("two.txt")),
        ("old_line", json!(45)),
        ("new_line", json!(45)),
    ] {
        place[key] = value;
    }
    let got = ask(&forge, "glpat").post(DISCUSSIONS, &json!({ "body": "b", "position": place }));
    assert_eq!(got.status, 201);
}

#[test]
fn the_commits_of_a_position_are_those_of_one_version() {
    let (forge, scene) = scene();
    let client = ask(&forge, "glpat");
    let place = json!({ "old_path": "a.rs", "new_path": "a.rs", "new_line": 5 });
    let with = |key: &str, value: Value| {
        let mut sent = at(&scene, &place);
        sent["position"][key] = value;
        client.post(DISCUSSIONS, &sent)
    };
    let without = |key: &str| {
        let mut sent = at(&scene, &place);
        sent["position"].as_object_mut().expect("an object").remove(key);
        client.post(DISCUSSIONS, &sent)
    };
    for key in ["base_sha", "start_sha", "head_sha"] {
        assert_eq!((with(key, json!("")).status, stored(&forge)), (500, 0), "{key} is empty");
        let missing = without(key);
        assert_eq!(
            (missing.status, missing.json()["error"].clone()),
            (400, json!(format!("position[{key}] is missing")))
        );
    }
    assert_eq!(without("position_type").status, 400);
    assert_eq!(with("position_type", json!("file")).status, 400);
    assert_eq!(with("new_line", json!("five")).status, 400);
    assert_eq!((with("base_sha", json!("0".repeat(40))).status, stored(&forge)), (400, 0));
    assert_eq!(
        (with("base_sha", json!(scene.first)).status, stored(&forge)),
        (500, 1),
        "a wrong base: the note stands"
    );

    let tip = scene.work.switch("main").write("x", "1\n").commit("main moves on");
    forge.upstream(PROJECT).push(&scene.work, &["main"]);
    scene.work.switch("topic");
    let head = scene.work.write("a.rs", "all\n").commit("all new");
    forge.stage.push(7, &scene.work, &head);
    let newest = forge.stage.request(7, |r| r.latest().clone());
    assert_eq!(newest, Version { id: newest.id, base: scene.base.clone(), start: tip, head });
    assert_eq!(client.post(DISCUSSIONS, &at(&scene, &place)).status, 201, "a stale version is taken");
}

#[test]
fn a_range_is_line_codes_and_types_and_no_number() {
    let (forge, scene) = scene();
    let client = ask(&forge, "glpat");
    let ranged = |place: Value, range: Value| {
        let mut place = place;
        place["line_range"] = range;
        client.post(DISCUSSIONS, &at(&scene, &place))
    };
    let last = json!({ "old_path": "a.rs", "new_path": "a.rs", "new_line": 6 });
    let end = |old, new, kind: &str| json!({ "line_code": code("a.rs", old, new), "type": kind });
    let good = json!({ "start": { "line_code": code("a.rs", 4, 4) }, "end": end(6, 6, "new") });
    assert_eq!(ranged(last.clone(), good.clone()).status, 201);
    let made = json!({ "old_path": "made.rs", "new_path": "made.rs", "new_line": 2 });
    let first = json!({ "start": { "line_code": code("made.rs", 0, 1), "type": "new" }, "end": { "line_code": code("made.rs", 0, 2), "type": "new" } });
    assert_eq!(ranged(made, first).status, 201);
    let renamed = json!({ "old_path": "old.rs", "new_path": "new.rs", "old_line": 10 });
    let of_the_new_path = json!({ "start": { "line_code": code("new.rs", 9, 9), "type": null }, "end": { "line_code": code("new.rs", 10, 10), "type": "old" } });
    assert_eq!(ranged(renamed, of_the_new_path).status, 201);
    assert_eq!(forge.violations(), [""; 0]);

    let mut numbers = good.clone();
    numbers["end"]["new_line"] = json!(6);
    let mut kind = good.clone();
    kind["end"]["type"] = json!("added");
    for range in [numbers, kind, json!({ "start": end(4, 4, "new") }), json!("4-6"), json!({ "start": {}, "end": {} })]
    {
        let got = ranged(last.clone(), range);
        assert_eq!((got.status, got.json()["message"].clone()), (400, json!(SCHEMA)));
    }
    // The server takes these, and the page shows them wrong.
    let wrong = [
        json!({ "start": end(5, 5, "new"), "end": end(6, 6, "new") }),
        json!({ "start": { "line_code": code("a.rs", 4, 4), "type": "new" }, "end": end(6, 6, "new") }),
        json!({ "start": { "line_code": code("a.rs", 4, 4) }, "end": end(6, 5, "new") }),
        json!({ "start": { "line_code": code("b.rs", 4, 4) }, "end": end(6, 6, "new") }),
    ];
    for range in wrong {
        let got = ranged(last.clone(), range.clone());
        assert_eq!((got.status, forge.take_violations().len()), (201, 1), "{range}");
    }
}

#[test]
fn forms_are_read_like_documents() {
    let (forge, scene) = scene();
    let client = ask(&forge, "glpat");
    let mut form = url::form_urlencoded::Serializer::new(String::new());
    form.append_pair("body", "a & b = c\n");
    for (key, value) in position(&scene, &json!({ "old_path": "a.rs", "new_path": "a.rs", "new_line": "6" }))
        .as_object()
        .expect("an object")
    {
        form.append_pair(&format!("position[{key}]"), value.as_str().expect("a string"));
    }
    for (end, old, new, kind) in [("start", 4, 4, None), ("end", 6, 6, Some("new"))] {
        form.append_pair(&format!("position[line_range][{end}][line_code]"), &code("a.rs", old, new));
        if let Some(kind) = kind {
            form.append_pair(&format!("position[line_range][{end}][type]"), kind);
        }
    }
    let body = form.finish();
    // A bare `?` at the end is no query.
    let got = client.send("POST", &format!("{DISCUSSIONS}?"), "application/x-www-form-urlencoded", body.as_bytes());
    let note = got.expect("an answer").json()["notes"][0].clone();
    assert_eq!(
        (&note["type"], &note["body"], &note["position"]["new_line"]),
        (&json!("DiffNote"), &json!("a & b = c\n"), &json!(6))
    );
    assert_eq!(note["position"]["line_range"]["end"]["type"], "new");
}

#[test]
fn a_position_can_be_lost() {
    let (forge, scene) = scene();
    let client = ask(&forge, "glpat");
    let plain = client.post(DISCUSSIONS, &json!({ "body": "b", "position": {} }));
    assert_eq!((plain.status, plain.json()["notes"][0]["type"].clone()), (201, json!("DiscussionNote")));
    assert!(plain.json()["notes"][0].get("position").is_none());
    let place = json!({ "old_path": "nowhere", "new_path": "nowhere", "new_line": 1 });
    let note = client.post(NOTES, &at(&scene, &place));
    assert_eq!((note.status, note.json()["type"].clone()), (201, Value::Null));
    let place = json!({ "old_path": "a.rs", "new_path": "a.rs", "new_line": 5 });
    forge.fault(crate::support::faults::Fault::on("POST", "/projects/*/merge_requests/*/discussions").demote());
    let demoted = client.post(DISCUSSIONS, &at(&scene, &place));
    assert_eq!((demoted.status, demoted.json()["notes"][0]["type"].clone()), (201, json!("DiscussionNote")));
    assert_eq!(client.post(DISCUSSIONS, &at(&scene, &place)).json()["notes"][0]["type"], "DiffNote");
}

#[test]
fn what_a_test_tells_of_a_file_decides() {
    let (forge, scene) = scene();
    let client = ask(&forge, "glpat");
    let post = |path: &str, line: u32| {
        client.post(DISCUSSIONS, &at(&scene, &json!({ "old_path": path, "new_path": path, "new_line": line })))
    };
    forge.stage.request(7, |r| r.refused.insert(("a.rs".to_owned(), 5)));
    assert_eq!((post("a.rs", 5).status, post("a.rs", 6).status), (400, 201));
    forge.stage.request(7, |r| r.collapsed.insert("made.rs".to_owned()));
    assert_eq!(post("made.rs", 1).status, 201);
    forge.stage.request(7, |r| r.too_large.insert("made.rs".to_owned()));
    assert_eq!(post("made.rs", 1).status, 400);
    forge.stage.request(7, |r| r.without_diff.insert("a.rs".to_owned()));
    assert_eq!(post("a.rs", 6).status, 400);
}

#[test]
fn the_text_is_checked() {
    let (forge, _) = scene();
    let client = ask(&forge, "glpat");
    for body in [json!({}), json!({ "body": " " }), json!({ "body": "x".repeat(1_000_001) }), json!({ "body": 1 })] {
        assert_eq!((client.post(NOTES, &body).status, client.post(DISCUSSIONS, &body).status), (400, 400));
    }
    assert_eq!(client.post(NOTES, &json!({ "body": "x".repeat(1_000_000) })).status, 201);
    client.post(NOTES, &json!({ "body": "b", "colour": "red" }));
    assert_eq!(forge.take_violations(), ["a parameter that is ignored: colour"]);
}

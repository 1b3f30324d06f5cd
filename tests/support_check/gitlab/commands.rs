//! Which lines the loopback GitLab runs.

use serde_json::json;

use super::ground::{NOTES, ask, scene, stored};
use crate::support::gitlab::acting_lines;

#[test]
fn a_line_runs_wherever_some_gitlab_may_run_it() {
    let table: [(&str, &[&str]); 27] = [
        ("/approve", &["/approve"]),
        ("text\n/approve", &["/approve"]),
        ("text\r/approve\r\n/close", &["/approve", "/close"]),
        ("/LABEL ~bug", &["/LABEL ~bug"]),
        ("/unknown_thing", &["/unknown_thing"]),
        ("/approve.", &["/approve."]),
        ("/утвердить", &["/утвердить"]),
        (" /approve", &[]),
        ("\\/approve", &[]),
        ("> /approve", &[]),
        ("see /approve", &[]),
        ("// comment", &[]),
        ("/* comment */", &[]),
        ("/usr/bin/env", &[]),
        ("/", &[]),
        ("<!-- x -->\n/approve", &["/approve"]),
        ("<!--\n/approve\n-->", &["/approve"]),
        ("<details>\n/approve\n</details>", &["/approve"]),
        ("```\n/approve\n```", &[]),
        ("```rust\n/approve\n```\n/close", &["/close"]),
        ("```\n/approve", &["/approve"]),
        ("````\n/approve\n````", &["/approve"]),
        ("~~~\n/approve\n~~~", &["/approve"]),
        ("``` a`b\n/approve\n```", &["/approve"]),
        (">>>\nquote\n>>>\n```\n/approve\n```", &["/approve"]),
        ("```\ncode\n````\n/approve\n```", &["/approve"]),
        (" ```\n/approve\n ```", &["/approve"]),
    ];
    for (text, runs) in table {
        assert_eq!(acting_lines(text), runs, "{text:?}");
    }
}

#[test]
fn commands_run_in_posts_and_edits_and_leave_the_text() {
    let (forge, _) = scene();
    let client = ask(&forge, "glpat");
    let note = client.post(NOTES, &json!({ "body": "fine\n/approve\nreally" })).json();
    assert_eq!(note["body"], "fine\nreally");
    let alone = client.post(NOTES, &json!({ "body": "/close" }));
    assert_eq!((alone.status, stored(&forge)), (202, 1));
    let place = format!("{NOTES}/{}", note["id"]);
    assert_eq!(client.put(&place, &json!({ "body": "/label ~x\nkept" })).json()["body"], "kept");
    assert_eq!(client.put(&place, &json!({ "body": "/merge" })).status, 200);
    assert_eq!((stored(&forge), client.get(&place).status), (0, 404), "an edit of commands alone deletes the note");
    assert_eq!(forge.quick_actions_run(), ["/approve", "/close", "/label ~x", "/merge"]);
    assert_eq!(forge.take_violations().len(), 4);
}

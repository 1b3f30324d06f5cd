//! The loopback GitLab when things go wrong, and its git.

use serde_json::json;

use super::ground::{DISCUSSIONS, NOTES, PROJECT, REQUEST, ask, at, scene, stored};
use crate::support::faults::Fault;
use crate::support::gitlab::Throttle;
use crate::support::repo::Cloned;
use crate::support::server::Response;

#[test]
fn the_third_of_five_goes_wrong_before_or_after_it_is_stored() {
    let (forge, scene) = scene();
    let client = ask(&forge, "glpat");
    let on = || Fault::on("POST", "/projects/*/merge_requests/*/discussions").nth(3);
    let sent = at(&scene, &json!({ "old_path": "a.rs", "new_path": "a.rs", "new_line": 5 })).to_string();
    let five = || {
        let post = |_| client.send("POST", DISCUSSIONS, "application/json", sent.as_bytes()).map(|got| got.status);
        (1..=5).map(post).collect::<Vec<_>>()
    };
    forge.fault(on().instead(Response::json(400, &json!({ "message": "no" }))));
    assert_eq!((five(), stored(&forge)), (vec![Some(201), Some(201), Some(400), Some(201), Some(201)], 4));
    forge.clear_faults();
    forge.fault(on().after_write(Response::html(500)));
    assert_eq!((five()[2], stored(&forge)), (Some(500), 9));
    forge.clear_faults();
    forge.fault(on().cut_after());
    assert_eq!((five()[2], stored(&forge)), (None, 14));
    forge.clear_faults();
    forge.fault(on().from(3).instead(Throttle::Plain.response()));
    assert_eq!((five()[2..].to_vec(), stored(&forge)), (vec![Some(429); 3], 16));
}

#[test]
fn throttling_comes_with_and_without_headers() {
    let named = |t: Throttle| t.response().headers.iter().any(|(name, _)| name == "retry-after");
    assert_eq!([Throttle::WithHeaders(3), Throttle::OfEndpoint, Throttle::Plain].map(named), [true, false, false]);
    assert_eq!(Throttle::Plain.response().body, b"Retry later\n");
}

#[test]
fn a_renamed_project_redirects_reads_and_refuses_writes() {
    let (forge, _) = scene();
    let client = ask(&forge, "glpat");
    forge.stage.rename(PROJECT, "group/gadgets");
    let moved = client.get(REQUEST);
    let place = moved.header("location").expect("a location");
    assert_eq!(client.get(place.strip_prefix(&forge.api_url()).expect("the same host")).json()["iid"], 7);
    assert_eq!((client.post(NOTES, &json!({ "body": "b" })).status, moved.status), (405, 302));
}

#[test]
fn git_is_served_below_the_sub_path() {
    let (forge, scene) = scene();
    forge.upstream(PROJECT).delete_branch("topic");
    assert!(forge.clone_url(PROJECT).contains("/gitlab/group/sub/widgets.git"));
    let clone = Cloned::of(forge.clone_url(PROJECT)).shallow(1).make();
    clone.git(&["fetch", "--quiet", "--depth=1", "origin", "refs/merge-requests/7/head"]);
    assert_eq!(clone.rev("FETCH_HEAD"), scene.head);
}

#[test]
fn a_stopped_forge_answers_nobody() {
    let (forge, _) = scene();
    assert_eq!(ask(&forge, "glpat").get("/user").status, 200);
    forge.stop();
    assert!(ask(&forge, "glpat").send("GET", "/user", "", b"").is_none());
}

//! The loopback GitHub when things go wrong, and its git.

use std::time::Duration;

use serde_json::json;

use super::ground::{PULL, REVIEWS, ask, review, scene, stored};
use crate::scene::Scene;
use crate::support::faults::Fault;
use crate::support::github::{Account, GitHub, Head, Throttle};
use crate::support::repo::{Cloned, ShaWants};
use crate::support::server::Response;

#[test]
fn a_renamed_project_redirects_on_the_same_host() {
    let (forge, scene) = scene();
    let client = ask(&forge, "secret");
    forge.stage.rename("acme/widgets", "acme/gadgets");
    let moved = client.get(PULL);
    assert_eq!(moved.status, 301);
    let place = moved.header("location").expect("a location");
    assert_eq!(client.get(place.strip_prefix(&forge.api_url()).expect("the same host")).json()["number"], 22);
    let sent = review(&scene, &json!([]));
    let moved = client.post(REVIEWS, &sent);
    assert_eq!((moved.status, stored(&forge)), (307, (0, 0)));
    let place = moved.header("location").expect("a location");
    assert_eq!(client.post(place.strip_prefix(&forge.api_url()).expect("the same host"), &sent).status, 200);
    let clone = Cloned::of(forge.clone_url("acme/widgets")).make();
    assert_eq!(clone.head(), scene.base);
}

#[test]
fn faults_strike_before_or_after_the_write() {
    let (forge, scene) = scene();
    let client = ask(&forge, "secret");
    let sent = review(&scene, &json!([]));
    let post = || client.send("POST", REVIEWS, "application/json", sent.to_string().as_bytes());
    let on = || Fault::on("POST", "/repos/*/*/pulls/*/reviews");
    let reviews = || stored(&forge).0;

    forge.fault(on().instead(Response::html(500)));
    forge.fault(on().nth(2).after_write(Response::html(502)));
    assert_eq!((post().map(|g| g.status), reviews()), (Some(500), 0));
    assert_eq!((post().map(|g| g.status), reviews()), (Some(502), 1));
    assert_eq!((post().map(|g| g.status), reviews()), (Some(200), 2));
    forge.clear_faults();

    forge.fault(on().cut_before());
    assert_eq!((post().map(|g| g.status), reviews()), (None, 2));
    forge.fault(on().cut_after());
    assert_eq!((post().map(|g| g.status), reviews()), (None, 3));
    forge.fault(on().hang_before(Duration::from_millis(30)));
    assert_eq!((post().map(|g| g.status), reviews()), (None, 3));
    forge.fault(on().hang_after(Duration::from_millis(30)));
    assert_eq!((post().map(|g| g.status), reviews()), (None, 4));
    forge.fault(on().half_after());
    let half = post().expect("a head");
    let length: usize = half.header("content-length").and_then(|l| l.parse().ok()).expect("a length");
    assert_eq!((half.body.len(), reviews()), (length / 2, 5));
    forge.fault(on().redirect(307, "http://127.0.0.1:1/elsewhere"));
    assert_eq!(post().and_then(|g| g.header("location")).as_deref(), Some("http://127.0.0.1:1/elsewhere"));
    forge.clear_faults();

    forge.fault(Fault::on("GET", "/user").every().padded(1 << 20));
    assert_eq!(client.get("/user").body.len(), 1 << 20);
    let (stage, work, first) = (forge.stage.clone(), scene.work.clone(), scene.first.clone());
    forge.fault(on().before(move || stage.push(22, &work, &first)));
    assert_eq!(post().map(|g| g.status), Some(422), "the head moved, so its commit is none of the request");
    assert_eq!(client.get(PULL).json()["head"]["sha"], json!(scene.first));
    assert_eq!(forge.writes().len(), 10);
    assert_eq!(forge.writes().iter().filter(|w| w.status.is_none()).count(), 5);
}

#[test]
fn every_manner_of_throttling() {
    let shown = |t: Throttle| {
        let response = t.response();
        let named = |name: &str| response.headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone());
        (response.status, named("retry-after"), named("x-ratelimit-reset"))
    };
    assert_eq!(shown(Throttle::Secondary403(7)), (403, Some("7".to_owned()), None));
    assert_eq!(shown(Throttle::Secondary429(7)), (429, Some("7".to_owned()), None));
    assert_eq!(shown(Throttle::Used403(9)), (403, None, Some("9".to_owned())));
    assert_eq!(shown(Throttle::Used429(9)), (429, None, Some("9".to_owned())));
    assert!(String::from_utf8_lossy(&Throttle::TooQuickly.response().body).contains("was submitted too quickly"));
    assert!(String::from_utf8_lossy(&Throttle::Abuse.response().body).contains("\"code\":\"abuse\""));
}

#[test]
fn enterprise_has_its_api_below_a_prefix_and_git_at_the_root() {
    let forge = GitHub::enterprise();
    let scene = Scene::new();
    forge.upstream("acme/widgets").push(&scene.work, &["main", "topic"]);
    forge.stage.open("acme/widgets", 22, Head::branch("topic"), "main");
    forge.stage.account("secret", Account::person("ann"));
    assert!(forge.api_url().ends_with("/api/v3"));
    assert_eq!(ask(&forge, "secret").get(PULL).status, 200);
    forge.fault(Fault::on("GET", "/user").instead(Response::html(500)));
    assert_eq!(ask(&forge, "secret").get("/user").status, 500, "a pattern begins below the prefix");
    assert_eq!(Cloned::of(forge.clone_url("acme/widgets")).make().head(), scene.base);
}

#[test]
fn git_is_served_with_the_requests_refs() {
    let (forge, scene) = scene();
    forge.upstream("acme/widgets").delete_branch("topic");
    let clone = Cloned::of(forge.clone_url("acme/widgets")).shallow(1).make();
    clone.git(&["fetch", "--quiet", "--depth=1", "origin", "refs/pull/22/head"]);
    assert_eq!(clone.rev("FETCH_HEAD"), scene.head);
    clone.git(&["fetch", "--quiet", "--depth=1", "origin", &scene.first]);
    let partial = Cloned::of(forge.clone_url("acme/widgets")).partial().make();
    assert_eq!(partial.git(&["config", "remote.origin.partialclonefilter"]), "blob:none");
    forge.upstream("acme/widgets").sha_wants(ShaWants::TipsOnly);
    let other = Cloned::of(forge.clone_url("acme/widgets")).shallow(1).make();
    assert!(!other.try_git(&["fetch", "origin", &scene.first]).status.success());
    assert!(!forge.git_requests().is_empty());
    assert_eq!(forge.requests(), []);
    assert!(
        !clone.try_git(&["push", "origin", "HEAD:refs/heads/x"]).status.success(),
        "nothing is pushed through the forge"
    );
    forge.stage.project("acme/widgets", |p| p.private = true);
    assert!(!clone.try_git(&["fetch", "origin"]).status.success(), "a private project wants credentials");
}

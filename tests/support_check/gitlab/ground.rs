//! A request on a loopback GitLab, and somebody who asks.

use serde_json::{Value, json};
use sha1::{Digest, Sha1};

use crate::client::Client;
use crate::scene::Scene;
use crate::support::gitlab::{Account, GitLab};

pub const REQUEST: &str = "/projects/group%2Fsub%2Fwidgets/merge_requests/7";
pub const DISCUSSIONS: &str = "/projects/group%2Fsub%2Fwidgets/merge_requests/7/discussions";
pub const NOTES: &str = "/projects/group%2Fsub%2Fwidgets/merge_requests/7/notes";
pub const PROJECT: &str = "group/sub/widgets";

pub fn scene() -> (GitLab, Scene) {
    let forge = GitLab::below("/gitlab");
    let scene = Scene::new();
    forge.upstream(PROJECT).push(&scene.work, &["main", "topic"]);
    forge.stage.open(PROJECT, 7, "topic", "main");
    forge.stage.account("glpat", Account::person("ann"));
    (forge, scene)
}

pub fn ask(forge: &GitLab, token: &str) -> Client {
    Client::new(forge.api_url(), &[("private-token", token)])
}

/// A position of the scene's change; `place` adds to the commits, or overrides them.
pub fn position(scene: &Scene, place: &Value) -> Value {
    let mut position = json!({
        "position_type": "text", "base_sha": scene.base, "start_sha": scene.base, "head_sha": scene.head,
    });
    for (key, value) in place.as_object().expect("an object") {
        position[key] = value.clone();
    }
    position
}

pub fn at(scene: &Scene, place: &Value) -> Value {
    json!({ "body": "text", "position": position(scene, place) })
}

/// A line code made by hand.
pub fn code(path: &str, old: u32, new: u32) -> String {
    format!("{}_{old}_{new}", hex::encode(Sha1::digest(path)))
}

pub fn stored(forge: &GitLab) -> usize {
    forge.stage.request(7, |request| request.notes().count())
}

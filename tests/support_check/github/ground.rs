//! A request on a loopback GitHub, and somebody who asks.

use serde_json::{Value, json};

use crate::client::Client;
use crate::scene::Scene;
use crate::support::github::{Account, GitHub, Head};

pub const PULL: &str = "/repos/acme/widgets/pulls/22";
pub const REVIEWS: &str = "/repos/acme/widgets/pulls/22/reviews";

pub fn scene() -> (GitHub, Scene) {
    let forge = GitHub::start();
    let scene = Scene::new();
    forge.upstream("acme/widgets").push(&scene.work, &["main", "topic"]);
    forge.stage.open("acme/widgets", 22, Head::branch("topic"), "main");
    forge.stage.account("secret", Account::person("ann"));
    (forge, scene)
}

pub fn ask(forge: &GitHub, token: &str) -> Client {
    Client::new(forge.api_url(), &[("user-agent", "check"), ("authorization", &format!("Bearer {token}"))])
}

pub fn review(scene: &Scene, comments: &Value) -> Value {
    json!({ "commit_id": scene.head, "body": "Summary.", "event": "COMMENT", "comments": comments })
}

pub fn stored(forge: &GitHub) -> (usize, usize) {
    forge.stage.pull(22, |pull| (pull.reviews.len(), pull.comments.len()))
}

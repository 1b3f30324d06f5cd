//! Answers that say something else than what was done.

use serde_json::Value;

use super::ground::{BOTH, Lab, Which, at, statuses};
use crate::support::faults::Fault;
use crate::support::server::Response;

fn odd(status: u16) -> Response {
    let answer = Response::json(status, &serde_json::json!({ "message": "no" }));
    match status {
        429 => answer.header("retry-after", 1),
        307 => answer.header("location", "/elsewhere"),
        _ => answer,
    }
}

#[test]
fn c31_no_answer_to_a_write_is_believed_before_a_look() {
    for which in BOTH {
        for status in [200, 201, 307, 400, 401, 403, 404, 409, 413, 422, 429] {
            let lab = Lab::new(which);
            lab.review(&[at(3, "alpha"), at(6, "beta")]);
            lab.desk().fault(lab.on_comments().after_write(odd(status)));
            let answer = lab.post().exits(0);
            assert_eq!(statuses(&answer), ["posted", "posted"], "{which:?} {status}\n{answer}");
            lab.stands(&["alpha", "beta"]);
        }
    }
}

#[test]
fn an_odd_answer_to_the_summary_is_looked_at_too() {
    for status in [200, 307, 400, 404, 429, 502] {
        let lab = Lab::new(Which::GitLab);
        lab.review(&[at(3, "alpha")]);
        let on = |method, below| Fault::on(method, format!("/projects/*/merge_requests/*/notes{below}"));
        lab.desk().fault(on("POST", "").after_write(odd(status)));
        let answer = lab.post().exits(0);
        assert_eq!(answer.json()["summary"]["status"], "posted", "{status}\n{answer}");
        lab.review(&[at(3, "alpha"), at(6, "beta")]);
        lab.desk().fault(on("PUT", "/*").after_write(odd(if [307, 429].contains(&status) { 400 } else { status })));
        let answer = lab.post().exits(0);
        assert_eq!(answer.json()["summary"]["status"], "updated", "{status}\n{answer}");
        lab.stands(&["alpha", "beta"]);
    }
}

#[test]
fn a_discussion_whose_answer_lacks_its_type_or_position_is_looked_up() {
    for lacking in ["type", "position", "body", "author"] {
        let lab = Lab::new(Which::GitLab);
        lab.review(&[at(3, "alpha"), at(6, "beta")]);
        lab.desk().fault(lab.on_comments().every().reshaped(move |response| {
            let mut discussion: Value = serde_json::from_slice(&response.body).expect("JSON");
            discussion["notes"][0].as_object_mut().expect("a note").remove(lacking);
            response.body = discussion.to_string().into_bytes();
        }));
        let answer = lab.post().exits(0);
        assert_eq!(statuses(&answer), ["posted", "posted"], "{lacking}\n{answer}");
        lab.stands(&["alpha", "beta"]);
    }
}

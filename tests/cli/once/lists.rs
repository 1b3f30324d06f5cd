//! A forge whose lists trail behind what was written, by a number of reads.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::ground::{Lab, Which};
use crate::support::faults::Fault;
use crate::support::server::Response;

/// An item of a list: as it is shown, and as it will be.
#[derive(Default)]
struct Item {
    shown: Option<Value>,
    next: Value,
    reads: usize,
}

impl Item {
    /// What a read gets where the forge has this now.
    fn read(&mut self, now: &Value, lag: usize) -> Option<Value> {
        if text(&self.next) != text(now) {
            (self.next, self.reads) = (now.clone(), 0);
        }
        if self.reads >= lag {
            self.shown = Some(now.clone());
        }
        self.reads += 1;
        self.shown.clone()
    }
}

/// What a write changes: a body, or those of a discussion's notes.
fn text(item: &Value) -> Vec<&Value> {
    let notes = item["notes"].as_array().into_iter().flatten();
    notes.map(|note| &note["body"]).chain(item.get("body")).collect()
}

/// Every list of reviews, comments, notes and discussions shows what is new or edited only after it was read so often.
pub fn lag(lab: &Lab, reads: usize) {
    let lists: &[&str] = match lab.which() {
        Which::GitHub => {
            &["/repos/*/*/pulls/*/reviews", "/repos/*/*/pulls/*/comments", "/repos/*/*/pulls/*/reviews/*/comments"]
        }
        Which::GitLab => &["/projects/*/merge_requests/*/discussions", "/projects/*/merge_requests/*/notes"],
    };
    for list in lists {
        let items = Mutex::new(HashMap::<String, Item>::new());
        lab.desk().fault(Fault::on("GET", *list).every().reshaped(move |response| {
            let Ok(Value::Array(all)) = serde_json::from_slice(&response.body) else { return };
            let mut items = items.lock().unwrap_or_else(PoisonError::into_inner);
            let shown = all.iter().filter_map(|now| items.entry(now["id"].to_string()).or_default().read(now, reads));
            response.body = Response::json(response.status, &Value::Array(shown.collect())).body;
        }));
    }
}

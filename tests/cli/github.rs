//! Preview and post against a GitHub.

use serde_json::json;

use crate::local::{at, fates, left, range};

use crate::widgets::{REVIEWS, Widgets};

#[test]
fn a_preview_asks_only_with_get_and_a_post_writes_once() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5), left("a.rs", 30), range("made.rs", 1, 2), left("new.rs", 10)]);
    let preview = widgets.run(&["--format", "json"]).run().exits(0).json();
    assert_eq!(fates(&preview), ["ready"; 4]);
    assert_eq!(widgets.forge.writes(), []);
    let posted = widgets.run(&["--yes", "--format", "json"]).run().exits(0).json();
    assert_eq!(fates(&posted), ["posted"; 4]);
    assert_eq!(posted["digest"], preview["digest"]);
    let writes = widgets.forge.writes();
    assert_eq!(writes.iter().map(|w| w.line()).collect::<Vec<_>>(), [format!("POST {REVIEWS}")]);
    let sent = writes[0].request.json();
    assert_eq!((&sent["event"], &sent["commit_id"]), (&json!("COMMENT"), &json!(widgets.head)));
    assert_eq!(widgets.places(), ["a.rs RIGHT 5", "a.rs LEFT 30", "made.rs RIGHT 1-2", "new.rs LEFT 10"]);
}

#[test]
fn c36_the_same_command_again_posts_nothing() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5), at("made.rs", 1)]);
    widgets.run(&["--yes"]).run().exits(0);
    let stored = widgets.stored();
    widgets.forge.forget_requests();
    let again = widgets.run(&["--yes", "--format", "json"]).run().exits(0).json();
    assert_eq!(fates(&again), ["already_posted"; 2]);
    assert_eq!(again["summary"]["status"], "already_posted");
    assert_eq!((widgets.forge.writes().len(), widgets.stored()), (0, stored));
}

//! One review in one call, and what the report says of it.

use serde_json::json;

use crate::local::{at, fates, left, range, with};
use crate::support::faults::Fault;
use crate::support::github::{GitHub, ReviewState, User};
use crate::support::server::Response;

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

#[test]
fn the_report_of_a_post_names_every_url_and_the_receipt_is_the_same() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5), at("a.rs", 20)]);
    let run = widgets.run(&["--yes", "--format", "json"]).run().exits(0);
    let report = run.json();
    assert_eq!((&report["mode"], &report["exit"]), (&json!("post"), &json!(0)));
    let page = widgets.forge.page_url("acme/widgets", 22);
    assert!(report["findings"][0]["url"].as_str().expect("a URL").starts_with(&format!("{page}#discussion_r")));
    assert!(report["summary"]["url"].as_str().expect("a URL").starts_with(&format!("{page}#pullrequestreview-")));
    assert_eq!((&report["url"], &report["state"], &report["draft"]), (&json!(page), &json!("open"), &json!(false)));
    assert_eq!((&report["project"], &report["number"]), (&json!("acme/widgets"), &json!(22)));
    let receipt = std::fs::read(widgets.clone.path().join(".dai/reviews/22.posted.json")).expect("a receipt");
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&receipt).expect("a report"), report);
}

#[test]
fn what_is_sent_has_exactly_the_keys_that_github_takes() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5), range("a.rs", 5, 6), left("gone.rs", 1)]);
    widgets.run(&["--yes"]).run().exits(0);
    let sent = widgets.forge.writes()[0].request.json();
    let keys = |v: &serde_json::Value| v.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    let mut top = keys(&sent);
    top.sort();
    assert_eq!(top, ["body", "comments", "commit_id", "event"]);
    for comment in sent["comments"].as_array().expect("comments") {
        let mut has = keys(comment);
        has.sort();
        let range = ["body", "line", "path", "side", "start_line", "start_side"];
        let one = ["body", "line", "path", "side"];
        assert!(has == range || has == one, "{has:?}");
    }
    let token =
        widgets.forge.requests().iter().all(|r| r.request.header("user-agent").is_some_and(|a| a.starts_with("dai/")));
    assert!(token, "every request names its agent");
}

#[test]
fn the_preview_is_what_the_post_sends() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5), range("a.rs", 5, 6), with(at("a.rs", 20), json!({ "severity": "high" }))]);
    let preview = widgets.run(&["--format", "json"]).run().exits(0).json();
    widgets.run(&["--yes"]).run().exits(0);
    let sent = widgets.forge.writes()[0].request.json();
    assert_eq!(sent["body"], preview["summary"]["body"]);
    let mut ready: Vec<_> =
        preview["findings"].as_array().expect("findings").iter().map(|f| f["body"].clone()).collect();
    ready.retain(|body| !body.is_null());
    let bodies: Vec<_> = sent["comments"].as_array().expect("comments").iter().map(|c| c["body"].clone()).collect();
    assert_eq!(bodies, ready);
}

#[test]
fn the_order_of_posting_is_the_plans_and_not_the_files() {
    let low = with(at("a.rs", 5), json!({ "severity": "low" }));
    let high = with(at("made.rs", 2), json!({ "severity": "high" }));
    let sure = with(at("made.rs", 1), json!({ "severity": "high", "confidence": 1.0 }));
    let unsure = with(at("a.rs", 4), json!({ "severity": "high", "confidence": 0.3 }));
    let all = [low, high, sure, unsure];
    let mut seen = Vec::new();
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
        let widgets = Widgets::new();
        widgets.findings(&order.map(|at| all[at].clone()));
        seen.push((widgets.digest(&[]), {
            widgets.run(&["--yes"]).run().exits(0);
            widgets.places()
        }));
    }
    assert_eq!(seen[0].1, ["made.rs RIGHT 1", "made.rs RIGHT 2", "a.rs RIGHT 4", "a.rs RIGHT 5"]);
    assert_eq!(seen[0].1, seen[1].1);
    assert_eq!(seen[0].1, seen[2].1);
}

#[test]
fn on_an_enterprise_server_the_api_is_under_the_hosts_own_path() {
    let widgets = Widgets::on(GitHub::enterprise());
    widgets.findings(&[at("a.rs", 5)]);
    let run = widgets.run(&["--yes", "--forge", "github"]).env_remove("GITHUB_API_URL").env_remove("DAI_FORGE");
    run.run().exits(0);
    assert!(widgets.forge.requests().iter().all(|r| r.request.path.starts_with("/api/v3/")));
    assert_eq!(widgets.stored(), (1, 1));
    let host = widgets.forge.origin();
    let again = widgets
        .run(&["--yes"])
        .env_remove("GITHUB_API_URL")
        .env_remove("DAI_FORGE")
        .env("GH_HOST", host.trim_start_matches("http://"));
    again.run().exits(0);
    assert_eq!(widgets.stored(), (1, 1));
}

#[test]
fn c32_an_own_pending_review_is_named_and_nothing_is_deleted() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5)]);
    let mine = widgets.forge.stage.review(22, User::person("ann"), ReviewState::Pending, "my draft");
    let run = widgets.run(&["--yes", "--format", "json"]).run().exits(5);
    run.clone().says(&format!("#pullrequestreview-{mine}"));
    let report = run.json();
    assert_eq!((fates(&report), &report["exit"]), (vec!["forge_refused"], &json!(5)));
    assert_eq!(report["findings"][0]["status"], "not_attempted");
    assert_eq!((widgets.forge.writes(), widgets.stored()), (vec![], (1, 0)));
    // A preview says so too, where it would be in the way.
    let warned = |widgets: &Widgets| {
        let report = widgets.run(&["--format", "json"]).run().exits(0).json();
        let warnings = report["warnings"].as_array().expect("warnings").clone();
        warnings.iter().map(|warning| (warning["code"].clone(), warning["message"].to_string())).collect::<Vec<_>>()
    };
    let told = warned(&widgets);
    assert!(told[0].0 == "draft_review" && told[0].1.contains(&format!("#pullrequestreview-{mine}")), "{told:?}");
    widgets.forge.stage.pull(22, |pull| pull.reviews.clear());
    widgets.run(&["--yes"]).run().exits(0);
    widgets.forge.stage.review(22, User::person("ann"), ReviewState::Pending, "my draft");
    assert_eq!(warned(&widgets), [], "nothing is left to post");
    let other = Widgets::new();
    other.findings(&[at("a.rs", 5)]);
    other.forge.stage.review(22, User::person("bob"), ReviewState::Pending, "somebody else's draft");
    other.run(&["--yes"]).run().exits(0);
}

#[test]
fn c33_a_head_that_moves_between_preview_and_post_is_stale() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5)]);
    let digest = widgets.digest(&[]);
    let head = widgets.author.write("made.rs", "one\ntwo\nthree\n").commit("a push");
    widgets.forge.stage.push(22, &widgets.author, &head);
    for args in [&["--yes"][..], &["--yes", "--expect", &digest]] {
        let run = widgets.run(args).args(["--format", "json"]).run().exits(7);
        let report = run.json();
        assert_eq!((fates(&report), &report["digest"]), (vec!["head_moved"], &json!(null)));
        assert_eq!((&report["mode"], &report["summary"]["status"]), (&json!("post"), &json!("not_attempted")));
    }
    // A review that is bound to nothing goes with the head, and the digest tells that it moved.
    widgets.review(&json!({ "findings": [at("a.rs", 5)] }));
    let report = widgets.run(&["--yes", "--expect", &digest, "--format", "json"]).run().exits(7).json();
    assert_eq!(fates(&report), ["digest_differs"]);
    assert_eq!((widgets.forge.writes(), widgets.stored()), (vec![], (0, 0)));
}

#[test]
fn c33_a_head_that_moves_during_the_run_is_stale() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5)]);
    let head = widgets.author.write("made.rs", "one\ntwo\nthree\n").commit("a push");
    let (stage, author) = (widgets.forge.stage.clone(), widgets.author.clone());
    let push = move || stage.push(22, &author, &head);
    widgets.forge.fault(Fault::on("GET", "/repos/*/*/pulls/22/files").after(push));
    let report = widgets.run(&["--yes", "--format", "json"]).run().exits(7).json();
    assert_eq!((fates(&report), widgets.forge.writes()), (vec!["head_moved"], vec![]));
}

#[test]
fn a_preview_of_a_moved_head_shows_the_carried_result() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5), left("gone.rs", 1), at("made.rs", 2)]);
    let moved = format!("top\n{}", std::fs::read_to_string(widgets.author.path().join("a.rs")).expect("a.rs"));
    let head = widgets.author.write("a.rs", moved).write("made.rs", "one\n2\n").commit("a push");
    widgets.forge.stage.push(22, &widgets.author, &head);
    let run = widgets.run(&["--format", "json"]).run().exits(0);
    run.clone().says("--trace");
    let report = run.json();
    assert_eq!(fates(&report), ["ready", "ready", "stale"]);
    assert_eq!((&report["findings"][0]["line"], &report["findings"][0]["written"]["line"]), (&json!(6), &json!(5)));
    assert_eq!(report["digest"], json!(null));
    widgets.run(&["--yes", "--trace"]).run().exits(0);
    assert_eq!(widgets.places(), ["a.rs RIGHT 6", "gone.rs LEFT 1"]);
}

#[test]
fn a_file_that_the_forge_shows_without_a_patch_takes_nothing_and_the_rest_goes() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5), at("made.rs", 1)]);
    widgets.forge.stage.pull(22, |pull| pull.without_patch.insert("made.rs".to_owned()));
    let preview = widgets.run(&["--format", "json"]).run().exits(0).json();
    assert_eq!(fates(&preview), ["ready", "forge_disagrees"]);
    let posted = widgets.run(&["--yes", "--format", "json"]).run().exits(0).json();
    assert_eq!(fates(&posted), ["posted", "forge_disagrees"]);
    let summary = widgets.forge.stage.pull(22, |pull| pull.reviews[0].body.clone());
    assert!(summary.contains("About made.rs, line 1."), "the only place that it reaches: {summary}");
}

#[test]
fn a_preview_that_cannot_compare_says_so_once() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5)]);
    widgets.forge.fault(Fault::on("GET", "/repos/*/*/pulls/22/files").every().instead(Response::html(404)));
    let run = widgets.run(&["--format", "json"]).run().exits(0);
    let codes: Vec<_> =
        run.json()["warnings"].as_array().expect("warnings").iter().map(|w| w["code"].clone()).collect();
    assert_eq!(codes, ["not_compared"]);
    widgets.run(&["--yes"]).run();
    assert_eq!(widgets.forge.writes(), [], "a post does not go without the forge's own patch");
}

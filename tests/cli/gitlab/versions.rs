//! GitLabs of several versions, in the shapes of their answers.

use serde_json::{Value, json};

use super::ground::{DISCUSSIONS, Ground, IID, NOTES, codes, statuses};
use crate::support::faults::Fault;
use crate::support::gitlab::Release;
use crate::support::repo::Repo;
use crate::support::server::Response;

const FILES: [&str; 4] = ["a-plain", "b-folded", "c-large", "d-last"];

/// A changed line in each of the files, and a finding at it.
fn ground(release: Release) -> Ground {
    let all = |text: &'static str| {
        move |work: &Repo| {
            for name in FILES {
                work.write(name, text);
            }
        }
    };
    let ground = Ground::of(all("a\n"), all("b\n"));
    ground.forge.stage.release(release);
    ground.forge.stage.request(IID, |request| {
        request.collapsed.insert("b-folded".to_owned());
        request.too_large.insert("c-large".to_owned());
    });
    for name in FILES {
        ground.find(name, 1, &format!("In {name}."));
    }
    ground
}

/// The findings that a warning `not_compared` is about.
fn not_compared(report: &Value) -> Vec<(u64, String)> {
    let warnings = report["warnings"].as_array().expect("warnings").iter();
    let told = warnings.filter(|warning| warning["code"] == "not_compared");
    told.map(|warning| (warning["finding"].as_u64().expect("a finding"), warning["message"].to_string())).collect()
}

fn asked(ground: &Ground, what: &str) -> usize {
    ground.forge.requests().iter().filter(|seen| seen.request.path.ends_with(what)).count()
}

#[test]
fn c72_before_15_7_there_is_no_list_of_diffs_and_the_changes_are_read() {
    let ground = ground(Release(15, 0));
    ground.forge.stage.request(IID, |request| request.overflows_at = Some(3));
    let before = ground.dai().args(["7", "--format", "json"]).run().exits(0).json();
    // Nothing says that a file is folded or too large: only the post shows it. The last file is not listed.
    assert_eq!(statuses(&before), ["ready"; 4]);
    let told = not_compared(&before);
    assert_eq!(told.iter().map(|(finding, _)| *finding).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(told[0].1.contains("GitLab does not show the diff of b-folded (perhaps it is collapsed)"), "{told:?}");
    let report = ground.report(6);
    assert_eq!(statuses(&report), ["posted", "posted", "failed", "posted"]);
    assert_eq!(codes(&report), ["", "", "forge_refused", ""]);
    assert_eq!((ground.comments().len(), ground.notes().len()), (3, 4));
    assert!(ground.summary().contains("In c-large."), "{}", ground.summary());
    assert!(asked(&ground, "/changes") > 0);
    let again = ground.report(5);
    assert_eq!(statuses(&again), ["already_posted", "already_posted", "failed", "already_posted"]);
    assert_eq!(ground.notes().len(), 4);
}

#[test]
fn c72_before_15_7_a_place_that_gitlab_shows_otherwise_is_held_back_as_ever() {
    let ground = Ground::plain();
    ground.forge.stage.release(Release(15, 0));
    ground.find("a.rs", 5, "Lands.").find("a.rs", 20, "Between the hunks.").find("nowhere.rs", 1, "No such file.");
    let report = ground.report(0);
    assert_eq!(codes(&report), ["", "line_not_in_diff", "file_not_in_diff"]);
    assert_eq!((ground.comments().len(), not_compared(&report).len()), (1, 0));
}

#[test]
fn c72_before_18_4_a_file_without_a_diff_is_posted_by_the_local_one() {
    for release in [Release(16, 0), Release(18, 3)] {
        let ground = ground(release);
        let report = ground.report(6);
        assert_eq!(statuses(&report), ["posted", "posted", "failed", "posted"], "{release:?}");
        assert_eq!(not_compared(&report).len(), 2);
        assert_eq!(asked(&ground, "/changes"), 0);
    }
    let ground = ground(Release(18, 4));
    let report = ground.report(0);
    assert_eq!(statuses(&report), ["posted", "posted", "rejected", "posted"]);
    assert_eq!(codes(&report)[2], "forge_disagrees");
    assert_eq!(not_compared(&report), []);
}

#[test]
fn c72_the_404_of_a_list_is_not_that_of_the_request() {
    let request = "/projects/*/merge_requests/7";
    let lists =
        [(DISCUSSIONS.to_owned(), "discussions"), (NOTES.to_owned(), "notes"), (format!("{request}/changes"), "files")];
    let ground = Ground::plain();
    ground.find("a.rs", 5, "Lands.");
    for (path, list) in lists {
        let gone = || Response::json(404, &json!({ "error": "404 Not Found" }));
        ground.forge.fault(Fault::on("GET", path).every().instead(gone()));
        if list == "files" {
            ground.forge.fault(Fault::on("GET", format!("{request}/diffs")).every().instead(gone()));
        }
        let run = ground.post().exits(5);
        run.clone().says(&format!("404 for the request's {list}"));
        assert!(!run.err().contains("no such request"), "{}", run.err());
        assert!(ground.preview().exits(0).err().contains(&format!("404 for the request's {list}")), "{list}");
        ground.forge.clear_faults();
    }
    assert_eq!(ground.forge.writes(), []);
    ground.post().exits(0);
}

#[test]
fn the_summary_goes_as_json_when_it_is_made_and_when_it_is_edited() {
    let ground = Ground::plain();
    ground.find("a.rs", 5, "Ländet & geht: 100 %.").find("a.rs", 1, "Nicht hier: ü+ü.");
    ground.report(0);
    ground.find("made.rs", 1, "One more.");
    ground.report(0);
    assert!(ground.summary().contains("Nicht hier: ü+ü."), "{}", ground.summary());
    let writes = ground.forge.writes();
    let notes = writes.iter().map(|seen| &seen.request).filter(|request| request.path.contains("/notes"));
    let kinds = notes.map(|request| (request.method.as_str(), request.header("content-type").unwrap_or_default()));
    assert_eq!(kinds.collect::<Vec<_>>(), [("POST", "application/json"), ("PUT", "application/json")]);
}

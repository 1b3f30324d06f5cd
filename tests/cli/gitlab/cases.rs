//! Shapes that other people's tools stumbled over, on a GitLab.

use serde_json::{Value, json};

use super::ground::{Ground, IID, PROJECT, TOKEN, codes, numbered, statuses};
use crate::support::gitlab::{Account, NoteKind, RequestState, Source, User};
use crate::support::repo::{Cloned, Repo};
use crate::support::run::Dai;

fn preview(ground: &Ground) -> Value {
    ground.dai().args(["7", "--format", "json"]).run().exits(0).json()
}

fn of(report: &Value, at: usize) -> &Value {
    &report["findings"][at]
}

#[test]
fn c01_c02_what_is_off_the_diff_is_named_and_the_rest_goes_out() {
    let ground = Ground::plain();
    ground.find("a.rs", 1, "Before the hunk.").find("nowhere.rs", 3, "No such file.").find("a.rs", 5, "Lands.");
    let run = ground.preview();
    insta::assert_snapshot!("c01_preview", ground.shown(run.out()));
    assert_eq!(run.err(), "");
    assert_eq!(ground.forge.writes(), []);
    let report = ground.report(0);
    assert_eq!(codes(&report), ["line_not_in_diff", "file_not_in_diff", ""]);
    let nearest = &of(&report, 0)["nearest"][0];
    assert_eq!((&nearest["line"], &nearest["side"]), (&json!(2), &json!("RIGHT")));
    assert_eq!((ground.comments().len(), ground.notes().len()), (1, 2));
    insta::assert_snapshot!("c01_summary", ground.normal().apply(&ground.summary()));
}

#[test]
fn a_digest_without_yes_posts_nothing() {
    let ground = Ground::plain();
    ground.find("a.rs", 5, "Lands.");
    let digest = preview(&ground)["digest"].as_str().expect("a digest").to_owned();
    let run = ground.dai().args(["7", "--expect", &digest]).env("DAI_YES", "1").env("DAI_AGAIN", "1");
    run.stdin("yes\n").run().exits(0);
    assert_eq!(ground.forge.writes(), []);
    ground.dai().args(["7", "--expect", &digest, "--yes"]).run().exits(0);
    assert_eq!(ground.comments().len(), 1);
}

#[test]
fn c05_a_line_of_the_other_side_is_proposed_and_not_moved() {
    let ground = Ground::plain();
    ground.find("gone.rs", 1, "Gone.").add(json!({ "path": "made.rs", "line": 1, "side": "LEFT", "body": "New." }));
    let report = ground.report(0);
    assert_eq!(codes(&report), ["wrong_side", "wrong_side"]);
    assert_eq!(of(&report, 0)["proposal"]["side"], "LEFT");
    assert_eq!(ground.comments().len(), 0);
}

#[test]
fn c12_c13_a_deleted_file_is_left_only_and_a_new_one_right_only() {
    let ground = Ground::plain();
    for line in [1, 2] {
        ground.add(json!({ "path": "gone.rs", "line": line, "side": "LEFT", "body": "Left." }));
        ground.add(json!({ "path": "gone.rs", "line": line, "side": "RIGHT", "body": "Right." }));
        ground.add(json!({ "path": "made.rs", "line": line, "side": "LEFT", "body": "Left." }));
        ground.add(json!({ "path": "made.rs", "line": line, "side": "RIGHT", "body": "Right." }));
    }
    let report = ground.report(0);
    let one = ["posted", "rejected", "rejected", "posted"];
    assert_eq!(statuses(&report), [one, one].concat());
    let message = of(&report, 1)["reason"]["message"].as_str().expect("a message");
    assert!(message.contains("delete"), "{message}");
    for (_, position) in ground.comments() {
        assert_eq!(position["old_path"], position["new_path"], "one path twice: {position}");
    }
}

fn renamed() -> Ground {
    Ground::of(
        |work: &Repo| {
            work.write("old.rs", numbered(20));
        },
        |work: &Repo| {
            work.rename("old.rs", "new.rs").write("new.rs", numbered(20).replace("line 10\n", "line ten\n"));
        },
    )
}

#[test]
fn c14_a_renamed_file_goes_by_either_name_on_left_and_by_the_new_one_on_right() {
    let ground = renamed();
    for (path, side) in [("old.rs", "LEFT"), ("new.rs", "LEFT"), ("new.rs", "RIGHT"), ("old.rs", "RIGHT")] {
        ground.add(json!({ "path": path, "line": 10, "side": side, "body": format!("{path} on {side}.") }));
    }
    let report = ground.report(0);
    assert_eq!(statuses(&report), ["posted", "posted", "posted", "rejected"]);
    let message = of(&report, 3)["reason"]["message"].as_str().expect("a message");
    assert!(message.contains("renamed to new.rs"), "{message}");
    for (_, position) in ground.comments() {
        assert_eq!((&position["old_path"], &position["new_path"]), (&json!("old.rs"), &json!("new.rs")));
    }
}

#[test]
fn c20_a_type_change_takes_comments_where_the_file_was() {
    let ground = Ground::of(
        |work: &Repo| {
            work.write("kind", "one\ntwo\n").write("other", "x\n");
        },
        |work: &Repo| {
            work.symlink("kind", "other");
        },
    );
    ground.add(json!({ "path": "kind", "line": 2, "side": "LEFT", "body": "It was a file." }));
    ground.add(json!({ "path": "kind", "line": 1, "side": "RIGHT", "body": "It is a link." }));
    let report = ground.report(0);
    assert_eq!(
        (statuses(&report), codes(&report)[1].as_str()),
        (vec!["posted".into(), "rejected".into()], "no_text_diff")
    );
}

#[test]
fn c21_forty_percent_alike_is_a_rename_here() {
    let line = |kind: &str, n: u32| format!("{kind} {n:02} ~~~~~~~~~~~~~~~~~~~~~~~~\n");
    let old: String = (1..=20).map(|n| line("old", n)).collect();
    let new: String = (1..=20).map(|n| line(if n <= 8 { "old" } else { "new" }, n)).collect();
    let ground = Ground::of(
        |work: &Repo| _ = work.write("before.rs", old),
        |work: &Repo| _ = work.rename("before.rs", "after.rs").write("after.rs", new),
    );
    ground
        .find("after.rs", 1, "Unchanged, and outside the hunk.")
        .find("after.rs", 7, "Context.")
        .find("after.rs", 9, "New.");
    ground.add(json!({ "path": "before.rs", "line": 20, "side": "LEFT", "body": "Old." }));
    let report = ground.report(0);
    assert_eq!(statuses(&report), ["rejected", "posted", "posted", "posted"]);
    assert_eq!(of(&report, 1)["old_path"], "before.rs");
    let context = &ground.comments().iter().find(|(body, _)| body.contains("Context.")).expect("it stands").1.clone();
    assert_eq!(
        (&context["old_line"], &context["new_line"]),
        (&json!(7), &json!(7)),
        "a new file would have no old line"
    );
    // Without a word of GitLab, a rename needs half: the same place is an added line then.
    let local = ground.bare().args(["forge", "review", "--from", ".dai/reviews/7.json", "--base", "origin/main"]);
    let local = local.args(["--head", "origin/topic", "--format", "json"]).run().exits(0).json();
    assert_eq!(statuses(&local)[0], "ready");
    let local = ground.bare().args(["forge", "review", "--from", ".dai/reviews/7.json", "--base", "origin/main"]);
    let local = local.args(["--head", "origin/topic", "--forge", "gitlab", "--format", "json"]).run().exits(0).json();
    assert_eq!(statuses(&local), ["rejected", "ready", "ready", "ready"]);
}

#[test]
fn c24_ranges_across_hunks_and_reversed_are_rejected_and_left_goes_out_as_written() {
    let ground = Ground::plain();
    let range = |side: &str, line: u32, end: u32, body: &str| json!({ "path": "a.rs", "side": side, "line": line, "end_line": end, "body": body });
    ground.add(range("RIGHT", 5, 31, "Across."));
    ground.add(range("RIGHT", 6, 5, "Reversed."));
    ground.add(range("RIGHT", 5, 5, "One."));
    ground.add(range("LEFT", 4, 6, "Around a deleted line."));
    ground.add(range("LEFT", 6, 7, "Context alone."));
    let report = ground.report(0);
    assert_eq!(codes(&report), ["range_across_hunks", "range_reversed", "", "", ""]);
    let position = |words: &str| {
        let (body, position) = ground.comments().into_iter().find(|(body, _)| body.contains(words)).expect("it stands");
        (body.lines().next().unwrap_or_default().to_owned(), position)
    };
    let (_, one) = position("One.");
    assert!(one["line_range"].is_null() && one["new_line"] == 5, "{one}");
    let (badge, around) = position("Around");
    assert!(badge.ends_with("lines 4 to 6 (LEFT)"), "{badge}");
    assert_eq!((&around["old_line"], &around["new_line"]), (&json!(6), &json!(7)), "the last line's, a context line");
    assert!(around["line_range"]["end"]["line_code"].as_str().is_some_and(|code| code.ends_with("_6_7")), "{around}");
    let (_, context) = position("Context alone.");
    assert_eq!((&context["old_line"], &context["new_line"]), (&json!(7), &json!(8)));
}

#[test]
fn c28_two_on_a_line_go_out_and_the_same_one_twice_does_not() {
    let ground = Ground::of(
        |work: &Repo| _ = work.write("m.go", "a\n"),
        |work: &Repo| _ = work.write("m.go", "a\nreturn nil\nb\nreturn nil\n"),
    );
    ground.find("m.go", 2, "One.").find("m.go", 2, "Another.").find("m.go", 2, "One.").find("m.go", 4, "One.");
    let report = ground.report(0);
    assert_eq!(
        (statuses(&report), codes(&report)[2].as_str()),
        (["posted", "posted", "rejected", "posted"].map(str::to_owned).to_vec(), "duplicate")
    );
    assert_eq!(ground.times("One."), 2);
    ground.forge.forget_requests();
    assert_eq!(ground.report(0)["counts"]["already_posted"], 3);
    assert_eq!(ground.forge.writes(), []);
}

#[test]
fn c36_the_same_again_and_after_a_push_that_moves_the_lines_posts_nothing() {
    let ground = Ground::plain().five();
    ground.post().exits(0);
    ground.forge.forget_requests();
    let again = ground.post().exits(0);
    assert_eq!(ground.forge.writes(), []);
    insta::assert_snapshot!("c36_text", ground.normal().apply(again.out()).lines().last().unwrap_or_default());
    let changed =
        format!("new first line\n{}", String::from_utf8_lossy(&ground.work.git_bytes(&["show", "topic:a.rs"])));
    let next = ground.work.write("a.rs", changed).commit("moved by one");
    ground.forge.stage.push(IID, &ground.work, &next);
    ground.forge.forget_requests();
    let moved = ground.dai().args(["7", "--yes", "--trace", "--format", "json"]).run().exits(0).json();
    assert_eq!(moved["counts"]["already_posted"], 5, "{moved}");
    assert_eq!(ground.forge.writes(), []);
}

#[test]
fn c35_c46_markers_of_others_are_said_and_not_counted() {
    let ground = Ground::plain().five();
    ground.post().exits(0);
    let (body, position) = ground.comments().remove(0);
    ground.forge.stage.request(IID, |request| request.discussions.clear());
    // With it, what is gone would be kept back as deleted.
    std::fs::remove_file(ground.clone.path().join(format!(".dai/reviews/{IID}.posted.json"))).expect("a receipt");
    let kind = NoteKind::Diff(position);
    ground.forge.stage.note(IID, User::person("mallory"), kind, &body);
    let report = ground.report(0);
    assert_eq!(report["counts"]["posted"], 5);
    let told: Vec<_> =
        report["warnings"].as_array().expect("warnings").iter().filter(|w| w["code"] == "marked_by_other").collect();
    assert_eq!(told.len(), 1);
    let message = told[0]["message"].as_str().expect("a message");
    assert!(message.contains("mallory") && message.contains("#note_"), "{message}");
    // A project's token posts as a bot, and knows its own by its identity too.
    let ground = Ground::plain().five();
    let project = ground.forge.stage.project(PROJECT, |project| project.id);
    ground.forge.stage.account(TOKEN, Account::project_token(project));
    assert_eq!(ground.report(0)["counts"]["posted"], 5);
    assert_eq!(ground.report(0)["counts"]["already_posted"], 5);
}

#[test]
fn c40_nothing_passes_the_filters_and_that_is_no_approval() {
    let ground = Ground::plain().five();
    let run = ground.dai().args(["7", "--yes", "--min-severity", "high"]).run().exits(0);
    insta::assert_snapshot!("c40_text", ground.normal().apply(run.out()));
    insta::assert_snapshot!("c40_summary", ground.normal().apply(&ground.summary()));
    assert_eq!(ground.notes().len(), 1);
    assert_eq!(ground.forge.quick_actions_run(), Vec::<String>::new());
}

#[test]
fn a_clean_review_posts_its_summary_once() {
    let ground = Ground::plain();
    let report = ground.report(0);
    assert_eq!(report["summary"]["status"], "posted");
    insta::assert_snapshot!("clean_summary", ground.normal().apply(&ground.summary()));
    assert_eq!(ground.report(0)["summary"]["status"], "already_posted");
    assert_eq!(ground.notes().len(), 1);
}

#[test]
fn c42_three_of_five_stand_after_each_of_three_runs() {
    let ground = Ground::plain().five();
    for _ in 0..3 {
        ground.dai().args(["7", "--yes", "--max-comments", "3"]).run().exits(0);
        assert_eq!((ground.comments().len(), ground.notes().len()), (3, 4));
    }
}

#[test]
fn c43_fail_on_holds_on_a_rerun_too() {
    let ground = Ground::plain();
    ground.add(json!({ "path": "a.rs", "line": 5, "severity": "high", "body": "Bad." }));
    for _ in 0..2 {
        ground.dai().args(["7", "--yes", "--fail-on", "high"]).run().exits(1);
        assert_eq!(ground.notes().len(), 2);
    }
}

#[test]
fn c47_merged_closed_draft_own_and_of_a_deleted_fork_are_posted_to() {
    for (state, draft, warning) in [
        (RequestState::Merged, false, Some("merged")),
        (RequestState::Closed, false, Some("closed")),
        (RequestState::Opened, true, None),
        (RequestState::Locked, false, None),
    ] {
        let ground = Ground::plain().five();
        ground.forge.stage.request(IID, |request| {
            (request.state, request.draft) = (state, draft);
            request.author = User::person("ann");
            request.source = Source::Deleted;
        });
        ground.forge.upstream(PROJECT).delete_branch("topic");
        let report = ground.report(0);
        assert_eq!((&report["counts"]["posted"], &report["draft"]), (&json!(5), &json!(draft)), "{state:?}");
        let codes: Vec<&str> =
            report["warnings"].as_array().expect("warnings").iter().filter_map(|w| w["code"].as_str()).collect();
        assert_eq!(codes, warning.into_iter().collect::<Vec<_>>(), "{state:?}");
    }
}

#[test]
fn c50_too_large_without_a_diff_and_missing_are_held_back_and_collapsed_is_not() {
    let ground = Ground::of(
        |work: &Repo| {
            for name in ["plain", "large", "blank", "folded"] {
                work.write(name, "a\n");
            }
        },
        |work: &Repo| {
            for name in ["plain", "large", "blank", "folded"] {
                work.write(name, "b\n");
            }
        },
    );
    ground.forge.stage.request(IID, |request| {
        request.too_large.insert("large".to_owned());
        request.without_diff.insert("blank".to_owned());
        request.collapsed.insert("folded".to_owned());
        request.short_pages = Some(1);
    });
    for name in ["plain", "large", "blank", "folded"] {
        ground.find(name, 1, &format!("In {name}."));
    }
    let before = preview(&ground);
    assert_eq!(statuses(&before), ["ready", "rejected", "rejected", "ready"]);
    let report = ground.report(0);
    assert_eq!(codes(&report), ["", "forge_disagrees", "forge_disagrees", ""]);
    assert_eq!(statuses(&report), ["posted", "rejected", "rejected", "posted"]);
    insta::assert_snapshot!("c50_summary", ground.normal().apply(&ground.summary()));
    assert_eq!(report["digest"], before["digest"]);
}

#[test]
fn a_rerun_reads_every_page_of_many_notes() {
    let ground = Ground::plain().five();
    ground.forge.stage.request(IID, |request| request.short_pages = Some(2));
    for n in 0..7 {
        ground.forge.stage.note(IID, User::person("bob"), NoteKind::Plain, &format!("chat {n}"));
    }
    ground.post().exits(0);
    ground.forge.forget_requests();
    assert_eq!(ground.report(0)["counts"]["already_posted"], 5);
    assert_eq!(ground.forge.writes(), []);
}

#[test]
fn a_preview_shows_what_a_post_does_and_changes_nothing() {
    let ground = Ground::plain();
    let range = json!({ "path": "a.rs", "side": "LEFT", "line": 4, "end_line": 6, "body": "A range.\n\n/approve\n" });
    ground.add(range).find("made.rs", 1, "First line of a new file, says @bob.");
    ground.add(json!({ "path": "made.rs", "severity": "low", "body": "No header." }));
    let (notes, before) = (ground.notes(), ground.clone.fingerprint());
    let preview = ground.preview().exits(0);
    insta::assert_snapshot!("preview", ground.shown(preview.out()));
    insta::assert_snapshot!("preview_errors", ground.normal().apply(preview.err()));
    before.assert_same_but(&ground.clone.fingerprint(), &["ref refs/dai/", "file .dai/reviews/7.json"]);
    assert_eq!((ground.notes(), ground.forge.writes()), (notes, vec![]));
    let said = ground.dai().args(["7", "--format", "markdown"]).run().exits(0);
    ground.post().exits(0);
    // What was shown is what stands, byte for byte.
    for note in ground.notes() {
        assert!(said.out().contains(&note.body), "{}\n--- not in\n{said}", note.body);
    }
    assert_eq!(ground.forge.quick_actions_run(), Vec::<String>::new());
    let done = ground.post().exits(0);
    insta::assert_snapshot!("done", ground.normal().apply(done.out()));
}

#[test]
fn the_printed_command_posts_exactly_what_was_shown() {
    let ground = Ground::plain().five();
    let out = ground.preview().exits(0).out().to_owned();
    let command = out.lines().rev().find_map(|line| line.trim().strip_prefix("dai ")).expect("a command").to_owned();
    let words: Vec<&str> = command.split(' ').collect();
    let run = words.iter().fold(ground.bare(), |dai, word| dai.arg(word.trim_matches('\'')));
    run.run().exits(0);
    assert_eq!(ground.notes().len(), 6);
}

#[test]
fn c23_a_shallow_clone_is_enough_and_stays_as_it_was() {
    let ground = Ground::plain().five();
    let clone = Cloned::of(ground.forge.clone_url(PROJECT)).shallow(1).make();
    clone.write(".dai/reviews/7.json", ground.review());
    let home = ground.forge.api_url().replace("/api/v4", "");
    let run = Dai::in_repo(&clone).env("GITLAB_HOST", home).env("GITLAB_TOKEN", TOKEN);
    let report = run.args(["forge", "review", "7", "--yes", "--format", "json"]).run().exits(0).json();
    assert_eq!(report["counts"]["posted"], 5);
    assert_eq!(clone.git(&["rev-parse", "--is-shallow-repository"]), "true");
}

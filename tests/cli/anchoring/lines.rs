//! Numbers, sides and ranges.

use serde_json::{Value, json};

use crate::local::{Local, at, fates, left, message, numbered, range, with};

#[test]
fn c01_two_of_three_are_named_and_the_third_still_goes() {
    let local = Local::two_hunks();
    let report = local.report(&[at("a.rs", 20), at("a.rs", 5), left("a.rs", 999)]);
    assert_eq!(fates(&report), ["line_not_in_diff", "ready", "line_not_in_diff"]);
    let named = |n: usize| {
        let f = &report["findings"][n];
        (f["index"].clone(), f["path"].clone(), f["side"].clone(), f["line"].clone())
    };
    assert_eq!(named(0), (json!(0), json!("a.rs"), json!("RIGHT"), json!(20)));
    assert_eq!(named(2), (json!(2), json!("a.rs"), json!("LEFT"), json!(999)));
    let text = local.preview(&[at("a.rs", 20), at("a.rs", 5), left("a.rs", 999)]);
    for shown in ["a.rs:20 RIGHT", "a.rs:5 RIGHT", "a.rs:999 LEFT", "1 comment would be posted", "2 findings kept back"]
    {
        assert!(text.out().contains(shown), "{shown}\n{text}");
    }
}

#[test]
fn c02_a_line_before_the_hunk_is_rejected_with_the_nearest_line() {
    let local = Local::two_hunks();
    let report = local.report(&[at("a.rs", 1)]);
    assert_eq!(fates(&report), ["line_not_in_diff"]);
    assert_eq!(report["findings"][0]["nearest"][0], json!({ "side": "RIGHT", "line": 2, "text": "line 2" }));
    assert!(message(&report, 0).contains("the nearest commentable line is 2: `line 2`"), "{}", message(&report, 0));
}

#[test]
fn c05_a_line_of_the_old_side_alone_is_proposed_and_not_moved() {
    let local = Local::file("a.rs", numbered(40), numbered(40).replace("line 37\nline 38\nline 39\nline 40\n", ""));
    for args in [&[][..], &["--relocate"]] {
        let report = local.report_with(&[at("a.rs", 39)], args);
        assert_eq!(fates(&report), ["wrong_side"]);
        assert_eq!(report["findings"][0]["proposal"]["side"], "LEFT");
        assert_eq!(report["findings"][0]["proposal"]["line"], 39);
        assert_eq!((&report["findings"][0]["side"], &report["counts"]["ready"]), (&json!("RIGHT"), &json!(0)));
    }
}

#[test]
fn c06_the_preview_shows_the_anchored_line_under_every_finding() {
    let local = Local::two_hunks();
    let text = local.preview(&[at("a.rs", 8), left("a.rs", 30), range("a.rs", 5, 6)]);
    for line in ["   > 8   line 7", "   > 30 - line 30", "   > 5 + line five", "   > 6 + line five and a half"] {
        assert!(text.out().contains(line), "{line:?}\n{text}");
    }
}

#[test]
fn c10_lines_that_look_like_headers_keep_the_numbers_exact() {
    let before = format!("-- drop old\n{}", numbered(40));
    let after = format!("++ i\n{}", numbered(40).replace("line 33\n", "changed\n"));
    let local = Local::file("drop.sql", before, after);
    let report = local.report(&[left("drop.sql", 1), at("drop.sql", 1), at("drop.sql", 34), left("drop.sql", 34)]);
    let texts: Vec<_> = report["findings"].as_array().expect("findings").iter().map(|f| &f["anchored"][0]).collect();
    assert_eq!(texts, ["-- drop old", "++ i", "changed", "line 33"]);
    assert_eq!(fates(&local.report(&[at("drop old", 1), at("i", 1)])), ["file_not_in_diff"; 2]);
}

#[test]
fn c11_an_empty_context_line_at_the_diffs_end_takes_comments_on_both_sides() {
    let local = Local::file("a", "one\ntwo\n\n", "1\ntwo\n\n");
    let report = local.report(&[at("a", 3), with(left("a", 3), json!({ "body": "old" })), at("a", 4)]);
    assert_eq!(fates(&report), ["ready", "ready", "line_not_in_diff"]);
    assert_eq!(report["findings"][0]["anchored"], json!([""]));
}

#[test]
fn c17_only_a_line_feed_ends_a_line() {
    let after = "a\r\nlone\rin the middle\nsep\u{2028}para\u{2029}next\nform\u{c}feed\u{b}\u{85}\nno end";
    let local = Local::file("a", "a\r\nz\n", after);
    let report = local.report(&(1..=6).map(|line| at("a", line)).collect::<Vec<_>>());
    assert_eq!(fates(&report), ["ready", "ready", "ready", "ready", "ready", "line_not_in_diff"]);
    let texts: Vec<_> = (0..5).map(|n| report["findings"][n]["anchored"][0].as_str().expect("a text")).collect();
    assert_eq!(texts.iter().map(|t| t.trim_end_matches('\r')).collect::<Vec<_>>(), after.lines().collect::<Vec<_>>());
    let quoted =
        local.report(&[with(at("a", 1), json!({ "snippet": "a" })), with(at("a", 1), json!({ "snippet": "a\r\n" }))]);
    assert_eq!(fates(&quoted)[0], "ready");
}

#[test]
fn c24_a_range_lies_within_one_hunk_and_runs_forward() {
    let local = Local::two_hunks();
    let report = local.report(&[range("a.rs", 5, 30), range("a.rs", 6, 5), range("a.rs", 5, 5), range("a.rs", 4, 6)]);
    assert_eq!(fates(&report), ["range_across_hunks", "range_reversed", "ready", "ready"]);
    assert_eq!((&report["findings"][2]["line"], &report["findings"][2]["end_line"]), (&json!(5), &json!(5)));
    assert_eq!(report["findings"][3]["anchored"], json!(["line 4", "line five", "line five and a half"]));
}

#[test]
fn c24_a_left_range_is_drawn_in_on_github_and_stands_as_written_on_gitlab() {
    let after = numbered(20).replace("line 10\nline 11\n", "");
    let local = Local::file("a.rs", numbered(20), after);
    let wide: Value = with(range("a.rs", 9, 12), json!({ "side": "LEFT" }));
    let context: Value = with(range("a.rs", 8, 9), json!({ "side": "LEFT", "body": "context" }));
    let report = local.report_with(&[wide.clone(), context.clone()], &["--forge", "github"]);
    let place = |f: &Value| (f["side"].clone(), f["line"].clone(), f["end_line"].clone());
    assert_eq!(place(&report["findings"][0]), (json!("LEFT"), json!(10), json!(11)));
    assert_eq!(report["findings"][0]["written"]["line"], 9);
    assert!(report["findings"][0]["body"].as_str().expect("a body").contains("9"), "the text names the whole range");
    assert_eq!(place(&report["findings"][1]), (json!("RIGHT"), json!(8), json!(9)));
    let report = local.report_with(&[wide, context], &["--forge", "gitlab"]);
    assert_eq!(place(&report["findings"][0]), (json!("LEFT"), json!(9), json!(12)));
    assert_eq!(place(&report["findings"][1]), (json!("LEFT"), json!(8), json!(9)));
}

#[test]
fn c28_two_findings_on_one_line_stay_and_the_same_one_twice_does_not() {
    let local = Local::file("a.go", "func f() {\n}\n", "func f() {\nreturn nil\nx\nreturn nil\n}\n");
    let words = |line: u32, body: &str| with(at("a.go", line), json!({ "body": body }));
    let report = local.report(&[words(2, "one"), words(2, "two"), words(2, "one"), words(2, "same"), words(4, "same")]);
    assert_eq!(fates(&report), ["ready", "ready", "duplicate", "ready", "ready"]);
    assert!(message(&report, 2).contains("finding 0 (counted from 0)"), "{}", message(&report, 2));
    let markers =
        |n: usize| report["findings"][n]["body"].as_str().expect("a body").lines().last().expect("a marker").to_owned();
    assert_ne!(markers(3), markers(4), "the same words at two equal lines are two findings");
}

#[test]
fn a_finding_without_a_line_goes_into_the_summary_wherever_it_points() {
    let local = Local::two_hunks();
    let whole = |path: &str| json!({ "path": path, "severity": "low", "body": format!("On {path} as a whole.") });
    let report = local.report(&[whole("a.rs"), whole("untouched/or/absent.rs")]);
    assert_eq!(fates(&report), ["summary"; 2]);
    for text in ["On a.rs as a whole.", "On untouched/or/absent.rs as a whole."] {
        assert!(report["summary"]["body"].as_str().expect("a body").contains(text), "{text}");
    }
}

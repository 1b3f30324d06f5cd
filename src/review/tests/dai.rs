//! The `dai` format: the cases from other people's trouble, and what the limits say.

use crate::exit::Exit;
use crate::review::{Document, Fault, Look, Problems, Review, ReviewError, Severity, Side, State, dai, read};
use crate::warning::Code;

fn refused(bytes: impl AsRef<[u8]>) -> Box<Problems> {
    match read(bytes.as_ref(), "22.json") {
        Err(ReviewError::Invalid(problems)) => problems,
        other => panic!("{other:?}"),
    }
}

fn accepted(text: &str) -> (Review, Document) {
    read(text.as_bytes(), "22.json").unwrap_or_else(|error| panic!("{error:?}"))
}

fn told(problems: &Problems) -> Vec<String> {
    problems.list().iter().map(ToString::to_string).collect()
}

const C25: &str = r#"{
  "head": "0123456789abcdef",
  "findings": [
    { "path": "é.rs", "line": 0, "severity": "critical", "body": " \n" },
    { "path": "b.rs", "line": -1, "severity": "low", "body": "x", "confidence": 1.0001 },
    { "path": "b.rs", "line": "12", "severity": "low", "body": "x", "confidence": null },
    { "path": "b.rs", "line": 12.0, "severity": "low", "body": "x", "confidence": "0.9" },
    { "path": "b.rs", "line": 1e9, "severity": null, "body": null, "state": "gone", "side": "UP" },
    { "path": "b.rs", "end_line": 4, "severity": "HIGH", "body": "x", "id": "one" },
    { "path": 7, "line": 4, "start_line": 5, "severity": "low", "id": "one", "snippet": [] },
    "not a finding"
  ]
}
"#;

#[test]
fn c25_every_problem_of_the_file_in_one_run() {
    insta::assert_snapshot!(told(&refused(C25)).join("\n"));
}

#[test]
fn c25_a_body_of_70_000_characters_is_too_long_and_60_000_are_not() {
    let file =
        |count| format!(r#"{{"findings": [{{"path": "a", "severity": "low", "body": "{}"}}]}}"#, "é".repeat(count));
    assert_eq!(refused(file(70_000)).list()[0].fault, Fault::TooLong { characters: 70_000, limit: 60_000 });
    assert_eq!(refused(file(60_001)).list()[0].fault, Fault::TooLong { characters: 60_001, limit: 60_000 });
    accepted(&file(60_000));
}

#[test]
fn the_picture_of_every_problem() {
    insta::assert_snapshot!(refused(C25).render(Look { colour: false, width: 100 }));
}

#[test]
fn colour_is_drawn_only_where_it_is_asked_for() {
    let error = read(C25.as_bytes(), "22.json").unwrap_err();
    assert_eq!((error.exit(), error.to_string().as_str()), (Exit::Review, "22.json: 20 problems"));
    assert!(error.help().is_some());
    let draw = |colour| error.render(Look { colour, width: 100 });
    assert!(draw(true).contains("\u{1b}["));
    assert!(!draw(false).contains('\u{1b}'));
}

#[test]
fn c26_a_mark_and_a_fence_are_accepted() {
    let (review, document) = accepted("\u{feff}```json\n{\"findings\": [], \"summary\": \"fine\"}\n```\n");
    assert_eq!(review.heading.summary.as_deref(), Some("fine"));
    assert_eq!(&document.source().text()[document.span("/summary").unwrap()], "\"fine\"");
}

#[test]
fn c26_a_trailing_comma_and_duplicate_keys_are_pointed_at() {
    let problems = refused("{\n  \"findings\": [],\n}");
    assert_eq!(told(&problems), ["line 2, column 17: not JSON: a comma with nothing after it"]);
    let problems = refused(
        "{\"findings\": [{\"path\": \"a\", \"severity\": \"low\",\n  \"body\": \"x\", \"body\": \"y\", \"u\": {\"é/\": 1, \"é/\": 2}}]}",
    );
    assert_eq!(
        told(&problems),
        [
            "line 2, column 16: /findings/0/body: the key \"body\" stands at line 2, column 3 already",
            "line 2, column 44: /findings/0/u/é~1: the key \"é/\" stands at line 2, column 35 already",
        ]
    );
}

#[test]
fn c26_an_unknown_field_of_the_document_is_a_warning_and_one_that_looks_like_a_findings_holds_it_back() {
    let (review, _) = accepted(
        "{\"$schema\": \"x\", \"sumary\": 1, \"findings\": [{\"path\": \"a\", \"severity\": \"low\", \"body\": \"x\",\n \"endLine\": 2, \"zebra\\u001b\": null}]}",
    );
    let warnings: Vec<_> = review.warnings.iter().map(|w| (w.code, w.finding, w.message.as_str())).collect();
    assert_eq!(
        warnings,
        [
            (
                Code::UnknownField,
                None,
                "unknown field \"sumary\" in / (line 1, column 18) is not read; did you mean \"summary\"?"
            ),
            (
                Code::UnknownField,
                Some(0),
                "unknown field \"zebra\\u{1b}\" in /findings/0 (line 2, column 16) is not read"
            ),
        ]
    );
}

#[test]
fn c26_a_required_field_one_letter_off_is_named_beside_what_is_missing() {
    let problems = refused("{\"findings\": [{\"path\": \"a\", \"severty\": \"low\", \"body\": \"x\"}]}");
    assert_eq!(problems.list().len(), 1);
    assert_eq!(problems.list()[0].help().as_deref(), Some("\"severty\" is no field: did you mean \"severity\"?"));
    for (file, help) in [
        (
            r#"{"findings": [{"path": "a", "severity": "low", "message": "x"}]}"#,
            "\"message\" is no field: did you mean \"body\"?",
        ),
        (
            r#"{"findings": [{"file": "a", "severity": "low", "body": "x"}]}"#,
            "\"file\" is no field: did you mean \"path\"?",
        ),
        (r#"{"results": []}"#, "\"results\" is no field: did you mean \"findings\"?"),
    ] {
        let problems = refused(file);
        assert_eq!((problems.list().len(), problems.list()[0].help().as_deref()), (1, Some(help)));
        assert!(problems.warnings().is_empty(), "c67: one problem, told once");
    }
}

#[test]
fn c27_two_paths_are_kept_as_written_and_three_refused() {
    let file =
        |path: &str| serde_json::json!({"findings": [{"path": path, "severity": "low", "body": "x"}]}).to_string();
    for path in ["./a", "a\\b"] {
        assert_eq!(accepted(&file(path)).0.findings[0].path, path);
    }
    for path in ["/", "../a", "/a/../b", ""] {
        assert!(matches!(refused(file(path)).list()[0].fault, Fault::Value { .. }), "{path:?}");
    }
}

#[test]
fn c28_findings_on_one_line_and_equal_findings_are_all_kept() {
    let one = r#"{"path": "a", "line": 3, "severity": "low", "body": "x"}"#;
    let other = r#"{"path": "a", "line": 3, "severity": "low", "body": "y"}"#;
    let (review, _) = accepted(&format!(r#"{{"findings": [{one}, {other}, {one}]}}"#));
    assert_eq!(
        review.findings.iter().map(|f| (f.index, f.body.as_str())).collect::<Vec<_>>(),
        [(0, "x"), (1, "y"), (2, "x")]
    );
}

#[test]
fn the_whole_format_is_read() {
    let text = include_str!("../../../fixtures/review/dai/valid/whole.json");
    let (review, _) = accepted(text);
    assert_eq!(review.head.as_deref(), Some("0123456789abcdef0123456789abcdef01234567"));
    assert_eq!(review.heading.reviewer.as_deref(), Some("claude"));
    assert_eq!(review.heading.us.as_deref(), Some("ABC-482"));
    assert_eq!(review.heading.check_status.as_deref(), Some("up to date"));
    assert_eq!(review.heading.dod.as_deref(), Some("4/5"));
    assert_eq!(review.heading.version.as_deref(), Some("v1"));
    assert_eq!(review.heading.good, ["What is good, concretely."]);
    let finding = &review.findings[0];
    assert_eq!((finding.id.as_deref(), finding.pointer.as_str()), (Some("f1"), "/findings/0"));
    let place = finding.place.unwrap();
    assert_eq!((place.side, place.range.start, place.range.end), (Side::Left, 42, 44));
    assert_eq!((finding.severity, finding.state), (Some(Severity::High), State::Dismissed));
    assert_eq!(finding.confidence.map(|c| c.get()), Some(0.9));
    assert_eq!(finding.snippet.as_deref(), Some("if (!user) return next()"));
    assert_eq!(review.findings[1].place, None);
    assert_eq!(review.findings[1].state, State::Active);
    assert!(review.warnings.is_empty());
}

#[test]
fn a_reversed_range_is_no_fault_of_the_file() {
    let (review, _) =
        accepted(r#"{"findings": [{"path": "a", "line": 9, "end_line": 3, "severity": "low", "body": "x"}]}"#);
    assert!(review.findings[0].place.unwrap().range.is_reversed());
}

#[test]
fn two_names_of_one_field_may_stand_together_with_one_value() {
    let id = "0123456789abcdef0123456789abcdef01234567";
    let (review, _) = accepted(&format!(
        r#"{{"head": "{id}", "result_sha": "{}", "findings": [{{"path": "a", "line": 3, "start_line": 3, "severity": "low", "body": "x"}}]}}"#,
        id.to_uppercase()
    ));
    assert_eq!(review.head.as_deref(), Some(id));
    let other = id.replace('0', "f");
    let problems = refused(format!(r#"{{"head": "{id}", "result_sha": "{other}", "findings": []}}"#));
    assert!(matches!(&problems.list()[0].fault, Fault::TwoNames { field: "head", .. }));
}

#[test]
fn c66_null_is_absent_where_a_field_may_be_and_a_fault_where_it_must_not() {
    for field in &dai::DOCUMENT {
        let (line, findings) =
            if *field == "findings" { (String::new(), "null") } else { (format!("\"{field}\": null, "), "[]") };
        let file = format!("{{{line}\"findings\": {findings}}}");
        match *field {
            "findings" => assert_eq!(refused(file).list()[0].pointer, "/findings"),
            _ => assert_eq!(accepted(&file).0, accepted("{\"findings\": []}").0),
        }
    }
    let plain = serde_json::json!({"path": "a", "severity": "low", "body": "x"});
    let bare = accepted(&serde_json::json!({ "findings": [plain] }).to_string()).0;
    for field in &dai::FINDING {
        let mut finding = plain.clone();
        finding[*field] = serde_json::Value::Null;
        let file = serde_json::json!({ "findings": [finding] }).to_string();
        if matches!(*field, "path" | "severity" | "body") {
            let problems = refused(file);
            assert_eq!(problems.list()[0].pointer, format!("/findings/0/{field}"));
            assert!(problems.list()[0].fault.to_string().starts_with("null where"));
        } else {
            assert_eq!(accepted(&file).0, bare, "{field}");
        }
    }
}

#[test]
fn c70_githubs_pair_is_a_range_and_needs_no_end() {
    let place = |fields: &str| {
        let file = format!("{{\"findings\": [{{\"path\": \"a\", {fields}, \"severity\": \"low\", \"body\": \"x\"}}]}}");
        accepted(&file).0.findings[0].place.unwrap().range
    };
    assert_eq!(place("\"start_line\": 9, \"line\": 12"), crate::review::LineRange::new(9, 12));
    assert_eq!(place("\"start_line\": 9, \"line\": 12, \"end_line\": null"), crate::review::LineRange::new(9, 12));
    assert_eq!(place("\"start_line\": 9, \"line\": 9"), crate::review::LineRange::line(9));
    assert_eq!(place("\"start_line\": 9, \"line\": 9, \"end_line\": 11"), crate::review::LineRange::new(9, 11));
    let three =
        r#"{"findings": [{"path": "a", "start_line": 9, "line": 12, "end_line": 13, "severity": "low", "body": "x"}]}"#;
    assert!(matches!(refused(three).list()[0].fault, Fault::TwoNames { .. }));
}

#[test]
fn c67_a_number_in_quotes_is_an_error_whose_help_is_the_number() {
    let problems = refused(r#"{"findings": [{"path": "a", "line": "12", "severity": "low", "body": "x"}]}"#);
    assert_eq!(problems.list()[0].help().as_deref(), Some("write the number without quotes: 12"));
}

#[test]
fn what_is_no_text_is_said_with_its_place() {
    for (bytes, says) in [
        (&b""[..], "line 1, column 1: the file is empty"),
        (b"{\n \"\xc3\xa9\": \"\xff\"}", "line 2, column 8: not UTF-8: byte 0xff at offset 10 belongs to no character"),
        (b"\xff\xfe{\0}\0", "line 1, column 1: not UTF-8: the file begins like UTF-16 or UTF-32"),
        (b"{\"findings\": \0}", "line 1, column 14: not JSON: expected value, found \"\\u{0}\""),
        (b"[1]", "line 1, column 1: a list where an object with \"findings\" is wanted"),
        (b"{}", "line 1, column 1: \"findings\" is missing: it is a list of findings, which may be empty"),
    ] {
        assert_eq!(told(&refused(bytes)), [says]);
    }
}

#[test]
fn the_limits_are_said() {
    let finding = r#"{"path":"a","severity":"low","body":"x"},"#;
    let file = |count: usize| format!("{{\"findings\": [{}]}}", finding.repeat(count).trim_end_matches(','));
    assert_eq!(accepted(&file(5_000)).0.findings.len(), 5_000);
    assert_eq!(refused(file(5_001)).list()[0].fault, Fault::TooMany { found: 5_001, limit: 5_000 });
    let large = format!("{{\"findings\": []{}}}", " ".repeat(8 << 20));
    assert_eq!(refused(large).list()[0].fault, Fault::TooLarge { limit: 8 << 20 });
}

#[test]
fn thousands_of_problems_are_all_counted_and_told_within_bounds() {
    let finding = "{\"path\":\"\",\"line\":0,\"severity\":\"\u{202e}\",\"body\":\"\"},";
    // One line: positions and pictures must not cost the line's length each.
    let problems = refused(format!("{{\"findings\": [{}]}}", finding.repeat(5_000).trim_end_matches(',')));
    assert_eq!(problems.list().len(), 20_000);
    assert_eq!(problems.to_string(), "22.json: 20000 problems");
    let picture = problems.render(Look { colour: false, width: 80 });
    assert!(picture.contains("… and 19800 more"));
    assert!(picture.len() < 100_000, "{}", picture.len());
    assert!(!picture.contains(|c: char| c == '\u{202e}' || (c.is_control() && c != '\n')));
}

#[test]
fn eight_mebibytes_are_read_whole() {
    let body = "x".repeat(1_400);
    let finding = format!(
        "{{\"path\": \"src/{}.rs\", \"line\": 4, \"severity\": \"low\", \"body\": \"{body}\", \"extra\": {}1{}}},\n",
        "a".repeat(30),
        "[".repeat(60),
        "]".repeat(60)
    );
    let file = format!("{{\"findings\": [{}]}}", finding.repeat(5_000).trim_end_matches(",\n"));
    assert!(file.len() > 7 << 20);
    let (review, _) = accepted(&file);
    assert_eq!(review.findings.len(), 5_000);
}

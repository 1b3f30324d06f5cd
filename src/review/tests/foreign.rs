//! What a generator of another reviewer's format writes comes out as findings at the same places, with the same
//! words, and nothing lost in silence.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::review::{Foreign, Format, LineRange, Place, Severity, Side, read, read_as};

/// One thing that a reviewer found.
#[derive(Debug, Clone)]
struct Item {
    path: String,
    start: u32,
    end: u32,
    words: String,
    severity: Severity,
}

fn items() -> impl Strategy<Value = Vec<Item>> {
    let path = prop_oneof!["[a-z]{1,6}(/[a-z. %é]{1,6}x){0,3}", "[a-z]{1,3} [a-z]{1,3}\\.rs"];
    let words = prop_oneof!["[a-z]{1,3}( [a-z`<>&\"\\\\é]{1,6}x){0,4}", "x\\PC{0,20}x"];
    let severity = prop::sample::select(&Severity::ALL[..]);
    let item = (path, 1u32..100_000, 0u32..50, words, severity).prop_map(|(path, start, more, words, severity)| Item {
        path,
        start,
        end: start + more,
        words,
        severity,
    });
    prop::collection::vec(item, 1..8)
}

/// Writes a list of items as one format has it.
type Writer = fn(&[Item]) -> String;

fn each(items: &[Item], of: impl Fn(&Item) -> Value) -> Vec<Value> {
    items.iter().map(of).collect()
}

/// The formats; whether each keeps a range's end and the severity.
fn writers() -> Vec<(Foreign, Writer, bool, bool)> {
    fn word(severity: Severity) -> &'static str {
        match severity {
            Severity::High => "CRITICAL",
            Severity::Medium => "Medium",
            Severity::Low => "minor",
        }
    }
    vec![
        (
            Foreign::Codex,
            |items| {
                let all = each(items, |item| {
                    let priority = 3 - item.severity as u32;
                    json!({ "title": "[P2] t", "body": item.words, "confidence_score": 0.5, "priority": priority,
                        "code_location": { "absolute_file_path": item.path, "line_range": { "start": item.start, "end": item.end } } })
                });
                json!({ "findings": all, "overall_correctness": "patch is correct" }).to_string()
            },
            true,
            true,
        ),
        (
            Foreign::CodexPlugin,
            |items| {
                let all = each(items, |item| {
                    json!({ "severity": word(item.severity), "title": "t", "body": item.words, "file": item.path, "line_start": item.start,
                        "line_end": item.end, "confidence": 1, "recommendation": "" })
                });
                json!({ "verdict": "approve", "summary": "", "findings": all, "next_steps": [] }).to_string()
            },
            true,
            true,
        ),
        (
            Foreign::Claude,
            |items| {
                let all = each(
                    items,
                    |item| json!({ "file": item.path, "line": item.start, "summary": item.words, "failure_scenario": "f" }),
                );
                json!(all).to_string()
            },
            false,
            false,
        ),
        (
            Foreign::Security,
            |items| {
                let all = each(
                    items,
                    |item| json!({ "file": item.path, "line": item.start, "severity": word(item.severity), "description": item.words, "confidence": 0.9 }),
                );
                json!({ "findings": all, "analysis_summary": {} }).to_string()
            },
            false,
            true,
        ),
        (
            Foreign::Ultrareview,
            |items| {
                let all = each(
                    items,
                    |item| json!({ "file_path": item.path, "start_line": item.start, "end_line": item.end, "severity": word(item.severity), "pr_comment": item.words }),
                );
                json!({ "repository": "a/b", "pr_number": 1, "findings": all }).to_string()
            },
            true,
            true,
        ),
        (
            Foreign::GitHub,
            |items| {
                let all = each(
                    items,
                    |item| json!({ "path": item.path, "start_line": item.start, "line": item.end, "side": "RIGHT", "body": item.words }),
                );
                json!({ "event": "COMMENT", "comments": all }).to_string()
            },
            true,
            false,
        ),
        (
            Foreign::Sarif,
            |items| {
                let all = each(items, |item| {
                    let level = ["note", "warning", "error"][item.severity as usize];
                    let uri = percent_encoding::utf8_percent_encode(&item.path, percent_encoding::NON_ALPHANUMERIC)
                        .to_string();
                    json!({ "ruleId": "R", "level": level, "message": { "text": item.words }, "locations": [{ "physicalLocation": {
                        "artifactLocation": { "uri": uri }, "region": { "startLine": item.start, "endLine": item.end } } }] })
                });
                json!({ "version": "2.1.0", "runs": [{ "tool": { "driver": { "name": "t" } }, "results": all }] })
                    .to_string()
            },
            true,
            true,
        ),
        (Foreign::RdJson, |items| json!({ "diagnostics": each(items, diagnostic) }).to_string(), true, true),
        (
            Foreign::RdJsonLines,
            |items| each(items, diagnostic).iter().map(|one| format!("{one}\n")).collect(),
            true,
            true,
        ),
    ]
}

fn diagnostic(item: &Item) -> Value {
    let severity = ["INFO", "WARNING", "ERROR"][item.severity as usize];
    json!({ "message": item.words, "severity": severity, "location": { "path": item.path, "range": {
        "start": { "line": item.start, "column": 2 }, "end": { "line": item.end, "column": 9 } } } })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_each_format_says_comes_out_with_its_places(items in items()) {
        for (format, write, ranges, severities) in writers() {
            let text = write(&items);
            let (review, document) = read(text.as_bytes(), "f").map_err(|error| TestCaseError::fail(format!("{format:?}: {error:?}\n{text}")))?;
            prop_assert_eq!(review.format, Format::Foreign(format), "{}", text);
            prop_assert_eq!(review.findings.len(), items.len(), "{}", text);
            prop_assert_eq!(&review.warnings, &vec![], "{:?}", format);
            for (at, (finding, item)) in review.findings.iter().zip(&items).enumerate() {
                let end = if ranges { item.end } else { item.start };
                let place = Place { side: Side::Right, range: LineRange::new(item.start, end) };
                prop_assert_eq!((finding.index, &finding.path, finding.place), (at, &item.path, Some(place)), "{:?}", format);
                prop_assert_eq!(finding.severity, Some(if severities { item.severity } else { Severity::Medium }), "{:?}", format);
                prop_assert!(finding.body.contains(item.words.trim()), "{:?}: {}", format, finding.body);
                prop_assert!(document.node(&finding.pointer).is_some(), "{:?}: {}", format, finding.pointer);
            }
            // The same by its name, and out of an envelope as a text.
            let (forced, _) = read_as(text.as_bytes(), "f", Some(review.format)).expect("it is read by its name as well");
            prop_assert_eq!(&forced, &review);
            if format != Foreign::RdJsonLines {
                let envelope = json!({ "type": "result", "subtype": "success", "is_error": false, "result": text }).to_string();
                let (inside, _) = read(envelope.as_bytes(), "f").expect("an envelope is opened");
                let bare = |findings: &[crate::review::Finding]| findings.iter().map(|one| (one.path.clone(), one.place, one.body.clone())).collect::<Vec<_>>();
                prop_assert_eq!(bare(&inside.findings), bare(&review.findings), "{:?}", format);
                prop_assert!(inside.findings.iter().all(|one| one.pointer.starts_with("/result/")));
            }
        }
    }

    /// Whatever is cut off or changed of such a file, there is an answer, and it is no panic.
    #[test]
    fn damage_is_refused_or_read_and_never_a_panic(items in items(), at in 0usize..4_000, new in "[\\[\\]{}\",:0-9a-z]{0,3}") {
        for (_, write, ..) in writers() {
            let mut text = write(&items);
            let cut = text.floor_char_boundary(at % text.len());
            let end = text.floor_char_boundary((cut + 4).min(text.len()));
            text.replace_range(cut..end, &new);
            let _ = read(text.as_bytes(), "f");
        }
    }
}

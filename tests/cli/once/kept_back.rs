//! Findings that are kept back after their comments were posted: report and summary say that the comments exist.

use serde_json::{Value, json};

use super::ground::{BOTH, Lab, at, statuses, warnings};

fn reviewed(lab: &Lab, findings: &[Value]) {
    lab.write_review(&json!({"head": lab.head, "summary": "The judgement.", "findings": findings}));
}

#[test]
fn c56_a_comment_whose_finding_is_filtered_or_dismissed_now_is_named_with_its_link() {
    for which in BOTH {
        let lab = Lab::new(which);
        let low = json!({"path": "a.rs", "line": 6, "severity": "low", "body": "beta"});
        let dismissed = json!({"path": "a.rs", "line": 3, "severity": "high", "body": "alpha", "state": "dismissed"});
        lab.review(&[at(3, "alpha"), low.clone(), at(9, "gamma")]);
        let first = lab.post().exits(0).json();
        let urls: Vec<_> = (0..3).map(|n| first["findings"][n]["url"].as_str().expect("a URL").to_owned()).collect();

        reviewed(&lab, &[dismissed, low, at(9, "gamma")]);
        let args = ["--yes", "--min-severity", "medium"];
        for preview in [true, false] {
            let answer = lab.dai(args.into_iter().skip(usize::from(preview))).run().exits(0);
            assert_eq!(statuses(&answer), ["suppressed", "suppressed", "already_posted"], "{answer}");
            let report = answer.json();
            let told: Vec<_> = (0..3).map(|n| report["findings"][n]["url"].as_str().unwrap_or("none")).collect();
            assert_eq!(told, urls, "{which:?}\n{answer}");
            let summary = report["summary"]["body"].as_str().expect("a text");
            for line in [
                format!("- finding 0: `a.rs`, line 3 · a comment of it is on this page: <{}>", urls[0]),
                format!(
                    "`a.rs`, line 6 · low is below --min-severity medium · a comment of it is on this page: <{}>",
                    urls[1]
                ),
                "2 of those kept back have comments on this page all the same".to_owned(),
            ] {
                assert!(summary.contains(&line), "{line}\n{summary}");
            }
            assert!(!summary.contains("alpha"), "{summary}");
        }
        assert_eq!(lab.summaries().len(), 1);
        assert!(lab.summaries()[0].body.contains(&urls[0]), "{:?}", lab.summaries());
        lab.desk().forget_requests();
        lab.dai(args).run().exits(0);
        assert_eq!(lab.desk().writes(), [], "{which:?}");
        let page = lab.dai_as("text", ["--min-severity", "medium"]).run().exits(0);
        for url in &urls[..2] {
            assert!(page.out().contains(&format!("a comment of it is there: {url}")), "{page}");
        }
    }
}

#[test]
fn a_file_without_findings_does_not_write_that_nothing_was_found_over_a_comment() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(3, "alpha")]);
        lab.post().exits(0);
        let summary = lab.summaries();
        reviewed(&lab, &[]);
        lab.desk().forget_requests();
        let answer = lab.post().exits(0).says("a comment of an earlier run exist");
        assert_eq!((lab.summaries(), lab.desk().writes().len()), (summary.clone(), 0), "{which:?}\n{answer}");
        assert!(warnings(&answer).contains(&"existing_comments".to_owned()), "{answer}");
        let told = &answer.json()["summary"];
        assert_eq!((&told["status"], told["body"].as_str()), (&json!("already_posted"), Some(&*summary[0].body)));
        // Where nothing was found from the start, the verdict may be written anew.
        lab.wipe();
        lab.post().exits(0);
        lab.write_review(&json!({"head": lab.head, "summary": "Another judgement.", "findings": []}));
        lab.post().exits(0);
        assert!(lab.summaries()[0].body.contains("Another judgement."), "{:?}", lab.summaries());
    }
}

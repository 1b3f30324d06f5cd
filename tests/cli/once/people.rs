//! What people did to the texts: their words stay, and what they struck or signed is recognised all the same.

use serde_json::json;

use super::ground::{BOTH, Lab, at, statuses, warnings};

/// What people do around a text of dai's, `{}`.
const AROUND: [&str; 6] = [
    "{}\n\nEdit: done",
    "{}\nEdit: done",
    "{}\r\n\r\n-- \r\nAnn\r\nSent from my phone\r\n",
    "~~\n{}\n~~",
    "Ann: done, see below.\n\n{}",
    "{}\n\n> <!-- dai v1 finding=0000000000000000 place=0000000000000000 -->\n\n```\n<!-- dai v1 review=0 -->\n```",
];

#[test]
fn c55_a_text_that_people_wrote_around_is_recognised_and_nothing_is_written() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(3, "alpha"), at(6, "beta")]);
        lab.post().exits(0);
        let texts = lab.comments().into_iter().map(|comment| (comment.id, comment.body));
        let texts: Vec<_> = texts.chain(lab.summaries().into_iter().map(|text| (text.id, text.body))).collect();
        for around in AROUND {
            for (id, body) in &texts {
                lab.edit(*id, |_| around.replace("{}", body));
            }
            lab.desk().forget_requests();
            let answer = lab.post().exits(0);
            assert_eq!(statuses(&answer), ["already_posted", "already_posted"], "{which:?} {around:?} {answer}");
            assert_eq!((lab.desk().writes(), warnings(&answer)), (vec![], vec![]), "{which:?} {around:?}");
        }
        // Striking a comment through changes its words, and not what it is of.
        for (id, body) in &texts[..2] {
            lab.edit(*id, |_| body.lines().map(|line| struck(line) + "\n").collect());
        }
        assert_eq!(statuses(&lab.post().exits(0)), ["already_posted", "already_posted"]);
    }
}

fn struck(line: &str) -> String {
    if line.is_empty() || line.starts_with("<!--") { line.to_owned() } else { format!("~~{line}~~") }
}

#[test]
fn c55_an_edit_of_the_summary_keeps_what_people_added() {
    for which in BOTH {
        for around in AROUND {
            let lab = Lab::new(which);
            lab.write_review(&json!({ "head": lab.head, "summary": "First verdict.", "findings": [] }));
            lab.post().exits(0);
            let [summary] = &lab.summaries()[..] else { panic!("one summary") };
            lab.edit(summary.id, |body| around.replace("{}", body));
            lab.write_review(&json!({ "head": lab.head, "summary": "Second verdict.", "findings": [] }));
            let preview = lab.dai([]).run().exits(0).json();
            let answer = lab.post().exits(0);
            assert_eq!(answer.json()["summary"]["status"], "updated", "{which:?} {answer}");
            let [stands] = &lab.summaries()[..] else { panic!("one summary") };
            let (above, below) = around.split_once("{}").expect("a place");
            assert!(stands.body.starts_with(above) && stands.body.ends_with(below), "{which:?} {:?}", stands.body);
            assert!(stands.body.contains("Second verdict.") && !stands.body.contains("First"), "{:?}", stands.body);
            for report in [preview, answer.json()] {
                assert_eq!(report["summary"]["body"], stands.body, "{which:?}: exactly what was to be posted");
            }
            lab.desk().forget_requests();
            assert_eq!(lab.post().exits(0).json()["summary"]["status"], "already_posted");
            assert_eq!(lab.desk().writes(), [], "{which:?} {around:?}");
        }
    }
}

#[test]
fn c55_a_summary_that_a_person_changed_inside_is_left_and_said() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.write_review(&json!({ "head": lab.head, "summary": "First verdict.", "findings": [] }));
        let first = lab.post().exits(0).json();
        let [summary] = &lab.summaries()[..] else { panic!("one summary") };
        lab.edit(summary.id, |body| body.replace("First verdict.", "First verdict, and Ann agrees."));
        let left = lab.summaries();
        lab.write_review(&json!({ "head": lab.head, "summary": "Second verdict.", "findings": [at(20, "nowhere")] }));
        lab.desk().forget_requests();
        let preview = lab.dai([]).run().exits(0);
        let answer = lab.post().exits(0);
        for answer in [&preview, &answer] {
            assert_eq!(warnings(answer), ["changed_by_person"], "{which:?} {answer}");
            let report = answer.json();
            let message = report["warnings"][0]["message"].as_str().expect("a message").to_owned();
            assert!(message.contains(first["summary"]["url"].as_str().expect("a URL")), "{message}");
            let said = report["summary"]["body"].as_str().expect("a text").to_owned();
            assert!(said.contains("Second verdict.") && said.contains("nowhere"), "{said}");
            assert_eq!(report["summary"]["status"], "already_posted");
        }
        assert_eq!((lab.summaries(), lab.desk().writes()), (left, vec![]), "{which:?}");
    }
}

#[test]
fn c55_what_a_person_writes_while_the_run_is_under_way_is_kept_too() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.write_review(&json!({ "head": lab.head, "summary": "First verdict.", "findings": [] }));
        lab.post().exits(0);
        let [summary] = &lab.summaries()[..] else { panic!("one summary") };
        lab.write_review(&json!({ "head": lab.head, "summary": "Second verdict.", "findings": [] }));
        // The last read of the request comes after what exists was listed.
        lab.desk()
            .fault(lab.on_request().nth(2).before(lab.editing(summary.id, |body| format!("{body}\n\nEdit: done"))));
        lab.post().exits(0);
        let [stands] = &lab.summaries()[..] else { panic!("one summary") };
        assert!(stands.body.contains("Second verdict.") && stands.body.ends_with("Edit: done"), "{which:?} {stands:?}");
    }
}

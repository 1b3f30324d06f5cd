//! Two clones that post the same at the same time.

use std::collections::BTreeMap;
use std::sync::mpsc::channel;
use std::sync::{Arc, Barrier, Mutex};

use serde_json::json;

use super::ground::{BOTH, Lab, NUMBER, at, statuses, warnings};
use crate::support::repo::Repo;

/// Another clone of the request's repository, with the same review in it.
fn second(lab: &Lab) -> Repo {
    let clone = lab.another_clone();
    let folder = clone.path().join(".dai/reviews");
    std::fs::create_dir_all(&folder).expect("the folder of reviews");
    std::fs::copy(lab.file(), folder.join(format!("{NUMBER}.json"))).expect("the review");
    clone
}

/// Both have looked, and both write: whoever writes later sees both.
#[test]
fn c58_two_clones_that_write_at_once_name_what_stands_twice() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(3, "alpha"), at(6, "beta")]);
        let other = second(&lab);
        let barrier = Arc::new(Barrier::new(2));
        for nth in [1, 2] {
            let barrier = Arc::clone(&barrier);
            lab.desk().fault(lab.on_comments().nth(nth).before(move || _ = barrier.wait()));
        }
        let running = [lab.dai(["--yes"]).spawn(), lab.dai_in(&other, ["--yes"]).spawn()];
        let answers = running.map(|run| run.wait());
        let mut ids: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        for comment in lab.comments() {
            let word = ["alpha", "beta"].into_iter().find(|word| comment.body.contains(word)).expect("a word");
            ids.entry(word).or_default().push(comment.id);
        }
        let told: String = answers.iter().map(|answer| answer.json()["warnings"].to_string()).collect();
        for (word, ids) in &ids {
            assert_eq!(ids.len(), 2, "{word}, {which:?}");
            for id in ids {
                assert!(told.contains(&id.to_string()), "{word} {id}, {which:?}\n{told}");
            }
        }
        assert!(answers.iter().all(|answer| [0, 6].contains(&answer.code())), "{which:?}\n{answers:?}");
        let six: Vec<_> = answers.into_iter().filter(|answer| answer.code() == 6).collect();
        assert!(!six.is_empty(), "{which:?}");
        for answer in six {
            assert!(warnings(&answer).contains(&"posted_twice".to_owned()), "{answer}");
            answer.says("posted twice").says("delete one of each two");
        }
    }
}

/// What another clone wrote after the plan was made, and before the first write, is seen and not written again.
#[test]
fn c58_a_look_right_before_the_first_write_sees_what_another_clone_wrote() {
    for which in BOTH {
        for findings in [vec![at(3, "alpha"), at(6, "beta")], vec![]] {
            let lab = Lab::new(which);
            lab.write_review(&json!({ "head": lab.head, "summary": "The judgement.", "findings": findings }));
            let other = second(&lab);
            let (looking, has_looked) = channel();
            let (go, goes) = channel::<()>();
            let goes = Mutex::new(goes);
            // The first look is the plan's.
            lab.desk().fault(lab.on_look().nth(2).before(move || {
                looking.send(()).expect("the test waits");
                goes.lock().expect("a lock").recv().expect("the test goes on");
            }));
            let late = lab.dai_in(&other, ["--yes"]).env("DAI_TEST_HURRY", "1").spawn();
            has_looked.recv().expect("the second run looks");
            lab.post().exits(0);
            go.send(()).expect("the second run waits");
            let late = late.wait().exits(0);
            assert!(statuses(&late).iter().all(|status| status == "already_posted"), "{which:?}\n{late}");
            assert_eq!(late.json()["summary"]["status"], "already_posted", "{which:?}\n{late}");
            let words: &[&str] = if findings.is_empty() { &[] } else { &["alpha", "beta"] };
            lab.stands(words);
        }
    }
}

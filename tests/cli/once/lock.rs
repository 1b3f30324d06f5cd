//! Two runs at the same moment.

use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::time::Duration;

use super::ground::{BOTH, Lab, at, statuses};

const LONG: Duration = Duration::from_secs(30);

#[test]
fn the_second_run_waits_for_the_first_and_posts_nothing_twice() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(3, "alpha"), at(6, "beta")]);
        let ((reached, here), (go, wait)) = (channel(), channel());
        let (reached, wait) = (Mutex::new(reached), Mutex::new(wait));
        lab.desk().fault(lab.on_comments().before(move || {
            reached.lock().expect("a lock").send(()).expect("the test waits");
            wait.lock().expect("a lock").recv_timeout(LONG).expect("the test goes on");
        }));
        let patient = || lab.dai(["--yes"]).env("DAI_TEST_HURRY", "1").spawn();
        let first = patient();
        here.recv_timeout(LONG).expect("the first run writes");
        let second = patient();
        std::thread::sleep(Duration::from_millis(400));
        go.send(()).expect("the forge waits");
        assert_eq!(statuses(&first.wait().exits(0)), ["posted", "posted"]);
        let second = second.wait().exits(0).says("another run posts from this repository");
        assert_eq!(statuses(&second), ["already_posted", "already_posted"]);
        lab.stands(&["alpha", "beta"]);
    }
}

#[test]
fn patience_ends_with_5_and_a_killed_run_leaves_no_lock() {
    for which in BOTH {
        let lab = Lab::new(which);
        lab.review(&[at(3, "alpha")]);
        let (reached, here) = channel();
        let reached = Mutex::new(reached);
        lab.desk().fault(lab.on_comments().before(move || reached.lock().expect("a lock").send(()).expect("a test")));
        lab.desk().fault(lab.on_comments().hang_before(LONG));
        let first = lab.dai(["--yes"]).env("DAI_TEST_HURRY", "1").spawn();
        here.recv_timeout(LONG).expect("the first run writes");
        let second = lab.post().exits(5).says("another run posts from this repository, and is not done yet");
        assert!(second.stdout.is_empty(), "{second}");
        lab.dai([]).run().exits(0);
        first.signal(crate::support::run::Signal::Kill);
        assert_eq!(first.wait().code(), 137);
        lab.desk().clear_faults();
        lab.post().exits(0);
        lab.stands(&["alpha"]);
    }
}

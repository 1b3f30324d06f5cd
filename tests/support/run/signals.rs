//! Signals as a login shell leaves them, for every program that a test starts.
//!
//! What a process ignores its children ignore too, and whoever runs the tests in the background or below `nohup` ignores
//! SIGINT or SIGHUP. What a process catches, its children have at its default.

use std::process::exit;
use std::sync::Once;
use std::sync::mpsc::channel;
use std::task::Poll;
use std::thread;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Catches them in this process, once, and ends it as they would have.
pub(super) fn have_their_usual_effect_in_children() {
    static CAUGHT: Once = Once::new();
    CAUGHT.call_once(|| {
        let (caught, are_caught) = channel();
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
                let mut signals: Vec<Signal> = kinds.map(|kind| signal(kind).expect("a handler")).into();
                caught.send(()).expect("somebody waits");
                let any = |context: &mut std::task::Context<'_>| {
                    let came = signals.iter_mut().any(|signal| signal.poll_recv(context).is_ready());
                    if came { Poll::Ready(()) } else { Poll::Pending }
                };
                std::future::poll_fn(any).await;
            });
            #[expect(clippy::exit, reason = "the signal has come that would have ended this process")]
            exit(130);
        });
        are_caught.recv().expect("the handlers are set");
    });
}

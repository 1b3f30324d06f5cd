//! SIGINT and SIGTERM, heard for as long as a forge is talked to.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::exit::Exit;
use crate::forge::Interrupt;
use crate::output::Ui;

/// How many questions are open.
static ASKED: AtomicUsize = AtomicUsize::new(0);

/// While it lives, a signal ends the process: nothing is being sent, and a person who is asked and
/// wants to leave must not be held by a prompt that did not hear the key.
pub struct Asking(());

impl Asking {
    pub fn start() -> Self {
        ASKED.fetch_add(1, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        ASKED.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Ends the process where a question is open.
fn leave_question(ui: &Ui) {
    if ASKED.load(Ordering::SeqCst) == 0 {
        return;
    }
    // The prompt has hidden the cursor.
    ui.err_block("\u{1b}[?25h\n");
    #[expect(clippy::exit, reason = "the main thread waits for a key and cannot be told otherwise")]
    std::process::exit(Exit::Interrupted.code().into());
}

/// Raises the interrupt at every signal. Work that cannot be cut short looks at it between its steps;
/// before a forge is talked to, signals keep their usual effect.
pub fn listen(ui: &Ui) -> Interrupt {
    let interrupt = Interrupt::default();
    let (raise, ui) = (interrupt.clone(), ui.clone());
    // A thread of its own, since the main one also waits for git, which no runtime can interrupt.
    let listener = std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        if let Ok(runtime) = runtime {
            runtime.block_on(every_signal(&raise, &ui));
        }
    });
    // Without the thread a signal ends the process at once, which a rerun completes all the same.
    drop(listener);
    interrupt
}

#[cfg(unix)]
async fn every_signal(raise: &Interrupt, ui: &Ui) {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return;
    };
    loop {
        let heard = tokio::select! {
            heard = interrupt.recv() => heard,
            heard = terminate.recv() => heard,
        };
        match heard {
            Some(()) => {
                leave_question(ui);
                raise.raise();
            }
            None => return,
        }
    }
}

#[cfg(not(unix))]
async fn every_signal(raise: &Interrupt, ui: &Ui) {
    while tokio::signal::ctrl_c().await.is_ok() {
        leave_question(ui);
        raise.raise();
    }
}

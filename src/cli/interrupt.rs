//! SIGINT and SIGTERM, heard for as long as a forge is talked to or a gate runs.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
#[cfg(unix)]
use std::task::Poll;

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
    start(ui, false)
}

/// For as long as a command runs that no terminal's signal reaches: this process must live to pass on
/// what would end it, the terminal's own end included.
pub fn listen_for_another(ui: &Ui) -> Interrupt {
    start(ui, true)
}

fn start(ui: &Ui, for_another: bool) -> Interrupt {
    let interrupt = Interrupt::default();
    let (raise, ui) = (interrupt.clone(), ui.clone());
    let (ready, is_ready) = mpsc::channel();
    // A thread of its own, since the main one also waits for git, which no runtime can interrupt.
    let listener = std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        if let Ok(runtime) = runtime {
            runtime.block_on(every_signal(&raise, &ui, for_another, ready));
        }
    });
    // Without the thread a signal ends the process at once, which a rerun completes all the same.
    drop(listener);
    // Nobody says anything where there is no thread, which ends the wait as well.
    let _ = is_ready.recv();
    interrupt
}

#[cfg(unix)]
async fn every_signal(raise: &Interrupt, ui: &Ui, for_another: bool, ready: mpsc::Sender<()>) {
    use std::io::IsTerminal as _;
    use tokio::signal::unix::{SignalKind, signal};
    let mut kinds = vec![SignalKind::interrupt(), SignalKind::terminate()];
    if for_another {
        kinds.push(SignalKind::quit());
        // Under `nohup` the end of the terminal is to be survived, and stderr is none.
        kinds.extend(std::io::stderr().is_terminal().then(SignalKind::hangup));
    }
    let Ok(mut signals) = kinds.into_iter().map(signal).collect::<Result<Vec<_>, _>>() else { return };
    let _ = ready.send(());
    loop {
        let heard = std::future::poll_fn(|context| {
            let mut polled = signals.iter_mut().map(|signal| signal.poll_recv(context));
            polled.find(Poll::is_ready).unwrap_or(Poll::Pending)
        });
        match heard.await {
            Some(()) => {
                leave_question(ui);
                raise.raise();
            }
            None => return,
        }
    }
}

#[cfg(not(unix))]
async fn every_signal(raise: &Interrupt, ui: &Ui, _: bool, ready: mpsc::Sender<()>) {
    drop(ready);
    while tokio::signal::ctrl_c().await.is_ok() {
        leave_question(ui);
        raise.raise();
    }
}

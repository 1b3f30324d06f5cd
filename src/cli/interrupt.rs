//! SIGINT and SIGTERM, heard for as long as a forge is talked to.

use crate::forge::Interrupt;

/// Raises the interrupt at every signal. Work that cannot be cut short looks at it between its steps;
/// before a forge is talked to, signals keep their usual effect.
pub fn listen() -> Interrupt {
    let interrupt = Interrupt::default();
    let raise = interrupt.clone();
    // A thread of its own, since the main one also waits for git, which no runtime can interrupt.
    let listener = std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        if let Ok(runtime) = runtime {
            runtime.block_on(every_signal(&raise));
        }
    });
    // Without the thread a signal ends the process at once, which a rerun completes all the same.
    drop(listener);
    interrupt
}

#[cfg(unix)]
async fn every_signal(raise: &Interrupt) {
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
            Some(()) => raise.raise(),
            None => return,
        }
    }
}

#[cfg(not(unix))]
async fn every_signal(raise: &Interrupt) {
    while tokio::signal::ctrl_c().await.is_ok() {
        raise.raise();
    }
}

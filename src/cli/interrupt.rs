//! SIGINT and SIGTERM, heard for as long as a forge is talked to.

use crate::forge::Interrupt;

/// Raises the interrupt at the first signal. Work that cannot be cut short looks at it between its
/// steps; before a forge is talked to, signals keep their usual effect.
pub fn listen() -> Interrupt {
    let interrupt = Interrupt::default();
    let raise = interrupt.clone();
    // A thread of its own, since the main one also waits for git, which no runtime can interrupt.
    let listener = std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        if let Ok(runtime) = runtime {
            runtime.block_on(first_signal());
            raise.raise();
        }
    });
    // Without the thread a signal ends the process at once, which a rerun completes all the same.
    drop(listener);
    interrupt
}

#[cfg(unix)]
async fn first_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    match (signal(SignalKind::interrupt()), signal(SignalKind::terminate())) {
        (Ok(mut interrupt), Ok(mut terminate)) => {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        }
        _ => std::future::pending().await,
    }
}

#[cfg(not(unix))]
async fn first_signal() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

//! The wish to stop, raised by a signal and looked at before each write and during waits.

use std::sync::Arc;

use tokio::sync::watch;

/// Shared by whoever hears the signal and whoever makes the calls.
#[derive(Debug, Clone)]
pub struct Interrupt(Arc<watch::Sender<bool>>);

impl Default for Interrupt {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }
}

impl Interrupt {
    pub fn raise(&self) {
        self.0.send_replace(true);
    }

    pub fn is_raised(&self) -> bool {
        *self.0.borrow()
    }

    /// Returns once it is raised.
    pub async fn raised(&self) {
        let mut seen = self.0.subscribe();
        // The sender lives in `self`, so the only way out is the value.
        let _ = seen.wait_for(|raised| *raised).await;
    }
}

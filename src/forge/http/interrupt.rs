//! The wish to stop, raised by a signal and looked at before each write and during waits.

use std::sync::Arc;

use tokio::sync::watch;

/// Shared by whoever hears the signals and whoever makes the calls. Raised once, nothing new is begun
/// and what is in flight is awaited; raised again, that is given up as well.
#[derive(Debug, Clone)]
pub struct Interrupt(Arc<watch::Sender<u32>>);

impl Default for Interrupt {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(0)))
    }
}

impl Interrupt {
    pub fn raise(&self) {
        self.0.send_modify(|times| *times = times.saturating_add(1));
    }

    pub fn is_raised(&self) -> bool {
        *self.0.borrow() > 0
    }

    /// Returns once it is raised.
    pub async fn raised(&self) {
        self.times(1).await;
    }

    /// Returns once it is raised again.
    pub async fn insisted(&self) {
        self.times(2).await;
    }

    async fn times(&self, wanted: u32) {
        let mut seen = self.0.subscribe();
        // The sender lives in `self`, so the only way out is the value.
        let _ = seen.wait_for(|times| *times >= wanted).await;
    }
}

//! Staying below gitlab.com's limit of notes, so that a long review is not refused in its middle.

use std::time::{Duration, Instant};

use crate::forge::{Http, WaitFor};

/// `notes_create` on gitlab.com, for each user and clock minute. Other servers set their own, and a 429
/// tells.
const A_MINUTE: u32 = 60;

/// Counts the writes of the last window.
pub struct Pacer {
    limited: bool,
    since: Instant,
    writes: u32,
}

impl Pacer {
    pub fn new(host: &str) -> Self {
        Self { limited: host == "gitlab.com", since: Instant::now(), writes: 0 }
    }

    /// How long to wait before one more write, which is counted.
    fn pause(&mut self, now: Instant) -> Duration {
        let window = Duration::from_secs(60);
        let gone = now.duration_since(self.since);
        if gone >= window {
            (self.since, self.writes) = (now, 0);
        }
        self.writes += 1;
        if !self.limited || self.writes <= A_MINUTE {
            return Duration::ZERO;
        }
        let rest = window.saturating_sub(gone);
        (self.since, self.writes) = (now + rest, 1);
        rest
    }

    /// Waits where that is due. Out of budget the write is tried all the same: a 429 says the rest.
    pub async fn before_write(&mut self, http: &Http) {
        let pause = self.pause(Instant::now());
        if !pause.is_zero() {
            let _ = http.wait(WaitFor::Pacing, pause).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sixty_first_note_waits_for_the_rest_of_the_minute() {
        let mut pacer = Pacer::new("gitlab.com");
        let start = pacer.since;
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        assert!((0..60).all(|_| pacer.pause(at(10)).is_zero()));
        assert_eq!(pacer.pause(at(20)), Duration::from_secs(40));
        assert!((0..59).all(|_| pacer.pause(at(60)).is_zero()));
        assert_eq!(pacer.pause(at(70)), Duration::from_secs(50));
        assert!(pacer.pause(at(500)).is_zero(), "a new minute");
        let mut own = Pacer::new("gitlab.example");
        assert!((0..500).all(|_| own.pause(at(0)).is_zero()));
    }
}

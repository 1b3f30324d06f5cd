//! How long things may take, in one place, so that tests can shorten it.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::time::Duration;

/// Time-outs, tries and waits.
#[derive(Debug, Clone, PartialEq)]
pub struct Pace {
    pub connect: Duration,
    /// Between two pieces of an answer.
    pub read: Duration,
    /// A whole exchange.
    pub total: Duration,
    /// How often a call is made at most, for reads that fail and for connections that are not made.
    pub tries: u32,
    /// The first pause between two tries; it doubles.
    pub backoff: Duration,
    /// After a throttle that names no time. GitHub's documentation asks for a minute; GitLab counts
    /// writes by the clock's minute.
    pub throttle: Duration,
    /// All waiting of one run.
    pub budget: Duration,
    /// All waiting for GitLab's `diff_refs`.
    pub diff_budget: Duration,
    /// What a second of waiting takes in seconds; 1 outside tests. The budget counts unscaled.
    pub scale: f64,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(15),
            read: Duration::from_secs(60),
            total: Duration::from_secs(180),
            tries: 4,
            backoff: Duration::from_millis(500),
            throttle: Duration::from_secs(60),
            budget: Duration::from_secs(600),
            diff_budget: Duration::from_secs(60),
            scale: 1.0,
        }
    }
}

/// The variable of the tests that run the whole program; see [`Pace::hurried`].
pub const HURRY: &str = "DAI_TEST_HURRY";

/// A loaded machine needs so long for an honest answer.
const LEAST_TIME_OUT: Duration = Duration::from_secs(2);

impl Pace {
    /// Waits and time-outs taken times `factor`, from 0 to 1: what minutes are waited for elsewhere is
    /// then tested in seconds. Nothing is waited for longer by it, nothing tried more often, and no
    /// decision differs, since the budget counts what would have been waited. Only for an API on a
    /// loopback address: no real forge is ever hurried.
    #[must_use]
    pub fn hurried(self, factor: f64) -> Self {
        if !(0.0..=1.0).contains(&factor) {
            return self;
        }
        let time_out = |time: Duration| time.mul_f64(factor).max(LEAST_TIME_OUT).min(time);
        Self {
            connect: time_out(self.connect),
            read: time_out(self.read),
            total: time_out(self.total),
            scale: self.scale * factor,
            ..self
        }
    }

    /// The pause before try `attempt` + 1 (`attempt` counts from 1): doubling, with up to half of it
    /// taken off at random, so that runs that failed together do not come back together.
    pub fn pause(&self, attempt: u32) -> Duration {
        let whole = self.backoff.saturating_mul(1 << (attempt.clamp(1, 16) - 1));
        whole.mul_f64(0.5 + 0.5 * random_fraction())
    }
}

/// From 0 to 1. The standard library seeds its hashers at random, which is all that is needed.
fn random_fraction() -> f64 {
    f64::from(RandomState::new().build_hasher().finish() as u32) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hurrying_only_ever_shortens_and_leaves_the_decisions_alone() {
        let whole = Pace::default();
        for factor in [0.0, 0.01, 0.5, 1.0, 2.0, -1.0, f64::NAN] {
            let hurried = whole.clone().hurried(factor);
            assert!(hurried.connect <= whole.connect && hurried.read <= whole.read && hurried.total <= whole.total);
            assert!(hurried.scale <= whole.scale && hurried.scale >= 0.0, "{factor}");
            let same = Pace { connect: whole.connect, read: whole.read, total: whole.total, scale: 1.0, ..hurried };
            assert_eq!(same, whole, "{factor}");
        }
    }

    #[test]
    fn a_pause_doubles_and_keeps_at_least_half() {
        let pace = Pace { backoff: Duration::from_secs(1), ..Pace::default() };
        for (attempt, whole) in [(1, 1.0), (2, 2.0), (3, 4.0), (4, 8.0)] {
            let pause = pace.pause(attempt).as_secs_f64();
            assert!((whole / 2.0..=whole).contains(&pause), "{attempt}: {pause}");
        }
    }
}

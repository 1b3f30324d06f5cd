//! The one HTTP layer of both forges, under octocrab and under the `gitlab` crate alike.
//!
//! Both crates bring clients of their own, and neither is fit for posting exactly once: one repeats a
//! POST after a 5xx, the other follows redirects anywhere, token included, and turns a POST into a
//! GET on the way. Here every call obeys the same rules, whoever makes it: the token goes to the API's
//! own origin and nowhere else, a write is repeated only when it provably did not happen, answers and
//! waits are bounded, and an interrupt stops before the next write.

mod answer;
mod client;
mod extent;
mod fault;
mod interrupt;
mod origin;
mod pace;
mod pages;
mod policy;
mod progress;
mod service;
#[cfg(test)]
mod tests;
mod throttle;

pub use answer::Answer;
pub use client::{Call, Http, SendAgain, Setup};
use extent::Extent;
pub use fault::{Fault, Unreached};
pub use interrupt::Interrupt;
pub use origin::Origin;
pub use pace::{HURRY, Pace};
pub use pages::{Numbered, Onward, PAGE, Pages, Readings, Shifting, Short, number_of};
pub use progress::{Called, Event, Progress, WaitFor};
pub(super) use throttle::throttle;

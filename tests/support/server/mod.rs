//! The HTTP part that both forges share: a thread per connection, every request written down, faults played, git served.

mod desk;
mod listener;
mod message;
mod record;
mod smart_http;
mod tls;

pub use desk::{Answers, Desk, Twist};
pub use listener::Listener;
pub use message::{Reply, Request, Response};
pub use record::Recorded;
pub use tls::Tls;

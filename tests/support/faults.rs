//! Which call goes wrong, and how.
//!
//! ```ignore
//! forge.fault(Fault::on("POST", "/repos/*/*/pulls/*/reviews").after_write(Response::html(502)));
//! forge.fault(Fault::on("GET", "/user").every().instead(Response::html(500)));
//! forge.fault(Fault::on("POST", "/projects/*/merge_requests/*/discussions").nth(3).cut_after());
//! ```

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use crate::support::server::{Reply, Response, Twist};

type Hook = Arc<dyn Fn() + Send + Sync>;
type Shape = Arc<dyn Fn(&mut Response) + Send + Sync>;

#[derive(Clone)]
pub enum Act {
    /// Runs before the forge sees the call.
    Before(Hook),
    /// The forge never sees the call.
    Instead(Reply),
    /// The forge does what was asked, and the client gets this.
    AfterWrite(Reply),
    /// The forge does what was asked, and the client gets half of its answer.
    HalfAfter,
    /// Runs when the forge has done what was asked, before the client gets the answer.
    After(Hook),
    Twist(Twist),
    /// The answer is this many bytes long at least.
    Padded(usize),
    /// The answer is changed on its way, as by a proxy.
    Reshaped(Shape),
}

#[derive(Clone, Copy)]
enum When {
    Nth(usize),
    From(usize),
}

/// Which calls, and what becomes of them. Made by [`Fault::on`]; the call that ends the chain says what.
#[derive(Clone)]
pub struct Fault {
    method: &'static str,
    pattern: String,
    when: When,
    seen: usize,
    act: Option<Act>,
}

impl Fault {
    /// The first call of this method (`*`: any) and path. A pattern is matched below the API's base, without the query; `*` is one
    /// segment, `**` at the end the rest.
    pub fn on(method: &'static str, pattern: impl Into<String>) -> Self {
        Self { method, pattern: pattern.into(), when: When::Nth(1), seen: 0, act: None }
    }

    /// Only the `n`th such call, from 1.
    pub fn nth(self, n: usize) -> Self {
        Self { when: When::Nth(n), ..self }
    }

    /// Such calls from the `n`th on.
    pub fn from(self, n: usize) -> Self {
        Self { when: When::From(n), ..self }
    }

    /// Every such call.
    pub fn every(self) -> Self {
        self.from(1)
    }

    fn act(self, act: Act) -> Self {
        Self { act: Some(act), ..self }
    }

    /// Answers without doing anything.
    pub fn instead(self, response: Response) -> Self {
        self.act(Act::Instead(Reply::Whole(response)))
    }

    /// Does what was asked and answers something else.
    pub fn after_write(self, response: Response) -> Self {
        self.act(Act::AfterWrite(Reply::Whole(response)))
    }

    /// Ends the connection; nothing was done.
    pub fn cut_before(self) -> Self {
        self.act(Act::Instead(Reply::Cut))
    }

    /// Ends the connection when all is done.
    pub fn cut_after(self) -> Self {
        self.act(Act::AfterWrite(Reply::Cut))
    }

    /// Says nothing for this long; nothing was done.
    pub fn hang_before(self, time: Duration) -> Self {
        self.act(Act::Instead(Reply::Hang(time)))
    }

    /// Does what was asked and says nothing for this long.
    pub fn hang_after(self, time: Duration) -> Self {
        self.act(Act::AfterWrite(Reply::Hang(time)))
    }

    /// Does what was asked and answers by half.
    pub fn half_after(self) -> Self {
        self.act(Act::HalfAfter)
    }

    /// Sends the client elsewhere; nothing was done.
    pub fn redirect(self, status: u16, location: impl Display) -> Self {
        let body = json!({ "message": "Moved Permanently", "url": location.to_string() });
        self.instead(Response::json(status, &body).header("location", location))
    }

    /// Runs `hook` right before the call is handled, and lets it through: the place to move a head.
    pub fn before(self, hook: impl Fn() + Send + Sync + 'static) -> Self {
        self.act(Act::Before(Arc::new(hook)))
    }

    /// Runs `hook` when the call has been handled, before its answer is sent.
    pub fn after(self, hook: impl Fn() + Send + Sync + 'static) -> Self {
        self.act(Act::After(Arc::new(hook)))
    }

    /// Makes the answer at least this long, with white space at its end.
    pub fn padded(self, bytes: usize) -> Self {
        self.act(Act::Padded(bytes))
    }

    /// Changes the answer on its way, as a proxy does.
    pub fn reshaped(self, shape: impl Fn(&mut Response) + Send + Sync + 'static) -> Self {
        self.act(Act::Reshaped(Arc::new(shape)))
    }

    /// GitLab: stores the note without its position.
    pub fn demote(self) -> Self {
        self.act(Act::Twist(Twist::Demote))
    }

    /// GitHub: leaves a review without comments behind, and refuses.
    pub fn orphan(self) -> Self {
        self.act(Act::Twist(Twist::Orphan))
    }

    /// What happens to this call, if anything; counts it.
    pub(super) fn due(&mut self, method: &str, path: &str) -> Option<Act> {
        if (self.method != "*" && self.method != method) || !matches(&self.pattern, path) {
            return None;
        }
        self.seen += 1;
        let now = match self.when {
            When::Nth(n) => self.seen == n,
            When::From(n) => self.seen >= n,
        };
        self.act.clone().filter(|_| now)
    }
}

fn matches(pattern: &str, path: &str) -> bool {
    let (mut wanted, mut got) = (pattern.split('/'), path.split('/'));
    loop {
        match (wanted.next(), got.next()) {
            (None, None) => return true,
            (Some("**"), _) => return true,
            (Some("*"), Some(segment)) if !segment.is_empty() => {}
            (Some(a), Some(b)) if a == b => {}
            _ => return false,
        }
    }
}

//! One forge's front: it records, plays faults, serves git, and hands the rest to the forge.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use super::listener::Listener;
use super::message::{Reply, Request, Response};
use super::record::{Record, Recorded};
use super::smart_http;
use crate::support::faults::{Act, Fault};
use crate::support::repo::{Scratch, Upstream};

/// Something that a fault asks of the forge itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Twist {
    /// GitLab: the note is stored without its position, the answer is 201.
    Demote,
    /// GitHub: the review is stored without its comments, and the answer is the 422 of an unplaceable line.
    Orphan,
}

/// A forge behind its desk.
pub trait Answers: Send + Sync {
    /// Answers an API request; `violate` writes down what the real forge does not have.
    fn answer(&self, request: &Request, twist: Option<Twist>, violate: &dyn Fn(String)) -> Response;

    /// What stands before `/repos/…` or `/projects/…` in a path, for the patterns of faults.
    fn api_prefix(&self) -> String;

    /// What stands before `owner/repo.git` in a path.
    fn git_prefix(&self) -> String;

    /// The credentials that git's requests may use; an answer instead when they do not do.
    fn admit_git(&self, project: &str, request: &Request) -> Result<String, Response>;
}

/// The running front of a forge. Dropping it panics when a violation was written down.
pub struct Desk {
    listener: Mutex<Listener>,
    address: std::net::SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    forge: Arc<dyn Answers>,
    record: Record,
    faults: Mutex<Vec<Fault>>,
    scratch: Scratch,
}

impl Desk {
    pub fn start(forge: Arc<dyn Answers>, scratch: Scratch) -> Self {
        let shared = Arc::new(Shared { forge, record: Record::default(), faults: Mutex::default(), scratch });
        let listener = Listener::start({
            let shared = Arc::clone(&shared);
            Arc::new(move |request: &Request| {
                catch_unwind(AssertUnwindSafe(|| shared.reply(request))).unwrap_or_else(|panic| {
                    let why = panic.downcast_ref::<String>().cloned().unwrap_or_default();
                    shared
                        .record
                        .violation(format!("{} {}: the loopback forge panicked: {why}", request.method, request.path));
                    Reply::Whole(Response::html(500))
                })
            })
        });
        Self { address: listener.address(), listener: Mutex::new(listener), shared }
    }

    /// `http://127.0.0.1:<port>`
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The bare repository of a project; made on first use.
    pub fn upstream(&self, project: &str) -> Upstream {
        Upstream::under(&self.shared.scratch.path().join("srv"), project)
    }

    pub fn fault(&self, fault: Fault) {
        self.shared.faults.lock().unwrap_or_else(PoisonError::into_inner).push(fault);
    }

    pub fn clear_faults(&self) {
        self.shared.faults.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Every API request, in order.
    pub fn requests(&self) -> Vec<Recorded> {
        self.shared.record.api_requests()
    }

    /// The API requests that were no `GET`.
    pub fn writes(&self) -> Vec<Recorded> {
        self.requests().into_iter().filter(|r| r.request.method != "GET").collect()
    }

    /// Every request of git's own.
    pub fn git_requests(&self) -> Vec<Recorded> {
        self.shared.record.git_requests()
    }

    /// Forgets the recorded requests, not what is stored.
    pub fn forget_requests(&self) {
        self.shared.record.forget();
    }

    /// What the forge was asked although the real one does not have it.
    pub fn violations(&self) -> Vec<String> {
        self.shared.record.violations()
    }

    /// The same, and the test goes on without them.
    pub fn take_violations(&self) -> Vec<String> {
        self.shared.record.take_violations()
    }

    /// Nobody listens from now on.
    pub fn stop(&self) {
        self.listener.lock().unwrap_or_else(PoisonError::into_inner).stop();
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let violations = self.violations();
            assert!(violations.is_empty(), "the forge was asked what it does not have: {violations:#?}");
        }
    }
}

impl Shared {
    fn reply(&self, request: &Request) -> Reply {
        let below_git = request.path.strip_prefix(&self.forge.git_prefix()).unwrap_or_default();
        if let Some(project) = smart_http::project_of(below_git) {
            let response = match self.forge.admit_git(project, request) {
                Ok(project) => smart_http::serve(&self.scratch.path().join("srv"), &project, request),
                Err(response) => response,
            };
            self.record.git(request, response.status);
            return Reply::Whole(response);
        }
        let number = self.record.arrived(request);
        let reply = self.play(request);
        if let Reply::Whole(response) = &reply {
            self.record.answered(number, response.status);
        }
        reply
    }

    fn play(&self, request: &Request) -> Reply {
        let below = request.path.strip_prefix(&self.forge.api_prefix()).unwrap_or(&request.path);
        let acts: Vec<Act> = {
            let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
            faults.iter_mut().filter_map(|fault| fault.due(&request.method, below)).collect()
        };
        for act in &acts {
            match act {
                Act::Before(hook) => hook(),
                Act::Instead(reply) => return reply.clone(),
                Act::AfterWrite(_)
                | Act::HalfAfter
                | Act::After(_)
                | Act::Twist(_)
                | Act::Padded(_)
                | Act::Reshaped(_) => {}
            }
        }
        let twist = acts.iter().find_map(|act| if let Act::Twist(twist) = act { Some(*twist) } else { None });
        let mut response = self.forge.answer(request, twist, &|what| self.record.violation(what));
        let mut reply = None;
        for act in acts {
            match act {
                Act::After(hook) => hook(),
                Act::AfterWrite(other) => reply = Some(other),
                Act::HalfAfter => reply = Some(Reply::Half(response.clone())),
                Act::Reshaped(shape) => shape(&mut response),
                // White space after a JSON document changes nothing but its size.
                Act::Padded(size) => response.body.resize(response.body.len().max(size), b' '),
                Act::Before(_) | Act::Instead(_) | Act::Twist(_) => {}
            }
        }
        reply.unwrap_or(Reply::Whole(response))
    }
}

//! What a forge was asked, and what it should never have been asked.

use std::sync::{Mutex, PoisonError};

use super::message::Request;

/// A request and the status of its answer; `None` when it got none, or only a part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    pub request: Request,
    pub status: Option<u16>,
}

impl Recorded {
    /// `GET /repos/acme/widgets/pulls/22`, without the query.
    pub fn line(&self) -> String {
        format!("{} {}", self.request.method, self.request.path)
    }
}

#[derive(Debug, Default)]
pub(super) struct Record {
    api: Mutex<Vec<Recorded>>,
    git: Mutex<Vec<Recorded>>,
    violations: Mutex<Vec<String>>,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Record {
    /// Writes the request down before it is answered; the number names it for [`Record::answered`].
    pub fn arrived(&self, request: &Request) -> usize {
        let mut all = lock(&self.api);
        all.push(Recorded { request: request.clone(), status: None });
        all.len() - 1
    }

    pub fn answered(&self, number: usize, status: u16) {
        if let Some(recorded) = lock(&self.api).get_mut(number) {
            recorded.status = Some(status);
        }
    }

    pub fn git(&self, request: &Request, status: u16) {
        lock(&self.git).push(Recorded { request: request.clone(), status: Some(status) });
    }

    pub fn violation(&self, what: String) {
        lock(&self.violations).push(what);
    }

    pub fn api_requests(&self) -> Vec<Recorded> {
        lock(&self.api).clone()
    }

    pub fn git_requests(&self) -> Vec<Recorded> {
        lock(&self.git).clone()
    }

    pub fn violations(&self) -> Vec<String> {
        lock(&self.violations).clone()
    }

    pub fn take_violations(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.violations))
    }

    pub fn forget(&self) {
        lock(&self.api).clear();
        lock(&self.git).clear();
    }
}

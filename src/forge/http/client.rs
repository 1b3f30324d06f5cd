//! One call after another, by the rules: where the token goes, what is followed, how much is read.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, SystemTime};

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use url::Url;

use super::policy::{Next, next, pause};
use super::throttle::throttle;
use super::{Answer, Called, Event, Fault, Interrupt, Origin, Pace, Progress, WaitFor};
use crate::consent::Consent;
use crate::forge::Secrets;

/// The longest answer that is read.
const ANSWER_LIMIT: usize = 64 * 1024 * 1024;
/// How many redirects one call follows.
const HOPS: u32 = 5;

/// What a client is made of.
pub struct Setup {
    /// The API's base, ending in `/`. Its origin is the only one that is ever called.
    pub base: Url,
    /// `dai/<version>`; GitHub refuses calls without one.
    pub user_agent: String,
    /// The header that carries the token, and its value.
    pub token: Option<(HeaderName, HeaderValue)>,
    pub secrets: Secrets,
    pub pace: Pace,
    pub progress: Arc<dyn Progress>,
    pub interrupt: Interrupt,
}

/// One request of the API, before the token is added.
#[derive(Debug, Clone)]
pub struct Call {
    method: Method,
    url: Url,
    headers: HeaderMap,
    body: Bytes,
}

impl Call {
    /// # Errors
    ///
    /// [`Fault::Unusable`] for a URL that is none, and for a write whose request carries no [`Consent`]
    /// as an extension.
    pub fn new(parts: http::request::Parts, body: Bytes) -> Result<Self, Fault> {
        let http::request::Parts { method, uri, headers, extensions, .. } = parts;
        if !is_read(&method) && extensions.get::<Consent>().is_none() {
            return Err(Fault::Unusable { cause: format!("{method} {} without --yes", uri.path()) });
        }
        let unusable = |error| Fault::Unusable { cause: format!("{uri}: {error}") };
        Ok(Self { method, url: uri.to_string().parse().map_err(unusable)?, headers, body })
    }
}

fn is_read(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}

/// How a `POST` is to be sent again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SendAgain {
    After(Duration),
    At(Url),
}

/// Why a wait ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stay {
    Interrupted,
    /// The run has no time left for it; nothing was waited.
    OverBudget,
}

/// The client. Clones share connections, budget and interrupt.
#[derive(Clone)]
pub struct Http(Arc<Inner>);

struct Inner {
    setup: Setup,
    origin: Origin,
    /// Made at the first call: it reads certificates, and fails where there are none.
    client: OnceLock<reqwest::Client>,
    /// Milliseconds of the budget that are spent.
    waited: AtomicU64,
    /// Those of them that were spent on a diff that was not there.
    waited_for_diff: AtomicU64,
}

impl Http {
    pub fn new(mut setup: Setup) -> Self {
        if let Some((_, value)) = &mut setup.token {
            value.set_sensitive(true);
        }
        let origin = Origin::of(&setup.base);
        Self(Arc::new(Inner {
            setup,
            origin,
            client: OnceLock::new(),
            waited: AtomicU64::new(0),
            waited_for_diff: AtomicU64::new(0),
        }))
    }

    pub fn base(&self) -> &Url {
        &self.0.setup.base
    }

    /// The host, with the port where it is not the scheme's own.
    pub fn host(&self) -> &str {
        self.0.origin.authority()
    }

    pub fn pace(&self) -> &Pace {
        &self.0.setup.pace
    }

    /// What this run may still wait for a diff, however often it has to.
    pub fn diff_budget(&self) -> Duration {
        self.pace().diff_budget.saturating_sub(Duration::from_millis(self.0.waited_for_diff.load(Ordering::Relaxed)))
    }

    pub fn secrets(&self) -> &Secrets {
        &self.0.setup.secrets
    }

    pub fn interrupt(&self) -> &Interrupt {
        &self.0.setup.interrupt
    }

    pub fn has_token(&self) -> bool {
        self.0.setup.token.is_some()
    }

    pub fn tell(&self, event: Event<'_>) {
        self.0.setup.progress.event(event);
    }

    /// Makes the call, and makes it again where that is safe and may help.
    ///
    /// # Errors
    ///
    /// A [`Fault`] where there is no answer; an answer of any status is none.
    pub async fn send(&self, call: &Call) -> Result<Answer, Fault> {
        let write = !is_read(&call.method);
        let mut attempt = 0;
        loop {
            if write && self.interrupt().is_raised() {
                return Err(Fault::Interrupted);
            }
            attempt += 1;
            let outcome = self.exchange(call).await;
            let Next::Again { why, after } = next(&call.method, &outcome, attempt, self.pace(), SystemTime::now())
            else {
                return outcome;
            };
            match self.wait(why, after).await {
                Ok(()) => {}
                // Whatever is waited on here did not happen, or is a read.
                Err(Stay::Interrupted) => return Err(Fault::Interrupted),
                Err(Stay::OverBudget) => return outcome,
            }
        }
    }

    /// Waits within the run's budget, and tells of it.
    ///
    /// # Errors
    ///
    /// [`Stay`], when an interrupt or the budget ends it.
    pub async fn wait(&self, why: WaitFor, how_long: Duration) -> Result<(), Stay> {
        if self.interrupt().is_raised() {
            return Err(Stay::Interrupted);
        }
        let budget = millis(self.pace().budget);
        let spend = |spent: u64| spent.checked_add(millis(how_long)).filter(|spent| *spent <= budget);
        let Ok(before) = self.0.waited.fetch_update(Ordering::Relaxed, Ordering::Relaxed, spend) else {
            return Err(Stay::OverBudget);
        };
        if why == WaitFor::Diff {
            self.0.waited_for_diff.fetch_add(millis(how_long), Ordering::Relaxed);
        }
        let left = Duration::from_millis(budget.saturating_sub(before).saturating_sub(millis(how_long)));
        self.tell(Event::Waiting { why, how_long, left, host: self.host() });
        tokio::select! {
            () = tokio::time::sleep(how_long.mul_f64(self.pace().scale)) => Ok(()),
            () = self.interrupt().raised() => Err(Stay::Interrupted),
        }
    }

    /// What an answer to a `POST` asks for before the same is sent again. The answer may be a proxy's, and the
    /// write done all the same: whoever sends it again looks for it first.
    pub fn again(&self, url: &Url, answer: &Answer, attempt: u32) -> Option<SendAgain> {
        if let Some(throttle) = throttle(answer, SystemTime::now()) {
            return Some(SendAgain::After(pause(&throttle, attempt, self.pace())));
        }
        let status = answer.status;
        let moved = matches!(status.as_u16(), 301 | 307 | 308) && attempt <= HOPS;
        let to = location(status, &answer.headers).filter(|_| moved).and_then(|location| url.join(location).ok())?;
        (Origin::of(&to) == self.0.origin).then_some(SendAgain::At(to))
    }

    /// One exchange, redirects included, told to the progress. One signal ends a read; a write that is in
    /// flight takes another.
    async fn exchange(&self, call: &Call) -> Result<Answer, Fault> {
        let start = Instant::now();
        let outcome = tokio::select! {
            biased;
            () = self.interrupt().raised(), if is_read(&call.method) => Err(Fault::Interrupted),
            // What became of a write is then as open as after a lost answer.
            () = self.interrupt().insisted() => Err(Fault::NoAnswer {
                host: self.host().to_owned(),
                timed_out: false,
                cause: "given up on, since it was interrupted twice".to_owned(),
            }),
            outcome = self.follow(call) => outcome,
        };
        let text;
        let called = match &outcome {
            Ok(answer) => Called::Answered { status: answer.status.as_u16(), bytes: answer.body.len() },
            Err(fault) => {
                text = fault.to_string();
                Called::Failed(&text)
            }
        };
        let (method, url) = (call.method.as_str(), call.url.as_str());
        self.tell(Event::Called { method, url, outcome: called, took: start.elapsed() });
        outcome
    }

    /// Redirects stay on the API's origin and keep method and body: a renamed repository answers
    /// 301 or 307, and the write belongs at its new place. That of a `POST` is the caller's to follow.
    async fn follow(&self, call: &Call) -> Result<Answer, Fault> {
        let read = is_read(&call.method);
        let mut url = call.url.clone();
        let mut hops = 0;
        loop {
            if Origin::of(&url) != self.0.origin {
                return Err(Fault::Foreign { host: self.host().to_owned(), to: Origin::of(&url).to_string() });
            }
            let response = self.request(call, url.clone()).await?;
            let status = response.status();
            let kept = matches!(status.as_u16(), 301 | 307 | 308) || (read && matches!(status.as_u16(), 302 | 303));
            let location = location(status, response.headers());
            let Some(location) = location else { return self.read(response).await };
            let target = url.join(location).ok();
            let here = target.as_ref().is_some_and(|to| Origin::of(to) == self.0.origin);
            if call.method == Method::POST && kept && here {
                return self.read(response).await;
            }
            match target {
                Some(to) if kept && hops < HOPS && Origin::of(&to) == self.0.origin => {
                    hops += 1;
                    url = to;
                }
                to => {
                    let to = to.map_or_else(|| "nowhere".to_owned(), |to| Origin::of(&to).to_string());
                    return Err(Fault::Redirected { host: self.host().to_owned(), status: status.as_u16(), to });
                }
            }
        }
    }

    async fn request(&self, call: &Call, url: Url) -> Result<reqwest::Response, Fault> {
        let mut request = self.client()?.request(call.method.clone(), url).headers(call.headers.clone());
        if let Some((name, value)) = &self.0.setup.token {
            request = request.header(name.clone(), value.clone());
        }
        if !call.body.is_empty() || !is_read(&call.method) {
            request = request.body(call.body.clone());
        }
        request.send().await.map_err(|error| self.fault(error))
    }

    /// Reads the body piece by piece, so that no length a server claims is believed.
    async fn read(&self, mut response: reqwest::Response) -> Result<Answer, Fault> {
        let status = response.status();
        let too_large =
            || Fault::TooLarge { host: self.host().to_owned(), status: status.as_u16(), limit: ANSWER_LIMIT };
        let headers = std::mem::take(response.headers_mut());
        let mut body = BytesMut::new();
        while let Some(piece) = response.chunk().await.map_err(|error| self.fault(error))? {
            if body.len() + piece.len() > ANSWER_LIMIT {
                return Err(too_large());
            }
            body.extend_from_slice(&piece);
        }
        Ok(Answer { status, headers, body: body.freeze() })
    }

    fn client(&self) -> Result<&reqwest::Client, Fault> {
        if let Some(client) = self.0.client.get() {
            return Ok(client);
        }
        let Pace { connect, read, total, .. } = *self.pace();
        let mut builder = reqwest::Client::builder()
            .user_agent(&self.0.setup.user_agent)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            // A connection that the server may have given up is not what a write is tried on.
            .pool_idle_timeout(Duration::from_secs(10))
            .connect_timeout(connect)
            .read_timeout(read)
            .timeout(total);
        if self.0.origin.is_loopback() {
            builder = builder.no_proxy();
        }
        let client = builder.build().map_err(|error| match self.fault(error) {
            Fault::NotSent { cause, .. } | Fault::NoAnswer { cause, .. } => Fault::Unusable { cause },
            fault => fault,
        })?;
        Ok(self.0.client.get_or_init(|| client))
    }

    fn fault(&self, error: reqwest::Error) -> Fault {
        let hide = |cause: String| self.secrets().redact(&cause);
        match Fault::of(error, self.host()) {
            Fault::NotSent { host, why, cause } => Fault::NotSent { host, why, cause: hide(cause) },
            Fault::NoAnswer { host, timed_out, cause } => Fault::NoAnswer { host, timed_out, cause: hide(cause) },
            Fault::Unusable { cause } => Fault::Unusable { cause: hide(cause) },
            fault => fault,
        }
    }
}

/// Where a redirect points; `None` for anything that is not one.
fn location(status: StatusCode, headers: &HeaderMap) -> Option<&str> {
    let redirect = matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308);
    headers.get(header::LOCATION).filter(|_| redirect)?.to_str().ok()
}

fn millis(duration: Duration) -> u64 {
    duration.as_millis().try_into().unwrap_or(u64::MAX)
}

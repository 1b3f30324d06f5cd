//! What to do after a try: pure, so that it can be read and tested as a table.

use std::time::{Duration, SystemTime};

use http::Method;

use super::throttle::{Throttle, retry_after, throttle};
use super::{Answer, Fault, Pace, Unreached, WaitFor};

/// The step after a try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Hand the outcome to the caller.
    Take,
    /// Make the call again after this long.
    Again { why: WaitFor, after: Duration },
}

/// Reads are repeated on whatever may pass. Writes only where they provably did not happen, since there was
/// no connection; and a `PUT` after an answer that says "not now", since two of them are as one.
pub fn next(method: &Method, outcome: &Result<Answer, Fault>, attempt: u32, pace: &Pace, now: SystemTime) -> Next {
    let read = matches!(*method, Method::GET | Method::HEAD);
    let retry = |after: Option<Duration>| match attempt < pace.tries {
        true => Next::Again { why: WaitFor::Retry, after: pace.pause(attempt).max(after.unwrap_or_default()) },
        false => Next::Take,
    };
    match outcome {
        Ok(answer) => match throttle(answer, now) {
            Some(_) if *method == Method::POST => Next::Take,
            Some(throttle) => Next::Again { why: WaitFor::Throttle, after: pause(&throttle, attempt, pace) },
            None if read && answer.status.is_server_error() => retry(retry_after(answer, now)),
            None => Next::Take,
        },
        Err(Fault::NotSent { why: Unreached::Certificate, .. }) => Next::Take,
        Err(Fault::NotSent { .. }) => retry(None),
        // A server that takes its whole time once will take it again: one more try is enough.
        Err(Fault::NoAnswer { timed_out: true, .. }) if read && attempt > 1 => Next::Take,
        Err(Fault::NoAnswer { .. }) if read => retry(None),
        Err(_) => Next::Take,
    }
}

/// How long a throttle is waited for. At least the growing pause: a server that says 0 seconds every time is
/// not hammered.
pub fn pause(throttle: &Throttle, attempt: u32, pace: &Pace) -> Duration {
    throttle.after.unwrap_or(pace.throttle).max(pace.pause(attempt))
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::{HeaderMap, StatusCode};

    use super::*;

    fn answered(status: u16) -> Result<Answer, Fault> {
        let status = StatusCode::from_u16(status).unwrap();
        Ok(Answer { status, headers: HeaderMap::new(), body: Bytes::new() })
    }

    fn no_answer(timed_out: bool) -> Result<Answer, Fault> {
        Err(Fault::NoAnswer { host: "h".into(), timed_out, cause: "cut".into() })
    }

    fn not_sent(why: Unreached) -> Result<Answer, Fault> {
        Err(Fault::NotSent { host: "h".into(), why, cause: "refused".into() })
    }

    #[test]
    fn a_write_is_repeated_only_when_it_provably_did_not_happen() {
        let redirected = || Err(Fault::Redirected { host: "h".into(), status: 307, to: "x".into() });
        let big = || Err(Fault::TooLarge { host: "h".into(), status: 200, limit: 1 });
        for (outcome, read, write) in [
            (answered(200), false, false),
            (answered(404), false, false),
            (answered(422), false, false),
            (answered(429), true, true),
            (answered(500), true, false),
            (answered(502), true, false),
            (no_answer(false), true, false),
            (no_answer(true), true, false),
            (not_sent(Unreached::Connection), true, true),
            (not_sent(Unreached::Name), true, true),
            (not_sent(Unreached::Certificate), false, false),
            (redirected(), false, false),
            (big(), false, false),
            (Err(Fault::Interrupted), false, false),
        ] {
            for (method, again) in [(Method::GET, read), (Method::POST, write), (Method::PUT, write)] {
                let next = next(&method, &outcome, 1, &Pace::default(), SystemTime::now());
                // A throttled POST is looked for before it is sent again, which is not decided here.
                let again = again && !(method == Method::POST && outcome.is_ok());
                assert_eq!(matches!(next, Next::Again { .. }), again, "{method} {outcome:?}");
            }
        }
    }

    #[test]
    fn tries_end() {
        let pace = Pace { tries: 3, ..Pace::default() };
        let last = |outcome: &Result<Answer, Fault>| {
            (1..10).find(|n| next(&Method::GET, outcome, *n, &pace, SystemTime::now()) == Next::Take)
        };
        assert_eq!(last(&answered(503)), Some(3));
        assert_eq!(last(&no_answer(false)), Some(3));
        assert_eq!(last(&no_answer(true)), Some(2), "a time-out is long");
        assert_eq!(last(&not_sent(Unreached::Connection)), Some(3));
    }

    #[test]
    fn a_server_s_fault_names_its_time_in_seconds_or_as_a_date() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000);
        for (value, after) in [("90", 90), ("Thu, 01 Jan 1970 00:18:10 GMT", 90)] {
            let mut outcome = answered(503);
            let headers = &mut outcome.as_mut().unwrap().headers;
            headers.insert("retry-after", value.parse().unwrap());
            let next = next(&Method::GET, &outcome, 1, &Pace::default(), now);
            let after = Duration::from_secs(after);
            assert_eq!(next, Next::Again { why: WaitFor::Retry, after }, "{value}");
        }
    }

    #[test]
    fn a_throttle_without_a_time_waits_a_minute() {
        let next = next(&Method::PUT, &answered(429), 1, &Pace::default(), SystemTime::now());
        assert_eq!(next, Next::Again { why: WaitFor::Throttle, after: Duration::from_secs(60) });
    }
}

//! The rules of the layer, held against a server that breaks them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::Method;

use super::SendAgain;
use super::*;
use crate::consent::of_a_typed_yes;
use crate::forge::loopback::{Reply, Server, access, block_on, brisk, json};

fn layer(base: &str) -> Http {
    access(base, "o/r").http(::http::header::AUTHORIZATION, "Bearer ").unwrap()
}

fn layer_of(base: &str, change: impl FnOnce(&mut crate::forge::Access)) -> Http {
    let mut access = access(base, "o/r");
    change(&mut access);
    access.http(::http::header::AUTHORIZATION, "Bearer ").unwrap()
}

fn send(http: &Http, method: Method, url: &str) -> Result<Answer, Fault> {
    let body = if method == Method::GET { Bytes::new() } else { Bytes::from_static(b"payload") };
    let request = ::http::Request::builder().method(method).uri(url).extension(of_a_typed_yes()).body(()).unwrap();
    block_on(http.send(&Call::new(request.into_parts().0, body).unwrap()))
}

#[test]
fn a_request_that_writes_and_carries_no_consent_becomes_no_call() {
    for (method, call) in
        [("GET", true), ("HEAD", true), ("POST", false), ("PUT", false), ("PATCH", false), ("DELETE", false)]
    {
        let request = |consent| {
            let request = ::http::Request::builder().method(method).uri("https://h/x");
            let request = if consent { request.extension(of_a_typed_yes()) } else { request };
            Call::new(request.body(()).unwrap().into_parts().0, Bytes::new())
        };
        assert_eq!(request(false).is_ok(), call, "{method}");
        assert!(request(true).is_ok(), "{method}");
    }
}

#[test]
fn token_and_agent_are_sent_to_the_apis_origin() {
    let server = Server::start(|_| json(200, "{}"));
    send(&layer(&server.base()), Method::GET, &format!("{}x", server.base())).unwrap();
    let headers = &server.seen()[0].headers;
    assert_eq!(headers["authorization"], "Bearer s3cret");
    assert_eq!(headers["user-agent"], "dai/test");
}

#[test]
fn no_other_origin_is_ever_called_whoever_names_it() {
    let other = Server::start(|_| json(200, "{}"));
    let elsewhere = format!("{}steal", other.base());
    // The same address under another name is another origin, too.
    let alias = format!("http://localhost:{}/steal", other.port);
    for status in [301, 302, 303, 307, 308] {
        for target in [&elsewhere, &alias] {
            let location = target.clone();
            let server =
                Server::start(move |_| Reply::Whole(status, vec![("location", location.clone())], String::new()));
            for method in [Method::GET, Method::POST] {
                let fault = send(&layer(&server.base()), method, &format!("{}x", server.base())).unwrap_err();
                assert!(matches!(fault, Fault::Redirected { .. }), "{fault:?}");
                assert!(!fault.never_happened(), "{status}");
            }
        }
    }
    let server = Server::start(|_| json(200, "{}"));
    let fault = send(&layer(&server.base()), Method::GET, &elsewhere).unwrap_err();
    assert!(matches!(fault, Fault::Foreign { .. }), "{fault:?}");
    assert_eq!(other.calls(), [""; 0]);
}

#[test]
fn a_write_stays_a_write_on_its_way_to_a_renamed_repository() {
    for status in [301, 307, 308] {
        let server = Server::start(move |seen| match seen.target.as_str() {
            "/old" => Reply::Whole(status, vec![("location", "/new".into())], String::new()),
            _ => json(200, "{}"),
        });
        let old = format!("{}old", server.base());
        assert!(send(&layer(&server.base()), Method::PUT, &old).unwrap().is_success());
        let seen = server.seen();
        assert_eq!(server.calls(), ["PUT /old", "PUT /new"], "{status}");
        // Whoever sends a POST again looks for it first.
        let answer = send(&layer(&server.base()), Method::POST, &old).unwrap();
        let again = layer(&server.base()).again(&old.parse().unwrap(), &answer, 1);
        let new = format!("{}new", server.base()).parse().unwrap();
        assert_eq!((server.calls().len(), again), (3, Some(SendAgain::At(new))), "{status}");
        assert_eq!((seen[1].body.as_str(), seen[1].headers["authorization"].as_str()), ("payload", "Bearer s3cret"));
    }
    // Where a client would make a GET of it, it is not followed.
    for status in [302, 303] {
        let server = Server::start(move |_| Reply::Whole(status, vec![("location", "/new".into())], String::new()));
        assert!(send(&layer(&server.base()), Method::POST, &format!("{}old", server.base())).is_err());
        assert_eq!(server.calls(), ["POST /old"], "{status}");
    }
}

#[test]
fn redirects_end() {
    let server = Server::start(|_| Reply::Whole(302, vec![("location", "/x".into())], String::new()));
    assert!(send(&layer(&server.base()), Method::GET, &format!("{}x", server.base())).is_err());
    assert_eq!(server.calls().len(), 6);
}

#[test]
fn a_write_that_may_have_happened_is_made_once() {
    type Case = (fn() -> Reply, &'static str);
    let cases: [Case; 5] = [
        (|| json(500, "boom"), "500"),
        (|| json(502, "<html>"), "502"),
        (|| Reply::Cut, "cut"),
        (|| Reply::Half(200, "{".into()), "half"),
        (|| Reply::Hang, "hang"),
    ];
    for (reply, name) in cases {
        let server = Server::start(move |_| reply());
        let outcome = send(&layer(&server.base()), Method::POST, &format!("{}x", server.base()));
        assert_eq!(server.calls(), ["POST /x"], "{name}");
        match outcome {
            Ok(answer) => assert!(answer.status.is_server_error(), "{name}"),
            Err(fault) => assert!(matches!(fault, Fault::NoAnswer { .. }) && !fault.never_happened(), "{name}"),
        }
    }
}

#[test]
fn a_read_that_fails_in_passing_is_made_again() {
    type Case = (fn() -> Reply, &'static str);
    let cases: [Case; 4] = [
        (|| json(503, ""), "503"),
        (|| Reply::Cut, "cut"),
        (|| Reply::Half(200, "{".into()), "half"),
        (|| json(429, "Retry later"), "429"),
    ];
    for (reply, name) in cases {
        let tries = AtomicUsize::new(0);
        let server = Server::start(move |_| match tries.fetch_add(1, Ordering::Relaxed) {
            0 | 1 => reply(),
            _ => json(200, "done"),
        });
        let answer = send(&layer(&server.base()), Method::GET, &format!("{}x", server.base())).unwrap();
        assert_eq!((&*answer.body, server.calls().len()), (&b"done"[..], 3), "{name}");
    }
}

#[test]
fn an_answer_without_end_is_not_read_to_the_end() {
    let server = Server::start(|_| Reply::Endless);
    let fault = send(&layer(&server.base()), Method::GET, &format!("{}x", server.base())).unwrap_err();
    assert!(matches!(fault, Fault::TooLarge { status: 200, .. }), "{fault:?}");
    assert_eq!(server.calls().len(), 1);
}

#[test]
fn nothing_listening_means_that_nothing_was_sent() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let base = format!("http://127.0.0.1:{free}/");
    let fault = send(&layer(&base), Method::POST, &format!("{base}x")).unwrap_err();
    assert!(matches!(fault, Fault::NotSent { why: Unreached::Connection, .. }) && fault.never_happened(), "{fault:?}");
}

#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl Progress for Heard {
    fn event(&self, event: Event<'_>) {
        self.0.lock().unwrap().push(format!("{event:?}"));
    }
}

#[test]
fn waits_are_told_and_their_sum_is_bounded() {
    let server = Server::start(|_| Reply::Whole(429, vec![("retry-after", "250".into())], "later".into()));
    let heard = Arc::new(Heard::default());
    let http = layer_of(&server.base(), |access| access.progress = heard.clone());
    let answer = send(&http, Method::PUT, &format!("{}x", server.base())).unwrap();
    assert_eq!(answer.status, 429, "in the end the caller hears of it");
    assert_eq!(server.calls().len(), 3, "250 s fit twice into 600 s");
    let heard = heard.0.lock().unwrap();
    assert_eq!(heard.iter().filter(|event| event.contains("Waiting") && event.contains("250s")).count(), 2);
    assert_eq!(heard.iter().filter(|event| event.contains("Called")).count(), 3);
    assert!(heard.iter().all(|event| !event.contains("s3cret")), "{heard:?}");
}

#[test]
fn a_date_is_waited_for_within_the_same_bound() {
    let server = Server::start(|_| {
        let far = "Fri, 31 Dec 9999 23:59:59 GMT".to_owned();
        Reply::Whole(429, vec![("retry-after", far)], "later".into())
    });
    let answer = send(&layer(&server.base()), Method::PUT, &format!("{}x", server.base())).unwrap();
    assert_eq!((answer.status.as_u16(), server.calls().len()), (429, 1), "no part of it is waited for");
}

#[test]
fn an_interrupt_ends_a_wait_and_whatever_would_come_next() {
    let server = Server::start(|seen| match seen.method.as_str() {
        "PUT" => Reply::Whole(429, vec![("retry-after", "60".into())], String::new()),
        _ => json(200, "{}"),
    });
    let interrupt = Interrupt::default();
    let http = layer_of(&server.base(), |access| {
        access.interrupt = interrupt.clone();
        access.pace = Pace { scale: 1.0, ..brisk() };
    });
    let start = Instant::now();
    let raise = interrupt.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(150));
        raise.raise();
    });
    let url = format!("{}x", server.base());
    assert_eq!(send(&http, Method::PUT, &url).unwrap_err(), Fault::Interrupted);
    assert!(start.elapsed() < Duration::from_secs(10));
    assert_eq!(send(&http, Method::PUT, &url).unwrap_err(), Fault::Interrupted);
    assert_eq!(send(&http, Method::GET, &url).unwrap_err(), Fault::Interrupted);
    assert_eq!(server.calls(), ["PUT /x"]);
}

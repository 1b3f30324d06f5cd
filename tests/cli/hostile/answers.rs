//! Servers that answer without end, without sense, or with more than anyone needs.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::scene::{Hub, Lab, finding};
use crate::support::faults::Fault;
use crate::support::run::{Answer, Dai};
use crate::support::server::Response;

/// More than any run here needs, in KiB; less than what an unbounded one would take.
const MEMORY: u64 = 700 * 1024;

#[track_caller]
fn assert_bounded(run: Dai, args: &[&str]) -> Answer {
    let answer = run.args(args.iter().copied()).patience(Duration::from_secs(120)).run();
    assert!(answer.peak < MEMORY, "{} KiB\n{answer}", answer.peak);
    assert!(!answer.err().contains("panicked"), "{answer}");
    answer
}

type Talk = dyn Fn(&str, &mut TcpStream) -> std::io::Result<()> + Send + Sync;

/// A server that says what it likes; gives its base and how often it was asked.
fn server(
    talk: impl Fn(&str, &mut TcpStream) -> std::io::Result<()> + Send + Sync + 'static,
) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    let asked = Arc::new(AtomicUsize::new(0));
    let (count, talk): (_, Arc<Talk>) = (Arc::clone(&asked), Arc::new(talk));
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let (count, talk) = (Arc::clone(&count), Arc::clone(&talk));
            thread::spawn(move || {
                let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
                let mut first = String::new();
                reader.read_line(&mut first).ok();
                let mut line = String::new();
                while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
                    line.clear();
                }
                count.fetch_add(1, Ordering::SeqCst);
                talk(&first, &mut stream).ok();
            });
        }
    });
    (base, asked)
}

fn endless(stream: &mut TcpStream, head: &str, piece: &[u8]) -> std::io::Result<()> {
    stream.write_all(head.as_bytes())?;
    loop {
        stream.write_all(piece)?;
    }
}

#[test]
fn an_answer_without_an_end_is_given_up_on() {
    let head = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/json\r\n";
    let piece = vec![b' '; 1 << 20];
    let mut nested = vec![b'['; 1 << 20];
    nested.extend(b"[");
    type Say = Box<dyn Fn(&mut TcpStream) -> std::io::Result<()> + Send + Sync>;
    let says: Vec<(&str, Say)> = vec![
        (
            "body",
            Box::new({
                let piece = piece.clone();
                move |s| endless(s, &format!("{head}\r\n"), &piece)
            }),
        ),
        (
            "claimed gigabyte",
            Box::new({
                let piece = piece.clone();
                move |s| endless(s, &format!("{head}content-length: 1073741824\r\n\r\n"), &piece)
            }),
        ),
        (
            "claimed 2^63",
            Box::new(move |s| s.write_all(format!("{head}content-length: 9223372036854775807\r\n\r\n{{}}").as_bytes())),
        ),
        ("nested", Box::new(move |s| endless(s, &format!("{head}\r\n"), &nested))),
        (
            "chunks",
            Box::new({
                let piece = piece.clone();
                move |s| {
                    s.write_all(format!("{head}transfer-encoding: chunked\r\n\r\n").as_bytes())?;
                    loop {
                        s.write_all(b"100000\r\n")?;
                        s.write_all(&piece)?;
                        s.write_all(b"\r\n")?;
                    }
                }
            }),
        ),
        (
            "chunk extension",
            Box::new({
                let piece = piece.clone();
                move |s| endless(s, &format!("{head}transfer-encoding: chunked\r\n\r\n5;x="), &piece)
            }),
        ),
        (
            "header",
            Box::new({
                let piece = vec![b'x'; 1 << 20];
                move |s| endless(s, &format!("{head}x-evil: "), &piece)
            }),
        ),
        ("headers", Box::new(move |s| endless(s, head, "x-evil: 1\r\n".repeat(1 << 16).as_bytes()))),
        (
            "status line",
            Box::new({
                let piece = vec![b'9'; 1 << 20];
                move |s| endless(s, "HTTP/1.1 200 ", &piece)
            }),
        ),
        ("no HTTP", Box::new(move |s| endless(s, "SSH-2.0-evil\r\n", b"\0\xff\x1b[2J\r\n"))),
        ("early hints", Box::new(move |s| endless(s, "", &b"HTTP/1.1 103 Early Hints\r\n\r\n".repeat(1 << 14)))),
    ];
    let hub = Hub::new();
    hub.review(&[finding(5, "A fault.")]);
    for (name, say) in says {
        let (base, asked) = server(move |_, stream| say(stream));
        let answer = assert_bounded(hub.dai().env("GITHUB_API_URL", &base), &["forge", "review", "22", "--yes"]);
        assert!(matches!(answer.code(), 5 | 8), "{name}\n{answer}");
        assert!(answer.err().contains("127.0.0.1") && answer.err().contains("help:"), "{name}\n{answer}");
        assert!(answer.err().len() < 4000, "{name}: {}", answer.err().len());
        assert!(asked.load(Ordering::SeqCst) < 20, "{name}");
    }
}

/// The answer to the write itself has no end: what stands is not known, so it is looked for.
#[test]
fn an_endless_answer_to_a_write_does_not_repeat_it() {
    let hub = Hub::new();
    hub.review(&[finding(5, "A fault.")]);
    hub.forge.fault(Fault::on("POST", "/repos/*/*/pulls/22/reviews").padded(70 << 20));
    let answer = assert_bounded(hub.dai(), &["forge", "review", "22", "--yes", "--format", "json"]);
    assert_eq!(hub.forge.writes().len(), 1, "{answer}");
    assert_eq!(answer.exits(0).json()["counts"]["posted"], 1);
}

#[test]
fn a_list_of_a_thousand_pages_is_read() {
    let hub = Hub::new();
    hub.review(&[finding(5, "A fault.")]);
    let list = format!("{}/repos/acme/widgets/pulls/22/reviews?per_page=100", hub.forge.api_url());
    for number in 1..1000 {
        let link = format!("<{list}&page={}>; rel=\"next\"", number + 1);
        let page = Response::json(200, &json!([])).header("link", link);
        hub.forge.fault(Fault::on("GET", "/repos/*/*/pulls/22/reviews").nth(number).instead(page));
    }
    assert_bounded(hub.dai(), &["forge", "review", "22"]).exits(0);
    assert!(hub.forge.requests().len() > 1000);
}

#[test]
fn a_list_that_leads_back_to_itself_ends() {
    let hub = Hub::new();
    hub.review(&[finding(5, "A fault.")]);
    let origin = hub.forge.api_url();
    let page = |to: &str| {
        let link = format!("<{origin}/repos/acme/widgets/pulls/22/files?page={to}>; rel=\"next\"");
        Response::json(200, &json!([])).header("link", link)
    };
    for nth in 1..=2_001 {
        hub.forge.fault(Fault::on("GET", "/repos/*/*/pulls/22/files").nth(nth).instead(page(if nth % 2 == 0 {
            "1"
        } else {
            "2"
        })));
    }
    // A link to a page that was read is not followed, and an empty page has none after it: the list is without a.rs.
    let answer = assert_bounded(hub.dai(), &["forge", "review", "22", "--yes", "--format", "json"]).exits(0);
    assert_eq!(answer.json()["findings"][0]["reason"]["code"], "forge_disagrees");
    let reads = hub.forge.requests().iter().filter(|request| request.line().contains("/pulls/22/files")).count();
    assert!(reads < 10, "{reads} reads");
    let lab = Lab::new();
    lab.review(&[finding(5, "A fault.")]);
    lab.forge.fault(
        Fault::on("GET", "/projects/*/merge_requests/22/discussions")
            .every()
            .instead(Response::json(200, &json!([])).header("x-next-page", 2)),
    );
    assert_bounded(lab.dai(), &["forge", "review", "22"]).exits(0);
}

/// Types that are not what they should be, numbers out of every range, a page that is none.
#[test]
fn an_answer_without_sense_is_refused_in_words() {
    let deep = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    let bodies: Vec<Vec<u8>> = vec![
        b"".to_vec(), b"null".to_vec(), b"[]".to_vec(), b"{}".to_vec(), b"\xff\xfe".to_vec(), b"<html>".to_vec(), deep(10_000).into_bytes(),
        br#"{"number": -1, "head": {"sha": "x"}, "base": null}"#.to_vec(),
        br#"{"number": 1e400, "head": 5}"#.to_vec(),
        br#"{"number": 22, "state": "open", "head": {"sha": "--upload-pack=x", "ref": "-x"}, "base": {"sha": "../..", "ref": "x"}}"#.to_vec(),
        br#"[{"filename": 5}]"#.to_vec(),
    ];
    let hub = Hub::new();
    hub.review(&[finding(5, "A fault.")]);
    for path in [
        "/repos/*/*/pulls/22",
        "/repos/*/*/compare/*",
        "/repos/*/*/pulls/22/files",
        "/repos/*/*/pulls/22/reviews",
        "/user",
    ] {
        for body in &bodies {
            hub.forge.clear_faults();
            let response = Response {
                status: 200,
                headers: vec![("content-type".into(), "application/json".into())],
                body: body.clone(),
            };
            hub.forge.fault(Fault::on("GET", path).every().instead(response));
            let answer = hub.run(&[]).run();
            assert!(!answer.err().contains("panicked") && answer.code() < 100, "{path} {body:?}\n{answer}");
            let answer = hub.run(&["--format", "json"]).run();
            assert!(answer.stdout.is_empty() || answer.json().is_object(), "{answer}");
        }
    }
}

/// The head that the forge names goes to git's command line.
#[test]
fn what_the_forge_calls_a_commit_is_a_commit_or_nothing() {
    let hub = Hub::new();
    hub.review(&[finding(5, "A fault.")]);
    let canary = super::scene::Canary::new();
    let evil = format!("--upload-pack={}", canary.program());
    for name in [
        evil.as_str(),
        "refs/heads/main",
        "HEAD",
        "0",
        "",
        "g123456789012345678901234567890123456789",
        "+x:refs/heads/main",
        "../../../../etc/passwd",
    ] {
        let side = json!({ "sha": name, "ref": name, "label": name, "repo": { "full_name": name, "id": 1 } });
        let body: Value = json!({
            "number": 22, "title": "x", "state": "open", "html_url": "http://127.0.0.1/", "draft": false, "locked": false,
            "merged": false, "user": { "login": "x", "id": 1, "type": "User" }, "head": side, "base": side,
        });
        hub.forge.clear_faults();
        hub.forge.fault(Fault::on("GET", "/repos/*/*/pulls/22").every().instead(Response::json(200, &body)));
        let before = hub.clone.fingerprint();
        let answer = hub.run(&["--yes"]).run();
        assert!(matches!(answer.code(), 4 | 5 | 7), "{name}\n{answer}");
        canary.assert_asleep();
        before.assert_same_but(&hub.clone.fingerprint(), &["ref refs/dai/"]);
    }
    assert_eq!(hub.forge.writes(), []);
}

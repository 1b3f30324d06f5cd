//! The HTTP part of the forges, byte by byte.

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::support::faults::Fault;
use crate::support::gitlab::{Account, GitLab};

fn forge() -> GitLab {
    let forge = GitLab::start();
    forge.stage.account("glpat", Account::person("ann"));
    forge
}

#[test]
fn one_connection_takes_several_requests_and_chunked_bodies() {
    let forge = forge();
    let mut stream = TcpStream::connect(forge.origin().trim_start_matches("http://")).expect("a connection");
    let chunked = "POST /api/v4/nothing HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
    let get = "GET /api/v4/user?a=b%20c HTTP/1.1\r\nHost: h\r\nPrivate-Token: glpat\r\nconnection: close\r\n\r\n";
    stream.write_all(format!("{chunked}{get}").as_bytes()).expect("the server listens");
    let mut all = String::new();
    stream.read_to_string(&mut all).expect("text");
    let statuses: Vec<_> = all.split("HTTP/1.1 ").skip(1).map(|answer| &answer[..3]).collect();
    assert_eq!(statuses, ["404", "200"]);
    let requests = forge.requests();
    assert_eq!(
        (requests[0].line(), requests[0].request.body.as_slice()),
        ("POST /api/v4/nothing".to_owned(), b"abcde".as_slice())
    );
    assert_eq!(requests[1].request.parameters(), [("a".to_owned(), "b c".to_owned())]);
    assert_eq!(requests[1].request.header("private-token"), Some("glpat"));
    assert_eq!(forge.writes().len(), 1);
    assert_eq!(forge.take_violations().len(), 1);
    forge.forget_requests();
    assert_eq!(forge.requests(), []);
}

#[test]
fn a_body_waits_for_the_server_where_the_client_asks_so() {
    let forge = forge();
    let mut stream = TcpStream::connect(forge.origin().trim_start_matches("http://")).expect("a connection");
    let head = "GET /api/v4/user HTTP/1.1\r\nhost: h\r\nexpect: 100-continue\r\ncontent-length: 2\r\nconnection: close\r\n\r\n";
    stream.write_all(head.as_bytes()).expect("the server listens");
    let mut first = [0; 25];
    stream.read_exact(&mut first).expect("an interim answer");
    assert_eq!(&first, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(b"ok").expect("the server listens");
    let mut rest = String::new();
    stream.read_to_string(&mut rest).expect("text");
    assert!(rest.starts_with("HTTP/1.1 401 "), "{rest}");
}

#[test]
fn patterns_name_calls() {
    let forge = forge();
    let client = crate::client::Client::new(forge.api_url(), &[("private-token", "glpat")]);
    let teapot = || crate::support::server::Response::html(418);
    forge.fault(Fault::on("*", "/user").from(2).instead(teapot()));
    forge.fault(Fault::on("POST", "/projects/**").instead(teapot()));
    let statuses = [
        client.get("/user").status,
        client.get("/user").status,
        client.get("/user").status,
        client.get("/projects/a%2Fb").status,
        client.post("/projects/a%2Fb/merge_requests/1/notes", &serde_json::json!({})).status,
        client.post("/projects/a%2Fb/merge_requests/1/notes", &serde_json::json!({})).status,
    ];
    assert_eq!(statuses, [200, 418, 418, 404, 418, 404]);
    let seen: Vec<_> = forge.requests().iter().map(|r| r.status).collect();
    assert_eq!(seen, statuses.map(Some));
}

//! A client of a few lines, so that the forges are asked by nothing that they are meant to test.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

pub struct Client {
    pub base: String,
    pub headers: Vec<(&'static str, String)>,
}

#[derive(Debug)]
pub struct Got {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Got {
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("a JSON body")
    }

    pub fn header(&self, name: &str) -> Option<String> {
        let named =
            |line: &str| line.split_once(": ").filter(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.to_owned());
        self.head.lines().find_map(named)
    }
}

impl Client {
    pub fn new(base: String, headers: &[(&'static str, &str)]) -> Self {
        Self { base, headers: headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect() }
    }

    /// What came before the connection ended, if anything did.
    pub fn send(&self, method: &str, path: &str, kind: &str, body: &[u8]) -> Option<Got> {
        let (host, prefix) = self.base.trim_start_matches("http://").split_once('/').unwrap_or((&self.base[7..], ""));
        let prefix = if prefix.is_empty() { String::new() } else { format!("/{prefix}") };
        let mut stream = TcpStream::connect(host).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(20))).ok()?;
        let mut head = format!("{method} {prefix}{path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n");
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("content-type: {kind}\r\ncontent-length: {}\r\n\r\n", body.len()));
        stream.write_all(head.as_bytes()).ok()?;
        stream.write_all(body).ok()?;
        let mut all = Vec::new();
        stream.read_to_end(&mut all).ok()?;
        let end = all.windows(4).position(|w| w == b"\r\n\r\n")?;
        let head = String::from_utf8_lossy(&all[..end]).into_owned();
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some(Got { status, head, body: all[end + 4..].to_vec() })
    }

    #[track_caller]
    pub fn get(&self, path: &str) -> Got {
        self.send("GET", path, "text/plain", b"").expect("an answer")
    }

    #[track_caller]
    pub fn post(&self, path: &str, body: &Value) -> Got {
        self.send("POST", path, "application/json", body.to_string().as_bytes()).expect("an answer")
    }

    #[track_caller]
    pub fn put(&self, path: &str, body: &Value) -> Got {
        self.send("PUT", path, "application/json", body.to_string().as_bytes()).expect("an answer")
    }
}

//! A server on this machine that says whatever a test wants, wholly or by half.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::{Access, Event, Interrupt, Pace, Progress};

#[derive(Debug, Clone)]
pub struct Seen {
    pub method: String,
    pub target: String,
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

impl Seen {
    pub fn call(&self) -> String {
        format!("{} {}", self.method, self.target)
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

pub enum Reply {
    Whole(u16, Vec<(&'static str, String)>, String),
    /// The connection ends before the answer does.
    Half(u16, String),
    /// The connection ends without a word.
    Cut,
    /// Longer than anyone reads.
    Endless,
    Hang,
}

pub fn json(status: u16, body: impl std::fmt::Display) -> Reply {
    Reply::Whole(status, vec![], body.to_string())
}

pub struct Server {
    pub port: u16,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    pub fn start(answer: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let (answer, log) = (Arc::new(answer), seen.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (answer, log) = (answer.clone(), log.clone());
                std::thread::spawn(move || serve(stream.unwrap(), &*answer, &log));
            }
        });
        Self { port, seen }
    }

    pub fn base(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    pub fn calls(&self) -> Vec<String> {
        self.seen().iter().map(Seen::call).collect()
    }

    /// How often this was called.
    pub fn count(&self, call: &str) -> usize {
        self.calls().iter().filter(|seen| *seen == call).count()
    }
}

fn serve(stream: TcpStream, answer: &dyn Fn(&Seen) -> Reply, log: &Mutex<Vec<Seen>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        if reader.read_until(b'\n', &mut head).unwrap_or(0) == 0 {
            return;
        }
    }
    let mut fields = [httparse::EMPTY_HEADER; 64];
    let mut request = httparse::Request::new(&mut fields);
    request.parse(&head).unwrap();
    let text =
        |field: &httparse::Header| (field.name.to_ascii_lowercase(), String::from_utf8_lossy(field.value).into_owned());
    let headers: BTreeMap<String, String> = request.headers.iter().map(text).collect();
    let length = headers.get("content-length").map_or(0, |n| n.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let seen = Seen {
        method: request.method.unwrap().to_owned(),
        target: request.path.unwrap().to_owned(),
        headers,
        body: String::from_utf8(body).unwrap(),
    };
    log.lock().unwrap().push(seen.clone());
    let mut out = &stream;
    match answer(&seen) {
        Reply::Whole(status, headers, body) => {
            let mut text = format!("HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
            headers.iter().for_each(|(name, value)| text += &format!("{name}: {value}\r\n"));
            let _ = write!(out, "{text}\r\n{body}");
        }
        Reply::Half(status, body) => {
            let _ = write!(out, "HTTP/1.1 {status} X\r\ncontent-length: {}\r\n\r\n{body}", body.len() + 100);
        }
        Reply::Cut => {}
        Reply::Endless => {
            let _ = write!(out, "HTTP/1.1 200 X\r\nconnection: close\r\n\r\n");
            let piece = vec![b' '; 1 << 20];
            while out.write_all(&piece).is_ok() {}
        }
        Reply::Hang => std::thread::sleep(Duration::from_secs(3)),
    }
}

/// Hears nothing.
pub struct Silent;

impl Progress for Silent {
    fn event(&self, _: Event<'_>) {}
}

/// As patient as the real thing, a thousand times as fast.
pub fn brisk() -> Pace {
    Pace { read: Duration::from_millis(500), total: Duration::from_secs(20), scale: 0.001, ..Pace::default() }
}

pub fn access(base: &str, project: &str) -> Access {
    Access {
        base: base.parse().unwrap(),
        project: project.into(),
        token: Some("s3cret".to_owned().into()),
        secrets: crate::forge::Secrets::default(),
        variable: "GH_TOKEN".into(),
        user_agent: "dai/test".into(),
        pace: brisk(),
        progress: Arc::new(Silent),
        interrupt: Interrupt::default(),
    }
}

/// Runs one test's calls.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

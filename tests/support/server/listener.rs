//! A small HTTP/1.1 server on the loopback interface, with keep-alive.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::message::{Reply, Request};

type Handler = dyn Fn(&Request) -> Reply + Send + Sync;

/// Ends with its value: connections are closed, the accepting thread is joined.
#[derive(Debug)]
pub struct Listener {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    ended: AtomicBool,
    open: Mutex<Vec<TcpStream>>,
}

impl Listener {
    pub fn start(handler: Arc<Handler>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port of the loopback interface");
        let address = listener.local_addr().expect("a bound address");
        let shared = Arc::new(Shared::default());
        let accepting = thread::spawn({
            let shared = Arc::clone(&shared);
            move || {
                for stream in listener.incoming().map_while(Result::ok) {
                    if shared.ended.load(Ordering::SeqCst) {
                        return;
                    }
                    let copy = stream.try_clone().expect("a second handle of the connection");
                    shared.open.lock().unwrap_or_else(PoisonError::into_inner).push(copy);
                    let (handler, shared) = (Arc::clone(&handler), Arc::clone(&shared));
                    thread::spawn(move || serve(stream, &*handler, &shared.ended));
                }
            }
        });
        Self { address, shared, accepting: Some(accepting) }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Stops taking connections and closes those that are open; further calls find nobody.
    pub fn stop(&mut self) {
        self.shared.ended.store(true, Ordering::SeqCst);
        // Wakes the accepting thread, which then sees the flag.
        TcpStream::connect(self.address).ok();
        if let Some(thread) = self.accepting.take() {
            thread.join().ok();
        }
        for stream in self.shared.open.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            stream.shutdown(Shutdown::Both).ok();
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Answers one request after another until the client leaves.
fn serve(mut stream: TcpStream, handler: &Handler, ended: &AtomicBool) {
    stream.set_nodelay(true).ok();
    let mut buffer = Vec::new();
    while let Some(request) = receive(&mut stream, &mut buffer) {
        let close = request.header("connection").is_some_and(|c| c.eq_ignore_ascii_case("close"));
        let whole = match handler(&request) {
            Reply::Whole(response) => stream.write_all(&response.bytes()).is_ok(),
            Reply::Half(response) => {
                let bytes = response.bytes();
                stream.write_all(&bytes[..bytes.len() - response.body.len().div_ceil(2)]).ok();
                false
            }
            Reply::Cut => false,
            Reply::Hang(time) => {
                hang(&mut stream, time, ended);
                false
            }
        };
        if close || !whole {
            break;
        }
    }
    stream.shutdown(Shutdown::Both).ok();
}

fn hang(stream: &mut TcpStream, time: Duration, ended: &AtomicBool) {
    let until = Instant::now() + time;
    stream.set_read_timeout(Some(Duration::from_millis(20))).ok();
    while Instant::now() < until && !ended.load(Ordering::SeqCst) {
        // Nought bytes: the client has closed its side.
        if matches!(stream.read(&mut [0; 64]), Ok(0)) {
            return;
        }
    }
}

/// The next request, or `None` when the client has left or does not speak HTTP.
fn receive(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<Request> {
    let (head, mut request) = loop {
        match parse_head(buffer) {
            Ok(Some(parsed)) => break parsed,
            Ok(None) => more(stream, buffer)?,
            Err(_) => return None,
        }
    };
    buffer.drain(..head);
    if request.header("expect").is_some_and(|e| e.eq_ignore_ascii_case("100-continue")) {
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").ok()?;
    }
    request.body = if request.header("transfer-encoding").is_some_and(|t| t.eq_ignore_ascii_case("chunked")) {
        chunked(stream, buffer)?
    } else {
        let length = request.header("content-length").map_or(Some(0), |l| l.trim().parse().ok())?;
        exactly(stream, buffer, length)?
    };
    Some(request)
}

fn parse_head(buffer: &[u8]) -> Result<Option<(usize, Request)>, httparse::Error> {
    let mut headers = [httparse::EMPTY_HEADER; 100];
    let mut parsed = httparse::Request::new(&mut headers);
    let httparse::Status::Complete(length) = parsed.parse(buffer)? else { return Ok(None) };
    let target = parsed.path.unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let request = Request {
        method: parsed.method.unwrap_or_default().to_owned(),
        path: path.to_owned(),
        query: query.to_owned(),
        headers: parsed.headers.iter().map(|h| (h.name.to_ascii_lowercase(), text(h.value))).collect(),
        body: Vec::new(),
    };
    Ok(Some((length, request)))
}

fn more(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<()> {
    let mut chunk = [0; 16 * 1024];
    let count = stream.read(&mut chunk).ok().filter(|n| *n > 0)?;
    buffer.extend_from_slice(&chunk[..count]);
    Some(())
}

fn exactly(stream: &mut TcpStream, buffer: &mut Vec<u8>, length: usize) -> Option<Vec<u8>> {
    while buffer.len() < length {
        more(stream, buffer)?;
    }
    Some(buffer.drain(..length).collect())
}

fn chunked(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let (head, size) = loop {
            match httparse::parse_chunk_size(buffer) {
                Ok(httparse::Status::Complete(parsed)) => break parsed,
                Ok(httparse::Status::Partial) => more(stream, buffer)?,
                Err(_) => return None,
            }
        };
        buffer.drain(..head);
        let size = usize::try_from(size).ok()?;
        body.extend(exactly(stream, buffer, size)?);
        exactly(stream, buffer, 2)?;
        if size == 0 {
            return Some(body);
        }
    }
}

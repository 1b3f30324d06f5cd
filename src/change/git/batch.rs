//! The contents of many files, by `git cat-file --batch`.
//!
//! What stands in a pack as a difference to something else is put together from that. git keeps what it
//! has put together; libgit2 keeps little, and puts the same together again and again: of 6,000 files in a
//! pack it takes four times as long. Whatever goes wrong here is no fault: libgit2 reads what is left.

use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

use bytes::Bytes;
use git2::Oid;

use super::command::as_input;
use super::images::{BIG, is_binary};
use crate::change::Image;

/// For fewer files the start of a process costs more than it saves.
pub(super) const MANY: usize = 128;

/// How long git may say nothing at all. One that hangs is left alone then.
#[cfg(unix)]
const SILENCE: std::time::Duration = std::time::Duration::from_secs(10);

/// A blob that was read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Blob {
    Text(Image),
    Binary,
}

/// Blobs in the order in which they were asked for.
pub(super) struct Batch {
    child: Child,
    said: BufReader<Ours>,
}

/// Our end of git's stdout: a socket, since a pipe cannot be read with a limit to the waiting.
#[cfg(unix)]
type Ours = std::os::unix::net::UnixStream;
#[cfg(not(unix))]
type Ours = io::PipeReader;

/// Our end, and git's.
#[cfg(unix)]
fn channel() -> io::Result<(Ours, Stdio)> {
    let (ours, gits) = Ours::pair()?;
    ours.set_read_timeout(Some(SILENCE))?;
    Ok((ours, std::os::fd::OwnedFd::from(gits).into()))
}

#[cfg(not(unix))]
fn channel() -> io::Result<(Ours, Stdio)> {
    io::pipe().map(|(ours, gits)| (ours, gits.into()))
}

impl Batch {
    /// `None` where there is no `git`, or it cannot be started.
    pub fn start(mut git: Command, ids: impl Iterator<Item = Oid>) -> Option<Self> {
        let list: String = ids.flat_map(|id| [id.to_string(), "\n".to_owned()]).collect();
        let (ours, gits) = channel().ok()?;
        git.args(["cat-file", "--batch", "--buffer"]).stdin(as_input(list.as_bytes()).ok()?);
        let child = git.stdout(gits).stderr(Stdio::null()).spawn().ok()?;
        // Our copy of git's end goes with it; else the end of what git says would never be reached.
        drop(git);
        Some(Self { child, said: BufReader::with_capacity(64 << 10, ours) })
    }

    /// The next one, which must be this; `None` where git says anything else, and from then on.
    pub fn next(&mut self, id: Oid) -> Option<Blob> {
        let mut header = String::new();
        (&mut self.said).take(200).read_line(&mut header).ok()?;
        let size = header.strip_prefix(&format!("{id} blob "))?.strip_suffix('\n')?;
        // With the line end behind the content.
        let length = size.parse::<u64>().ok()?.checked_add(1)?;
        if length > BIG as u64 + 1 {
            let skipped = io::copy(&mut (&mut self.said).take(length), &mut io::sink()).ok()?;
            return (skipped == length).then_some(Blob::Binary);
        }
        let mut content = Vec::with_capacity(usize::try_from(length).ok()?);
        (&mut self.said).take(length).read_to_end(&mut content).ok()?;
        if content.len() as u64 != length || content.pop() != Some(b'\n') {
            return None;
        }
        Some(if is_binary(&content) { Blob::Binary } else { Blob::Text(Image(Bytes::from(content))) })
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        // Read to the end it has ended; else it waits for a reader that will not come.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

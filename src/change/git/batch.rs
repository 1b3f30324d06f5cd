//! The contents of many files, by `git cat-file --batch`.
//!
//! What stands in a pack as a difference to something else is put together from that. git keeps what it
//! has put together; libgit2 keeps little, and puts the same together again and again: of 6,000 files in a
//! pack it takes four times as long. Whatever goes wrong here is no fault: libgit2 reads what is left.

use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};

use bytes::Bytes;
use git2::Oid;

use super::command::as_input;
use super::images::{BIG, is_binary};
use crate::change::Image;

/// For fewer files the start of a process costs more than it saves.
pub(super) const MANY: usize = 128;

/// A blob that was read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Blob {
    Text(Image),
    Binary,
}

/// Blobs in the order in which they were asked for.
pub(super) struct Batch {
    child: Child,
    said: BufReader<ChildStdout>,
}

impl Batch {
    /// `None` where there is no `git`, or it cannot be started.
    pub fn start(mut git: Command, ids: impl Iterator<Item = Oid>) -> Option<Self> {
        let list: String = ids.flat_map(|id| [id.to_string(), "\n".to_owned()]).collect();
        git.args(["cat-file", "--batch", "--buffer"]).stdin(as_input(list.as_bytes()).ok()?);
        let mut child = git.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
        let said = BufReader::with_capacity(64 << 10, child.stdout.take()?);
        Some(Self { child, said })
    }

    /// The next one, which must be this; `None` where git says anything else, and from then on.
    pub fn next(&mut self, id: Oid) -> Option<Blob> {
        let mut header = String::new();
        (&mut self.said).take(200).read_line(&mut header).ok()?;
        let size = header.strip_prefix(&format!("{id} blob "))?.strip_suffix('\n')?;
        let size: usize = size.parse().ok()?;
        if size > BIG {
            let skipped = io::copy(&mut (&mut self.said).take(size as u64 + 1), &mut io::sink()).ok()?;
            return (skipped == size as u64 + 1).then_some(Blob::Binary);
        }
        let mut content = Vec::with_capacity(size + 1);
        (&mut self.said).take(size as u64 + 1).read_to_end(&mut content).ok()?;
        if content.len() != size + 1 || content.pop() != Some(b'\n') {
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

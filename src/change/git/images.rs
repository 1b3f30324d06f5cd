//! Hunks from two images, as git computes them by default.

use std::io::BufRead;

use bytes::Bytes;
use git2::{DiffOptions, Patch};

use crate::change::{DiffLine, Hunk, Image, LineKind};

/// What git takes for binary: a NUL in the first 8,000 bytes (`buffer_is_binary`), or more than
/// `core.bigFileThreshold`'s 512 MiB.
const SNIFFED: usize = 8000;
pub(super) const BIG: usize = 512 << 20;

pub(super) fn is_binary(image: &[u8]) -> bool {
    image.len() > BIG || image[..image.len().min(SNIFFED)].contains(&0)
}

/// The hunks between two images: myers with the indent heuristic, three lines of context.
///
/// The buffers are handed over without a repository, so no attribute and no configuration has a say.
pub fn hunks(old: &Image, new: &Image) -> Result<Vec<Hunk>, git2::Error> {
    let mut options = DiffOptions::new();
    options.force_text(true).indent_heuristic(true).context_lines(3).interhunk_lines(0);
    let patch = Patch::from_buffers(&old.0, None, &new.0, None, Some(&mut options))?;
    let (mut olds, mut news) = (Lines::new(&old.0), Lines::new(&new.0));
    (0..patch.num_hunks())
        .map(|at| {
            let (header, count) = patch.hunk(at)?;
            let mut hunk = Hunk {
                old_start: header.old_start(),
                old_len: header.old_lines(),
                new_start: header.new_start(),
                new_len: header.new_lines(),
                lines: Vec::with_capacity(count),
            };
            let (mut old, mut new) = (hunk.old_start, hunk.new_start);
            for line in 0..count {
                // `\ No newline at end of file` has other origins, and is no line.
                let line = match patch.line_in_hunk(at, line)?.origin() {
                    '+' => DiffLine { kind: LineKind::Added, old, new, text: news.line(new) },
                    '-' => DiffLine { kind: LineKind::Removed, old, new, text: olds.line(old) },
                    ' ' => DiffLine { kind: LineKind::Context, old, new, text: news.line(new) },
                    _ => continue,
                };
                old += u32::from(line.kind != LineKind::Added);
                new += u32::from(line.kind != LineKind::Removed);
                hunk.lines.push(line);
            }
            Ok(hunk)
        })
        .collect()
}

/// Walks an image forward by line number.
struct Lines<'a> {
    image: &'a Bytes,
    number: u32,
    at: usize,
}

impl<'a> Lines<'a> {
    fn new(image: &'a Bytes) -> Self {
        Self { image, number: 1, at: 0 }
    }

    /// The line without its `\n`; numbers must not go back.
    fn line(&mut self, number: u32) -> Bytes {
        while self.number < number {
            self.at += self.length();
            self.number += 1;
        }
        let length = self.length();
        let ends = self.image[self.at..self.at + length].ends_with(b"\n");
        self.image.slice(self.at..self.at + length - usize::from(ends))
    }

    /// How many bytes the current line has with its `\n`.
    fn length(&self) -> usize {
        // Reading a slice cannot fail.
        (&self.image[self.at..]).skip_until(b'\n').unwrap_or(0)
    }
}

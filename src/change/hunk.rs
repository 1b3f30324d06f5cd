//! Hunks and their lines, with the counters every forge's position is made from.

use bytes::Bytes;

use crate::review::Side;

/// What a diff line says about its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineKind {
    Added,
    Removed,
    Context,
}

/// One line of a hunk.
///
/// `old` and `new` are the running counters of both images and are always set: a line that is absent
/// from an image has the number that the next line of that image would have. For the first hunk of
/// a new file `old` is 0, as GitLab's line codes want it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffLine {
    pub kind: LineKind,
    pub old: u32,
    pub new: u32,
    /// Without the `\n`; a `\r` belongs to the line. A slice of the file's image, not a copy.
    pub text: Bytes,
}

impl DiffLine {
    /// The line's number in the image that `side` names, `None` where it does not stand there.
    pub fn number(&self, side: Side) -> Option<u32> {
        match (self.kind, side) {
            (LineKind::Added, Side::Left) | (LineKind::Removed, Side::Right) => None,
            (_, Side::Left) => Some(self.old),
            (_, Side::Right) => Some(self.new),
        }
    }

    /// The text for people; bytes that are not UTF-8 become U+FFFD.
    pub fn lossy(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.text)
    }

    /// The same of its first so many bytes, up to three more where they would tear a character: a line may
    /// have a hundred megabytes, and thousands of findings.
    pub fn beginning(&self, bytes: usize) -> std::borrow::Cow<'_, str> {
        let continues = |at: &usize| self.text.get(*at).is_some_and(|byte| byte & 0xc0 == 0x80);
        let end = (bytes..bytes + 3).find(|at| !continues(at)).unwrap_or(bytes + 3);
        String::from_utf8_lossy(&self.text[..end.min(self.text.len())])
    }
}

/// A run of lines that the diff shows, as its `@@` header counts them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    pub old_start: u32,
    pub old_len: u32,
    pub new_start: u32,
    pub new_len: u32,
    pub lines: Vec<DiffLine>,
}

impl Hunk {
    /// The index in `lines` of the line with this number on this side.
    pub fn find(&self, side: Side, number: u32) -> Option<usize> {
        let (start, len) = match side {
            Side::Left => (self.old_start, self.old_len),
            Side::Right => (self.new_start, self.new_len),
        };
        if len == 0 || number < start || number - start >= len {
            return None;
        }
        // Both counters only grow, so the first line whose counter reaches the number is at or
        // before the one wanted; lines of the other side share its counter and come first.
        let counter = |line: &DiffLine| match side {
            Side::Left => line.old,
            Side::Right => line.new,
        };
        let from = self.lines.partition_point(|line| counter(line) < number);
        self.lines[from..].iter().position(|line| line.number(side) == Some(number)).map(|at| from + at)
    }
}

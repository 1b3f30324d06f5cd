//! One hunk of a patch: its lines by the counts of its header, and what is sure of it where they are wrong.

use super::hunk::{DiffLine, Hunk, LineKind};
use super::patch::PatchFaultKind;
use super::patch_read::Reader;

/// A hunk's header in numbers.
struct Header {
    old_start: u32,
    old_len: u32,
    new_start: u32,
    new_len: u32,
}

impl Reader {
    pub(super) fn hunk(&mut self, header: &[u8]) {
        let from = self.at;
        self.at += 1;
        let shown = String::from_utf8_lossy(header).into_owned();
        let Some(open) = self.files.last_mut() else {
            self.fault(from, Some((0, shown)), PatchFaultKind::NoFile);
            return self.skip_hunk_lines();
        };
        let hunk = Some((open.hunks, shown));
        open.hunks += 1;
        let Some(header) = Header::parse(header) else {
            self.fault(from, hunk, PatchFaultKind::Header);
            return self.skip_hunk_lines();
        };
        let (mut read, mut fault, blank) = self.lines_of(&header);
        if fault.is_none() && self.goes_on() {
            fault = Some(PatchFaultKind::Miscounted);
        }
        if let (Some(kind), Some(blank)) = (&mut fault, blank) {
            unsure(&mut read, &header, kind, blank);
        }
        let follows = self.files.last().and_then(|open| open.file.hunks.last()).is_none_or(|last| {
            last.old_start + last.old_len <= first(read.old_start, read.old_len)
                && last.new_start + last.new_len <= first(read.new_start, read.new_len)
        });
        if !follows {
            self.fault(from, hunk.clone(), PatchFaultKind::OutOfOrder);
        } else if let Some(open) = self.files.last_mut().filter(|_| !read.lines.is_empty()) {
            open.file.hunks.push(read);
        }
        if let Some(kind) = fault {
            self.fault(from, hunk, kind);
            self.skip_hunk_lines();
        }
    }

    /// Whether the next line can only be one more line of the hunk that has just been counted off.
    fn goes_on(&self) -> bool {
        let Some(line) = self.lines.get(self.at) else { return false };
        let signature = matches!(line.strip_suffix(b"\r").unwrap_or(line), b"-- " | b"--");
        matches!(line.first(), Some(b' ' | b'+' | b'-')) && !self.is_header(self.at) && !signature
    }

    /// Behind a fault: the lines that would be the hunk's, so that they are not told once more.
    pub(super) fn skip_hunk_lines(&mut self) {
        while self.lines.get(self.at).is_some_and(|line| matches!(line.first(), Some(b' ' | b'+' | b'-' | b'\\')))
            && !self.is_header(self.at)
        {
            self.at += 1;
        }
    }

    /// The hunk as far as it goes, what is wrong with it, and the first of its lines that was an empty
    /// one of the text, taken for context.
    fn lines_of(&mut self, header: &Header) -> (Hunk, Option<PatchFaultKind>, Option<usize>) {
        let (mut old, mut new) = (header.first_old(), header.first_new());
        let (mut old_left, mut new_left) = (header.old_len, header.new_len);
        let mut lines: Vec<DiffLine> = Vec::new();
        let mut fault = None;
        // Up to where empty lines are known to be context: a run of them is looked over once.
        let mut blank_to = 0;
        let mut blank = None;
        while old_left > 0 || new_left > 0 {
            let cut = PatchFaultKind::CutShort { old_missing: old_left, new_missing: new_left };
            let Some(line) = self.lines.get(self.at) else {
                fault = Some(cut);
                break;
            };
            if self.is_named_header(self.at) {
                fault = Some(cut);
                break;
            }
            let (kind, text) = match line.first() {
                Some(b' ') => (LineKind::Context, line.slice(1..)),
                Some(b'+') => (LineKind::Added, line.slice(1..)),
                Some(b'-') => (LineKind::Removed, line.slice(1..)),
                Some(b'\\') => {
                    self.at += 1;
                    continue;
                }
                // An empty context line whose space something has taken away.
                None | Some(b'\r') if line.len() < 2 && old_left > 0 && new_left > 0 => {
                    if self.at >= blank_to {
                        let run = self.blank_context(old_left.max(new_left), old_left == new_left);
                        if run == 0 {
                            fault = Some(cut);
                            break;
                        }
                        blank_to = self.at + run;
                    }
                    blank = blank.or(Some(lines.len()));
                    (LineKind::Context, line.clone())
                }
                _ => {
                    fault = Some(cut);
                    break;
                }
            };
            let (in_old, in_new) = (kind != LineKind::Added, kind != LineKind::Removed);
            if (in_old && old_left == 0) || (in_new && new_left == 0) {
                fault = Some(PatchFaultKind::Miscounted);
                break;
            }
            lines.push(DiffLine { kind, old, new, text });
            old += u32::from(in_old);
            new += u32::from(in_new);
            old_left -= u32::from(in_old);
            new_left -= u32::from(in_new);
            self.at += 1;
        }
        if !self.bare {
            fault = self.header_counted(&mut lines, &mut old_left, &mut new_left, fault.is_some()).or(fault);
        }
        while self.lines.get(self.at).is_some_and(|line| line.starts_with(b"\\")) {
            self.at += 1;
        }
        let hunk = Hunk {
            old_start: header.old_start,
            old_len: header.old_len - old_left,
            new_start: header.new_start,
            new_len: header.new_len - new_left,
            lines,
        };
        (hunk, fault, blank)
    }

    /// How many empty lines from here are context: the whole run where the hunk goes on behind it,
    /// as many as are `left` where those end the hunk exactly, else none.
    fn blank_context(&self, left: u32, ends: bool) -> usize {
        let rest = &self.lines[self.at..];
        let run = rest.iter().take_while(|line| line.is_empty() || line[..] == b"\r"[..]).count();
        let next = rest.get(run).and_then(|line| line.first());
        let goes_on = matches!(next, Some(b' ' | b'+' | b'-' | b'\\')) && !self.is_header(self.at + run);
        match left as usize {
            _ if goes_on => run,
            left if ends && left <= run => left,
            _ => 0,
        }
    }

    /// Whether a file's header is here, whatever the hunk still counts: one that counts too many lines,
    /// before a file without `diff --git`, would take it for lines of its own. Where the file has that line
    /// and the hunk goes on behind the two, they are what they look like: lines.
    fn is_named_header(&self, at: usize) -> bool {
        let goes_on = self.lines.get(at + 2).is_some_and(|line| matches!(line.first(), Some(b' ' | b'+' | b'-')));
        if goes_on && self.files.last().is_some_and(|open| open.git) {
            return false;
        }
        let name = |at: usize| self.lines[at][4..].split(|b| matches!(b, b'\t' | b'\r')).next().unwrap_or_default();
        let has = |name: &[u8], prefix: &[u8]| name.strip_prefix(b"\"").unwrap_or(name).starts_with(prefix);
        !self.bare && self.is_file_header(at) && {
            let (old, new) = (name(at), name(at + 1));
            let (no_old, no_new) = (old == b"/dev/null", new == b"/dev/null");
            (has(old, b"a/") || no_old) && (has(new, b"b/") || no_new) && !(no_old && no_new)
        }
    }

    /// The same of a header whose names have no prefix: it has been counted, and a hunk right behind it
    /// tells, where the counts are off all the same or both names are one. Gives it back.
    fn header_counted(
        &mut self,
        lines: &mut Vec<DiffLine>,
        old_left: &mut u32,
        new_left: &mut u32,
        off: bool,
    ) -> Option<PatchFaultKind> {
        let taken = [2, 1].into_iter().filter(|taken| *taken <= lines.len());
        let taken = taken.filter(|taken| self.is_file_header(self.at - taken)).find(|taken| {
            let at = self.at - taken;
            let hunk_follows = self.lines.get(at + 2).is_some_and(|line| line.starts_with(b"@@ "));
            hunk_follows && (off || self.lines[at][4..] == self.lines[at + 1][4..])
        })?;
        lines.truncate(lines.len() - taken);
        *old_left += 1;
        *new_left += u32::from(taken == 2);
        self.at -= taken;
        Some(PatchFaultKind::CutShort { old_missing: *old_left, new_missing: *new_left })
    }
}

/// Of a hunk that is not as its header counts, only what stands before its first empty line is sure:
/// that line may be a context line, and may be between the lines of a text that was spread out.
fn unsure(read: &mut Hunk, header: &Header, kind: &mut PatchFaultKind, blank: usize) {
    read.lines.truncate(blank);
    let count = |side: LineKind| read.lines.iter().filter(|line| line.kind != side).count();
    let len = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    (read.old_len, read.new_len) = (len(count(LineKind::Added)), len(count(LineKind::Removed)));
    if let PatchFaultKind::CutShort { old_missing, new_missing } = kind {
        (*old_missing, *new_missing) = (header.old_len - read.old_len, header.new_len - read.new_len);
    }
}

impl Header {
    /// `@@ -12,3 +14 @@`, with anything behind it. `None` too for numbers that no file has.
    fn parse(line: &[u8]) -> Option<Self> {
        let line = std::str::from_utf8(line.split(|b| *b == b' ').take(4).collect::<Vec<_>>().join(&b' ').as_slice())
            .ok()?
            .to_owned();
        let mut words = line.split(' ');
        let (mark, old, new, end) = (words.next()?, words.next()?, words.next()?, words.next()?);
        if mark != "@@" || !end.starts_with("@@") {
            return None;
        }
        let (old_start, old_len) = range(old.strip_prefix('-')?)?;
        let (new_start, new_len) = range(new.strip_prefix('+')?)?;
        Some(Self { old_start, old_len, new_start, new_len })
    }

    fn first_old(&self) -> u32 {
        first(self.old_start, self.old_len)
    }

    fn first_new(&self) -> u32 {
        first(self.new_start, self.new_len)
    }
}

/// The counter a hunk begins with. A range without lines names the line before it; that of a file
/// that is not there, or is empty, is 0 and stays so, as in GitLab's line codes.
fn first(start: u32, len: u32) -> u32 {
    if len == 0 && start > 0 { start + 1 } else { start }
}

/// `12,3` or `12`, which is `12,1`.
fn range(words: &str) -> Option<(u32, u32)> {
    let digits = |word: &str| word.bytes().all(|b| b.is_ascii_digit()).then(|| word.parse::<u32>().ok()).flatten();
    let (start, len) = words.split_once(',').unwrap_or((words, "1"));
    let (start, len) = (digits(start)?, digits(len)?);
    // One more than the end must be countable, and line 0 holds nothing.
    start.checked_add(len)?.checked_add(1)?;
    (start > 0 || len == 0).then_some((start, len))
}

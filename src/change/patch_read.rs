//! The reader of unified diffs: outside the hunks by what a line begins with. A hunk is read by its counts, in `patch_hunk`.

use bytes::Bytes;

use super::hunk::Hunk;
use super::patch::{FileChange, Patch, PatchFault, PatchFaultKind, PatchFile, PatchPath};
use super::patch_names::{Names, Side as NameSide};

/// A text cut at its `\n`, and how far it has been read.
pub(super) struct Reader {
    pub(super) lines: Vec<Bytes>,
    pub(super) at: usize,
    faults: Vec<PatchFault>,
    pub(super) files: Vec<Open>,
    /// The hunks of one file, among which there is no other file's header.
    pub(super) bare: bool,
}

/// A file whose names are settled at the end, when every header of the text has been seen.
#[derive(Default)]
pub(super) struct Open {
    pub(super) file: PatchFile,
    names: Names,
    /// Whether it began with `diff --git`.
    pub(super) git: bool,
    /// Whether `---` and `+++` have been read.
    headed: bool,
    /// Hunk headers met so far, read or not.
    pub(super) hunks: usize,
    /// Index into the faults of those that want the file's name.
    faults: Vec<usize>,
}

impl Reader {
    pub(super) fn new(text: Bytes) -> Self {
        let mut lines = Vec::new();
        let mut start = 0;
        for end in text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at) {
            lines.push(text.slice(start..end));
            start = end + 1;
        }
        if start < text.len() {
            lines.push(text.slice(start..));
        }
        Self { lines, at: 0, faults: Vec::new(), files: Vec::new(), bare: false }
    }

    pub(super) fn patch(mut self) -> Patch {
        while let Some(line) = self.lines.get(self.at).cloned() {
            self.outside(&line);
        }
        self.settle()
    }

    pub(super) fn hunks(mut self) -> (Vec<Hunk>, Vec<PatchFault>) {
        self.bare = true;
        self.files.push(Open::default());
        while let Some(line) = self.lines.get(self.at).cloned() {
            self.outside(&line);
        }
        let faults = std::mem::take(&mut self.faults);
        let mut files = self.files.into_iter();
        (files.next().map(|open| open.file.hunks).unwrap_or_default(), faults)
    }

    fn settle(mut self) -> Patch {
        let plain = self.files.iter().any(|open| open.names.are_plain());
        let mut files = Vec::with_capacity(self.files.len());
        for Open { mut file, names, faults, .. } in self.files {
            let (old, new) = names.settle(file.change, plain);
            file.old_path = old.map(|name| PatchPath(name.into()));
            file.new_path = new.map(|name| PatchPath(name.into()));
            let name = file.new_path.as_ref().or(file.old_path.as_ref()).map(PatchPath::to_string);
            if name.is_none() {
                let kind = PatchFaultKind::Name;
                self.faults.push(PatchFault { line: file.line, file: None, hunk: None, kind });
            }
            for at in faults {
                self.faults[at].file.clone_from(&name);
            }
            match (&file.old_path, &file.new_path) {
                (None, Some(_)) => file.change = FileChange::Added,
                (Some(_), None) => file.change = FileChange::Deleted,
                (Some(old), Some(new)) if old != new && file.change == FileChange::Modified => {
                    file.change = FileChange::Renamed;
                }
                _ => {}
            }
            files.push(file);
        }
        self.faults.sort_by_key(|fault| fault.line);
        Patch::new(files, self.faults)
    }

    pub(super) fn fault(&mut self, at: usize, hunk: Option<(usize, String)>, kind: PatchFaultKind) {
        if let Some(open) = self.files.last_mut() {
            open.faults.push(self.faults.len());
        }
        self.faults.push(PatchFault { line: at + 1, file: None, hunk, kind });
    }

    /// One line that is in no hunk.
    fn outside(&mut self, line: &Bytes) {
        let bare = line.strip_suffix(b"\r").unwrap_or(line);
        let from = self.at;
        if let Some(names) = bare.strip_prefix(b"diff --git ") {
            self.open(Names::of_git(names));
            self.files.last_mut().into_iter().for_each(|open| open.git = true);
            self.at += 1;
        } else if bare.starts_with(b"diff -") {
            // Another tool's header; the names follow behind `---` and `+++`.
            self.open(Names::default());
            self.at += 1;
        } else if self.is_file_header(self.at) {
            if self.files.last().is_none_or(|open| open.headed || open.hunks > 0) {
                self.open(Names::default());
            }
            let new = self.lines[self.at + 1].clone();
            if let Some(open) = self.files.last_mut() {
                open.headed = true;
                open.names.header(NameSide::Old, &line[4..]);
                open.names.header(NameSide::New, &new[4..]);
            }
            self.at += 2;
        } else if bare.starts_with(b"@@@") {
            self.at += 1;
            self.fault(from, None, PatchFaultKind::Combined);
            self.skip_hunk_lines();
        } else if bare.starts_with(b"@@") {
            self.hunk(bare);
        } else if bare == b"-- " || bare == b"--" {
            // The signature of a mail: nothing of the diff comes before the next header.
            self.at += 1;
            while self.at < self.lines.len() && !self.is_header(self.at) {
                self.at += 1;
            }
        } else if self.extended(bare) || bare.is_empty() || bare.starts_with(b"\\") {
            self.at += 1;
        } else {
            self.prose();
        }
    }

    fn open(&mut self, names: Names) {
        let file = PatchFile { line: self.at + 1, ..PatchFile::default() };
        self.files.push(Open { file, names, ..Open::default() });
    }

    /// `---` and `+++`, one after the other: either alone may be a line of a hunk.
    pub(super) fn is_file_header(&self, at: usize) -> bool {
        let begins = |at: usize, mark: &[u8]| self.lines.get(at).is_some_and(|line| line.starts_with(mark));
        begins(at, b"--- ") && begins(at + 1, b"+++ ")
    }

    pub(super) fn is_header(&self, at: usize) -> bool {
        let begins = |mark: &[u8]| self.lines.get(at).is_some_and(|line| line.starts_with(mark));
        begins(b"diff -") || begins(b"@@ ") || self.is_file_header(at)
    }

    /// A line of git's extended header; only between a file's header and its first hunk.
    fn extended(&mut self, line: &[u8]) -> bool {
        let Some(open) = self.files.last_mut().filter(|open| open.hunks == 0) else { return false };
        let Some((word, rest)) = EXTENDED.iter().find_map(|word| Some((*word, line.strip_prefix(word.as_bytes())?)))
        else {
            return false;
        };
        let file = &mut open.file;
        let mode = || std::str::from_utf8(rest).ok().and_then(|digits| u32::from_str_radix(digits.trim(), 8).ok());
        match word {
            "old mode " => file.old_mode = mode(),
            "new mode " => file.new_mode = mode(),
            "new file mode " => (file.new_mode, file.change) = (mode(), FileChange::Added),
            "deleted file mode " => (file.old_mode, file.change) = (mode(), FileChange::Deleted),
            "rename from " | "copy from " => open.names.moved(NameSide::Old, rest),
            "rename to " => {
                open.names.moved(NameSide::New, rest);
                file.change = FileChange::Renamed;
            }
            "copy to " => {
                open.names.moved(NameSide::New, rest);
                file.change = FileChange::Copied;
            }
            "index " => {
                let mode = rest.rsplit(|b| *b == b' ').next().filter(|_| rest.contains(&b' '));
                let mode = mode.and_then(|m| u32::from_str_radix(std::str::from_utf8(m).ok()?, 8).ok());
                file.old_mode = file.old_mode.or(mode);
                file.new_mode = file.new_mode.or(mode);
            }
            "Binary files " => file.binary = true,
            "GIT binary patch" => {
                file.binary = true;
                // Its lines are base 85, and none of them begins like a header.
                while self.at + 1 < self.lines.len() && !self.is_header(self.at + 1) {
                    self.at += 1;
                }
            }
            _ => {}
        }
        true
    }

    fn prose(&mut self) {
        let from = self.at;
        self.at += 1;
        let mut lines = 1;
        while self.at < self.lines.len() && !self.is_header(self.at) && !self.lines[self.at].starts_with(b"@@") {
            lines += usize::from(!self.lines[self.at].trim_ascii().is_empty());
            self.at += 1;
        }
        // A mail's head or a commit's message before the first file is what such texts begin with.
        if !self.files.is_empty() {
            self.fault(from, None, PatchFaultKind::Prose { lines });
        }
    }
}

const EXTENDED: [&str; 13] = [
    "old mode ",
    "new mode ",
    "new file mode ",
    "deleted file mode ",
    "rename from ",
    "rename to ",
    "copy from ",
    "copy to ",
    "similarity index ",
    "dissimilarity index ",
    "index ",
    "Binary files ",
    "GIT binary patch",
];

//! `.env.dai` and `.env` at the repository's root.
//!
//! They are read into values, never into the process's environment. A branch under review must not
//! choose anything, so a file that git tracks, or one that leads out of the repository, is not read.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use super::{DOTENV_SETTINGS, TOKEN_VARIABLES};
use crate::warning::{Code, Warning};

/// The files' names, in the order in which they are asked.
pub const FILES: [&str; 2] = [".env.dai", ".env"];

/// A commented template of `.env.dai`, which `dai init` writes as `.env.example`.
pub const EXAMPLE: &str = include_str!("../../.env.example");

/// The longest dot-env file that is read, in bytes.
const LIMIT: u64 = 64 * 1024;

/// What one dot-env file gives: [`TOKEN_VARIABLES`] and [`DOTENV_SETTINGS`], nothing else.
#[derive(Clone, PartialEq, Eq)]
pub struct DotEnv {
    name: &'static str,
    values: BTreeMap<String, String>,
    /// Settings of this program that a file does not give.
    left_out: BTreeSet<String>,
}

impl DotEnv {
    /// A file of these values. Other variables are left out; of one that stands twice the last
    /// counts, as in a shell.
    pub fn of<N: Into<String>, V: Into<String>>(name: &'static str, values: impl IntoIterator<Item = (N, V)>) -> Self {
        let (mut taken, mut left_out) = (BTreeMap::new(), BTreeSet::new());
        for (name, value) in values {
            let name = name.into();
            if is_known(&name) {
                taken.insert(name, value.into());
            } else if name.starts_with("DAI_") {
                left_out.insert(name);
            }
        }
        Self { name, values: taken, left_out }
    }

    pub fn name(&self) -> &'static str {
        self.name
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }
}

/// Names only: the values hold tokens.
impl fmt::Debug for DotEnv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DotEnv")
            .field("name", &self.name)
            .field("names", &self.values.keys().collect::<Vec<_>>())
            .finish()
    }
}

fn is_known(name: &str) -> bool {
    TOKEN_VARIABLES.contains(&name) || DOTENV_SETTINGS.contains(&name)
}

/// Reads the dot-env files at `root`, with a warning for each that stands there and is not read.
///
/// `is_tracked` says whether git tracks a path below the root, `/` between its parts. On a file system
/// that ignores case it has to ignore case too.
pub fn load(root: &Path, is_tracked: impl Fn(&str) -> bool) -> (Vec<DotEnv>, Vec<Warning>) {
    let (mut files, mut warnings) = (Vec::new(), Vec::new());
    for name in FILES {
        match read(root, name, &is_tracked) {
            Ok(None) => {}
            Ok(Some(text)) => {
                let (file, bad_lines) = parse(name, &text);
                if !file.left_out.is_empty() {
                    warnings.push(Warning::run(Code::DotenvIgnored, not_taken(&file)));
                }
                files.push(file);
                if !bad_lines.is_empty() {
                    warnings.push(Warning::run(Code::DotenvIgnored, not_understood(name, &bad_lines)));
                }
            }
            Err(refusal) => warnings.push(Warning::run(Code::DotenvIgnored, format!("{name} is not read: {refusal}"))),
        }
    }
    (files, warnings)
}

fn not_taken(file: &DotEnv) -> String {
    let names: Vec<_> = file.left_out.iter().map(String::as_str).collect();
    let (names, are, those) = match &names[..] {
        [one] => ((*one).to_owned(), "is", "it"),
        several => (several.join(", "), "are", "them"),
    };
    format!(
        "{}: {names} {are} not taken from a file, which gives tokens, {} and nothing else; set {those} in the environment",
        file.name,
        DOTENV_SETTINGS.join(", ")
    )
}

fn not_understood(name: &str, lines: &[usize]) -> String {
    let shown: Vec<_> = lines.iter().take(5).map(usize::to_string).collect();
    let more = if lines.len() > shown.len() { " and more" } else { "" };
    let word = if lines.len() == 1 { "line" } else { "lines" };
    format!(
        "{name}: {word} {}{more} cannot be understood; write NAME=value, with quotes around spaces",
        shown.join(", ")
    )
}

/// Why a dot-env file that stands there is not read.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error("git tracks it, and a branch under review must not choose settings; `git rm --cached` it and ignore it")]
    Tracked,
    #[error("it leads to a file outside the repository")]
    Outside,
    #[error("it is not a regular file")]
    Special,
    #[error("it is longer than {} KiB", LIMIT / 1024)]
    TooLong,
    #[error("it is not UTF-8")]
    NotUtf8,
    #[error("{0}")]
    Io(#[from] io::Error),
}

fn read(root: &Path, name: &str, is_tracked: &impl Fn(&str) -> bool) -> Result<Option<String>, Refusal> {
    let path = root.join(name);
    let met = match fs::symlink_metadata(&path) {
        Ok(met) => met,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    // A Python environment is often kept in a folder of this name; that is no settings file at all.
    if met.is_dir() {
        return Ok(None);
    }
    if is_tracked(name) {
        return Err(Refusal::Tracked);
    }
    let real = fs::canonicalize(&path)?;
    if met.is_symlink() {
        let root = fs::canonicalize(root)?;
        let below = real.strip_prefix(&root).map_err(|_| Refusal::Outside)?;
        let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
        if is_tracked(&parts.join("/")) {
            return Err(Refusal::Tracked);
        }
    }
    // Looked at before opening, since opening a FIFO waits for its writer.
    if !fs::metadata(&real)?.is_file() {
        return Err(Refusal::Special);
    }
    let mut bytes = Vec::new();
    File::open(&real)?.take(LIMIT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LIMIT {
        return Err(Refusal::TooLong);
    }
    String::from_utf8(bytes).map(Some).map_err(|_| Refusal::NotUtf8)
}

/// A dot-env text's values, and the 1-based lines that are no assignment. Those lines' text is in
/// neither: it may be a token.
pub fn parse(name: &'static str, text: &str) -> (DotEnv, Vec<usize>) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let stand_in = ('\u{e000}'..='\u{f8ff}').find(|mark| !text.contains(*mark)).unwrap_or('\u{e000}');
    let mut text = without_substitution(text, stand_in);
    // The parser takes a last line that ends in a blank for an unfinished one.
    if !text.ends_with('\n') {
        text.push('\n');
    }

    let line = Cell::new(0);
    let (mut values, mut bad_lines) = (Vec::new(), Vec::new());
    for item in dotenvy::from_read_iter(LineByLine { rest: text.as_bytes(), line: &line }) {
        match item {
            Ok((name, value)) => values.push((name, value.replace(stand_in, "$"))),
            Err(dotenvy::Error::LineParse(lines, _)) => {
                let further = lines.trim_end_matches('\n').matches('\n').count();
                bad_lines.push(line.get().saturating_sub(further).max(1));
            }
            Err(_) => bad_lines.push(line.get()),
        }
    }
    (DotEnv::of(name, values), bad_lines)
}

/// The parser would fill `$NAME` in from the process's environment; here a `$` is a `$`. One behind a
/// back-slash is one to the parser too.
fn without_substitution(text: &str, stand_in: char) -> String {
    let mut escaped = false;
    text.chars()
        .map(|char| {
            let plain = char != '$' || escaped;
            escaped = char == '\\' && !escaped;
            if plain { char } else { stand_in }
        })
        .collect()
}

/// Hands out a line a read, so that whoever reads line by line can be followed.
struct LineByLine<'a> {
    rest: &'a [u8],
    line: &'a Cell<usize>,
}

impl Read for LineByLine<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let end = self.rest.iter().position(|byte| *byte == b'\n').map_or(self.rest.len(), |at| at + 1);
        let count = end.min(into.len());
        let (now, later) = self.rest.split_at(count);
        into[..count].copy_from_slice(now);
        self.rest = later;
        if now.ends_with(b"\n") {
            self.line.set(self.line.get() + 1);
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests;

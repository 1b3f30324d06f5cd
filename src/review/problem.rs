//! What is wrong with a review file: each fault with its pointer, its line and column, the value
//! found, and what is allowed.

use std::fmt;
use std::ops::Range;

use super::cause::Cause;
use super::quote::{acts, quoted};
use super::source::{Position, Source};

/// The deepest nesting that is read.
pub const MAX_DEPTH: usize = 128;

/// One fault of a file and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// A JSON pointer to the value, or to the object that lacks one; empty for the document.
    pub pointer: String,
    /// Bytes of the file.
    pub span: Range<usize>,
    pub at: Position,
    pub fault: Fault,
}

impl Problem {
    pub fn new(source: &Source, pointer: impl Into<String>, span: Range<usize>, fault: Fault) -> Self {
        Self { pointer: pointer.into(), at: source.position(span.start), span, fault }
    }

    /// What to do about it, where the sentence does not say it already.
    pub fn help(&self) -> Option<String> {
        self.fault.help()
    }
}

/// `line 4, column 13: /findings/0/line: 0 where …`
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.at)?;
        if !self.pointer.is_empty() {
            write!(f, "{}: ", Pointer(&self.pointer))?;
        }
        write!(f, "{}", self.fault)
    }
}

/// A pointer for people: keys may hold anything.
pub(super) struct Pointer<'a>(pub &'a str);

impl fmt::Display for Pointer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = self.0.len() <= 200 && !self.0.chars().any(acts);
        if plain { f.write_str(self.0) } else { quoted(self.0).fmt(f) }
    }
}

/// The kinds of fault, with their facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The file has no byte, or white space only.
    Empty,
    /// Bytes that no text has; `offset` counts from 0.
    NotUtf8 {
        offset: usize,
        byte: u8,
    },
    /// The file is UTF-16 or UTF-32.
    WideText,
    /// Larger than the limit, in bytes.
    TooLarge {
        limit: usize,
    },
    /// A Markdown fence that is opened and never closed.
    OpenFence,
    /// Text after the closing fence, or an info string that is not `json`.
    FenceText,
    /// Not JSON; `detail` is the parser's word, `found` the character it stumbled over.
    Syntax {
        detail: String,
        found: Option<char>,
        cause: Option<Cause>,
    },
    TrailingComma,
    TooDeep,
    /// A field that must be there is not; `near` is a key beside it that is nearly its name.
    Missing {
        field: &'static str,
        allowed: Allowed,
        near: Option<String>,
    },
    /// A value that is not allowed there.
    Value {
        found: Found,
        allowed: Allowed,
    },
    /// The key stands in its object already.
    DuplicateKey {
        key: String,
        first: Position,
    },
    /// An id that an earlier finding has.
    DuplicateId {
        id: String,
        first: String,
    },
    /// Two names of one field with different values.
    TwoNames {
        field: &'static str,
        found: Found,
        other: &'static str,
        other_found: Found,
    },
    /// A range's end without its start.
    EndWithoutLine,
    /// A text beyond its limit.
    TooLong {
        characters: usize,
        limit: usize,
    },
    /// A text beyond its limit in bytes.
    TooManyBytes {
        bytes: usize,
        limit: usize,
    },
    /// The envelope says that there is no review in it.
    ReviewerFailed {
        said: String,
    },
    /// A place that counts in the diff.
    DiffPosition,
    /// A result of a scanner without a text.
    NoMessage,
    /// An exchange without a line of a diff.
    EmptyPatch,
    /// More findings than are read.
    TooMany {
        found: usize,
        limit: usize,
    },
}

/// What stands in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    Null,
    Bool(bool),
    /// As written.
    Number(String),
    Text(String),
    List,
    Object,
}

/// What may stand there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allowed {
    Document,
    Object,
    Findings,
    Comments,
    Replies,
    Texts,
    List,
    Text,
    SomeText,
    OneLine,
    Markdown,
    Severity,
    OrchestraSeverity,
    Side,
    State,
    Line,
    LineOrZero,
    Confidence,
    Path,
    Id,
    Commit,
    Patch,
    Version,
}

impl Allowed {
    /// What is allowed, to stand behind "where" and before "is wanted".
    pub fn as_str(self) -> &'static str {
        match self {
            Allowed::Document => "an object with \"findings\"",
            Allowed::Object => "an object",
            Allowed::Findings => "a list of findings, which may be empty",
            Allowed::Comments => "a list of comments, or null for none",
            Allowed::Replies => "a list of replies",
            Allowed::Texts => "a list of texts",
            Allowed::List => "a list",
            Allowed::Text => "a text",
            Allowed::SomeText => "a text that is not blank",
            Allowed::OneLine => "one line of text that is not blank",
            Allowed::Markdown => "a Markdown text that is not blank",
            Allowed::Severity => "one of \"low\", \"medium\", \"high\"",
            Allowed::OrchestraSeverity => "one of \"blocker\", \"important\", \"minor\"",
            Allowed::Side => "\"RIGHT\" or \"LEFT\"",
            Allowed::State => "one of \"active\", \"dismissed\", \"orphaned\", \"stale\"",
            Allowed::Line => "a whole number from 1 to 4294967295",
            Allowed::LineOrZero => "a whole number from 0 to 4294967295",
            Allowed::Confidence => "a number from 0 to 1",
            Allowed::Path => "a file's path relative to the repository's root, without \"..\"",
            Allowed::Id => "a text of one line that is not blank",
            Allowed::Commit => "a full commit id of 40 or 64 hex digits",
            Allowed::Patch => "a unified diff, as a list of lines or as one text",
            Allowed::Version => "the number 1, the only version there is",
        }
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Found::Null => f.write_str("null"),
            Found::Bool(value) => write!(f, "{value}"),
            Found::Number(digits) => match digits.char_indices().nth(40) {
                Some((cut, _)) => write!(f, "{}…", &digits[..cut]),
                None => f.write_str(digits),
            },
            Found::Text(text) => quoted(text).fmt(f),
            Found::List => f.write_str("a list"),
            Found::Object => f.write_str("an object"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Empty => f.write_str("the file is empty"),
            Fault::NotUtf8 { offset, byte } => {
                write!(f, "not UTF-8: byte 0x{byte:02x} at offset {offset} belongs to no character")
            }
            Fault::WideText => f.write_str("not UTF-8: the file begins like UTF-16 or UTF-32"),
            Fault::TooLarge { limit } => write!(f, "the file is larger than {} MiB, the limit", limit >> 20),
            Fault::OpenFence => f.write_str("this Markdown fence is never closed"),
            Fault::FenceText => f.write_str("text beside the JSON document in its Markdown fence"),
            Fault::Syntax { detail, found, .. } => {
                write!(f, "not JSON: {detail}")?;
                found.map_or(Ok(()), |c| write!(f, ", found {}", quoted(c.encode_utf8(&mut [0; 4]))))
            }
            Fault::TrailingComma => f.write_str("not JSON: a comma with nothing after it"),
            Fault::TooDeep => write!(f, "nested deeper than {MAX_DEPTH} levels, the limit"),
            Fault::Missing { field, allowed, .. } => write!(f, "\"{field}\" is missing: it is {allowed}"),
            Fault::Value { found, allowed } => write!(f, "{found} where {allowed} is wanted"),
            Fault::DuplicateKey { key, first } => write!(f, "the key {} stands at {first} already", quoted(key)),
            Fault::DuplicateId { id, first } => {
                write!(f, "the id {} is that of {}; ids are unique", quoted(id), Pointer(first))
            }
            Fault::TwoNames { field, found, other, other_found } => write!(
                f,
                "\"{field}\" is {found} and \"{other}\" is {other_found}: they name one field and may stand together only with one value"
            ),
            Fault::EndWithoutLine => f.write_str("\"end_line\" without \"line\": a range needs its start"),
            Fault::TooLong { characters, limit } => {
                write!(f, "{characters} characters where at most {limit} are allowed")
            }
            Fault::TooManyBytes { bytes, limit } => write!(f, "{bytes} bytes where at most {limit} are allowed"),
            Fault::ReviewerFailed { said } => write!(f, "the reviewer failed, so this is no review: {}", quoted(said)),
            Fault::DiffPosition => f.write_str("\"position\" counts the lines of a diff that is not here"),
            Fault::NoMessage => f.write_str("the result has no text"),
            Fault::EmptyPatch => f.write_str("the patch is empty: an exchange carries the change that it is about"),
            Fault::TooMany { found, limit } => write!(f, "{found} findings where at most {limit} are read"),
        }
    }
}

impl Fault {
    fn help(&self) -> Option<String> {
        let help = match self {
            Fault::Empty => "a review without findings is {\"findings\": []}",
            Fault::NotUtf8 { .. } | Fault::WideText => "save the file as UTF-8",
            Fault::OpenFence => "close the fence, or take it away: the file may hold the bare JSON document",
            Fault::FenceText => Cause::FenceMark.help(),
            Fault::Syntax { cause: Some(cause), .. } => cause.help(),
            Fault::Syntax { detail, .. } if detail == "expected value" => {
                "the file must be one JSON document; `dai schema dai` prints what may stand in it"
            }
            Fault::TrailingComma => "take the comma away",
            Fault::Value { found: Found::Null, allowed: Allowed::Findings } => {
                "a review without findings is {\"findings\": []}"
            }
            Fault::ReviewerFailed { .. } => "let the reviewer run again",
            Fault::DiffPosition => "write \"line\", counted in the file, and \"side\"",
            Fault::EmptyPatch => "put the unified diff there, which `dai review convert --to exchange` does",
            Fault::Value { allowed: Allowed::Line, found: Found::Number(digits) } if digits == "0" => {
                "lines count from 1; leave the field out for a finding about the file as a whole"
            }
            Fault::Value { allowed: Allowed::Line | Allowed::LineOrZero, found } => match found {
                Found::Number(digits) if digits.contains(['.', 'e', 'E']) => "write a line's number in digits only",
                Found::Text(text) if text.len() <= 10 && text.parse::<u32>().is_ok() => {
                    return Some(format!("write the number without quotes: {text}"));
                }
                _ => return None,
            },
            Fault::Missing { field, near: Some(near), .. } => {
                return Some(format!("{} is no field: did you mean \"{field}\"?", quoted(near)));
            }
            Fault::TooMany { .. } | Fault::TooLarge { .. } => "split the review into several files",
            _ => return None,
        };
        Some(help.to_owned())
    }
}

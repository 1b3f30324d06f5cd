//! The one pass every posted word goes through, so that a model's text cannot act with a person's rights.

/// A text that may be posted, with what was done to it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Clean {
    pub text: String,
    pub edits: Vec<Edit>,
}

/// One kind of change, and how often it was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edit {
    pub kind: EditKind,
    pub count: usize,
}

/// What was taken away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EditKind {
    /// A line that a forge or a bot would run.
    Command,
}

/// A field of Markdown: a finding's body, the summary.
pub fn block(text: &str) -> Clean {
    Clean { text: text.to_owned(), edits: Vec::new() }
}

/// A field that stands inside a line: a path, a reason, `us`, one of `good`.
pub fn inline(text: &str) -> Clean {
    Clean { text: text.to_owned(), edits: Vec::new() }
}

//! What the pass did to a text, so that a preview can say it.

use std::collections::BTreeMap;
use std::fmt;

/// A text that may be posted, with what was done to it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Clean {
    pub text: String,
    /// Ordered by kind, each kind once; empty when the text passed byte for byte.
    pub edits: Vec<Edit>,
}

/// One kind of change, and how often it was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edit {
    pub kind: EditKind,
    pub count: usize,
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count {
            1 => write!(f, "{}", self.kind),
            count => write!(f, "{} ({count} times)", self.kind),
        }
    }
}

/// What was taken away. `Display` is the sentence for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EditKind {
    /// Control, bidi and invisible characters.
    Control,
    /// A carriage return.
    LineEnd,
    /// A line break in a field of one line.
    Joined,
    /// A token or a private key.
    Secret,
    /// A tag or a comment of HTML.
    Html,
    /// A line of prose that a forge or a bot would run.
    Command,
    /// The same in a code block that does not protect it.
    CommandInCode,
    /// GitLab's `>>>` quote block, which breaks fences.
    Quote,
    /// A line that looks like this program's own marker.
    Marker,
    /// A code block that was left open.
    OpenFence,
    /// A fence that offers its content for applying.
    Suggestion,
    Image,
    Mention,
    /// A short reference to an issue, a request, an epic or another project's commit.
    Reference,
    /// The address of an issue, a request or a commit.
    RequestUrl,
    /// A character that would open a block at the start of a field of one line.
    BlockStart,
    /// A back-tick without its partner, or a last backslash, in a field of one line.
    Loose,
    /// A name behind an `@` that is shown as code: a package, a decorator, a team.
    MentionAsCode,
    /// A label, a milestone, a snippet, an iteration or a placeholder of GitLab.
    Label,
    /// A formula.
    Maths,
    /// A fence that a forge draws or runs something for.
    Diagram,
    /// What is not plain text at a line's or a word's beginning: a task's box, a wiki link, a description.
    Marked,
    /// An address that is no plain `http(s)`, or that swallows what follows it.
    Address,
    /// A link that is no plain `http(s)`, or that leads elsewhere than its text says.
    Link,
    /// A command of a bot in code.
    BotCommand,
    /// A text that nobody would see.
    Unseen,
    /// A text that could not be settled otherwise, shown as code as a whole.
    AsCode,
}

impl fmt::Display for EditKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EditKind::Control => "control or invisible characters were removed",
            EditKind::LineEnd => "carriage returns became line ends",
            EditKind::Joined => "line breaks became spaces in a one-line field",
            EditKind::Secret => "a token or a key was replaced by [redacted]",
            EditKind::Html => "the < of a tag or a comment was written as &lt;",
            EditKind::Command => "a line that a forge or a bot would run as a command was escaped",
            EditKind::CommandInCode => "a line of code that a forge or a bot would run was moved in by one space",
            EditKind::Quote => "a line that begins with >>> was escaped",
            EditKind::Marker => "a line that imitates this program's marker was moved in by one space",
            EditKind::OpenFence => "a code block that was left open was closed",
            EditKind::Suggestion => "a suggestion block became a plain code block",
            EditKind::Image => "an image became a link",
            EditKind::Mention => "a mention was broken up so that it notifies nobody",
            EditKind::Reference => "a reference was broken up so that it leaves no trace elsewhere",
            EditKind::RequestUrl => "the address of an issue, a request or a commit became code",
            EditKind::BlockStart => "a character that would open a block was escaped",
            EditKind::Loose => "a character that would reach beyond its line was escaped",
            EditKind::MentionAsCode => "a name behind an @ became code, so that it notifies nobody and can be copied",
            EditKind::Label => "a short name that GitLab would link was broken up",
            EditKind::Maths => "a formula became code",
            EditKind::Diagram => "a block that the forge would draw became a plain code block",
            EditKind::Marked => "a box, a wiki link or a description was escaped",
            EditKind::Address => "an address that is not plain http(s) became code",
            EditKind::Link => {
                "a link that is not plain http(s), or whose text names another address, became text and code"
            }
            EditKind::BotCommand => {
                "a line of code that a bot would run got an invisible mark behind its first character"
            }
            EditKind::Unseen => "a text that would not be shown was escaped",
            EditKind::AsCode => "a text that could not be made safe as Markdown is shown as code",
        })
    }
}

/// Counts edits while texts are put together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tally(BTreeMap<EditKind, usize>);

impl Tally {
    pub(crate) fn add(&mut self, kind: EditKind, count: usize) {
        if count > 0 {
            *self.0.entry(kind).or_default() += count;
        }
    }

    /// Takes over what was done to a part, and hands out its text.
    pub(crate) fn take(&mut self, part: Clean) -> String {
        for edit in part.edits {
            self.add(edit.kind, edit.count);
        }
        part.text
    }

    pub(crate) fn merge(&mut self, other: &Tally) {
        for (kind, count) in &other.0 {
            self.add(*kind, *count);
        }
    }

    pub(crate) fn clean(self, text: String) -> Clean {
        let edits = self.0.into_iter().map(|(kind, count)| Edit { kind, count }).collect();
        Clean { text, edits }
    }
}

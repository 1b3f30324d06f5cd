//! The one table of formats: names, recognition, readers. Sniffing, `--input-format` and the words for
//! people follow from it.

use super::document::Document;
use super::finding::{Foreign, Format, Review};
use super::node::{Kind, Node};
use super::reading::Refused;
use super::{dai, exchange, foreign, orchestra};

/// What the program knows of a format.
pub struct FormatSpec {
    pub format: Format,
    /// For `--input-format`.
    pub name: &'static str,
    /// Whose it is, for people: `as Codex's`.
    pub whose: &'static str,
    /// Whether a document is of this format; asked in the table's order.
    detect: fn(&Shape<'_>) -> bool,
    pub(super) read: fn(&Document) -> Result<Review, Refused>,
}

/// Every format, in the order of recognition. Whatever none takes is ours.
pub const FORMATS: [FormatSpec; 12] = [
    FormatSpec {
        format: Format::Exchange,
        name: "exchange",
        whose: "leanreview's exchange",
        detect: |shape| shape.root.get("leanreview_review").is_some(),
        read: exchange::read_review,
    },
    FormatSpec {
        format: Format::Foreign(Foreign::Sarif),
        name: "sarif",
        whose: "SARIF",
        detect: |shape| shape.root.get("runs").is_some_and(|runs| matches!(runs.value.kind, Kind::List(_))),
        read: foreign::sarif,
    },
    FormatSpec {
        format: Format::Foreign(Foreign::RdJson),
        name: "rdjson",
        whose: "reviewdog's diagnostics",
        detect: |shape| shape.root.get("diagnostics").is_some_and(|list| matches!(list.value.kind, Kind::List(_))),
        read: foreign::rdjson,
    },
    FormatSpec {
        format: Format::Foreign(Foreign::Codex),
        name: "codex",
        whose: "Codex's",
        detect: |shape| shape.findings(&["code_location"], &[]),
        read: foreign::codex,
    },
    FormatSpec {
        format: Format::Orchestra,
        name: "orchestra",
        whose: "Orchestra's",
        detect: |shape| shape.findings(&["file", "claim"], &[]),
        read: orchestra::read,
    },
    FormatSpec {
        format: Format::Foreign(Foreign::CodexPlugin),
        name: "codex-plugin",
        whose: "the Codex review plugin's",
        detect: |shape| shape.findings(&["file"], &["line_start", "line_end"]),
        read: foreign::codex_plugin,
    },
    FormatSpec {
        format: Format::Foreign(Foreign::Security),
        name: "security-review",
        whose: "the security review's",
        detect: |shape| {
            let of = |has: &dyn Fn(&[&str], &[&str]) -> bool| has(&["file", "description"], &[]);
            of(&|all, any| shape.findings(all, any)) || of(&|all, any| shape.top(all, any))
        },
        read: foreign::security,
    },
    FormatSpec {
        format: Format::Foreign(Foreign::Claude),
        name: "claude",
        whose: "Claude Code's",
        detect: |shape| {
            let words = ["summary", "failure_scenario", "failureScenario"];
            let placed = |key: &str| shape.findings(&[key], &words) || shape.top(&[key], &words);
            placed("file") || placed("locations") || shape.is_empty_list()
        },
        read: foreign::claude,
    },
    FormatSpec {
        format: Format::Foreign(Foreign::Ultrareview),
        name: "ultrareview",
        whose: "Claude Code's ultrareview",
        detect: |shape| shape.findings(&["file_path", "pr_comment"], &[]),
        read: foreign::ultrareview,
    },
    FormatSpec {
        format: Format::Foreign(Foreign::GitHub),
        name: "github",
        whose: "GitHub's review JSON",
        detect: |shape| {
            let comments = shape.items("comments");
            // Ours has a severity: under a wrong name, its list is told of as such.
            let theirs = |node: &Node| has(node, "path") && has(node, "body") && !has(node, "severity");
            let list = if shape.root.get("findings").is_some() { &[][..] } else { comments };
            let empty = comments.is_empty() && has(shape.root, "comments") && has(shape.root, "event");
            list.iter().any(theirs) || shape.root.items().iter().any(theirs) || empty
        },
        read: foreign::github,
    },
    FormatSpec {
        format: Format::Foreign(Foreign::RdJsonLines),
        name: "rdjsonl",
        whose: "reviewdog's diagnostics",
        detect: |shape| {
            let one = |node: &Node| has(node, "message") && has(node, "location");
            shape.root.items().iter().any(one) || one(shape.root)
        },
        read: foreign::rdjsonl,
    },
    FormatSpec { format: Format::Dai, name: "dai", whose: "dai's", detect: |_| true, read: dai::read },
];

impl Format {
    pub fn spec(self) -> &'static FormatSpec {
        static LAST: &FormatSpec = &FORMATS[FORMATS.len() - 1];
        FORMATS.iter().find(|spec| spec.format == self).unwrap_or(LAST)
    }

    /// Whether its findings usually have one.
    pub fn gives_severity(self) -> bool {
        !matches!(self, Format::Exchange | Format::Foreign(Foreign::GitHub | Foreign::Claude))
    }

    /// The format of a name of the table.
    pub fn by_name(name: &str) -> Option<Self> {
        FORMATS.iter().find(|spec| spec.name == name).map(|spec| spec.format)
    }
}

/// The format of a document, by its content.
pub fn sniff(root: &Node) -> Format {
    let shape = Shape { root };
    FORMATS.iter().find(|spec| (spec.detect)(&shape)).map_or(Format::Dai, |spec| spec.format)
}

/// What recognition asks of a document.
struct Shape<'d> {
    root: &'d Node,
}

impl<'d> Shape<'d> {
    fn items(&self, key: &str) -> &'d [Node] {
        self.root.get(key).map_or(&[], |member| member.value.items())
    }

    /// Whether an element of `findings` has all of the first keys and, where there are some, any of the
    /// second; one with our own fields is never another format's.
    fn findings(&self, all: &[&str], any: &[&str]) -> bool {
        self.items("findings").iter().any(|node| !is_ours(node) && matches(node, all, any))
    }

    /// The same of the elements of a list that is the whole document.
    fn top(&self, all: &[&str], any: &[&str]) -> bool {
        self.root.items().iter().any(|node| !is_ours(node) && matches(node, all, any))
    }

    fn is_empty_list(&self) -> bool {
        matches!(&self.root.kind, Kind::List(items) if items.is_empty())
    }
}

fn has(node: &Node, key: &str) -> bool {
    node.get(key).is_some()
}

fn matches(node: &Node, all: &[&str], any: &[&str]) -> bool {
    all.iter().all(|key| has(node, key)) && (any.is_empty() || any.iter().any(|key| has(node, key)))
}

fn is_ours(node: &Node) -> bool {
    has(node, "path") && has(node, "body")
}

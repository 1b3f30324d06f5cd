//! The canonical writer: byte for byte what Go's `encoding/json` makes with an indent of two spaces
//! and without HTML escapes, which is what leanreview uses.

use std::collections::HashMap;
use std::fmt::Write as _;

use bytes::Bytes;

use super::document::{Answer, Comment, Comments, Exchange};
use super::grade::author;
use crate::change::patch::{self, Patch};
use crate::review::convert::LeftOut;
use crate::review::finding::{Finding, Reply, Review, Side, State};
use crate::review::path::candidates;

impl Exchange {
    /// The document, a newline at the end. Absent fields stay absent.
    pub fn write(&self) -> String {
        let mut out = Writer {
            exchange: self,
            text: String::new(),
            depth: 0,
            empty: true,
            times: HashMap::new(),
            at: Vec::new(),
        };
        out.object(|out| {
            out.key("leanreview_review");
            out.text.push('1');
            out.optional("title", self.title.as_deref());
            out.optional("summary", self.summary.as_deref());
            out.key("patch");
            out.list(self.lines(), |out, line| out.string(line));
            match &self.comments {
                Comments::Absent => {}
                Comments::Null => {
                    out.key("comments");
                    out.text.push_str("null");
                }
                Comments::List(list) => {
                    out.key("comments");
                    out.list(list, Writer::comment);
                }
            }
        });
        out.text.push('\n');
        out.text
    }

    /// The patch's lines without the empty ones at the end, which only a text's last newlines left
    /// behind; but for those that the last hunk counts.
    fn lines(&self) -> &[String] {
        let end = self.patch.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
        if end == self.patch.len() {
            return &self.patch;
        }
        let whole = self.diff();
        let lengths: Vec<_> = (end..=self.patch.len()).collect();
        let differs =
            |length: &usize| Exchange { patch: self.patch[..*length].to_vec(), ..Self::default() }.diff() != whole;
        let kept = lengths.get(lengths.partition_point(differs)).copied().unwrap_or(self.patch.len());
        &self.patch[..kept]
    }
}

struct Writer<'e> {
    exchange: &'e Exchange,
    text: String,
    depth: usize,
    /// Whether the innermost object or list has nothing in it yet.
    empty: bool,
    /// How often a text with a spelling of its own has been written.
    times: HashMap<&'e str, usize>,
    /// The numbers of the comment and of the reply that are being written.
    at: Vec<usize>,
}

impl<'e> Writer<'e> {
    fn comment(&mut self, comment: &Comment) {
        self.object(|out| {
            out.optional("id", comment.id.as_deref());
            out.optional("author", comment.author.as_deref());
            out.required("path", &comment.path);
            out.optional("side", comment.side.map(Side::as_str));
            out.number("start_line", comment.start_line);
            out.number("end_line", comment.end_line);
            out.required("body", &comment.body);
            out.optional("state", comment.state.map(State::as_str));
            out.optional("snippet", comment.snippet.as_deref());
            out.optional("at", comment.at.as_deref());
            if let Some(replies) = &comment.replies {
                out.key("replies");
                out.list(replies, Writer::reply);
            } else {
                out.absent("replies");
            }
        });
    }

    fn reply(&mut self, reply: &Answer) {
        self.object(|out| {
            out.optional("author", reply.author.as_deref());
            out.required("body", &reply.body);
            out.optional("at", reply.at.as_deref());
        });
    }

    fn object(&mut self, fields: impl FnOnce(&mut Self)) {
        self.within(['{', '}'], fields);
    }

    fn list<'a, T: 'a>(&mut self, items: impl IntoIterator<Item = &'a T>, item: impl Fn(&mut Self, &T)) {
        self.within(['[', ']'], |out| {
            for (index, one) in items.into_iter().enumerate() {
                out.next();
                out.at.push(index);
                item(out, one);
                out.at.pop();
                out.empty = false;
            }
        });
    }

    fn within(&mut self, [open, close]: [char; 2], inside: impl FnOnce(&mut Self)) {
        self.text.push(open);
        self.depth += 1;
        self.empty = true;
        inside(self);
        self.depth -= 1;
        if !self.empty {
            self.line();
        }
        self.text.push(close);
        self.empty = false;
    }

    /// The comma and the line before an element.
    fn next(&mut self) {
        if !self.empty {
            self.text.push(',');
        }
        self.empty = false;
        self.line();
    }

    fn line(&mut self) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n("  ", self.depth));
    }

    fn key(&mut self, key: &str) {
        self.next();
        self.string(key);
        self.text.push_str(": ");
    }

    fn required(&mut self, key: &str, value: &str) {
        self.key(key);
        self.string(value);
    }

    fn optional(&mut self, key: &str, value: Option<&str>) {
        match value {
            Some(value) => self.required(key, value),
            None => self.absent(key),
        }
    }

    /// A field without a value, in the file's own way.
    fn absent(&mut self, key: &str) {
        let nulls = &self.exchange.spelling.nulls;
        if nulls.is_empty() {
            return;
        }
        let object = match self.at[..] {
            [] => String::new(),
            [comment] => format!("/comments/{comment}"),
            [comment, reply, ..] => format!("/comments/{comment}/replies/{reply}"),
        };
        if nulls.contains(&format!("{object}/{key}")) {
            self.key(key);
            self.text.push_str("null");
        }
    }

    fn number(&mut self, key: &str, value: Option<u32>) {
        match value {
            Some(value) => {
                self.key(key);
                self.text.push_str(&value.to_string());
            }
            None => self.absent(key),
        }
    }

    /// Go escapes the two quotes, the control characters below space, and, for JavaScript's sake,
    /// the two line separators; `\u007f` and everything else it leaves alone.
    fn string(&mut self, value: impl AsRef<str>) {
        let value = value.as_ref();
        let spelling = &self.exchange.spelling;
        let mut replaced = self.replaced(value).iter();
        self.text.push('"');
        for c in value.chars() {
            let short = match c {
                '"' => "\\\"",
                '\\' => "\\\\",
                '\n' => "\\n",
                '\r' => "\\r",
                '\t' => "\\t",
                '\u{8}' if !spelling.long_controls => "\\b",
                '\u{c}' if !spelling.long_controls => "\\f",
                '\u{2028}' => "\\u2028",
                '\u{2029}' => "\\u2029",
                '\u{fffd}' if replaced.next() == Some(&true) => "\\ufffd",
                c if c < ' ' => {
                    // Writing into a string cannot fail.
                    let _ = write!(self.text, "\\u{:04x}", u32::from(c));
                    continue;
                }
                c => {
                    self.text.push(c);
                    continue;
                }
            };
            self.text.push_str(short);
        }
        self.text.push('"');
    }

    /// Which U+FFFD of a text are escaped, this time that it is written.
    fn replaced(&mut self, value: &str) -> &'e [bool] {
        let exchange: &'e Exchange = self.exchange;
        let Some((text, each)) = exchange.spelling.replaced.get_key_value(value) else { return &[] };
        let times = self.times.entry(text.as_str()).or_default();
        *times += 1;
        each.get(*times - 1).map_or(&[], Vec::as_slice)
    }
}

/// The path as the diff has it, where it has it.
fn spelled(finding: &Finding, diff: &Patch) -> String {
    let side = finding.place.map_or(Side::Right, |place| place.side);
    let known = |path: &String| diff.file(side, path).is_some();
    candidates(&finding.path).find(known).unwrap_or_else(|| finding.path.clone())
}

/// A review as an exchange on a unified diff, and what the format has no place for: the reviewed commit,
/// and the head's other fields. Severity and confidence go into the author, and paths are spelled as
/// the diff has them.
pub fn from_review(review: &Review, patch: &str) -> (Exchange, Vec<LeftOut>) {
    let heading = &review.heading;
    let mut left_out = LeftOut::fields([
        ("head", review.head.is_some()),
        ("reviewer", heading.reviewer.is_some()),
        ("us", heading.us.is_some()),
        ("version", heading.version.is_some()),
        ("checkStatus", heading.check_status.is_some()),
        ("dod", heading.dod.is_some()),
        ("good", !heading.good.is_empty()),
    ]);
    let diff = patch::parse(&Bytes::copy_from_slice(patch.as_bytes()));
    let answer = |reply: &Reply| Answer { author: reply.author.clone(), body: reply.body.clone(), at: None };
    let comments = review.findings.iter().map(|finding| {
        let mut comment = Comment {
            id: finding.id.clone(),
            author: author(finding),
            path: spelled(finding, &diff),
            side: finding.place.map(|place| place.side),
            start_line: finding.place.map(|place| place.range.start),
            end_line: finding.place.map(|place| place.range.end),
            body: finding.body.clone(),
            state: Some(finding.state),
            snippet: finding.snippet.clone(),
            at: None,
            replies: Some(finding.replies.iter().map(answer).collect::<Vec<_>>()).filter(|list| !list.is_empty()),
        };
        let state = comment.state_in(&diff);
        if state != finding.state {
            let what = if finding.place.is_some() { "place" } else { "file" };
            let why =
                format!("its {what} is not in the change's diff: it is written as orphaned, which is never posted");
            left_out.push(LeftOut::finding(finding, why));
            comment.state = Some(state);
        }
        comment
    });
    let comments: Vec<Comment> = comments.collect();
    let body = patch.strip_suffix('\n').unwrap_or(patch);
    let exchange = Exchange {
        title: heading.title.clone(),
        summary: heading.summary.clone(),
        patch: if patch.is_empty() { Vec::new() } else { body.split('\n').map(str::to_owned).collect() },
        comments: Comments::List(comments),
        ..Exchange::default()
    };
    (exchange, left_out)
}

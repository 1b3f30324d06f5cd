//! One JSON document out of a file: what may stand around it, strict syntax, and the tree.

use std::ops::Range;

use super::cause::cause;
use super::node::{Kind, Member, Node};
use super::problem::{Fault, Found, MAX_DEPTH, Problem};
use super::problems::Problems;
use super::source::{MARK, Source};
use super::strict::Strict;
use super::unescape::unescaped;

/// A file that is JSON. Offsets and spans are bytes of the file as it lies on the disk, a
/// byte-order mark and a Markdown fence included, so that a value can be replaced in place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    source: Source,
    json: Range<usize>,
    /// The pointer of `root` in the file: not empty where an envelope stands around it.
    base: String,
    root: Node,
}

impl Document {
    /// # Errors
    ///
    /// Gives the text back with its first fault: behind a fault of syntax nothing is sure.
    pub fn parse(source: Source) -> Result<Self, Box<(Source, Problem)>> {
        let parsed = envelope(source.text()).and_then(|json| {
            let root = strict(&source, json.clone())?;
            Ok((json, root))
        });
        match parsed {
            Ok((json, root)) => Ok(Self { source, json, base: String::new(), root }),
            Err((span, fault)) => {
                let problem = Problem::new(&source, "", span, fault);
                Err(Box::new((source, problem)))
            }
        }
    }

    /// JSON documents, one a line: a list of them, where the first line is one and more follow.
    pub(super) fn lines(source: Source) -> Option<Self> {
        let text = source.text();
        let mut items = Vec::new();
        let mut at = if text.starts_with(MARK) { MARK.len() } else { 0 };
        for line in text[at..].split_inclusive('\n') {
            if !line.trim().is_empty() {
                serde_json::from_str::<Strict>(line).ok()?;
                items.push(Node::parse(line, at).ok()?);
            }
            at += line.len();
        }
        let objects = items.iter().all(|item| matches!(item.kind, Kind::Object(_)));
        let json = 0..source.text().len();
        (items.len() > 1 && objects).then(|| Self { json, base: String::new(), root: Node::list(items), source })
    }

    /// The document that is a value of this one.
    pub(super) fn within(self, base: String, root: Node) -> Self {
        Self { json: root.span(), base, root, ..self }
    }

    /// The document that is the text of a value of this one; what is wrong with it is told at its place in the
    /// file.
    pub(super) fn inside(self, base: String, text: &Node) -> Result<Self, Problems> {
        let start = text.span().start + 1;
        let raw = &self.source.text()[start..text.span().end - 1];
        let (inner, places) = unescaped(raw).unwrap_or_default();
        let file = |at: usize| start + places.get(at).map_or(raw.len(), |at| *at as usize);
        match Self::parse(Source::new(self.source.name(), inner)) {
            Ok(document) => {
                let mut root = document.root;
                root.moved(&|at| u32::try_from(file(at as usize)).unwrap_or(u32::MAX));
                Ok(self.within(base, root))
            }
            Err(refused) => {
                let Problem { span, fault, .. } = refused.1;
                let problem = Problem::new(&self.source, base, file(span.start)..file(span.end), fault);
                Err(Problems::new(self.source.clone(), vec![problem]))
            }
        }
    }

    /// The pointer of [`Document::root`]; empty for the whole file.
    pub fn base(&self) -> &str {
        &self.base
    }

    pub fn source(&self) -> &Source {
        &self.source
    }

    pub fn into_source(self) -> Source {
        self.source
    }

    pub fn root(&self) -> &Node {
        &self.root
    }

    /// The JSON itself, without what stands around it.
    pub fn json(&self) -> &str {
        &self.source.text()[self.json.clone()]
    }

    /// The value at a JSON pointer, `None` where there is none. Of a duplicate key, the first.
    pub fn node(&self, pointer: &str) -> Option<&Node> {
        let pointer = pointer.strip_prefix(&*self.base).unwrap_or(pointer);
        pointer.split('/').skip(1).try_fold(&self.root, |node, token| {
            let token = token.replace("~1", "/").replace("~0", "~");
            match &node.kind {
                Kind::List(items) => items.get(token.parse::<usize>().ok()?),
                _ => node.get(&token).map(|member| &member.value),
            }
        })
    }

    /// The bytes of the value at a JSON pointer.
    pub fn span(&self, pointer: &str) -> Option<Range<usize>> {
        self.node(pointer).map(Node::span)
    }

    /// The bytes of the key at a JSON pointer, quotes included.
    pub fn key_span(&self, pointer: &str) -> Option<Range<usize>> {
        let (object, key) = pointer.rsplit_once('/')?;
        let key = key.replace("~1", "/").replace("~0", "~");
        self.node(object)?.get(&key).map(Member::key_span)
    }

    /// A value as it is written.
    pub fn raw(&self, node: &Node) -> &str {
        &self.source.text()[node.span()]
    }

    /// A value for a message.
    pub(super) fn found(&self, node: &Node) -> Found {
        match &node.kind {
            Kind::Null => Found::Null,
            Kind::Bool(value) => Found::Bool(*value),
            Kind::Number => Found::Number(self.raw(node).to_owned()),
            Kind::Text(text) => Found::Text(text.to_string()),
            Kind::List(_) => Found::List,
            Kind::Object(_) => Found::Object,
        }
    }
}

type Faulty<T> = Result<T, (Range<usize>, Fault)>;

/// Where the JSON lies: after a byte-order mark, and inside one Markdown fence around everything.
fn envelope(text: &str) -> Faulty<Range<usize>> {
    let after_mark = if text.starts_with(MARK) { MARK.len() } else { 0 };
    let body = text[after_mark..].trim_matches(is_space);
    if body.is_empty() {
        return Err((after_mark..after_mark, Fault::Empty));
    }
    let start = text.len() - text[after_mark..].trim_start_matches(is_space).len();
    let end = start + body.len();
    let Some(mark) = body.chars().next().filter(|c| matches!(c, '`' | '~')) else { return Ok(start..end) };
    let ticks = body.len() - body.trim_start_matches(mark).len();
    if ticks < 3 {
        return Ok(start..end);
    }
    let fence = start..start + ticks;
    let (first, inner) = body.split_once('\n').ok_or((fence.clone(), Fault::OpenFence))?;
    let info = first[ticks..].trim();
    if !(info.is_empty() || info.eq_ignore_ascii_case("json")) {
        let at = start + ticks;
        return Err((at..start + first.trim_end().len(), Fault::FenceText));
    }
    // A line of JSON never is a run of back-ticks or tildes, so the first such line is the end.
    let from = start + first.len() + 1;
    let mut at = from;
    for line in inner.split_inclusive('\n') {
        let bare = line.trim_matches(is_space);
        if bare.len() >= ticks && bare.chars().all(|c| c == mark) {
            let rest = at + line.len();
            let after = text[rest..end].trim_start_matches(is_space);
            return if after.is_empty() { Ok(from..at) } else { Err((end - after.len()..end, Fault::FenceText)) };
        }
        at += line.len();
    }
    Err((fence, Fault::OpenFence))
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// Strict syntax first, which also refuses lone surrogates and numbers beyond all bounds; the raw
/// values that carry the places would let both pass.
fn strict(source: &Source, json: Range<usize>) -> Faulty<Node> {
    let text = &source.text()[json.clone()];
    if text.trim_matches(is_space).is_empty() {
        return Err((json.start..json.start, Fault::Empty));
    }
    serde_json::from_str::<Strict>(text)
        .and_then(|_| Node::parse(text, json.start))
        .map_err(|error| syntax(source, json, &error))
}

/// Where the parser stopped, as bytes of the file, and why.
fn syntax(source: &Source, json: Range<usize>, error: &serde_json::Error) -> (Range<usize>, Fault) {
    let text = &source.text()[json.clone()];
    // The parser's column counts bytes of the line up to and including the one it stopped at, and
    // is 0 where that is the line's end before.
    let start = match error.line() {
        0 | 1 => 0,
        line => {
            text.bytes().enumerate().filter(|(_, b)| *b == b'\n').nth(line - 2).map_or(text.len(), |(at, _)| at + 1)
        }
    };
    let offset = source.floor(json.start + (start + error.column()).saturating_sub(1).min(text.len()));
    let whole = error.to_string();
    let detail = whole.rsplit_once(" at line ").map_or(&*whole, |(detail, _)| detail);
    let found = source.text()[offset..json.end].chars().next();
    let here = offset..offset + found.map_or(0, char::len_utf8);
    if detail == "recursion limit exceeded" {
        return (here, Fault::TooDeep);
    }
    if detail == "trailing comma" {
        let before = source.text()[json.start..offset].trim_end_matches(is_space);
        let comma = json.start + before.len() - usize::from(before.ends_with(','));
        return (comma..json.start + before.len(), Fault::TrailingComma);
    }
    let found = found.filter(|_| !error.is_eof());
    let cause = cause(detail, &source.text()[json.start..offset], &source.text()[offset..json.end]);
    (here, Fault::Syntax { detail: detail.to_owned(), found, cause })
}

/// The limit that the parser itself keeps.
const _: () = assert!(MAX_DEPTH == 128);

#[cfg(test)]
mod tests {
    use super::{Document, Fault, Problem, Source};
    use crate::review::source::Position;

    fn parse(text: &str) -> Result<Document, Box<Problem>> {
        Document::parse(Source::new("f.json", text)).map_err(|refused| Box::new(refused.1))
    }

    #[test]
    fn c26_a_mark_and_one_fence_are_accepted_and_offsets_are_the_files() {
        for text in [
            "{\"a\": [1]}",
            "\u{feff}{\"a\": [1]}",
            "```json\n{\"a\": [1]}\n```\n",
            "```\n{\"a\":\n [1]}\n```",
            "\u{feff}\r\n```JSON \r\n{\"a\": [1]}\r\n``` \r\n\r\n",
            "~~~~json\n{\"a\": [1]}\n~~~~",
            "````\n{\"a\": [1]}\n`````\n",
        ] {
            let document = parse(text).unwrap_or_else(|problem| panic!("{text:?}: {problem}"));
            assert_eq!(&text[document.span("/a").unwrap()], "[1]", "{text:?}");
            assert_eq!(&text[document.span("/a/0").unwrap()], "1");
            assert_eq!(&text[document.key_span("/a").unwrap()], "\"a\"");
            assert_eq!(document.span("/b"), None);
            assert_eq!(document.span("/a/1"), None);
        }
    }

    #[test]
    fn what_is_no_document_is_pointed_at() {
        let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        let syntax = |detail: &str, found| Fault::Syntax { detail: detail.to_owned(), found, cause: None };
        for (text, line, column, fault) in [
            (String::new(), 1, 1, Fault::Empty),
            ("\u{feff} \n".into(), 1, 1, Fault::Empty),
            ("```json\n\n```".into(), 2, 1, Fault::Empty),
            ("```json\n{}\n".into(), 1, 1, Fault::OpenFence),
            ("```".into(), 1, 1, Fault::OpenFence),
            ("```python\n{}\n```".into(), 1, 4, Fault::FenceText),
            ("```json\n{}\n```\n\nThat is all.\n".into(), 5, 1, Fault::FenceText),
            ("{\n \"a\": [1,\n 2 ,\n ]\n}".into(), 3, 4, Fault::TrailingComma),
            ("{\"é\": 1,}".into(), 1, 8, Fault::TrailingComma),
            (deep(10_000), 1, 128, Fault::TooDeep),
            (deep(100_000), 1, 128, Fault::TooDeep),
            ("{\"é\": \0}".into(), 1, 7, syntax("expected value", Some('\0'))),
            ("{\"a\": 'b'}".into(), 1, 7, syntax("expected value", Some('\''))),
            ("{\"a\": 1 // one\n}".into(), 1, 9, syntax("expected `,` or `}`", Some('/'))),
            ("Here it is: {}".into(), 1, 1, syntax("expected value", Some('H'))),
            ("{\"a\": 1} {}".into(), 1, 10, syntax("trailing characters", Some('{'))),
        ] {
            let mut problem = parse(&text).unwrap_err();
            if let Fault::Syntax { cause, .. } = &mut problem.fault {
                *cause = None;
            }
            assert_eq!((problem.at, &problem.fault), (Position { line, column }, &fault), "{text:.60?}");
        }
        assert!(parse(&deep(127)).is_ok());
    }

    #[test]
    fn a_text_cut_short_or_broken_inside_is_no_json() {
        for text in
            ["{\"a\": \"b", "{\"a\"", "\"\n\"", "\"\\ud800\"", "[1e999]", "[01]", "{\"a\": NaN}", "{a: 1}", "[1 2]"]
        {
            assert!(matches!(parse(text).unwrap_err().fault, Fault::Syntax { .. }), "{text:?}");
        }
    }
}

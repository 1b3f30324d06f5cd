//! Which part of a text is code, which is a link, which is HTML: the forge's own view, by byte range.
//!
//! The parser's positions are exact but for two places (a paragraph under a link's definition, a table's
//! cell with an escaped pipe), which are put right here. A position at which the source does not show
//! what the tree says is left out: what is then taken for prose loses beauty, and the proof looks at
//! the tree itself.

use std::ops::Range;

use comrak::nodes::{Node, NodeValue, Sourcepos};

use super::edit::EditKind;
use crate::text::Dialect;
use crate::text::dialect::Places;

/// A code block, fences included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CodeBlock {
    pub range: Range<usize>,
    /// The info string with its escapes resolved; `None` for an indented block.
    pub info: Option<String>,
    pub closed: bool,
    /// Not inside a list, a quote or a footnote.
    pub top: bool,
}

/// A link that is not an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Link {
    pub range: Range<usize>,
    /// What readers see of it; for `<https://…>` what stands between the brackets.
    pub text: Range<usize>,
    /// With its escapes resolved.
    pub target: String,
    pub kind: LinkKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinkKind {
    /// `<https://…>`, `<a@b.c>`.
    Auto,
    /// `https://…`, `www.…`, `a@b.c`.
    Bare,
    /// `[text](target)`, `[text][label]`, `[label]`.
    Bracketed,
}

/// A text's structure. All lists are in the order of the text.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub blocks: Vec<CodeBlock>,
    /// Code blocks and code spans, fences and back-ticks included; disjoint.
    pub code: Vec<Range<usize>>,
    pub html_blocks: Vec<Range<usize>>,
    /// Where tags in a line begin.
    pub tags: Vec<usize>,
    /// Links, an enclosing one before those inside it.
    pub links: Vec<Link>,
    pub images: Vec<Range<usize>>,
    pub maths: Vec<Range<usize>>,
    /// The tildes of struck-through words.
    pub tildes: Vec<Range<usize>>,
    /// The first character of whatever one backslash makes plain: `[[…]]`, a task's box, GitLab's `>>>`
    /// in lists and quotes, the `:` of a description.
    pub plain: Vec<(usize, EditKind)>,
    /// Whether a reader sees a word or a sign of it.
    pub visible: bool,
}

/// How the positions in a paragraph or a cell are to be read.
enum Frame {
    Exact,
    /// Definitions of links stood before it in the same paragraph, on so many lines.
    Below(usize),
    /// In the cell that begins here the parser does not count the backslash of `\|`.
    Cell(usize),
}

impl Layout {
    pub(super) fn of(text: &str, dialect: Dialect) -> Self {
        dialect.parse(text, |root, places| {
            let mut reader = Reader { text, places, layout: Layout::default(), frame: Frame::Exact };
            for node in root.descendants() {
                reader.node(node);
            }
            let mut layout = reader.layout;
            layout.code.sort_by_key(|range| range.start);
            layout
        })
    }

    /// Whether a place is in code.
    pub(super) fn in_code(&self, at: usize) -> bool {
        let after = self.code.partition_point(|code| code.end <= at);
        self.code.get(after).is_some_and(|code| code.start <= at)
    }
}

struct Reader<'t, 'p> {
    text: &'t str,
    places: &'p Places<'t>,
    layout: Layout,
    frame: Frame,
}

impl Reader<'_, '_> {
    fn node<'a>(&mut self, node: Node<'a>) {
        let data = node.data();
        let place = data.sourcepos;
        match &data.value {
            NodeValue::Paragraph | NodeValue::Heading(_) => self.frame = self.frame_of(node),
            NodeValue::TableCell => {
                let cell = self.places.range(place).filter(|cell| self.text[cell.clone()].contains("\\|"));
                self.frame = cell.map_or(Frame::Exact, |cell| Frame::Cell(cell.start));
            }
            NodeValue::CodeBlock(block) => {
                if let Some(range) = self.places.range(place) {
                    self.layout.code.push(range.clone());
                    let info = block.fenced.then(|| block.info.clone());
                    let top = node.parent().is_some_and(|parent| matches!(parent.data().value, NodeValue::Document));
                    self.layout.blocks.push(CodeBlock { range, info, closed: block.closed, top });
                }
                self.layout.visible = true;
            }
            NodeValue::HtmlBlock(_) => self.layout.html_blocks.extend(self.places.range(place)),
            NodeValue::MultilineBlockQuote(_) => self.plain_at(place, ">>>", EditKind::Quote),
            NodeValue::DescriptionDetails => self.plain_at(place, ":", EditKind::Marked),
            NodeValue::TaskItem(task) => {
                let symbol = task.symbol_sourcepos;
                let at = self.places.range(symbol).and_then(|symbol| symbol.start.checked_sub(1));
                let at = at.filter(|at| self.text.is_char_boundary(*at) && self.shows(*at, "["));
                self.layout.plain.extend(at.map(|at| (at, EditKind::Marked)));
            }
            NodeValue::Text(text) => self.layout.visible |= text.chars().any(is_visible),
            _ => self.inline(node, &data.value, place),
        }
    }

    fn inline<'a>(&mut self, node: Node<'a>, value: &NodeValue, place: Sourcepos) {
        if let NodeValue::Code(code) = value {
            self.layout.visible |= !code.literal.trim().is_empty();
        }
        let Some(range) = self.range(place, &self.frame).filter(|range| is_shown(&self.text[range.clone()], value))
        else {
            return;
        };
        match value {
            NodeValue::Code(_) => self.layout.code.push(range),
            NodeValue::HtmlInline(_) => self.layout.tags.push(range.start),
            NodeValue::Image(_) => self.layout.images.push(range),
            NodeValue::Math(_) => self.layout.maths.push(range),
            NodeValue::Strikethrough => {
                let source = &self.text[range.clone()];
                let begin = source.len() - source.trim_start_matches('~').len();
                let end = source.len() - source.trim_end_matches('~').len();
                if begin + end < source.len() {
                    self.layout.tildes.extend([range.start..range.start + begin, range.end - end..range.end]);
                }
            }
            NodeValue::WikiLink(_) => self.layout.plain.push((range.start, EditKind::Marked)),
            NodeValue::Link(link) => {
                let source = &self.text[range.clone()];
                let (kind, text) = match source.as_bytes()[0] {
                    b'<' => (LinkKind::Auto, range.start + 1..range.end - 1),
                    b'[' => (LinkKind::Bracketed, self.link_text(node, &range)),
                    _ => (LinkKind::Bare, range.clone()),
                };
                self.layout.links.push(Link { range, text, target: link.url.clone(), kind });
            }
            _ => {}
        }
    }

    /// A link's text ends at the bracket after its last content.
    fn link_text<'a>(&self, node: Node<'a>, range: &Range<usize>) -> Range<usize> {
        let last = node.last_child().and_then(|child| self.range(child.data().sourcepos, &self.frame));
        let from = last.map_or(range.start + 1, |last| last.end).clamp(range.start + 1, range.end);
        let end = self.text[from..range.end].find(']').map_or(range.end, |found| from + found);
        range.start + 1..end
    }

    fn plain_at(&mut self, place: Sourcepos, shown: &str, kind: EditKind) {
        let at = self.places.range(place).map(|range| range.start).filter(|at| self.shows(*at, shown));
        self.layout.plain.extend(at.map(|at| (at, kind)));
    }

    fn shows(&self, at: usize, text: &str) -> bool {
        self.text[at..].starts_with(text)
    }

    fn range(&self, place: Sourcepos, frame: &Frame) -> Option<Range<usize>> {
        match frame {
            Frame::Exact => self.places.range(place),
            Frame::Below(lines) => {
                let mut place = place;
                place.start.line += lines;
                place.end.line += lines;
                self.places.range(place)
            }
            Frame::Cell(start) => {
                let range = self.places.range(place)?;
                let (start, end) = (cell(self.text, *start, range.start)?, cell(self.text, *start, range.end)?);
                (start < end).then_some(start..end)
            }
        }
    }

    /// The first number of lines to move the paragraph's positions by, so that its source shows its tree.
    fn frame_of<'a>(&self, paragraph: Node<'a>) -> Frame {
        /// No paragraph has more definitions before its words that is not written to have them.
        const MOST: usize = 64;
        let place = paragraph.data().sourcepos;
        let begins = self.places.range(place).is_some_and(|range| self.shows(range.start, "["));
        if !begins {
            return Frame::Exact;
        }
        let shown = |frame: &Frame| {
            paragraph.descendants().all(|node| {
                let data = node.data();
                !is_checked(&data.value)
                    || self.range(data.sourcepos, frame).is_some_and(|range| is_shown(&self.text[range], &data.value))
            })
        };
        let lines = place.end.line.saturating_sub(place.start.line).min(MOST);
        if shown(&Frame::Exact) {
            return Frame::Exact;
        }
        (1..=lines).map(Frame::Below).find(|frame| shown(frame)).unwrap_or(Frame::Exact)
    }
}

/// Where a byte of an unescaped cell is in its source.
fn cell(text: &str, start: usize, at: usize) -> Option<usize> {
    let mut left = at.checked_sub(start)?;
    let mut at = start;
    while left > 0 {
        if text.as_bytes().get(at) == Some(&b'\\') && text.as_bytes().get(at + 1) == Some(&b'|') {
            at += 1;
        }
        at += 1;
        left -= 1;
    }
    (at <= text.len() && text.is_char_boundary(at)).then_some(at)
}

fn is_visible(c: char) -> bool {
    !c.is_whitespace() && !matches!(c, '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{AD}' | '\u{FEFF}')
}

fn is_checked(value: &NodeValue) -> bool {
    matches!(
        value,
        NodeValue::Code(_)
            | NodeValue::HtmlInline(_)
            | NodeValue::Image(_)
            | NodeValue::Math(_)
            | NodeValue::WikiLink(_)
            | NodeValue::Link(_)
    )
}

/// Whether the source begins and ends as what the tree says it is.
fn is_shown(source: &str, value: &NodeValue) -> bool {
    match value {
        NodeValue::Code(code) => {
            let fence = "`".repeat(code.num_backticks);
            let inner = source.strip_prefix(&*fence).and_then(|rest| rest.strip_suffix(&*fence));
            inner.is_some_and(|inner| !inner.is_empty() && !inner.starts_with('`') && !inner.ends_with('`'))
        }
        NodeValue::HtmlInline(_) => source.starts_with('<') && source.ends_with('>'),
        NodeValue::Image(_) => source.starts_with("![") && source.ends_with([')', ']']),
        NodeValue::Math(_) => source.starts_with('$') && source.ends_with('$'),
        NodeValue::WikiLink(_) => source.starts_with("[[") && source.ends_with("]]"),
        NodeValue::Link(_) if source.starts_with('<') => source.ends_with('>'),
        NodeValue::Link(_) if source.starts_with('[') => source.ends_with([')', ']']),
        NodeValue::Link(link) => {
            let same =
                link.url == source || link.url.strip_suffix(source).is_some_and(|lead| lead.ends_with([':', '/']));
            // An entity in an address is resolved.
            same || (source.contains('&') && !source.contains(char::is_whitespace))
        }
        _ => true,
    }
}

//! Which part of a text is code, which is a link, which is HTML: CommonMark's own view, by byte range.

use std::collections::HashSet;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

/// A code block, fences included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CodeBlock {
    pub range: Range<usize>,
    /// The info string with its escapes resolved; `None` for an indented block.
    pub info: Option<String>,
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
    /// Links, an enclosing one before those inside it.
    pub links: Vec<Link>,
    pub images: Vec<Range<usize>>,
}

impl Layout {
    pub(super) fn of(text: &str) -> Self {
        // What both forges have on top of CommonMark. Mathematics is left out: what is in it counts
        // as prose, which is the careful side.
        let options = Options::ENABLE_TABLES
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_TASKLISTS
            | Options::ENABLE_GFM;
        let mut layout = Layout::default();
        let mut depth = 0_usize;
        let mut tables: Vec<Range<usize>> = Vec::new();
        // Links that are open, by index, and how far their content goes.
        let mut open: Vec<(usize, Option<Range<usize>>)> = Vec::new();
        for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
            if let (Some((at, content)), false) = (open.last_mut(), matches!(event, Event::End(TagEnd::Link)))
                && range != layout.links[*at].range
            {
                let start = content.as_ref().map_or(range.start, |content| content.start);
                *content = Some(start..content.as_ref().map_or(range.end, |content| content.end.max(range.end)));
            }
            match event {
                Event::Start(tag) => {
                    match tag {
                        Tag::CodeBlock(kind) => layout.code_block(range, kind, depth == 0),
                        Tag::Table(_) => tables.push(range),
                        Tag::HtmlBlock => layout.html_blocks.push(range),
                        Tag::Image { .. } => layout.images.push(range),
                        Tag::Link { link_type, dest_url, .. } => {
                            open.push((layout.links.len(), None));
                            layout.link(range, link_type, &dest_url);
                        }
                        _ => {}
                    }
                    depth += 1;
                }
                Event::End(end) => {
                    depth -= 1;
                    if end == TagEnd::Link
                        && let Some((at, content)) = open.pop()
                    {
                        layout.close(text, at, content);
                    }
                }
                Event::Code(_) => layout.code.push(range),
                _ => {}
            }
        }
        if layout.has_hidden_table(text, &tables) {
            let blocks: HashSet<usize> = layout.blocks.iter().map(|block| block.range.start).collect();
            layout.code.retain(|code| blocks.contains(&code.start) || !text[code.clone()].contains('|'));
        }
        layout
    }

    /// Whether a line looks like the one under a table's head, and there is no table to this parser.
    ///
    /// GitHub takes the last line of a paragraph for such a head (cmark-gfm: `extensions/table.c`), and
    /// the cells' borders cut through code spans.
    fn has_hidden_table(&self, text: &str, tables: &[Range<usize>]) -> bool {
        let mut seen: Vec<&Range<usize>> = tables.iter().chain(self.blocks.iter().map(|block| &block.range)).collect();
        seen.sort_by_key(|range| range.start);
        let mut seen = seen.into_iter().peekable();
        let mut start = 0;
        text.split_inclusive('\n').any(|line| {
            let end = start + line.len();
            start = end;
            while seen.next_if(|range| range.end < end).is_some() {}
            let looks = line.contains('|') && line.contains('-') && line.trim_end().trim_matches(in_rule).is_empty();
            looks && seen.peek().is_none_or(|range| range.start >= end)
        })
    }

    fn code_block(&mut self, range: Range<usize>, kind: CodeBlockKind<'_>, top: bool) {
        self.code.push(range.clone());
        let info = match kind {
            CodeBlockKind::Fenced(info) => Some(info.into_string()),
            CodeBlockKind::Indented => None,
        };
        self.blocks.push(CodeBlock { range, info, top });
    }

    fn link(&mut self, range: Range<usize>, kind: LinkType, target: &str) {
        let kind = match kind {
            LinkType::Autolink | LinkType::Email => LinkKind::Auto,
            _ => LinkKind::Bracketed,
        };
        self.links.push(Link { text: range.start + 1..range.end - 1, range, target: target.to_owned(), kind });
    }

    /// Sets where a link's text ends: at the bracket after its last content.
    fn close(&mut self, text: &str, at: usize, content: Option<Range<usize>>) {
        let link = &mut self.links[at];
        if link.kind == LinkKind::Auto {
            return;
        }
        let from = content.map_or(link.range.start + 1, |content| content.end);
        let end = text[from..link.range.end].find(']').map_or(link.range.end, |found| from + found);
        link.text = link.range.start + 1..end;
    }

    /// Whether a place is in code.
    pub(super) fn in_code(&self, at: usize) -> bool {
        let after = self.code.partition_point(|code| code.end <= at);
        self.code.get(after).is_some_and(|code| code.start <= at)
    }
}

fn in_rule(c: char) -> bool {
    matches!(c, '-' | ':' | '|' | '>' | ' ' | '\t')
}

//! The two forges' Markdown, as options of one parser.

use std::ops::Range;

use comrak::nodes::{Node, NodeValue, Sourcepos};
use comrak::{Arena, Options, parse_document};

/// Whose Markdown a text is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    GitHub,
    GitLab,
}

impl Dialect {
    /// What the forge's own parser has on top of CommonMark.
    ///
    /// GitHub: cmark-gfm with its extensions table, strikethrough, autolink and tasklist, and footnotes
    /// (github.com/github/cmark-gfm); mathematics by its documentation ("Writing mathematical expressions").
    ///
    /// GitLab: comrak with the options of `lib/banzai/filter/markdown_engines/glfm_engine.rb` and of the
    /// gem `gitlab-glfm-markdown`. Task lists are found there by a later filter; here they are on, so
    /// that there is one way to see them. Spans around escaped characters are off: what is escaped
    /// counts as written plainly, which is the careful side. Alerts are off for both: they are quotes with a
    /// heading, and looking for them takes time that grows with the square of a quote's depth.
    pub(super) fn options(self) -> Options<'static> {
        let mut options = Options::default();
        let extension = &mut options.extension;
        extension.table = true;
        extension.strikethrough = true;
        extension.autolink = true;
        extension.tasklist = true;
        extension.footnotes = true;
        extension.math_dollars = true;
        extension.math_code = true;
        if self == Dialect::GitLab {
            extension.description_lists = true;
            extension.multiline_block_quotes = true;
            extension.wikilinks_title_before_pipe = true;
            options.parse.relaxed_autolinks = true;
            options.parse.relaxed_tasklist_matching = true;
            options.parse.tasklist_in_table = true;
        }
        options
    }

    /// Parses a text and hands its tree to `read`.
    pub(super) fn parse<T>(self, text: &str, read: impl for<'a> FnOnce(Node<'a>, &Places<'_>) -> T) -> T {
        let arena = Arena::new();
        let root = parse_document(&arena, text, &self.options());
        read(root, &Places::of(text))
    }
}

/// The lines of a text that no code block and no quote has in it.
pub fn plain_lines(text: &str, dialect: Dialect) -> Vec<Range<usize>> {
    dialect.parse(text, |root, places| {
        let hidden: Vec<Range<usize>> = root
            .descendants()
            .filter(|node| {
                matches!(
                    node.data().value,
                    NodeValue::CodeBlock(_) | NodeValue::BlockQuote | NodeValue::MultilineBlockQuote(_)
                )
            })
            .filter_map(|node| places.range(node.data().sourcepos))
            .collect();
        // Nodes come in the order of their beginnings.
        let (mut hidden, mut reach) = (hidden.into_iter().peekable(), 0);
        let plain = move |line: &Range<usize>| {
            while let Some(range) = hidden.next_if(|range| range.start <= line.end) {
                reach = reach.max(range.end);
            }
            reach <= line.start
        };
        places.lines().filter(plain).collect()
    })
}

/// Where the parser's lines and columns are in a text.
pub(super) struct Places<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Places<'a> {
    fn of(text: &'a str) -> Self {
        let mut starts = vec![0];
        let bytes = text.as_bytes();
        starts.extend(bytes.iter().enumerate().filter_map(|(at, byte)| match byte {
            b'\n' => Some(at + 1),
            b'\r' if bytes.get(at + 1) != Some(&b'\n') => Some(at + 1),
            _ => None,
        }));
        Self { text, starts }
    }

    /// The bytes of a node; none where the parser's position is none in the text.
    pub(super) fn range(&self, place: Sourcepos) -> Option<Range<usize>> {
        let start = self.starts.get(place.start.line.checked_sub(1)?)? + place.start.column.checked_sub(1)?;
        let end = self.starts.get(place.end.line.checked_sub(1)?)? + place.end.column;
        (start < end && self.text.is_char_boundary(start) && self.text.is_char_boundary(end)).then_some(start..end)
    }

    fn lines(&self) -> impl Iterator<Item = Range<usize>> {
        let ends = self.starts.iter().skip(1).copied().chain([self.text.len()]);
        self.starts.iter().copied().zip(ends).map(|(start, end)| {
            let line = self.text[start..end].trim_end_matches(['\n', '\r']);
            start..start + line.len()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str, dialect: Dialect) -> Vec<&str> {
        plain_lines(text, dialect).into_iter().map(|line| &text[line]).filter(|line| line.contains('!')).collect()
    }

    #[test]
    fn lines_in_code_and_in_quotes_are_not_plain() {
        let text = "<!a>\n\n> <!b>\n\n```\n<!c>\n```\n\n    <!d>\n\n- ~~~\n  <!e>\n  ~~~\n\n<!f>\n\n> [!NOTE]\n> <!g>\n\nx\n<!h>\r\n<!i>";
        for dialect in [Dialect::GitHub, Dialect::GitLab] {
            assert_eq!(plain(text, dialect), ["<!a>", "<!f>", "<!h>", "<!i>"], "{dialect:?}");
        }
    }

    #[test]
    fn gitlabs_quotes_of_many_lines_are_quotes_there_only() {
        assert_eq!(plain(">>>\n<!a>\n>>>\n\n<!b>", Dialect::GitLab), ["<!b>"]);
        assert_eq!(plain("a\n\n<!a>\n\n<!b>", Dialect::GitHub), ["<!a>", "<!b>"]);
    }
}

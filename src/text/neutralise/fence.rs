//! Which code blocks really keep GitLab's quick actions from running.
//!
//! GitLab looks for commands in the raw text. Its extractor takes three things out before it looks
//! (GitLab: `lib/gitlab/quick_actions/extractor.rb`): from a line that begins with three back-ticks to
//! the next line that is exactly three, from a line `<…>` to the next line `</…>`, and between two
//! lines of `>>>`. Whatever comes first eats the openers inside it, so that a fence in the eyes of
//! CommonMark may be none in GitLab's. A fence protects only where both views have it, line for line.

use std::ops::Range;

use super::layout::Layout;

/// The fences that protect their content: from the first byte of the opening line to the last of the
/// closing one. All are top-level, begin at column 0, and have exactly three back-ticks.
pub(super) fn protecting(text: &str, layout: &Layout) -> Vec<Range<usize>> {
    let raw = raw_fences(text);
    let by_commonmark = layout.blocks.iter().filter(|block| block.top && block.info.is_some()).map(|block| {
        let end = block.range.start + text[block.range.clone()].trim_end_matches('\n').len();
        block.range.start..end
    });
    by_commonmark
        .filter(|fence| raw.binary_search_by_key(&fence.start, |raw| raw.start).is_ok_and(|at| raw[at] == *fence))
        .collect()
}

/// The fences that GitLab's extractor sees, up to the first stray `>>>`: what comes after one may be
/// taken for a quote.
fn raw_fences(text: &str) -> Vec<Range<usize>> {
    let lines = Lines::of(text);
    let mut fences = Vec::new();
    let mut at = 0;
    while at < lines.starts.len() {
        let line = lines.text(at);
        let next = if line.starts_with(">>>") {
            break;
        } else if let Some(rest) = line.strip_prefix("```") {
            // Something must stand between the two, if only a line end.
            let close = lines.next_fence[(at + if rest.is_empty() { 2 } else { 1 }).min(lines.starts.len())];
            if let Some(close) = close {
                // More than three, or a back-tick in the info string, is no fence of three to CommonMark.
                if !rest.contains('`') {
                    fences.push(lines.starts[at]..lines.end(close));
                }
            }
            close
        } else if line.starts_with('<') {
            lines.html_end(at)
        } else {
            None
        };
        at = next.unwrap_or(at) + 1;
    }
    fences
}

struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
    /// For every line, and one past the last: the next line from there that is exactly three back-ticks.
    next_fence: Vec<Option<usize>>,
    /// For every line, and one past the last: the next line from there that begins a closing tag
    /// which ends a line, and the line that it ends.
    next_closing_tag: Vec<Option<(usize, usize)>>,
    /// For every line the first `>` at or after its start.
    next_bracket: Vec<Option<usize>>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let starts: Vec<usize> = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at + 1))
            .collect();
        let count = starts.len();
        let mut lines = Self {
            text,
            starts,
            next_fence: vec![None; count + 1],
            next_closing_tag: vec![None; count + 1],
            next_bracket: vec![None; count + 1],
        };
        for at in (0..count).rev() {
            let line = lines.text(at);
            lines.next_bracket[at] =
                line.find('>').map(|found| lines.starts[at] + found).or(lines.next_bracket[at + 1]);
            lines.next_fence[at] = if line == "```" { Some(at) } else { lines.next_fence[at + 1] };
            let closing = line.starts_with("</").then(|| lines.tag_end(at, 2)).flatten();
            lines.next_closing_tag[at] = closing.map(|end| (at, end)).or(lines.next_closing_tag[at + 1]);
        }
        lines
    }

    fn end(&self, at: usize) -> usize {
        self.starts.get(at + 1).map_or(self.text.len(), |next| next - 1)
    }

    fn text(&self, at: usize) -> &'a str {
        &self.text[self.starts[at]..self.end(at)]
    }

    /// The line that the tag beginning at line `at` ends, where nothing follows it there. `name` is
    /// where its name begins; it has one character at least.
    fn tag_end(&self, at: usize, name: usize) -> Option<usize> {
        let bracket = self.next_bracket[at].filter(|bracket| *bracket > self.starts[at] + name)?;
        let line = self.starts.partition_point(|start| *start <= bracket) - 1;
        (bracket + 1 == self.end(line)).then_some(line)
    }

    /// The last line of the HTML block that begins at line `at`.
    fn html_end(&self, at: usize) -> Option<usize> {
        let first = self.tag_end(at, 1)? + 1;
        let content = self.starts.get(first)?;
        let least = if *content == self.end(first) { first + 2 } else { first + 1 };
        self.next_closing_tag[least.min(self.starts.len())].map(|(_, end)| end)
    }
}

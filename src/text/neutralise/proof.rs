//! The proof over a text as it will be sent: its forge's tree, walked for everything that acts.
//!
//! It looks at the tree and not at the source, and uses no position but to name a line. So what the pass
//! overlooks is found here, and the text is written in a form that cannot act.

use std::fmt;

use comrak::nodes::{Node, NodeValue};

use super::edit::EditKind;
use super::{address, markup, names};
use crate::text::{Dialect, footer};

/// What a forge would do with a part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acting {
    Mention,
    Reference,
    Label,
    Html,
    Image,
    Link,
    Task,
    Formula,
    Drawing,
    Suggestion,
    WikiLink,
    Quote,
    Description,
}

impl fmt::Display for Acting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Acting::Mention => "a mention",
            Acting::Reference => "a reference",
            Acting::Label => "a label, a milestone or a snippet",
            Acting::Html => "HTML",
            Acting::Image => "an image",
            Acting::Link => "a link that is not plain",
            Acting::Task => "a task",
            Acting::Formula => "a formula",
            Acting::Drawing => "a block that the forge draws",
            Acting::Suggestion => "a suggestion",
            Acting::WikiLink => "a wiki link",
            Acting::Quote => "a quote block of many lines",
            Acting::Description => "a description list",
        })
    }
}

/// What a proof found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    Acts {
        line: usize,
        what: Acting,
    },
    /// The line for readers and the marker are not the last two blocks.
    Foot,
    /// A fold is opened and not closed, or closed and not open.
    Fold,
}

/// Proves a part by itself, between a paragraph and the end of a text.
pub(super) fn part(text: &str, dialect: Dialect) -> Result<(), Fault> {
    const MARKER: &str = "<!-- dai v1 finding=0000000000000000 place=0000000000000000 -->";
    let framed = format!("x\n\n{text}\n\n{}{}\n\n{MARKER}", footer::VISIBLE_BEGIN, footer::VISIBLE_END);
    prove(&framed, dialect, MARKER, Folds::None)
}

/// Proves a whole text, whose last line is its marker.
pub(super) fn whole(text: &str, dialect: Dialect) -> Result<(), Fault> {
    let marker = text.rsplit('\n').next().unwrap_or_default();
    prove(text, dialect, marker, Folds::Own)
}

/// Whether this program's own folds may be in a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Folds {
    None,
    Own,
}

fn prove(text: &str, dialect: Dialect, marker: &str, folds: Folds) -> Result<(), Fault> {
    dialect.parse(text, |root, places| {
        let mut walk = Walk { dialect, folds, open: false, marked: false };
        for node in root.descendants() {
            walk.node(node, marker)?;
        }
        if walk.open {
            return Err(Fault::Fold);
        }
        let notes = |node: &Node<'_>| matches!(node.data().value, NodeValue::FootnoteDefinition(_));
        let mut last = root.reverse_children().filter(|node| !notes(node));
        let ends_with_marker =
            last.next().is_some_and(|node| html(&node.data().value).is_some_and(|html| html == marker));
        let footer = last.next().filter(|node| matches!(node.data().value, NodeValue::Paragraph));
        let shown = footer.and_then(|node| places.range(node.data().sourcepos)).map(|range| &text[range]);
        let said = |shown: &str| {
            shown.starts_with(footer::VISIBLE_BEGIN) && shown.ends_with(footer::VISIBLE_END) && !shown.contains('\n')
        };
        (ends_with_marker && shown.is_some_and(said)).then_some(()).ok_or(Fault::Foot)
    })
}

fn html(value: &NodeValue) -> Option<&str> {
    match value {
        NodeValue::HtmlBlock(block) => Some(block.literal.trim_end()),
        _ => None,
    }
}

struct Walk {
    dialect: Dialect,
    folds: Folds,
    open: bool,
    /// Whether the marker was there.
    marked: bool,
}

impl Walk {
    fn node<'a>(&mut self, node: Node<'a>, marker: &str) -> Result<(), Fault> {
        let data = node.data();
        let line = data.sourcepos.start.line;
        let acts = |what| Err(Fault::Acts { line, what });
        match &data.value {
            NodeValue::Text(_) => self.text(node).map_or(Ok(()), acts),
            NodeValue::HtmlBlock(_) => self.html(node, html(&data.value).unwrap_or_default(), marker, line),
            NodeValue::HtmlInline(_) | NodeValue::Raw(_) => acts(Acting::Html),
            NodeValue::Image(_) => acts(Acting::Image),
            NodeValue::TaskItem(_) => acts(Acting::Task),
            NodeValue::Math(_) => acts(Acting::Formula),
            NodeValue::WikiLink(_) => acts(Acting::WikiLink),
            NodeValue::MultilineBlockQuote(_) => acts(Acting::Quote),
            NodeValue::DescriptionList => acts(Acting::Description),
            NodeValue::CodeBlock(block) => match markup::fence_kind(&block.info).filter(|_| block.fenced) {
                Some(EditKind::Suggestion) => acts(Acting::Suggestion),
                Some(_) => acts(Acting::Drawing),
                None => Ok(()),
            },
            NodeValue::Link(link) => {
                let words = words(node);
                let target = &link.url;
                let own = self.folds == Folds::Own && words == *target && address::is_comment_page(target);
                let fine = address::is_plain(target)
                    && (own || !address::is_request_url(target))
                    && !address::is_short_reference(target)
                    && !address::is_disguised(&words, target);
                if fine { Ok(()) } else { acts(Acting::Link) }
            }
            _ => Ok(()),
        }
    }

    fn html<'a>(&mut self, node: Node<'a>, html: &str, marker: &str, line: usize) -> Result<(), Fault> {
        let top = node.parent().is_some_and(|parent| matches!(parent.data().value, NodeValue::Document));
        if html == marker && !self.marked && top {
            self.marked = true;
            return Ok(());
        }
        if self.folds == Folds::Own && top {
            if html == footer::FOLD_END {
                return if std::mem::take(&mut self.open) { Ok(()) } else { Err(Fault::Fold) };
            }
            let said = html.strip_prefix(footer::FOLD_BEGIN).and_then(|rest| rest.strip_suffix(footer::FOLD_SAID));
            if said.is_some_and(|said| !said.contains(['<', '>', '&'])) && !self.open {
                self.open = true;
                return Ok(());
            }
        }
        Err(Fault::Acts { line, what: Acting::Html })
    }

    /// Names in a run of text. What stands in a bare address is part of it.
    fn text<'a>(&self, node: Node<'a>) -> Option<Acting> {
        let is_text = |node: Node<'_>| matches!(node.data().value, NodeValue::Text(_));
        if node.previous_sibling().is_some_and(is_text) {
            return None;
        }
        let mut text = String::new();
        let mut next = Some(node);
        while let Some(node) = next.filter(|node| is_text(node)) {
            if let NodeValue::Text(part) = &node.data().value {
                text.push_str(part);
            }
            next = node.next_sibling();
        }
        let bare = node.parent().is_some_and(|parent| match &parent.data().value {
            NodeValue::Link(link) => {
                link.url == text || link.url.strip_suffix(&*text).is_some_and(|lead| lead.ends_with([':', '/']))
            }
            _ => false,
        });
        if bare {
            return None;
        }
        let chars: Vec<char> = text.chars().collect();
        let name = (0..chars.len()).find_map(|at| names::name_at(&chars, at, self.dialect));
        match name {
            Some(EditKind::Mention) => Some(Acting::Mention),
            Some(EditKind::Label) => Some(Acting::Label),
            Some(_) => Some(Acting::Reference),
            None => address::names_request(&text).then_some(Acting::Reference),
        }
    }
}

/// What readers see of a link.
fn words<'a>(node: Node<'a>) -> String {
    let mut words = String::new();
    for node in node.descendants() {
        match &node.data().value {
            NodeValue::Text(text) => words.push_str(text),
            NodeValue::Code(code) => words.push_str(&code.literal),
            NodeValue::SoftBreak | NodeValue::LineBreak => words.push(' '),
            _ => {}
        }
    }
    words
}

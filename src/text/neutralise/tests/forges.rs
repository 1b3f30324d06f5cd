//! What the forges do with a text, written from their side and without anything of the pass.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// What GitLab's extractor takes out before it looks for commands, besides fences.
#[derive(Debug, Clone, Copy)]
pub struct Excludes {
    pub html: bool,
    pub quotes: bool,
}

/// The lines that GitLab runs by its raw reading: its regular expressions, tried by hand from left to
/// right (`lib/gitlab/quick_actions/extractor.rb`); any word counts as a command.
pub fn raw_commands(text: &str, excludes: Excludes) -> Vec<String> {
    let text = text.replace('\r', "");
    let mut commands = Vec::new();
    let mut at = 0;
    while at <= text.len() {
        let rest = &text[at..];
        let end = code(rest)
            .or_else(|| excludes.html.then(|| html(rest)).flatten())
            .or_else(|| excludes.quotes.then(|| quote(rest)).flatten());
        if let Some(end) = end {
            at += end;
        } else if rest.starts_with('/') && rest[1..].starts_with(char::is_alphabetic) {
            commands.push(rest.lines().next().unwrap().to_owned());
        }
        match text[at..].find('\n') {
            Some(next) => at += next + 1,
            None => break,
        }
    }
    commands
}

fn at_line_end(text: &str, at: usize) -> bool {
    matches!(text.as_bytes().get(at), None | Some(b'\n'))
}

/// `^```` `.+?` `\n```$`
fn code(rest: &str) -> Option<usize> {
    delimited(rest, "```", "\n```")
}

/// `^>>>` `.+?` `\n>>>$`
fn quote(rest: &str) -> Option<usize> {
    delimited(rest, ">>>", "\n>>>")
}

fn delimited(rest: &str, open: &str, close: &str) -> Option<usize> {
    if !rest.starts_with(open) {
        return None;
    }
    let content = rest[open.len()..].chars().next()?.len_utf8();
    let from = open.len() + content;
    let mut ends = rest[from..].match_indices(close).map(|(at, _)| from + at + close.len());
    ends.find(|end| at_line_end(rest, *end))
}

/// `^<[^>]+?>\n` `.+?` `\n<\/[^>]+?>$`
fn html(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('<')?;
    let close = inner.find('>').filter(|at| *at > 0)? + 1;
    let content = rest[close + 1..].strip_prefix('\n')?;
    let from = rest.len() - content.len() + content.chars().next()?.len_utf8();
    rest[from..].match_indices("\n</").find_map(|(at, open)| {
        let name = from + at + open.len();
        let end = name + rest[name..].find('>').filter(|at| *at > 0)? + 1;
        at_line_end(rest, end).then_some(end)
    })
}

fn events(text: &str) -> Vec<(Event<'_>, std::ops::Range<usize>)> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM;
    Parser::new_ext(text, options).into_offset_iter().collect()
}

/// The lines that a newer GitLab runs: raw lines of paragraphs (`QuickActionFilter`).
pub fn paragraph_commands(text: &str) -> Vec<String> {
    let paragraphs = events(text).into_iter().filter(|(event, _)| matches!(event, Event::Start(Tag::Paragraph)));
    let mut commands = Vec::new();
    for (_, range) in paragraphs {
        let first = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let lines = text[first..range.end].split('\n');
        commands.extend(
            lines.filter(|line| line.starts_with('/') && line[1..].starts_with(char::is_alphabetic)).map(str::to_owned),
        );
    }
    commands
}

/// Everything in the rendered text that wakes somebody, leaves a trace, loads, or offers itself.
pub fn acts(text: &str) -> Vec<String> {
    let mut acts = Vec::new();
    let mut node = String::new();
    let mut in_code = false;
    for (event, _) in events(text) {
        if let Event::Text(part) = &event {
            if !in_code {
                node.push_str(part);
            }
            continue;
        }
        acts.extend(names(&std::mem::take(&mut node)));
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                in_code = true;
                if let CodeBlockKind::Fenced(info) = kind
                    && info.trim().to_lowercase().starts_with("suggestion")
                {
                    acts.push(info.to_string());
                }
            }
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Start(Tag::Image { dest_url, .. }) => acts.push(format!("image {dest_url}")),
            Event::Start(Tag::Link { dest_url, .. }) => {
                let short = dest_url.trim_start_matches(['#', '!', '&']);
                if dest_url.starts_with("@a") || (short != &*dest_url && short == "1") || traces(&dest_url) {
                    acts.push(format!("link {dest_url}"));
                }
            }
            Event::Html(html) | Event::InlineHtml(html) => acts.push(format!("html {html}")),
            _ => {}
        }
    }
    acts.extend(names(&node));
    acts
}

fn traces(text: &str) -> bool {
    let text = text.split(|c: char| !c.is_ascii_graphic() || matches!(c, '`' | '<')).next().unwrap();
    let number = |kind: &str| {
        text.split_once(kind).is_some_and(|(_, rest)| !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
    };
    text.starts_with("http") && (number("/pull/1") || number("/issues/1"))
}

/// Mentions and references of one text node, outside addresses that are links of their own.
fn names(node: &str) -> Vec<String> {
    let mut found = Vec::new();
    for word in node.split_inclusive(char::is_whitespace) {
        if word.match_indices("http").any(|(at, _)| traces(&word[at..])) {
            found.push(word.to_owned());
        }
        // A link by itself, from here to the next blank.
        let link = word.match_indices("https://").map(|(at, _)| at).find(|at| *at == 0 || word[..*at].ends_with('('));
        let word = &word[..link.unwrap_or(word.len())];
        let chars: Vec<char> = word.chars().collect();
        let is_word = |c: Option<&char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || *c == '_');
        for (at, c) in chars.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| chars.get(at));
            let mention = *c == '@' && !is_word(before) && is_word(chars.get(at + 1));
            let digits = chars[at + 1..].iter().take_while(|c| c.is_ascii_digit()).count();
            let number = matches!(c, '#' | '!' | '&') && digits > 0 && !is_word(chars.get(at + 1 + digits));
            if mention || number {
                found.push(word.to_owned());
            }
        }
    }
    found
}

/// The kinds of a text's top-level blocks in their order, with the source of each.
pub fn top_blocks(text: &str) -> Vec<(&'static str, String)> {
    let mut depth = 0;
    let mut blocks = Vec::new();
    for (event, range) in events(text) {
        match event {
            Event::Start(tag) => {
                if depth == 0 {
                    let kind = match tag {
                        Tag::Paragraph => "paragraph",
                        Tag::HtmlBlock => "html",
                        Tag::List(_) => "list",
                        Tag::Heading { .. } => "heading",
                        _ => "other",
                    };
                    blocks.push((kind, text[range].trim().to_owned()));
                }
                depth += 1;
            }
            Event::End(_) => depth -= 1,
            Event::Rule if depth == 0 => blocks.push(("rule", String::new())),
            _ => {}
        }
    }
    blocks
}

#[test]
fn the_models_see_what_acts() {
    let all = Excludes { html: true, quotes: true };
    let none = Excludes { html: false, quotes: false };
    for (text, with_all, with_none) in [
        ("/a", 1, 1),
        ("x\n/a b\n /c", 1, 1),
        ("```\n/a\n```\n/b", 1, 1),
        ("```\n```\n\n```\n/a\n```", 1, 1),
        (">>>\n/a\n>>>", 0, 1),
        ("<x>\n/a\n</x>", 0, 1),
        ("<x>\n```\n</x>\n/a\n```", 1, 0),
        ("```x\n```\n/a", 1, 1),
        ("a\r/b\n\r/c", 1, 1),
    ] {
        assert_eq!(raw_commands(text, all).len(), with_all, "{text:?}");
        assert_eq!(raw_commands(text, none).len(), with_none, "{text:?}");
    }
    for text in ["@ann", "a\\@ann", "#1", "&#35;1", "![a](b)", "<b>", "[x](@ann)", "[x](#1)", "```suggestion\n```"] {
        let text = text.replace("a\\@", "(\\@");
        assert_ne!(acts(&text), Vec::<String>::new(), "{text:?}");
    }
    assert_eq!(acts("a@b `@ann` #a1 https://x.example/@ann"), Vec::<String>::new());
    assert_eq!(paragraph_commands("a\n/b\n\n~~~\n/c\n~~~"), ["/b"]);
}

//! What the forges do with a text, written from their side and without anything of the pass: the trees of
//! their parser, with their options written out once more, and their own filters' expressions tried by hand.
//! The unit tests, the tests through the program and the search for acting texts share it.

use comrak::nodes::{Node, NodeValue};
use comrak::{Arena, Options, parse_document};

/// Everything in a text that acts on a forge, one word for each; empty for a text that may be sent.
pub fn acts(text: &str, gitlab: bool) -> Vec<String> {
    let mut found = Vec::new();
    for options in readings(gitlab) {
        let arena = Arena::new();
        let root = parse_document(&arena, text, &options);
        for node in root.descendants() {
            node_acts(node, gitlab, &mut found);
        }
    }
    found.extend(raw_commands(text, gitlab).into_iter().map(|line| format!("command {line}")));
    let stray = |c: char| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}' | '\u{AD}')
    };
    found.extend(text.chars().filter(|c| stray(*c)).map(|c| format!("{c:?}")));
    found
}

/// A forge's parser as it is documented, and as it would be with and without what is debatable.
fn readings(gitlab: bool) -> Vec<Options<'static>> {
    let base = || {
        let mut options = Options::default();
        options.extension.table = true;
        options.extension.strikethrough = true;
        options.extension.autolink = true;
        options.extension.footnotes = true;
        options
    };
    let (mut first, mut second) = (base(), base());
    first.extension.tasklist = true;
    if gitlab {
        for options in [&mut first, &mut second] {
            options.extension.description_lists = true;
            options.extension.multiline_block_quotes = true;
            options.extension.math_code = true;
            options.extension.math_dollars = true;
            options.extension.wikilinks_title_before_pipe = true;
            options.parse.relaxed_autolinks = true;
        }
        second.parse.escaped_char_spans = true;
    } else {
        second.extension.math_code = true;
        second.extension.math_dollars = true;
    }
    vec![first, second]
}

fn node_acts<'a>(node: Node<'a>, gitlab: bool, found: &mut Vec<String>) {
    match &node.data().value {
        NodeValue::HtmlBlock(html) if is_own(&html.literal) => {}
        NodeValue::HtmlBlock(html) => found.push(format!("html {}", html.literal)),
        NodeValue::HtmlInline(html) => found.push(format!("html {html}")),
        NodeValue::Image(image) => found.push(format!("image {}", image.url)),
        NodeValue::TaskItem(_) => found.push("task".to_owned()),
        NodeValue::Math(math) => found.push(format!("maths {}", math.literal)),
        NodeValue::WikiLink(link) => found.push(format!("wiki link {}", link.url)),
        NodeValue::MultilineBlockQuote(_) => found.push("quote".to_owned()),
        NodeValue::DescriptionList => found.push("description".to_owned()),
        NodeValue::CodeBlock(block) if block.fenced => {
            let lang = block.info.trim().to_lowercase();
            let lang =
                lang.split(|c: char| c.is_whitespace() || matches!(c, ':' | '{' | ',')).next().unwrap_or_default();
            const ACTING: [&str; 8] =
                ["suggestion", "mermaid", "math", "geojson", "topojson", "stl", "plantuml", "json:table"];
            if ACTING.contains(&lang) || block.info.trim().to_lowercase().starts_with("json:table") {
                found.push(format!("fence {lang}"));
            }
        }
        NodeValue::Link(link) => {
            let url = link.url.to_lowercase();
            let page = url.split_once("://").is_some_and(|(scheme, _)| scheme == "http" || scheme == "https");
            // The summary's own links to comments on its page.
            let own = ["#discussion_r", "#note_", "#issuecomment-", "#pullrequestreview-"]
                .iter()
                .any(|form| url.split_once(form).is_some_and(|(_, number)| number.bytes().all(|b| b.is_ascii_digit())));
            if !(page || url.starts_with("mailto:")) || (traces(&url) && !own) {
                found.push(format!("link {}", link.url));
            }
        }
        NodeValue::Text(text) => {
            let before = node.previous_sibling().is_some_and(|node| matches!(node.data().value, NodeValue::Text(_)));
            let in_link = node.ancestors().skip(1).any(|up| match &up.data().value {
                // The text of an address by itself is no prose.
                NodeValue::Link(link) => link.url.ends_with(&**text),
                _ => false,
            });
            if before || in_link {
                return;
            }
            let mut whole = text.to_string();
            let mut next = node.next_sibling();
            while let Some(sibling) = next {
                match &sibling.data().value {
                    NodeValue::Text(more) => whole.push_str(more),
                    _ => break,
                }
                next = sibling.next_sibling();
            }
            found.extend(names(&whole, gitlab));
        }
        _ => {}
    }
}

/// This program's marker, and the fold of a summary.
fn is_own(html: &str) -> bool {
    let html = html.trim_end();
    let hex =
        |c: char| c.is_ascii_hexdigit() || c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, ' ' | '=' | ':');
    let marker = html.strip_prefix("<!-- dai v1 ").and_then(|rest| rest.strip_suffix(" -->"));
    marker.is_some_and(|inner| inner.chars().all(hex))
        || html == "</details>"
        || (html.starts_with("<details><summary>Kept back: ")
            && html.ends_with("</summary>")
            && html.matches('<').count() == 3)
}

/// The page of an issue, a request or a commit.
fn traces(url: &str) -> bool {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    ["/issues/", "/pull/", "/pulls/", "/merge_requests/", "/work_items/", "/epics/", "/discussions/"].iter().any(
        |kind| {
            url.match_indices(kind).any(|(at, _)| {
                let rest = url[at + kind.len()..].trim_start_matches(|c: char| c.is_ascii_digit());
                rest.len() < url.len() - at - kind.len() && !rest.starts_with(|c: char| c.is_ascii_alphanumeric())
            })
        },
    )
}

fn word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Mentions, references and labels in a text node, as the forges' expressions have them.
fn names(text: &str, gitlab: bool) -> Vec<String> {
    let mut found = Vec::new();
    for (at, c) in text.char_indices() {
        let rest = &text[at + c.len_utf8()..];
        let free = !text[..at].ends_with(word);
        let number = |rest: &str| {
            let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            after.len() < rest.len() && !after.starts_with(|c: char| c.is_ascii_alphanumeric())
        };
        let acts = match c {
            '@' => free && rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'),
            '#' => number(rest),
            '!' | '&' => gitlab && number(rest),
            '~' => gitlab && free && rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '"'),
            '%' => gitlab && free && rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '"' || c == '{'),
            '$' => gitlab && free && number(rest),
            '-' => {
                let lead = if gitlab { "GL" } else { "GH" };
                let before = &text[..at];
                let cut = before.len().checked_sub(2).filter(|cut| before.is_char_boundary(*cut));
                cut.is_some_and(|cut| before[cut..].eq_ignore_ascii_case(lead) && !before[..cut].ends_with(word))
                    && number(rest)
            }
            '[' if gitlab => {
                let rest = rest.to_ascii_lowercase();
                rest.starts_with("[_toc_]]")
                    || rest.starts_with("toc]")
                    || ["issue:", "epic:", "work_item:", "vulnerability:"].iter().any(|form| {
                        rest.strip_prefix(form)
                            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
                    })
            }
            'h' | 'H' => {
                let page = rest.get(..6).is_some_and(|lead| lead.eq_ignore_ascii_case("ttp://"))
                    || rest.get(..7).is_some_and(|lead| lead.eq_ignore_ascii_case("ttps://"));
                let host = rest.split_once("://").is_some_and(|(_, host)| host.starts_with(char::is_alphanumeric));
                let end = rest.find(|c: char| !c.is_ascii_graphic() || matches!(c, '<' | '"')).unwrap_or(rest.len());
                page && host && traces(&rest[..end].to_lowercase())
            }
            _ => false,
        };
        if acts {
            let shown: String = text[at..].chars().take(24).collect();
            found.push(format!("name {shown:?}"));
        }
    }
    found
}

/// Lines that GitLab or a bot runs from the raw text. GitLab: its extractor's expressions, tried by hand from
/// left to right (`lib/gitlab/quick_actions/extractor.rb`), with any word as a command, in its older form and
/// in the one that takes out fences only; and raw lines of paragraphs. Bots: a known word at a line's start.
fn raw_commands(text: &str, gitlab: bool) -> Vec<String> {
    let mut commands = Vec::new();
    for line in text.split(['\n', '\r', '\u{2028}', '\u{2029}']) {
        const KNOWN: [&str; 10] = [
            "/approve",
            "/lgtm",
            "/hold",
            "/merge",
            "/retest",
            "/close",
            "/cherry-pick",
            "/test",
            "bors r+",
            "@dependabot",
        ];
        let known = |known: &&str| {
            let lead = line.get(..known.len()).is_some_and(|lead| lead.eq_ignore_ascii_case(known));
            lead && !line[known.len()..].starts_with(|c: char| !c.is_whitespace())
        };
        if KNOWN.iter().any(known) || line.starts_with("::include{") {
            commands.push(line.to_owned());
        }
    }
    if gitlab {
        for excludes in [true, false] {
            commands.extend(extracted(text, excludes));
        }
        commands.extend(in_paragraphs(text));
    }
    commands
}

fn is_command(line: &str) -> bool {
    line.strip_prefix('/').is_some_and(|rest| rest.starts_with(char::is_alphabetic))
}

fn extracted(text: &str, html_and_quotes: bool) -> Vec<String> {
    let text = text.replace('\r', "");
    let mut commands = Vec::new();
    let mut at = 0;
    while at <= text.len() {
        let rest = &text[at..];
        let end = delimited(rest, "```", "\n```")
            .or_else(|| html_and_quotes.then(|| html(rest)).flatten())
            .or_else(|| html_and_quotes.then(|| delimited(rest, ">>>", "\n>>>")).flatten());
        if let Some(end) = end {
            at += end;
        } else if is_command(rest) {
            commands.push(rest.lines().next().unwrap_or_default().to_owned());
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

/// `^```` `.+?` `\n```$`, and the same for `>>>`
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

/// The lines that a newer GitLab runs (`QuickActionFilter`).
fn in_paragraphs(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let lines: Vec<&str> = text.split('\n').collect();
    for options in readings(true) {
        let arena = Arena::new();
        let root = parse_document(&arena, text, &options);
        for node in root.descendants().filter(|node| matches!(node.data().value, NodeValue::Paragraph)) {
            let place = node.data().sourcepos;
            let raw = lines.get(place.start.line - 1..place.end.line.min(lines.len())).unwrap_or_default();
            commands.extend(raw.iter().filter(|line| is_command(line)).map(|line| (*line).to_owned()));
        }
    }
    commands
}

/// The kinds of a text's top-level blocks in their order, with the source lines of each.
pub fn top_blocks(text: &str, gitlab: bool) -> Vec<(&'static str, String)> {
    let lines: Vec<&str> = text.split('\n').collect();
    let arena = Arena::new();
    let options = readings(gitlab).remove(0);
    let root = parse_document(&arena, text, &options);
    let blocks = root.children().filter(|node| !matches!(node.data().value, NodeValue::FootnoteDefinition(_)));
    blocks
        .map(|node| {
            let data = node.data();
            let kind = match data.value {
                NodeValue::Paragraph => "paragraph",
                NodeValue::HtmlBlock(_) => "html",
                NodeValue::List(_) => "list",
                NodeValue::Heading(_) => "heading",
                _ => "other",
            };
            let place = data.sourcepos;
            let raw = lines.get(place.start.line - 1..place.end.line.min(lines.len())).unwrap_or_default();
            (kind, raw.join("\n").trim().to_owned())
        })
        .collect()
}

#[test]
fn what_acts_is_seen() {
    for (text, hub, lab) in [
        ("@ann", true, true),
        ("(\\@ann &#64;ann", true, true),
        ("#1 &#35;1", true, true),
        ("!1", false, true),
        ("~bug %v1", false, true),
        ("![a](b)", true, true),
        ("<b>", true, true),
        ("[x](@ann)", true, true),
        ("[x](#1)", true, true),
        ("- [ ] a", true, true),
        ("$a$", true, true),
        ("[[a]]", false, true),
        ("a\n\n: b", false, true),
        ("- >>>\n  a\n  >>>", false, true),
        ("```suggestion\n```", true, true),
        ("```mermaid\n```", true, true),
        ("`a\n/approve\n`", true, true),
        ("~~~\n/b\n~~~", false, true),
        ("```\n/b\n```", false, false),
        ("https://e.org/`<img src=x>`", true, true),
        ("a@b.c `@ann` #a1 https://x.example/@ann <https://x.example>", false, false),
    ] {
        assert_eq!(
            (!acts(text, false).is_empty(), !acts(text, true).is_empty()),
            (hub, lab),
            "{text:?}: {:?}",
            acts(text, true)
        );
    }
}

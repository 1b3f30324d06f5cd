//! Lines of a text that GitLab runs as commands, with the rights of whoever posts them.
//!
//! GitLab reads the raw text, and has read it in more than one way: by patterns, and by its Markdown. A line counts as
//! protected here only where both agree, inside a closed fence of exactly three back-ticks at column 0 that no `>>>` came
//! before. HTML comments and blocks, other fences and unknown names protect nothing.

/// Commands that are taken out of the stored text; other names run as well for all that is known here, but stay.
const KNOWN: [&str; 24] = [
    "approve",
    "unapprove",
    "close",
    "reopen",
    "label",
    "unlabel",
    "relabel",
    "assign",
    "unassign",
    "reassign",
    "merge",
    "rebase",
    "draft",
    "ready",
    "title",
    "target_branch",
    "submit_review",
    "milestone",
    "lock",
    "unlock",
    "todo",
    "done",
    "spend",
    "estimate",
];

/// A text's lines, ended by `\n`, `\r` or both.
fn lines(text: &str) -> Vec<&str> {
    text.split(['\n', '\r']).collect()
}

struct Fence {
    indent: usize,
    sign: char,
    length: usize,
}

fn fence(line: &str) -> Option<(Fence, &str)> {
    let bare = line.trim_start_matches(' ');
    let sign = bare.chars().next().filter(|c| ['`', '~'].contains(c))?;
    let after = bare.trim_start_matches(sign);
    let (indent, length) = (line.len() - bare.len(), bare.len() - after.len());
    let opens = indent <= 3 && length >= 3 && (sign == '~' || !after.contains('`'));
    opens.then_some((Fence { indent, sign, length }, after))
}

impl Fence {
    fn closed_by(&self, line: &str) -> bool {
        fence(line).is_some_and(|(other, after)| {
            other.sign == self.sign && other.length >= self.length && after.trim().is_empty()
        })
    }
}

/// The command of a line that begins with one: `/` at column 0 and a letter of any script.
fn command(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('/').filter(|r| r.starts_with(char::is_alphabetic))?;
    let end = rest.find(|c: char| !(c.is_alphanumeric() || ['_', '-'].contains(&c))).unwrap_or(rest.len());
    // A path names no command.
    (!rest[end..].starts_with('/')).then_some(&rest[..end])
}

/// Fences as patterns see them: from a line that begins with three back-ticks to the next that is exactly three, with
/// something between, if only a line's end. What stands inside opens nothing.
fn pattern_fences(lines: &[&str]) -> Vec<(usize, usize)> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < lines.len() {
        let least = if lines[at] == "```" { at + 2 } else { at + 1 };
        let end = (least..lines.len()).find(|n| lines[*n] == "```").filter(|_| lines[at].starts_with("```"));
        found.extend(end.map(|end| (at, end)));
        at = end.unwrap_or(at) + 1;
    }
    found
}

/// The numbers of the lines that run, from 0.
fn acting(lines: &[&str]) -> Vec<usize> {
    let by_patterns = pattern_fences(lines);
    let (mut found, mut quoted, mut at) = (Vec::new(), false, 0);
    while at < lines.len() {
        let line = lines[at];
        if command(line).is_some() {
            found.push(at);
        }
        quoted |= line.starts_with(">>>");
        at += 1;
        let Some((fence, _)) = fence(line) else { continue };
        let end = (at..lines.len()).find(|n| fence.closed_by(lines[*n]));
        let inside = at..end.unwrap_or(lines.len());
        // Both views must have the same fence: patterns end one at three back-ticks alone on their line, wherever Markdown does.
        let alike = end.is_some_and(|n| by_patterns.contains(&(at - 1, n)));
        let exact = fence.indent == 0 && fence.sign == '`' && fence.length == 3 && alike;
        if !exact || quoted {
            found.extend(inside.filter(|n| command(lines[*n]).is_some()));
        }
        at = end.map_or(lines.len(), |n| n + 1);
    }
    found
}

/// The lines of a text that run as commands.
pub fn acting_lines(text: &str) -> Vec<String> {
    let lines = lines(text);
    acting(&lines).into_iter().map(|n| lines[n].to_owned()).collect()
}

/// What is stored of a text: without the lines that ran as known commands.
pub(super) fn stored(text: &str) -> String {
    let all = lines(text);
    let gone: Vec<_> = acting(&all).into_iter().filter(|n| runs_for_sure(all[*n])).collect();
    if gone.is_empty() {
        return text.to_owned();
    }
    let kept = all.iter().enumerate().filter(|(n, _)| !gone.contains(n)).map(|(_, line)| *line);
    kept.collect::<Vec<_>>().join("\n").trim().to_owned()
}

fn runs_for_sure(line: &str) -> bool {
    command(line).is_some_and(|name| KNOWN.contains(&name.to_lowercase().as_str()))
}

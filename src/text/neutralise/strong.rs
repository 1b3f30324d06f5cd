//! The forms that cannot act whatever a parser makes of them, for what the pass could not settle.

use super::edit::{Clean, EditKind, Tally};
use super::pass::purged;
use crate::text::excerpt;

/// The whole text as one code block that nothing inside can close. Lines that a forge or a bot might read
/// as a command, a quote, a fence or a marker are moved in by one space.
pub(super) fn block(text: &str) -> Clean {
    let mut tally = Tally::default();
    let text = purged(text, &mut tally);
    tally.add(EditKind::AsCode, 1);
    let fence = "`".repeat(longest_run(&text).max(2) + 1);
    let mut shown = format!("{fence}text\n");
    for line in text.trim_matches('\n').split(['\n', '\u{2028}', '\u{2029}']) {
        if line.starts_with(['/', '>', '`', '<', ':', '@'])
            || line.get(..4).is_some_and(|lead| lead.eq_ignore_ascii_case("bors"))
        {
            shown.push(' ');
        }
        shown.push_str(line);
        shown.push('\n');
    }
    shown.push_str(&fence);
    tally.clean(shown)
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// A field of one line with every sign as an entity, and a break behind what a forge reads names after.
pub(super) fn line(text: &str) -> Clean {
    let mut tally = Tally::default();
    let text = purged(text, &mut tally);
    tally.add(EditKind::AsCode, 1);
    let mut shown = String::with_capacity(text.len() * 2);
    for c in text.trim().chars() {
        match c {
            ' ' => shown.push(' '),
            c if c.is_whitespace() => shown.push(' '),
            c if c.is_ascii_punctuation() => {
                shown.push_str(&format!("&#{};", u32::from(c)));
                if matches!(c, '@' | '#' | '!' | '&' | '~' | '%' | '$' | '-' | ':' | '[' | '/' | '.') {
                    shown.push('\u{200B}');
                }
            }
            c => shown.push(c),
        }
    }
    tally.clean(shown)
}

/// The beginning of a longer text in that form; it is cut only after its secrets are gone.
pub(super) fn short(text: &str, limit: usize) -> Clean {
    let mut tally = Tally::default();
    let text = excerpt(purged(text, &mut tally).trim(), limit);
    let shown = tally.take(line(&text));
    tally.clean(shown)
}

/// Whether a text is one closed block of code, as `block` writes it: nothing in it is looked at.
fn is_one_fence(text: &str) -> bool {
    let fence = &text[..text.len() - text.trim_start_matches('`').len()];
    let Some(inner) = text.strip_suffix(fence).filter(|_| fence.len() > 2) else { return false };
    let mut lines = inner.split('\n');
    let info = lines.next().unwrap_or_default().trim_start_matches('`');
    inner.ends_with('\n') && !info.contains('`') && lines.all(|line| !line.trim_start().starts_with(fence))
}

/// Whether a text is built so that a parser would take a time that grows with its square: addresses that
/// begin inside each other by the hundred (comrak 0.59: 4,000 of `<http://` take 80 ms, 8,000 take 330).
pub(super) fn is_slow(text: &str) -> bool {
    const MOST: usize = 400;
    !is_one_fence(text) && text.split_whitespace().any(|run| run.matches("://").nth(MOST).is_some())
}

//! Short forms of long texts, for lists.

/// The first line that says something: not blank, not the fence of a code block.
pub fn first_line(body: &str) -> &str {
    let mut lines = body.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty());
    let first = lines.clone().next().unwrap_or_default();
    lines.find(|line| !line.starts_with("```") && !line.starts_with("~~~")).unwrap_or(first)
}

/// The first `limit` characters, with an ellipsis in place of the last where something is cut.
pub fn excerpt(text: &str, limit: usize) -> String {
    if text.chars().nth(limit).is_none() {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(limit.saturating_sub(1)).collect();
    short.push('…');
    short
}

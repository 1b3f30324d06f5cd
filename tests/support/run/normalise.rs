//! Output without what differs from run to run, for snapshots.

use std::path::Path;

use crate::support::repo::Repo;

/// Replaces, in this order: the given texts, ports of loopback addresses (`[PORT]`), and full object names, each by a number
/// in the order in which they appear (`[SHA-1]`, `[SHA-2]`). Sixteen-digit markers and digests stay: the tests'
/// repositories give the same ones everywhere.
#[derive(Debug, Default, Clone)]
pub struct Normal {
    replaced: Vec<(String, String)>,
}

impl Normal {
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes `shown` for `text`.
    pub fn text(mut self, text: impl Into<String>, shown: &str) -> Self {
        self.replaced.push((text.into(), shown.to_owned()));
        self
    }

    /// Writes `shown` for this path.
    pub fn path(self, path: &Path, shown: &str) -> Self {
        self.text(path.display().to_string(), shown)
    }

    /// Writes `[REPO]` for the repository's root and `[HOME]` for its home.
    pub fn repo(self, repo: &Repo) -> Self {
        self.path(repo.path(), "[REPO]").path(&repo.home(), "[HOME]")
    }

    pub fn apply(&self, text: &str) -> String {
        let text = self.replaced.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
        number_objects(&hide_ports(&text))
    }
}

fn hide_ports(text: &str) -> String {
    let mut parts = text.split("127.0.0.1:");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        out.push_str(if rest.len() < part.len() { "127.0.0.1:[PORT]" } else { "127.0.0.1:" });
        out.push_str(rest);
    }
    out
}

fn number_objects(text: &str) -> String {
    let mut seen: Vec<&str> = Vec::new();
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphanumeric()) {
        let word = &rest[start..];
        let end = word.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(word.len());
        let (word, after) = word.split_at(end);
        out.push_str(&rest[..start]);
        if matches!(word.len(), 40 | 64) && word.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'a'..=b'f')) {
            let number = seen.iter().position(|s| *s == word).unwrap_or_else(|| {
                seen.push(word);
                seen.len() - 1
            });
            out.push_str(&format!("[SHA-{}]", number + 1));
        } else {
            out.push_str(word);
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

//! How a file was read, for people.

use super::finding::{Format, Review};

impl Review {
    /// The file with what it was taken for, where it is another reviewer's, and what counts where that one gives
    /// no severity: `r.json, as Codex's; severity: not given by this format; medium`.
    pub fn described(&self, shown: &str) -> String {
        let mut words = shown.to_owned();
        if matches!(self.format, Format::Foreign(_)) {
            words.push_str(", as ");
            words.push_str(self.format.spec().whose);
        }
        if let Some(severity) = self.severity_default {
            let every = self.format.gives_severity();
            let whom = if every { "not given by every finding" } else { "not given by this format" };
            words.push_str(&format!("; severity: {whom}; {severity}"));
        }
        words
    }
}

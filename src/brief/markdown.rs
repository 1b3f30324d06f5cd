//! The packet to read or to paste: the same evidence, under headings.

use std::fmt::Write as _;

use super::packet::Packet;

impl Packet {
    /// The brief first, then the evidence, each text in a fence that it cannot close.
    pub fn to_markdown(&self) -> String {
        let mut out = format!("{}\n", self.brief);
        // Writing into a string cannot fail.
        let _ = write!(
            out,
            "\n# Evidence\n\n- `base_sha`: {}\n- `result_sha`: {}\n- `diff_truncated`: {}\n",
            self.base_sha, self.result_sha, self.diff_truncated
        );
        for left in &self.diff_left_out {
            let _ = writeln!(
                out,
                "  - left out: {} ({} of {} hunks are in the diff)",
                span(&left.path),
                left.shown,
                left.hunks
            );
        }
        for (name, text) in &self.with {
            let _ = write!(out, "\n## {}\n\n{}", span(name), fenced("", text));
        }
        if let (Some(command), Some(exit), Some(output)) = (&self.gate_command, self.gate_exit, &self.gate_output) {
            let _ = write!(out, "\n## The gate: exit {exit}\n\n{}\n{}", fenced("sh", command), fenced("", output));
        }
        let _ = write!(out, "\n## The diff, with line numbers\n\n{}", fenced("", &self.diff_numbered));
        out
    }
}

/// A fence longer than every run of back-ticks inside.
fn fenced(info: &str, text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{info}\n{text}{end}{fence}\n")
}

/// A name as code, on one line whatever is in it.
fn span(name: &str) -> String {
    let name: String = name.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    let ticks = "`".repeat(longest_run(&name) + 1);
    if name.contains('`') { format!("{ticks} {name} {ticks}") } else { format!("{ticks}{name}{ticks}") }
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{fenced, span};

    #[test]
    fn no_text_closes_its_own_fence() {
        assert_eq!(fenced("diff", "+a"), "```diff\n+a\n```\n");
        assert_eq!(fenced("", "```\nx\n````\n"), "`````\n```\nx\n````\n`````\n");
        assert_eq!(fenced("", ""), "```\n```\n");
    }

    #[test]
    fn a_name_stays_on_its_line() {
        assert_eq!(span("a.rs"), "`a.rs`");
        assert_eq!(span("a`b\n# c"), "`` a`b\u{fffd}# c ``");
    }
}

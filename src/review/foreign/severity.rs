//! The words of other formats for a severity: one fixed table for all of them.

use crate::review::finding::Severity;

/// What a format that gives none counts as: never more.
pub(super) const DEFAULT: Severity = Severity::Medium;

/// A word in any case; `P0` to `P3` and SARIF's levels are among them. `None` for what is none.
pub(super) fn of_word(word: &str) -> Option<Severity> {
    let severity = match word.to_ascii_lowercase().as_str() {
        "critical" | "blocker" | "p0" | "error" | "high" | "major" | "p1" => Severity::High,
        "medium" | "warning" | "p2" => Severity::Medium,
        "low" | "info" | "note" | "none" | "minor" | "trivial" | "nit" | "p3" => Severity::Low,
        _ => return None,
    };
    Some(severity)
}

/// A priority from 0, the highest, to 3.
pub(super) fn of_priority(number: u32) -> Option<Severity> {
    match number {
        0 | 1 => Some(Severity::High),
        2 => Some(Severity::Medium),
        3 => Some(Severity::Low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{of_priority, of_word};
    use crate::review::Severity::{High, Low, Medium};

    #[test]
    fn the_table_of_words() {
        for (words, severity) in [
            (&["critical", "BLOCKER", "P0", "error", "High", "major", "p1"][..], Some(High)),
            (&["medium", "WARNING", "P2"], Some(Medium)),
            (&["low", "info", "NOTE", "minor", "trivial", "nit", "P3", "none"], Some(Low)),
            (&["severe", "", "p4"], None),
        ] {
            for word in words {
                assert_eq!(of_word(word), severity, "{word}");
            }
        }
        assert_eq!([0, 1, 2, 3, 4].map(of_priority), [Some(High), Some(High), Some(Medium), Some(Low), None]);
    }
}

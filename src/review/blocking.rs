//! Which findings stand in the way of a change.

use super::finding::{Finding, Format, Review, Severity, State};

impl Review {
    /// The findings that block: those of high and medium severity that nobody dismissed. An exchange
    /// has no severities, so there every active comment blocks.
    pub fn blocking(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| match self.format {
            Format::Exchange => finding.state == State::Active,
            Format::Dai | Format::Orchestra | Format::Foreign(_) => {
                finding.state != State::Dismissed && finding.severity >= Some(Severity::Medium)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::review::read;

    /// The ids of the findings that block.
    fn blocking(text: &str) -> Vec<String> {
        let (review, _) = read(text.as_bytes(), "f").unwrap();
        review.blocking().filter_map(|finding| finding.id.clone()).collect()
    }

    #[test]
    fn high_and_medium_block_whatever_their_place_and_dismissed_ones_do_not() {
        let of = |id: &str, severity: &str, state: &str| {
            format!(r#"{{"id": "{id}", "path": "a", "severity": "{severity}", "body": "b", "state": "{state}"}}"#)
        };
        let findings = [
            of("h", "high", "active"),
            of("m", "medium", "active"),
            of("l", "low", "active"),
            of("hd", "high", "dismissed"),
            of("ho", "high", "orphaned"),
            of("ms", "medium", "stale"),
            of("lo", "low", "orphaned"),
        ];
        assert_eq!(blocking(&format!(r#"{{"findings": [{}]}}"#, findings.join(","))), ["h", "m", "ho", "ms"]);
        assert_eq!(blocking(r#"{"findings": []}"#), [""; 0]);
    }

    #[test]
    fn orchestras_blocker_and_important_block_and_minor_does_not() {
        let of = |id: &str, severity: &str| {
            format!(
                r#"{{"id": "{id}", "severity": "{severity}", "file": "a", "line": 1, "claim": "c", "evidence": "e"}}"#
            )
        };
        let findings = [of("b", "blocker"), of("i", "important"), of("m", "minor")];
        assert_eq!(blocking(&format!(r#"{{"findings": [{}]}}"#, findings.join(","))), ["b", "i"]);
    }

    #[test]
    fn in_an_exchange_every_active_comment_blocks_and_no_other() {
        let patch = r#"["--- a/a", "+++ b/a", "@@ -1 +1 @@", "-x", "+y"]"#;
        let of = |id: &str, line: u32, state: &str| {
            format!(r#"{{"id": "{id}", "path": "a", "start_line": {line}, "body": "b", "state": "{state}"}}"#)
        };
        let comments =
            [of("a", 1, "active"), of("d", 1, "dismissed"), of("o", 9, "active"), of("s", 1, "stale")].join(",");
        let text = format!(r#"{{"leanreview_review": 1, "patch": {patch}, "comments": [{comments}]}}"#);
        assert_eq!(blocking(&text), ["a"]);
    }
}

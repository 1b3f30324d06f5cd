//! Severity and confidence on their way through a format that has neither: in a comment's author,
//! where a person at leanreview reads them, and from where they come back.

use super::document::Exchange;
use super::read::review;
use crate::review::convert::LeftOut;
use crate::review::finding::{Confidence, Finding, Review, Severity};

const AUTHOR: &str = "dai: ";
const CONFIDENCE: &str = "confidence ";

/// `dai: high, confidence 0.9`; `None` for a finding that has neither.
pub(super) fn author(finding: &Finding) -> Option<String> {
    let severity = finding.severity.map(|severity| severity.to_string());
    let confidence = finding.confidence.map(|confidence| format!("{CONFIDENCE}{confidence}"));
    let parts: Vec<String> = severity.into_iter().chain(confidence).collect();
    (!parts.is_empty()).then(|| format!("{AUTHOR}{}", parts.join(", ")))
}

/// What [`author`] has written; `None` for the name of anybody else.
fn grade(author: &str) -> Option<(Option<Severity>, Option<Confidence>)> {
    let severity = |word: &str| Severity::ALL.into_iter().find(|severity| severity.as_str() == word);
    let confidence = |word: &str| word.strip_prefix(CONFIDENCE)?.parse().ok().and_then(Confidence::new);
    let text = author.strip_prefix(AUTHOR)?;
    match text.split_once(", ") {
        Some((first, second)) => Some((Some(severity(first)?), Some(confidence(second)?))),
        None => match severity(text) {
            Some(severity) => Some((Some(severity), None)),
            None => Some((None, Some(confidence(text)?))),
        },
    }
}

/// An exchange as a review that is to be written in another format: as [`review`] has it, with the
/// severities that a conversion put into the authors; and what a review has no place for.
pub fn graded(exchange: &Exchange) -> (Review, Vec<LeftOut>) {
    let mut review = review(exchange);
    let mut signed = false;
    for (finding, comment) in review.findings.iter_mut().zip(exchange.comments()) {
        match comment.author.as_deref().map(grade) {
            Some(Some((severity, confidence))) => (finding.severity, finding.confidence) = (severity, confidence),
            Some(None) => signed = true,
            None => {}
        }
    }
    let mut replies = exchange.comments().iter().flat_map(|comment| comment.replies.iter().flatten());
    let dated =
        exchange.comments().iter().any(|comment| comment.at.is_some()) || replies.any(|reply| reply.at.is_some());
    (review, LeftOut::fields([("author", signed), ("at", dated)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_comes_back_and_a_persons_name_is_no_grade() {
        let finding = |severity, confidence: Option<f64>| {
            let mut finding = crate::anchor::sample::finding("a", crate::review::Side::Right, 1, 1);
            (finding.severity, finding.confidence) = (severity, confidence.and_then(Confidence::new));
            finding
        };
        for (severity, confidence, text) in [
            (Some(Severity::High), Some(0.9), "dai: high, confidence 0.9"),
            (Some(Severity::Low), None, "dai: low"),
            (None, Some(0.1 + 0.2), "dai: confidence 0.30000000000000004"),
        ] {
            let finding = finding(severity, confidence);
            assert_eq!(author(&finding).as_deref(), Some(text));
            assert_eq!(grade(text), Some((finding.severity, finding.confidence)));
        }
        assert_eq!(author(&finding(None, None)), None);
        for name in
            ["ann", "dai", "dai: ", "dai: High", "dai: high, low", "dai: high, confidence 2", "dai: high, ann", "high"]
        {
            assert_eq!(grade(name), None, "{name}");
        }
    }
}

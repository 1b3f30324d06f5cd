//! The readers of review files.

use dai::review::exchange::{read as exchange, review as of_exchange};
use dai::review::{Format, Look, Review, ReviewError, acts, dai as native, orchestra, read};

/// Any bytes are a review, or a list of faults that can be shown.
pub fn check(bytes: &[u8]) {
    match read(bytes, "review.json") {
        Ok((review, document)) => {
            for (at, finding) in review.findings.iter().enumerate() {
                assert_eq!(finding.index, at);
                assert!(document.node(&finding.pointer).is_some(), "{} leads nowhere", finding.pointer);
                assert!(finding.place.is_none_or(|place| place.range.start > 0), "line 0");
            }
            if let Ok((exchange, _)) = exchange(&document)
                && review.format == Format::Exchange
            {
                assert_eq!(of_exchange(&exchange).findings.len(), review.findings.len());
                let once = exchange.write();
                let (again, _) =
                    read(once.as_bytes(), "written.json").map_err(shown).expect("what is written can be read");
                assert_same(&review, &again);
            }
            // What is written without a loss is read as it was.
            for (written, lost) in [native::write(&review), orchestra::write(&review)] {
                let (again, _) =
                    read(written.as_bytes(), "written.json").map_err(shown).expect("what is written can be read");
                if lost.is_empty() && again.format == review.format {
                    assert_same(&review, &again);
                }
            }
        }
        Err(ReviewError::Invalid(problems)) => {
            assert!(!problems.list().is_empty());
            let length = problems.source().text().len();
            for problem in problems.list() {
                assert!(
                    problem.span.start <= problem.span.end && problem.span.end <= length,
                    "{:?} of {length}",
                    problem.span
                );
                let text = problem.to_string();
                assert!(!text.chars().any(acts), "{text:?}");
            }
            let drawn = problems.render(Look { colour: false, width: 80 });
            assert!(!drawn.chars().any(|c| c != '\n' && acts(c)), "{drawn:?}");
        }
        Err(ReviewError::Load(_)) => {}
    }
}

fn shown(error: ReviewError) -> String {
    error.render(Look { colour: false, width: 80 })
}

fn assert_same(one: &Review, other: &Review) {
    let texts = |review: &Review| -> Vec<_> {
        review
            .findings
            .iter()
            .map(|f| (f.path.clone(), f.place, f.severity, f.confidence, f.body.clone(), f.state))
            .collect()
    };
    assert_eq!(texts(one), texts(other));
}

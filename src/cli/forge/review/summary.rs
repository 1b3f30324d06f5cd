//! The summary of a plan as it stands, and what is to become of the one that is there.

use crate::change::CommitId;
use crate::forge::{Kind, SummaryPlan};
use crate::gate::{Fate, Item, OwnSummary, Plan, Standing, Stands};
use crate::reason::ReasonCode;
use crate::review::{Finding, Place, Review};
use crate::text::marker::{Marker, ReviewId, Tag};
use crate::text::{
    Clean, Entry, Existing, Rewrite, Shown, SummaryFacts, rewrite, says_nothing_found, summary_body, with_marker,
};

/// A summary without its marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    pub body: Clean,
    /// How many entries are counted in it and not listed.
    pub cut: usize,
}

/// The summary that tells the truth about a plan: what is ready counts as standing, since it goes out
/// together with it or before.
pub fn draft(review: &Review, plan: &Plan, kind: Kind) -> Draft {
    let reasons: Vec<String> =
        plan.items.iter().map(|item| item.fate.reason().map(|(_, message)| message).unwrap_or_default()).collect();
    let rows = review.findings.iter().zip(&plan.items).zip(&reasons);
    let entries: Vec<Entry<'_>> = rows.map(|((finding, item), reason)| entry(finding, item, reason)).collect();
    let facts =
        SummaryFacts { heading: &review.heading, entries: &entries, limit: kind.body_limit(), dialect: kind.dialect() };
    let summary = summary_body(&facts);
    Draft { body: summary.body, cut: summary.cut }
}

fn entry<'a>(finding: &'a Finding, item: &'a Item, reason: &'a str) -> Entry<'a> {
    let spot = item.spot.as_ref();
    Entry {
        number: finding.index,
        path: spot.map_or(finding.path.as_str(), |spot| spot.path.as_str()),
        place: spot.map(|spot| Place { side: spot.side, range: spot.range }).or(finding.place),
        severity: finding.severity,
        confidence: finding.confidence,
        body: &finding.body,
        replies: &finding.replies,
        shown: match &item.fate {
            Fate::Ready | Fate::Posted { .. } | Fate::AlreadyPosted { stands: Stands::AtLine, .. } => Shown::AtLine,
            Fate::AlreadyPosted { stands: Stands::Adrift, .. } => Shown::Adrift,
            // The same words as in a later run, which finds it there.
            Fate::Failed { code, .. } if *code == ReasonCode::Demoted => Shown::Adrift,
            Fate::Summary => Shown::Here,
            Fate::Suppressed(crate::gate::Hold::Dismissed) => Shown::Dismissed,
            Fate::Suppressed(_) => Shown::Suppressed { reason },
            Fate::Rejected(_) => Shown::Rejected { reason },
            Fate::Failed { .. } => Shown::Failed { reason },
            Fate::Unknown { .. } => Shown::Unknown { reason },
            Fate::NotAttempted { .. } => Shown::NotAttempted { reason },
        },
        existing: item.existing.as_ref().map(|existing| Existing { url: existing.url.as_deref() }),
    }
}

/// The whole text of a new summary. Its marker's `review` is over what the call carries, so that a
/// look can tell whether that very call was stored.
pub fn signed(body: &str, head: &CommitId, by: ReviewId, comments: &[Tag]) -> String {
    let head_bytes = head.as_str().as_bytes();
    let fields = [head_bytes, body.as_bytes()].into_iter().chain(comments.iter().map(|tag| &tag.0[..]));
    with_marker(body, &Marker::Review { review: Tag::of(fields), head: head.clone(), by, text: None }.over(body))
}

/// The text of an edit: the marker stays the one of the call that made it, so that an equal text is
/// equal to the last byte.
pub fn resigned(body: &str, standing: &OwnSummary) -> String {
    let OwnSummary { review, by, .. } = *standing;
    with_marker(body, &Marker::Review { review, head: standing.head.clone(), by, text: None }.over(body))
}

/// What is to become of the summary.
///
/// Only summaries of the same review count. That of a head is the newest whose marker names the head. A new one
/// is written only with a new comment, where none stands on the request, or where the file names a commit that
/// none of them names: so a clean review posts its summary once, and a push alone posts nothing.
pub fn intent(
    kind: Kind,
    head: &CommitId,
    reviewed: Option<&str>,
    by: ReviewId,
    standing: &Standing,
    new_comments: usize,
) -> SummaryPlan {
    let mut of_review = standing.summaries.iter().rev().filter(|own| own.by == by);
    let newest = of_review.clone().next();
    let of_head = of_review.clone().find(|own| own.head == *head);
    match of_head {
        Some(_) if kind == Kind::GitHub && new_comments > 0 => SummaryPlan::Write,
        Some(own) => SummaryPlan::Update(own.clone()),
        None => {
            let new_commit = reviewed.is_some_and(|commit| !of_review.any(|own| own.head.as_str() == commit));
            match newest {
                Some(newest) if new_comments == 0 && !new_commit => SummaryPlan::Leave { url: newest.url.clone() },
                _ => SummaryPlan::Write,
            }
        }
    }
}

/// Whether a summary stays although the file has no findings any more: it tells of comments that exist, and a text which
/// says that nothing was found would stand over them.
pub fn is_kept(own: &OwnSummary, review: &Review, standing: &Standing) -> bool {
    review.findings.is_empty()
        && standing.comments.iter().any(|comment| comment.by == own.by)
        && !says_nothing_found(&own.body)
}

/// What an edit of the summary that stands comes to.
pub fn edited(standing: &OwnSummary, kind: Kind, body: &str) -> Rewrite {
    rewrite(&standing.body, kind.dialect(), standing.words.clone(), &resigned(body, standing))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(digit: char) -> CommitId {
        CommitId::parse(&digit.to_string().repeat(40)).unwrap()
    }

    fn own(id: u64, head: char) -> OwnSummary {
        by_another(ReviewId::Default, id, head)
    }

    fn by_another(by: ReviewId, id: u64, head: char) -> OwnSummary {
        let (head, body) = (commit(head), String::new());
        OwnSummary { id, review: Tag([1; 8]), head, by, body, words: None, url: None }
    }

    fn standing(summaries: &[(u64, char)]) -> Standing {
        Standing { summaries: summaries.iter().map(|(id, head)| own(*id, *head)).collect(), ..Standing::default() }
    }

    /// What becomes of the summary, as one word: the id for an update.
    fn word(plan: &SummaryPlan) -> String {
        match plan {
            SummaryPlan::Write => "write".to_owned(),
            SummaryPlan::Update(own) => format!("update {}", own.id),
            SummaryPlan::Leave { .. } => "leave".to_owned(),
        }
    }

    #[test]
    fn c36_a_summary_is_written_once_for_a_head_and_edited_after() {
        use Kind::{GitHub, GitLab};
        let a = "a".repeat(40);
        let b = "b".repeat(40);
        for (kind, there, reviewed, new, expected) in [
            // The first run of a review, with comments and without.
            (GitHub, &[][..], None, 2, "write"),
            (GitHub, &[], None, 0, "write"),
            (GitLab, &[], None, 0, "write"),
            // The same again: the newest of that head is brought to the truth.
            (GitHub, &[(1, 'a'), (2, 'a')], None, 0, "update 2"),
            (GitLab, &[(1, 'a')], None, 3, "update 1"),
            // New comments make a new review on GitHub, and it brings its summary.
            (GitHub, &[(1, 'a')], None, 1, "write"),
            // After a push: nothing new, nothing posted.
            (GitHub, &[(1, 'b')], None, 0, "leave"),
            (GitLab, &[(1, 'b')], Some(&b), 0, "leave"),
            // A clean review of the new head posts its summary once.
            (GitHub, &[(1, 'b')], Some(&a), 0, "write"),
            (GitHub, &[(1, 'b'), (2, 'a')], Some(&a), 0, "update 2"),
            (GitLab, &[(1, 'b')], None, 1, "write"),
        ] {
            let reviewed = reviewed.map(|id: &String| id.as_str());
            let plan = intent(kind, &commit('a'), reviewed, ReviewId::Default, &standing(there), new);
            assert_eq!(word(&plan), expected, "{kind} {there:?} {reviewed:?} {new}");
        }
    }

    #[test]
    fn c54_a_summary_of_another_review_is_no_summary_of_this_one() {
        let (one, two) = (ReviewId::of_file("one.json"), ReviewId::of_file("two.json"));
        let summaries = vec![by_another(one, 1, 'a'), by_another(two, 2, 'a'), own(3, 'a'), by_another(two, 4, 'b')];
        let there = Standing { summaries, ..Standing::default() };
        for kind in [Kind::GitHub, Kind::GitLab] {
            let of = |by, new| word(&intent(kind, &commit('a'), None, by, &there, new));
            assert_eq!(of(one, 0), "update 1");
            assert_eq!(of(two, 0), "update 2");
            assert_eq!(of(ReviewId::Default, 0), "update 3");
            assert_eq!(of(ReviewId::of_reviewer("one.json"), 0), "write");
            let b = "b".repeat(40);
            assert_eq!(word(&intent(kind, &commit('c'), Some(&b), two, &there, 0)), "leave");
            assert_eq!(word(&intent(kind, &commit('c'), Some(&b), one, &there, 0)), "write");
        }
    }

    #[test]
    fn an_edit_keeps_the_marker_so_an_equal_text_is_equal() {
        let mut there = own(1, 'a');
        there.body = format!("{}\r\n", resigned("text", &there).replace('\n', "\r\n"));
        there.words = Some(0..4);
        assert_eq!(edited(&there, Kind::GitHub, "text"), Rewrite::Same);
        assert!(matches!(edited(&there, Kind::GitLab, "other"), Rewrite::New(_)));
    }
}

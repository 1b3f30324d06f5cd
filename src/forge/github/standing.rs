//! What of ours stands on a request, told by author and marker.

use super::wire::{Comment, Review, User};
use crate::change::CommitId;
use crate::forge::strangers::Strangers;
use crate::forge::{Author, Identity};
use crate::gate::{Located, Made, Numbers, OwnComment, OwnSummary, Standing, Stands};
use crate::review::Side;
use crate::text::Dialect;
use crate::text::marker::Marker;

/// Of drafts only that they are there: nobody else sees them. A text whose account is gone is nobody's.
pub fn standing(me: &Identity, reviews: Vec<Review>, comments: Vec<Comment>) -> Standing {
    let mut standing = Standing::default();
    // GitHub lists drafts to their author alone.
    let draft = reviews.iter().find(|review| review.is_pending());
    standing.draft = draft.map(|draft| draft.html_url.clone().unwrap_or_else(|| "an unknown place".to_owned()));
    let mut others = Strangers::default();
    for review in reviews.into_iter().filter(|review| !review.is_pending()) {
        let Some(marker) = Marker::read(review.text(), Dialect::GitHub) else { continue };
        match (marker, is_own(me, review.user.as_ref())) {
            (Marker::Review { review: tag, head, by, .. }, true) => {
                let body = review.body.unwrap_or_default();
                standing.summaries.push(OwnSummary {
                    id: review.id,
                    review: tag,
                    head,
                    by,
                    body,
                    words: None,
                    url: review.html_url,
                });
            }
            (_, true) => {}
            (_, false) => others.note(review.user.map(|user| user.login), review.html_url),
        }
    }
    for comment in comments {
        standing.listed.extend(comment.html_url.clone());
        let Some(marker) = Marker::read(comment.text(), Dialect::GitHub) else { continue };
        match (marker, is_own(me, comment.user.as_ref())) {
            (Marker::Finding { finding, place, by }, true) => {
                let made = made(&comment);
                standing.comments.push(OwnComment {
                    finding,
                    place,
                    by,
                    url: comment.html_url,
                    stands: Stands::AtLine,
                    made,
                    located: Located::default(),
                });
            }
            (_, true) => {}
            (_, false) => others.note(comment.user.map(|user| user.login), comment.html_url),
        }
    }
    standing.find_words(Dialect::GitHub);
    standing.warnings = others.warnings();
    standing
}

/// Where the comment was made. `line` and `commit_id` follow the head; what is `original` stays, after a force push too.
fn made(comment: &Comment) -> Option<Made> {
    let side = match comment.original_side.as_deref().or(comment.side.as_deref()) {
        Some(word) => Side::parse(word)?,
        None => Side::Right,
    };
    let end = comment.original_line?;
    Some(Made {
        commit: CommitId::parse(comment.original_commit_id.as_deref()?)?,
        merge_base: None,
        old_path: None,
        new_path: comment.path.clone(),
        side,
        first: Numbers::on(side, comment.original_start_line.unwrap_or(end)),
        last: Numbers::on(side, end),
    })
}

pub fn is_own(me: &Identity, user: Option<&User>) -> bool {
    user.is_some_and(|user| me.owns(&Author::from(user.clone())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::marker::{ReviewId, Tag};

    const FINDING: &str = "text\n\n<!-- dai v1 finding=0123456789abcdef place=fedcba9876543210 -->";

    fn user(id: u64, login: &str, kind: &str) -> Option<User> {
        Some(User { id, login: login.into(), kind: kind.into() })
    }

    fn comment(user: Option<User>, body: &str, url: &str) -> Comment {
        let (body, html_url) = (Some(body.to_owned()), Some(url.to_owned()));
        Comment { user, body, path: "a".into(), original_line: Some(1), html_url, ..Comment::default() }
    }

    fn review(id: u64, user: Option<User>, state: &str, body: &str) -> Review {
        Review { id, user, body: Some(body.into()), state: state.into(), html_url: Some(format!("u{id}")) }
    }

    #[test]
    fn c35_c46_only_own_markers_count_and_those_of_others_are_said() {
        let me = Identity::User { id: 7, login: "me".into() };
        let comments = vec![
            comment(user(7, "me", "User"), FINDING, "c1"),
            comment(user(8, "bob", "User"), FINDING, "c2"),
            comment(user(8, "bob", "User"), FINDING, "c3"),
            comment(user(8, "bob", "User"), "no marker", "c4"),
            comment(user(7, "me", "User"), &format!("```\n{FINDING}\n```"), "c5"),
            comment(None, FINDING, "c6"),
        ];
        let standing = standing(&me, vec![], comments);
        let tag = |hex| Tag::parse(hex).unwrap();
        let own = OwnComment {
            finding: tag("0123456789abcdef"),
            place: tag("fedcba9876543210"),
            by: ReviewId::Default,
            url: Some("c1".into()),
            stands: Stands::AtLine,
            made: None,
            located: Located::ByMarker,
        };
        assert_eq!(standing.comments, [own]);
        let said: Vec<_> = standing.warnings.iter().map(|w| w.message.as_str()).collect();
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0].contains("deleted account") && said[0].contains("c6"), "{said:?}");
        assert!(said[1].contains("2 texts by bob") && said[1].contains("c2"), "{said:?}");
    }

    #[test]
    fn where_a_comment_was_made_is_what_is_original() {
        let of =
            |original: Comment| made(&Comment { path: "a".into(), line: Some(9), start_line: Some(8), ..original });
        let (commit, side) = (Some("A".repeat(40)), Some("LEFT".to_owned()));
        let one = Comment { original_line: Some(5), original_commit_id: commit.clone(), ..Comment::default() };
        let range = Comment { original_start_line: Some(3), side, ..one.clone() };
        let found = of(range.clone()).unwrap();
        assert_eq!((found.commit.as_str(), found.side), ("a".repeat(40).as_str(), Side::Left));
        assert_eq!((found.first, found.last), (Numbers::on(Side::Left, 3), Numbers::on(Side::Left, 5)));
        let found = of(one.clone()).unwrap();
        assert_eq!((found.first, found.last), (Numbers::on(Side::Right, 5), Numbers::on(Side::Right, 5)));
        let right = Comment { original_side: Some("RIGHT".to_owned()), ..range.clone() };
        assert_eq!(of(right).unwrap().side, Side::Right);
        for lacking in [
            Comment { original_line: None, ..range.clone() },
            Comment { original_commit_id: None, ..range.clone() },
            Comment { side: Some("MIDDLE".to_owned()), ..range },
        ] {
            assert_eq!(of(lacking), None);
        }
    }

    #[test]
    fn summaries_are_reviews_with_the_marker_and_drafts_are_none() {
        let head = "a".repeat(40);
        let body = format!("sum\r\n\r\n<!-- dai v1 review=0123456789abcdef head={head} -->\r\n");
        let bot = || user(41_898_282, "github-actions[bot]", "Bot");
        let reviews = vec![
            review(1, bot(), "COMMENTED", &body),
            review(2, bot(), "PENDING", &body),
            review(3, bot(), "COMMENTED", "plain"),
        ];
        let standing = standing(&Identity::Unnamed, reviews, vec![]);
        assert_eq!(standing.summaries.iter().map(|s| (s.id, s.head.as_str())).collect::<Vec<_>>(), [(1, &*head)]);
        assert_eq!(standing.warnings, []);
    }
}

//! What this account posted to the request with other reviews: named, and never a reason to hold anything back.

use std::collections::{HashMap, HashSet};

use super::plan::Plan;
use super::standing::{OwnComment, Standing};
use crate::text::marker::{ReviewId, Tag};
use crate::warning::{Code, Warning};

/// One remark on the other reviews as a whole, and one on each finding at whose place a comment of theirs stands.
pub fn other_reviews(plan: &Plan, standing: &Standing) -> Vec<Warning> {
    let comments: Vec<&OwnComment> = standing.comments.iter().filter(|own| own.by != plan.review).collect();
    let summaries: Vec<_> = standing.summaries.iter().filter(|own| own.by != plan.review).collect();
    let reviews: HashSet<ReviewId> =
        comments.iter().map(|own| own.by).chain(summaries.iter().map(|own| own.by)).collect();
    if reviews.is_empty() {
        return Vec::new();
    }
    let url = summaries.last().and_then(|own| own.url.as_deref());
    let url = url.or_else(|| comments.last().and_then(|own| own.url.as_deref()));
    let message = format!(
        "this account posted {} to this request as well ({}, {}): it holds nothing back and is not edited: {}",
        count(reviews.len(), "other review", "other reviews"),
        count(comments.len(), "comment", "comments"),
        count(summaries.len(), "summary", "summaries"),
        url.unwrap_or("no URL")
    );
    let mut warnings = vec![Warning::run(Code::OtherReview, message)];
    let places: HashMap<Tag, &OwnComment> = comments.into_iter().map(|own| (own.place, own)).collect();
    for at in &plan.order {
        let Some(spot) = plan.items.get(*at).and_then(|item| item.spot.as_ref()) else { continue };
        let names = [Some(spot.place_tag), spot.other_tags.map(|(place, _)| place)];
        if let Some(own) = names.into_iter().flatten().find_map(|place| places.get(&place)) {
            let url = own.url.as_deref().unwrap_or("no URL");
            let message = format!("another review by this account has a comment at the same place: {url}");
            warnings.push(Warning::finding(Code::OtherReview, *at, message));
        }
    }
    warnings
}

fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

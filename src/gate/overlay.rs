//! Which comments exist already, laid over the plan.
//!
//! Each existing comment is of one finding at most, so that a finding with the same words at another, equal line is a
//! finding of its own.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::existing::{Lines, Located};
use super::options::Again;
use super::plan::{Existing, Fate, Hold, Item, Plan};
use super::standing::{OwnComment, Standing};
use crate::review::{LineRange, Side};
use crate::text::marker::{Tag, finding_tag};

impl Plan {
    /// Marks the findings whose comment exists from an earlier run, and those at whose place an own comment
    /// stands that is no finding of this file any more: an earlier wording, unless `again`. The
    /// order, the cap and the digest stay: what exists keeps its slot. Of a finding that is kept back it is
    /// noted as well that its comment exists. A comment that was deleted is not posted again, unless `again`. Comments
    /// of other reviews play no part.
    ///
    /// May be repeated with a later look at the forge, until something is posted.
    pub fn stand(&mut self, standing: &Standing, again: Again) {
        let Assigned { of_finding, unassigned } =
            self.assign(standing.comments.iter().filter(|own| own.by == self.review));
        let earlier = self.earlier_wordings(unassigned);
        let deleted = self.assign(standing.deleted.iter().filter(|own| own.by == self.review)).of_finding;
        for (at, item) in self.items.iter_mut().enumerate() {
            item.existing = of_finding.get(&at).map(|own| Existing { url: own.url.clone(), stands: own.stands });
        }
        for at in &self.order {
            let Some(item) = self.items.get_mut(*at) else { continue };
            let open = matches!(
                item.fate,
                Fate::Ready
                    | Fate::AlreadyPosted { .. }
                    | Fate::Suppressed(Hold::AlreadyCommented { .. } | Hold::Deleted { .. })
            );
            if !open || item.spot.is_none() {
                continue;
            }
            item.fate = match (item.existing.clone(), again) {
                (Some(Existing { url, stands }), _) => Fate::AlreadyPosted { url, stands },
                (None, Again::Yes) => Fate::Ready,
                (None, Again::No) => match (earlier.get(at), deleted.get(at)) {
                    (Some(own), _) => Hold::AlreadyCommented { url: own.url.clone() }.fate(),
                    (None, Some(own)) => Hold::Deleted { url: own.url.clone() }.fate(),
                    (None, None) => Fate::Ready,
                },
            };
        }
    }

    /// Which finding each comment is of. Of several comments of one finding the newest is kept, so that its URL is
    /// told.
    fn assign<'c>(&self, comments: impl Iterator<Item = &'c OwnComment>) -> Assigned<'c> {
        let index = Index::new(self);
        let ordered: HashSet<usize> = self.order.iter().copied().collect();
        let mut assigned = Assigned { of_finding: HashMap::new(), unassigned: Vec::new() };
        for own in comments {
            let tiers = index.candidates(own);
            let same_words = |at: &usize| finding_tag(own.place, &self.items[*at].words) == own.finding;
            let chosen = tiers.into_iter().find_map(|tier| {
                let words = tier.into_iter().filter(same_words);
                words.max_by_key(|at| {
                    let free = !assigned.of_finding.contains_key(at);
                    let marked = self.items[*at].spot.as_ref().is_some_and(|spot| spot.finding_tag == own.finding);
                    (free, ordered.contains(at), marked, Reverse(*at))
                })
            });
            let marked = || index.by_tag.get(&own.finding).filter(|_| own.located == Located::ByMarker).copied();
            match chosen.or_else(marked) {
                Some(at) => drop(assigned.of_finding.insert(at, own)),
                None => assigned.unassigned.push(own),
            }
        }
        assigned
    }

    /// The findings at whose place one of these comments stands.
    fn earlier_wordings<'c>(&self, comments: Vec<&'c OwnComment>) -> HashMap<usize, &'c OwnComment> {
        let mut places: HashMap<(Side, &str, LineRange), &OwnComment> = HashMap::new();
        let mut tags: HashMap<Tag, &OwnComment> = HashMap::new();
        for own in comments {
            match (&own.located, &own.made) {
                (Located::Carried { here, .. }, Some(made)) => {
                    let lines = here.on(made.side).map(|(path, range)| (made.side, path.as_str(), *range));
                    places.extend(lines.map(|lines| (lines, own)));
                }
                _ if !self.tags.contains(&own.finding) => drop(tags.insert(own.place, own)),
                _ => {}
            }
        }
        let at = |item: &Item| {
            let spot = item.spot.as_ref()?;
            let place = || item.lines.as_ref().into_iter().flat_map(keys).find_map(|key| places.get(&key).copied());
            let names = [Some(spot.place_tag), spot.other_tags.map(|(place, _)| place)];
            names.into_iter().flatten().find_map(|tag| tags.get(&tag).copied()).or_else(place)
        };
        self.items.iter().enumerate().filter_map(|(index, item)| Some((index, at(item)?))).collect()
    }
}

struct Assigned<'c> {
    of_finding: HashMap<usize, &'c OwnComment>,
    unassigned: Vec<&'c OwnComment>,
}

/// The findings by what a comment may be recognised by.
struct Index<'p> {
    here: HashMap<(Side, &'p str, LineRange), Vec<usize>>,
    by_tag: HashMap<Tag, usize>,
}

impl<'p> Index<'p> {
    fn new(plan: &'p Plan) -> Self {
        let mut index = Self { here: HashMap::new(), by_tag: HashMap::new() };
        for (at, item) in plan.items.iter().enumerate() {
            for key in item.lines.as_ref().into_iter().flat_map(keys) {
                index.here.entry(key).or_default().push(at);
            }
            let Some(spot) = &item.spot else { continue };
            for tag in std::iter::once(spot.finding_tag).chain(spot.other_tags.map(|(_, finding)| finding)) {
                index.by_tag.entry(tag).or_insert(at);
            }
        }
        // A finding that goes out before one that is kept back.
        for at in plan.order.iter().rev() {
            let Some(spot) = plan.items.get(*at).and_then(|item| item.spot.as_ref()) else { continue };
            index.by_tag.insert(spot.finding_tag, *at);
            index.by_tag.extend(spot.other_tags.map(|(_, finding)| (finding, *at)));
        }
        index
    }

    /// What a comment may be of by its place, the surest first: as of its own commit, at the head on the side that was
    /// commented on, at the head on the other one.
    fn candidates(&self, own: &OwnComment) -> Vec<Vec<usize>> {
        let (Located::Carried { here, then }, Some(made)) = (&own.located, &own.made) else { return Vec::new() };
        let at = |side: Side| {
            let lines = here.on(side).and_then(|(path, range)| self.here.get(&(side, path.as_str(), *range)));
            lines.cloned().unwrap_or_default()
        };
        vec![then.iter().copied().collect(), at(made.side), at(made.side.other())]
    }
}

fn keys(lines: &Lines) -> impl Iterator<Item = (Side, &str, LineRange)> {
    let on = |side: Side| lines.on(side).map(|(path, range)| (side, path.as_str(), *range));
    [Side::Left, Side::Right].into_iter().filter_map(on)
}

//! What stands already, laid over the plan.

use std::collections::HashMap;

use super::options::Again;
use super::plan::{Fate, Hold, Plan};
use super::standing::{OwnComment, Standing};
use crate::text::marker::Tag;

impl Plan {
    /// Marks the findings that stand from an earlier run, and those at whose place an own comment
    /// stands that is no finding of this file any more: an earlier wording, unless `again`. The
    /// order, the cap and the digest stay: what stands keeps its slot.
    ///
    /// May be repeated with a later look at the forge, until something is posted.
    pub fn stand(&mut self, standing: &Standing, again: Again) {
        // Of several the newest is kept, so that its URL is told.
        let findings: HashMap<Tag, &OwnComment> = standing.comments.iter().map(|own| (own.finding, own)).collect();
        let earlier = standing.comments.iter().filter(|own| !self.tags.contains(&own.finding));
        let places: HashMap<Tag, &OwnComment> = earlier.map(|own| (own.place, own)).collect();

        for at in &self.order {
            let Some(item) = self.items.get_mut(*at) else { continue };
            let open = matches!(
                item.fate,
                Fate::Ready | Fate::AlreadyPosted { .. } | Fate::Suppressed(Hold::AlreadyCommented { .. })
            );
            let Some(spot) = item.spot.as_ref().filter(|_| open) else { continue };
            let names = [Some((spot.place_tag, spot.finding_tag)), spot.other_tags];
            let own = |tags: &HashMap<Tag, &OwnComment>, tag: fn((Tag, Tag)) -> Tag| {
                names.into_iter().flatten().find_map(|name| tags.get(&tag(name)).copied().cloned())
            };
            item.fate = match (own(&findings, |(_, finding)| finding), own(&places, |(place, _)| place)) {
                (Some(OwnComment { url, stands, .. }), _) => Fate::AlreadyPosted { url, stands },
                (None, Some(OwnComment { url, .. })) if again == Again::No => {
                    Fate::Suppressed(Hold::AlreadyCommented { url })
                }
                _ => Fate::Ready,
            };
        }
    }
}

//! Sixteen hex digits over everything that would be posted.

use super::options::{Again, Identity};
use super::plan::{Digest, Plan, Point, Spot};
use crate::change::LineKind;
use crate::text::marker::Tag;

/// The digest of a plan: stable over runs and machines, and over what already stands. `summary` is the
/// summary's text as far as it does not depend on what stands.
pub fn digest<'a>(identity: &Identity, spots: impl IntoIterator<Item = &'a Spot>, summary: &str) -> Digest {
    let Identity { kind, host, project, number, head, merge_base, again, review } = identity;
    let again = match again {
        Again::No => "no",
        Again::Yes => "again",
    };
    let head_fields = [
        kind.as_str(),
        host,
        project,
        &number.to_string(),
        head.as_str(),
        merge_base.as_str(),
        again,
        &review.to_string(),
    ];
    let mut fields: Vec<String> = head_fields.map(str::to_owned).to_vec();
    fields.push(summary.to_owned());
    // Every comment is as many fields as any other, so that the list needs no borders of its own.
    for spot in spots {
        let place = [&spot.path, &spot.old_path, &spot.new_path].map(String::clone);
        fields.extend(place);
        fields.push(spot.side.as_str().to_owned());
        fields.extend([spot.range.start, spot.range.end].map(|number| number.to_string()));
        fields.extend([spot.first, spot.last].map(point));
        fields.push(spot.comment.text.clone());
    }
    Digest(Tag::of(fields.iter().map(String::as_bytes)))
}

fn point(point: Point) -> String {
    let kind = match point.kind {
        LineKind::Added => "added",
        LineKind::Removed => "removed",
        LineKind::Context => "context",
    };
    format!("{kind} {} {}", point.old, point.new)
}

impl Plan {
    /// The comments that pass, in the plan's order.
    pub fn spots(&self) -> impl Iterator<Item = &Spot> {
        self.order.iter().filter_map(|at| self.items.get(*at)?.spot.as_ref())
    }

    /// Gives the plan its digest, once its summary is known.
    pub fn seal(&mut self, identity: &Identity, summary: &str) {
        self.digest = Some(digest(identity, self.spots(), summary));
    }
}

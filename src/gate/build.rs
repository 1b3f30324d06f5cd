//! From findings and a change to a plan.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::cross_check::{Comparison, CrossCheck};
use super::landing::{Landing, land};
use super::options::Options;
use super::plan::{Fate, Hold, Item, Plan, Spot};
use super::tags::{Ground, Tagger};
use crate::anchor::{Anchor, Rejection, Resolver, Verdict};
use crate::change::{Change, DiffLine};
use crate::forge::Kind;
use crate::parallel;
use crate::review::{Confidence, Finding, Review, State, candidates};
use crate::text::marker::{Marker, Tag, plain_body};
use crate::text::{Comment, CommentFacts, comment};

/// What would be posted of the review, before what stands already is looked at and before the plan is
/// [sealed](Plan::seal). Of the reasons against a finding the first one is told: its state, its
/// place, being a duplicate, its length, the forge's patch, the filters, the cap. `lost` are the findings
/// of a review that was carried here which have no place in this change whatever stands at their
/// numbers, by index.
pub fn plan_carried(
    review: &Review,
    change: &Change,
    options: &Options,
    cross_check: &CrossCheck,
    kind: Kind,
    lost: &HashMap<usize, Rejection>,
) -> Plan {
    let resolver = Resolver::new(change);
    let reviewer = review.heading.reviewer.as_deref();
    let survey = Survey { change, lost, options, kind, reviewer, resolver, tagger: Tagger::new(change) };
    let surveyed = parallel::map(&review.findings, |finding| survey.survey(finding));
    let mut gate =
        Gate { survey: &survey, comparison: Comparison::new(cross_check), seen: HashMap::new(), tags: HashSet::new() };
    let surveyed = review.findings.iter().zip(surveyed);
    let mut items: Vec<Item> = surveyed.map(|(finding, surveyed)| gate.item(finding, surveyed)).collect();

    let mut order: Vec<(&Finding, &Spot)> = Vec::new();
    for (finding, item) in review.findings.iter().zip(&items) {
        if let (Fate::Ready, Some(spot)) = (&item.fate, &item.spot) {
            order.push((finding, spot));
        }
    }
    order.sort_by(|a, b| rank(*a).cmp(&rank(*b)));
    let mut order: Vec<usize> = order.into_iter().map(|(finding, _)| finding.index).collect();
    if let Some(max) = options.max_comments {
        for over in order.split_off(max.min(order.len())) {
            items[over].fate = Hold::OverMaxComments { max }.fate();
        }
    }
    Plan { kind, review: options.review, items, order, tags: gate.tags, digest: None }
}

/// The order of the plan, of posting and of the cap. The index only parts what is alike in everything.
fn rank<'a>((finding, spot): (&'a Finding, &'a Spot)) -> impl Ord + use<'a> {
    let Spot { path, range, side, .. } = spot;
    let grave = (Reverse(finding.severity), Reverse(confidence(finding)));
    (grave, path.as_str(), range.start, range.end, *side, finding.body.as_str(), finding.index)
}

fn confidence(finding: &Finding) -> Confidence {
    finding.confidence.unwrap_or(Confidence::FULL)
}

/// What makes two findings the same one, beside their words.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Site {
    Lines(Ground),
    /// A whole file that the change knows, under whichever name.
    Delta(usize),
    Path(String),
}

/// What is told of a finding by itself, whatever the others are.
enum Surveyed<'a> {
    Rejected(Rejection),
    WholeFile,
    Anchored { spot: Box<Spot>, ground: Ground, landing: Landing<'a> },
}

/// Where findings land, and the texts they would have there.
struct Survey<'a> {
    change: &'a Change,
    lost: &'a HashMap<usize, Rejection>,
    options: &'a Options,
    kind: Kind,
    reviewer: Option<&'a str>,
    resolver: Resolver<'a>,
    tagger: Tagger<'a>,
}

impl<'a> Survey<'a> {
    fn survey(&self, finding: &Finding) -> Surveyed<'a> {
        let verdict = match self.lost.get(&finding.index) {
            Some(rejection) => Verdict::Rejected(rejection.clone()),
            None => self.resolver.resolve(finding, self.options.relocate),
        };
        match verdict {
            Verdict::Rejected(rejection) => Surveyed::Rejected(rejection),
            Verdict::WholeFile => Surveyed::WholeFile,
            Verdict::Anchored(anchor) => {
                let ground = Ground::of(self.change, &anchor);
                let landing = land(self.kind, self.change, &anchor);
                Surveyed::Anchored { spot: Box::new(self.spot(finding, anchor, ground, &landing)), ground, landing }
            }
        }
    }

    fn spot(&self, finding: &Finding, anchor: Anchor, ground: Ground, landing: &Landing<'_>) -> Spot {
        let delta = anchor.delta(self.change);
        let (old_path, new_path) = delta.both_paths();
        let tags = self.tagger.tags(&anchor, ground, &finding.body);
        let facts = CommentFacts {
            severity: finding.severity,
            confidence: finding.confidence,
            body: &finding.body,
            range_note: landing.note,
            replies: &finding.replies,
            reviewer: self.reviewer,
            marker: Marker::Finding { finding: tags.finding, place: tags.place, by: self.options.review },
            dialect: self.kind.dialect(),
        };
        let Comment { whole, body } = comment(&facts);
        Spot {
            anchor,
            path: delta.path().to_owned(),
            old_path: old_path.to_owned(),
            new_path: new_path.to_owned(),
            side: landing.side,
            range: landing.range,
            first: landing.first.into(),
            last: landing.last.into(),
            anchored: anchored(anchor.lines(self.change)),
            finding_tag: tags.finding,
            place_tag: tags.place,
            other_tags: tags.other,
            comment: whole,
            body,
        }
    }
}

/// What the report holds of the lines that a finding is anchored at, in bytes: a range may have all the lines
/// of a big file, and each of thousands of findings such a range.
const ANCHORED: usize = 16 << 10;

fn anchored<'a>(lines: impl Iterator<Item = &'a DiffLine>) -> Vec<String> {
    let mut left = ANCHORED;
    let mut texts = Vec::new();
    for line in lines {
        if left == 0 {
            break;
        }
        let text = line.beginning(left).into_owned();
        left = left.saturating_sub(text.len() + 1);
        texts.push(text);
    }
    texts
}

/// What is told of findings beside each other, in the file's order.
struct Gate<'s, 'a> {
    survey: &'s Survey<'a>,
    comparison: Comparison<'a>,
    /// The first finding of each place and body.
    seen: HashMap<(Site, String), usize>,
    tags: HashSet<Tag>,
}

impl<'a> Gate<'_, 'a> {
    fn item(&mut self, finding: &Finding, surveyed: Surveyed<'a>) -> Item {
        let state = match finding.state {
            State::Active => finding.defect.clone().map(Hold::Written),
            State::Dismissed => Some(Hold::Dismissed),
            State::Orphaned => Some(Hold::Orphaned),
            State::Stale => Some(Hold::Stale),
        };
        let (spot, hold) = match surveyed {
            Surveyed::Rejected(rejection) => (None, state.or(Some(Hold::Anchor(rejection)))),
            Surveyed::WholeFile => {
                let hold =
                    state.or_else(|| self.duplicate(finding, self.file(finding))).or_else(|| self.filter(finding));
                let fate = hold.map_or(Fate::Summary, Hold::fate);
                return Item::new(finding, None, fate);
            }
            Surveyed::Anchored { spot, ground, landing } => {
                let names = std::iter::once(spot.finding_tag).chain(spot.other_tags.map(|(_, finding)| finding));
                self.tags.extend(names);
                let hold = state
                    .or_else(|| self.duplicate(finding, Site::Lines(ground)))
                    .or_else(|| self.too_long(&spot))
                    .or_else(|| self.disagreement(&spot, &landing))
                    .or_else(|| self.filter(finding));
                let sure = !matches!(finding.state, State::Orphaned | State::Stale) && finding.defect.is_none();
                (sure.then_some(*spot), hold)
            }
        };
        Item::new(finding, spot, hold.map_or(Fate::Ready, Hold::fate))
    }

    /// Only findings that hold so far are looked at, so the first of the same ones is not a dismissed
    /// one.
    fn duplicate(&mut self, finding: &Finding, site: Site) -> Option<Hold> {
        let first = *self.seen.entry((site, plain_body(&finding.body))).or_insert(finding.index);
        (first != finding.index).then_some(Hold::Duplicate { of: first })
    }

    fn file(&self, finding: &Finding) -> Site {
        let change = self.survey.change;
        let known = |path: &String| change.by_new_path(path).or_else(|| change.by_old_path(path));
        let delta = candidates(&finding.path).find_map(|path| known(&path).map(|(at, _)| Site::Delta(at)));
        delta.unwrap_or_else(|| Site::Path(candidates(&finding.path).last().unwrap_or_default()))
    }

    fn too_long(&self, spot: &Spot) -> Option<Hold> {
        let (characters, limit) = (spot.comment.text.chars().count(), self.survey.kind.body_limit());
        (characters > limit).then_some(Hold::BodyTooLong { characters, limit })
    }

    fn disagreement(&mut self, spot: &Spot, landing: &Landing<'_>) -> Option<Hold> {
        let detail = self.comparison.against(&spot.path, landing.side, landing.first, landing.last)?;
        Some(Hold::ForgeDisagrees { detail })
    }

    fn filter(&self, finding: &Finding) -> Option<Hold> {
        if let (Some(severity), Some(min)) = (finding.severity, self.survey.options.min_severity)
            && severity < min
        {
            return Some(Hold::BelowMinSeverity { severity, min });
        }
        let min = self.survey.options.min_confidence?;
        let confidence = confidence(finding);
        (confidence < min).then_some(Hold::BelowMinConfidence { confidence, min })
    }
}

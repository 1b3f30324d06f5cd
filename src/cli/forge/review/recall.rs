//! What the receipt of an earlier run says was sent, so that it is looked for with patience before it is sent
//! again, and what it says was there, so that a deleted comment is not posted again. What is there is the forge's to say.

use std::collections::HashSet;
use std::time::{Duration, SystemTime};

use serde::Deserialize;

use super::receipt::{self, Earlier};
use crate::change::git::Repo;
use crate::cli::forge::scene::RequestPlace;
use crate::gate::{Located, OwnComment, Standing, Stands};
use crate::text::Dialect;
use crate::text::marker::{Marker, ReviewId, Tag};

/// A receipt that is older is of no run whose texts a list may still lack.
const RECENT: Duration = Duration::from_secs(6 * 3_600);
/// How long after a write of an unknown outcome a list may lack it.
const SETTLED: Duration = Duration::from_secs(120);
/// Pauses between the looks; the last one is repeated for as long as there is patience.
const PAUSES: [u64; 5] = [2, 4, 8, 16, 30];
/// So long is looked for what was sent, however long ago that is.
const LEAST: Duration = Duration::from_secs(6);
/// A receipt that is larger is none of ours.
const LIMIT: u64 = 64 << 20;

/// The texts that an earlier run sent, by their tags.
#[derive(Debug, Default)]
pub struct Recall {
    findings: HashSet<Tag>,
    summaries: HashSet<Tag>,
    age: Duration,
    /// What a run has seen listed.
    listed: Vec<OwnComment>,
    /// What the last post read back, and no run has seen listed.
    sent: Vec<OwnComment>,
}

/// Whether the lists were given the time to have what was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waited {
    Enough,
    No,
}

#[derive(Deserialize)]
struct Told {
    host: Option<String>,
    project: Option<String>,
    number: Option<u64>,
    summary: Text,
    findings: Vec<Text>,
    #[serde(default)]
    earlier: Vec<Earlier>,
}

#[derive(Deserialize)]
struct Text {
    status: String,
    body: Option<String>,
    url: Option<String>,
}

impl Recall {
    /// Reads the receipt beside the review file. A missing or foreign one, and one that the branch brings, says
    /// nothing; an old one gives no patience.
    pub fn read(repo: &Repo, place: &RequestPlace) -> Self {
        let name = receipt::name(place.number);
        if repo.is_bare() || repo.is_tracked(&name) {
            return Self::default();
        }
        Self::of(&repo.root().join(name), place).unwrap_or_default()
    }

    fn of(path: &std::path::Path, place: &RequestPlace) -> Option<Self> {
        let meta = path.symlink_metadata().ok()?;
        // A time to come is that of a clock that was set back.
        let age = SystemTime::now().duration_since(meta.modified().ok()?).unwrap_or_default();
        if !meta.is_file() || meta.len() > LIMIT {
            return None;
        }
        let told: Told = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
        let here = told.host.as_deref() == Some(place.host().as_str())
            && told.project.as_deref() == Some(place.site.project.as_str())
            && told.number == Some(place.number);
        if !here {
            return None;
        }
        let dialect = place.site.kind.dialect();
        let of = |status: &str| -> Vec<OwnComment> {
            let texts = told.findings.iter().filter(|text| text.status == status);
            texts.filter_map(|text| own(text.body.as_deref()?, text.url.as_deref()?, dialect)).collect()
        };
        let earlier = told.earlier.iter().filter_map(|earlier| own(&earlier.marker, &earlier.url, dialect));
        let recall = Self {
            age,
            listed: of("already_posted").into_iter().chain(earlier).collect(),
            sent: of("posted"),
            ..Self::default()
        };
        if age > RECENT {
            return Some(recall);
        }
        Some(Self {
            findings: told.findings.iter().filter_map(|text| text.tag("finding=")).collect(),
            summaries: told.summary.tag("review=").into_iter().collect(),
            ..recall
        })
    }

    /// What was there and is not listed any more, whoever asks. What was only sent may be missing from a list that trails.
    pub fn deleted(&self, standing: &Standing, waited: Waited) -> Vec<OwnComment> {
        let of = |own: &OwnComment| (own.finding, own.by);
        let listed: HashSet<(Tag, ReviewId)> = standing.comments.iter().map(of).collect();
        let is_listed = |own: &OwnComment| {
            listed.contains(&of(own)) || own.url.as_ref().is_some_and(|url| standing.listed.contains(url))
        };
        let sent = self.sent.iter().filter(|_| waited == Waited::Enough || self.age > SETTLED);
        self.listed.iter().chain(sent).filter(|own| !is_listed(own)).cloned().collect()
    }

    /// Whether something that was sent is not listed.
    pub fn lacks(&self, standing: &Standing) -> bool {
        let listed = |tag: &Tag| standing.comments.iter().any(|own| own.finding == *tag);
        let summary = |tag: &Tag| standing.summaries.iter().any(|own| own.review == *tag);
        !self.findings.iter().all(listed) || !self.summaries.iter().all(summary)
    }

    /// The pauses before each further look.
    pub fn pauses(&self) -> impl Iterator<Item = Duration> + use<> {
        let mut left = SETTLED.saturating_sub(self.age).max(LEAST);
        let last = PAUSES.last().copied().unwrap_or_default();
        let endless = PAUSES.into_iter().chain(std::iter::repeat(last)).map(Duration::from_secs);
        endless.map_while(move |pause| {
            let pause = pause.min(left);
            left = left.saturating_sub(pause);
            (!pause.is_zero()).then_some(pause)
        })
    }
}

fn own(text: &str, url: &str, dialect: Dialect) -> Option<OwnComment> {
    let Marker::Finding { finding, place, by } = Marker::read(text, dialect)? else { return None };
    let (url, located) = (Some(url.to_owned()), Located::ByMarker);
    Some(OwnComment { finding, place, by, url, stands: Stands::AtLine, made: None, located })
}

impl Text {
    /// The tag in the marker, where this was sent, or may have been.
    fn tag(&self, field: &str) -> Option<Tag> {
        if !matches!(self.status.as_str(), "posted" | "unknown") {
            return None;
        }
        let marker = self.body.as_deref()?.lines().rfind(|line| line.starts_with("<!-- dai "))?;
        Tag::parse(marker.split_once(field)?.1.get(..16)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_ends_two_minutes_after_the_write_and_lasts_for_two_looks_at_least() {
        let sum = |age: u64| {
            let recall = Recall { age: Duration::from_secs(age), ..Recall::default() };
            (recall.pauses().sum::<Duration>().as_secs(), recall.pauses().count())
        };
        assert_eq!(sum(0), (120, 7));
        assert_eq!(sum(60), (60, 5));
        assert_eq!(sum(119), (6, 2));
        assert_eq!(sum(20_000), (6, 2));
    }

    #[test]
    fn only_what_was_sent_is_looked_for() {
        let text = |status: &str| Text {
            status: status.to_owned(),
            body: Some("x\n\n<!-- dai v1 finding=0123456789abcdef place=fedcba9876543210 -->\n".to_owned()),
            url: None,
        };
        assert_eq!(text("unknown").tag("finding="), Tag::parse("0123456789abcdef"));
        assert!(text("posted").tag("finding=").is_some());
        assert_eq!(text("failed").tag("finding="), None);
        assert_eq!(text("posted").tag("review="), None);
    }
}

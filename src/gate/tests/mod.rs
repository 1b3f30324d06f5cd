mod cross_check;
mod digest;
mod judgement;
mod landing;
mod order;
mod precedence;
mod pushes;
mod size;
mod standing;
mod tags;

use std::collections::HashMap;

use super::landing::land;
use super::plan::Spot;
use super::*;
use crate::anchor::sample;
use crate::change::Change;
use crate::forge::Kind;
use crate::review::{Finding, Format, Heading, Review, Severity, Side};
use crate::text::marker::ReviewId;

const L: Side = Side::Left;
const R: Side = Side::Right;

fn review(findings: Vec<Finding>) -> Review {
    let findings = findings.into_iter().enumerate();
    let findings =
        findings.map(|(index, finding)| Finding { index, pointer: format!("/findings/{index}"), ..finding }).collect();
    Review {
        format: Format::Dai,
        head: None,
        heading: Heading::default(),
        severity_default: None,
        findings,
        warnings: Vec::new(),
    }
}

/// A file of ten added lines, `line 1` to `line 10`, with `return nil` at 3 and 7.
fn ten_lines() -> Change {
    let script: Vec<String> =
        (1..=10).map(|n| if n == 3 || n == 7 { "+return nil".to_owned() } else { format!("+line {n}") }).collect();
    sample::change(vec![sample::modified("m.rs", &script.iter().map(String::as_str).collect::<Vec<_>>())])
}

fn at(line: u32, body: &str) -> Finding {
    Finding { body: body.to_owned(), ..sample::finding("m.rs", R, line, line) }
}

/// The plan of a review that was written for this very change.
fn plan(review: &Review, change: &Change, options: &Options, cross_check: &CrossCheck, kind: Kind) -> Plan {
    plan_carried(review, change, options, cross_check, kind, &HashMap::new())
}

fn planned(findings: Vec<Finding>, change: &Change, options: &Options) -> Plan {
    plan(&review(findings), change, options, &CrossCheck::NotCompared, Kind::GitHub)
}

fn status(fate: &Fate) -> &'static str {
    match fate {
        Fate::Ready => "ready",
        Fate::Posted { .. } => "posted",
        Fate::AlreadyPosted { .. } => "already_posted",
        Fate::Summary => "summary",
        Fate::Suppressed(_) => "suppressed",
        Fate::Rejected(_) => "rejected",
        Fate::Failed { .. } | Fate::Unknown { .. } | Fate::NotAttempted { .. } => {
            panic!("no fate of the gate's: {fate:?}")
        }
    }
}

fn statuses(plan: &Plan) -> Vec<&'static str> {
    plan.items.iter().map(|item| item.fate.reason().map_or(status(&item.fate), |(code, _)| code.as_str())).collect()
}

/// What a post of these items leaves on the forge.
fn posted(plan: &Plan, items: &[usize]) -> Standing {
    let own = |at: &usize| {
        let spot = plan.items[*at].spot.as_ref().unwrap();
        let url = Some(format!("https://forge.example/c/{at}"));
        OwnComment {
            finding: spot.finding_tag,
            place: spot.place_tag,
            by: plan.review,
            url,
            stands: Stands::AtLine,
            made: None,
            located: Located::ByMarker,
        }
    };
    Standing { comments: items.iter().map(own).collect(), ..Standing::default() }
}

fn ready(plan: &Plan) -> Vec<usize> {
    plan.order.iter().copied().filter(|at| plan.items[*at].fate == Fate::Ready).collect()
}

//! From the plan to the report's findings: one line each, in the file's order.

use std::collections::HashMap;

use super::report::{Finding, Nearest, Place, Proposal, Reason, Status};
use crate::anchor::{Fault, Rejection, Why};
use crate::gate::{Fate, Hold, Item, Plan};
use crate::reason::ReasonCode;
use crate::review::{self, Review};

/// The path and place in the file of findings that were carried elsewhere, by index.
pub type Written = HashMap<usize, (String, review::Place)>;

/// Every finding of the file with its fate.
pub fn findings(review: &Review, plan: &Plan, written: &Written) -> Vec<Finding> {
    let all = review.findings.iter().zip(&plan.items);
    all.map(|(finding, item)| describe(finding, item, written.get(&finding.index))).collect()
}

fn describe(finding: &review::Finding, item: &Item, carried: Option<&(String, review::Place)>) -> Finding {
    let rejection = match &item.fate {
        Fate::Suppressed(Hold::Anchor(rejection)) | Fate::Rejected(Hold::Anchor(rejection)) => Some(rejection),
        _ => None,
    };
    let lands = item.spot.as_ref().map(|spot| (spot.side, spot.range, spot.path.as_str()));
    let in_hand = finding.place.map(|place| (place.side, place.range, finding.path.as_str()));
    let as_written = carried.map(|(path, place)| (place.side, place.range, path.as_str())).or(in_hand);
    let (side, range, path) = match lands.or(in_hand) {
        Some((side, range, path)) => (Some(side.as_str()), Some(range), path),
        None => (None, None, finding.path.as_str()),
    };
    let written = match (lands.or(in_hand), as_written) {
        (Some(there), Some(here)) if there != here => {
            Some(Place { path: here.2.to_owned(), side: here.0.as_str(), line: here.1.start, end_line: here.1.end })
        }
        _ => None,
    };
    let (status, reason, url) = fate(&item.fate);
    let url = url.or_else(|| item.existing.as_ref()?.url.clone());
    let goes_out = !matches!(status, Status::Suppressed | Status::Rejected | Status::Summary);
    Finding {
        index: finding.index,
        pointer: finding.pointer.clone(),
        id: finding.id.clone(),
        path: path.to_owned(),
        old_path: item.spot.as_ref().filter(|spot| spot.old_path != spot.new_path).map(|spot| spot.old_path.clone()),
        side,
        line: range.map(|range| range.start),
        end_line: range.map(|range| range.end),
        written,
        severity: finding.severity.map(review::Severity::as_str),
        confidence: finding.confidence.map(review::Confidence::get),
        status,
        reason,
        proposal: rejection.and_then(proposal),
        nearest: rejection.map(nearest).unwrap_or_default(),
        anchored: item.spot.as_ref().map(|spot| spot.anchored.clone()).unwrap_or_default(),
        body: item.spot.as_ref().filter(|_| goes_out).map(|spot| spot.comment.text.clone()),
        url,
    }
}

fn fate(fate: &Fate) -> (Status, Option<Reason>, Option<String>) {
    let held = |hold: &Hold| Some(Reason { code: hold.code(), message: hold.to_string() });
    let told = |code: ReasonCode, message: &str| Some(Reason { code, message: message.to_owned() });
    match fate {
        Fate::Ready => (Status::Ready, None, None),
        Fate::Posted { url } => (Status::Posted, None, url.clone()),
        Fate::AlreadyPosted { url, .. } => (Status::AlreadyPosted, None, url.clone()),
        Fate::Summary => (Status::Summary, None, None),
        Fate::Suppressed(hold) => {
            let url = if let Hold::AlreadyCommented { url } = hold { url.clone() } else { None };
            (Status::Suppressed, held(hold), url)
        }
        Fate::Rejected(hold) => (Status::Rejected, held(hold), None),
        Fate::Failed { code, message } => (Status::Failed, told(*code, message), None),
        Fate::Unknown { message } => (Status::Unknown, told(ReasonCode::NoAnswer, message), None),
        Fate::NotAttempted { code, message } => (Status::NotAttempted, told(*code, message), None),
    }
}

/// Gives a finding whose state keeps it back the facts of its place, which its reason does not have.
pub fn fill(finding: &mut Finding, rejection: &Rejection) {
    finding.proposal = proposal(rejection);
    finding.nearest = nearest(rejection);
    if let (Some(reason), false) = (&mut finding.reason, matches!(rejection.fault, Fault::FileNotInDiff { .. })) {
        reason.message = format!("{}: {rejection}", reason.message);
    }
}

fn proposal(rejection: &Rejection) -> Option<Proposal> {
    rejection.proposal.as_ref().map(|proposal| Proposal {
        line: proposal.range.start,
        end_line: proposal.range.end,
        side: proposal.side.as_str(),
        path: proposal.path.clone(),
        why: match proposal.why {
            Why::WholeLines => "the snippet's lines stand there, and nowhere else in this file's diff",
            Why::Probable => "the snippet stands there once, but does not pin the place down",
            Why::OtherSide => "the line is in the diff on that side only",
            Why::Renamed => "the file goes by that name on that side",
            Why::NearPath => "no such path is in the diff, and this one is nearest",
        },
    })
}

fn nearest(rejection: &Rejection) -> Vec<Nearest> {
    let near = rejection.nearest.iter();
    near.map(|near| Nearest { side: near.side.as_str(), line: near.line, text: near.text.clone() }).collect()
}

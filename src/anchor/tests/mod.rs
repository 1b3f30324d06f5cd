mod carry;
mod places;
mod properties;
mod size;
mod snippets;

use super::sample;
use super::{Anchor, Fault, Proposal, Rejection, Relocate, Verdict, resolve};
use crate::change::Change;
use crate::review::{Finding, LineRange, Side};

const L: Side = Side::Left;
const R: Side = Side::Right;

fn anchored(change: &Change, finding: &Finding) -> Anchor {
    match resolve(finding, change, Relocate::Never) {
        Verdict::Anchored(anchor) => anchor,
        other => panic!("not anchored: {other:?}"),
    }
}

fn rejected(change: &Change, finding: &Finding) -> Rejection {
    match resolve(finding, change, Relocate::Never) {
        Verdict::Rejected(rejection) => rejection,
        other => panic!("not rejected: {other:?}"),
    }
}

/// The code, the proposal as `why SIDE range`, and the message.
fn told(change: &Change, finding: &Finding) -> (&'static str, String, String) {
    let rejection = rejected(change, finding);
    let proposal = rejection.proposal.as_ref().map_or(String::new(), |p| {
        let Proposal { path, side, range, why } = p;
        let path = if *path == finding.path { String::new() } else { format!(" {path}") };
        format!("{why:?} {side} {range}{path}")
    });
    (rejection.fault.code().as_str(), proposal, rejection.to_string())
}

fn moved(change: &Change, finding: &Finding) -> Option<(Side, LineRange)> {
    match resolve(finding, change, Relocate::Sure) {
        Verdict::Anchored(anchor) => {
            assert_eq!(anchor.moved_from, finding.place, "a moved finding says where it was");
            Some((anchor.side, anchor.range))
        }
        Verdict::Rejected(_) => None,
        Verdict::WholeFile => panic!("the finding has a place"),
    }
}

//! What `--fix` and `--write` change in the file: the bytes of single values.

use std::collections::HashMap;

use super::super::file::Opened;
use super::super::target::Target;
use crate::anchor::{Relocate, Resolver, Verdict};
use crate::cli::Failure;
use crate::exit::Exit;
use crate::review::exchange::{self, Exchange, Given};
use crate::review::{Edits, Finding, Format, LineRange, Place, State, renumber};

/// The file as it is to be, and a line for people on each change.
pub struct Mended {
    pub text: String,
    pub told: Vec<String>,
}

/// # Errors
///
/// Exit 3 where the file is not what was read.
pub fn mend(opened: &Opened, target: &Target, fix: bool, write: bool) -> Result<Mended, Failure> {
    let (review, document) = (&opened.review, &opened.document);
    let lost = |fault: &dyn std::fmt::Display| {
        Failure::new(Exit::Review, "the file cannot be changed in place")
            .cause(fault)
            .help("run the same command again")
    };
    let mut exchange = exchange_of(opened);
    let mut edits = Edits::of(document);
    let mut told = Vec::new();
    if fix {
        for (index, from, range) in sure_of(opened, target) {
            let finding = &review.findings[index];
            renumber(&mut edits, document, review.format, finding, range).map_err(|fault| lost(&fault))?;
            if let Some(exchange) = &mut exchange {
                exchange.renumber(index, range);
            }
            told.push(format!("{}: {} {} {} is now {range}", finding.pointer, finding.path, from.side, from.range));
        }
    }
    if let (true, Some(exchange)) = (write, &mut exchange) {
        let given = exchange.mend();
        exchange::write_into(&mut edits, &given).map_err(|fault| lost(&fault))?;
        told.extend(given.iter().map(|mended| {
            let what = match &mended.given {
                Given::State { from, to } => format!("is {} now, and was {}", to.as_str(), from.as_str()),
                Given::Id(id) => format!("has the id {id} now"),
                Given::Snippet(_) => "has the patch's lines for its snippet now".to_owned(),
            };
            format!("/comments/{}: {what}", mended.comment)
        }));
    }
    Ok(Mended { text: edits.apply(), told })
}

fn exchange_of(opened: &Opened) -> Option<Exchange> {
    let own = opened.review.format == Format::Exchange;
    own.then(|| exchange::read(&opened.document).ok()).flatten().map(|(exchange, _)| exchange)
}

/// The proposals that may be taken without a person: by index, where it was, the range that it gets.
/// Only of what its file calls active: a person's word stays, and an orphan is not revived.
pub fn sure_of(opened: &Opened, target: &Target) -> Vec<(usize, Place, LineRange)> {
    if matches!(opened.review.format, Format::Foreign(_)) {
        return Vec::new();
    }
    let exchange = exchange_of(opened);
    // An exchange's numbers count in its own patch, whatever it is held against.
    let own = exchange.as_ref().map(|exchange| exchange.diff().change());
    let change = match (&own, target) {
        (Some(own), _) => own,
        (None, Target::Patch(change)) => change,
        (None, Target::Change { change, .. }) => change,
        (None, Target::Nothing { .. }) => return Vec::new(),
    };
    let written: HashMap<usize, State> = exchange
        .as_ref()
        .map(|exchange| {
            exchange.comments().iter().map(|comment| comment.state.unwrap_or_default()).enumerate().collect()
        })
        .unwrap_or_default();
    let active = |finding: &&Finding| written.get(&finding.index).copied().unwrap_or(finding.state) == State::Active;
    let resolver = Resolver::new(change);
    let taken = opened.review.findings.iter().filter(active).filter_map(|finding| {
        match resolver.resolve(finding, Relocate::Sure) {
            Verdict::Anchored(anchor) => Some((finding.index, anchor.moved_from?, anchor.range)),
            Verdict::WholeFile | Verdict::Rejected(_) => None,
        }
    });
    taken.collect()
}

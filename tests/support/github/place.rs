//! Whether a comment's place is in the diff, and how the refusal is worded.

use serde_json::{Value, json};

use super::world::{Place, Pull, Side, World};
use crate::support::diff::{Change, FileDiff, LineKind};

/// Why a comment cannot stand where it was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Defect {
    Path,
    TooLarge,
    Line,
    StartNotBefore,
    OtherHunk,
    OtherSide,
}

/// How servers of different ages word the refusal of a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusals {
    /// One sentence with a clause per bad comment.
    Sentence,
    /// A sentence for each of them, as older servers do.
    Older,
    /// An object for each of them.
    Objects,
}

impl Defect {
    fn clause(self) -> &'static str {
        match self {
            Self::Path => "Path could not be resolved",
            Self::TooLarge | Self::Line => "Line could not be resolved",
            Self::StartNotBefore => "Start line must precede the end line",
            Self::OtherHunk => "Start line must be part of the same hunk as the line",
            Self::OtherSide => "Start side must be the same as the side",
        }
    }

    fn older(self) -> (&'static str, &'static str) {
        match self {
            Self::Path => ("path", "path is invalid"),
            Self::TooLarge => ("path", "path diff too large"),
            Self::Line => ("line", "line must be part of the diff"),
            Self::StartNotBefore => ("start_line", "start line must precede the end line"),
            Self::OtherHunk => ("start_line", "start line must be part of the same hunk as the line"),
            Self::OtherSide => ("start_side", "start side must be the same as the side"),
        }
    }
}

impl Refusals {
    /// The `errors` of the 422; without an index, so nobody can tell which comment it was.
    pub(super) fn errors(self, defects: &[Defect]) -> Value {
        match self {
            Self::Sentence => json!([enumeration(&defects.iter().map(|d| d.clause()).collect::<Vec<_>>())]),
            Self::Older => {
                json!(defects.iter().map(|d| format!("Pull request review thread {}", d.older().1)).collect::<Vec<_>>())
            }
            Self::Objects => {
                let object = |d: &Defect| {
                    let (field, message) = d.older();
                    json!({
                        "resource": "PullRequestReviewComment",
                        "code": "custom",
                        "field": format!("pull_request_review_thread.{field}"),
                        "message": format!("pull_request_review_thread.{field} {message}"),
                    })
                };
                json!(defects.iter().map(object).collect::<Vec<_>>())
            }
        }
    }
}

fn enumeration(clauses: &[&str]) -> String {
    match clauses {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [one, two] => format!("{one} and {two}"),
        [most @ .., last] => format!("{}, and {last}", most.join(", ")),
    }
}

/// The hunk (by file and number) that has this line on this side, if a comment may stand there.
fn hunk_of(files: &[&FileDiff], side: Side, line: u32) -> Option<(usize, usize)> {
    let takes = |kind, old: u32, new: u32| match side {
        Side::Right => kind != LineKind::Deleted && new == line,
        Side::Left => kind == LineKind::Deleted && old == line,
    };
    let hunks = files
        .iter()
        .enumerate()
        .flat_map(|(f, file)| file.hunks.iter().enumerate().map(move |(h, hunk)| ((f, h), hunk)));
    hunks.filter(|(_, hunk)| hunk.lines.iter().any(|l| takes(l.kind, l.old, l.new))).map(|(at, _)| at).next()
}

/// Whether the diff has a line there that a comment may stand at.
pub(super) fn stands(files: &[FileDiff], path: &str, side: Side, line: u32) -> bool {
    let named: Vec<_> = files.iter().filter(|f| f.new_path == path.as_bytes() && f.has_text()).collect();
    hunk_of(&named, side, line).is_some()
}

pub(super) fn check(
    world: &World,
    pull: &Pull,
    files: &[FileDiff],
    place: &Place,
    start_side: Option<Side>,
) -> Result<(), Defect> {
    let named: Vec<&FileDiff> = files.iter().filter(|f| f.new_path == place.path.as_bytes()).collect();
    if named.is_empty() {
        return Err(Defect::Path);
    }
    if pull.without_patch.contains(&place.path) {
        return Err(Defect::TooLarge);
    }
    if place.side == Side::Left && !world.takes_left_in_renamed && named.iter().any(|f| f.change == Change::Renamed) {
        return Err(Defect::Line);
    }
    let named: Vec<&FileDiff> = named.into_iter().filter(|f| f.has_text()).collect();
    let end = hunk_of(&named, place.side, place.line).ok_or(Defect::Line)?;
    if pull.refused.contains(&(place.path.clone(), place.line)) {
        return Err(Defect::Line);
    }
    let Some(start) = place.start_line else { return Ok(()) };
    if start_side.is_some_and(|side| side != place.side) {
        return Err(Defect::OtherSide);
    }
    if start >= place.line {
        return Err(Defect::StartNotBefore);
    }
    match hunk_of(&named, place.side, start) {
        None => Err(Defect::Line),
        Some(hunk) if hunk != end => Err(Defect::OtherHunk),
        Some(_) => Ok(()),
    }
}

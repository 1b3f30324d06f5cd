//! What a person, or a model that mends its own file, reads about a place that does not hold.

use std::fmt;

use super::verdict::{Fault, NotInDiff, OtherSide, Rejection, Why};
use crate::change::{LineKind, NoText};
use crate::review::{Place, Side, acts, quoted};

/// The characters of a line that a message shows.
const SHOWN: usize = 120;

/// How many places of an ambiguous snippet a message names.
const NAMED: usize = 5;

/// The text without white space around it, cut to what a message can show.
/// What is shown of a line is looked for in so many bytes.
pub(super) const SHOWN_BYTES: usize = 4096;

pub(super) fn shorten(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A line's text inside a sentence; quotes where it holds back-ticks itself.
struct Said<'t>(&'t str);

impl fmt::Display for Said<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            "" => f.write_str("an empty line"),
            text if text.contains('`') => write!(f, "\"{text}\""),
            text => write!(f, "`{text}`"),
        }
    }
}

/// A path inside a sentence; quoted where its end could not be seen, or a character of it.
struct Named<'p>(&'p str);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = self.0.trim() == self.0 && !self.0.chars().any(acts);
        if plain { f.write_str(self.0) } else { quoted(self.0).fmt(f) }
    }
}

struct At(Place);

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0.side, self.0.range)
    }
}

/// The first lines of both texts that differ, shown beside each other; lines with one trimmed text
/// are alike.
fn differing<'t>(there: &'t [String], snippet: &'t str) -> (String, String) {
    let quoted = || snippet.trim().split('\n').map(shorten);
    let pair = there.iter().cloned().zip(quoted()).find(|(a, b)| a != b);
    pair.unwrap_or_else(|| (there.first().cloned().unwrap_or_default(), quoted().next().unwrap_or_default()))
}

fn reads(f: &mut fmt::Formatter<'_>, place: Place, there: &[String], snippet: &str) -> fmt::Result {
    let (line, quoted) = differing(there, snippet);
    write!(f, "{} reads {}, the snippet says {}", At(place), Said(&line), Said(&quoted))
}

fn named(f: &mut fmt::Formatter<'_>, candidates: &[Place]) -> fmt::Result {
    for (at, candidate) in candidates.iter().take(NAMED).enumerate() {
        let border = if at == 0 { "" } else { ", " };
        write!(f, "{border}{}", At(*candidate))?;
    }
    f.write_str(if candidates.len() > NAMED { " and more" } else { "" })
}

fn only(side: Side) -> &'static str {
    match side {
        Side::Left => "the file is deleted: every line is on LEFT",
        Side::Right => "the file is new: every line is on RIGHT",
    }
}

/// What is wrong, as a fragment. It is one line unless a path or a text of the diff is not; those
/// are escaped where they are shown.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::PathNotUtf8 { path } => {
                write!(f, "{} spells a name that is not UTF-8, which no forge's API can be told", Named(path))
            }
            Fault::FileNotInDiff { path, detail: NotInDiff::Untouched } => {
                write!(f, "{} is not changed here", Named(path))
            }
            Fault::FileNotInDiff { path, detail: NotInDiff::Absent } => {
                write!(f, "there is no file {}, before the change or after it", Named(path))
            }
            Fault::FileNotInDiff { path, detail: NotInDiff::Near(near) } => {
                write!(f, "{} is not in the diff, and {} is", Named(path), Named(near))
            }
            Fault::FileNotInDiff { path, detail: NotInDiff::RenamedTo(new) } => {
                write!(f, "{} is renamed to {}: RIGHT goes by the new name", Named(path), Named(new))
            }
            Fault::BinaryFile { path } => write!(f, "{} is binary, so it has no lines", Named(path)),
            Fault::NoTextDiff { path, why } => match why {
                NoText::PureRename => write!(f, "{} is renamed without a changed line", Named(path)),
                NoText::ModeOnly => write!(f, "only the mode of {} changes, none of its lines", Named(path)),
                NoText::Submodule => write!(f, "{} is a submodule: it has a commit and no lines", Named(path)),
                NoText::Symlink => write!(f, "{} is a symlink: it has a target and no lines", Named(path)),
                NoText::Empty => write!(f, "{} is empty", Named(path)),
            },
            Fault::WrongSide { place, detail } => match detail {
                OtherSide::Deleted => f.write_str(only(Side::Left)),
                OtherSide::Added => f.write_str(only(Side::Right)),
                OtherSide::Line(kind) => {
                    let kind = match kind {
                        LineKind::Added => "an added line",
                        LineKind::Removed => "a deleted line",
                        LineKind::Context => "a context line",
                    };
                    let Place { side, range } = *place;
                    write!(f, "{} is not in the diff, {} {} is: {kind}", At(*place), side.other(), range)
                }
            },
            Fault::LineNotInDiff { place, line, only: one } => match one.filter(|one| *one != place.side) {
                Some(side) => f.write_str(only(side)),
                None => write!(f, "line {line} is not in the diff on {}", place.side),
            },
            Fault::RangeReversed { range } => {
                write!(f, "the range ends at line {}, before it begins at line {}", range.end, range.start)
            }
            Fault::RangeAcrossHunks { range } => {
                write!(
                    f,
                    "lines {} and {} are in different hunks, and a comment lies within one",
                    range.start, range.end
                )
            }
            Fault::SnippetMismatch { place, there, snippet } => reads(f, *place, there, snippet),
            Fault::SnippetAmbiguous { place, there, snippet, candidates } => {
                reads(f, *place, there, snippet)?;
                f.write_str(", which stands at ")?;
                named(f, candidates)
            }
            Fault::PatchLinesGone { place, lines, there } => {
                let differing = lines.iter().zip(there).find(|(line, there)| line != there);
                let (line, there) = differing.map_or((lines.first(), None), |(line, there)| (Some(line), Some(there)));
                let line = line.map_or("", String::as_str);
                write!(
                    f,
                    "the embedded patch has `{line}` at {}, and this change does not have it any more",
                    At(*place)
                )?;
                there.map_or(Ok(()), |there| write!(f, ": `{there}` is there now"))
            }
            Fault::PatchLinesAmbiguous { place, lines, candidates } => {
                let line = lines.first().map_or("", String::as_str);
                write!(f, "the embedded patch has `{line}` at {}, which this change has as well at ", At(*place))?;
                named(f, candidates)
            }
        }
    }
}

/// The fault, then what is probably meant, else what is near, else what can be done.
impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.fault)?;
        if let Some(proposal) = &self.proposal {
            let place = At(Place { side: proposal.side, range: proposal.range });
            return match proposal.why {
                Why::WholeLines => write!(f, "; the snippet stands at {place}"),
                Why::Probable => write!(f, "; the snippet probably means {place}"),
                Why::OtherSide => write!(f, "; {place} is probably meant"),
                Why::Renamed | Why::NearPath => {
                    write!(f, "; {place} of {} is probably meant", Named(&proposal.path))
                }
            };
        }
        match (&self.fault, self.nearest.first()) {
            (Fault::LineNotInDiff { place, .. }, Some(near)) => {
                let side = if near.side == place.side { String::new() } else { format!("{} ", near.side) };
                let text = shorten(&near.text);
                write!(f, "; the nearest commentable line is {side}{}: {}", near.line, Said(&text))
            }
            (
                Fault::PathNotUtf8 { .. }
                | Fault::FileNotInDiff { detail: NotInDiff::Untouched | NotInDiff::Absent, .. }
                | Fault::BinaryFile { .. }
                | Fault::NoTextDiff { .. },
                _,
            ) => f.write_str("; leave its line out, and it goes into the summary"),
            _ => Ok(()),
        }
    }
}

//! A few lines of the hunk around a place, so that a person sees what a comment would stand under.

use super::{Paint, clip, visible, width};
use crate::anchor::Anchor;
use crate::change::{Change, DiffLine, LineKind};

/// How many lines of the hunk are shown before and after the place.
const AROUND: usize = 2;
/// Of a longer range only its beginning and end are shown.
const LONGEST: usize = 12;
/// Code lines are cut at this many columns, and before that at so many bytes.
const COLUMNS: usize = 110;
const BYTES: usize = 4096;

/// One shown line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    Line {
        /// The number in the image of the comment's side, so that the column runs on; that of the other one
        /// for a line which that image does not have.
        number: u32,
        kind: LineKind,
        text: String,
        /// Whether the comment stands at it.
        hit: bool,
    },
    /// This many lines are left out here.
    Gap(usize),
}

/// The rows to show for an anchor.
pub fn excerpt(change: &Change, anchor: &Anchor) -> Vec<Row> {
    let lines = &anchor.delta(change).hunks()[anchor.hunk].lines;
    let from = anchor.first.saturating_sub(AROUND);
    let to = (anchor.last + AROUND + 1).min(lines.len());
    let row = |at: usize| {
        let line: &DiffLine = &lines[at];
        let inside = (anchor.first..=anchor.last).contains(&at);
        Row::Line {
            number: line.number(anchor.side).or(line.number(anchor.side.other())).unwrap_or(0),
            kind: line.kind,
            text: line.beginning(BYTES).trim_end_matches('\r').to_owned(),
            hit: inside && line.number(anchor.side).is_some(),
        }
    };
    if to - from <= LONGEST {
        return (from..to).map(row).collect();
    }
    let half = LONGEST / 2;
    let head = (from..from + half).map(row);
    let tail = (to - half..to).map(row);
    head.chain([Row::Gap(to - from - 2 * half)]).chain(tail).collect()
}

/// The rows as lines for a terminal: the number, the sign, the text; `>` before those that are hit.
pub fn code_lines(rows: &[Row], paint: Paint, columns: Option<usize>) -> Vec<String> {
    let widest = rows.iter().map(|row| if let Row::Line { number, .. } = row { *number } else { 0 }).max();
    let digits = widest.unwrap_or(0).to_string().len();
    let line = |row: &Row| match row {
        Row::Gap(left_out) => paint.dim(&format!("     {:digits$} … {left_out} more lines", "")),
        Row::Line { number, kind, text, hit } => {
            let sign = match kind {
                LineKind::Added => '+',
                LineKind::Removed => '-',
                LineKind::Context => ' ',
            };
            let pointer = if *hit { '>' } else { ' ' };
            let shown = visible(text);
            let lead = format!("   {pointer} {number:>digits$} {sign} ");
            let room = columns.map_or(COLUMNS, |columns| columns.saturating_sub(width(&lead)));
            let code = format!("{lead}{}", clip(&shown, room.clamp(1, COLUMNS)));
            let code = code.trim_end();
            match (hit, kind) {
                (true, _) => paint.bold(code),
                (false, LineKind::Added) => paint.good(code),
                (false, LineKind::Removed) => paint.removed(code),
                (false, LineKind::Context) => paint.dim(code),
            }
        }
    };
    rows.iter().map(line).collect()
}

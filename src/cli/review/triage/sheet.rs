//! One finding for a person's eyes.

use std::fmt::Write as _;

use super::ground::Look;
use crate::output::{Paint, Row, clip, code_lines, visible};
use crate::review::{Finding, Place, State};

/// Of a long text this many lines are shown; the editor has all.
const BODY_LINES: usize = 24;
/// And of a long line this many columns.
const COLUMNS: usize = 500;

/// The finding with its place, its code, its text, and what is to be said of the place.
pub fn sheet(finding: &Finding, all: usize, look: &Look, paint: Paint) -> String {
    let mut out = format!("\n{}", paint.bold(&format!("{} of {all}", finding.index + 1)));
    let place = place(&finding.path, finding.place);
    // Writing into a string cannot fail.
    let _ = write!(out, "  {}  {}", paint.place(&visible(&place)), facts(finding));
    out.push('\n');
    rows(&mut out, look.rows.as_slice(), paint);
    let lines: Vec<&str> = finding.body.trim_end().lines().collect();
    for line in lines.iter().take(BODY_LINES) {
        let _ = writeln!(out, "{}", format!("     {}", clip(&visible(line), COLUMNS)).trim_end());
    }
    if lines.len() > BODY_LINES {
        let _ = writeln!(out, "     {}", paint.dim(&format!("… {} more lines", lines.len() - BODY_LINES)));
    }
    for reply in &finding.replies {
        let author = reply.author.as_deref().unwrap_or("somebody");
        let first = reply.body.lines().next().unwrap_or_default();
        let _ =
            writeln!(out, "     {}", paint.dim(&format!("{}: {}", visible(author), clip(&visible(first), COLUMNS))));
    }
    if let Some(fault) = &look.fault {
        let _ = writeln!(out, "   {} {}", paint.warning("does not hold:"), visible(fault));
    }
    if let Some(proposal) = &look.proposal {
        let place = self::place(&proposal.path, Some(proposal.place));
        let _ = writeln!(out, "   {} {}", paint.good("proposed:"), paint.place(&visible(&place)));
        rows(&mut out, &proposal.rows, paint);
    }
    out
}

fn rows(out: &mut String, rows: &[Row], paint: Paint) {
    for line in code_lines(rows, paint, None) {
        out.push_str(&line);
        out.push('\n');
    }
}

fn place(path: &str, place: Option<Place>) -> String {
    match place {
        Some(place) => format!("{path}:{} {}", place.range, place.side),
        None => format!("{path} (as a whole)"),
    }
}

fn facts(finding: &Finding) -> String {
    let severity = finding.severity.map_or("no severity", |severity| severity.as_str()).to_owned();
    let confidence = finding.confidence.map(|confidence| format!("confidence {confidence}"));
    let state = (finding.state != State::Active).then(|| finding.state.as_str().to_owned());
    let id = finding.id.as_deref().map(|id| visible(id).into_owned());
    [Some(severity), confidence, state, id].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

//! The heading of a finding, which a narrow terminal gets in several rows.

use super::{Paint, fold, width};

/// What stands before every row but the first: a row of a heading must not look like the program's own.
const INDENT: &str = "      ";

/// A terminal that is narrower breaks the rows itself.
const NARROWEST: usize = 20;

/// A piece of a heading, and how it is painted. Foreign text in it must already be visible.
pub struct Part {
    text: String,
    paint: fn(Paint, &str) -> String,
}

impl Part {
    pub fn painted(text: impl Into<String>, paint: fn(Paint, &str) -> String) -> Self {
        Self { text: text.into(), paint }
    }

    pub fn plain(text: impl Into<String>) -> Self {
        Self::painted(text, |_, text| text.to_owned())
    }
}

/// The parts behind `lead`, two blanks between them. One that does not fit goes into a row of its own,
/// and is broken only where it is longer than that.
pub fn heading(lead: &str, parts: &[Part], paint: Paint, columns: Option<usize>) -> String {
    let columns = columns.map_or(usize::MAX, |columns| columns.max(NARROWEST));
    let room = columns - width(lead).max(width(INDENT)).min(columns / 2);
    let (mut out, mut used, mut is_fresh) = (lead.to_owned(), width(lead), true);
    for part in parts.iter().filter(|part| !part.text.is_empty()) {
        let (gap, wide) = (if is_fresh { "" } else { "  " }, width(&part.text));
        if used + gap.len() + wide <= columns {
            out += gap;
            out += &(part.paint)(paint, &part.text);
            used += gap.len() + wide;
        } else {
            for piece in fold(&part.text, room).into_iter().map(str::trim).filter(|piece| !piece.is_empty()) {
                if !is_fresh {
                    out.push('\n');
                    out += INDENT;
                }
                out += &(part.paint)(paint, piece);
                used = width(INDENT) + width(piece);
                is_fresh = false;
            }
        }
        is_fresh = false;
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Part, heading};
    use crate::output::{ColorChoice, Paint, width};

    fn paint() -> Paint {
        Paint::decide(ColorChoice::Never, true, |_| None)
    }

    fn shown(columns: Option<usize>) -> String {
        let parts = ["src/checkout.ts:41-42 RIGHT", "high, confidence 0.8", "/findings/3 (f4)", "line_not_in_diff"];
        heading("-  ", &parts.map(Part::plain), paint(), columns)
    }

    #[test]
    fn a_place_is_whole_as_long_as_it_fits_into_a_row() {
        let whole = "-  src/checkout.ts:41-42 RIGHT  high, confidence 0.8  /findings/3 (f4)  line_not_in_diff";
        assert_eq!(shown(None), whole);
        assert_eq!(shown(Some(88)), whole);
        assert_eq!(
            shown(Some(60)),
            "-  src/checkout.ts:41-42 RIGHT  high, confidence 0.8\n      /findings/3 (f4)  line_not_in_diff"
        );
        assert_eq!(
            shown(Some(30)),
            "-  src/checkout.ts:41-42 RIGHT\n      high, confidence 0.8\n      /findings/3 (f4)\n      line_not_in_diff"
        );
        assert_eq!(
            shown(Some(28)),
            "-  src/checkout.ts:41-42\n      RIGHT\n      high, confidence 0.8\n      /findings/3 (f4)\n      line_not_in_diff"
        );
    }

    proptest! {
        #[test]
        fn every_row_fits_and_nothing_is_lost(
            texts in prop::collection::vec("[a-z한/]{0,30}( [a-z]{1,6}){0,2}", 1..5), columns in 0usize..60,
        ) {
            let parts: Vec<_> = texts.iter().map(Part::plain).collect();
            let shown = heading("12. ", &parts, paint(), Some(columns));
            for (at, row) in shown.lines().enumerate() {
                prop_assert!(width(row) <= columns.max(20), "{}", row);
                prop_assert!(row.starts_with(if at == 0 { "12. " } else { "      " }), "{}", row);
            }
            let bare = |text: &str| text.replace([' ', '\n'], "");
            prop_assert_eq!(bare(&shown), bare(&format!("12. {}", texts.concat())));
        }
    }
}

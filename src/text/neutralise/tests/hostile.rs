//! Texts put together from everything that matters, held against the forges' side.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::super::{assert_inert, block, code, inline};
use super::acting::{acts, top_blocks};
use crate::change::CommitId;
use crate::review::{Heading, LineRange, Place, Reply, Severity, Side};
use crate::text::marker::{Marker, ReviewId, Tag};
use crate::text::{CommentFacts, Dialect, Entry, Existing, Shown, SummaryFacts, comment, summary_body, with_marker};

const SNIPPETS: &[&str] = &[
    "/approve",
    "/a",
    "`",
    "``",
    "```",
    "```\n",
    "````",
    "~~~",
    "~~~\n",
    "\n```\n",
    "\n```\n/b\n```\n",
    "```js",
    ">",
    "> ",
    ">>>",
    ">>>\n",
    "<!--",
    "-->",
    "<details>",
    "</details>",
    "<b>",
    "<a\n",
    "</a>",
    "<https://x.example/>",
    "<",
    "&lt;",
    "\r",
    "\n",
    "\n\n",
    " ",
    "    ",
    "\t",
    "- ",
    "1. ",
    "* ",
    "[x]: /",
    "[x]: ",
    "[^1]: ",
    "[^1]",
    "[x]",
    "@ann",
    "\\@ann",
    "&#64;ann",
    "a@b.c",
    "#1",
    "&num;1",
    "!1",
    "&1",
    "GH-1",
    "![](",
    "![a](b)",
    "](",
    ")",
    "[",
    "]",
    "!",
    "\\",
    "_",
    "*",
    "**",
    "|",
    "|-|\n",
    "| a |\n",
    "===\n",
    "---\n",
    "# ",
    "https://github.com/o/r/pull/1",
    "https://x.example/@ann",
    "www.",
    "suggestion",
    "```suggestion\n",
    "<script>",
    "<?",
    "<!x",
    "<pre>",
    "\u{0}",
    "\u{202E}",
    "\u{1B}[1m",
    "\u{FEFF}",
    "&#x202E;",
    "\u{2028}",
    "가",
    "a",
    "1",
    "$",
    "~",
    "ghp_0123456789abcdef",
    "<!-- dai v1 finding=0101010101010101 place=0202020202020202 -->",
    "[a](https://github.com/o/r/issues/1)",
    "[a](@ann)",
    "<x>\n",
];

fn hostile() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(SNIPPETS), 0..24).prop_map(|parts| parts.concat())
}

const BOTH: [Dialect; 2] = [Dialect::GitHub, Dialect::GitLab];

/// Nothing acts by the oracle, which shares nothing with the pass.
fn inert(text: &str, dialect: Dialect) -> Result<(), TestCaseError> {
    let found = acts(text, dialect == Dialect::GitLab);
    prop_assert!(found.is_empty(), "{found:?} on {dialect:?} in {text:?}");
    Ok(())
}

fn marker() -> Marker {
    Marker::Finding { finding: Tag([1; 8]), place: Tag([2; 8]), by: ReviewId::Default }
}

proptest! {
    // What runs everywhere is the same everywhere; a wider search sets DAI_TEST_CASES, or is the fuzz target.
    #![proptest_config(ProptestConfig { cases: cases(), rng_seed: RngSeed::Fixed(1), max_shrink_iters: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn a_block_is_inert_settled_and_swallows_nothing(text in hostile()) {
        for dialect in BOTH {
            let clean = block(&text, dialect);
            inert(&clean.text, dialect)?;
            let again = block(&clean.text, dialect);
            prop_assert_eq!(&again.text, &clean.text);
            prop_assert_eq!(again.edits, vec![], "{:?} gave {:?}", text, clean.text);

            let followed = format!("{}\n\nafter\n\n{}", clean.text.trim_end(), marker());
            let blocks = top_blocks(&followed, dialect == Dialect::GitLab);
            let last: Vec<_> = blocks.iter().rev().take(2).map(|(kind, source)| (*kind, source.as_str())).collect();
            let marker = marker().to_string();
            prop_assert_eq!(last, vec![("html", marker.as_str()), ("paragraph", "after")], "{:?} gave {:?}", text, clean.text);
        }
    }

    #[test]
    fn a_line_stays_in_its_line(a in hostile(), b in hostile()) {
        for dialect in BOTH {
            let (first, second) = (inline(&a, dialect), inline(&b, dialect));
            prop_assert!(!first.text.contains('\n'));
            let again = inline(&first.text, dialect);
            prop_assert_eq!(&again.text, &first.text);
            prop_assert_eq!(again.edits, vec![]);

            let (x, y) = (code(&a).text, &second.text);
            for text in [
                format!("{}\n\nafter", first.text),
                format!("- {}\n- {x} · {y}\n  - {y}: {}\n\nafter", first.text, first.text),
                format!("**a:** {} · **b:** {y}\n\nafter", first.text),
            ] {
                inert(&text, dialect)?;
                let blocks = top_blocks(&text, dialect == Dialect::GitLab);
                let kinds: Vec<_> = blocks.iter().map(|(kind, _)| *kind).collect();
                prop_assert!(
                    matches!(kinds[..], ["list" | "paragraph", "paragraph"]) || first.text.is_empty(),
                    "{:?} in {:?}", kinds, text
                );
                prop_assert_eq!(&blocks.last().unwrap().1, "after");
            }
        }
    }

    #[test]
    fn a_comment_with_hostile_fields_is_inert(
        body in hostile(), author in hostile(), reply in hostile(), second in hostile(), reviewer in hostile(),
    ) {
        let replies = [Reply { author: Some(author), body: reply }, Reply { author: None, body: second }];
        for dialect in BOTH {
            let facts = CommentFacts {
                severity: Some(Severity::Low), confidence: None, body: &body, range_note: None, replies: &replies,
                reviewer: Some(&reviewer), marker: marker(), dialect,
            };
            let text = comment(&facts).whole.text;
            inert(&text, dialect)?;
            prop_assert_eq!(assert_inert(&text, dialect), Ok(()), "{}", text);
            prop_assert_eq!(Marker::read(&text, dialect), Some(marker()));
        }
    }

    #[test]
    fn a_summary_with_hostile_fields_is_inert(
        texts in prop::collection::vec(hostile(), 12),
        limit in prop::sample::select(vec![8_000_usize, 65_536]),
    ) {
        let heading = Heading {
            title: Some(texts[0].clone()), reviewer: Some(texts[11].clone()), us: Some(texts[1].clone()), version: Some(texts[2].clone()),
            check_status: Some(texts[3].clone()), dod: Some(texts[4].clone()), summary: Some(texts[5].clone()),
            good: vec![texts[6].clone(), texts[7].clone()],
        };
        let replies = [Reply { author: Some(texts[0].clone()), body: texts[8].clone() }];
        let reason = texts[9].as_str();
        let shown = [
            Shown::AtLine, Shown::Here, Shown::Adrift, Shown::Dismissed, Shown::Suppressed { reason }, Shown::Rejected { reason },
            Shown::Rejected { reason }, Shown::Failed { reason }, Shown::Unknown { reason }, Shown::NotAttempted { reason },
        ];
        let place = Some(Place { side: Side::Left, range: LineRange::new(1, 2) });
        let entries: Vec<Entry<'_>> = shown.iter().enumerate().map(|(number, shown)| Entry {
            number, path: &texts[10], place, severity: None, confidence: None, body: &texts[(number * 5) % 12],
            replies: &replies, shown: *shown, existing: Some(Existing { url: Some(&texts[number % 12]) }),
        }).collect();
        let head = CommitId::parse(&"ab".repeat(20)).unwrap();
        let by = ReviewId::Named(Tag([4; 8]));
        for dialect in BOTH {
            let body = summary_body(&SummaryFacts { heading: &heading, entries: &entries, limit, dialect }).body;
            let last = Marker::Review { review: Tag([3; 8]), head: head.clone(), by, text: None }.over(&body.text);
            let text = with_marker(&body.text, &last);
            inert(&text, dialect)?;
            prop_assert_eq!(assert_inert(&text, dialect), Ok(()), "{}", text);
            prop_assert_eq!(text.matches("<details><summary>Kept back: 2 rejected, 1 suppressed, 1 dismissed</summary>\n").count(), 1);
            prop_assert!(text.chars().count() <= limit, "{} of {}", text.chars().count(), limit);
        }
    }
}

/// More of them with `DAI_TEST_CASES`, for a long look.
fn cases() -> u32 {
    std::env::var("DAI_TEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(64)
}

#[test]
fn deep_nesting_and_long_runs_come_to_an_end_and_settle() {
    for piece in [
        "[",
        "> ",
        "*a ",
        "`a",
        "<a",
        "<!--",
        "<a>\n",
        "![",
        "[a](",
        "@a ",
        "#1 ",
        "\\",
        "&#64;",
        "http://",
        "https://x.example/@ann ",
        "- ",
        "```\n",
        "~~~\n",
        ">>>\n",
        "/a\n",
        "</a>\n",
        "<div>\n\n",
        "[a]: b\n",
        "[a]",
        "_a",
        "**a",
        "|",
        "\n",
        "!![a](b)",
        "<!x>\n",
        "https://github.com/o/r/pull/1 ",
    ] {
        let text = piece.repeat(60_000 / piece.len());
        for dialect in BOTH {
            let clean = block(&text, dialect);
            assert_eq!(block(&clean.text, dialect).edits, vec![], "{piece:?}");
            inline(&text, dialect);
        }
    }
}

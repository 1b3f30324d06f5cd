use super::super::Dialect;
use super::super::marker::{Marker, ReviewId, Tag, words_tag};
use super::super::{assert_inert, with_marker};
use super::*;
use crate::change::CommitId;
use crate::review::{Confidence, Heading, LineRange, Place, Reply, Severity, Side};

const GITHUB: usize = 65_536;

fn entry<'a>(path: &'a str, line: u32, severity: Severity, body: &'a str, shown: Shown<'a>) -> Entry<'a> {
    let place = (line > 0).then(|| Place { side: Side::Right, range: LineRange::line(line) });
    let (number, severity) = (line as usize, Some(severity));
    Entry { number, path, place, severity, confidence: None, body, replies: &[], shown, existing: None }
}

fn summary(heading: &Heading, entries: &[Entry<'_>]) -> Summary {
    summary_body(&SummaryFacts { heading, entries, limit: GITHUB, dialect: Dialect::GitLab })
}

fn posted(summary: &Summary) -> String {
    let head = CommitId::parse(&"ab".repeat(32)).unwrap();
    let by = ReviewId::Named(Tag([8; 8]));
    let marker = Marker::Review { review: Tag([7; 8]), head, by, text: Some(words_tag(&summary.body.text)) };
    let text = with_marker(&summary.body.text, &marker);
    assert_eq!(Marker::read(&text, Dialect::GitLab), Some(marker));
    assert_eq!(assert_inert(&text, Dialect::GitLab), Ok(()), "{text}");
    text
}

#[test]
fn a_full_summary_reads_like_this() {
    let heading = Heading {
        title: Some("Checkout".into()),
        reviewer: Some("claude".into()),
        us: Some("ABC-482".into()),
        version: Some("v1".into()),
        check_status: Some("up to date".into()),
        dod: Some("4/5".into()),
        summary: Some("Good, but for one thing.".into()),
        good: vec!["Tests for `pay`.".into(), "Small commits.".into()],
    };
    let reply = [Reply { author: Some("ann".into()), body: "Not so.\nBecause.".into() }];
    let range = Place { side: Side::Left, range: LineRange::new(42, 44) };
    let entries = [
        entry("src/a.rs", 0, Severity::Low, "No header.\n\nAdd one.", Shown::Here),
        entry("src/a.rs", 3, Severity::High, "At its line.", Shown::AtLine),
        entry("src/a.rs", 9, Severity::Medium, "Private.", Shown::Dismissed),
        Entry {
            place: Some(range),
            replies: &reply,
            ..entry(
                "src/b.rs",
                1,
                Severity::Low,
                "Nit.\n\nMore.",
                Shown::Suppressed { reason: "below the minimum severity" },
            )
        },
        Entry {
            severity: None,
            ..entry("src/c.rs", 5, Severity::Low, "Gone.", Shown::Suppressed { reason: "over the cap" })
        },
        entry("src/d.rs", 7, Severity::High, "Whole\n\nbody.", Shown::Rejected { reason: "line 7 is not in the diff" }),
    ];
    let summary = summary(&heading, &entries);
    let expected = "\
## Review: Checkout

**Reviewer:** claude · **US:** ABC-482 · **Version:** v1 · **Check status:** up to date · **DoD:** 4/5

Good, but for one thing.

**Findings:** 1 high, 1 low (1 at their lines; 1 below, on files as a whole).

### What is good

- Tests for `pay`.
- Small commits.

### On files as a whole

**Low severity** · `src/a.rs`

No header.

Add one.

<details><summary>Kept back: 1 rejected, 2 suppressed, 1 dismissed</summary>

### Rejected

**High severity** · `src/d.rs`, line 7 · line 7 is not in the diff

Whole

body.

### Suppressed

- `src/b.rs`, lines 42 to 44 (LEFT) · below the minimum severity · low severity · Nit.
  - ann replied: Not so.
- `src/c.rs`, line 5 · over the cap · no severity · Gone.

### Dismissed by a person

- finding 9: `src/a.rs`, line 9

</details>

*Written by an AI reviewer (claude), posted with `dai` from this account.*";
    assert_eq!(summary.body.text, expected);
    assert_eq!((summary.cut, summary.body.edits.len()), (0, 0));
    posted(&summary);
}

#[test]
fn the_files_order_plays_no_part() {
    let texts = ["one", "two", "three", "four"];
    let mut entries: Vec<Entry<'_>> = texts
        .iter()
        .map(|text| Entry { number: 1, ..entry("a", 4, Severity::Low, text, Shown::Suppressed { reason: "r" }) })
        .collect();
    entries[2].confidence = Confidence::new(0.5);
    let heading = Heading::default();
    let first = summary(&heading, &entries);
    entries.reverse();
    assert_eq!(summary(&heading, &entries), first);
    let order: Vec<usize> = texts.iter().map(|text| first.body.text.find(&format!("· {text}")).unwrap()).collect();
    assert!(order[3] < order[0] && order[0] < order[1] && order[1] < order[2], "{}", first.body.text);
}

#[test]
fn the_forges_answers_are_told_as_they_are() {
    let entries = [
        entry("a", 1, Severity::High, "Stands.", Shown::AtLine),
        entry("e", 5, Severity::High, "Adrift.\nMore.", Shown::Adrift),
        entry("b", 2, Severity::High, "Refused\nwhole.", Shown::Failed { reason: "400 line_code" }),
        entry("c", 3, Severity::High, "Perhaps.\nMore.", Shown::Unknown { reason: "no answer" }),
        entry("d", 4, Severity::High, "Later.\nMore.", Shown::NotAttempted { reason: "interrupted" }),
    ];
    let text = posted(&summary(&Heading::default(), &entries));
    for part in [
        "5 high (1 at their lines; 1 in threads without a line, named below; 1 refused by the forge, below; \
         1 posted or not, named below; 1 not posted, named below)",
        "### In threads of their own: the forge did not keep their lines\n\n- `e`, line 5 · high severity · Adrift.\n\n",
        "### Refused by the forge\n\n**High severity** · `b`, line 2 · 400 line_code\n\nRefused\nwhole.",
        "### Posted or not: the forge gave no answer\n\n- `c`, line 3 · no answer · high severity · Perhaps.\n\n",
        "### Not posted: the run stopped before them\n\n- `d`, line 4 · interrupted · high severity · Later.\n\n",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
    assert!(!text.contains("<details>"));
}

#[test]
fn c40_nothing_passes_and_that_is_no_approval() {
    let entries = [entry("a", 1, Severity::Low, "Nit.", Shown::Suppressed { reason: "below the minimum severity" })];
    let text = posted(&summary(&Heading::default(), &entries));
    assert!(text.contains("none of 1 passed the filters") && text.contains("no approval"), "{text}");
    assert!(text.contains("- `a`, line 1 · below the minimum severity · low severity · Nit."), "{text}");
    let text = posted(&summary(&Heading::default(), &[]));
    assert!(text.contains("none") && text.contains("no approval"), "{text}");
}

#[test]
fn c37_a_summary_of_3000_suppressed_findings_is_cut_with_an_exact_count() {
    let bodies: Vec<String> = (0..3000).map(|n| format!("Finding number {n} of many, with ` and <b> in it.")).collect();
    let mut entries: Vec<Entry<'_>> = bodies
        .iter()
        .map(|body| {
            entry("src/a.rs", 1, Severity::Low, body, Shown::Suppressed { reason: "below the minimum severity" })
        })
        .collect();
    entries.push(entry("src/b.rs", 4, Severity::High, "Rejected, and whole.", Shown::Rejected { reason: "gone" }));
    let summary = summary(&Heading::default(), &entries);
    let text = posted(&summary);
    assert!(text.chars().count() <= GITHUB);
    assert!(text.chars().count() > GITHUB - 400, "room is used: {}", text.chars().count());
    let listed = text.matches("\n- `src/a.rs`").count();
    assert_eq!(listed + summary.cut, 3000);
    assert!(text.contains(&format!("\n- … and {} more suppressed findings", summary.cut)), "{text}");
    assert!(text.contains("Rejected, and whole."));
    assert!(text.contains("\n\n</details>\n\n*Written"));
}

#[test]
fn c37_whole_bodies_and_a_long_verdict_are_cut_too() {
    let long = "word ".repeat(12_000);
    let entries: Vec<Entry<'_>> =
        (1..5).map(|line| entry("a", line, Severity::High, &long, Shown::Rejected { reason: "gone" })).collect();
    let heading = Heading { summary: Some(format!("```\n{}", "/approve now\n".repeat(20_000))), ..Heading::default() };
    for limit in [GITHUB, 1_000_000, 3_000] {
        let summary =
            summary_body(&SummaryFacts { heading: &heading, entries: &entries, limit, dialect: Dialect::GitLab });
        let text = posted(&summary);
        assert!(text.chars().count() <= limit, "{limit}");
        let listed = text.matches("**High severity** · `a`").count();
        assert_eq!(listed + summary.cut, 4);
        assert!(summary.cut == 0 || text.contains(&format!("… and {} more rejected findings", summary.cut)));
    }
}

#[test]
fn a_file_at_its_limits_is_put_together_and_every_finding_counted() {
    // 5,000 findings in 8 MiB.
    let body = "Text with `code`, Vec<T>, @ann and #12.\n\n```\n/approve\n```\n\n".repeat(26);
    let entries: Vec<Entry<'_>> = (1..=5_000)
        .map(|line| entry("src/a.rs", line, Severity::High, &body, Shown::Rejected { reason: "gone" }))
        .collect();
    let summary = summary_body(&SummaryFacts {
        heading: &Heading::default(),
        entries: &entries,
        limit: 1_000_000,
        dialect: Dialect::GitLab,
    });
    let text = posted(&summary);
    assert_eq!(text.matches("**High severity** · `src/a.rs`").count() + summary.cut, 5_000);
    assert!(text.chars().count() <= 1_000_000);
}

#[test]
fn c56_the_comment_of_a_finding_that_is_kept_back_is_named_with_its_link() {
    let url = "https://github.com/acme/widgets/pull/22#discussion_r7";
    let of = |existing, entry| Entry { existing: Some(Existing { url: existing }), ..entry };
    let suppressed = Shown::Suppressed { reason: "low is below --min-severity high" };
    let entries = [
        of(Some(url), entry("a", 9, Severity::Medium, "Private.", Shown::Dismissed)),
        of(Some(url), entry("b", 3, Severity::Low, "Nit.", suppressed)),
        of(None, entry("c", 4, Severity::Low, "Nit.", suppressed)),
        of(Some("javascript:`x`"), entry("d", 5, Severity::Low, "Stale.", Shown::Rejected { reason: "stale" })),
    ];
    let text = posted(&summary(&Heading::default(), &entries));
    for line in [
        "none of 4 passed the filters. 4 of those kept back have comments on this page all the same",
        "- finding 9: `a`, line 9 · a comment of it is on this page: <https://github.com/acme/widgets/pull/22#discussion_r7>\n",
        "- `b`, line 3 · low is below --min-severity high · a comment of it is on this page: <https://github.com/",
        "- `c`, line 4 · low is below --min-severity high · a comment of it is on this page · low",
        "`d`, line 5 · stale · a comment of it is on this page: `` javascript:`x` ``",
    ] {
        assert!(text.contains(line), "{line}\n---\n{text}");
    }
    assert!(!text.contains("Private."), "{text}");
    let passed = [entry("x", 1, Severity::High, "Body.", Shown::AtLine), entries[0].clone()];
    let text = posted(&summary(&Heading::default(), &passed));
    assert!(text.contains("1 high (1 at their lines). One of those kept back has a comment on this page"), "{text}");
}

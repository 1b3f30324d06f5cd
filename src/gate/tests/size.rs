use std::collections::HashMap;

use super::sample::*;
use super::*;

/// Rescanning an image for every finding takes minutes here, looking up well under a second.
#[test]
fn thousands_of_findings_are_planned_without_reading_a_file_for_each() {
    let lines: Vec<String> = (0..50_000)
        .map(|n| if n % 2 == 0 { "+    return nil".to_owned() } else { format!("+    value {}", n % 7) })
        .collect();
    let script: Vec<&str> = lines.iter().map(String::as_str).collect();
    let change = change(vec![modified("m.rs", &script)]);
    let findings = (0..5_000u32)
        .map(|n| Finding { body: format!("body {n}"), ..finding("m.rs", R, 1 + n * 10, 1 + n * 10 + n % 3) });
    let review = review(findings.collect());
    let check = CrossCheck::Files(HashMap::from([("m.rs".to_owned(), ForgeFile::Hunks(text(&script).hunks))]));

    let mut plan = plan(&review, &change, &Options::default(), &check, Kind::GitHub);
    let standing = posted(&plan, &(0..2_500).collect::<Vec<_>>());
    plan.stand(&standing, Again::No);
    let count = |word| plan.items.iter().filter(|item| status(&item.fate) == word).count();
    assert_eq!((count("ready"), count("already_posted")), (2_500, 2_500));
}

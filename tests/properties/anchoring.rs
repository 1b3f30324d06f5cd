//! Anchoring, against diffs that are made from the input itself.

use std::collections::HashMap;

use bytes::Bytes;
use dai::anchor::{Relocate, Verdict, resolve};
use dai::change::{Change, CommitId, Commits, Content, FileDelta, Image, LineKind, Paths, Text, patch};
use dai::review::{Finding, LineRange, Place, Severity, Side, State};

/// Six bytes choose the finding, the rest is a script of a diff, a line each: its first byte says added, removed or context.
pub fn check(bytes: &[u8]) {
    let Some((head, script)) = bytes.split_at_checked(6) else { return };
    let lines: Vec<(LineKind, &[u8])> = script
        .split(|byte| *byte == b'\n')
        .take(200)
        .map(|line| match line.split_first() {
            Some((b'+', text)) => (LineKind::Added, text),
            Some((b'-', text)) => (LineKind::Removed, text),
            Some((_, text)) => (LineKind::Context, text),
            None => (LineKind::Context, line),
        })
        .collect();
    let side = if head[0] & 1 == 0 { Side::Right } else { Side::Left };
    let of = |side: Side| lines.iter().filter(move |(kind, _)| *kind != away(side)).map(|(_, text)| *text);
    let (olds, news) = (of(Side::Left).count(), of(Side::Right).count());
    if olds == 0 || news == 0 {
        return;
    }
    let mut text = format!("@@ -1,{olds} +1,{news} @@\n").into_bytes();
    for (kind, line) in &lines {
        let sign = match kind {
            LineKind::Added => b'+',
            LineKind::Removed => b'-',
            LineKind::Context => b' ',
        };
        text.push(sign);
        text.extend_from_slice(line);
        text.push(b'\n');
    }
    let (hunks, faults) = patch::hunks(&text);
    assert!(faults.is_empty(), "{faults:?} in a diff that is right");
    let image = |side| Image(Bytes::from(of(side).flat_map(|line| [line, b"\n"].concat()).collect::<Vec<u8>>()));
    let content = Content::Text(Text { old: image(Side::Left), new: image(Side::Right), hunks });
    let id = |digit: &str| CommitId::parse(&digit.repeat(40)).expect("a full id");
    let commits = Commits { base: None, merge_base: id("1"), head: id("2") };
    let delta = FileDelta { paths: Paths::Modified { path: "m".to_owned() }, content };
    let change = Change::new(commits, vec![delta], HashMap::new());
    let (start, length) = (u32::from(head[1]), u32::from(head[2] % 8));
    let snippet = (head[3] & 1 == 1).then(|| {
        let (from, count) = (usize::from(head[4]) % lines.len(), usize::from(head[5] % 4));
        lines[from..]
            .iter()
            .take(count)
            .map(|(_, text)| String::from_utf8_lossy(text).into_owned())
            .collect::<Vec<_>>()
            .join("\n")
    });
    let finding = Finding {
        index: 0,
        pointer: "/findings/0".to_owned(),
        id: None,
        path: "m".to_owned(),
        place: Some(Place { side, range: LineRange::new(start, start + length) }),
        severity: Some(Severity::Low),
        confidence: None,
        body: "x".to_owned(),
        snippet: snippet.clone(),
        state: State::Active,
        defect: None,
        replies: Vec::new(),
    };
    // The script is the truth: these lines have these numbers.
    let wanted: Vec<String> = of(side)
        .skip((start as usize).saturating_sub(1))
        .take(length as usize + 1)
        .map(|line| String::from_utf8_lossy(line).into_owned())
        .collect();
    let stands = start > 0 && wanted.len() == length as usize + 1;
    match resolve(&finding, &change, Relocate::Never) {
        Verdict::Anchored(anchor) => {
            assert!(stands, "line {start} is not there");
            let got: Vec<String> = anchor.lines(&change).map(|line| line.lossy().into_owned()).collect();
            assert_eq!(got, wanted);
        }
        Verdict::Rejected(rejection) => {
            assert!(!stands || snippet.is_some(), "{rejection}");
            assert!(!rejection.to_string().is_empty());
            if let Some(proposal) = rejection.proposal {
                let place = Some(Place { side: proposal.side, range: proposal.range });
                let there = Finding { place, ..finding.clone() };
                assert!(
                    matches!(resolve(&there, &change, Relocate::Never), Verdict::Anchored(_)),
                    "a proposal that does not hold"
                );
            }
        }
        Verdict::WholeFile => panic!("the finding has a place"),
    }
    if let Verdict::Anchored(anchor) = resolve(&finding, &change, Relocate::Sure) {
        assert_eq!(anchor.range.len(), length + 1);
        assert_eq!(anchor.side, side);
    }
}

fn away(side: Side) -> LineKind {
    match side {
        Side::Left => LineKind::Added,
        Side::Right => LineKind::Removed,
    }
}

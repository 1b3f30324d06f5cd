//! Which comment a refusal is about. GitHub does not say; its own patch often does.

use std::collections::HashSet;

use crate::forge::{FilePatch, OutgoingComment, Patches, RawPatch, Suspect};
use crate::review::Side;

/// Whether a comment's placement rests on a guess: GitHub documents the new path for both sides of a
/// renamed file nowhere.
pub fn is_guess(comment: &OutgoingComment) -> bool {
    comment.side == Side::Left && comment.is_renamed()
}

/// The comments whose place is not in GitHub's own patch; where all are, those whose placement is a
/// guess.
pub fn suspects(comments: &[&OutgoingComment], patches: Option<&Patches>) -> Vec<Suspect> {
    let suspect = |comment: &&OutgoingComment, why: &str| Suspect {
        finding: comment.finding,
        place: format!("{}:{} {}", comment.path, comment.range, comment.side),
        why: why.to_owned(),
    };
    let outside: Vec<Suspect> = comments
        .iter()
        .filter(|comment| patches.is_some_and(|patches| !stands_in(comment, patches.get(&comment.path))))
        .map(|comment| suspect(comment, "not in GitHub's own patch"))
        .collect();
    if !outside.is_empty() {
        return outside;
    }
    let guesses = comments.iter().filter(|comment| is_guess(comment));
    guesses.map(|comment| suspect(comment, "LEFT in a renamed file, which GitHub does not document")).collect()
}

fn stands_in(comment: &OutgoingComment, patch: Option<&FilePatch>) -> bool {
    let Some(FilePatch { raw: RawPatch::Text(text), .. }) = patch else { return false };
    let hunks = commentable(text, comment.side);
    hunks.iter().any(|hunk| [comment.range.start, comment.range.end].iter().all(|line| hunk.contains(line)))
}

/// The numbers of each hunk's lines on one side. Read by the counts of the `@@` line: a deleted `-- x`
/// shows as `--- x`.
fn commentable(patch: &str, side: Side) -> Vec<HashSet<u32>> {
    let mut hunks: Vec<HashSet<u32>> = Vec::new();
    let (mut old, mut new, mut old_left, mut new_left) = (0, 0, 0, 0);
    for line in patch.split('\n') {
        if old_left == 0 && new_left == 0 {
            if let Some(((old_start, old_len), (new_start, new_len))) = header(line) {
                (old, new, old_left, new_left) = (old_start, new_start, old_len, new_len);
                hunks.push(HashSet::new());
            }
            continue;
        }
        let Some(hunk) = hunks.last_mut() else { continue };
        let (in_old, in_new) = match line.as_bytes().first() {
            Some(b'+') => (false, true),
            Some(b'-') => (true, false),
            Some(b'\\') => continue,
            _ => (true, true),
        };
        match side {
            Side::Left if in_old => hunk.insert(old),
            Side::Right if in_new => hunk.insert(new),
            _ => false,
        };
        (old, old_left) = if in_old { (old + 1, old_left.saturating_sub(1)) } else { (old, old_left) };
        (new, new_left) = if in_new { (new + 1, new_left.saturating_sub(1)) } else { (new, new_left) };
    }
    hunks
}

/// `@@ -1,2 +3,4 @@`; a count left out is 1.
fn header(line: &str) -> Option<((u32, u32), (u32, u32))> {
    let (old, rest) = line.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let pair = |text: &str| match text.split_once(',') {
        Some((start, len)) => Some((start.parse().ok()?, len.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    };
    Some((pair(old)?, pair(new)?))
}

#[cfg(test)]
mod tests {
    use super::super::outgoing::tests::comment;
    use super::*;
    use crate::review::LineRange;

    // Worked by hand: old 1-3 and 20, new 1-3 and 20-21.
    const PATCH: &str = "@@ -1,3 +1,3 @@\n context\n--- drop old\n+++ i\n last\n@@ -20 +20,2 @@ fn x\n a\n+b\n\\ No newline at end of file";

    #[test]
    fn c03_the_culprit_is_named_by_githubs_own_patch() {
        let patches = Patches::from([
            ("a".to_owned(), FilePatch { previous: None, raw: RawPatch::Text(PATCH.into()) }),
            ("big".to_owned(), FilePatch { previous: None, raw: RawPatch::Absent }),
        ]);
        for (path, side, range, inside) in [
            ("a", Side::Right, LineRange::new(1, 3), true),
            ("a", Side::Left, LineRange::line(2), true),
            ("a", Side::Left, LineRange::line(20), true),
            ("a", Side::Left, LineRange::line(21), false),
            ("a", Side::Right, LineRange::line(21), true),
            ("a", Side::Right, LineRange::line(22), false),
            ("a", Side::Right, LineRange::new(3, 20), false),
            ("a", Side::Right, LineRange::line(4), false),
            ("big", Side::Right, LineRange::line(1), false),
            ("absent", Side::Right, LineRange::line(1), false),
        ] {
            let comment = comment(9, path, side, range, "x");
            let named = suspects(&[&comment], Some(&patches));
            assert_eq!(named.is_empty(), inside, "{path} {side} {range}: {named:?}");
            assert!(named.iter().all(|s| s.finding == 9));
        }
    }

    #[test]
    fn where_the_patch_clears_all_the_guesses_remain() {
        let sure = comment(0, "a", Side::Left, LineRange::line(2), "x");
        let guess = OutgoingComment { finding: 1, old_path: "older".into(), ..sure.clone() };
        let patches =
            Patches::from([("a".to_owned(), FilePatch { previous: None, raw: RawPatch::Text(PATCH.into()) })]);
        for patches in [Some(&patches), None] {
            let named: Vec<_> = suspects(&[&sure, &guess], patches).iter().map(|s| s.finding).collect();
            assert_eq!(named, [1]);
        }
    }
}

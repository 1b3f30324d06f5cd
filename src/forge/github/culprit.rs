//! Which comment a refusal is about. GitHub does not say; its own patch often does.

use crate::forge::{OutgoingComment, Patches, RawPatch, Suspect, hunks_of};
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

fn stands_in(comment: &OutgoingComment, patch: Option<&RawPatch>) -> bool {
    let Some(RawPatch::Text(text)) = patch else { return false };
    let hunks = hunks_of(text);
    let ends = [comment.range.start, comment.range.end];
    hunks.iter().any(|hunk| ends.iter().all(|line| hunk.find(comment.side, *line).is_some()))
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
        let patches =
            Patches::from([("a".to_owned(), RawPatch::Text(PATCH.into())), ("big".to_owned(), RawPatch::Absent)]);
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
        let patches = Patches::from([("a".to_owned(), RawPatch::Text(PATCH.into()))]);
        for patches in [Some(&patches), None] {
            let named: Vec<_> = suspects(&[&sure, &guess], patches).iter().map(|s| s.finding).collect();
            assert_eq!(named, [1]);
        }
    }
}

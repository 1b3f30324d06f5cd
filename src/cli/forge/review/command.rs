//! The command that a preview prints: the same run again, with consent and the digest.

use std::path::PathBuf;

use crate::change::git::quoted;
use crate::cli::forge::ReviewArgs;
use crate::gate::Digest;

/// Repeats every flag that shaped the plan. What came from the environment is written out, so that
/// the command means the same elsewhere.
pub fn posting(args: &ReviewArgs, directories: &[PathBuf], reference: &str, digest: &Digest) -> String {
    let mut words = shaping(args, directories, reference);
    words.push("--expect".to_owned());
    words.push(digest.0.to_string());
    words.push("--yes".to_owned());
    words.join(" ")
}

/// The same run again, to complete what was posted in part.
pub fn resuming(args: &ReviewArgs, directories: &[PathBuf], reference: &str) -> String {
    let mut words = shaping(args, directories, reference);
    if let Some(expect) = &args.expect {
        words.push("--expect".to_owned());
        words.push(expect.to_string());
    }
    words.push("--yes".to_owned());
    words.join(" ")
}

fn shaping(args: &ReviewArgs, directories: &[PathBuf], reference: &str) -> Vec<String> {
    let mut words = vec!["dai".to_owned()];
    for directory in directories {
        words.push("-C".to_owned());
        words.push(quoted(&directory.display().to_string()));
    }
    words.extend(["forge".to_owned(), "review".to_owned(), quoted(reference)]);
    let mut option = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            words.push(name.to_owned());
            words.push(quoted(&value));
        }
    };
    option("--project", args.project.clone());
    option("--from", args.from.as_ref().map(|path| path.display().to_string()));
    option("--expect-head", args.expect_head.as_ref().map(ToString::to_string));
    option("--min-severity", args.min_severity.map(|s| s.to_string()));
    option("--min-confidence", args.min_confidence.map(|c| c.to_string()));
    option("--max-comments", args.max_comments.map(|n| n.to_string()));
    option("--fail-on", args.fail_on.map(|s| s.to_string()));
    option("--forge", args.forge.map(|kind| kind.as_str().to_owned()));
    option("--api-url", args.api_url.clone());
    option("--remote", args.remote.clone());
    for (on, name) in
        [(args.relocate, "--relocate"), (args.trace, "--trace"), (args.again, "--again"), (args.strict, "--strict")]
    {
        if on {
            words.push(name.to_owned());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::{Confidence, Severity};
    use crate::text::marker::Tag;

    #[test]
    fn every_flag_that_shaped_the_plan_is_repeated_and_quoted() {
        let args = ReviewArgs {
            from: Some("my review.json".into()),
            min_severity: Some(Severity::Medium),
            min_confidence: Confidence::new(0.5),
            max_comments: Some(3),
            relocate: true,
            again: true,
            ..ReviewArgs::default()
        };
        assert_eq!(
            posting(&args, &["a b".into()], "acme/widgets#22", &Digest(Tag([0x3f; 8]))),
            "dai -C 'a b' forge review 'acme/widgets#22' --from 'my review.json' --min-severity medium --min-confidence 0.5 \
             --max-comments 3 --relocate --again --expect 3f3f3f3f3f3f3f3f --yes"
        );
    }

    #[test]
    fn a_quote_in_a_word_survives_the_shell() {
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted("group/p!22"), "'group/p!22'");
        assert_eq!(quoted("22"), "22");
    }
}

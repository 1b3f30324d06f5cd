//! The arguments of `dai forge review`, as typed.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args, Command, ValueEnum, ValueHint};

use crate::change::CommitId;
use crate::cli::input_format::InputFormat;
use crate::consent::TypedYes;
use crate::forge::Kind;
use crate::review::{Confidence, Severity};
use crate::text::marker::Tag;

/// Check a review against the change of a request, show what would be posted, post it with --yes
#[derive(Debug, Clone, Default, Args)]
#[command(after_help = "\
Every option but --yes and --again has a form in the environment: DAI_MIN_SEVERITY for \
--min-severity, DAI_PROJECT for -R, and so on.\n\
Exit codes: 0 done, 1 the gate says no, 2 usage, 3 review file, 4 git, 5 forge, 6 posted in part, \
7 stale, 8 token, 130 interrupted.")]
pub struct ReviewArgs {
    /// The request: 22, #22, !22, owner/repo#22, group/sub/project!22, or its page's URL
    #[arg(value_name = "REF", value_hint = ValueHint::Other)]
    pub reference: Option<String>,
    /// The project, for a REF without one
    #[arg(short = 'R', long, value_name = "PROJECT", value_hint = ValueHint::Other)]
    pub project: Option<String>,
    /// The review file; `-` is stdin [default: .dai/reviews/<n>.json]
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,
    #[command(flatten)]
    pub input: InputFormat,
    #[command(flatten)]
    pub yes: TypedYes,
    /// Post nothing, which is the default
    #[arg(long)]
    pub dry_run: bool,
    /// Go on only if the request's head, and the file's where it has one, is this commit; else exit 7
    #[arg(long, value_name = "SHA", value_parser = commit)]
    pub expect_head: Option<CommitId>,
    /// Go on only if the plan is the one whose digest a preview printed
    #[arg(long, value_name = "DIGEST", value_parser = digest)]
    pub expect: Option<Tag>,
    /// Keep back findings below this severity
    #[arg(long, value_name = "SEVERITY", ignore_case = true, value_parser = severities())]
    pub min_severity: Option<Severity>,
    /// Keep back findings below this confidence, a number from 0 to 1
    #[arg(long, value_name = "0..1", value_parser = confidence)]
    pub min_confidence: Option<Confidence>,
    /// At most N comments at lines; 0: the summary alone
    #[arg(long, value_name = "N", value_parser = count)]
    pub max_comments: Option<usize>,
    /// Take the place proposed for a finding whose snippet stands elsewhere, where it is sure
    #[arg(long)]
    pub relocate: bool,
    /// The review is of an older commit: carry each finding to the head
    #[arg(long)]
    pub trace: bool,
    /// Post even where an own comment with another wording stands
    #[arg(long)]
    pub again: bool,
    /// Exit 1 when a finding is rejected
    #[arg(long)]
    pub strict: bool,
    /// Exit 1 when a finding of this severity or above stands or would be posted
    #[arg(long, value_name = "SEVERITY", ignore_case = true, value_parser = severities())]
    pub fail_on: Option<Severity>,
    /// Which forge the host is, where its name does not say it
    #[arg(long, value_name = "FORGE", value_parser = forges())]
    pub forge: Option<Kind>,
    /// The API's base, such as https://git.example.com/api/v4
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub api_url: Option<String>,
    /// The git remote of the request's project
    #[arg(long, value_name = "NAME", value_hint = ValueHint::Other)]
    pub remote: Option<String>,
    /// Take the change from this local revision; alone, the head comes by `git fetch`
    #[arg(long, value_name = "REV", value_hint = ValueHint::Other, conflicts_with_all = ["yes", "offline"])]
    pub base: Option<String>,
    /// Take the change up to this local revision; no network at all
    #[arg(long, value_name = "REV", value_hint = ValueHint::Other, requires = "base", conflicts_with_all = ["yes", "offline"])]
    pub head: Option<String>,
    /// No network: the commits that an earlier run fetched
    #[arg(long, conflicts_with = "yes")]
    pub offline: bool,
    /// For people, for programs, or exactly what would be posted [default: text]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<Format>,
}

/// What stdout carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    #[default]
    Text,
    Json,
    Markdown,
}

pub fn severity(word: &str) -> Result<Severity, String> {
    Severity::parse(word).ok_or_else(|| "expected low, medium or high".to_owned())
}

/// The severities for the command line: shells complete them, and an error lists them.
pub fn severities() -> impl TypedValueParser<Value = Severity> {
    PossibleValuesParser::new(["low", "medium", "high"]).try_map(|word| severity(&word))
}

/// The forges for the command line. A word that is none gets no "similar" one: nobody who has a Gitea means GitLab.
pub fn forges() -> impl TypedValueParser<Value = Kind> {
    ForgeName
}

#[derive(Debug, Clone, Copy)]
struct ForgeName;

impl TypedValueParser for ForgeName {
    type Value = Kind;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Kind, clap::Error> {
        forge.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(["github", "gitlab"].into_iter().map(PossibleValue::new)))
    }
}

pub fn confidence(word: &str) -> Result<Confidence, String> {
    let number = word.parse().ok().and_then(Confidence::new);
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

pub fn count(word: &str) -> Result<usize, String> {
    word.parse().map_err(|_| "expected a whole number".to_owned())
}

pub fn digest(word: &str) -> Result<Tag, String> {
    Tag::parse(word).ok_or_else(|| "expected the 16 hex digits that a preview printed".to_owned())
}

pub fn commit(word: &str) -> Result<CommitId, String> {
    CommitId::parse(word).ok_or_else(|| "expected a commit's full id, 40 or 64 hex digits".to_owned())
}

pub fn forge(word: &str) -> Result<Kind, String> {
    match word {
        "github" => Ok(Kind::GitHub),
        "gitlab" => Ok(Kind::GitLab),
        _ => Err("expected github or gitlab".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{confidence, digest};

    #[test]
    fn a_confidence_is_a_number_from_0_to_1_and_nothing_else() {
        for word in ["0", "1", "0.5", ".5", "1.0"] {
            assert!(confidence(word).is_ok(), "{word}");
        }
        for word in ["1.0001", "-0.1", "NaN", "nan", "inf", "", "high", "0,5", "1e9"] {
            assert!(confidence(word).is_err(), "{word}");
        }
    }

    #[test]
    fn a_digest_is_what_a_preview_prints() {
        assert!(digest("3f9a1c0b5d7e2460").is_ok());
        for word in ["3f9a1c0b5d7e246", "3F9A1C0B5D7E2460", "3f9a1c0b5d7e24601", ""] {
            assert!(digest(word).is_err(), "{word}");
        }
    }
}

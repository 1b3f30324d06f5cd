//! What `dai help TOPIC` and the man page say beside the commands: exit codes, the environment, examples.

use std::fmt::Write as _;

use crate::exit::Exit;
use crate::reason::ReasonCode;
use crate::warning::Code;

/// A page of `dai help` that is not a command's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    ExitCodes,
    Environment,
    Reasons,
}

/// A line of a list: a name, and what it means.
pub type Row = (&'static str, &'static str);

impl Topic {
    pub const ALL: [Self; 3] = [Self::ExitCodes, Self::Environment, Self::Reasons];

    /// As it is typed behind `dai help`.
    pub fn name(self) -> &'static str {
        match self {
            Self::ExitCodes => "exit-codes",
            Self::Environment => "environment",
            Self::Reasons => "reasons",
        }
    }

    /// The page, for a terminal of any width from 60 columns.
    pub fn page(self) -> String {
        match self {
            Self::ExitCodes => {
                let rows = Exit::ALL.iter().map(|exit| (exit.code().to_string(), exit.meaning()));
                list("The exit code of a run:", rows)
            }
            Self::Environment => list(
                "What a run takes from the environment. Of several names the first one that is set counts.",
                VARIABLES,
            ),
            Self::Reasons => {
                let reasons = ReasonCode::ALL.iter().map(|code| (code.as_str(), code.meaning()));
                let warnings = Code::ALL.iter().map(|code| (code.as_str(), code.meaning()));
                let reasons = list("Why a finding is not posted (`reason.code` in the report):", reasons);
                format!("{reasons}\n{}", list("What a warning is about (`warnings[].code`):", warnings))
            }
        }
    }
}

/// The variables that are heeded, and for what.
pub const VARIABLES: [Row; 12] = [
    ("GH_TOKEN, GITHUB_TOKEN", "the token for github.com and *.ghe.com"),
    (
        "GH_ENTERPRISE_TOKEN, GITHUB_ENTERPRISE_TOKEN",
        "the token for any other GitHub host; in GitHub Actions also GITHUB_TOKEN, for the run's own server",
    ),
    (
        "GITLAB_TOKEN, GITLAB_ACCESS_TOKEN",
        "the token for the host that GITLAB_HOST names (gitlab.com where it is not set), in GitLab CI for the pipeline's own",
    ),
    (
        "GH_HOST, GITLAB_HOST",
        "which host is a GitHub or a GitLab; GITLAB_HOST with its port and path where it has them",
    ),
    ("GITHUB_API_URL, CI_API_V4_URL", "the base of the API, where --api-url does not name it"),
    ("GITHUB_EVENT_PATH, GITHUB_REF, GITHUB_REPOSITORY", "the request of a GitHub Actions run, where REF is left out"),
    (
        "CI_MERGE_REQUEST_IID, CI_MERGE_REQUEST_PROJECT_ID, CI_MERGE_REQUEST_PROJECT_PATH",
        "the request of a GitLab pipeline, where REF is left out",
    ),
    ("HTTPS_PROXY, NO_PROXY", "the proxy for calls of the forge's API"),
    ("SSL_CERT_FILE, SSL_CERT_DIR", "certificate authorities, in place of the system's own"),
    ("NO_COLOR, CLICOLOR, CLICOLOR_FORCE", "whether to use colour, where --color does not say it"),
    ("VISUAL, EDITOR", "the editor in which `dai review triage` opens a text"),
    (
        "DAI_MIN_SEVERITY and so on",
        "the form of each option of `dai forge review` but --yes and --again, which are typed",
    ),
];

/// What people run most, and what it does.
pub const EXAMPLES: [Row; 7] = [
    ("dai demo", "the preview of an example, offline"),
    (
        "dai review brief 22 > packet.json",
        "what a model needs to review request 22, and where it is to write the review",
    ),
    ("dai review check", "whether the findings of the only review in .dai/reviews/ hold"),
    ("dai forge review 22", "what would be posted to request 22, and what would not; nothing is posted"),
    ("dai forge review 22 --yes", "post it"),
    ("dai forge review 22 --yes --min-severity medium --max-comments 20", "post the graver findings, at most 20"),
    ("dai forge review --base main --head HEAD --from review.json", "a preview of local commits, without a network"),
];

fn list<N: AsRef<str>>(intro: &str, rows: impl IntoIterator<Item = (N, &'static str)>) -> String {
    let mut out = format!("{intro}\n");
    for (name, meaning) in rows {
        // Writing into a string cannot fail.
        let _ = write!(out, "\n  {}\n          {meaning}\n", name.as_ref());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Topic, VARIABLES};
    use crate::settings::TOKEN_VARIABLES;

    #[test]
    fn every_token_that_is_read_is_in_the_list() {
        for name in TOKEN_VARIABLES {
            assert!(VARIABLES.iter().any(|(names, _)| names.split(", ").any(|one| one == name)), "{name}");
        }
    }

    #[test]
    fn every_exit_code_has_its_line() {
        let page = Topic::ExitCodes.page();
        for code in ["0", "1", "2", "3", "4", "5", "6", "7", "8", "130"] {
            assert!(page.contains(&format!("\n  {code}\n          ")), "{code}\n{page}");
        }
    }
}

//! Which environment variables hold a secret: the one table that children, redaction and printing follow.

/// The variables that a token for a forge is taken from.
pub const TOKEN_VARIABLES: [&str; 6] = [
    "GH_TOKEN",
    "GITHUB_TOKEN",
    "GH_ENTERPRISE_TOKEN",
    "GITHUB_ENTERPRISE_TOKEN",
    "GITLAB_TOKEN",
    "GITLAB_ACCESS_TOKEN",
];

/// The secrets that CI systems give to a job, by their documentation: GitHub's "Default environment variables" and
/// its runner, GitLab's "Predefined CI/CD variables", glab, Gitea's and Forgejo's Actions, Azure Pipelines.
const JOB_SECRETS: [&str; 16] = [
    "ACTIONS_RUNTIME_TOKEN",
    "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
    "CI_JOB_TOKEN",
    "CI_BUILD_TOKEN",
    "CI_JOB_JWT",
    "CI_JOB_JWT_V1",
    "CI_JOB_JWT_V2",
    "CI_REGISTRY_PASSWORD",
    "CI_DEPLOY_PASSWORD",
    "CI_DEPENDENCY_PROXY_PASSWORD",
    "CI_RUNNER_SHORT_TOKEN",
    "OAUTH_TOKEN",
    "GITEA_TOKEN",
    "FORGEJO_TOKEN",
    "SYSTEM_ACCESSTOKEN",
    "AZURE_DEVOPS_EXT_PAT",
];

/// Addresses with a secret in their user part: GitLab's of the project holds the job's token.
const ADDRESSES: [&str; 2] = ["CI_REPOSITORY_URL", "CI_BUILD_REPO"];

/// What the names of other secrets end in: the keys that reviewers run with, and what actions take as inputs.
const ENDINGS: [&str; 7] = ["_API_KEY", "_TOKEN", "-TOKEN", "_SECRET", "_PASSWORD", "_SECRET_KEY", "_ACCESS_KEY"];

/// What a variable holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// A secret of a forge or of a CI job, by its documented name.
    Secret,
    /// An address whose user part is a secret.
    Address,
    /// Something that is a secret by the end of its name.
    Likely,
}

/// What a variable of this name holds, where it is a secret. Names are compared in any case, as Windows does.
pub fn held_by(name: &str) -> Option<Holds> {
    let name = name.to_ascii_uppercase();
    let is = |known: &[&str]| known.contains(&name.as_str());
    if is(&TOKEN_VARIABLES) || is(&JOB_SECRETS) {
        Some(Holds::Secret)
    } else if is(&ADDRESSES) {
        Some(Holds::Address)
    } else {
        ENDINGS.iter().any(|end| name.ends_with(end)).then_some(Holds::Likely)
    }
}

/// Whether a child that runs a person's own programs (`git`, which may ask a credential helper of theirs) is started
/// without it.
pub fn is_named(name: &str) -> bool {
    matches!(held_by(name), Some(Holds::Secret | Holds::Address))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_exactly_and_endings_by_whole_words() {
        for (name, holds) in [
            ("GH_TOKEN", Some(Holds::Secret)),
            ("ci_registry_password", Some(Holds::Secret)),
            ("CI_REPOSITORY_URL", Some(Holds::Address)),
            ("ANTHROPIC_API_KEY", Some(Holds::Likely)),
            ("INPUT_REPO-TOKEN", Some(Holds::Likely)),
            ("MY_SECRET", Some(Holds::Likely)),
            ("TOKEN", None),
            ("TOKENS", None),
            ("CI_JOB_TOKEN_X", None),
            ("SSH_ASKPASS", None),
            ("PASSWORDS_FILE", None),
        ] {
            assert_eq!(held_by(name), holds, "{name}");
        }
    }
}

//! Gitea and Forgejo, which are told apart from GitHub so that no token goes to them.
//!
//! Their Actions set GitHub's variables, `GITHUB_ACTIONS` and an API base among them, and their pages look much
//! like GitHub's. Their API does not take GitHub's reviews.

use super::Reference;
use super::host::Host;
use super::target_error::TargetError;
use crate::settings::Env;

/// What works all the same.
pub(super) const WITHOUT_A_FORGE: &str = "without a forge: `dai review check FILE --base REV` checks a review, \
     `dai forge review --base REV --head REV --from FILE` shows what would be posted";

/// Set by their runners beside GitHub's own: Gitea's documentation of act_runner, Forgejo's of its Actions.
const RUNNERS: [&str; 2] = ["GITEA_ACTIONS", "FORGEJO_ACTIONS"];

/// Their best-known installations, by their own lists.
const HOSTS: [&str; 6] =
    ["codeberg.org", "gitea.com", "demo.gitea.com", "code.forgejo.org", "codefloe.com", "git.disroot.org"];

/// Refuses what is Gitea's or Forgejo's by the environment, the API base or the page in REF.
pub(super) fn refuse(env: &Env, api_url: Option<&str>, reference: Option<&Reference>) -> Result<(), TargetError> {
    let by = |said_by: String| Err(TargetError::Gitea { said_by });
    if let Some(variable) = RUNNERS.iter().find(|variable| env.is_set(variable)) {
        return by(format!("{variable} is set"));
    }
    let bases = [("--api-url", api_url), ("GITHUB_API_URL", env.text("GITHUB_API_URL").ok().flatten())];
    for (name, base) in bases {
        // The first that is set is the one that counts.
        let Some(base) = base else { continue };
        if base.trim_end_matches('/').ends_with("/api/v1") {
            return by(format!("{name} ends in /api/v1"));
        }
        break;
    }
    match reference {
        Some(Reference::Page(page)) => refuse_host(&page.host),
        _ => Ok(()),
    }
}

/// Refuses a host that everybody knows to be theirs.
pub(super) fn refuse_host(host: &Host) -> Result<(), TargetError> {
    let is_theirs = HOSTS.contains(&host.name()) || host.name().ends_with(".next.forgejo.org");
    if is_theirs { Err(TargetError::Gitea { said_by: format!("{host} is one") }) } else { Ok(()) }
}

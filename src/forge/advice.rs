//! What to do next, for each thing that a forge refuses.

use super::{Doing, ForgeError, Trouble};

impl ForgeError {
    /// What to do next.
    pub fn help(&self) -> String {
        let variable = &self.variable;
        let set = token_help(variable, &self.host);
        let needs =
            |needs: &Option<String>| needs.as_ref().map(|n| format!("; the forge names: {n}")).unwrap_or_default();
        match &self.trouble {
            Trouble::NoProject { .. } => "name the project with -R".to_owned(),
            Trouble::NoToken => set,
            Trouble::BadToken { .. } => format!("it is expired, revoked or of another host: {set}"),
            Trouble::Forbidden { needs: named, .. } => format!("{set}{}", needs(named)),
            Trouble::Integration { needs: named, .. } => format!(
                "give the job `permissions: pull-requests: write`; a run for a fork or for Dependabot has a read-only \
                 token, so post from another workflow, or {set}{}",
                needs(named)
            ),
            Trouble::SingleSignOn { url } => format!(
                "authorise the token in {variable} for the organisation{}, or {set}",
                url.as_ref().map(|url| format!(" at {url}")).unwrap_or_default()
            ),
            Trouble::Hidden => {
                format!("check the project's name; a private one shows as 404 to a token without access: {set}")
            }
            Trouble::NoRequest => "check the number, and the project with -R".to_owned(),
            Trouble::NoList { .. } => {
                "see whether the API base is this forge's and its version is one that the README names".to_owned()
            }
            Trouble::Throttled { .. } => "run again later: what already stands is not repeated".to_owned(),
            Trouble::Locked => "unlock the conversation, or ask someone who may".to_owned(),
            Trouble::Archived => "nothing can be posted unless the project is unarchived".to_owned(),
            Trouble::Pending { url } => format!(
                "submit or discard it yourself{}, then run again; dai deletes nobody's draft",
                url.as_ref().map(|url| format!(" at {url}")).unwrap_or_default()
            ),
            Trouble::HeadMoved { .. } => {
                "preview again; --trace carries a review of an older commit to the head".to_owned()
            }
            Trouble::BaseMoved { .. } => "somebody aimed it elsewhere: preview again".to_owned(),
            Trouble::DiffNotReady { .. } => "run again in a minute".to_owned(),
            Trouble::Refused { suspects, .. } if !suspects.is_empty() => {
                let named: Vec<_> =
                    suspects.iter().map(|s| format!("finding {} at {} ({})", s.finding, s.place, s.why)).collect();
                format!("suspected: {}; `\"state\": \"dismissed\"` in the review file takes one out", named.join(", "))
            }
            // Nothing of the review file is at fault where nothing of it was sent.
            Trouble::Refused { .. } if matches!(self.doing, Doing::Reading(_)) => {
                "see what the forge says of it; -vv shows the call that it refused".to_owned()
            }
            Trouble::Refused { .. } => "`\"state\": \"dismissed\"` in the review file takes a finding out".to_owned(),
            Trouble::Acts(_) => "this is a fault of dai: report it with the review file".to_owned(),
            Trouble::Orphan { url } => format!(
                "it says so itself now{}; run again to post anew",
                url.as_ref().map(|url| format!(" ({url})")).unwrap_or_default()
            ),
            Trouble::Server { .. } => "run again: what already stands is recognised and not repeated".to_owned(),
            Trouble::Unreadable { .. } => {
                "check that the API base is this forge's: -v says which one is used".to_owned()
            }
            Trouble::Shifting { .. } => "run again when fewer people delete comments there".to_owned(),
            Trouble::Unlearned { .. } => {
                "run the same command again, best in two minutes: what is there by then is not repeated".to_owned()
            }
            Trouble::Fault(fault) => fault.help().to_owned(),
        }
    }
}

/// How to give a token, with its scope, and with the command line of the forge's own tool.
fn token_help(variable: &str, host: &str) -> String {
    if variable.starts_with("GITLAB") {
        let at = if host == "gitlab.com" { String::new() } else { format!(" --host {host}") };
        let command = format!("{variable}=$(glab config get token{at}) dai …");
        return format!("set {variable} to a token (scope `api`), as in `{command}`; `CI_JOB_TOKEN` cannot post notes");
    }
    let at = if variable.contains("ENTERPRISE") { format!(" --hostname {host}") } else { String::new() };
    let scope = "classic: scope `repo`; fine-grained: \"Pull requests: read and write\" and \"Contents: read\"";
    format!("set {variable} to a token ({scope}), as in `{variable}=$(gh auth token{at}) dai …`")
}

#[cfg(test)]
mod tests {
    use super::super::Suspect;
    use super::*;

    fn error(trouble: Trouble) -> ForgeError {
        ForgeError {
            host: "api.github.com".into(),
            doing: Doing::writing("post the review"),
            trouble,
            variable: "GH_TOKEN".into(),
        }
    }

    #[test]
    fn a_refused_token_is_named_by_its_variable_with_the_scope_and_the_command() {
        let help = error(Trouble::BadToken { message: "Bad credentials".into() }).help();
        for part in ["GH_TOKEN", "`repo`", "`GH_TOKEN=$(gh auth token) dai …`"] {
            assert!(help.contains(part), "{part}: {help}");
        }
    }

    #[test]
    fn c03_suspects_are_named_with_the_way_to_take_them_out() {
        let suspects =
            vec![Suspect { finding: 4, place: "a.rs:7 LEFT".into(), why: "not in GitHub's own patch".into() }];
        let help = error(Trouble::Refused { status: 422, sentences: vec![], suspects }).help();
        assert!(help.contains("finding 4 at a.rs:7 LEFT (not in GitHub's own patch)"), "{help}");
        assert!(help.contains("\"state\": \"dismissed\""), "{help}");
    }

    #[test]
    fn a_refused_read_advises_nothing_about_findings() {
        let refused = || Trouble::Refused { status: 422, sentences: vec![], suspects: vec![] };
        assert!(error(refused()).help().contains("dismissed"));
        let read = ForgeError { doing: Doing::reading("read #22"), ..error(refused()) };
        assert!(!read.help().contains("dismissed") && read.help().contains("-vv"), "{}", read.help());
    }
}

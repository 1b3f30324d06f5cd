//! What a forge refuses, said with what to do next and with the exit code it means.

use super::{Fault, HeldCode, Http};
use crate::change::CommitId;
use crate::exit::Exit;

/// A thing that could not be done on a forge.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("could not {doing} on {host}: {trouble}")]
pub struct ForgeError {
    pub host: Box<str>,
    /// Fits behind "could not".
    pub doing: Box<str>,
    pub trouble: Trouble,
    /// Which variable a token is, or would be, taken from.
    pub variable: Box<str>,
}

/// Why, with the facts. Texts of the forge are free of secrets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    #[error("`{project}` is not a project, which is `owner/repo`")]
    NoProject { project: String },
    #[error("there is no token")]
    NoToken,
    /// 401.
    #[error("the token is not accepted ({message})")]
    BadToken { message: String },
    /// 403, or 404 on a write to what can be read.
    #[error("the token may not do it ({message})")]
    Forbidden { message: String, needs: Option<String> },
    /// 403 of a token whose run may only read: a fork's, or Dependabot's.
    #[error("the token of this run may not write ({message})")]
    Integration { message: String, needs: Option<String> },
    /// 403 with `X-GitHub-SSO`.
    #[error("the token is not authorised for the organisation's single sign-on")]
    SingleSignOn { url: Option<String> },
    /// 404 for the request and for its project.
    #[error("the project does not exist, or the token may not see it (404)")]
    Hidden,
    /// 404 for the request of a project that can be seen.
    #[error("there is no such request in the project (404)")]
    NoRequest,
    #[error("the forge asks for a pause that is longer than this run waits ({message})")]
    Throttled { message: String },
    #[error("its conversation is locked")]
    Locked,
    #[error("the project is archived and so read-only")]
    Archived,
    #[error("an unfinished review of yours stands in the way")]
    Pending { url: Option<String> },
    #[error("the head is no longer {expected} but {now}")]
    HeadMoved { expected: CommitId, now: CommitId },
    /// GitLab: the diff of the newest push is not made.
    #[error("the diff of {expected} is not ready")]
    DiffNotReady { expected: String },
    /// A 4xx that is about what was sent.
    #[error("it is refused ({status}: {})", sentences.join("; "))]
    Refused { status: u16, sentences: Vec<String>, suspects: Vec<Suspect> },
    /// The review's POST left a summary without its comments.
    #[error("the review was stored without its comments")]
    Orphan { url: Option<String> },
    /// A 5xx, and any other answer that says nothing of what was asked.
    #[error("the server answered {status} ({message})")]
    Server { status: u16, message: String },
    /// An answer that does not read as it should.
    #[error("the answer cannot be understood ({cause})")]
    Unreadable { cause: String },
    /// A write whose outcome was looked for in vain.
    #[error("it is not known whether it was done ({cause})")]
    Unlearned { cause: String },
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// A comment that may be what a refusal is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suspect {
    /// Index into the review's findings.
    pub finding: usize,
    /// `path:line`, with the side.
    pub place: String,
    pub why: String,
}

impl Trouble {
    pub(super) fn unreadable(error: &serde_json::Error) -> Self {
        Trouble::Unreadable { cause: error.to_string() }
    }

    /// A 404 that was about the project itself.
    pub(super) fn of_project(self) -> Self {
        match self {
            Trouble::NoRequest => Trouble::Hidden,
            trouble => trouble,
        }
    }

    /// Whether not even a try reached the forge.
    pub(super) fn never_left(&self) -> bool {
        matches!(self, Trouble::Fault(Fault::NotSent { .. } | Fault::Unusable { .. } | Fault::Interrupted))
    }

    /// The code of the items that this kept from being sent.
    pub(super) fn held_code(&self) -> HeldCode {
        match self {
            Trouble::HeadMoved { .. } | Trouble::DiffNotReady { .. } => HeldCode::HeadMoved,
            Trouble::Throttled { .. } => HeldCode::RateLimited,
            Trouble::Fault(Fault::Interrupted) => HeldCode::Interrupted,
            _ => HeldCode::ForgeRefused,
        }
    }

    /// Whether a write that ended so certainly did not happen.
    pub(super) fn never_happened(&self) -> bool {
        match self {
            Trouble::Server { .. } | Trouble::Unreadable { .. } | Trouble::Unlearned { .. } => false,
            Trouble::Fault(fault) => fault.never_happened(),
            _ => true,
        }
    }
}

impl ForgeError {
    pub(super) fn new(http: &Http, variable: &str, doing: impl Into<Box<str>>, trouble: Trouble) -> Self {
        let trouble = match trouble {
            // Nobody's token is at fault where none was shown.
            Trouble::BadToken { .. } | Trouble::Forbidden { .. } if !http.has_token() => Trouble::NoToken,
            trouble => trouble,
        };
        Self { host: http.host().into(), doing: doing.into(), trouble, variable: variable.into() }
    }

    pub fn exit(&self) -> Exit {
        match &self.trouble {
            Trouble::NoToken
            | Trouble::BadToken { .. }
            | Trouble::Forbidden { .. }
            | Trouble::Integration { .. }
            | Trouble::SingleSignOn { .. }
            | Trouble::Hidden => Exit::Token,
            Trouble::HeadMoved { .. } | Trouble::DiffNotReady { .. } => Exit::Stale,
            Trouble::NoProject { .. } => Exit::Usage,
            Trouble::Fault(Fault::Interrupted) => Exit::Interrupted,
            Trouble::Unlearned { .. } => Exit::Partial,
            _ => Exit::Forge,
        }
    }

    /// The code of the items that this kept from being sent.
    pub fn held_code(&self) -> HeldCode {
        self.trouble.held_code()
    }

    /// What to do next.
    pub fn help(&self) -> String {
        let variable = &self.variable;
        let tool = if variable.starts_with("GITLAB") { "glab" } else { "gh" };
        let scope = match tool {
            "glab" => "scope `api`",
            _ => "classic: scope `repo`; fine-grained: `Pull requests: write` and `Contents: read`",
        };
        let set = match tool {
            "glab" => format!(
                "set {variable} to a token ({scope}), as in `{variable}=$(glab config get token --host {}) dai …`; `CI_JOB_TOKEN` cannot post notes",
                self.host
            ),
            _ => format!(
                "set {variable} to a token ({scope}), as in `{variable}=$(gh auth token --hostname {}) dai …`",
                web_host(&self.host)
            ),
        };
        let needs =
            |needs: &Option<String>| needs.as_ref().map(|n| format!("; the forge names: {n}")).unwrap_or_default();
        match &self.trouble {
            Trouble::NoProject { .. } => "name the project with -R".to_owned(),
            Trouble::NoToken => set,
            Trouble::BadToken { .. } => format!("it is expired, revoked or of another host: {set}"),
            Trouble::Forbidden { needs: named, .. } => format!("{set}{}", needs(named)),
            Trouble::Integration { needs: named, .. } => format!(
                "give the job `permissions: pull-requests: write`; runs for forks and for Dependabot get a read-only token, so post from another workflow{}",
                needs(named)
            ),
            Trouble::SingleSignOn { url: Some(url) } => format!("authorise the token in {variable} at {url}"),
            Trouble::SingleSignOn { url: None } => {
                format!("authorise the token in {variable} for the organisation, in the token's settings")
            }
            Trouble::Hidden => {
                format!("check the project's name; a private one shows as 404 to a token without access: {set}")
            }
            Trouble::NoRequest => "check the number, and the project with -R".to_owned(),
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
            Trouble::DiffNotReady { .. } => "run again in a minute".to_owned(),
            Trouble::Refused { suspects, .. } if !suspects.is_empty() => {
                let named: Vec<_> =
                    suspects.iter().map(|s| format!("finding {} at {} ({})", s.finding, s.place, s.why)).collect();
                format!("suspected: {}; `\"state\": \"dismissed\"` in the review file takes one out", named.join(", "))
            }
            Trouble::Refused { .. } => "`\"state\": \"dismissed\"` in the review file takes a finding out".to_owned(),
            Trouble::Orphan { url } => format!(
                "it says so itself now{}; run again to post anew",
                url.as_ref().map(|url| format!(" ({url})")).unwrap_or_default()
            ),
            Trouble::Server { .. } => "run again: what already stands is recognised and not repeated".to_owned(),
            Trouble::Unreadable { .. } => "check that the API base is this forge's, with `dai forge doctor`".to_owned(),
            Trouble::Unlearned { .. } => "look at the request, then run again: what stands is not repeated".to_owned(),
            Trouble::Fault(fault) => fault.help().to_owned(),
        }
    }
}

/// The host that `gh` knows: the API of github.com and of `*.ghe.com` has a name of its own.
fn web_host(api_host: &str) -> &str {
    match api_host.strip_prefix("api.") {
        Some(host) if host == "github.com" || host.ends_with(".ghe.com") => host,
        _ => api_host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(trouble: Trouble) -> ForgeError {
        ForgeError {
            host: "api.github.com".into(),
            doing: "post the review".into(),
            trouble,
            variable: "GH_TOKEN".into(),
        }
    }

    #[test]
    fn every_trouble_has_its_exit_code_and_its_word_for_unsent_items() {
        let sha = |c: char| CommitId::parse(&c.to_string().repeat(40)).unwrap();
        let message = String::new;
        for (trouble, exit, held) in [
            (Trouble::NoToken, Exit::Token, HeldCode::ForgeRefused),
            (Trouble::BadToken { message: message() }, Exit::Token, HeldCode::ForgeRefused),
            (Trouble::Forbidden { message: message(), needs: None }, Exit::Token, HeldCode::ForgeRefused),
            (Trouble::Hidden, Exit::Token, HeldCode::ForgeRefused),
            (Trouble::NoRequest, Exit::Forge, HeldCode::ForgeRefused),
            (Trouble::Locked, Exit::Forge, HeldCode::ForgeRefused),
            (Trouble::Archived, Exit::Forge, HeldCode::ForgeRefused),
            (Trouble::Pending { url: None }, Exit::Forge, HeldCode::ForgeRefused),
            (Trouble::HeadMoved { expected: sha('a'), now: sha('b') }, Exit::Stale, HeldCode::HeadMoved),
            (Trouble::Throttled { message: message() }, Exit::Forge, HeldCode::RateLimited),
            (Trouble::Fault(Fault::Interrupted), Exit::Interrupted, HeldCode::Interrupted),
            (Trouble::Unlearned { cause: message() }, Exit::Partial, HeldCode::ForgeRefused),
        ] {
            let error = error(trouble);
            assert_eq!((error.exit(), error.held_code()), (exit, held), "{error:?}");
            assert!(!error.help().is_empty());
        }
    }

    #[test]
    fn a_refused_token_is_named_by_its_variable_with_the_scope_and_the_command() {
        let help = error(Trouble::BadToken { message: "Bad credentials".into() }).help();
        for part in ["GH_TOKEN", "`repo`", "GH_TOKEN=$(gh auth token --hostname github.com) dai"] {
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
}

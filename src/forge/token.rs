//! Which token goes to which host.
//!
//! It is chosen by the host of the remote. That `--forge` says what a host speaks does not make a token
//! one for it; that an API base is given is the user's word that it serves that host.

use std::fmt;

use secrecy::SecretString;

use super::ci::Ci;
use super::instance::{Hosts, Instance};
use super::target_error::TargetError;
use super::{Host, Kind, Site};
use crate::exit::Exit;
use crate::settings::{Origin, Setting, Settings};

/// A token that may be sent to the site it was looked up for.
#[derive(Clone)]
pub struct Token {
    secret: SecretString,
    /// The variable that held it.
    pub variable: &'static str,
    pub origin: Origin,
}

impl Token {
    /// For the one header it goes into. Visible ASCII without blanks, so that it fits one.
    pub fn secret(&self) -> SecretString {
        self.secret.clone()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Token").field("variable", &self.variable).field("origin", &self.origin).finish_non_exhaustive()
    }
}

/// Why there is no token for a site. Never shows one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// Made by [`TokenError::missing`] where one is needed.
    #[error("there is no token for {host}: none of {} is set{}", variables.join(", "), for_others(set))]
    Missing { kind: Kind, host: Host, variables: Vec<&'static str>, set: Vec<&'static str> },
    #[error("{variable} ({origin}) is for {of}, and the request is on {host}")]
    OtherHost { variable: &'static str, origin: Origin, of: String, host: Host, instance: String },
    #[error("CI_JOB_TOKEN cannot post: GitLab lets a job's token read, but not write notes; no other token is set")]
    JobTokenOnly { host: Host },
    #[error("{variable} holds the job's own token (CI_JOB_TOKEN): GitLab lets that read, but not write notes")]
    JobTokenAs { variable: &'static str },
    #[error("{variable} ({origin}) holds no token: {fault}")]
    Malformed { variable: &'static str, origin: Origin, fault: TokenFault },
    #[error(transparent)]
    Hosts(#[from] TargetError),
}

fn for_others(set: &[&'static str]) -> String {
    match set {
        [] => String::new(),
        set => format!(" ({} is, and is for other hosts)", set.join(", ")),
    }
}

/// Why a text can be no token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenFault {
    #[error("it is not UTF-8")]
    NotUtf8,
    #[error("there is a blank or a line break in it")]
    Blank,
    #[error("there is a control character in it")]
    Control,
    #[error("there is a character in it that is not ASCII")]
    NotAscii,
}

impl TokenError {
    /// The error for a site that [`find`] has no token for, where one is needed.
    pub fn missing(settings: &Settings, site: &Site) -> Self {
        let variables = variables(site);
        let others: &[&'static str] = match site.kind {
            Kind::GitHub => &["GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"],
            Kind::GitLab => &[],
        };
        let set = others.iter().filter(|name| !variables.contains(name) && settings.get(name).is_some());
        let set = set.copied().collect();
        TokenError::Missing { kind: site.kind, host: site.host.clone(), variables: variables.to_vec(), set }
    }

    pub fn exit(&self) -> Exit {
        match self {
            TokenError::Hosts(error) => error.exit(),
            _ => Exit::Token,
        }
    }

    /// Whether the site merely has no token, so that reading may be tried without one. A token that is
    /// there and broken is none of these.
    pub fn is_absence(&self) -> bool {
        matches!(
            self,
            TokenError::Missing { .. }
                | TokenError::OtherHost { .. }
                | TokenError::JobTokenOnly { .. }
                | TokenError::JobTokenAs { .. }
        )
    }

    /// What to do next.
    pub fn help(&self) -> String {
        match self {
            TokenError::Missing { kind, host, .. } => how_to_set(*kind, host),
            TokenError::JobTokenOnly { .. } | TokenError::JobTokenAs { .. } => IN_CI.to_owned(),
            TokenError::OtherHost { variable, instance, .. } => {
                format!("if {variable} is for that host, say so in the environment: GITLAB_HOST={instance}")
            }
            TokenError::Malformed { variable, .. } => {
                format!("set {variable} to the token alone, without quotes or blanks around or inside it")
            }
            TokenError::Hosts(error) => error.help(),
        }
    }
}

/// The variable, the scope, and the way that needs neither a file nor an export. Also for a token that
/// the forge refuses.
pub fn how_to_set(kind: Kind, host: &Host) -> String {
    match kind {
        Kind::GitHub if host.is_github_cloud() => {
            let of_host = if host.name() == "github.com" { String::new() } else { format!(" --hostname {host}") };
            format!(
                "GH_TOKEN=$(gh auth token{of_host}) dai …, or set GH_TOKEN to a token with {GITHUB_SCOPE}; `.env.dai` \
                 may hold it"
            )
        }
        Kind::GitHub => format!(
            "GH_ENTERPRISE_TOKEN=$(gh auth token --hostname {host}) dai …, or set GH_ENTERPRISE_TOKEN to a token with \
             {GITHUB_SCOPE}; `.env.dai` may hold it"
        ),
        Kind::GitLab => format!(
            "GITLAB_TOKEN=$(glab config get token --host {host}) dai …, or set GITLAB_TOKEN to a token with the scope \
             `api`; `.env.dai` may hold it"
        ),
    }
}

const IN_CI: &str = "set the CI/CD variable GITLAB_TOKEN to a project or group access token with the scope `api` and the role \
     Reporter or higher; masked, and not protected, since pipelines of unprotected branches do not get protected variables";

const GITHUB_SCOPE: &str = "\"Pull requests: read and write\" and \"Contents: read\" (fine-grained), or the scope `repo` (classic; `public_repo` for public projects)";

const CLOUD: [&str; 2] = ["GH_TOKEN", "GITHUB_TOKEN"];
const ENTERPRISE: [&str; 2] = ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"];
const GITLAB: [&str; 2] = ["GITLAB_TOKEN", "GITLAB_ACCESS_TOKEN"];

/// The variables that hold a token for a site.
fn variables(site: &Site) -> &'static [&'static str] {
    match site.kind {
        Kind::GitHub if site.host.is_github_cloud() => &CLOUD,
        Kind::GitHub => &ENTERPRISE,
        Kind::GitLab => &GITLAB,
    }
}

/// The variable that a token for a site is best set in.
pub fn variable(site: &Site) -> &'static str {
    variables(site)[0]
}

/// The token for a site; `None` where no variable for it is set.
///
/// # Errors
///
/// Where a GitLab token is for another host, where only a job's token is there, and where what is set
/// can be no token.
pub fn find(settings: &Settings, site: &Site) -> Result<Option<Token>, TokenError> {
    let env = settings.env();
    let ci = Ci::of(env)?;
    let hosts = Hosts::read(env, ci.as_ref())?;
    match site.kind {
        Kind::GitHub if site.host.is_github_cloud() => cloud(settings, site, ci.as_ref()),
        Kind::GitHub => enterprise(settings, site, ci.as_ref(), &hosts),
        Kind::GitLab => gitlab(settings, site, &hosts),
    }
}

/// github.com and `*.ghe.com`. In Actions of another server `GITHUB_TOKEN` is that run's own, and not for here.
fn cloud(settings: &Settings, site: &Site, ci: Option<&Ci>) -> Result<Option<Token>, TokenError> {
    let is_elsewhere = ci.is_some_and(|ci| ci.kind == Kind::GitHub && !ci.server.is(&site.host, site.scheme));
    let names: &[&'static str] = if is_elsewhere { &CLOUD[..1] } else { &CLOUD };
    settings.first_of(names).map(|(name, setting)| token(name, setting)).transpose()
}

/// Any other GitHub, but none that is known to be something else, or that `GH_HOST` says is not meant.
fn enterprise(settings: &Settings, site: &Site, ci: Option<&Ci>, hosts: &Hosts) -> Result<Option<Token>, TokenError> {
    let is_other_forge = hosts.speaks(&site.host).is_some_and(|(kind, _)| kind != Kind::GitHub);
    let is_not_meant = hosts
        .github
        .as_ref()
        .is_some_and(|instance| !instance.host.is_github_cloud() && instance.host.name() != site.host.name());
    if !is_other_forge
        && !is_not_meant
        && let Some((name, setting)) = settings.first_of(&ENTERPRISE)
    {
        return token(name, setting).map(Some);
    }
    let is_run_s_own = ci.is_some_and(|ci| ci.kind == Kind::GitHub && ci.server.is(&site.host, site.scheme));
    let run_s_own = settings.get("GITHUB_TOKEN").filter(|setting| setting.origin == Origin::Environment);
    match run_s_own.filter(|_| is_run_s_own) {
        Some(setting) => token("GITHUB_TOKEN", setting).map(Some),
        None => Ok(None),
    }
}

/// The GitLab of `GITLAB_HOST`; where that is unset, in GitLab CI that of `CI_SERVER_URL`, else gitlab.com.
fn gitlab(settings: &Settings, site: &Site, hosts: &Hosts) -> Result<Option<Token>, TokenError> {
    let Some((variable, setting)) = settings.first_of(&GITLAB) else {
        return match settings.env().is_set("CI_JOB_TOKEN") {
            true => Err(TokenError::JobTokenOnly { host: site.host.clone() }),
            false => Ok(None),
        };
    };
    // As in `GITLAB_TOKEN: $CI_JOB_TOKEN`.
    if setting.text.is_some_and(|text| !text.is_empty() && settings.env().is("CI_JOB_TOKEN", text)) {
        return Err(TokenError::JobTokenAs { variable });
    }
    let by_ci = hosts.ci.as_ref().filter(|(kind, _)| *kind == Kind::GitLab).map(|(_, server)| server);
    let of = hosts.gitlab.as_ref().or(by_ci);
    let is_for_site = match of {
        Some(instance) => instance.is(&site.host, site.scheme),
        None => site.host.name() == "gitlab.com" && site.host.port().is_none(),
    };
    if !is_for_site {
        let of = of.map_or_else(|| "gitlab.com".to_owned(), |instance: &Instance| instance.host.to_string());
        let (host, origin) = (site.host.clone(), setting.origin);
        let instance = instance_of(site);
        return Err(TokenError::OtherHost { variable, origin, of, host, instance });
    }
    token(variable, setting).map(Some)
}

/// What `GITLAB_HOST` would be for a site: with the sub-path, where its API shows one.
fn instance_of(site: &Site) -> String {
    let own = site.api.host_str().is_some_and(|name| name.trim_matches(['[', ']']) == site.host.name());
    match site.sub_path() {
        path if own && !path.is_empty() => format!("{}/{path}", site.host),
        _ => site.host.to_string(),
    }
}

fn token(variable: &'static str, setting: Setting<'_>) -> Result<Token, TokenError> {
    let origin = setting.origin;
    let broken = |fault| TokenError::Malformed { variable, origin, fault };
    // What is pasted or read from a file often ends in a line break.
    let text = setting.text.ok_or_else(|| broken(TokenFault::NotUtf8))?.trim();
    for char in text.chars() {
        match char {
            char if char.is_whitespace() => return Err(broken(TokenFault::Blank)),
            char if char.is_control() => return Err(broken(TokenFault::Control)),
            char if !char.is_ascii() => return Err(broken(TokenFault::NotAscii)),
            _ => {}
        }
    }
    Ok(Token { secret: SecretString::from(text), variable, origin })
}

#[cfg(test)]
mod tests;

//! Why it cannot be told which request is meant, on which forge.

use super::candidate::{Candidate, listed};
use super::ci::CiError;
use super::{Host, Kind, gitea};
use crate::exit::Exit;

/// The command line, the environment and the remotes together name no request. Always a usage error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    #[error("the environment variable {variable} is not {expected}")]
    Variable { variable: &'static str, expected: &'static str },
    #[error("this repository has no remote")]
    NoRemotes,
    #[error("no remote of this repository names a project on a host ({})", remotes.join(", "))]
    NoProjects { remotes: Vec<String> },
    #[error("there is no remote {name:?} (there is {})", known.join(", "))]
    UnknownRemote { name: String, known: Vec<String> },
    #[error("the URL of the remote {name:?} names no project on a host")]
    RemoteWithoutProject { name: String },
    #[error("{text:?} is not a project")]
    Project { text: String },
    #[error("REF is of {reference}, and -R says {flag}")]
    ProjectTwice { reference: String, flag: String },
    #[error("no remote is of the project {wanted} (the remotes are of {})", listed(candidates))]
    NoSuchProject { wanted: String, candidates: Vec<Candidate> },
    #[error("the remote {remote:?} is of {has}, and {wanted} is asked for")]
    RemoteElsewhere { remote: String, has: String, wanted: String },
    #[error("CI runs for {project}, and no remote is of it (the remotes are of {})", listed(candidates))]
    CiProject { project: String, candidates: Vec<Candidate> },
    #[error("several projects are among the remotes: {}", listed(candidates))]
    Ambiguous { candidates: Vec<Candidate> },
    #[error("it is not known which forge answers at {host}")]
    UnknownForge { host: Host, remote: String, alias: bool },
    #[error("REF is the page of a {page} request, and {host} is a {kind}")]
    OtherForge { page: Kind, host: Host, kind: Kind },
    #[error("{project:?} is not the path of a GitHub project, which is OWNER/REPO")]
    NotOwnerAndRepo { project: String },
    #[error("the API base of {said_by} {fault}")]
    ApiBase { said_by: &'static str, fault: ApiBaseFault },
    #[error("{host} looks like an alias of an ssh configuration, and the API is not served by ssh")]
    AliasWithoutApi { host: Host },
    #[error("the remote speaks http to {host}, and a token goes over https only")]
    HttpPort { host: Host },
    #[error("Gitea and Forgejo are not supported ({said_by})")]
    Gitea { said_by: String },
    #[error(transparent)]
    Ci(#[from] CiError),
    #[error("this job runs for request {number} of {}, and the project asked for is {asked}", ci.as_deref().unwrap_or("a project that CI does not name"))]
    CiElsewhere { number: u64, ci: Option<String>, asked: String },
}

/// What is wrong with an API base. Its text is not shown: it may hold a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ApiBaseFault {
    #[error("is not a URL")]
    NotAUrl,
    #[error("is neither https nor http")]
    Scheme,
    #[error("has a user or a password in it")]
    Credentials,
    #[error("has a query or a fragment")]
    Query,
    #[error("is http to another machine: a token goes over https only")]
    Insecure,
}

impl TargetError {
    pub fn exit(&self) -> Exit {
        Exit::Usage
    }

    /// What to do next.
    pub fn help(&self) -> String {
        match self {
            TargetError::Variable { variable, expected } => format!("set {variable} to {expected}, or unset it"),
            TargetError::NoRemotes => {
                "`git remote add origin URL` with the project that the request is in; for a change that is only here: \
                 --base REV --head REV"
                    .to_owned()
            }
            TargetError::NoProjects { .. } | TargetError::RemoteWithoutProject { .. } => {
                "name the remote and the request's page: --remote NAME with REF as https://HOST/…".to_owned()
            }
            TargetError::UnknownRemote { .. } => "`git remote -v` lists the remotes".to_owned(),
            TargetError::Project { .. } => "write OWNER/REPO, GROUP/SUB/PROJECT, or the project's URL".to_owned(),
            TargetError::ProjectTwice { .. } => "leave -R out: REF has the project already".to_owned(),
            TargetError::NoSuchProject { wanted, .. } | TargetError::CiProject { project: wanted, .. } => {
                format!("run it in a clone of {wanted}, or `git remote add upstream URL` with that project's URL")
            }
            TargetError::RemoteElsewhere { .. } => "leave --remote out, or name the remote of that project".to_owned(),
            TargetError::Ambiguous { .. } => {
                "name one: --remote NAME, or REF with its project, as OWNER/REPO#N; `gh repo set-default` is heeded too"
                    .to_owned()
            }
            TargetError::UnknownForge { remote, alias: true, .. } => format!(
                "if it is an alias of your ssh configuration, name the forge's own host: --remote {remote} with REF as \
                 https://HOST/…; if it is a host: --forge github|gitlab with --api-url URL"
            ),
            TargetError::UnknownForge { host, alias: false, .. } => format!(
                "say it: --forge github or --forge gitlab, or for every run GH_HOST={host} or GITLAB_HOST={host} in the \
                 environment"
            ),
            TargetError::OtherForge { kind, .. } => {
                format!("give REF as a {kind} writes it, or another --forge (GH_HOST and GITLAB_HOST say it too)")
            }
            TargetError::NotOwnerAndRepo { .. } => {
                "name the project: --remote NAME, or -R OWNER/REPO; if the host is a GitLab: --forge gitlab".to_owned()
            }
            TargetError::ApiBase { said_by, .. } => format!(
                "give {said_by} as https://api.github.com, https://HOST/api/v3 or https://HOST/api/v4; http only to \
                 localhost, 127.0.0.1 or [::1]"
            ),
            TargetError::AliasWithoutApi { .. } => {
                "give --api-url URL, or --remote NAME with REF as https://HOST/…".to_owned()
            }
            TargetError::HttpPort { .. } => "give the API's own address: --api-url https://HOST[:PORT]/…".to_owned(),
            TargetError::Gitea { .. } => gitea::WITHOUT_A_FORGE.to_owned(),
            TargetError::Ci(error) => error.help(),
            TargetError::CiElsewhere { .. } => "say which request is meant: dai forge review REF".to_owned(),
        }
    }
}

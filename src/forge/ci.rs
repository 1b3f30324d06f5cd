//! What CI says of the request it runs for.

use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::Kind;
use super::instance::Instance;
use super::remote_url::is_project_path;
use super::target_error::TargetError;
use crate::settings::Env;

/// The longest event that is read, in bytes: GitHub's own limit for the payload of an event.
pub const EVENT_LIMIT: u64 = 25 * 1024 * 1024;

/// The CI this runs in, by its own variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ci {
    pub kind: Kind,
    /// The forge that runs it.
    pub server: Instance,
    /// The project that the request is to be merged into; `None` where CI names none.
    pub project: Option<String>,
    /// That project's number. GitLab alone has it.
    pub project_id: Option<u64>,
    hint: Hint,
}

/// Where the request's number stands.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Hint {
    Actions { event: Option<PathBuf>, git_ref: Option<String> },
    GitLab { iid: Option<String> },
}

impl Ci {
    /// GitHub Actions or GitLab CI, each known by the variable that it sets to `true` for this purpose.
    ///
    /// # Errors
    ///
    /// [`TargetError::Variable`] where what CI says of its server or project cannot be.
    pub fn of(env: &Env) -> Result<Option<Self>, TargetError> {
        if env.is("GITHUB_ACTIONS", "true") {
            return actions(env).map(Some);
        }
        if env.is("GITLAB_CI", "true") {
            return gitlab(env).map(Some);
        }
        Ok(None)
    }

    /// The number of the request that the job runs for. `read` reads a file of at most [`EVENT_LIMIT`]
    /// bytes; [`read_event`] is one.
    ///
    /// # Errors
    ///
    /// [`CiError::NoRequest`] where the job runs for something else, as for a push;
    /// [`CiError::Unreadable`] where the event cannot be read and nothing else names a request.
    pub fn number(&self, read: impl FnOnce(&Path) -> io::Result<Vec<u8>>) -> Result<u64, CiError> {
        match &self.hint {
            Hint::GitLab { iid } => {
                let iid = iid.as_deref().ok_or(CiError::NoRequest { said_by: "CI_MERGE_REQUEST_IID" })?;
                positive(iid).ok_or(CiError::NoRequest { said_by: "CI_MERGE_REQUEST_IID" })
            }
            Hint::Actions { event, git_ref } => {
                let by_event = event.as_deref().map(|path| by_event(path, read));
                let by_ref = git_ref.as_deref().and_then(by_ref);
                match (by_event, by_ref) {
                    (Some(Ok(Some(number))), _) | (_, Some(number)) => Ok(number),
                    (Some(Err(error)), None) => Err(error),
                    (Some(Ok(None)), None) => Err(CiError::NoRequest { said_by: "GITHUB_EVENT_PATH" }),
                    (None, None) => Err(CiError::NoRequest { said_by: "GITHUB_REF" }),
                }
            }
        }
    }
}

/// Why CI's variables name no request.
#[derive(Debug, thiserror::Error)]
pub enum CiError {
    /// The job runs for a push, a schedule or the like.
    #[error("this job does not run for a pull request or merge request ({said_by} names none)")]
    NoRequest { said_by: &'static str },
    #[error("the event at GITHUB_EVENT_PATH cannot be read: {why}")]
    Unreadable { why: String },
}

impl CiError {
    pub fn help(&self) -> &'static str {
        "name the request: dai forge review REF, or run the job for pull requests (`on: pull_request`) or merge \
         requests (`if: $CI_PIPELINE_SOURCE == \"merge_request_event\"`)"
    }
}

fn text(env: &Env, variable: &'static str) -> Result<Option<String>, TargetError> {
    let text = env.text(variable).map_err(|_| TargetError::Variable { variable, expected: "UTF-8" })?;
    Ok(text.map(str::to_owned))
}

fn project(env: &Env, variable: &'static str) -> Result<Option<String>, TargetError> {
    let project = text(env, variable)?;
    match project {
        Some(path) if !is_project_path(&path) => {
            Err(TargetError::Variable { variable, expected: "a project's path, such as owner/repo" })
        }
        other => Ok(other),
    }
}

fn server(env: &Env, variable: &'static str) -> Result<Option<Instance>, TargetError> {
    let broken = TargetError::Variable { variable, expected: "the URL of a forge" };
    match text(env, variable)? {
        None => Ok(None),
        Some(text) => Instance::parse(&text).map(Some).ok_or(broken),
    }
}

fn default_server(host: &str) -> Result<Instance, TargetError> {
    Instance::parse(host).ok_or(TargetError::Variable { variable: "CI_SERVER_HOST", expected: "a host" })
}

/// GitHub Docs, "Store information in variables": default environment variables.
fn actions(env: &Env) -> Result<Ci, TargetError> {
    Ok(Ci {
        kind: Kind::GitHub,
        server: server(env, "GITHUB_SERVER_URL")?.map_or_else(|| default_server("github.com"), Ok)?,
        project: project(env, "GITHUB_REPOSITORY")?,
        project_id: None,
        hint: Hint::Actions {
            event: env.bytes("GITHUB_EVENT_PATH").map(PathBuf::from),
            git_ref: text(env, "GITHUB_REF")?,
        },
    })
}

/// GitLab Docs, "Predefined CI/CD variables reference". `CI_PROJECT_ID` and `CI_PROJECT_PATH` are not
/// asked: in a fork's pipeline they are the fork's, and the request is not there.
fn gitlab(env: &Env) -> Result<Ci, TargetError> {
    let server = match server(env, "CI_SERVER_URL")? {
        Some(server) => server,
        None => default_server(text(env, "CI_SERVER_HOST")?.as_deref().unwrap_or("gitlab.com"))?,
    };
    Ok(Ci {
        kind: Kind::GitLab,
        server,
        project: project(env, "CI_MERGE_REQUEST_PROJECT_PATH")?,
        project_id: text(env, "CI_MERGE_REQUEST_PROJECT_ID")?.as_deref().and_then(positive),
        hint: Hint::GitLab { iid: text(env, "CI_MERGE_REQUEST_IID")? },
    })
}

fn positive(digits: &str) -> Option<u64> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten().filter(|number| *number > 0)
}

/// `refs/pull/22/merge`, as `pull_request` events have it.
fn by_ref(git_ref: &str) -> Option<u64> {
    let (number, _) = git_ref.strip_prefix("refs/pull/")?.split_once('/')?;
    positive(number)
}

/// The part of an event that names a request. A comment on a pull request is an event of the issue with
/// the pull's number, and says so by `issue.pull_request`.
#[derive(Deserialize)]
struct Event {
    pull_request: Option<Numbered>,
    issue: Option<Issue>,
}

#[derive(Deserialize)]
struct Numbered {
    number: u64,
}

#[derive(Deserialize)]
struct Issue {
    number: u64,
    pull_request: Option<serde::de::IgnoredAny>,
}

fn by_event(path: &Path, read: impl FnOnce(&Path) -> io::Result<Vec<u8>>) -> Result<Option<u64>, CiError> {
    let bytes = read(path).map_err(|error| CiError::Unreadable { why: error.to_string() })?;
    // The parser's own message may quote the event, which is long and somebody else's.
    let event: Event = serde_json::from_slice(&bytes).map_err(|error| CiError::Unreadable {
        why: format!("it is not the JSON of an event (line {}, column {})", error.line(), error.column()),
    })?;
    let by_comment = event.issue.filter(|issue| issue.pull_request.is_some()).map(|issue| issue.number);
    Ok(event.pull_request.map(|pull| pull.number).or(by_comment).filter(|number| *number > 0))
}

/// Reads an event's file, up to [`EVENT_LIMIT`].
pub fn read_event(path: &Path) -> io::Result<Vec<u8>> {
    use std::io::Read;

    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(EVENT_LIMIT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > EVENT_LIMIT {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is longer than an event can be"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACTIONS: [(&str, &str); 4] = [
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_REPOSITORY", "acme/widgets"),
        ("GITHUB_EVENT_PATH", "event.json"),
        ("GITHUB_SERVER_URL", "https://github.com"),
    ];

    fn number(env: &[(&str, &str)], event: &str) -> Result<u64, String> {
        let ci = Ci::of(&Env::of(env.iter().copied())).unwrap().unwrap();
        ci.number(|_| Ok(event.as_bytes().to_vec())).map_err(|error| error.to_string())
    }

    #[test]
    fn the_number_in_actions() {
        let with_ref = |git_ref| [&ACTIONS[..], &[("GITHUB_REF", git_ref)]].concat();
        for (env, event, expected) in [
            (ACTIONS.to_vec(), r#"{"action":"opened","number":7,"pull_request":{"number":22,"title":"x"}}"#, Some(22)),
            (ACTIONS.to_vec(), r#"{"issue":{"number":22,"pull_request":{"url":"x"}}}"#, Some(22)),
            (ACTIONS.to_vec(), r#"{"issue":{"number":22}}"#, None),
            (ACTIONS.to_vec(), r#"{"issue":{"number":22,"pull_request":null}}"#, None),
            (ACTIONS.to_vec(), r#"{"ref":"refs/heads/main","commits":[]}"#, None),
            (ACTIONS.to_vec(), "[]", None),
            (ACTIONS.to_vec(), "", None),
            (ACTIONS.to_vec(), r#"{"pull_request":{"number":-1}}"#, None),
            (ACTIONS.to_vec(), r#"{"pull_request":{"number":0}}"#, None),
            (with_ref("refs/pull/22/merge"), r#"{"ref":"x"}"#, Some(22)),
            (with_ref("refs/pull/22/merge"), "broken", Some(22)),
            (with_ref("refs/pull/7/merge"), r#"{"pull_request":{"number":22}}"#, Some(22)),
            (with_ref("refs/pull/x/merge"), "{}", None),
            (with_ref("refs/heads/pull/22/merge"), "{}", None),
        ] {
            assert_eq!(number(&env, event).ok(), expected, "{event} {env:?}");
        }
    }

    #[test]
    fn an_event_that_cannot_be_read_is_said_without_its_text() {
        let said = number(&ACTIONS, r#"{"pull_request":{"number":"s3cret"}}"#).unwrap_err();
        assert!(said.contains("GITHUB_EVENT_PATH") && said.contains("line 1") && !said.contains("s3cret"), "{said}");
        let ci = Ci::of(&Env::of(ACTIONS)).unwrap().unwrap();
        let error = ci.number(|_| Err(io::ErrorKind::NotFound.into())).unwrap_err();
        assert!(matches!(error, CiError::Unreadable { .. }));
    }

    #[test]
    fn an_event_is_read_from_an_ordinary_file_only() {
        let dir = tempfile::tempdir().unwrap();
        assert!(read_event(dir.path()).is_err());
        assert!(read_event(&dir.path().join("none")).is_err());
        let path = dir.path().join("event.json");
        std::fs::write(&path, "{}").unwrap();
        assert_eq!(read_event(&path).unwrap(), b"{}");
        std::fs::File::create(&path).unwrap().set_len(EVENT_LIMIT + 1).unwrap();
        assert_eq!(read_event(&path).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }

    #[test]
    fn gitlab_names_the_target_s_project_not_the_fork_s() {
        let env = [
            ("GITLAB_CI", "true"),
            ("CI_SERVER_URL", "https://git.corp:8443/gitlab"),
            ("CI_PROJECT_ID", "9"),
            ("CI_PROJECT_PATH", "me/widgets"),
            ("CI_MERGE_REQUEST_IID", "22"),
            ("CI_MERGE_REQUEST_PROJECT_ID", "7"),
            ("CI_MERGE_REQUEST_PROJECT_PATH", "acme/tools/widgets"),
        ];
        let ci = Ci::of(&Env::of(env)).unwrap().unwrap();
        assert_eq!(
            (ci.kind, ci.project.as_deref(), ci.project_id),
            (Kind::GitLab, Some("acme/tools/widgets"), Some(7))
        );
        assert_eq!((ci.server.host.to_string().as_str(), ci.server.path.as_str()), ("git.corp:8443", "gitlab"));
        assert_eq!(number(&env, "").ok(), Some(22));
        assert!(number(&env[..4], "").unwrap_err().contains("CI_MERGE_REQUEST_IID"));
    }

    #[test]
    fn only_what_ci_sets_for_this_purpose_is_ci() {
        for env in [
            &[("CI", "true"), ("GITHUB_REPOSITORY", "a/b")][..],
            &[("GITHUB_ACTIONS", "false"), ("GITHUB_REPOSITORY", "a/b")],
            &[("CI_MERGE_REQUEST_IID", "22")],
            &[],
        ] {
            assert_eq!(Ci::of(&Env::of(env.iter().copied())), Ok(None), "{env:?}");
        }
    }

    #[test]
    fn nonsense_in_ci_s_variables_is_said() {
        for (name, value) in [("GITHUB_REPOSITORY", "../x"), ("GITHUB_SERVER_URL", "ftp://x")] {
            let error = Ci::of(&Env::of([("GITHUB_ACTIONS", "true"), (name, value)])).unwrap_err();
            assert!(error.to_string().contains(name), "{error}");
        }
    }
}

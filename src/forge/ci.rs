//! What CI says of the request it runs for.

mod event;

use std::io;
use std::path::{Path, PathBuf};

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

/// What the job runs for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    Request(u64),
    /// A push: the open request of the branch that was pushed to.
    Branch,
}

/// Where the request's number stands.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Hint {
    Actions { path: Option<PathBuf>, said: event::Said },
    GitLab(Pipeline),
}

/// What GitLab says of a pipeline.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Pipeline {
    /// `CI_MERGE_REQUEST_IID`.
    iid: Option<String>,
    /// `CI_OPEN_MERGE_REQUESTS`: `group/project!7,fork/project!9`, those whose source is the pipeline's branch.
    open: Option<String>,
    /// `CI_PROJECT_PATH`.
    project: Option<String>,
    /// `CI_PIPELINE_SOURCE`.
    source: Option<String>,
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

    /// What the job runs for. `read` reads a file of at most [`EVENT_LIMIT`] bytes; [`read_event`] is one.
    ///
    /// # Errors
    ///
    /// [`CiError`] where that is neither one request nor a push.
    pub fn names(&self, read: impl FnOnce(&Path) -> io::Result<Vec<u8>>) -> Result<Named, CiError> {
        match &self.hint {
            Hint::Actions { path, said } => said.names(path.as_deref(), read),
            Hint::GitLab(pipeline) => pipeline.names(),
        }
    }
}

impl Pipeline {
    fn names(&self) -> Result<Named, CiError> {
        let none = || CiError::NoMergeRequest { pipeline: self.source.clone() };
        if let Some(iid) = &self.iid {
            return positive(iid).map(Named::Request).ok_or_else(none);
        }
        let numbers = self.open_here();
        match numbers[..] {
            [number] => Ok(Named::Request(number)),
            [] if self.source.as_deref() == Some("push") => Ok(Named::Branch),
            [] => Err(none()),
            _ => Err(CiError::Several { event: self.source.clone().unwrap_or_else(|| "a branch".to_owned()), numbers }),
        }
    }

    fn open_here(&self) -> Vec<u64> {
        let listed = self.open.as_deref().unwrap_or_default().split(',');
        let here = listed
            .filter_map(|one| one.trim().rsplit_once('!'))
            .filter(|(project, _)| self.project.as_deref().is_some_and(|here| here.eq_ignore_ascii_case(project)));
        here.filter_map(|(_, number)| positive(number)).collect()
    }
}

/// Why a job names no request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CiError {
    #[error("this job runs for the event `{event}`, which names no pull request")]
    NoRequest { event: String },
    #[error("this pipeline is of no merge request (CI_MERGE_REQUEST_IID names none; its source is {})", .pipeline.as_deref().unwrap_or("not told"))]
    NoMergeRequest { pipeline: Option<String> },
    #[error("this job runs for `{event}`, which is of several requests: {}", listed(numbers))]
    Several { event: String, numbers: Vec<u64> },
    #[error("the event at GITHUB_EVENT_PATH cannot be read: {why}")]
    Unreadable { why: String },
}

impl CiError {
    pub fn help(&self) -> String {
        let head = match self {
            CiError::NoRequest { event } | CiError::Several { event, .. } if event == "workflow_run" => {
                "; with `--expect-head ${{ github.event.workflow_run.head_sha }}` it is refused where that is not its head"
            }
            CiError::NoRequest { .. } | CiError::Unreadable { .. } => {
                ", or run the job for pull requests (`on: pull_request`)"
            }
            CiError::NoMergeRequest { .. } => {
                ", or run the job for merge requests (`if: $CI_PIPELINE_SOURCE == \"merge_request_event\"`)"
            }
            CiError::Several { .. } => "",
        };
        format!("say which request is meant: dai forge review REF{head}")
    }
}

fn listed(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
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
            path: env.bytes("GITHUB_EVENT_PATH").map(PathBuf::from),
            said: event::Said { name: text(env, "GITHUB_EVENT_NAME")?, git_ref: text(env, "GITHUB_REF")? },
        },
    })
}

/// GitLab Docs, "Predefined CI/CD variables reference". Of a merge request's pipeline `CI_PROJECT_ID` and
/// `CI_PROJECT_PATH` are not asked: in a fork's they are the fork's, and the request is not there. A branch's
/// pipeline has nothing else.
fn gitlab(env: &Env) -> Result<Ci, TargetError> {
    let server = match server(env, "CI_SERVER_URL")? {
        Some(server) => server,
        None => default_server(text(env, "CI_SERVER_HOST")?.as_deref().unwrap_or("gitlab.com"))?,
    };
    let pipeline = Pipeline {
        iid: text(env, "CI_MERGE_REQUEST_IID")?,
        open: text(env, "CI_OPEN_MERGE_REQUESTS")?,
        project: project(env, "CI_PROJECT_PATH")?,
        source: text(env, "CI_PIPELINE_SOURCE")?,
    };
    let id = |variable| Ok::<_, TargetError>(text(env, variable)?.as_deref().and_then(positive));
    let (project, project_id) = match pipeline.iid {
        Some(_) => (project(env, "CI_MERGE_REQUEST_PROJECT_PATH")?, id("CI_MERGE_REQUEST_PROJECT_ID")?),
        None => (pipeline.project.clone(), id("CI_PROJECT_ID")?),
    };
    Ok(Ci { kind: Kind::GitLab, server, project, project_id, hint: Hint::GitLab(pipeline) })
}

fn positive(digits: &str) -> Option<u64> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten().filter(|number| *number > 0)
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

    fn names(env: &[(&str, &str)]) -> Result<Named, String> {
        let ci = Ci::of(&Env::of(env.iter().copied())).unwrap().unwrap();
        ci.names(|_| Err(io::ErrorKind::NotFound.into())).map_err(|error| error.to_string())
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
        assert_eq!(names(&env), Ok(Named::Request(22)));
        assert!(names(&env[..4]).unwrap_err().contains("CI_MERGE_REQUEST_IID"));
    }

    #[test]
    fn c61_a_branchs_pipeline_names_the_one_open_request_of_its_own_project() {
        let with = |more: &[(&'static str, &'static str)]| {
            names(&[&[("GITLAB_CI", "true"), ("CI_PROJECT_PATH", "acme/widgets")], more].concat())
        };
        for (open, source, expected) in [
            ("acme/widgets!22", "push", Some(Named::Request(22))),
            ("acme/widgets!22", "schedule", Some(Named::Request(22))),
            ("Acme/Widgets!22,up/widgets!7", "push", Some(Named::Request(22))),
            ("acme/widgets!22,acme/widgets!23", "push", None),
            ("up/widgets!7", "push", Some(Named::Branch)),
            ("up/widgets!7", "web", None),
            ("", "push", Some(Named::Branch)),
            ("", "schedule", None),
            ("", "trigger", None),
        ] {
            let named = with(&[("CI_OPEN_MERGE_REQUESTS", open), ("CI_PIPELINE_SOURCE", source)]);
            assert_eq!(named.ok(), expected, "{open} {source}");
        }
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

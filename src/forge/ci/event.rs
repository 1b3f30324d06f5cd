//! The request that an event of GitHub Actions is about.
//!
//! GitHub Docs, "Events that trigger workflows" and "Webhook events and payloads". An event that is not of one
//! pull request names none: the branch that a runner has checked out says nothing about which was meant.

use std::io;
use std::path::Path;

use serde::Deserialize;

use super::{CiError, Named, positive};

/// What Actions says of the event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    /// `GITHUB_EVENT_NAME`.
    pub name: Option<String>,
    /// `GITHUB_REF`.
    pub git_ref: Option<String>,
}

impl Said {
    /// The event at `path`, which `read` reads.
    pub fn names(
        &self,
        path: Option<&Path>,
        read: impl FnOnce(&Path) -> io::Result<Vec<u8>>,
    ) -> Result<Named, CiError> {
        // Of a pull request's own events the ref says it as well.
        let of_pulls = self.name.as_deref().is_none_or(|name| name.starts_with("pull_request"));
        let by_ref = self.git_ref.as_deref().filter(|_| of_pulls).and_then(by_ref).map(Named::Request);
        let event = path.map(|path| parsed(path, read)).transpose();
        match event {
            Ok(Some(event)) => event.names(self.name.as_deref()).or_else(|none| by_ref.ok_or(none)),
            Ok(None) => by_ref.ok_or_else(|| CiError::Unreadable { why: "it is not set".to_owned() }),
            Err(why) => by_ref.ok_or(CiError::Unreadable { why }),
        }
    }
}

/// `refs/pull/22/merge`, as `pull_request` events have it.
fn by_ref(git_ref: &str) -> Option<u64> {
    let (number, _) = git_ref.strip_prefix("refs/pull/")?.split_once('/')?;
    positive(number)
}

fn parsed(path: &Path, read: impl FnOnce(&Path) -> io::Result<Vec<u8>>) -> Result<Event, String> {
    let bytes = read(path).map_err(|error| error.to_string())?;
    // The parser's own message may quote the event, which is long and somebody else's.
    serde_json::from_slice(&bytes)
        .map_err(|error| format!("it is not the JSON of an event (line {}, column {})", error.line(), error.column()))
}

/// The part of an event that names a request.
#[derive(Deserialize)]
struct Event {
    pull_request: Option<Numbered>,
    issue: Option<Issue>,
    workflow_run: Option<Run>,
    check_run: Option<Run>,
    check_suite: Option<Run>,
    merge_group: Option<MergeGroup>,
    repository: Option<Repository>,
    after: Option<serde::de::IgnoredAny>,
    #[serde(rename = "ref")]
    git_ref: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
struct Numbered {
    number: u64,
    base: Option<Base>,
}

#[derive(Deserialize)]
struct Base {
    repo: Option<Repository>,
}

#[derive(Deserialize)]
struct Repository {
    id: Option<u64>,
}

/// A comment on a pull request is an event of the issue with the pull's number, and says so by
/// `issue.pull_request`.
#[derive(Deserialize)]
struct Issue {
    number: u64,
    pull_request: Option<serde::de::IgnoredAny>,
}

/// `workflow_run`, `check_run`, `check_suite`.
#[derive(Deserialize)]
struct Run {
    pull_requests: Option<Vec<Numbered>>,
}

#[derive(Deserialize)]
struct MergeGroup {
    head_ref: Option<String>,
}

impl Event {
    /// By the event's name; by its shape where the name is not told.
    fn names(&self, name: Option<&str>) -> Result<Named, CiError> {
        let name = name.unwrap_or_else(|| self.shape());
        let none = || CiError::NoRequest { event: name.to_owned() };
        let numbers = match name {
            name if name.starts_with("pull_request") => Vec::from_iter(self.pull_request.as_ref().map(|it| it.number)),
            "issue_comment" => {
                let issue = self.issue.as_ref().filter(|issue| issue.pull_request.is_some());
                Vec::from_iter(issue.map(|issue| issue.number))
            }
            "workflow_run" => self.pulls_of(self.workflow_run.as_ref()),
            "check_run" => self.pulls_of(self.check_run.as_ref()),
            "check_suite" => self.pulls_of(self.check_suite.as_ref()),
            "merge_group" => self.queued(),
            "push" => return Ok(Named::Branch),
            _ => return Err(none()),
        };
        match numbers[..] {
            [number] if number > 0 => Ok(Named::Request(number)),
            [] | [_] => Err(none()),
            _ => Err(CiError::Several { event: name.to_owned(), numbers }),
        }
    }

    fn shape(&self) -> &'static str {
        let shapes = [
            (self.workflow_run.is_some(), "workflow_run"),
            (self.check_run.is_some(), "check_run"),
            (self.check_suite.is_some(), "check_suite"),
            (self.merge_group.is_some(), "merge_group"),
            (self.pull_request.is_some(), "pull_request"),
            (self.issue.is_some(), "issue_comment"),
            (self.after.is_some() && self.git_ref.is_some(), "push"),
        ];
        shapes.into_iter().find(|(is, _)| *is).map_or("unnamed", |(_, name)| name)
    }

    /// A branch that other repositories' requests are of lists those too.
    fn pulls_of(&self, run: Option<&Run>) -> Vec<u64> {
        let here = self.repository.as_ref().and_then(|repository| repository.id);
        let pulls = run.and_then(|run| run.pull_requests.as_deref()).unwrap_or_default();
        let is_here = |pull: &&Numbered| {
            let there = pull.base.as_ref().and_then(|base| base.repo.as_ref()?.id);
            here.zip(there).is_none_or(|(here, there)| here == there)
        };
        pulls.iter().filter(is_here).map(|pull| pull.number).collect()
    }

    /// `refs/heads/gh-readonly-queue/main/pr-22-<sha>`. The branch it is queued for may itself be called like this.
    fn queued(&self) -> Vec<u64> {
        let git_ref = self.merge_group.as_ref().and_then(|group| group.head_ref.as_deref()).unwrap_or_default();
        let number = |part: &str| {
            let (number, sha) = part.strip_prefix("pr-")?.split_once('-')?;
            let is_sha = matches!(sha.len(), 40 | 64) && sha.bytes().all(|byte| byte.is_ascii_hexdigit());
            positive(number).filter(|_| is_sha)
        };
        git_ref.split('/').filter_map(number).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(name: Option<&str>, git_ref: Option<&str>, event: &str) -> Result<Named, CiError> {
        let said = Said { name: name.map(str::to_owned), git_ref: git_ref.map(str::to_owned) };
        said.names(Some(Path::new("event.json")), |_| Ok(event.as_bytes().to_vec()))
    }

    /// What each event's documentation says of its payload.
    #[test]
    fn c61_every_event_and_the_request_it_is_of() {
        let of = |number| Some(Named::Request(number));
        let sha = "0123456789abcdef0123456789abcdef01234567";
        let queue = |branch: &str, number| {
            format!(r#"{{"merge_group":{{"head_ref":"refs/heads/gh-readonly-queue/{branch}/pr-{number}-{sha}"}}}}"#)
        };
        for (name, event, expected) in [
            ("pull_request", r#"{"number":22,"pull_request":{"number":22}}"#, of(22)),
            ("pull_request_target", r#"{"pull_request":{"number":22}}"#, of(22)),
            ("pull_request_review", r#"{"pull_request":{"number":22},"review":{}}"#, of(22)),
            ("pull_request_review_comment", r#"{"pull_request":{"number":22},"comment":{}}"#, of(22)),
            ("issue_comment", r#"{"issue":{"number":22,"pull_request":{"url":"x"}}}"#, of(22)),
            ("issue_comment", r#"{"issue":{"number":22}}"#, None),
            ("issue_comment", r#"{"issue":{"number":22,"pull_request":null}}"#, None),
            ("issues", r#"{"issue":{"number":22}}"#, None),
            ("workflow_run", r#"{"workflow_run":{"head_branch":"topic","pull_requests":[{"number":22}]}}"#, of(22)),
            ("workflow_run", r#"{"workflow_run":{"head_branch":"topic","pull_requests":[]}}"#, None),
            ("workflow_run", r#"{"workflow_run":{"head_branch":"topic","pull_requests":null}}"#, None),
            ("workflow_run", r#"{"workflow_run":{"pull_requests":[{"number":22},{"number":30}]}}"#, None),
            // The second one is of the project that this one was forked from.
            (
                "check_suite",
                r#"{"repository":{"id":1},"check_suite":{"pull_requests":[{"number":22,"base":{"repo":{"id":1}}},
                  {"number":30,"base":{"repo":{"id":2}}}]}}"#,
                of(22),
            ),
            (
                "check_run",
                r#"{"repository":{"id":1},"check_run":{"pull_requests":[{"number":30,"base":{"repo":{"id":2}}}]}}"#,
                None,
            ),
            ("check_run", r#"{"check_run":{"pull_requests":[{"number":22}]}}"#, of(22)),
            ("merge_group", &queue("main", 22), of(22)),
            ("merge_group", &queue(&format!("pr-7-{sha}"), 22), None),
            ("merge_group", &queue("pr-7-x", 22), of(22)),
            ("merge_group", r#"{"merge_group":{"head_ref":"refs/heads/gh-readonly-queue/main/pr-22"}}"#, None),
            ("push", r#"{"ref":"refs/heads/main","after":"x"}"#, Some(Named::Branch)),
            ("schedule", r#"{"schedule":"0 0 * * *"}"#, None),
            ("workflow_dispatch", r#"{"ref":"refs/heads/topic","inputs":{"number":"22"}}"#, None),
            ("repository_dispatch", r#"{"client_payload":{"pull_request":{"number":22}}}"#, None),
            // Whatever else the payload may hold one day.
            ("schedule", r#"{"pull_request":{"number":22}}"#, None),
        ] {
            assert_eq!(names(Some(name), Some("refs/heads/topic"), event).ok(), expected, "{name} {event}");
        }
    }

    #[test]
    fn without_the_events_name_its_shape_and_the_ref_do() {
        let pull = Some("refs/pull/22/merge");
        for (git_ref, event, expected) in [
            (None, r#"{"pull_request":{"number":7}}"#, Some(Named::Request(7))),
            (pull, r#"{"ref":"x"}"#, Some(Named::Request(22))),
            (pull, "broken", Some(Named::Request(22))),
            (pull, r#"{"pull_request":{"number":7}}"#, Some(Named::Request(7))),
            (Some("refs/pull/x/merge"), "{}", None),
            (Some("refs/heads/pull/22/merge"), "{}", None),
            (None, r#"{"ref":"refs/heads/main","after":"x"}"#, Some(Named::Branch)),
            (None, "[]", None),
            (None, "", None),
            (None, r#"{"pull_request":{"number":-1}}"#, None),
            (None, r#"{"pull_request":{"number":0}}"#, None),
        ] {
            assert_eq!(names(None, git_ref, event).ok(), expected, "{event} {git_ref:?}");
        }
    }

    #[test]
    fn an_event_that_cannot_be_read_is_said_without_its_text() {
        let error = names(Some("pull_request"), None, r#"{"pull_request":{"number":"s3cret"}}"#).unwrap_err();
        let said = error.to_string();
        assert!(said.contains("GITHUB_EVENT_PATH") && said.contains("line 1") && !said.contains("s3cret"), "{said}");
        let said = Said { name: None, git_ref: None };
        let error = said.names(Some(Path::new("x")), |_| Err(io::ErrorKind::NotFound.into())).unwrap_err();
        assert!(matches!(error, CiError::Unreadable { .. }));
    }
}

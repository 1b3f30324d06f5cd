//! Who may ask for what, and what is answered to a question.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use super::render::{self, Page};
use super::world::{Access, Account, MergeRequest, Project, Release, World};
use super::write::{Sent, discuss, edit, note};
use crate::support::repo::Upstream;
use crate::support::server::{Answers, Request, Response, Twist};

pub(super) struct Front {
    pub world: Arc<Mutex<World>>,
    /// The sub-path of the whole installation.
    pub below: String,
}

pub(super) fn message(status: u16, text: &str) -> Response {
    Response::json(status, &json!({ "message": text }))
}

impl Answers for Front {
    fn api_prefix(&self) -> String {
        format!("{}/api/v4", self.below)
    }

    fn git_prefix(&self) -> String {
        self.below.clone()
    }

    fn admit_git(&self, project: &str, request: &Request) -> Result<String, Response> {
        let world = self.world.lock().unwrap_or_else(PoisonError::into_inner);
        let project = world.renamed.get(project).map_or(project, String::as_str);
        let private = world.projects.get(project).is_some_and(|p| p.private);
        if private && request.header("authorization").is_none() {
            return Err(Response::html(401).header("www-authenticate", "Basic realm=\"GitLab\""));
        }
        Ok(project.to_owned())
    }

    fn answer(&self, request: &Request, twist: Option<Twist>, violate: &dyn Fn(String)) -> Response {
        let mut world = self.world.lock().unwrap_or_else(PoisonError::into_inner);
        let unknown = || {
            violate(format!("no such thing: {} {}?{}", request.method, request.path, request.query));
            Response::json(404, &json!({ "error": "404 Not Found" }))
        };
        let Some(below) = request.path.strip_prefix(&self.api_prefix()).filter(|b| b.starts_with('/')) else {
            return unknown();
        };
        let segments = Request { path: below.to_owned(), ..request.clone() }.segments();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        let account = match account(&world, request) {
            Ok(account) => account,
            Err(refusal) => return refusal,
        };
        let (id, rest) = match segments[..] {
            ["user"] if request.method == "GET" => {
                return account
                    .map_or_else(|| message(401, "401 Unauthorized"), |a| Response::json(200, &render::user(&a.user)));
            }
            ["projects", id, ref rest @ ..] => (id, rest),
            _ => return unknown(),
        };
        if request.method != "GET" && account.is_none() {
            return message(401, "401 Unauthorized");
        }
        if let Some(new) = world.renamed.get(id) {
            if request.method != "GET" {
                return message(405, "405 Method Not Allowed - Non GET methods are not allowed for moved projects");
            }
            let number = world.projects.get(new).map_or(0, |p| p.id);
            let rest: String = rest.iter().map(|segment| format!("/{segment}")).collect();
            let place = format!("{}{}/projects/{number}{rest}", request.origin(), self.api_prefix());
            return message(302, "moved").header("location", place);
        }
        let found = world.projects.iter().find(|(path, p)| path.as_str() == id || p.id.to_string() == id);
        let Some((path, project)) = found.map(|(path, p)| (path.clone(), p.clone())) else {
            return message(404, "404 Project Not Found");
        };
        if project.private && account.as_ref().is_none_or(|a| a.access == Access::Outsider) {
            return message(404, "404 Project Not Found");
        }
        let root = request.origin() + &self.below;
        let page = Page { root: &root, path: &path };
        if request.method == "GET" {
            let question =
                Question { world: &mut world, project: &project, request, anonymous: account.is_none(), page };
            return question.answer(rest).unwrap_or_else(unknown);
        }
        let ["merge_requests", iid, rest @ ..] = rest else { return unknown() };
        let Some(account) = account else { return message(401, "401 Unauthorized") };
        if account.access == Access::ReadApi {
            let description = "The request requires higher privileges than provided by the access token.";
            let body = json!({ "error": "insufficient_scope", "error_description": description, "scope": "api" });
            return Response::json(403, &body);
        }
        let Some(target) = iid.parse().ok().and_then(|iid: u64| project.requests.get(&iid)) else {
            return message(404, "404 Not found");
        };
        if project.archived || target.discussion_locked {
            return message(403, "403 Forbidden");
        }
        let sent = Sent { path: &path, iid: target.iid, request, user: &account.user, violate };
        let answer = match (request.method.as_str(), rest) {
            ("POST", ["discussions"]) => discuss(&mut world, &sent, twist),
            ("POST", ["notes"]) => note(&mut world, &sent),
            ("PUT", ["notes", id]) => edit(&mut world, &sent, id),
            _ => Ok(unknown()),
        };
        answer.unwrap_or_else(|refusal| refusal)
    }
}

/// A job's token is nobody here: these endpoints do not know it.
fn account(world: &World, request: &Request) -> Result<Option<Account>, Response> {
    let bearer = request.header("authorization").and_then(|h| h.strip_prefix("Bearer "));
    let Some(token) = request.header("private-token").or(bearer) else { return Ok(None) };
    match world.accounts.get(token) {
        None => Err(message(401, "401 Unauthorized")),
        Some(account) if account.access == Access::Job => Ok(None),
        Some(account) => Ok(Some(account.clone())),
    }
}

struct Question<'a> {
    world: &'a mut World,
    project: &'a Project,
    request: &'a Request,
    anonymous: bool,
    page: Page<'a>,
}

impl Question<'_> {
    /// `None`: the real forge has no such thing.
    fn answer(self, rest: &[&str]) -> Option<Response> {
        let upstream = self.world.upstream(self.page.path);
        let paged = ["page", "per_page"];
        let (iid, rest) = match rest {
            [] => {
                self.knows(&[])?;
                return Some(Response::json(200, &render::project(self.project, &self.page, self.anonymous)));
            }
            ["merge_requests"] => {
                self.knows(&[
                    "state",
                    "source_branch",
                    "target_branch",
                    "scope",
                    "order_by",
                    "sort",
                    "page",
                    "per_page",
                ])?;
                return Some(self.list());
            }
            ["merge_requests", iid, rest @ ..] => (iid, rest),
            _ => return None,
        };
        let Some(request) = iid.parse().ok().and_then(|iid: u64| self.project.requests.get(&iid)) else {
            return Some(message(404, "404 Not found"));
        };
        let limit = request.short_pages;
        match rest {
            [] => {
                self.knows(&[])?;
                Some(self.request(request))
            }
            ["versions"] => {
                self.knows(&paged)?;
                let shown = request.shown_version().map(|v| v.id);
                let versions = request.versions.iter().filter(|v| shown.is_some_and(|newest| v.id <= newest));
                Some(self.paged(versions.rev().map(|v| render::version(v, request)).collect(), None))
            }
            // Before it came, the router itself answers.
            ["diffs"] if !self.world.release.has_diffs() => {
                Some(Response::json(404, &json!({ "error": "404 Not Found" })))
            }
            ["changes"] => {
                self.knows(&["access_raw_diffs", "unidiff"])?;
                let mut shown = render::request(request, self.project, &self.page);
                let mut files = diffs(request, &upstream, self.world.release);
                let listed = request.overflows_at.unwrap_or(files.len());
                shown["overflow"] = json!(listed < files.len());
                files.truncate(listed);
                shown["changes"] = Value::Array(files);
                shown["changes_count"] = json!(listed.to_string());
                Some(Response::json(200, &shown))
            }
            ["diffs"] => {
                self.knows(&["page", "per_page", "unidiff"])?;
                Some(self.paged(diffs(request, &upstream, self.world.release), limit))
            }
            ["discussions"] => {
                self.knows(&paged)?;
                let all = request.discussions.iter().map(|d| render::discussion(d, request, self.project)).collect();
                Some(self.paged(all, limit))
            }
            ["discussions", id] => {
                self.knows(&[])?;
                let found = request.discussions.iter().find(|d| d.id == *id);
                let shown = found.map(|d| Response::json(200, &render::discussion(d, request, self.project)));
                Some(shown.unwrap_or_else(|| message(404, "404 Discussion Not Found")))
            }
            ["notes"] => {
                self.knows(&["sort", "order_by", "activity_filter", "page", "per_page"])?;
                let mut notes: Vec<_> = request.notes().collect();
                if self.request.parameter("sort").as_deref() != Some("asc") {
                    notes.reverse();
                }
                Some(self.paged(notes.into_iter().map(|n| render::note(n, request, self.project)).collect(), limit))
            }
            ["notes", id] => {
                self.knows(&[])?;
                let found = request.notes().find(|n| n.id.to_string() == *id);
                let shown = found.map(|n| Response::json(200, &render::note(n, request, self.project)));
                Some(shown.unwrap_or_else(|| message(404, "404 Note Not Found")))
            }
            _ => None,
        }
    }

    /// One read of the request: what is not ready yet, or trails, comes one read nearer.
    fn request(self, request: &MergeRequest) -> Response {
        let shown = render::request(request, self.project, &self.page);
        let project = self.world.projects.get_mut(self.page.path);
        if let Some(stored) = project.and_then(|p| p.requests.get_mut(&request.iid)) {
            let waiting = if stored.unready > 0 { &mut stored.unready } else { &mut stored.trailing };
            *waiting = waiting.saturating_sub(1);
        }
        Response::json(200, &shown)
    }

    fn knows(&self, parameters: &[&str]) -> Option<()> {
        self.request.parameters().iter().all(|(name, _)| parameters.contains(&name.as_str())).then_some(())
    }

    fn list(&self) -> Response {
        let wanted = |name| self.request.parameter(name);
        let fits = |request: &&MergeRequest| {
            wanted("state").is_none_or(|state| state == "all" || state == request.state.word())
                && wanted("source_branch").is_none_or(|branch| branch == request.source_branch)
                && wanted("target_branch").is_none_or(|branch| branch == request.target_branch)
        };
        let found = self.project.requests.values().rev().filter(fits);
        self.paged(found.map(|r| render::request(r, self.project, &self.page)).collect(), None)
    }

    /// `limit`: no page shows more, although the pages are counted by `per_page`.
    fn paged(&self, items: Vec<Value>, limit: Option<usize>) -> Response {
        let number =
            |name, default: usize| self.request.parameter(name).and_then(|v| v.parse().ok()).unwrap_or(default).max(1);
        let (asked, page) = (number("per_page", 20).min(100), number("page", 1));
        let size = limit.map_or(asked, |limit| limit.min(asked));
        let last = items.len().div_ceil(size).max(1);
        let next = if page < last { (page + 1).to_string() } else { String::new() };
        let previous = if page > 1 { (page - 1).to_string() } else { String::new() };
        let link = |page: &str, rel: &str| {
            let mut url = url::Url::parse(&format!("{}{}", self.request.origin(), self.request.path)).expect("a URL");
            let others = self.request.parameters().into_iter().filter(|(name, _)| name != "page");
            url.query_pairs_mut().extend_pairs(others).append_pair("page", page);
            format!("<{url}>; rel=\"{rel}\"")
        };
        let mut links: Vec<_> = [(&previous, "prev"), (&next, "next")]
            .into_iter()
            .filter(|(page, _)| !page.is_empty())
            .map(|(page, rel)| link(page, rel))
            .collect();
        links.extend([link("1", "first"), link(&last.to_string(), "last")]);
        let shown: Vec<_> = items.into_iter().skip((page - 1) * size).take(size).collect();
        Response::json(200, &Value::Array(shown))
            .header("x-page", page)
            .header("x-per-page", asked)
            .header("x-next-page", next)
            .header("x-prev-page", previous)
            .header("link", links.join(", "))
    }
}

fn diffs(request: &MergeRequest, upstream: &Upstream, release: Release) -> Vec<Value> {
    let files = request.shown_version().map(|version| MergeRequest::files(version, upstream)).unwrap_or_default();
    files.iter().map(|file| render::file(file, request, release)).collect()
}

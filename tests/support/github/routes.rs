//! Who may ask for what, and what is answered to a question.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use super::render::{self, Page, View};
use super::submit::{Sent, edit, submit};
use super::world::{Access, Account, HeadRepo, Project, Pull, PullState, ReviewState, World};
use crate::support::repo::Upstream;
use crate::support::server::{Answers, Request, Response, Twist};

pub(super) struct Front {
    pub world: Arc<Mutex<World>>,
    pub api_prefix: &'static str,
}

const DOCS: &str = "https://docs.github.com/rest";

pub(super) fn error(status: u16, message: &str) -> Response {
    Response::json(status, &json!({ "message": message, "documentation_url": DOCS, "status": status.to_string() }))
}

impl Answers for Front {
    fn api_prefix(&self) -> String {
        self.api_prefix.to_owned()
    }

    fn git_prefix(&self) -> String {
        String::new()
    }

    fn admit_git(&self, project: &str, request: &Request) -> Result<String, Response> {
        let world = self.world.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(new) = world.renamed.get(project) {
            let place = request.path.replacen(project, new, 1);
            let query = if request.query.is_empty() { String::new() } else { format!("?{}", request.query) };
            return Err(Response::html(301).header("location", format!("{}{place}{query}", request.origin())));
        }
        let private = world.projects.get(project).is_some_and(|p| p.private);
        if private && request.header("authorization").is_none() {
            return Err(Response::html(401).header("www-authenticate", "Basic realm=\"GitHub\""));
        }
        Ok(project.to_owned())
    }

    fn answer(&self, request: &Request, twist: Option<Twist>, violate: &dyn Fn(String)) -> Response {
        if request.header("user-agent").is_none_or(str::is_empty) {
            return Response::text(
                403,
                "text/html",
                "Request forbidden by administrative rules. Please make sure your request has a User-Agent header.",
            );
        }
        let mut world = self.world.lock().unwrap_or_else(PoisonError::into_inner);
        let unknown = || {
            violate(format!("no such thing: {} {}?{}", request.method, request.path, request.query));
            error(404, "Not Found")
        };
        let Some(below) = request.path.strip_prefix(self.api_prefix).filter(|b| b.starts_with('/')) else {
            return unknown();
        };
        let segments = Request { path: below.to_owned(), ..request.clone() }.segments();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        let account = match account(&world, request) {
            Ok(account) => account,
            Err(refusal) => return refusal,
        };
        let (name, rest) = match segments[..] {
            ["user"] if request.method == "GET" => return whoami(account.as_ref()),
            ["repos", owner, repo, ref rest @ ..] => (format!("{owner}/{repo}"), rest),
            ["repositories", id, ref rest @ ..] => {
                let found = world.projects.iter().find(|(_, p)| p.id.to_string() == id);
                let Some((name, _)) = found else { return error(404, "Not Found") };
                (name.clone(), rest)
            }
            _ => return unknown(),
        };
        if let Some(new) = world.renamed.get(&name) {
            let id = world.projects.get(new).map_or(0, |p| p.id);
            let rest: String = rest.iter().map(|segment| format!("/{segment}")).collect();
            let query = if request.query.is_empty() { String::new() } else { format!("?{}", request.query) };
            let place = format!("{}{}/repositories/{id}{rest}{query}", request.origin(), self.api_prefix);
            let status = if request.method == "GET" { 301 } else { 307 };
            let body = json!({ "message": "Moved Permanently", "url": place, "documentation_url": DOCS });
            return Response::json(status, &body).header("location", place);
        }
        let Some(project) = world.projects.get(&name).cloned() else { return error(404, "Not Found") };
        if let Err(refusal) = admit(account.as_ref(), &project, request.method != "GET") {
            return refusal;
        }
        let origin = request.origin();
        let page = Page { origin: &origin, name: &name };
        if request.method == "GET" {
            let question = Question { world: &world, project: &project, request, account: account.as_ref(), page };
            return question.answer(rest).unwrap_or_else(unknown);
        }
        let Some(account) = account else { return error(401, "Requires authentication") };
        let (number, review) = match (request.method.as_str(), rest) {
            ("POST", ["pulls", number, "reviews"]) => (number, None),
            ("PUT", ["pulls", number, "reviews", review]) => (number, review.parse::<u64>().ok()),
            _ => return unknown(),
        };
        let Some(pull) = number.parse().ok().and_then(|n: u64| project.pulls.get(&n)) else {
            return error(404, "Not Found");
        };
        if project.archived {
            return error(403, "Repository was archived so is read-only.");
        }
        if let Some(status) = pull.locked {
            return error(status, "Unable to create comment because issue is locked.");
        }
        let sent = Sent { page, pull: pull.number, request, user: &account.user, violate };
        match review {
            None => submit(&mut world, &sent, twist),
            Some(review) => edit(&mut world, &sent, review),
        }
    }
}

fn account(world: &World, request: &Request) -> Result<Option<Account>, Response> {
    let Some(header) = request.header("authorization") else { return Ok(None) };
    let token = header
        .split_once(' ')
        .filter(|(scheme, _)| ["bearer", "token"].contains(&scheme.to_ascii_lowercase().as_str()));
    let found = token.and_then(|(_, token)| world.accounts.get(token));
    found.cloned().map(Some).ok_or_else(|| error(401, "Bad credentials"))
}

fn whoami(account: Option<&Account>) -> Response {
    match account {
        None => error(401, "Requires authentication"),
        Some(account) if !account.is_person => error(403, "Resource not accessible by integration"),
        Some(account) => Response::json(200, &render::user(&account.user)),
    }
}

fn admit(account: Option<&Account>, project: &Project, write: bool) -> Result<(), Response> {
    let access = account.map_or(Access::Public, |a| a.access);
    if access == Access::SingleSignOn {
        let refusal =
            error(403, "Resource protected by organization SAML enforcement. You must grant your token access.");
        return Err(refusal.header("x-github-sso", "required; url=https://github.com/orgs/acme/sso"));
    }
    if project.private && access == Access::Public {
        return Err(error(404, "Not Found"));
    }
    if write && account.is_none() {
        return Err(error(401, "Requires authentication"));
    }
    if write && access != Access::Write {
        let refusal = error(403, "Resource not accessible by integration");
        return Err(refusal.header("x-accepted-github-permissions", "pull_requests=write"));
    }
    Ok(())
}

struct Question<'a> {
    world: &'a World,
    project: &'a Project,
    request: &'a Request,
    account: Option<&'a Account>,
    page: Page<'a>,
}

impl Question<'_> {
    /// `None`: the real forge has no such thing.
    fn answer(&self, rest: &[&str]) -> Option<Response> {
        let upstream = self.world.upstream(self.page.name);
        if let ["compare", range @ ..] = rest {
            return self.knows(&["page", "per_page"])?.compare(&upstream, &range.join("/"));
        }
        match rest {
            [] => {
                self.knows(&[])?;
                return Some(Response::json(200, &render::repo(self.project, &self.page)));
            }
            ["pulls"] => {
                return self.knows(&["state", "head", "base", "sort", "direction", "per_page", "page"])?.list();
            }
            ["pulls", ..] => {}
            _ => return None,
        }
        let Some(pull) = rest[1].parse().ok().and_then(|n: u64| self.project.pulls.get(&n)) else {
            return Some(error(404, "Not Found"));
        };
        let view = View::of(pull, &upstream, &self.page);
        let paged = ["per_page", "page"];
        match rest[2..] {
            [] => {
                self.knows(&[])?;
                Some(Response::json(200, &render::pull(self.world, self.project, pull, &self.page)))
            }
            ["files"] => {
                let files = view.files().iter().take(3000).map(|f| render::file(f, pull)).collect();
                Some(self.knows(&paged)?.paged(files))
            }
            ["comments"] => {
                let comments = pull.comments.iter().filter(|c| self.sees(pull, c.review));
                let comments = comments.map(|c| view.comment(c)).collect();
                Some(self.knows(&["sort", "direction", "since", "per_page", "page"])?.paged(comments))
            }
            ["reviews"] => {
                let reviews = pull.reviews.iter().filter(|r| self.sees(pull, Some(r.id)));
                let reviews = reviews.map(|r| view.review(r)).collect();
                Some(self.knows(&paged)?.paged(reviews))
            }
            ["reviews", id, ref what @ ..] => {
                let found = pull.reviews.iter().find(|r| r.id.to_string() == id && self.sees(pull, Some(r.id)));
                let Some(review) = found else { return Some(error(404, "Not Found")) };
                match what {
                    [] => {
                        self.knows(&[])?;
                        Some(Response::json(200, &view.review(review)))
                    }
                    ["comments"] => {
                        let comments = pull.comments.iter().filter(|c| c.review == Some(review.id));
                        let comments = comments.map(|c| view.comment_of_review(c)).collect();
                        Some(self.knows(&paged)?.paged(comments))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn knows(&self, parameters: &[&str]) -> Option<&Self> {
        self.request.parameters().iter().all(|(name, _)| parameters.contains(&name.as_str())).then_some(self)
    }

    /// A pending review and its comments are its author's alone.
    fn sees(&self, pull: &Pull, review: Option<u64>) -> bool {
        let review = pull.reviews.iter().find(|r| Some(r.id) == review && r.state == ReviewState::Pending);
        review.is_none_or(|r| self.account.is_some_and(|a| a.user == r.user))
    }

    fn paged(&self, items: Vec<Value>) -> Response {
        let number =
            |name, default: usize| self.request.parameter(name).and_then(|v| v.parse().ok()).unwrap_or(default).max(1);
        let (size, page) = (number("per_page", 30).min(100), number("page", 1));
        let last = items.len().div_ceil(size).max(1);
        let link = |page: usize, rel: &str| {
            let mut url = url::Url::parse(&format!("{}{}", self.request.origin(), self.request.path)).expect("a URL");
            let others = self.request.parameters().into_iter().filter(|(name, _)| name != "page");
            url.query_pairs_mut().extend_pairs(others).append_pair("page", &page.to_string());
            format!("<{url}>; rel=\"{rel}\"")
        };
        let mut links = Vec::new();
        if page > 1 {
            links.extend([link(page - 1, "prev"), link(1, "first")]);
        }
        if page < last {
            links.extend([link(page + 1, "next"), link(last, "last")]);
        }
        let shown: Vec<_> = items.into_iter().skip((page - 1) * size).take(size).collect();
        let response = Response::json(200, &Value::Array(shown));
        if links.is_empty() { response } else { response.header("link", links.join(", ")) }
    }

    fn list(&self) -> Option<Response> {
        let wanted = |name| self.request.parameter(name);
        let state = wanted("state").unwrap_or_else(|| "open".to_owned());
        let owner = self.page.name.split('/').next().unwrap_or_default();
        let fits = |pull: &&Pull| {
            let from = match &pull.head.repo {
                HeadRepo::Same => owner,
                HeadRepo::Fork(fork) | HeadRepo::Deleted(fork) => fork,
            };
            let label = format!("{from}:{}", pull.head.branch);
            let open = pull.state == PullState::Open;
            // A head without its owner filters nothing.
            let head = wanted("head").filter(|h| h.contains(':'));
            (state == "all" || (state == "open") == open)
                && head.is_none_or(|head| head == label)
                && wanted("base").is_none_or(|base| base == pull.base_branch)
        };
        let pulls = self.project.pulls.values().rev().filter(fits);
        Some(self.paged(pulls.map(|p| render::pull(self.world, self.project, p, &self.page)).collect()))
    }

    fn compare(&self, upstream: &Upstream, range: &str) -> Option<Response> {
        let (base, head) = range.split_once("...")?;
        let owner = self.page.name.split('/').next().unwrap_or_default();
        let commit = |spec: &str| {
            let label =
                |p: &&Pull| matches!(&p.head.repo, HeadRepo::Fork(fork) if format!("{fork}:{}", p.head.branch) == spec);
            let of_fork = self.project.pulls.values().find(label).map(|p| p.head_sha(upstream));
            let name = spec.strip_prefix(&format!("{owner}:")).unwrap_or(spec);
            of_fork.or_else(|| upstream.commit(&format!("refs/heads/{name}"))).or_else(|| upstream.commit(name))
        };
        let (Some(base), Some(head)) = (commit(base), commit(head)) else { return Some(error(404, "Not Found")) };
        let Some(merge_base) = upstream.merge_base(&base, &head) else {
            return Some(error(404, &format!("No common ancestor between {base} and {head}.")));
        };
        let count = |from: &str, to: &str| {
            upstream.git(&["rev-list", "--count", &format!("{from}..{to}")]).parse::<u64>().expect("a number")
        };
        let (ahead, behind) = (count(&base, &head), count(&head, &base));
        let status = match (ahead, behind) {
            (0, 0) => "identical",
            (_, 0) => "ahead",
            (0, _) => "behind",
            _ => "diverged",
        };
        let body = json!({
            "base_commit": { "sha": base },
            "merge_base_commit": { "sha": merge_base },
            "status": status,
            "ahead_by": ahead,
            "behind_by": behind,
            "total_commits": ahead,
            "commits": [],
            "files": [],
        });
        Some(Response::json(200, &body))
    }
}

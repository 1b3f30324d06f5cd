//! Which request is meant: by REF, by CI, by the current branch, or by asking a person.

use std::io;

use dialoguer::theme::SimpleTheme;

use super::run::Run;
use super::session::Session;
use crate::change::git::{Head, Upstream};
use crate::cli::Failure;
use crate::cli::interrupt::Asking;
use crate::forge::target::{Number, Question, Resolution, resolve};
use crate::forge::{Decision, HeadBranch, OpenRequest, Remote, Site, TargetError, ci};
use crate::output::visible;

/// The project on its forge, and the request's number where something names it.
pub fn site(run: &Run<'_>) -> Result<(Site, Option<u64>), Failure> {
    let remotes: Vec<Remote> = run
        .repo
        .remotes()?
        .iter()
        .map(|remote| Remote::new(remote.name.as_str(), &remote.url, remote.gh_resolved.as_deref()))
        .collect();
    let ask = |remote: Option<&str>| {
        let question = Question {
            reference: run.reference.as_ref(),
            project: run.args.project.as_deref(),
            remote: remote.or(run.args.remote.as_deref()),
            forge: run.args.forge,
            api_url: run.args.api_url.as_deref(),
            remotes: &remotes,
            env: run.settings.env(),
        };
        resolve(&question, ci::read_event)
    };
    let mut found = ask(None)?;
    if let Resolution::Ask(candidates) = found {
        if !run.ui.can_ask() {
            return Err(TargetError::Ambiguous { candidates }.into());
        }
        let names: Vec<String> =
            candidates.iter().map(|candidate| visible(&candidate.to_string()).into_owned()).collect();
        let chosen = select(run, "Which project is the request in?", &names)?;
        found = ask(Some(candidates[chosen].remote()))?;
        if let Resolution::Found(site, _) = &mut found {
            site.decided.remote = Decision::Asked;
        }
    }
    match found {
        Resolution::Found(site, Number::Given(number)) => Ok((*site, Some(number))),
        Resolution::Found(site, Number::OfBranch { pushed: true }) => match run.repo.head()? {
            // As GitLab's runner checks out; nothing need be asked of a network to tell.
            Head::Detached => {
                Err(not_named(run, Some("this job runs for a push, and no branch is checked out".to_owned())))
            }
            Head::Branch { .. } | Head::Unborn { .. } => Ok((*site, None)),
        },
        Resolution::Found(site, Number::OfBranch { .. }) => Ok((*site, None)),
        Resolution::Ask(candidates) => Err(TargetError::Ambiguous { candidates }.into()),
    }
}

/// The open request whose source is what the current branch follows.
pub fn of_branch(run: &Run<'_>, site: &Site, session: &Session) -> Result<u64, Failure> {
    let found = match run.repo.head()? {
        Head::Detached => Err("no branch is checked out".to_owned()),
        Head::Unborn { name } => Err(format!("the branch {name} has no commit")),
        Head::Branch { name, upstream: None } => Err(format!("the branch {name} follows no branch of a remote")),
        Head::Branch { upstream: Some(upstream), .. } => followed(run, site, session, &upstream)?,
    };
    let (why, requests) = match found {
        Ok(requests) if requests.len() == 1 => return Ok(requests[0].number),
        Ok(requests) => ("several open requests are of this branch".to_owned(), requests),
        Err(why) => (why, Vec::new()),
    };
    if !run.ui.can_ask() {
        let listed = requests.iter().map(|request| format!("{} ({})", request.number, request.title));
        let mut failure = not_named(run, Some(why));
        failure.causes.extend(listed);
        return Err(failure);
    }
    if requests.is_empty() {
        run.ui.note(&why);
        return number(run);
    }
    let names: Vec<String> =
        requests.iter().map(|request| visible(&format!("{} {}", request.number, request.title)).into_owned()).collect();
    Ok(requests[select(run, "Which request", &names)?].number)
}

type Found = Result<Vec<OpenRequest>, String>;

fn followed(run: &Run<'_>, site: &Site, session: &Session, upstream: &Upstream) -> Result<Found, Failure> {
    let project = match project_of(run, site, upstream)? {
        Ok(project) => project,
        Err(why) => return Ok(Err(why)),
    };
    // `gh pr checkout` lets the branch follow the request itself.
    let by_ref = upstream.merge.strip_prefix("refs/pull/").or(upstream.merge.strip_prefix("refs/merge-requests/"));
    if let Some(number) = by_ref.and_then(|rest| rest.strip_suffix("/head")).and_then(|number| number.parse().ok()) {
        if !project.eq_ignore_ascii_case(&site.project) {
            return Ok(Err(format!("the branch follows {} of {project}, not of {}", upstream.merge, site.project)));
        }
        let request = OpenRequest { number, title: upstream.merge.clone(), url: String::new() };
        return Ok(Ok(vec![request]));
    }
    let Some(branch) = upstream.branch() else {
        return Ok(Err(format!("{} is no branch", upstream.merge)));
    };
    let head = HeadBranch { project, branch: branch.to_owned() };
    let requests = session.wait("looking for the request", session.forge.find_open(&head))?;
    Ok(match requests.is_empty() {
        true => Err(format!("no open request is of the branch {branch}")),
        false => Ok(requests),
    })
}

/// The project that the branch is pulled from; why there is none on this forge. A branch of the same name
/// in a project that merely might be meant is somebody else's.
fn project_of(run: &Run<'_>, site: &Site, upstream: &Upstream) -> Result<Result<String, String>, Failure> {
    let name = upstream.remote.as_str();
    if name == site.remote {
        return Ok(Ok(site.project.clone()));
    }
    if name == "." {
        return Ok(Err(format!("the branch follows {} of this repository itself, and no remote", upstream.merge)));
    }
    let remotes = run.repo.remotes()?;
    let url = remotes.iter().find(|remote| remote.name == name).map_or(name, |remote| remote.url.as_str());
    Ok(match Remote::new(name, url, None).address {
        None => Err("the branch follows a remote that names no project on a forge".to_owned()),
        // Which host an alias of an ssh configuration stands for, nobody knows here.
        Some(at) if !site.is_at(&at) && !at.host.looks_like_ssh_alias() => {
            Err(format!("the branch follows {} on {}, and not on {}", at.path, at.host, site.host))
        }
        Some(at) => Ok(site.project_at(&at)),
    })
}

/// Nothing says which request is meant, and nobody can be asked.
pub fn not_named(run: &Run<'_>, why: Option<String>) -> Failure {
    let mut failure = Failure::usage("no request is named", format!("name it: {} 22", run.command));
    failure.causes.extend(why);
    failure
}

fn select(run: &Run<'_>, prompt: &str, names: &[String]) -> Result<usize, Failure> {
    let _asking = Asking::start();
    let chosen = dialoguer::Select::with_theme(&SimpleTheme).with_prompt(prompt).items(names).default(0).interact_opt();
    match chosen {
        Ok(Some(at)) => Ok(at),
        Ok(None) => Err(unanswered(run, None)),
        Err(dialoguer::Error::IO(fault)) => Err(unanswered(run, Some(fault))),
    }
}

fn number(run: &Run<'_>) -> Result<u64, Failure> {
    let _asking = Asking::start();
    let asked: Result<u64, _> = dialoguer::Input::with_theme(&SimpleTheme).with_prompt("Which request").interact_text();
    asked.map_err(|dialoguer::Error::IO(fault)| unanswered(run, Some(fault)))
}

fn unanswered(run: &Run<'_>, fault: Option<io::Error>) -> Failure {
    let interrupted = fault.as_ref().is_some_and(|fault| fault.kind() == io::ErrorKind::Interrupted);
    let mut failure = not_named(run, Some("the question was not answered".to_owned()));
    if interrupted {
        failure.exit = crate::exit::Exit::Interrupted;
    }
    failure
}

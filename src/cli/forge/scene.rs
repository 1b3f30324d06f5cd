//! Which change is under review: the request's by the forge's word, two local revisions, or what an
//! earlier run fetched.

use crate::change::git::{GitError, RequestRefs, Slot, Want};
use crate::change::{CommitId, Commits};
use crate::forge::{Kind, Request, Site, State};
use crate::output::human;
use crate::warning::{Code, Warning};

use super::run::Run;
use super::session::Session;
use crate::cli::Failure;

/// The change, whoever named it.
pub struct Scene {
    pub kind: Kind,
    /// Where the request is; `None` between local revisions.
    pub place: Option<RequestPlace>,
    /// The forge's word on the request, where it was asked.
    pub request: Option<Request>,
    pub session: Option<Session>,
    pub commits: Commits,
    /// How the change was taken, where it was not the forge's word.
    pub origin: Option<String>,
}

impl Scene {
    /// What is said where the forge failed to tell its merge base, and git's own stands in.
    pub fn unread_merge_base(&self) -> Option<String> {
        let unread = self.request.as_ref()?.merge_base.as_ref().err()?;
        Some(format!("the merge base with {}'s own ({unread})", self.kind))
    }

    /// To be looked at before what git answered: a terminal's Ctrl-C reaches it as well, and may be why it
    /// failed.
    pub fn interrupted(&self) -> Result<(), Failure> {
        self.session.as_ref().map_or(Ok(()), Session::interrupted)
    }
}

/// `--expect-head`: the change's head is that commit, and so is the file's where it has one.
pub fn expected_head(expected: Option<&CommitId>, head: &CommitId, reviewed: Option<&str>) -> Result<(), Failure> {
    let Some(expected) = expected else { return Ok(()) };
    let mut others = Vec::new();
    if head != expected {
        others.push(format!("the head is {head}"));
    }
    if let Some(reviewed) = reviewed.filter(|reviewed| *reviewed != expected.as_str()) {
        others.push(format!("the review is of {reviewed}"));
    }
    let Some((first, rest)) = others.split_first() else { return Ok(()) };
    let mut failure =
        Failure::new(crate::exit::Exit::Stale, format!("--expect-head is {expected}, and {first}; nothing was posted"))
            .help("see whether this is the request that was meant, and whether it was pushed to since");
    failure.causes.extend(rest.iter().cloned());
    Err(failure)
}

/// One word on all that could not be read.
pub fn not_compared(unread: &[String]) -> Option<Warning> {
    let message = format!("not compared: {}", unread.join(", nor "));
    (!unread.is_empty()).then(|| Warning::run(Code::NotCompared, message))
}

/// A request by its address.
#[derive(Debug, Clone)]
pub struct RequestPlace {
    pub site: Site,
    pub number: u64,
}

impl RequestPlace {
    /// With the port, where there is one.
    pub fn host(&self) -> String {
        self.site.host.to_string()
    }

    pub fn refs(&self) -> RequestRefs {
        RequestRefs::new(&self.host(), &self.site.project, self.number)
    }

    /// The ref that holds the request's head in the target repository.
    fn head_ref(&self) -> String {
        match self.site.kind {
            Kind::GitHub => format!("refs/pull/{}/head", self.number),
            Kind::GitLab => format!("refs/merge-requests/{}/head", self.number),
        }
    }
}

/// `--base REV --head REV`: no network at all.
pub fn local(run: &Run<'_>, base: &str, head: &str) -> Result<(Scene, Vec<Warning>), Failure> {
    let (base, head) = (run.repo.resolve(base)?, run.repo.resolve(head)?);
    let found = run.repo.merge_base(&base, &head)?;
    let warnings = found.warning().into_iter().collect();
    Ok((
        Scene {
            kind: run.args.forge.unwrap_or(Kind::GitHub),
            place: None,
            request: None,
            session: None,
            origin: Some(format!("local revisions, merge base {}", found.chosen.short())),
            commits: Commits { base: Some(base), merge_base: found.chosen, head },
        },
        warnings,
    ))
}

/// `--base REV` alone: the request's head by `git fetch`, no API.
pub fn fetched(run: &mut Run<'_>, place: RequestPlace, base: &str) -> Result<(Scene, Vec<Warning>), Failure> {
    let base = run.repo.resolve(base)?;
    let spinner = run.ui.spinner("fetching the head");
    let head = run.repo.fetch(&place.site.remote, &Want::Ref(place.head_ref()), &place.refs(), Slot::Head)?;
    drop(spinner);
    let found = run.repo.merge_base(&base, &head)?;
    let unkept = run.repo.keep(&place.refs(), &head, &found.chosen)?;
    let warnings = found.warning().into_iter().chain(unkept).collect();
    Ok((
        Scene {
            kind: place.site.kind,
            place: Some(place),
            request: None,
            session: None,
            origin: Some(format!("head by git fetch, merge base {} by git", found.chosen.short())),
            commits: Commits { base: Some(base), merge_base: found.chosen, head },
        },
        warnings,
    ))
}

/// `--offline`: what an earlier run kept.
pub fn kept(run: &Run<'_>, place: RequestPlace) -> Result<(Scene, Vec<Warning>), Failure> {
    let nothing = |what: &str| {
        Failure::new(crate::exit::Exit::Git, format!("{what} of this request is here"))
            .help("run once with the network: the same command without --offline")
    };
    let kept = run.repo.kept(&place.refs()).ok_or_else(|| nothing("no commit"))?;
    let merge_base = kept.base.ok_or_else(|| nothing("no merge base"))?;
    let age = kept.age.map_or("at an unknown time".to_owned(), |age| format!("{} ago", human(age)));
    Ok((
        Scene {
            kind: place.site.kind,
            place: Some(place),
            request: None,
            session: None,
            origin: Some(format!("offline: fetched {age}, merge base {} as it was then", merge_base.short())),
            commits: Commits { base: None, merge_base, head: kept.head },
        },
        Vec::new(),
    ))
}

/// The request as the forge tells of it, with exactly the commits that are needed.
pub fn online(run: &mut Run<'_>, place: RequestPlace, session: Session) -> Result<(Scene, Vec<Warning>), Failure> {
    let request = session.wait("reading the request", session.forge.request(place.number))?;
    // A post is of the forge's own diff, or of none.
    if let (true, Err(unread)) = (run.args.yes.is_given(), &request.merge_base) {
        return Err(session.refused(unread.clone()));
    }
    let mut warnings = Vec::new();
    match request.state {
        State::Open => {}
        State::Closed => warnings.push(Warning::run(Code::Closed, "the request is closed")),
        State::Merged => warnings.push(Warning::run(Code::Merged, "the request is merged")),
    }
    let spinner = run.ui.spinner("fetching the commits");
    let (refs, remote) = (place.refs(), place.site.remote.clone());
    let head = Want::Commit { id: request.head.clone(), or_ref: Some(place.head_ref()) };
    let fetched = run.repo.fetch(&remote, &head, &refs, Slot::Head);
    // A terminal's Ctrl-C reaches git as well, and is why it failed.
    session.interrupted()?;
    fetched?;
    let based = match &request.merge_base {
        Ok(Some(named)) => {
            let want = Want::Commit { id: named.clone(), or_ref: None };
            run.repo.fetch(&remote, &want, &refs, Slot::Base).map(|_| (named.clone(), None, None))
        }
        Ok(None) | Err(_) => own_merge_base(run, &remote, &request, &refs).map(|(chosen, warning)| {
            let origin = format!("merge base {} by git: {} could not be asked for it", chosen.short(), place.site.kind);
            (chosen, warning, Some(origin))
        }),
    };
    drop(spinner);
    session.interrupted()?;
    let (merge_base, warning, origin) = based?;
    warnings.extend(warning);
    warnings.extend(run.repo.keep(&refs, &request.head, &merge_base)?);
    Ok((
        Scene {
            kind: place.site.kind,
            place: Some(place),
            session: Some(session),
            commits: Commits { base: Some(request.base.clone()), merge_base, head: request.head.clone() },
            request: Some(request),
            origin,
        },
        warnings,
    ))
}

/// The tip of an open request's base is newer than what the request says of it. A merged one's branch
/// contains the head, so there the request's word is the right one.
pub fn base_of(request: &Request) -> Want {
    match request.state {
        State::Open => Want::Ref(format!("refs/heads/{}", request.base_branch)),
        State::Closed | State::Merged => Want::Commit { id: request.base.clone(), or_ref: None },
    }
}

/// Where the forge could not be asked: the base's tip by git, and the merge base with it.
fn own_merge_base(
    run: &mut Run<'_>,
    remote: &str,
    request: &Request,
    refs: &RequestRefs,
) -> Result<(CommitId, Option<Warning>), GitError> {
    let base = run.repo.fetch(remote, &base_of(request), refs, Slot::Base)?;
    let found = run.repo.merge_base(&base, &request.head)?;
    let warning = found.warning();
    Ok((found.chosen, warning))
}

//! A GitLab project as a [`Forge`]: the reads.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::OnceLock;
use std::time::Duration;

use async_trait::async_trait;
use gitlab::api::common::{NameOrId, SortOrder};
use gitlab::api::projects::Project as ProjectEndpoint;
use gitlab::api::projects::merge_requests::discussions::MergeRequestDiscussions;
use gitlab::api::projects::merge_requests::notes::{MergeRequestNotes, NoteOrderBy};
use gitlab::api::projects::merge_requests::{MergeRequest as MergeRequestEndpoint, MergeRequestState, MergeRequests};
use gitlab::api::users::CurrentUser;
use http::HeaderName;
use tokio::sync::OnceCell;

use super::api::{Api, built};
use super::wire::{Discussion, MergeRequest, Note, Project, User};
use super::{diffs, discussion, refs, standing};
use crate::change::CommitId;
use crate::consent::Consent;
use crate::forge::{
    Access, Doing, Forge, ForgeError, HeadBranch, Identity, OpenRequest, Outcome, Patches, Post, Request, State,
    Trouble, WaitFor,
};
use crate::gate::Standing;

/// A project, and the token for it.
pub struct GitLab {
    api: Api,
    project: NameOrId<'static>,
    variable: String,
    me: OnceCell<Identity>,
    /// The number of a project that was read on the way to the request, if it is archived.
    archived: OnceLock<u64>,
    /// The notes that [`Forge::standing`] has read.
    seen: OnceLock<HashSet<u64>>,
}

impl GitLab {
    /// # Errors
    ///
    /// A token that cannot be one.
    pub fn new(access: &Access) -> Result<Self, ForgeError> {
        let http = access.http(HeaderName::from_static("private-token"), "")?;
        let project = match access.project.parse() {
            Ok(id) => NameOrId::Id(id),
            Err(_) => NameOrId::Name(access.project.clone().into()),
        };
        let variable = access.variable.clone();
        Ok(Self {
            api: Api::new(http),
            project,
            variable,
            me: OnceCell::new(),
            archived: OnceLock::new(),
            seen: OnceLock::new(),
        })
    }

    pub(super) fn api(&self) -> &Api {
        &self.api
    }

    pub(super) fn project(&self) -> &NameOrId<'static> {
        &self.project
    }

    pub(super) fn error(&self, doing: Doing, trouble: Trouble) -> ForgeError {
        ForgeError::new(self.api.http(), &self.variable, doing, trouble)
    }

    /// The merge request; a 404 is told apart by whether the project answers 404 too.
    pub(super) async fn merge_request(&self, number: u64) -> Result<MergeRequest, Trouble> {
        let endpoint = MergeRequestEndpoint::builder().project(self.project.clone()).merge_request(number).build();
        match self.api.read(&built(endpoint)?).await {
            Err(Trouble::NoRequest) => match self.own_project().await {
                Err(Trouble::NoRequest) => Err(Trouble::Hidden),
                _ => Err(Trouble::NoRequest),
            },
            other => other,
        }
    }

    /// The notes that the plan was made with; `None` where none was.
    pub(super) fn seen(&self) -> Option<&HashSet<u64>> {
        self.seen.get()
    }

    pub(super) async fn own_project(&self) -> Result<Project, Trouble> {
        self.api.read(&built(ProjectEndpoint::builder().project(self.project.clone()).build())?).await
    }

    pub(super) async fn me(&self) -> Result<&Identity, Trouble> {
        self.me
            .get_or_try_init(|| async {
                if !self.api.http().has_token() {
                    return Ok(Identity::Anonymous);
                }
                match self.api.read::<User>(&built(CurrentUser::builder().build())?).await {
                    Ok(user) => Ok(Identity::User { id: user.id, login: user.username }),
                    // Nothing else tells its comments from others', and a run that cannot know its own
                    // would post them again.
                    Err(trouble) => Err(trouble.nameless()),
                }
            })
            .await
    }

    /// Every note of the request, once and oldest first: those of its discussions, and those that are listed on
    /// their own.
    pub(super) async fn notes(&self, number: u64) -> Result<Vec<Note>, Trouble> {
        let list = MergeRequestDiscussions::builder().project(self.project.clone()).merge_request(number).build();
        let discussions: Vec<Discussion> =
            self.api.list(&built(list)?).await.map_err(|trouble| trouble.of_list("discussions"))?;
        // Oldest first, so that what is written meanwhile moves no page.
        let list = MergeRequestNotes::builder()
            .project(self.project.clone())
            .merge_request(number)
            .order_by(NoteOrderBy::CreatedAt)
            .sort(SortOrder::Ascending)
            .build();
        let notes: Vec<Note> = self.api.list(&built(list)?).await.map_err(|trouble| trouble.of_list("notes"))?;
        let mut joined: BTreeMap<u64, Note> = BTreeMap::new();
        for note in discussions.into_iter().flat_map(|discussion| discussion.notes).chain(notes) {
            let note = match joined.remove(&note.id) {
                Some(copy) => copy.joined(note),
                None => note,
            };
            joined.insert(note.id, note);
        }
        Ok(joined.into_values().collect())
    }

    /// The requests of the branch, from the project it is pushed to.
    async fn of_branch(&self, head: &HeadBranch) -> Result<Vec<OpenRequest>, Trouble> {
        let list = MergeRequests::builder()
            .project(self.project.clone())
            .state(MergeRequestState::Opened)
            .source_branch(head.branch.clone())
            .build();
        let requests: Vec<MergeRequest> = self.api.pages(&built(list)?, |_| false).await?;
        let source = built(ProjectEndpoint::builder().project(head.project.clone()).build())?;
        let source = match self.api.read::<Project>(&source).await {
            Ok(project) => {
                if project.archived {
                    _ = self.archived.set(project.id);
                }
                Some(project.id)
            }
            Err(Trouble::NoRequest | Trouble::Forbidden { .. }) => None,
            Err(trouble) => return Err(trouble),
        };
        // Of a project that cannot be seen, or that is gone, nothing says whose branch of that name it is.
        let mine = |request: &MergeRequest| {
            request.source_branch == head.branch && source.is_some() && request.source_project_id == source
        };
        let open = |r: MergeRequest| OpenRequest { number: r.iid, title: r.title, url: r.web_url };
        Ok(requests.into_iter().filter(mine).map(open).collect())
    }
}

pub(super) fn commit(sha: &str) -> Result<CommitId, Trouble> {
    CommitId::parse(sha).ok_or_else(|| Trouble::Unreadable { cause: format!("`{sha}` is no commit") })
}

#[async_trait]
impl Forge for GitLab {
    async fn request(&self, number: u64) -> Result<Request, ForgeError> {
        let ready = refs::ready(self, number).await;
        let (request, refs) =
            ready.map_err(|trouble| self.error(Doing::reading(format!("read !{number}")), trouble))?;
        Ok(Request {
            url: request.web_url,
            state: match request.state.as_str() {
                "merged" => State::Merged,
                "closed" => State::Closed,
                _ => State::Open,
            },
            draft: request.draft,
            locked: request.discussion_locked.unwrap_or(false),
            archived: self.archived.get().is_some_and(|project| request.target_project_id == Some(*project)),
            head: refs.head,
            base_branch: request.target_branch,
            base: refs.start,
            merge_base: Ok(Some(refs.base)),
        })
    }

    async fn patches(&self, number: u64, named: &BTreeSet<String>) -> Result<Patches, ForgeError> {
        diffs::of(self, number, named)
            .await
            .map_err(|trouble| self.error(Doing::reading(format!("read the patches of !{number}")), trouble))
    }

    async fn standing(&self, number: u64) -> Result<Standing, ForgeError> {
        let read = async {
            let me = self.me().await?;
            if *me == Identity::Anonymous {
                return Ok(Standing::default());
            }
            let url = self.merge_request(number).await?.web_url;
            let notes = self.notes(number).await?;
            _ = self.seen.set(notes.iter().map(|note| note.id).collect());
            Ok(standing::standing(me, &url, notes))
        };
        read.await.map_err(|trouble| self.error(Doing::reading(format!("read what stands on !{number}")), trouble))
    }

    async fn pause(&self, how_long: Duration) -> Result<bool, ForgeError> {
        Ok(self.api.http().wait(WaitFor::Look, how_long).await.is_ok())
    }

    async fn find_open(&self, head: &HeadBranch) -> Result<Vec<OpenRequest>, ForgeError> {
        let found = self.of_branch(head).await.map_err(Trouble::of_project);
        found.map_err(|trouble| self.error(Doing::reading(format!("look for the request of {}", head.branch)), trouble))
    }

    async fn post(&self, number: u64, post: &Post<'_>, consent: Consent) -> Outcome {
        discussion::post(self, number, post, consent).await
    }
}

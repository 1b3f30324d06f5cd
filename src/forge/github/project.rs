//! A GitHub repository as a [`Forge`]: the reads.

use std::collections::btree_map::Entry;
use std::collections::{BTreeSet, HashSet};
use std::sync::OnceLock;
use std::time::Duration;

use async_trait::async_trait;
use secrecy::ExposeSecret;
use tokio::sync::OnceCell;

use super::api::{Api, segment};
use super::wire::{Comment, Comparison, File, Pull, Repository, Review, User};
use super::{review, standing};
use crate::change::CommitId;
use crate::consent::Consent;
use crate::forge::{
    Access, Doing, Fault, Forge, ForgeError, HeadBranch, Identity, OpenRequest, Outcome, Patches, Post, RawPatch,
    Request, State, Trouble, WaitFor,
};
use crate::gate::Standing;

/// The most files that GitHub lists of a request.
const FILES: usize = 3_000;

/// A repository, and the token for it. To be used within one `tokio` runtime: octocrab's queue lives in it.
pub struct GitHub {
    api: Api,
    /// `repos/{owner}/{repo}`, encoded.
    repository: String,
    variable: String,
    /// Whether the token acts as a person.
    is_persons: bool,
    me: OnceCell<Identity>,
    seen: OnceLock<Seen>,
}

/// What [`Forge::standing`] has read.
pub(super) struct Seen {
    pub reviews: HashSet<u64>,
    pub comments: HashSet<u64>,
}

/// How the tokens begin that act as the person who made them, or who let an app act for them; an app's own
/// and an Actions run's begin with `ghs_`.
///
/// Source: GitHub, "About authentication to GitHub", token formats.
const PERSONS: [&str; 4] = ["ghp_", "github_pat_", "gho_", "ghu_"];

impl GitHub {
    /// # Errors
    ///
    /// A project that is not `owner/repo`; a token that cannot be one.
    pub fn new(access: &Access) -> Result<Self, ForgeError> {
        let http = access.http(http::header::AUTHORIZATION, "Bearer ")?;
        let parts = access.project.split_once('/').filter(|(owner, repo)| {
            !owner.is_empty() && !repo.is_empty() && !repo.contains('/') && !matches!(*repo, "." | "..")
        });
        let Some((owner, repo)) = parts else {
            let project = access.project.clone();
            return Err(access.error(Doing::reading("name the repository"), Trouble::NoProject { project }));
        };
        let repository = format!("repos/{}/{}", segment(owner), segment(repo));
        let is_persons = access.token.as_ref().is_some_and(|token| {
            let token = token.expose_secret().trim();
            PERSONS.iter().any(|begin| token.starts_with(begin))
        });
        let variable = access.variable.clone();
        Ok(Self { api: Api::new(http), repository, variable, is_persons, me: OnceCell::new(), seen: OnceLock::new() })
    }

    pub(super) fn api(&self) -> &Api {
        &self.api
    }

    pub(super) fn pull_path(&self, number: u64) -> String {
        format!("{}/pulls/{number}", self.repository)
    }

    pub(super) fn error(&self, doing: Doing, trouble: Trouble) -> ForgeError {
        ForgeError::new(self.api.http(), &self.variable, doing, trouble)
    }

    /// The pull request; a 404 is told apart by whether the repository answers 404 too.
    pub(super) async fn pull(&self, number: u64) -> Result<Pull, Trouble> {
        match self.api.read::<Pull>(&self.pull_path(number)).await {
            Err(Trouble::NoRequest) => match self.api.read::<Repository>(&self.repository).await {
                Err(Trouble::NoRequest) => Err(Trouble::Hidden),
                _ => Err(Trouble::NoRequest),
            },
            other => other,
        }
    }

    pub(super) async fn me(&self) -> Result<&Identity, Trouble> {
        self.me
            .get_or_try_init(|| async {
                if !self.api.http().has_token() {
                    return Ok(Identity::Anonymous);
                }
                match self.api.read::<User>("user").await {
                    Ok(user) => Ok(Identity::User { id: user.id, login: user.login }),
                    // What it posts is a bot's, and that is how it is known again.
                    Err(Trouble::Forbidden { .. } | Trouble::Integration { .. } | Trouble::NoRequest)
                        if !self.is_persons =>
                    {
                        Ok(Identity::Unnamed)
                    }
                    // What a person's posts is a person's, and a run that cannot know its own would post it again.
                    Err(trouble) => Err(trouble.nameless()),
                }
            })
            .await
    }

    /// Oldest first.
    pub(super) async fn reviews(&self, number: u64) -> Result<Vec<Review>, Trouble> {
        self.api
            .list(&format!("{}/reviews?per_page=100", self.pull_path(number)))
            .await
            .map_err(|trouble| trouble.of_list("reviews"))
    }

    pub(super) async fn review_comments(&self, number: u64, review: u64) -> Result<Vec<Comment>, Trouble> {
        let path = format!("{}/reviews/{review}/comments?per_page=100", self.pull_path(number));
        self.api.list(&path).await.map_err(|trouble| trouble.of_list("comments"))
    }

    /// What the plan was made with; `None` where none was.
    pub(super) fn seen(&self) -> Option<&Seen> {
        self.seen.get()
    }

    /// Own comments that came since the plan was made.
    pub(super) async fn unseen_comments(&self, number: u64, me: &Identity) -> Result<Vec<Comment>, Trouble> {
        let mut comments = self.comments(number).await?;
        let is_new = |comment: &Comment| self.seen().is_some_and(|seen| !seen.comments.contains(&comment.id));
        comments.retain(|comment| standing::is_own(me, comment.user.as_ref()) && is_new(comment));
        Ok(comments)
    }

    /// With their lines, which the list of one review leaves out.
    pub(super) async fn comments(&self, number: u64) -> Result<Vec<Comment>, Trouble> {
        self.api
            .list(&format!("{}/comments?per_page=100", self.pull_path(number)))
            .await
            .map_err(|trouble| trouble.of_list("comments"))
    }

    pub(super) async fn files(&self, number: u64, named: &BTreeSet<String>) -> Result<Patches, Trouble> {
        if named.is_empty() {
            return Ok(Patches::new());
        }
        let mut missing = named.clone();
        let mut seen = 0;
        let files = self
            .api
            .pages(&format!("{}/files?per_page=100", self.pull_path(number)), |files: &[File]| {
                files[seen..].iter().for_each(|file| _ = missing.remove(&file.filename));
                seen = files.len();
                missing.is_empty() || seen >= FILES
            })
            .await
            .map_err(|trouble| trouble.of_list("files"))?;
        let mut patches = Patches::new();
        if files.len() >= FILES {
            patches.extend(missing.into_iter().map(|name| (name, RawPatch::BeyondList)));
        }
        for file in files.into_iter().filter(|file| named.contains(&file.filename)) {
            let raw = file.patch.map_or(RawPatch::Absent, RawPatch::Text);
            match patches.entry(file.filename) {
                Entry::Vacant(entry) => _ = entry.insert(raw),
                // A type change is a file that goes and one that comes, under one name: both have lines.
                Entry::Occupied(mut entry) => match (entry.get_mut(), raw) {
                    (RawPatch::Text(goes), RawPatch::Text(comes)) => goes.extend(["\n", &comes]),
                    (first @ RawPatch::Absent, comes) => *first = comes,
                    _ => {}
                },
            }
        }
        Ok(patches)
    }

    /// The forge's own merge base. The base branch's tip is asked for and not the `base.sha` of the
    /// answer, which trails it. A merged request's branch contains the head, so there it is `base.sha`.
    /// `None` where GitHub lacks one of the two, or anything that they have in common, or where the token may
    /// read requests and no contents.
    async fn merge_base(&self, pull: &Pull, merged: bool) -> Result<Option<CommitId>, Trouble> {
        let base = if merged { &pull.base.sha } else { &pull.base.name };
        let range = format!("{}...{}", segment(base), segment(&pull.head.sha));
        match self.api.read::<Comparison>(&format!("{}/compare/{range}?per_page=1", self.repository)).await {
            Ok(comparison) => commit(&comparison.merge_base_commit.sha).map(Some),
            Err(Trouble::NoRequest | Trouble::Forbidden { .. } | Trouble::Integration { .. }) => Ok(None),
            Err(trouble) => Err(trouble),
        }
    }
}

/// # Errors
///
/// Anything but a full id.
pub(super) fn commit(sha: &str) -> Result<CommitId, Trouble> {
    CommitId::parse(sha).ok_or_else(|| Trouble::Unreadable { cause: format!("`{sha}` is no commit") })
}

fn state(pull: &Pull) -> State {
    match (pull.merged_at.is_some(), pull.state.as_str()) {
        (true, _) => State::Merged,
        (false, "open") => State::Open,
        (false, _) => State::Closed,
    }
}

#[async_trait]
impl Forge for GitHub {
    async fn request(&self, number: u64) -> Result<Request, ForgeError> {
        let wrong = |trouble| self.error(Doing::reading(format!("read #{number}")), trouble);
        let pull = self.pull(number).await.map_err(wrong)?;
        let (head, base) = (commit(&pull.head.sha).map_err(wrong)?, commit(&pull.base.sha).map_err(wrong)?);
        let (state, archived) = (state(&pull), pull.is_archived());
        let merge_base = self.merge_base(&pull, state == State::Merged).await;
        if self.api.http().interrupt().is_raised() {
            return Err(wrong(Trouble::Fault(Fault::Interrupted)));
        }
        let merge_base = merge_base
            .map_err(|trouble| self.error(Doing::reading(format!("read the merge base of #{number}")), trouble));
        Ok(Request {
            url: pull.html_url,
            state,
            draft: pull.draft,
            locked: pull.locked,
            archived,
            head,
            base_branch: pull.base.name,
            base,
            merge_base,
        })
    }

    async fn patches(&self, number: u64, named: &BTreeSet<String>) -> Result<Patches, ForgeError> {
        let files = self.files(number, named).await;
        files.map_err(|trouble| self.error(Doing::reading(format!("read the patches of #{number}")), trouble))
    }

    async fn standing(&self, number: u64) -> Result<Standing, ForgeError> {
        let read = async {
            let me = self.me().await?;
            if *me == Identity::Anonymous {
                return Ok(Standing::default());
            }
            let reviews = self.reviews(number).await?;
            let comments = self.comments(number).await?;
            _ = self.seen.set(Seen {
                reviews: reviews.iter().map(|review| review.id).collect(),
                comments: comments.iter().map(|comment| comment.id).collect(),
            });
            Ok(standing::standing(me, reviews, comments))
        };
        read.await.map_err(|trouble| self.error(Doing::reading(format!("read what stands on #{number}")), trouble))
    }

    async fn pause(&self, how_long: Duration) -> Result<bool, ForgeError> {
        Ok(self.api.http().wait(WaitFor::Look, how_long).await.is_ok())
    }

    async fn find_open(&self, head: &HeadBranch) -> Result<Vec<OpenRequest>, ForgeError> {
        let owner = head.project.split('/').next().unwrap_or_default();
        let wanted = format!("{}:{}", segment(owner), segment(&head.branch));
        let path = format!("{}/pulls?state=open&head={wanted}&per_page=100", self.repository);
        let pulls: Vec<Pull> =
            self.api.pages(&path, |_| false).await.map_err(Trouble::of_project).map_err(|trouble| {
                self.error(Doing::reading(format!("look for the request of {}", head.branch)), trouble)
            })?;
        // A `head` that GitHub does not understand is no filter at all.
        let mine = |pull: &Pull| {
            let from = pull.head.repo.as_ref().and_then(|repo| repo.full_name.split('/').next());
            pull.head.name == head.branch && from.is_some_and(|from| from.eq_ignore_ascii_case(owner))
        };
        let open = |pull: Pull| OpenRequest { number: pull.number, title: pull.title, url: pull.html_url };
        Ok(pulls.into_iter().filter(mine).map(open).collect())
    }

    async fn post(&self, number: u64, post: &Post<'_>, consent: Consent) -> Outcome {
        review::post(self, number, post, consent).await
    }
}

//! The JSON that GitHub answers with.

use std::cell::OnceCell;

use serde_json::{Value, json};

use super::place::stands;
use super::world::{Comment, HeadRepo, Project, Pull, PullState, Review, ReviewState, Side, User, World};
use crate::support::diff::{Change, FileDiff, between, carried};
use crate::support::repo::Upstream;

/// A project's name and the origin of its pages, which every answer's links need.
pub(super) struct Page<'a> {
    pub origin: &'a str,
    pub name: &'a str,
}

impl Page<'_> {
    fn of(&self, rest: &str) -> String {
        format!("{}/{}{rest}", self.origin, self.name)
    }
}

pub(super) fn user(user: &User) -> Value {
    json!({
        "login": user.login,
        "id": user.id,
        "type": if user.bot { "Bot" } else { "User" },
        "site_admin": false,
    })
}

fn repo_named(full_name: &str, id: u64, project: &Project, page: &Page<'_>) -> Value {
    let (owner, name) = full_name.split_once('/').expect("owner/name");
    json!({
        "id": id,
        "name": name,
        "full_name": full_name,
        "private": project.private,
        "archived": project.archived,
        "disabled": false,
        "fork": full_name != page.name,
        "default_branch": project.default_branch,
        "owner": { "login": owner, "type": "Organization" },
        "html_url": format!("{}/{full_name}", page.origin),
        "clone_url": format!("{}/{full_name}.git", page.origin),
    })
}

pub(super) fn repo(project: &Project, page: &Page<'_>) -> Value {
    repo_named(page.name, project.id, project, page)
}

pub(super) fn pull(world: &World, project: &Project, pull: &Pull, page: &Page<'_>) -> Value {
    let upstream = world.upstream(page.name);
    let owner = page.name.split('/').next().unwrap_or_default();
    let name = page.name.split('/').nth(1).unwrap_or_default();
    let (head_owner, head_repo) = match &pull.head.repo {
        HeadRepo::Same => (owner, repo(project, page)),
        HeadRepo::Fork(fork) => (fork.as_str(), repo_named(&format!("{fork}/{name}"), project.id + 1, project, page)),
        HeadRepo::Deleted(fork) => (fork.as_str(), Value::Null),
    };
    let merged = pull.state == PullState::Merged;
    json!({
        "id": 70_000 + pull.number,
        "number": pull.number,
        "state": if pull.state == PullState::Open { "open" } else { "closed" },
        "locked": pull.locked.is_some(),
        "active_lock_reason": null,
        "title": pull.title,
        "body": null,
        "user": user(&pull.author),
        "draft": pull.draft,
        "merged": merged,
        "merged_at": if merged { json!("2026-02-02T00:00:00Z") } else { Value::Null },
        "closed_at": if pull.state == PullState::Open { Value::Null } else { json!("2026-02-02T00:00:00Z") },
        "html_url": page.of(&format!("/pull/{}", pull.number)),
        "maintainer_can_modify": false,
        "head": {
            "label": format!("{head_owner}:{}", pull.head.branch),
            "ref": pull.head.branch,
            "sha": pull.head_sha(&upstream),
            "user": { "login": head_owner },
            "repo": head_repo,
        },
        "base": {
            "label": format!("{owner}:{}", pull.base_branch),
            "ref": pull.base_branch,
            "sha": pull.base_sha,
            "user": { "login": owner },
            "repo": repo(project, page),
        },
    })
}

pub(super) fn file(file: &FileDiff, pull: &Pull) -> Value {
    let path = file.new_path_text();
    let (added, deleted) = file.counts();
    let mut shown = json!({
        "sha": file.new_blob,
        "filename": path,
        "status": match file.change {
            Change::Added => "added",
            Change::Deleted => "removed",
            Change::Modified if file.hunks.is_empty() && !file.binary => "changed",
            Change::Modified => "modified",
            Change::Renamed => "renamed",
        },
        "additions": added,
        "deletions": deleted,
        "changes": added + deleted,
    });
    if file.change == Change::Renamed {
        shown["previous_filename"] = json!(file.old_path_text());
    }
    if !file.hunks.is_empty() && !pull.without_patch.contains(&path) {
        shown["patch"] = json!(file.patch().trim_end_matches('\n'));
    }
    shown
}

/// A request as it stands now: what every review and comment is shown against.
pub(super) struct View<'a> {
    pull: &'a Pull,
    upstream: &'a Upstream,
    page: &'a Page<'a>,
    head: String,
    files: OnceCell<Vec<FileDiff>>,
}

impl<'a> View<'a> {
    pub fn of(pull: &'a Pull, upstream: &'a Upstream, page: &'a Page<'a>) -> Self {
        Self { head: pull.head_sha(upstream), pull, upstream, page, files: OnceCell::new() }
    }

    /// The request's diff.
    pub fn files(&self) -> &[FileDiff] {
        self.files.get_or_init(|| self.pull.files(self.upstream, &self.head))
    }

    pub fn review(&self, review: &Review) -> Value {
        // A force push re-points what was pinned to a commit that is gone.
        let stands = review.commit == self.head || self.upstream.contains(&self.head, &review.commit);
        let state = match review.state {
            ReviewState::Commented => "COMMENTED",
            ReviewState::Pending => "PENDING",
            ReviewState::Approved => "APPROVED",
            ReviewState::ChangesRequested => "CHANGES_REQUESTED",
            ReviewState::Dismissed => "DISMISSED",
        };
        let mut shown = json!({
            "id": review.id,
            "user": user(&review.user),
            "body": review.body,
            "state": state,
            "html_url": self.page.of(&format!("/pull/{}#pullrequestreview-{}", self.pull.number, review.id)),
            "author_association": "NONE",
            "commit_id": if stands { &review.commit } else { &self.head },
        });
        if review.state != ReviewState::Pending {
            shown["submitted_at"] = json!(World::time(review.id));
        }
        shown
    }

    /// What the list of a request's comments shows: with `line`, null once outdated.
    pub fn comment(&self, comment: &Comment) -> Value {
        let place = &comment.place;
        let line = self.current_line(comment, place.line);
        let start = place.start_line.filter(|_| line.is_some()).and_then(|start| self.current_line(comment, start));
        let mut shown = self.bare_comment(comment, line.is_some());
        shown["line"] = json!(line);
        shown["original_line"] = json!(place.line);
        shown["side"] = json!(place.side.word());
        shown["start_line"] = json!(start);
        shown["original_start_line"] = json!(place.start_line);
        shown["start_side"] = json!(place.start_line.map(|_| place.side.word()));
        shown["subject_type"] = json!("line");
        shown
    }

    /// What the list of one review's comments shows: places by `position` alone.
    pub fn comment_of_review(&self, comment: &Comment) -> Value {
        self.bare_comment(comment, self.current_line(comment, comment.place.line).is_some())
    }

    fn bare_comment(&self, comment: &Comment, current: bool) -> Value {
        json!({
            "id": comment.id,
            "pull_request_review_id": comment.review,
            "path": comment.place.path,
            "position": if current { json!(1) } else { Value::Null },
            "original_position": 1,
            "commit_id": if current { &self.head } else { &comment.commit },
            "original_commit_id": comment.commit,
            "user": user(&comment.user),
            "body": comment.body,
            "created_at": World::time(comment.id),
            "updated_at": World::time(comment.id),
            "html_url": self.page.of(&format!("/pull/{}#discussion_r{}", self.pull.number, comment.id)),
            "author_association": "NONE",
        })
    }

    /// Where the line stands in the request's present diff, or `None` when it is outdated.
    fn current_line(&self, comment: &Comment, line: u32) -> Option<u32> {
        if comment.commit == self.head {
            return Some(line);
        }
        let merge_base = |commit: &str| self.pull.merge_base(self.upstream, commit);
        let (from, to) = match comment.place.side {
            Side::Right => (comment.commit.clone(), self.head.clone()),
            Side::Left => (merge_base(&comment.commit)?, merge_base(&self.head)?),
        };
        let moved = between(self.upstream.path(), &from, &to, 50, &[]);
        let path = &comment.place.path;
        let moved = moved.iter().find(|f| f.old_path == path.as_bytes() && f.change != Change::Added);
        if moved.is_some_and(|f| f.change != Change::Modified) {
            return None;
        }
        let line = moved.map_or(Some(line), |f| carried(&f.hunks, line))?;
        stands(self.files(), path, comment.place.side, line).then_some(line)
    }
}

//! The JSON that GitLab answers with.

use serde_json::{Value, json};

use super::world::{
    Discussion, MergeRequest, Note, NoteKind, Project, Release, RequestState, Source, User, Version, World,
};
use crate::support::diff::{Change, FileDiff};

/// A project's path and the place of its pages, which every answer's links need.
pub(super) struct Page<'a> {
    /// Origin and sub-path.
    pub root: &'a str,
    pub path: &'a str,
}

pub(super) fn user(user: &User) -> Value {
    json!({
        "id": user.id,
        "username": user.username,
        "name": user.username,
        "state": "active",
        "bot": user.bot,
    })
}

/// As in lists of notes, where nobody is said to be a bot.
fn author(user: &User) -> Value {
    json!({ "id": user.id, "username": user.username, "name": user.username, "state": "active" })
}

/// What nobody in particular is shown of a project is less than what an account sees.
pub(super) fn project(project: &Project, page: &Page<'_>, anonymous: bool) -> Value {
    let mut shown = json!({
        "id": project.id,
        "path": page.path.rsplit('/').next(),
        "path_with_namespace": page.path,
        "default_branch": project.default_branch,
        "visibility": if project.private { "private" } else { "public" },
        "archived": project.archived,
        "web_url": format!("{}/{}", page.root, page.path),
        "http_url_to_repo": format!("{}/{}.git", page.root, page.path),
        "forked_from_project": project.forked_from.as_ref().map(|(id, path)| json!({ "id": id, "path_with_namespace": path })),
    });
    if anonymous {
        for key in ["archived", "visibility", "forked_from_project"] {
            shown.as_object_mut().and_then(|shown| shown.remove(key));
        }
    } else if project.forked_from.is_none() {
        shown.as_object_mut().and_then(|shown| shown.remove("forked_from_project"));
    }
    shown
}

pub(super) fn request(request: &MergeRequest, project: &Project, page: &Page<'_>) -> Value {
    let source = match request.source {
        Source::Same => json!(project.id),
        Source::Fork(id) => json!(id),
        Source::Deleted => Value::Null,
    };
    let refs = request.shown_version().map(|v| json!({ "base_sha": v.base, "head_sha": v.head, "start_sha": v.start }));
    json!({
        "id": 90_000 + request.iid,
        "iid": request.iid,
        "project_id": project.id,
        "title": request.title,
        "description": null,
        "state": request.state.word(),
        "draft": request.draft,
        "work_in_progress": request.draft,
        "author": author(&request.author),
        "source_branch": request.source_branch,
        "target_branch": request.target_branch,
        "source_project_id": source,
        "target_project_id": project.id,
        "sha": request.latest().head,
        "diff_refs": refs,
        "discussion_locked": if request.discussion_locked { json!(true) } else { Value::Null },
        "merged_at": if request.state == RequestState::Merged { json!("2026-02-02T00:00:00.000Z") } else { Value::Null },
        "web_url": format!("{}/{}/-/merge_requests/{}", page.root, page.path, request.iid),
    })
}

pub(super) fn version(version: &Version, request: &MergeRequest) -> Value {
    json!({
        "id": version.id,
        "head_commit_sha": version.head,
        "base_commit_sha": version.base,
        "start_commit_sha": version.start,
        "created_at": World::time(version.id),
        "merge_request_id": 90_000 + request.iid,
        "state": "collected",
        "real_size": "1",
    })
}

pub(super) fn file(file: &FileDiff, request: &MergeRequest, release: Release) -> Value {
    let path = file.new_path_text();
    let (too_large, collapsed) = (request.too_large.contains(&path), request.collapsed.contains(&path));
    let hidden = too_large || collapsed || request.without_diff.contains(&path);
    let mut shown = json!({
        "old_path": file.old_path_text(),
        "new_path": path,
        "a_mode": mode(&file.old_mode),
        "b_mode": mode(&file.new_mode),
        "diff": if hidden { String::new() } else { file.patch() },
        "new_file": file.change == Change::Added,
        "renamed_file": file.change == Change::Renamed,
        "deleted_file": file.change == Change::Deleted,
    });
    if release.says_collapsed() {
        (shown["collapsed"], shown["too_large"]) = (json!(collapsed), json!(too_large));
    }
    if release.says_generated() {
        shown["generated_file"] = json!(false);
    }
    shown
}

/// The mode of an image that does not exist is one digit.
fn mode(mode: &str) -> &str {
    if mode == "000000" { "0" } else { mode }
}

pub(super) fn note(note: &Note, request: &MergeRequest, project: &Project) -> Value {
    let mut shown = json!({
        "id": note.id,
        "type": match note.kind {
            NoteKind::Plain => Value::Null,
            NoteKind::Thread => json!("DiscussionNote"),
            NoteKind::Diff(_) => json!("DiffNote"),
        },
        "body": note.body,
        "author": author(&note.author),
        "created_at": World::time(note.id),
        "updated_at": World::time(note.id),
        "system": note.system,
        "noteable_id": 90_000 + request.iid,
        "noteable_type": "MergeRequest",
        "noteable_iid": request.iid,
        "project_id": project.id,
        "resolvable": note.kind != NoteKind::Plain,
        "attachment": null,
        "suggestions": [],
        "commands_changes": {},
        "resolved": false,
        "resolved_by": null,
        "confidential": false,
        "internal": false,
    });
    if let NoteKind::Diff(position) = &note.kind {
        shown["position"] = json!({ "old_line": null, "new_line": null, "line_range": null });
        for (key, value) in position.as_object().into_iter().flatten() {
            let number = ["old_line", "new_line"].contains(&key.as_str());
            let parsed = value.as_str().filter(|_| number).map(|text| json!(text.parse::<u32>().ok()));
            shown["position"][key] = parsed.unwrap_or_else(|| value.clone());
        }
        // The ends of a range have all their keys, null where nothing was sent.
        for end in shown["position"]["line_range"].as_object_mut().into_iter().flat_map(|ends| ends.values_mut()) {
            for key in ["type", "old_line", "new_line"] {
                end[key] = end[key].take();
            }
        }
    }
    shown
}

pub(super) fn discussion(discussion: &Discussion, request: &MergeRequest, project: &Project) -> Value {
    json!({
        "id": discussion.id,
        "individual_note": discussion.individual,
        "notes": discussion.notes.iter().map(|n| note(n, request, project)).collect::<Vec<_>>(),
    })
}

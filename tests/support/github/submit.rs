//! Reviews as they come in: all or nothing.

use serde_json::{Map, Value, json};

use super::place::{Defect, check};
use super::render::{Page, View};
use super::routes::error;
use super::world::{Comment, Place, Pull, Review, ReviewState, Side, User, World};
use crate::support::repo::Upstream;
use crate::support::server::{Request, Response, Twist};

/// Characters that a body may have.
const BODY_LIMIT: usize = 65_536;

/// A write, by whom, to which request.
pub(super) struct Sent<'a> {
    pub page: Page<'a>,
    pub pull: u64,
    pub request: &'a Request,
    pub user: &'a User,
    pub violate: &'a dyn Fn(String),
}

fn unprocessable(errors: &Value) -> Response {
    let body = json!({
        "message": "Unprocessable Entity",
        "errors": errors,
        "documentation_url": "https://docs.github.com/rest/pulls/reviews#create-a-review-for-a-pull-request",
        "status": "422",
    });
    Response::json(422, &body)
}

/// The refusal of the server's own schema, which names no comment either.
fn invalid(what: &str) -> Response {
    error(422, &format!("Invalid request.\n\n{what}"))
}

struct Wanted {
    place: Place,
    start_side: Option<Side>,
    body: String,
}

/// The part of the state that the write is about.
fn pull_of<'w>(world: &'w World, sent: &Sent<'_>) -> &'w Pull {
    &world.projects[sent.page.name].pulls[&sent.pull]
}

fn pull_mut<'w>(world: &'w mut World, sent: &Sent<'_>) -> &'w mut Pull {
    let project = world.projects.get_mut(sent.page.name).expect("the project was found");
    project.pulls.get_mut(&sent.pull).expect("the request was found")
}

pub(super) fn submit(world: &mut World, sent: &Sent<'_>, twist: Option<Twist>) -> Response {
    match placed(world, sent) {
        Err(refusal) => refusal,
        Ok((review, comments)) if twist == Some(Twist::Orphan) => {
            pull_mut(world, sent).reviews.push(review);
            unprocessable(&world.refusals.errors(&[Defect::Line][..comments.len().min(1)]))
        }
        Ok((review, comments)) => {
            let upstream = world.upstream(sent.page.name);
            let pull = pull_mut(world, sent);
            pull.comments.extend(comments);
            pull.reviews.push(review.clone());
            Response::json(200, &View::of(pull, &upstream, &sent.page).review(&review))
        }
    }
}

/// The review and its comments as they will be stored.
fn placed(world: &mut World, sent: &Sent<'_>) -> Result<(Review, Vec<Comment>), Response> {
    let document = document(sent.request)?;
    only(&document, &["commit_id", "body", "event", "comments"], "")?;
    let event = document.get("event").and_then(Value::as_str);
    if event != Some("COMMENT") {
        (sent.violate)(format!("a review with the event {event:?}"));
        return Err(invalid("only COMMENT is taken here"));
    }
    let body = text(&document, "body", "")?;
    let wanted = match document.get("comments") {
        None => Vec::new(),
        Some(Value::Array(all)) => all.iter().map(comment).collect::<Result<_, _>>()?,
        Some(other) => return Err(invalid(&format!("For 'properties/comments', {other} is not an array."))),
    };
    let upstream = world.upstream(sent.page.name);
    let pull = pull_of(world, sent);
    let commit = match document.get("commit_id") {
        None => pull.head_sha(&upstream),
        Some(Value::String(commit)) => reviewable(pull, &upstream, commit)?,
        Some(other) => return Err(invalid(&format!("For 'properties/commit_id', {other} is not a string."))),
    };
    if pull.reviews.iter().any(|r| r.state == ReviewState::Pending && r.user == *sent.user) {
        return Err(unprocessable(&json!(["User can only have one pending review per pull request"])));
    }
    readable(&body)?;
    wanted.iter().try_for_each(|w| readable(&w.body))?;
    if pull.times_out_above.is_some_and(|limit| wanted.len() > limit) {
        return Err(Response::html(502));
    }
    let files = pull.files(&upstream, &commit);
    let check = |w: &Wanted| check(world, pull, &files, &w.place, w.start_side).err();
    let defects: Vec<Defect> = wanted.iter().filter_map(check).collect();
    if !defects.is_empty() {
        return Err(unprocessable(&world.refusals.errors(&defects)));
    }
    let id = world.id();
    let user = sent.user.clone();
    let stored = |w: Wanted| Comment {
        id: world.id(),
        review: Some(id),
        user: user.clone(),
        body: w.body,
        place: w.place,
        commit: commit.clone(),
    };
    let comments = wanted.into_iter().map(stored).collect();
    Ok((Review { id, user, body, state: ReviewState::Commented, commit }, comments))
}

pub(super) fn edit(world: &mut World, sent: &Sent<'_>, review: u64) -> Response {
    let body = document(sent.request).and_then(|document| {
        only(&document, &["body"], "")?;
        let body = text(&document, "body", "")?;
        readable(&body)?;
        Ok(body)
    });
    let body = match body {
        Ok(body) => body,
        Err(refusal) => return refusal,
    };
    let upstream = world.upstream(sent.page.name);
    let pull = pull_mut(world, sent);
    let Some(found) = pull.reviews.iter_mut().find(|r| r.id == review) else { return error(404, "Not Found") };
    if found.user != *sent.user {
        return error(403, "Must have admin rights to Repository.");
    }
    found.body = body;
    let found = found.clone();
    Response::json(200, &View::of(pull, &upstream, &sent.page).review(&found))
}

fn document(request: &Request) -> Result<Map<String, Value>, Response> {
    match serde_json::from_slice(&request.body) {
        Ok(Value::Object(document)) => Ok(document),
        Ok(_) => Err(invalid("the body is not an object")),
        Err(_) => Err(error(400, "Problems parsing JSON")),
    }
}

fn only(object: &Map<String, Value>, keys: &[&str], place: &str) -> Result<(), Response> {
    let unknown = object.keys().find(|k| !keys.contains(&k.as_str()));
    unknown.map_or(Ok(()), |key| Err(invalid(&format!("{place}\"{key}\" is not a permitted key."))))
}

fn text(object: &Map<String, Value>, key: &str, place: &str) -> Result<String, Response> {
    match object.get(key) {
        Some(Value::String(text)) => Ok(text.clone()),
        None => Err(invalid(&format!("{place}\"{key}\" wasn't supplied."))),
        Some(other) => Err(invalid(&format!("{place}For 'properties/{key}', {other} is not a string."))),
    }
}

fn readable(body: &str) -> Result<(), Response> {
    if body.trim().is_empty() {
        return Err(unprocessable(&json!(["Body can't be blank"])));
    }
    if body.chars().count() > BODY_LIMIT {
        return Err(unprocessable(&json!([format!("Body is too long (maximum is {BODY_LIMIT} characters)")])));
    }
    Ok(())
}

fn comment(sent: &Value) -> Result<Wanted, Response> {
    let at = "For 'properties/comments/items', ";
    let Value::Object(sent) = sent else { return Err(invalid(&format!("{at}{sent} is not an object."))) };
    only(sent, &["path", "line", "side", "body", "start_line", "start_side"], at)?;
    let number = |key: &str| match sent.get(key) {
        None => Ok(None),
        Some(value) => {
            let number = value.as_u64().and_then(|n| u32::try_from(n).ok());
            number.map(Some).ok_or_else(|| invalid(&format!("{at}{value} is not a number.")))
        }
    };
    let side = |key: &str| match sent.get(key) {
        None => Ok(None),
        Some(Value::String(side)) if side == "LEFT" => Ok(Some(Side::Left)),
        Some(Value::String(side)) if side == "RIGHT" => Ok(Some(Side::Right)),
        Some(other) => Err(invalid(&format!("{at}{other} is not a member of [\"LEFT\", \"RIGHT\"]."))),
    };
    let start_line = number("start_line")?;
    let start_side = side("start_side")?;
    if start_side.is_some() && start_line.is_none() {
        return Err(invalid(&format!("{at}\"start_line\" wasn't supplied.")));
    }
    let place = Place {
        path: text(sent, "path", at)?,
        side: side("side")?.unwrap_or(Side::Right),
        start_line,
        line: number("line")?.ok_or_else(|| invalid(&format!("{at}\"line\" wasn't supplied.")))?,
    };
    Ok(Wanted { place, start_side, body: text(sent, "body", at)? })
}

/// A full name of a commit of the request. A merge commit is refused, as the one that the forge tries the merge with is; the
/// head itself is taken whatever it is, since bringing the base up to date makes it a merge.
fn reviewable(pull: &Pull, upstream: &Upstream, commit: &str) -> Result<String, Response> {
    let refused = || unprocessable(&json!([format!("The commit {commit} is not part of the pull request")]));
    let full = [40, 64].contains(&commit.len()) && upstream.commit(commit).as_deref() == Some(commit);
    let head = pull.head_sha(upstream);
    if commit == head {
        return Ok(head);
    }
    let before = |base: String| upstream.contains(&base, commit);
    if !full || !upstream.contains(&head, commit) || pull.merge_base(upstream, &head).is_some_and(before) {
        return Err(refused());
    }
    let parents = upstream.git(&["rev-list", "--parents", "--max-count=1", commit]).split(' ').count() - 1;
    if parents == 1 { Ok(commit.to_owned()) } else { Err(refused()) }
}

//! Notes and discussions as they come in.

use serde_json::{Map, Value, json};

use super::body::parameters;
use super::position::{KEYS, Refusal, check};
use super::quick_actions::{acting_lines, stored};
use super::render;
use super::routes::message;
use super::stage::discussion_id;
use super::world::{Discussion, MergeRequest, Note, NoteKind, Project, User, World};
use crate::support::server::{Request, Response, Twist};

/// Characters that a note may have.
const NOTE_LIMIT: usize = 1_000_000;

/// A write, by whom, to which request.
pub(super) struct Sent<'a> {
    pub path: &'a str,
    pub iid: u64,
    pub request: &'a Request,
    pub user: &'a User,
    pub violate: &'a dyn Fn(String),
}

fn invalid(errors: &str) -> Response {
    message(400, &format!("400 Bad request - Note {{{errors}}}"))
}

impl Sent<'_> {
    fn project<'w>(&self, world: &'w mut World) -> &'w mut Project {
        world.projects.get_mut(self.path).expect("the project was found")
    }

    fn parameters(&self, known: &[&str]) -> Result<Map<String, Value>, Response> {
        let parameters = parameters(self.request).map_err(|why| {
            (self.violate)(why.clone());
            Response::json(400, &json!({ "error": why }))
        })?;
        self.warn_unknown(&parameters, known, "");
        if !self.request.query.is_empty() {
            (self.violate)(format!("a write with the query {}", self.request.query));
        }
        Ok(parameters)
    }

    /// The server ignores what it does not know; whoever sends it is mistaken.
    fn warn_unknown(&self, object: &Map<String, Value>, known: &[&str], place: &str) {
        for key in object.keys().filter(|k| !known.contains(&k.as_str())) {
            (self.violate)(format!("a parameter that is ignored: {place}{key}"));
        }
    }

    /// The text as it was sent, checked, and as it will be stored: `None` when only commands were in it.
    fn text(&self, world: &mut World, parameters: &Map<String, Value>) -> Result<Option<String>, Response> {
        let Some(body) = parameters.get("body").and_then(Value::as_str) else {
            return Err(Response::json(400, &json!({ "error": "body is missing" })));
        };
        if body.trim().is_empty() {
            return Err(invalid(":note=>[\"can't be blank\"]"));
        }
        if body.chars().count() > NOTE_LIMIT {
            return Err(invalid(":note=>[\"is too long (maximum is 1000000 characters)\"]"));
        }
        for line in acting_lines(body) {
            (self.violate)(format!("a quick action ran: {line}"));
            world.quick_actions.push(line);
        }
        Ok(Some(stored(body)).filter(|text| !text.trim().is_empty()))
    }

    fn store(&self, world: &mut World, body: String, kind: NoteKind) -> Discussion {
        let id = world.id();
        let individual = kind == NoteKind::Plain;
        let note = Note { id, author: self.user.clone(), body, kind, system: false };
        let discussion = Discussion { id: discussion_id(id), individual, notes: vec![note] };
        self.request(world).discussions.push(discussion.clone());
        discussion
    }

    fn request<'w>(&self, world: &'w mut World) -> &'w mut MergeRequest {
        self.project(world).requests.get_mut(&self.iid).expect("the request was found")
    }

    fn show<T>(&self, world: &mut World, show: impl FnOnce(&MergeRequest, &Project) -> T) -> T {
        let project = self.project(world).clone();
        show(&project.requests[&self.iid], &project)
    }
}

fn only_commands() -> Response {
    Response::json(202, &json!({ "commands_changes": {}, "summary": ["Commands applied"] }))
}

pub(super) fn discuss(world: &mut World, sent: &Sent<'_>, twist: Option<Twist>) -> Result<Response, Response> {
    let parameters = sent.parameters(&["body", "position", "commit_id", "created_at"])?;
    let upstream = world.upstream(sent.path);
    let taken = match parameters.get("position") {
        None | Some(Value::Null) => None,
        Some(Value::String(empty)) if empty.is_empty() => None,
        Some(Value::Object(position)) if position.is_empty() => None,
        Some(Value::Object(position)) => {
            sent.warn_unknown(position, &KEYS, "position.");
            Some(check(position, sent.request(world), &upstream).map_err(|refusal| refused(&refusal))?)
        }
        Some(_) => return Err(Response::json(400, &json!({ "error": "position is invalid" }))),
    };
    let Some(body) = sent.text(world, &parameters)? else { return Ok(only_commands()) };
    let kind = match &taken {
        Some(taken) if twist != Some(Twist::Demote) => NoteKind::Diff(taken.position.clone()),
        _ => NoteKind::Thread,
    };
    if let Some(wrong) = taken.as_ref().and_then(|t| t.wrong_range.clone()) {
        (sent.violate)(wrong);
    }
    let discussion = sent.store(world, body, kind);
    if taken.is_some_and(|t| !t.of_a_version) {
        // The note stands by the time its diff file is looked up.
        return Err(message(500, "500 Internal Server Error"));
    }
    let shown = sent.show(world, |request, project| render::discussion(&discussion, request, project));
    Ok(Response::json(201, &shown))
}

fn refused(refusal: &Refusal) -> Response {
    match refusal {
        Refusal::Parameters(what) => Response::json(400, &json!({ "error": what })),
        Refusal::LineCode => invalid(":line_code=>[\"can't be blank\", \"must be a valid line code\"]"),
        Refusal::LineRange => invalid(":position=>[\"must be a valid json schema\"]"),
        Refusal::Fails => message(500, "500 Internal Server Error"),
    }
}

pub(super) fn note(world: &mut World, sent: &Sent<'_>) -> Result<Response, Response> {
    // A position is ignored here without a word.
    let parameters = sent.parameters(&["body", "position", "created_at", "internal", "confidential"])?;
    let Some(body) = sent.text(world, &parameters)? else { return Ok(only_commands()) };
    let discussion = sent.store(world, body, NoteKind::Plain);
    let shown = sent.show(world, |request, project| render::note(&discussion.notes[0], request, project));
    Ok(Response::json(201, &shown))
}

pub(super) fn edit(world: &mut World, sent: &Sent<'_>, id: &str) -> Result<Response, Response> {
    let parameters = sent.parameters(&["body", "confidential"])?;
    let found = sent.request(world).notes().find(|n| n.id.to_string() == id).cloned();
    let Some(mut found) = found else { return Err(message(404, "404 Note Not Found")) };
    if found.author != *sent.user {
        return Err(message(403, "403 Forbidden"));
    }
    let body = sent.text(world, &parameters)?;
    let request = sent.request(world);
    if let Some(body) = body {
        found.body = body;
        for note in request.discussions.iter_mut().flat_map(|d| &mut d.notes).filter(|n| n.id == found.id) {
            note.body.clone_from(&found.body);
        }
    } else {
        // An edit that leaves only commands deletes the note.
        for discussion in &mut request.discussions {
            discussion.notes.retain(|n| n.id != found.id);
        }
        request.discussions.retain(|d| !d.notes.is_empty());
        found.body.clear();
    }
    let shown = sent.show(world, |request, project| render::note(&found, request, project));
    Ok(Response::json(200, &shown))
}

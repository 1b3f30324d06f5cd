//! The endpoints that the `gitlab` crate does not have, or not as they are needed.

use std::borrow::Cow;

use gitlab::api::common::NameOrId;
use gitlab::api::endpoint_prelude::{BodyError, Endpoint, JsonParams, Method, QueryParams, UrlBase};
use serde_json::json;

use super::position::Position;
use crate::forge::http::PAGE;

/// `POST /projects/:id/merge_requests/:iid/discussions`. The crate's own cannot leave the `type` of a
/// context line out of a range.
pub struct CreateDiscussion<'a> {
    pub project: &'a NameOrId<'static>,
    pub request: u64,
    pub body: &'a str,
    pub position: &'a Position<'a>,
}

impl Endpoint for CreateDiscussion<'_> {
    fn method(&self) -> Method {
        Method::POST
    }

    fn endpoint(&self) -> Cow<'static, str> {
        format!("projects/{}/merge_requests/{}/discussions", self.project, self.request).into()
    }

    fn body(&self) -> Result<Option<(&'static str, Vec<u8>)>, BodyError> {
        JsonParams::into_body(&json!({ "body": self.body, "position": self.position }))
    }
}

/// A note without a position, made or edited. The crate's own send a form, which is three times as long as
/// the text where that is not ASCII.
pub struct WriteNote<'a> {
    pub project: &'a NameOrId<'static>,
    pub request: u64,
    /// The note to edit; `None`: a new one.
    pub note: Option<u64>,
    pub body: &'a str,
}

impl Endpoint for WriteNote<'_> {
    fn method(&self) -> Method {
        if self.note.is_some() { Method::PUT } else { Method::POST }
    }

    fn endpoint(&self) -> Cow<'static, str> {
        let notes = format!("projects/{}/merge_requests/{}/notes", self.project, self.request);
        self.note.map_or(notes.clone(), |note| format!("{notes}/{note}")).into()
    }

    fn body(&self) -> Result<Option<(&'static str, Vec<u8>)>, BodyError> {
        JsonParams::into_body(&json!({ "body": self.body }))
    }
}

/// `GET /projects/:id/merge_requests/:iid/versions`: the diffs that were made, the newest first.
pub struct Versions<'a> {
    pub project: &'a NameOrId<'static>,
    pub request: u64,
}

impl Endpoint for Versions<'_> {
    fn method(&self) -> Method {
        Method::GET
    }

    fn endpoint(&self) -> Cow<'static, str> {
        format!("projects/{}/merge_requests/{}/versions", self.project, self.request).into()
    }
}

/// `GET /projects/:id/merge_requests/:iid/changes`: the request with all its files.
pub struct Changes<'a> {
    pub project: &'a NameOrId<'static>,
    pub request: u64,
}

impl Endpoint for Changes<'_> {
    fn method(&self) -> Method {
        Method::GET
    }

    fn endpoint(&self) -> Cow<'static, str> {
        format!("projects/{}/merge_requests/{}/changes", self.project, self.request).into()
    }
}

/// One page, of 100, of a list. The crate's own paging stops at a short page, which GitLab's lists may
/// have in the middle: what a reader may not see is taken out after the page is cut.
pub struct Page<'a, E> {
    pub of: &'a E,
    pub number: u64,
}

impl<E: Endpoint> Endpoint for Page<'_, E> {
    fn method(&self) -> Method {
        self.of.method()
    }

    fn endpoint(&self) -> Cow<'static, str> {
        self.of.endpoint()
    }

    fn url_base(&self) -> UrlBase {
        self.of.url_base()
    }

    fn parameters(&self) -> QueryParams<'_> {
        let mut parameters = self.of.parameters();
        parameters.push("per_page", PAGE as u64).push("page", self.number);
        parameters
    }

    fn body(&self) -> Result<Option<(&'static str, Vec<u8>)>, BodyError> {
        self.of.body()
    }
}

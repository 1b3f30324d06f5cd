//! Calls of the REST API through octocrab, over our own HTTP layer; raw answers come back.

use std::sync::{Arc, OnceLock};

use http::{HeaderValue, Method, header};
use http_body_util::{BodyExt, combinators::BoxBody};
use octocrab::service::middleware::extra_headers::ExtraHeadersLayer;
use octocrab::{AuthState, Octocrab, OctocrabBuilder};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use url::Url;

use super::refusal;
use crate::consent::Consent;
use crate::forge::http::{Numbered, Onward, Pages, Readings, Short};
use crate::forge::{Answer, Fault, Http, Trouble};

/// All but the unreserved characters of RFC 3986: a branch's `/` is one segment's, too.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// One segment of a URL's path, or one value of its query.
pub fn segment(text: &str) -> String {
    utf8_percent_encode(text, SEGMENT).to_string()
}

/// The API of one server.
pub struct Api {
    http: Http,
    /// Made within the runtime, which octocrab's own queue needs.
    crab: OnceLock<Octocrab>,
}

impl Api {
    pub fn new(http: Http) -> Self {
        Self { http, crab: OnceLock::new() }
    }

    pub fn http(&self) -> &Http {
        &self.http
    }

    fn crab(&self) -> &Octocrab {
        self.crab.get_or_init(|| {
            let accept = (header::ACCEPT, HeaderValue::from_static("application/vnd.github+json"));
            let builder = OctocrabBuilder::new_empty()
                .with_service(self.http.clone())
                .with_layer(&ExtraHeadersLayer::new(Arc::new(vec![accept])))
                .with_auth(AuthState::None);
            match builder.build() {
                Ok(crab) => crab,
                Err(never) => match never {},
            }
        })
    }

    /// `path` is relative to the API's base, its parts percent-encoded already.
    pub fn url(&self, path: &str) -> Result<Url, Trouble> {
        let wrong = |error| Trouble::Fault(Fault::Unusable { cause: format!("{path}: {error}") });
        self.http.base().join(path).map_err(wrong)
    }

    pub async fn get(&self, url: &Url) -> Result<Answer, Trouble> {
        self.whole(self.crab()._get(url.as_str()).await).await
    }

    pub async fn post<B: Serialize + Sync>(&self, url: &Url, body: &B, consent: Consent) -> Result<Answer, Trouble> {
        self.write(Method::POST, url, body, consent).await
    }

    pub async fn put<B: Serialize + Sync>(&self, url: &Url, body: &B, consent: Consent) -> Result<Answer, Trouble> {
        self.write(Method::PUT, url, body, consent).await
    }

    async fn write<B: Serialize + Sync>(
        &self,
        method: Method,
        url: &Url,
        body: &B,
        consent: Consent,
    ) -> Result<Answer, Trouble> {
        let request = http::Request::builder().method(method).uri(url.as_str()).extension(consent);
        let request = self.crab().build_request(request, Some(body)).map_err(fault)?;
        self.whole(self.crab().execute(request).await).await
    }

    /// A read whose answer must be a success and a `T`.
    pub async fn read<T: DeserializeOwned>(&self, path: &str) -> Result<T, Trouble> {
        let answer = self.get(&self.url(path)?).await?;
        self.parse(&answer)
    }

    /// # Errors
    ///
    /// The refusal, for any answer but a success.
    pub fn parse<T: DeserializeOwned>(&self, answer: &Answer) -> Result<T, Trouble> {
        match answer.is_success() {
            true => answer.json().map_err(|error| Trouble::unreadable(&error)),
            false => Err(refusal::read(answer, self.http.secrets())),
        }
    }

    /// Every page of a list, until `enough` says so.
    pub async fn pages<T: DeserializeOwned + Send>(
        &self,
        path: &str,
        enough: impl FnMut(&[T]) -> bool + Send,
    ) -> Result<Vec<T>, Trouble> {
        self.read_pages(path, enough).await.map(|(all, _)| all)
    }

    /// A list whose items may be deleted while it is read: nothing of it is overlooked.
    pub async fn list<T: DeserializeOwned + Numbered + Send>(&self, path: &str) -> Result<Vec<T>, Trouble> {
        let mut readings = Readings::default();
        loop {
            let (read, pages) = self.read_pages(path, |_| false).await?;
            if let Some(list) = readings.take(read, pages)? {
                return Ok(list);
            }
        }
    }

    /// With the number of pages.
    async fn read_pages<T: DeserializeOwned + Send>(
        &self,
        path: &str,
        mut enough: impl FnMut(&[T]) -> bool + Send,
    ) -> Result<(Vec<T>, usize), Trouble> {
        let (mut all, mut pages) = (Vec::new(), Pages::new(Short::Last));
        let first = self.url(path)?;
        let mut next = Some(first.clone());
        while let Some(url) = next {
            let answer = self.get(&url).await?;
            if pages.repeats(&answer) {
                break;
            }
            let mut page = self.parse::<Vec<T>>(&answer)?;
            let onward = pages.next(&url, &answer, page.len(), self.http.host())?;
            all.append(&mut page);
            next = onward.filter(|_| !enough(&all)).map(|onward| match onward {
                Onward::Link(link) => link,
                Onward::Number(number) => numbered(&first, number),
            });
        }
        Ok((all, pages.count()))
    }

    async fn whole(
        &self,
        response: octocrab::Result<http::Response<BoxBody<bytes::Bytes, octocrab::Error>>>,
    ) -> Result<Answer, Trouble> {
        let (parts, body) = response.map_err(fault)?.into_parts();
        let body = body.collect().await.map_err(fault)?.to_bytes();
        Ok(Answer { status: parts.status, headers: parts.headers, body })
    }
}

/// This list's page of this number.
fn numbered(list: &Url, number: u64) -> Url {
    let mut url = list.clone();
    url.query_pairs_mut().append_pair("page", &number.to_string());
    url
}

/// Our own fault comes back wrapped, once for each layer of the stack.
fn fault(error: octocrab::Error) -> Trouble {
    let mut next: Option<&(dyn std::error::Error + 'static)> = Some(&error);
    while let Some(source) = next {
        if let Some(fault) = source.downcast_ref::<Fault>() {
            return Trouble::Fault(fault.clone());
        }
        next = source.source();
    }
    Trouble::Fault(Fault::Unusable { cause: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::segment;

    #[test]
    fn a_branch_name_is_one_segment() {
        assert_eq!(segment("feature/a b#1?x%"), "feature%2Fa%20b%231%3Fx%25");
        assert_eq!(segment("v1.0-x_y~z"), "v1.0-x_y~z");
    }
}

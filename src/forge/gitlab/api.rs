//! Calls of the REST API: the `gitlab` crate's endpoints over our own HTTP layer; raw answers come back.

use async_trait::async_trait;
use bytes::Bytes;
use gitlab::api::{ApiError, AsyncClient, Endpoint, RestClient};
use http::header;
use serde::de::DeserializeOwned;
use url::Url;

use super::endpoint::Page;
use super::refusal;
use crate::consent::Consent;
use crate::forge::http::{Call, Extent};
use crate::forge::{Answer, Fault, Http, Trouble};

/// The API of one server.
pub struct Api {
    http: Http,
}

impl RestClient for Api {
    type Error = Fault;

    fn rest_endpoint(&self, endpoint: &str) -> Result<Url, ApiError<Fault>> {
        Ok(self.http.base().join(endpoint)?)
    }
}

#[async_trait]
impl AsyncClient for Api {
    async fn rest_async(
        &self,
        request: http::request::Builder,
        body: Vec<u8>,
    ) -> Result<http::Response<Bytes>, ApiError<Fault>> {
        let unusable = |cause: String| ApiError::client(Fault::Unusable { cause });
        let (parts, body) = request.body(body).map_err(|error| unusable(error.to_string()))?.into_parts();
        let call = Call::new(parts, body.into()).map_err(ApiError::client)?;
        let answer = self.http.send(&call).await.map_err(ApiError::client)?;
        let mut response = http::Response::new(answer.body);
        *response.status_mut() = answer.status;
        *response.headers_mut() = answer.headers;
        Ok(response)
    }
}

impl Api {
    pub fn new(http: Http) -> Self {
        Self { http }
    }

    pub fn http(&self) -> &Http {
        &self.http
    }

    /// One read, whatever it is answered.
    pub async fn get<E: Endpoint + Sync>(&self, endpoint: &E) -> Result<Answer, Trouble> {
        let (request, body) = self.prepare(endpoint).map_err(trouble)?;
        self.send(request, body).await
    }

    /// One write, whatever it is answered.
    pub async fn write<E: Endpoint + Sync>(&self, endpoint: &E, consent: Consent) -> Result<Answer, Trouble> {
        let (request, body) = self.prepare(endpoint).map_err(trouble)?;
        self.send(request.extension(consent), body).await
    }

    async fn send(&self, request: http::request::Builder, body: Vec<u8>) -> Result<Answer, Trouble> {
        let (parts, body) = self.rest_async(request, body).await.map_err(trouble)?.into_parts();
        Ok(Answer { status: parts.status, headers: parts.headers, body })
    }

    fn prepare<E: Endpoint>(&self, endpoint: &E) -> Result<(http::request::Builder, Vec<u8>), ApiError<Fault>> {
        let mut url = endpoint.url_base().endpoint_for(self, &endpoint.endpoint())?;
        endpoint.parameters().add_to_url(&mut url);
        if url.query() == Some("") {
            url.set_query(None);
        }
        let request = http::Request::builder()
            .method(endpoint.method())
            .uri(url.as_str())
            .header(header::ACCEPT, "application/json");
        Ok(match endpoint.body()? {
            Some((mime, body)) => (request.header(header::CONTENT_TYPE, mime), body),
            None => (request, Vec::new()),
        })
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

    /// A call whose answer must be a success and a `T`.
    pub async fn read<T: DeserializeOwned>(&self, endpoint: &(impl Endpoint + Sync)) -> Result<T, Trouble> {
        self.parse(&self.get(endpoint).await?)
    }

    /// Every page of a list, as `x-next-page` or the `Link` header leads on, until `enough` says so.
    pub async fn pages<T: DeserializeOwned + Send>(
        &self,
        list: &(impl Endpoint + Sync),
        mut enough: impl FnMut(&[T]) -> bool + Send,
    ) -> Result<Vec<T>, Trouble> {
        let (mut all, mut extent) = (Vec::new(), Extent::default());
        let mut number = 1;
        loop {
            let answer = self.get(&Page { of: list, number }).await?;
            extent.count(&answer, self.http.host())?;
            all.append(&mut self.parse::<Vec<T>>(&answer)?);
            match next_page(&answer) {
                Some(next) if next > number && !enough(&all) => number = next,
                _ => return Ok(all),
            }
        }
    }
}

/// The number of the next page; the header is there and empty on the last one.
fn next_page(answer: &Answer) -> Option<u64> {
    if let Some(next) = answer.header("x-next-page") {
        return next.parse().ok();
    }
    let link = answer.next_link()?;
    link.query_pairs().find(|(name, _)| name == "page")?.1.parse().ok()
}

/// What a builder of the crate made; it only fails for a field that is not set.
pub fn built<E, B: std::fmt::Display>(built: Result<E, B>) -> Result<E, Trouble> {
    built.map_err(|error| Trouble::Fault(Fault::Unusable { cause: error.to_string() }))
}

fn trouble(error: ApiError<Fault>) -> Trouble {
    Trouble::Fault(match error {
        ApiError::Client { source } => source,
        error => Fault::Unusable { cause: error.to_string() },
    })
}

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
use crate::forge::http::{Call, Numbered, Onward, Pages, Readings, Short, number_of};
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
    /// Writes, where `at` says or else at the endpoint's own address; with the address.
    pub async fn write<E: Endpoint + Sync>(
        &self,
        endpoint: &E,
        at: Option<&Url>,
        consent: Consent,
    ) -> Result<(Url, Answer), Trouble> {
        let (request, body) = self.prepare(endpoint).map_err(trouble)?;
        let url = at.map_or_else(|| self.url(endpoint).map_err(trouble), |at| Ok(at.clone()))?;
        let answer = self.send(request.uri(url.as_str()).extension(consent), body).await?;
        Ok((url, answer))
    }

    async fn send(&self, request: http::request::Builder, body: Vec<u8>) -> Result<Answer, Trouble> {
        let (parts, body) = self.rest_async(request, body).await.map_err(trouble)?.into_parts();
        Ok(Answer { status: parts.status, headers: parts.headers, body })
    }

    fn url<E: Endpoint>(&self, endpoint: &E) -> Result<Url, ApiError<Fault>> {
        let mut url = endpoint.url_base().endpoint_for(self, &endpoint.endpoint())?;
        endpoint.parameters().add_to_url(&mut url);
        if url.query() == Some("") {
            url.set_query(None);
        }
        Ok(url)
    }

    fn prepare<E: Endpoint>(&self, endpoint: &E) -> Result<(http::request::Builder, Vec<u8>), ApiError<Fault>> {
        let url = self.url(endpoint)?;
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

    /// Every page of a list, until `enough` says so.
    pub async fn pages<T: DeserializeOwned + Send>(
        &self,
        list: &(impl Endpoint + Sync),
        enough: impl FnMut(&[T]) -> bool + Send,
    ) -> Result<Vec<T>, Trouble> {
        self.read_pages(list, enough).await.map(|(all, _)| all)
    }

    /// A list whose items may be deleted while it is read: nothing of it is overlooked.
    pub async fn list<T: DeserializeOwned + Numbered + Send>(
        &self,
        list: &(impl Endpoint + Sync),
    ) -> Result<Vec<T>, Trouble> {
        let mut readings = Readings::default();
        loop {
            let (read, pages) = self.read_pages(list, |_| false).await?;
            if let Some(list) = readings.take(read, pages)? {
                return Ok(list);
            }
        }
    }

    /// With the number of pages.
    async fn read_pages<T: DeserializeOwned + Send>(
        &self,
        list: &(impl Endpoint + Sync),
        mut enough: impl FnMut(&[T]) -> bool + Send,
    ) -> Result<(Vec<T>, usize), Trouble> {
        let (mut all, mut pages) = (Vec::new(), Pages::new(Short::Anywhere));
        let mut number = 1;
        loop {
            let endpoint = Page { of: list, number };
            let answer = self.get(&endpoint).await?;
            if pages.repeats(&answer) {
                return Ok((all, pages.count()));
            }
            let mut page = self.parse::<Vec<T>>(&answer)?;
            let onward = pages.next(&self.url(&endpoint).map_err(trouble)?, &answer, page.len(), self.http.host())?;
            all.append(&mut page);
            number = match onward.filter(|_| !enough(&all)) {
                Some(Onward::Number(next)) => next,
                Some(Onward::Link(link)) => number_of(&link).filter(|next| *next > number).unwrap_or(number + 1),
                None => return Ok((all, pages.count())),
            };
        }
    }
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

//! The layer as octocrab wants it: a `tower` service at the bottom of its stack.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use octocrab::OctoBody;

use super::{Call, Fault, Http};

impl tower::Service<http::Request<OctoBody>> for Http {
    type Response = http::Response<Full<Bytes>>;
    type Error = Fault;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Fault>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Fault>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<OctoBody>) -> Self::Future {
        let http = self.clone();
        Box::pin(async move {
            let (mut parts, body) = request.into_parts();
            // octocrab's `0` for reads; whoever sends the body counts it.
            parts.headers.remove(http::header::CONTENT_LENGTH);
            let body = body.collect().await.map_err(|error| Fault::Unusable { cause: error.to_string() })?.to_bytes();
            let answer = http.send(&Call::new(parts, body)?).await?;
            let mut response = http::Response::new(Full::new(answer.body));
            *response.status_mut() = answer.status;
            *response.headers_mut() = answer.headers;
            Ok(response)
        })
    }
}

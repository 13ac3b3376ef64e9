//! Responses of both servers, with the headers that restrict what a browser may do. Knows nothing about pages.

use std::convert::Infallible;
use std::time::Duration;

use axum::http::header::{
    ACCEPT_LANGUAGE, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY, VARY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::sse::{self, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use leyden_language::Language;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use crate::replay;

pub(crate) const HTML: &str = "text/html; charset=utf-8";
pub(crate) const JSON: &str = "application/json";

/// The interval of keep-alive messages on an event stream.
const KEEP_ALIVE: Duration = Duration::from_secs(10);

/// Adds the common headers that a response does not set itself. `policy` is what a page may load and run.
pub(crate) fn guarded(mut response: Response, policy: &'static str) -> Response {
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, policy),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (CACHE_CONTROL, "no-store"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if headers.get(CONTENT_TYPE).is_some_and(|kind| kind == HTML) {
        headers.insert(VARY, HeaderValue::from_static("accept-language"));
    }
    response
}

/// Returns the language that a browser asks for.
pub(crate) fn requested_language(headers: &HeaderMap) -> Language {
    headers
        .get(ACCEPT_LANGUAGE)
        .and_then(|header| header.to_str().ok())
        .map_or_else(Language::default, Language::negotiate)
}

/// Returns a response with a sentence.
pub(crate) fn text(code: StatusCode, said: &str) -> Response {
    (code, format!("{said}\n")).into_response()
}

/// Runs a slow function without blocking other requests.
pub(crate) async fn made<T: Send + 'static>(
    make: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Response> {
    let done = tokio::task::spawn_blocking(make).await;
    done.map_err(|_| text(StatusCode::SERVICE_UNAVAILABLE, "the server is shutting down"))
}

pub(crate) async fn nothing() -> Response {
    text(StatusCode::NOT_FOUND, "there is no such page")
}

pub(crate) fn with_type(kind: &'static str, body: impl IntoResponse) -> Response {
    ([(CONTENT_TYPE, HeaderValue::from_static(kind))], body).into_response()
}

/// Returns a page with a replay, whose policy allows only its own inline style and script.
pub(crate) fn for_replay(document: impl IntoResponse) -> Response {
    let mut response = with_type(HTML, document);
    if let Ok(policy) = HeaderValue::from_str(&replay::header_policy()) {
        response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Returns a response that streams events until there are no more.
pub(crate) fn for_events(events: mpsc::Receiver<Result<sse::Event, Infallible>>) -> Response {
    Sse::new(ReceiverStream::new(events)).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response()
}

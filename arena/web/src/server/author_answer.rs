//! What an author is answered about what was asked for: hand-ins and decisions, and challenges.

use std::collections::BTreeMap;

use axum::http::header::ACCEPT;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use leyden_arena::narrate::ReplayError;
use serde::Serialize;

use super::answer::{JSON, for_replay, nothing, text, with_type};

/// Something that an author has asked for, and its outcome.
pub(super) trait AuthorRequest: Serialize {
    /// The field of the answer, where each of them is asked for again, and what to say if there is none.
    const FIELD: &str;
    const PATH: &str;
    const NONE: &str;

    fn number(&self) -> u32;

    /// The outcome in a sentence.
    fn sentence(&self, author: &str) -> String;
}

/// An answer as JSON.
#[derive(Serialize)]
struct Answer<'a, T> {
    v: u32,
    author: &'a str,
    #[serde(flatten)]
    requests: BTreeMap<&'static str, Vec<Report<'a, T>>>,
}

#[derive(Serialize)]
struct Report<'a, T> {
    #[serde(flatten)]
    request: &'a T,
    /// In a sentence.
    text: String,
    /// Where this is asked again.
    see: String,
}

/// The outcomes of these: as JSON, if the request wants that, or as lines of text.
pub(super) fn outcomes<T: AuthorRequest>(author: &str, requests: &[T], headers: &HeaderMap) -> Response {
    let report = |request: &'_ T| (request.sentence(author), format!("{}/{}", T::PATH, request.number()));
    let wants_json =
        headers.get(ACCEPT).and_then(|kinds| kinds.to_str().ok()).is_some_and(|kinds| kinds.contains(JSON));
    if wants_json {
        let reports = requests.iter().map(|request| {
            let (text, see) = report(request);
            Report { request, text, see }
        });
        let answer = Answer { v: 1, author, requests: BTreeMap::from([(T::FIELD, reports.collect())]) };
        return with_type(JSON, serde_json::to_string_pretty(&answer).unwrap_or_default() + "\n");
    }
    if requests.is_empty() {
        return text(StatusCode::OK, T::NONE);
    }
    let lines = requests.iter().map(report).map(|(text, see)| format!("{text}\n  see {see}\n"));
    lines.collect::<String>().into_response()
}

/// The outcome of the one with this number, as it stands in an address.
pub(super) async fn outcome_of<T: AuthorRequest>(
    author: &str,
    requests: &[T],
    number: &str,
    headers: &HeaderMap,
) -> Response {
    match requests.iter().find(|request| request.number().to_string() == number) {
        Some(request) => outcomes(author, std::slice::from_ref(request), headers),
        None => nothing().await,
    }
}

/// Shows a replay, if there is one.
pub(super) async fn replay_page(page: Option<Result<String, ReplayError>>) -> Result<Response, Response> {
    match page {
        Some(Ok(page)) => Ok(for_replay(page)),
        Some(Err(broken)) => Err(text(StatusCode::INTERNAL_SERVER_ERROR, &broken.to_string())),
        None => Ok(nothing().await),
    }
}

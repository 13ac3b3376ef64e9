//! The routes, and the access rule: only a browser on this machine with the secret address is answered.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::sse;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use leyden_language::Language;
use tokio::sync::{mpsc, watch};

use super::controller::{Input, PageCommand};
use super::page;
use super::page_state::PageState;
use crate::pages;
use crate::server::access::{self, Access};
use crate::server::answer::{self, HTML, nothing, text, with_type};

/// What the page may load and run: only what this server sends.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/// The longest command from a page, in bytes.
pub(super) const LONGEST: usize = 512;

/// How many events may wait for a page; if there are more, its connection is dropped.
const WAITING: usize = 2;

#[derive(Clone)]
struct TableState {
    seen: watch::Receiver<PageState>,
    inputs: Sender<Input>,
    /// The language of the page, if it is not the browser's choice.
    language: Option<Language>,
}

/// Returns all routes.
pub(super) fn router(
    token: String,
    access: Access,
    seen: watch::Receiver<PageState>,
    inputs: Sender<Input>,
    language: Option<Language>,
) -> Router {
    Router::new()
        .route("/{token}/", get(document))
        .route("/{token}/events", get(events))
        .route("/{token}/replay.html", get(replayed))
        .route("/{token}/say", post(say))
        .route("/assets/{name}", get(asset))
        .fallback(nothing)
        .method_not_allowed_fallback(nothing)
        .layer(middleware::from_fn(move |request, next| guard(token.clone(), access.clone(), request, next)))
        .with_state(TableState { seen, inputs, language })
}

/// Refuses requests without the secret, and those from other sites.
async fn guard(token: String, access: Access, request: Request, next: Next) -> Response {
    let response = if let Err((code, why)) = access.check(request.uri(), request.headers()) {
        text(code, why)
    } else if !is_known(request.uri().path(), &token) {
        text(StatusCode::NOT_FOUND, "use the whole address that leyden printed")
    } else if request.method() == Method::POST && !access::is_from_own_page(request.headers()) {
        text(StatusCode::FORBIDDEN, "only the page itself may send commands")
    } else {
        next.run(request).await
    };
    answer::guarded(response, POLICY)
}

/// Whether an address begins with the secret, or needs none.
fn is_known(path: &str, token: &str) -> bool {
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    if path.strip_prefix("/assets/").is_some_and(|name| !name.is_empty()) {
        return true;
    }
    access::is_same(first, token)
}

async fn document(State(mut shared): State<TableState>, headers: HeaderMap) -> Response {
    let language = shared.language.unwrap_or_else(|| answer::requested_language(&headers));
    let _ = shared.inputs.send(Input::Speak(language)); // what follows says that the table is closed
    // The first state may not be there yet.
    let rules = shared.seen.wait_for(|seen| seen.rules.is_some()).await.ok().and_then(|seen| seen.rules);
    match rules {
        Some(rules) => with_type(HTML, page::page(language, &rules)),
        None => text(StatusCode::SERVICE_UNAVAILABLE, "the table is closed"),
    }
}

async fn replayed(State(shared): State<TableState>) -> Response {
    let document = shared.seen.borrow().replayed.clone();
    let Some(document) = document else {
        return text(StatusCode::NOT_FOUND, "the replay is available once the match is over");
    };
    answer::for_replay(document.to_string())
}

async fn say(State(shared): State<TableState>, body: Bytes) -> Response {
    match serde_json::from_slice::<PageCommand>(&body) {
        Ok(said) => match shared.inputs.send(Input::Said(said)) {
            Ok(()) => StatusCode::NO_CONTENT.into_response(),
            Err(_) => text(StatusCode::GONE, "the table is closed"),
        },
        Err(error) => text(StatusCode::BAD_REQUEST, &format!("not a command: {error}")),
    }
}

async fn asset(Path(name): Path<String>) -> Response {
    let (kind, body) = match name.as_str() {
        "look.css" => ("text/css; charset=utf-8", crate::LOOK),
        "play.css" => ("text/css; charset=utf-8", include_str!("../assets/play.css")),
        "play.js" => ("text/javascript; charset=utf-8", include_str!("../assets/play.js")),
        "icon.svg" => ("image/svg+xml", pages::ICON),
        _ => return nothing().await,
    };
    with_type(kind, body)
}

/// Sends each new state; skips states if the page is slow, because only the latest matters.
async fn events(State(mut shared): State<TableState>) -> Response {
    let (to_page, events) = mpsc::channel(WAITING);
    tokio::spawn(async move {
        loop {
            let state = Arc::clone(&shared.seen.borrow_and_update().state);
            let event = sse::Event::default().event("state").data(&*state);
            let is_there = state.is_empty() || to_page.send(Ok::<_, Infallible>(event)).await.is_ok();
            tokio::select! {
                changed = shared.seen.changed() => if changed.is_err() { return },
                () = to_page.closed() => return,
            }
            if !is_there {
                return;
            }
        }
    });
    answer::for_events(events)
}

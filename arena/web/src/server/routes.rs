//! The routes. Names in addresses are looked up among what is shown, never among files.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, RawQuery, Request, State};
use axum::http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, REFRESH};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::sse;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use leyden_language::Language;
use leyden_model::BotIndex;
use maud::Markup;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc;

use super::access::{Access, is_from_own_page};
use super::answer::{self, HTML, JSON, made, nothing, text, with_type};
use super::challenges::{self, CHALLENGE};
use super::feed::{Feed, FeedMessage, Spectator};
use super::intake::{self, BRING_BACK, ENTER, HAND_IN, IntakeHost, LEAVE, WITHDRAW};
use super::own_records;
use super::stage::ControlError;
use super::state::ServerState;
use super::view::LiveView;
use crate::pages::{self, Query};
use crate::snapshot::Snapshot;
use crate::stage::{self, ControlRequest, StageScene};
use leyden_arena::analyse::kept_analysis;
use leyden_arena::league::Intake;
use leyden_arena::record::store::Results;

/// What a page may load and run: only what this server sends.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Where commands to a stage are sent.
const CONTROL: &str = "/stage/control";

const CSV: &str = "text/csv; charset=utf-8";

/// How long to wait for the first snapshot: a large file takes a while to read.
const FIRST: Duration = Duration::from_secs(5);

/// Returns all routes: those of an event, or of several, each in a folder of its own, and of their list.
pub(super) fn router(events: Vec<ServerState>, intake: Option<Intake>, access: Access) -> Router {
    let several = events.len() > 1;
    let list: Arc<[ServerState]> = events.clone().into();
    let router = if several {
        let list = Arc::clone(&list);
        Router::new().route("/", get(async move |headers: HeaderMap| listed(&list, &headers)))
    } else {
        Router::new()
    };
    let router = events.into_iter().zip(1..).fold(router, |router, (event, at)| {
        if several {
            router.nest(&format!("/{at}/"), event_routes(event))
        } else {
            router.merge(event_routes(event))
        }
    });
    let posts: &[&str] =
        if intake.is_some() { &[HAND_IN, ENTER, LEAVE, WITHDRAW, BRING_BACK, CHALLENGE] } else { &[] };
    let only = list.first().filter(|_| !several).cloned();
    let router = match intake.zip(only) {
        Some((intake, event)) => {
            let host = IntakeHost { intake, event };
            router
                .merge(intake::routes(host.clone()))
                .merge(challenges::routes(host.clone()))
                .merge(own_records::routes(host))
        }
        None => router,
    };
    router
        .fallback(nothing)
        .method_not_allowed_fallback(nothing)
        .layer(middleware::from_fn(move |request, next| guard((access.clone(), posts), request, next)))
}

/// Lists the events that are served.
fn listed(events: &[ServerState], headers: &HeaderMap) -> Response {
    let language = events.first().map_or_else(Language::default, |event| event.language(headers));
    let views: Vec<_> = events.iter().map(ServerState::view_now).collect();
    let list: Vec<_> = views.iter().map(|view| view.as_ref().map(|view| &view.snapshot)).collect();
    with_type(HTML, pages::events(&list, language).into_string())
}

/// Returns the routes of an event.
fn event_routes(shared: ServerState) -> Router {
    let router = if shared.stage.is_some() { stage_routes() } else { Router::new() };
    router
        .route("/", get(overview))
        .route("/index.html", get(overview))
        .route("/matches.html", get(matches))
        .route(
            "/pairings.html",
            get(|view: State<ServerState>, headers: HeaderMap| page(view, headers, pages::pairings)),
        )
        .route(
            "/live.html",
            get(|view: State<ServerState>, headers: HeaderMap| page(view, headers, pages::live)),
        )
        .route(
            "/verify.html",
            get(|view: State<ServerState>, headers: HeaderMap| page(view, headers, pages::verify)),
        )
        .route("/screen.html", get(screen))
        .route("/bots/{name}", get(bot))
        .route("/matches/{name}", get(single))
        .route("/standings.json", get(json))
        .route("/standings.csv", get(csv))
        .route("/events", get(events))
        .route("/assets/{name}", get(asset))
        .with_state(shared)
}

/// Returns the routes of a stage.
fn stage_routes() -> Router<ServerState> {
    Router::new()
        .route(
            "/stage",
            get(|State(shared): State<ServerState>, headers: HeaderMap| {
                staged(shared, headers, stage::document)
            }),
        )
        .route("/stage/events", get(stage_events))
        .route(
            CONTROL,
            get(|State(shared): State<ServerState>, headers: HeaderMap| {
                staged(shared, headers, stage::control_document)
            })
            .post(control),
        )
}

/// Refuses requests that are not for this server, and adds the common headers.
async fn guard((access, posts): (Access, &[&str]), request: Request, next: Next) -> Response {
    // Only a stage has a route for it.
    let is_command = *request.method() == Method::POST && request.uri().path() == CONTROL;
    // The intake knows from whom they come.
    let is_of_author = *request.method() == Method::POST && posts.contains(&request.uri().path());
    let response = if !is_command && !is_of_author && !matches!(*request.method(), Method::GET | Method::HEAD)
    {
        let refusal = text(StatusCode::METHOD_NOT_ALLOWED, "this server is read-only");
        ([(ALLOW, HeaderValue::from_static("GET, HEAD"))], refusal).into_response()
    } else if let Err((code, why)) = access.check(request.uri(), request.headers()) {
        text(code, why)
    } else if is_command && !is_from_own_page(request.headers()) {
        text(StatusCode::FORBIDDEN, "only the organiser's page may send commands")
    } else {
        next.run(request).await
    };
    answer::guarded(response, POLICY)
}

/// Returns the latest snapshot, or a response that says why there is none.
async fn last(shared: &ServerState) -> Result<Arc<LiveView>, Response> {
    let not_yet = |why: &str| {
        let still = text(StatusCode::SERVICE_UNAVAILABLE, &format!("{why}: this page will reload by itself"));
        ([(REFRESH, HeaderValue::from_static("1"))], still).into_response()
    };
    if shared.view_now().is_none() && !shared.results.exists() {
        return Err(not_yet("nothing was played yet"));
    }
    match tokio::time::timeout(FIRST, shared.view()).await {
        Ok(Some(view)) => Ok(view),
        Ok(None) => Err(text(StatusCode::SERVICE_UNAVAILABLE, "the server is shutting down")),
        Err(_) => Err(not_yet("the results file is being read")),
    }
}

async fn page(
    State(shared): State<ServerState>,
    headers: HeaderMap,
    page: fn(&Snapshot, &pages::Site, Language) -> Markup,
) -> Result<Response, Response> {
    let (view, language) = (last(&shared).await?, shared.language(&headers));
    Ok(with_type(HTML, made(move || page(&view.snapshot, &view.site, language).into_string()).await?))
}

async fn overview(State(shared): State<ServerState>, headers: HeaderMap) -> Result<Response, Response> {
    let (view, language) = (last(&shared).await?, shared.language(&headers));
    Ok(with_type(HTML, made(move || view.overview(language).to_owned()).await?))
}

async fn screen(State(shared): State<ServerState>, headers: HeaderMap) -> Result<Response, Response> {
    let (view, language) = (last(&shared).await?, shared.language(&headers));
    Ok(with_type(HTML, made(move || view.screen(language).to_owned()).await?))
}

async fn json(State(shared): State<ServerState>) -> Result<Response, Response> {
    Ok(with_type(JSON, last(&shared).await?.json().to_owned()))
}

async fn csv(State(shared): State<ServerState>) -> Result<Response, Response> {
    Ok(with_type(CSV, last(&shared).await?.csv().to_owned()))
}

async fn matches(
    State(shared): State<ServerState>,
    RawQuery(asked): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let (view, language) = (last(&shared).await?, shared.language(&headers));
    let mut query = Query::default();
    let asked = axum::extract::Query::<Vec<(String, String)>>::try_from_uri(
        &format!("/?{}", asked.unwrap_or_default()).parse().unwrap_or_default(),
    );
    for (name, value) in asked.map(|asked| asked.0).unwrap_or_default() {
        query.set(&name, &value);
    }
    let page = move || pages::matches(&view.snapshot, &view.site, &query, language).into_string();
    Ok(with_type(HTML, made(page).await?))
}

async fn bot(
    State(shared): State<ServerState>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let Some(number) = name.strip_suffix(".html").and_then(|number| number.parse().ok()) else {
        return Ok(nothing().await);
    };
    let (view, language) = (last(&shared).await?, shared.language(&headers));
    match made(move || pages::bot(&view.snapshot, &view.site, BotIndex(number), language)).await? {
        Some(page) => Ok(with_type(HTML, page.into_string())),
        None => Ok(nothing().await),
    }
}

/// Shows a match, if it may be shown. The request only selects among the keys that are shown.
async fn single(
    State(shared): State<ServerState>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let (view, language) = (last(&shared).await?, shared.language(&headers));
    let id = name.strip_suffix(".html").filter(|_| view.site.has_replays()).unwrap_or_default();
    let Some(seen) = view.snapshot.matches.iter().find(|seen| seen.id == id).cloned() else {
        return Ok(nothing().await);
    };
    let results = Arc::clone(&shared.results);
    let is_over = view.snapshot.progress.is_over;
    let page = made(move || {
        let record = Results::inspect(&results, |results| results.record(&seen.key)).ok()?.ok()??;
        let record = view.snapshot.shown(&seen, record);
        let analysed = is_over.then(|| kept_analysis(&results, &record)).flatten();
        Some(pages::single(&view.snapshot, &view.site, &record, analysed.as_ref(), language))
    });
    let Some(page) = page.await? else {
        return Err(text(StatusCode::SERVICE_UNAVAILABLE, "the results file cannot be read now"));
    };
    let page = page.map_err(|broken| text(StatusCode::INTERNAL_SERVER_ERROR, &broken.to_string()))?;
    Ok(if is_over { answer::for_replay(page) } else { with_type(HTML, page) })
}

async fn asset(Path(name): Path<String>) -> Response {
    let (kind, body) = match name.as_str() {
        "look.css" => ("text/css; charset=utf-8", crate::LOOK),
        "pages.css" => ("text/css; charset=utf-8", pages::STYLE),
        "stage.css" => ("text/css; charset=utf-8", stage::STYLE),
        "stage.js" => ("text/javascript; charset=utf-8", stage::SCRIPT),
        "control.js" => ("text/javascript; charset=utf-8", stage::CONTROL_SCRIPT),
        "author.js" => ("text/javascript; charset=utf-8", pages::AUTHOR_SCRIPT),
        "pages.js" => ("text/javascript; charset=utf-8", pages::SCRIPT),
        "icon.svg" => ("image/svg+xml", pages::ICON),
        _ => return nothing().await,
    };
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(kind)),
        (CACHE_CONTROL, HeaderValue::from_static("max-age=60")),
    ];
    (headers, body).into_response()
}

/// Returns a page with what is on the stage now.
async fn staged(
    shared: ServerState,
    headers: HeaderMap,
    page: fn(&StageScene, &str, Language) -> Markup,
) -> Result<Response, Response> {
    let (view, language) = (last(&shared).await?, shared.language(&headers));
    // The stage may be busy, with the results file open.
    let document = move || {
        let scene = shared.stage.as_ref().map(|stage| stage.scene(language)).unwrap_or_default();
        page(&scene, &view.snapshot.name, language).into_string()
    };
    Ok(with_type(HTML, made(document).await?))
}

/// Obeys the organiser.
async fn control(
    State(shared): State<ServerState>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Response> {
    let Some(stage) = shared.stage.clone() else { return Ok(nothing().await) };
    let request: ControlRequest = serde_json::from_slice(&body)
        .map_err(|error| text(StatusCode::BAD_REQUEST, &format!("not a command: {error}")))?;
    let (view, language) = (shared.view_now(), shared.language(&headers));
    match made(move || stage.control(&request, view, language)).await? {
        Ok(desk) => Ok(with_type(HTML, desk)),
        Err(error) => {
            let code = match error {
                ControlError::Token => StatusCode::FORBIDDEN,
                ControlError::Order(_) => StatusCode::CONFLICT,
                ControlError::Report(_) => StatusCode::SERVICE_UNAVAILABLE,
            };
            Err(text(code, &error.to_string()))
        }
    }
}

async fn stage_events(State(shared): State<ServerState>, headers: HeaderMap) -> Response {
    let language = shared.language(&headers);
    shared.stage.as_ref().map_or_else(|| listen(&shared.feed), |stage| listen(stage.feed(language)))
}

async fn events(State(shared): State<ServerState>) -> Response {
    listen(&shared.feed)
}

fn listen(feed: &Feed) -> Response {
    let Some(listener) = feed.listen() else {
        return text(StatusCode::SERVICE_UNAVAILABLE, "there are too many listeners already");
    };
    let (to_viewer, messages) = mpsc::channel(8);
    tokio::spawn(forward(listener, to_viewer));
    answer::for_events(messages)
}

type ToViewer = mpsc::Sender<Result<sse::Event, Infallible>>;

/// Forwards messages until the viewer is gone or too slow; then it is dropped, and may connect again.
async fn forward(mut listener: Spectator, to_viewer: ToViewer) {
    let event = |message: &FeedMessage| Ok(sse::Event::default().event(message.event).data(&*message.text));
    for message in std::mem::take(&mut listener.first) {
        if to_viewer.send(event(&message)).await.is_err() {
            return;
        }
    }
    loop {
        let heard = tokio::select! {
            heard = listener.messages.recv() => heard,
            () = to_viewer.closed() => return,
        };
        match heard {
            Ok(message) => {
                if to_viewer.send(event(&message)).await.is_err() {
                    return;
                }
            }
            Err(RecvError::Lagged(_) | RecvError::Closed) => return,
        }
    }
}

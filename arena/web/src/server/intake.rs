//! The intake of a league on the server: who hands in, what is received, and the author's own page.
//!
//! An author is known by a token: in the header of a request, or in a cookie that only this server's own pages can send. It is never
//! part of an address. An archive is received as it comes, within limits of size and time, and only from an author.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::multipart::{Multipart, MultipartError};
use axum::extract::{DefaultBodyLimit, FromRequest, Path, Request, State};
use axum::http::header::{
    AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, COOKIE, LOCATION, ORIGIN, REFERRER_POLICY, RETRY_AFTER,
    SET_COOKIE, WWW_AUTHENTICATE,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use leyden_arena::league::{HandIn, Intake, IntakeError, Upload};
use maud::Markup;
use tokio::time::Instant;
use tokio_stream::StreamExt;

use super::answer::{HTML, made, text, with_type};
use super::author_answer::{AuthorRequest, outcome_of, outcomes, replay_page};
use super::connection::Streaming;
use super::state::ServerState;
use crate::pages::{self, AuthorState, OwnRecords};

/// The address for an archive and its status.
pub(super) const HAND_IN: &str = "/hand-in";
pub(super) const ENTER: &str = "/author/enter";
pub(super) const LEAVE: &str = "/author/leave";
/// Where the version that plays is taken back, and where it comes back.
pub(super) const WITHDRAW: &str = "/withdraw";
pub(super) const BRING_BACK: &str = "/bring-back";
pub(super) const PAGE: &str = "/author";

const COOKIE_NAME: &str = "leyden-author";

/// The longest time for which an archive is received.
const LONGEST: Duration = Duration::from_mins(5);
/// After this time an archive must have come at this rate at least, in bytes a second. Nobody keeps a connection for long by sending slowly.
const GRACE: Duration = Duration::from_secs(20);
const RATE: u64 = 8 << 10;

/// How long to wait for the first look at the results.
const FIRST: Duration = Duration::from_secs(5);

/// What a form adds around an archive, at most.
const FORM: u64 = 16 << 10;

impl AuthorRequest for HandIn {
    const FIELD: &str = "handed_in";
    const PATH: &str = HAND_IN;
    const NONE: &str = "nothing was handed in yet";

    fn number(&self) -> u32 {
        self.number
    }

    fn sentence(&self, author: &str) -> String {
        pages::hand_in_sentence(author, self)
    }
}

/// What all handlers of the intake share.
#[derive(Clone)]
pub(super) struct IntakeHost {
    pub(super) intake: Intake,
    pub(super) event: ServerState,
}

/// The routes of the intake.
pub(super) fn routes(host: IntakeHost) -> Router {
    let most = host.intake.largest() + FORM;
    Router::new()
        .route(PAGE, get(page))
        .route("/author/matches/{name}", get(replay))
        .route(ENTER, post(enter))
        .route(LEAVE, post(leave))
        .route(HAND_IN, post(hand_in).get(all))
        .route(WITHDRAW, post(async |host, headers| decide(host, headers, Intake::withdraw).await))
        .route(BRING_BACK, post(async |host, headers| decide(host, headers, Intake::bring_back).await))
        .route("/hand-in/{number}", get(one_outcome))
        .layer(DefaultBodyLimit::max(usize::try_from(most).unwrap_or(usize::MAX)))
        .with_state(host)
}

/// An author, and how it is known.
pub(super) struct KnownAuthor {
    pub(super) author: String,
    pub(super) by_cookie: bool,
}

/// Who sends a request, or a response that says what is missing.
pub(super) async fn signed(host: &IntakeHost, headers: &HeaderMap) -> Result<KnownAuthor, Response> {
    let bearer = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    let token = bearer.or_else(|| cookie(headers)).map(|token| token.trim().to_owned());
    let by_cookie = bearer.is_none();
    let Some(token) = token else {
        return Err(stranger("this needs the token that the organiser has sent you"));
    };
    let intake = host.intake.clone();
    match made(move || intake.author_of(&token)).await? {
        Ok(Some(author)) => Ok(KnownAuthor { author, by_cookie }),
        Ok(None) => Err(stranger("this token is not known: the organiser may have sent you a newer one")),
        Err(error) => Err(failure(&error.into())),
    }
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let all = headers.get_all(COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
    let mut pairs = all.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == COOKIE_NAME).map(|(_, token)| token)
}

fn stranger(why: &str) -> Response {
    let said = format!("{why}: send it as `Authorization: Bearer TOKEN`, or type it at {PAGE} in a browser");
    ([(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))], text(StatusCode::UNAUTHORIZED, &said))
        .into_response()
}

/// Whether a request may change something. A cookie may also be sent by a page of another site; then a browser names another origin,
/// which no request may have.
pub(super) fn may_change(signed: &KnownAuthor, headers: &HeaderMap) -> bool {
    !signed.by_cookie || headers.contains_key(ORIGIN)
}

pub(super) fn not_own_page() -> Response {
    text(StatusCode::FORBIDDEN, "only this server's own page may send this")
}

/// Lets an author decide about the version that plays, or has played.
async fn decide(
    State(host): State<IntakeHost>,
    headers: HeaderMap,
    decision: fn(&Intake, &str) -> Result<HandIn, IntakeError>,
) -> Result<Response, Response> {
    let signed = signed(&host, &headers).await?;
    if !may_change(&signed, &headers) {
        return Err(not_own_page());
    }
    let (intake, author) = (host.intake.clone(), signed.author.clone());
    let decided = made(move || decision(&intake, &author)).await?.map_err(|error| failure(&error))?;
    Ok(accepted(&signed, &decided, &headers))
}

/// Receives an archive.
async fn hand_in(State(host): State<IntakeHost>, request: Request) -> Result<Response, Response> {
    let headers = request.headers().clone();
    let signed = signed(&host, &headers).await?;
    if !may_change(&signed, &headers) {
        return Err(not_own_page());
    }
    let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > host.intake.largest() + FORM) {
        return Err(failure(&IntakeError::TooLarge(host.intake.largest())));
    }
    let (intake, author) = (host.intake.clone(), signed.author.clone());
    let upload = made(move || intake.receive(&author)).await?.map_err(|error| failure(&error))?;
    let streaming = request.extensions().get::<Streaming>().cloned().map(Streaming::begin);
    let received = receive(request, upload).await;
    drop(streaming);
    let upload = received?;
    let handed_in = made(move || upload.finish()).await?.map_err(|error| failure(&error))?;
    Ok(accepted(&signed, &handed_in, &headers))
}

/// Leads to the author's page, or says what was accepted.
fn accepted(signed: &KnownAuthor, one: &HandIn, headers: &HeaderMap) -> Response {
    if signed.by_cookie {
        return see(PAGE);
    }
    let said = outcomes(&signed.author, std::slice::from_ref(one), headers);
    (StatusCode::ACCEPTED, said).into_response()
}

/// How fast a body comes.
struct Pace {
    began: Instant,
    bytes: u64,
}

impl Pace {
    fn begin() -> Self {
        Self { began: Instant::now(), bytes: 0 }
    }

    /// Waits for the next piece, as long as what has come before allows. A response says that it comes too slowly.
    async fn wait<T>(&self, piece: impl Future<Output = T>) -> Result<T, Response> {
        let allowed = LONGEST.min(GRACE + Duration::from_millis(1_000 * self.bytes / RATE));
        tokio::time::timeout_at(self.began + allowed, piece).await.map_err(|_| {
            let why = format!(
                "the archive came too slowly: expected {} KB a second after the first {} seconds, and all of it within {} minutes; \
                 nothing was handed in",
                RATE >> 10,
                GRACE.as_secs(),
                LONGEST.as_secs() / 60
            );
            text(StatusCode::REQUEST_TIMEOUT, &why)
        })
    }
}

/// Receives the body of a request: a form with the field `entry`, or the archive alone.
async fn receive(request: Request, mut upload: Upload) -> Result<Upload, Response> {
    let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let largest = upload.largest();
    let cut = || text(StatusCode::BAD_REQUEST, "the connection ended before the archive was complete");
    let broken = |error: MultipartError| {
        if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
            failure(&IntakeError::TooLarge(largest))
        } else {
            cut()
        }
    };
    let mut pace = Pace::begin();
    if !kind.starts_with("multipart/form-data") {
        let mut body = request.into_body().into_data_stream();
        while let Some(piece) = pace.wait(body.next()).await? {
            let piece = piece.map_err(|_| cut())?;
            upload.write(&piece).map_err(|error| failure(&error))?;
            pace.bytes += piece.len() as u64;
        }
        return Ok(upload);
    }
    let mut form = Multipart::from_request(request, &())
        .await
        .map_err(|error| text(StatusCode::BAD_REQUEST, &error.body_text()))?;
    let field =
        pace.wait(form.next_field()).await?.map_err(broken)?.filter(|field| field.name() == Some("entry"));
    let Some(mut field) = field else {
        return Err(text(StatusCode::BAD_REQUEST, "expected one field, `entry`: curl -F entry=@bot.zip"));
    };
    if let Some(name) = field.file_name() {
        upload.call(name);
    }
    while let Some(piece) = pace.wait(field.chunk()).await?.map_err(broken)? {
        upload.write(&piece).map_err(|error| failure(&error))?;
        pace.bytes += piece.len() as u64;
    }
    drop(field);
    // Nothing may follow, and the form must be complete.
    match pace.wait(form.next_field()).await?.map_err(broken)? {
        None => Ok(upload),
        Some(_) => Err(text(StatusCode::BAD_REQUEST, "expected one field, `entry`, got several")),
    }
}

/// All that an author has handed in.
async fn all(State(host): State<IntakeHost>, headers: HeaderMap) -> Result<Response, Response> {
    let signed = signed(&host, &headers).await?;
    Ok(outcomes(&signed.author, &host.intake.for_author(&signed.author), &headers))
}

/// One of them.
async fn one_outcome(
    State(host): State<IntakeHost>,
    Path(number): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let signed = signed(&host, &headers).await?;
    Ok(outcome_of(&signed.author, &host.intake.for_author(&signed.author), &number, &headers).await)
}

pub(super) fn failure(error: &IntakeError) -> Response {
    let (code, again) = match error {
        IntakeError::TooLarge(_) => (StatusCode::PAYLOAD_TOO_LARGE, None),
        IntakeError::TooMany => (StatusCode::TOO_MANY_REQUESTS, Some("600")),
        IntakeError::Busy => (StatusCode::SERVICE_UNAVAILABLE, Some("60")),
        IntakeError::Pack(error) if error.system().is_some() => {
            (StatusCode::INSUFFICIENT_STORAGE, Some("60"))
        }
        IntakeError::NoArchive | IntakeError::Pack(_) | IntakeError::Empty => {
            (StatusCode::UNPROCESSABLE_ENTITY, None)
        }
        IntakeError::Taken(_) | IntakeError::NonePlays(_) | IntakeError::NoneWithdrawn(_) => {
            (StatusCode::CONFLICT, None)
        }
        IntakeError::Io(_) | IntakeError::Full(_) => (StatusCode::INSUFFICIENT_STORAGE, Some("60")),
        IntakeError::Tokens(_) => (StatusCode::INTERNAL_SERVER_ERROR, None),
    };
    let said = text(code, &format!("{error}; nothing has changed"));
    match again {
        Some(seconds) => ([(RETRY_AFTER, HeaderValue::from_static(seconds))], said).into_response(),
        None => said,
    }
}

pub(super) fn see(path: &'static str) -> Response {
    (StatusCode::SEE_OTHER, [(LOCATION, HeaderValue::from_static(path))]).into_response()
}

/// Shows an author's own page, or the form for the token.
async fn page(State(host): State<IntakeHost>, headers: HeaderMap) -> Result<Response, Response> {
    let language = host.event.language(&headers);
    if cookie(&headers).is_none() {
        return Ok(with_forms(pages::author_form(false, language)));
    }
    let Ok(signed) = signed(&host, &headers).await else {
        let form = pages::author_form(true, language);
        return Ok((StatusCode::UNAUTHORIZED, with_forms(form)).into_response());
    };
    let (intake, author) = (host.intake.clone(), signed.author.clone());
    let intake = made(move || AuthorState::from_intake(&intake, &author)).await?;
    let intake = intake.map_err(|error| failure(&error.into()))?;
    let results = host.event.results.clone();
    let view = if host.event.results.exists() {
        tokio::time::timeout(FIRST, host.event.view()).await.ok().flatten()
    } else {
        None
    };
    let has_stderr = !host.intake.hides_stderr();
    let page = made(move || {
        let snapshot = view.as_ref().map(|view| &view.snapshot);
        let own = snapshot.map(|snapshot| OwnRecords::read(&results, snapshot, &signed.author, has_stderr));
        pages::author_page(&signed.author, &intake, snapshot.zip(own.as_ref()), language)
    });
    Ok(with_forms(page.await?))
}

/// Shows a match of the author's bot as it saw it.
async fn replay(
    State(host): State<IntakeHost>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let author = signed(&host, &headers).await?.author;
    let language = host.event.language(&headers);
    let (view, results) = (host.event.view_now(), Arc::clone(&host.event.results));
    let page = made(move || {
        let id = name.strip_suffix(".html")?;
        pages::author_replay(&results, &view?.snapshot, &author, id, language)
    });
    replay_page(page.await?).await
}

/// A page whose forms name their origin: a browser that may send no referrer does not.
fn with_forms(page: Markup) -> Response {
    let mut response = with_type(HTML, page.into_string());
    response.headers_mut().insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    response
}

/// Takes a token into a cookie.
async fn enter(
    State(host): State<IntakeHost>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Response> {
    if !headers.contains_key(ORIGIN) {
        return Err(not_own_page());
    }
    let form = std::str::from_utf8(&body).unwrap_or_default();
    let token = form.strip_prefix("token=").unwrap_or_default().trim().to_owned();
    let (intake, typed) = (host.intake.clone(), token.clone());
    match made(move || intake.author_of(&typed)).await? {
        Ok(Some(_)) => Ok(with_cookie(&token, "", &headers)),
        Ok(None) => {
            let form = pages::author_form(true, host.event.language(&headers));
            Ok((StatusCode::UNAUTHORIZED, with_forms(form)).into_response())
        }
        Err(error) => Err(failure(&error.into())),
    }
}

/// Forgets the token.
async fn leave(headers: HeaderMap) -> Response {
    if !headers.contains_key(ORIGIN) {
        return not_own_page();
    }
    with_cookie("", "; Max-Age=0", &headers)
}

/// Leads to the author's page with a cookie set, which a browser that was reached by TLS sends over TLS alone.
fn with_cookie(token: &str, more: &str, headers: &HeaderMap) -> Response {
    let by_tls = headers.get(ORIGIN).is_some_and(|origin| origin.as_bytes().starts_with(b"https://"));
    let secure = if by_tls { "; Secure" } else { "" };
    let cookie = format!("{COOKIE_NAME}={token}; HttpOnly; SameSite=Strict; Path=/{secure}{more}");
    let mut response = see(PAGE);
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    response
}

#[cfg(test)]
mod tests {
    use tokio::time::sleep;

    use super::*;

    /// For how many seconds pieces are received if one comes each second, and whether all 200 have come.
    async fn received(piece: u64) -> (u64, bool) {
        let (mut pace, start) = (Pace::begin(), Instant::now());
        for _ in 0..200 {
            if let Err(late) = pace.wait(sleep(Duration::from_secs(1))).await {
                assert_eq!(late.status(), StatusCode::REQUEST_TIMEOUT);
                return (start.elapsed().as_secs(), false);
            }
            pace.bytes += piece;
        }
        (start.elapsed().as_secs(), true)
    }

    #[tokio::test(start_paused = true)]
    async fn archive_comes_at_the_least_rate() {
        assert_eq!(received(1).await, (20, false));
        assert_eq!(received(RATE / 2).await, (39, false));
        assert_eq!(received(RATE).await, (200, true));
        let mut pace = Pace::begin();
        pace.bytes = 1 << 40;
        assert!(pace.wait(sleep(LONGEST + GRACE)).await.is_err());
    }
}

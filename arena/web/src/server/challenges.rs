//! Challenges on the server: an author's bot meets another one at its request.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use leyden_arena::league::{Challenge, ChallengeError};

use super::answer::{made, text};
use super::author_answer::{AuthorRequest, outcome_of, outcomes, replay_page};
use super::intake::{IntakeHost, PAGE, failure, may_change, not_own_page, see, signed};
use crate::pages;

/// The address for a challenge and its outcome.
pub(super) const CHALLENGE: &str = "/challenge";

impl AuthorRequest for Challenge {
    const FIELD: &str = "challenges";
    const PATH: &str = CHALLENGE;
    const NONE: &str = "nobody was challenged yet";

    fn number(&self) -> u32 {
        self.number
    }

    fn sentence(&self, author: &str) -> String {
        pages::challenge_sentence(author, self)
    }
}

pub(super) fn routes(host: IntakeHost) -> Router {
    Router::new()
        .route(CHALLENGE, post(ask).get(all))
        .route("/challenge/{number}", get(one_challenge))
        .route("/author/challenges/{number}/{name}", get(replay))
        .with_state(host)
}

/// Asks for a challenge: the body is `opponent=NAME`, as a form sends it.
async fn ask(State(host): State<IntakeHost>, headers: HeaderMap, body: Bytes) -> Result<Response, Response> {
    let signed = signed(&host, &headers).await?;
    if !may_change(&signed, &headers) {
        return Err(not_own_page());
    }
    let form = std::str::from_utf8(&body).unwrap_or_default().trim();
    let Some(opponent) = form.strip_prefix("opponent=").map(str::to_owned) else {
        return Err(text(StatusCode::BAD_REQUEST, "expected one field: curl -d opponent=NAME"));
    };
    let (intake, author) = (host.intake.clone(), signed.author.clone());
    let asked = made(move || intake.challenge(&author, &opponent)).await?;
    let challenge = asked.map_err(|error| {
        let code = match error {
            ChallengeError::NonePlays(_) | ChallengeError::Rests(_) | ChallengeError::Waits => {
                StatusCode::CONFLICT
            }
            ChallengeError::NoOpponent(..) => StatusCode::UNPROCESSABLE_ENTITY,
            ChallengeError::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
            ChallengeError::Io(_) => StatusCode::INSUFFICIENT_STORAGE,
        };
        text(code, &error.to_string())
    })?;
    if signed.by_cookie {
        return Ok(see(PAGE));
    }
    let said = outcomes(&signed.author, std::slice::from_ref(&challenge), &headers);
    Ok((StatusCode::ACCEPTED, said).into_response())
}

/// All challenges of an author that are kept.
async fn all(State(host): State<IntakeHost>, headers: HeaderMap) -> Result<Response, Response> {
    let author = signed(&host, &headers).await?.author;
    Ok(outcomes(&author, &challenges_of(&host, &author).await?, &headers))
}

async fn challenges_of(host: &IntakeHost, author: &str) -> Result<Vec<Challenge>, Response> {
    let (intake, author) = (host.intake.clone(), author.to_owned());
    made(move || intake.challenges_of(&author)).await?.map_err(|error| failure(&error.into()))
}

/// One of them.
async fn one_challenge(
    State(host): State<IntakeHost>,
    Path(number): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let author = signed(&host, &headers).await?.author;
    Ok(outcome_of(&author, &challenges_of(&host, &author).await?, &number, &headers).await)
}

/// Shows a match of a challenge as the author's bot saw it.
async fn replay(
    State(host): State<IntakeHost>,
    Path((number, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let author = signed(&host, &headers).await?.author;
    let language = host.event.language(&headers);
    let page = made(move || {
        let (id, challenges) = (name.strip_suffix(".html")?, host.intake.challenges());
        let all = challenges.for_author(&author);
        let challenge = all.iter().find(|one| one.number.to_string() == number)?;
        let [own, _] = challenge.versions.as_ref()?;
        let names = host.intake.public_names().ok()?;
        let results = challenges.results(&author, challenge.number)?;
        pages::challenge_replay(&results, (own, names.as_ref()), id, language)
    });
    replay_page(page.await?).await
}

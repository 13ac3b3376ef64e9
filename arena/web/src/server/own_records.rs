//! What authors take home: every decision of their bot in complete pairs and in their challenges, as the bot saw it.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::CONTENT_DISPOSITION;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use axum::routing::get;
use leyden_arena::league::{Challenge, Intake};
use leyden_arena::record::store::Results;
use leyden_arena::rerun::{RecordedMatch, write_views};
use leyden_model::{MatchKey, MatchRecord};
use leyden_protocol::Seat;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use super::answer::{made, text, with_type};
use super::intake::{IntakeHost, signed};
use crate::pages;

const LINES: &str = "application/jsonl";

/// How many matches are read at once.
const AT_ONCE: usize = 8;

pub(super) fn routes(host: IntakeHost) -> Router {
    let busy = Busy::default();
    Router::new()
        .route(
            "/author/records",
            get(move |host: State<IntakeHost>, headers: HeaderMap| records(host, headers, busy.clone())),
        )
        .with_state(host)
}

/// The authors to whom records are being sent: one at a time to each.
type Busy = Arc<Mutex<BTreeSet<String>>>;

/// An author to whom records are being sent.
struct Receiving(String, Busy);

impl Receiving {
    fn begin(author: &str, busy: &Busy) -> Option<Self> {
        let is_first = busy.lock().unwrap_or_else(PoisonError::into_inner).insert(author.to_owned());
        is_first.then(|| Self(author.to_owned(), Arc::clone(busy)))
    }
}

impl Drop for Receiving {
    fn drop(&mut self) {
        self.1.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

/// Sends an author's records as JSON Lines, in the form of `leyden export --views`. A connection that ends early has not sent all.
async fn records(
    State(host): State<IntakeHost>,
    headers: HeaderMap,
    busy: Busy,
) -> Result<Response, Response> {
    let author = signed(&host, &headers).await?.author;
    let Some(receiving) = Receiving::begin(&author, &busy) else {
        return Err(text(StatusCode::TOO_MANY_REQUESTS, "your records are being sent already"));
    };
    let (view, results) = (host.event.view_now(), Arc::clone(&host.event.results));
    let (to_author, lines) = mpsc::channel::<io::Result<Bytes>>(1);
    let intake = host.intake.clone();
    tokio::spawn(async move {
        let _receiving = receiving;
        let found = made(move || {
            let own = view.map(|view| pages::own_matches(&view.snapshot, &author)).unwrap_or_default();
            let of_league =
                own.chunks(AT_ONCE).map(|some| Piece::League(Arc::clone(&results), some.to_vec()));
            of_league.chain(challenges(&intake, &author)).collect::<Vec<Piece>>()
        });
        let Ok(pieces) = found.await else { return };
        for piece in pieces {
            let lines = made(move || piece.read()).await;
            let lines = lines.unwrap_or_else(|_| Err(io::ErrorKind::Interrupted.into()));
            let is_broken = lines.is_err();
            if to_author.send(lines.map(Bytes::from)).await.is_err() || is_broken {
                return;
            }
        }
    });
    let mut response = with_type(LINES, Body::from_stream(ReceiverStream::new(lines)));
    let attached = HeaderValue::from_static("attachment; filename=\"decisions.jsonl\"");
    response.headers_mut().insert(CONTENT_DISPOSITION, attached);
    Ok(response)
}

/// What is read at once.
enum Piece {
    /// Some matches of the league, each with the seat of the author's bot.
    League(Arc<PathBuf>, Vec<(MatchKey, Seat)>),
    /// The matches of a challenge, which the author's version has played.
    Challenge(PathBuf, String),
}

/// The challenges of an author that were played, the oldest first.
fn challenges(intake: &Intake, author: &str) -> Vec<Piece> {
    let challenges = intake.challenges();
    let piece = |one: &Challenge| {
        let [own, _] = one.versions.clone()?;
        Some(Piece::Challenge(challenges.results(author, one.number)?, own))
    };
    challenges.for_author(author).iter().rev().filter_map(piece).collect()
}

impl Piece {
    /// The decisions of the author's bot.
    fn read(self) -> io::Result<Vec<u8>> {
        let file = match &self {
            Self::League(file, _) => file.as_path(),
            Self::Challenge(file, _) => file,
        };
        let read = |results: &Results| -> io::Result<Vec<u8>> {
            let (settings, mut lines) = (&results.stored_plan().settings, Vec::new());
            for (record, seat) in self.records(results)? {
                let recorded = RecordedMatch::new(record, Some(settings));
                write_views(&recorded, seat, &mut lines).map_err(io::Error::other)?;
            }
            Ok(lines)
        };
        Results::inspect(file, read).map_err(io::Error::other)?
    }

    fn records(&self, results: &Results) -> io::Result<Vec<(MatchRecord, Seat)>> {
        let mut found = Vec::new();
        match self {
            Self::League(_, matches) => {
                for (key, seat) in matches {
                    // A pair may have become void since.
                    found
                        .extend(results.record(key).map_err(io::Error::other)?.map(|record| (record, *seat)));
                }
            }
            Self::Challenge(_, own) => {
                for stored in results.records() {
                    let (_, record) = stored.map_err(io::Error::other)?;
                    let seat = record.bots.iter().find(|(_, bot)| *bot == own).map(|(seat, _)| seat);
                    found.extend(seat.map(|seat| (record, seat)));
                }
            }
        }
        Ok(found)
    }
}

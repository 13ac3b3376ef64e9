//! Recorded matches played once more, to a bot or to nobody: the lines that a bot was sent, and whether it would answer
//! the same today.
//!
//! The referee plays them, with players that do again what the record says; so there is one way from an action to a line.

mod bot;
mod compare;
mod questions;
mod script;
mod site;
mod transcript;

use std::future::Future;
use std::io;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use leyden_model::{MatchRecord, NoPosition, RecordedEnding, Settings, TimeLimits, Unplayable, replayed};
use leyden_protocol::{Seat, Seats};
use leyden_referee::{AnyPlayer, Attempt, Listener, MatchSpec, Overload, Seated, play_match};
use leyden_rules::Impossible;

pub use bot::{NoBot, ReadyBot, Surroundings, find};
pub use compare::{Difference, FailedAgain, Pause, Rerun, Said, rerun};
pub use site::{Chosen, Neighbour, Site};
pub use transcript::transcript;

use script::{Reciter, Script, Unanswered};

/// A match that was played, with what a record does not say of how it was played.
#[derive(Clone, Debug)]
pub struct Recorded {
    record: MatchRecord,
    limits: TimeLimits,
    names: bool,
}

/// Why a match cannot be played once more.
#[derive(Debug, thiserror::Error)]
pub enum RerunError {
    #[error("match {id} has no seat {seat}: it has seats 0 to {}", .seats.count() - 1)]
    NoSeat { id: String, seat: Seat, seats: Seats },
    #[error("match {id} cannot be played again: {source}")]
    Rules { id: String, source: Impossible },
    #[error("match {id} cannot be played again: {source}; `leyden verify` says more")]
    Unplayable { id: String, source: Unplayable },
    #[error(
        "match {id} cannot be played again: the deck of rounds[{round}] does not follow from its seed; `leyden verify` says more"
    )]
    Deck { id: String, round: usize },
    #[error("match {id}: {source}")]
    NoPosition { id: String, source: NoPosition },
    #[error("the bot at seat {seat} was not asked at {place} of match {id}: {why}")]
    NotAsked { id: String, seat: Seat, place: leyden_model::Place, why: String },
    /// The record says two things at once: playing it comes to a question that it has no answer to.
    #[error("match {id} cannot be played again: {why}; `leyden verify` says more")]
    Contradiction { id: String, why: String },
    /// The host was to blame for a time that was up.
    #[error("{0}: try again when the machine has less to do")]
    Busy(Overload),
    /// The arena's or the system's own failure.
    #[error(transparent)]
    Host(#[from] io::Error),
}

impl Recorded {
    /// A record, with the settings of its results file if that is where it comes from. Without them the limits that a bot
    /// is told are the usual ones.
    pub fn new(record: MatchRecord, settings: Option<&Settings>) -> Self {
        let limits = settings.map_or_else(TimeLimits::default, |settings| settings.limits);
        Self { record, limits, names: settings.is_some_and(|settings| settings.names) }
    }

    /// A record of a match that was played under these limits.
    pub(crate) fn with_limits(record: MatchRecord, limits: TimeLimits) -> Self {
        Self { record, limits, names: false }
    }

    pub fn record(&self) -> &MatchRecord {
        &self.record
    }

    pub fn limits(&self) -> &TimeLimits {
        &self.limits
    }

    fn id(&self) -> String {
        self.record.id.clone()
    }

    /// The match as it was settled before it began. Every recorded strike is forgiven again.
    fn spec(&self) -> Result<MatchSpec, RerunError> {
        let rules =
            self.record.rules.rules().map_err(|source| RerunError::Rules { id: self.id(), source })?;
        let (header, limits, show_names) = (self.record.header(), self.limits, self.names);
        Ok(MatchSpec { header, rules, limits, strikes: u32::MAX, show_names })
    }

    fn seated(&self, seat: Seat) -> Result<(), RerunError> {
        let seats = self.record.bots.seats();
        if seats.has(seat) { Ok(()) } else { Err(RerunError::NoSeat { id: self.id(), seat, seats }) }
    }

    /// What everybody did, if it follows from the rules and the seed.
    fn script(&self) -> Result<Script, RerunError> {
        let events =
            replayed(&self.record).map_err(|source| RerunError::Unplayable { id: self.id(), source })?;
        let spec = self.spec()?;
        for (index, deal) in self.record.rounds.iter().enumerate() {
            let number = leyden_rules::DealNumber { round: deal.round, redeal: deal.redeal };
            if spec.header.seed.deck(spec.rules.set, number).tiles() != &deal.deck[..] {
                return Err(RerunError::Deck { id: self.id(), round: index });
            }
        }
        Ok(Script::of(&events, spec.rules.seats))
    }

    /// Whether it was lost before anything was dealt or told.
    fn never_began(&self) -> bool {
        let is_start_failure = self.record.fault.as_ref().is_some_and(|fault| fault.code.is_start_failure());
        let dealt = self.record.rounds.iter().any(|deal| deal.end != RecordedEnding::NoDouble);
        is_start_failure && !dealt
    }

    /// Plays it once more, with somebody else in one seat.
    async fn play(
        &self,
        seat: Seat,
        script: &Script,
        player: &mut dyn AnyPlayer,
        listener: Listener<'_>,
    ) -> Result<(), RerunError> {
        let spec = self.spec()?;
        let mut reciters: Vec<Reciter> =
            spec.rules.seats.iter().map(|seat| Reciter::new(script.of_seat(seat))).collect();
        let mut players: Vec<Seated<'_>> =
            reciters.iter_mut().map(|reciter| Seated::Other(reciter)).collect();
        players[seat.index()] = Seated::Other(player);
        match play_match(&spec, &mut players, listener).await {
            Ok(Attempt::Finished(_)) => Ok(()),
            Ok(Attempt::HostOverloaded(overload)) => Err(RerunError::Busy(overload)),
            Err(error) => Err(match error.get_ref().filter(|inner| inner.is::<Unanswered>()) {
                Some(why) => RerunError::Contradiction { id: self.id(), why: why.to_string() },
                None => error.into(),
            }),
        }
    }
}

/// Plays what no player waits in, without a runtime.
pub(crate) fn at_once<T>(playing: impl Future<Output = T>) -> io::Result<T> {
    match pin!(playing).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(played) => Ok(played),
        Poll::Pending => Err(io::Error::other("a player waited that has nothing to wait for")),
    }
}

/// Runs to its end what is played on this thread. A bot lives as long as the thread that started it.
pub fn block_on<T>(playing: impl Future<Output = T>) -> io::Result<T> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(playing))
}

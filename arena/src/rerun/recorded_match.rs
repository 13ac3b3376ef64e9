//! A recorded match, and how it is replayed. Knows nothing about bots.

use leyden_model::{MatchRecord, RecordedEnding, Settings, TimeLimits, replayed};
use leyden_protocol::Seat;
use leyden_referee::{AnyPlayer, Listener, MatchOutcome, MatchSpec, SeatedPlayer, play_match};

use super::error::RerunError;
use super::script::{RecordedPlayer, Script, UnansweredError};

/// A recorded match, with settings that the record does not contain.
#[derive(Clone, Debug)]
pub struct RecordedMatch {
    record: MatchRecord,
    limits: TimeLimits,
    names: bool,
}

impl RecordedMatch {
    /// Creates it from a record, and the settings of its results file if there is one. Without settings, the bot gets the default
    /// time limits.
    pub fn new(record: MatchRecord, settings: Option<&Settings>) -> Self {
        let limits = settings.map_or_else(TimeLimits::default, |settings| settings.limits);
        Self { record, limits, names: settings.is_some_and(|settings| settings.names) }
    }

    /// Creates it from the record of a match with these time limits.
    pub(crate) fn with_limits(record: MatchRecord, limits: TimeLimits) -> Self {
        Self { record, limits, names: false }
    }

    /// Returns the record of the match.
    pub fn record(&self) -> &MatchRecord {
        &self.record
    }

    /// Returns the time limits of the match, or the default ones if they are not known.
    pub fn limits(&self) -> &TimeLimits {
        &self.limits
    }

    pub(super) fn id(&self) -> String {
        self.record.id.clone()
    }

    /// Returns the match as it was specified. Allows any number of strikes, so that no recorded strike
    /// ends it.
    pub(super) fn spec(&self) -> Result<MatchSpec, RerunError> {
        let rules =
            self.record.rules.rules().map_err(|source| RerunError::Rules { id: self.id(), source })?;
        let (header, limits, show_names) = (self.record.header(), self.limits, self.names);
        Ok(MatchSpec { header, rules, limits, strikes: u32::MAX, show_names })
    }

    pub(super) fn seated(&self, seat: Seat) -> Result<(), RerunError> {
        let seats = self.record.bots.seats();
        if seats.has(seat) { Ok(()) } else { Err(RerunError::NoSeat { id: self.id(), seat, seats }) }
    }

    /// Returns what every seat did, if the record follows from the rules and the seed.
    pub(super) fn script(&self) -> Result<Script, RerunError> {
        let events =
            replayed(&self.record).map_err(|source| RerunError::Unplayable { id: self.id(), source })?;
        let spec = self.spec()?;
        for (index, deal) in self.record.rounds.iter().enumerate() {
            let number = leyden_rules::DealNumber { round: deal.round, redeal: deal.redeal };
            if spec.header.seed.deck(spec.rules.set, number).tiles() != &deal.deck[..] {
                return Err(RerunError::Deck { id: self.id(), round: index });
            }
        }
        Ok(Script::from_events(&events, spec.rules.seats))
    }

    /// Whether the match was lost before any message was sent.
    pub(super) fn never_began(&self) -> bool {
        let is_start_failure = self.record.fault.as_ref().is_some_and(|fault| fault.code.is_start_failure());
        let dealt = self.record.rounds.iter().any(|deal| deal.end != RecordedEnding::NoDouble);
        is_start_failure && !dealt
    }

    /// Replays the match, with another player in one seat.
    pub(super) async fn play(
        &self,
        seat: Seat,
        script: &Script,
        player: &mut dyn AnyPlayer,
        listener: Listener<'_>,
    ) -> Result<(), RerunError> {
        let spec = self.spec()?;
        let mut recorded: Vec<RecordedPlayer> =
            spec.rules.seats.iter().map(|seat| RecordedPlayer::new(script.of_seat(seat))).collect();
        let mut players: Vec<SeatedPlayer<'_>> =
            recorded.iter_mut().map(|player| SeatedPlayer::Other(player)).collect();
        players[seat.index()] = SeatedPlayer::Other(player);
        match play_match(&spec, &mut players, listener).await {
            Ok(MatchOutcome::Finished(_)) => Ok(()),
            Ok(MatchOutcome::HostOverloaded(overload)) => Err(RerunError::Busy(overload)),
            Err(error) => Err(match error.get_ref().filter(|inner| inner.is::<UnansweredError>()) {
                Some(why) => RerunError::Contradiction { id: self.id(), why: why.to_string() },
                None => error.into(),
            }),
        }
    }
}

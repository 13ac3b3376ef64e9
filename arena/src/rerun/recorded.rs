//! A match that was played, and how it is played once more. Knows no bot.

use leyden_model::{MatchRecord, RecordedEnding, Settings, TimeLimits, replayed};
use leyden_protocol::Seat;
use leyden_referee::{AnyPlayer, Listener, MatchOutcome, MatchSpec, Seated, play_match};

use super::error::RerunError;
use super::script::{RecordedPlayer, Script, Unanswered};

/// A match that was played, with what a record does not say of how it was played.
#[derive(Clone, Debug)]
pub struct RecordedMatch {
    record: MatchRecord,
    limits: TimeLimits,
    names: bool,
}

impl RecordedMatch {
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

    pub(super) fn id(&self) -> String {
        self.record.id.clone()
    }

    /// The match as it was settled before it began. Every recorded strike is forgiven again.
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

    /// What everybody did, if it follows from the rules and the seed.
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
        Ok(Script::of(&events, spec.rules.seats))
    }

    /// Whether it was lost before anything was dealt or told.
    pub(super) fn never_began(&self) -> bool {
        let is_start_failure = self.record.fault.as_ref().is_some_and(|fault| fault.code.is_start_failure());
        let dealt = self.record.rounds.iter().any(|deal| deal.end != RecordedEnding::NoDouble);
        is_start_failure && !dealt
    }

    /// Plays it once more, with somebody else in one seat.
    pub(super) async fn play(
        &self,
        seat: Seat,
        script: &Script,
        player: &mut dyn AnyPlayer,
        listener: Listener<'_>,
    ) -> Result<(), RerunError> {
        let spec = self.spec()?;
        let mut reciters: Vec<RecordedPlayer> =
            spec.rules.seats.iter().map(|seat| RecordedPlayer::new(script.of_seat(seat))).collect();
        let mut players: Vec<Seated<'_>> =
            reciters.iter_mut().map(|reciter| Seated::Other(reciter)).collect();
        players[seat.index()] = Seated::Other(player);
        match play_match(&spec, &mut players, listener).await {
            Ok(MatchOutcome::Finished(_)) => Ok(()),
            Ok(MatchOutcome::HostOverloaded(overload)) => Err(RerunError::Busy(overload)),
            Err(error) => Err(match error.get_ref().filter(|inner| inner.is::<Unanswered>()) {
                Some(why) => RerunError::Contradiction { id: self.id(), why: why.to_string() },
                None => error.into(),
            }),
        }
    }
}

//! From a record back to its events, by playing the match once more.

use std::collections::BTreeMap;

use leyden_protocol::{Action, PerSeat, Seat, Seats};
use leyden_rules::{DealOutcome, Deck, Match};

use crate::event::{MatchEvent, MatchOver};
use crate::record::{ActionNote, MatchRecord, RoundRecord, Strike};

/// A record that cannot be played to its end: the first turn that does not follow from the rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("rounds[{round}], actions[{action}] does not follow from the rules")]
pub struct UnplayableError {
    /// Index into the record's `rounds`.
    pub round: usize,
    /// Index into that round's `actions`; their number if the round ends too early.
    pub action: usize,
}

/// Returns the events of a recorded match. What a record does not keep is missing: clocks, and the message of a
/// forgiven fault. If the record is valid, folding the events gives it again. Any record is either replayed or
/// rejected.
pub fn replayed(record: &MatchRecord) -> Result<Vec<MatchEvent>, UnplayableError> {
    let nothing = UnplayableError { round: 0, action: 0 };
    let rules = record.rules.rules().map_err(|_| nothing.clone())?;
    if !is_for(record, rules.seats) {
        return Err(nothing);
    }
    let mut replay = Replay {
        record,
        game: Match::new(&rules),
        events: vec![MatchEvent::Started(Box::new(record.header()))],
        asked: PerSeat::default_for(rules.seats),
        timed: PerSeat::default_for(rules.seats),
        notes: record.notes.iter().map(|note| ((note.round, note.action), note)).collect(),
        strikes: record.strikes.iter().map(|strike| ((strike.round, strike.action), strike)).collect(),
    };
    for (index, round) in record.rounds.iter().enumerate() {
        replay.round(index, round)?;
    }
    Ok(replay.end())
}

/// Whether a record has exactly one entry per seat where it needs one.
fn is_for(record: &MatchRecord, seats: Seats) -> bool {
    let each = |numbers: &PerSeat<u32>| numbers.seats() == seats;
    let host = record.host.as_ref().and_then(|host| host.off_turn_us.as_ref());
    record.bots.seats() == seats
        && each(&record.scores)
        && record.think_us.seats() == seats
        && record.rounds.iter().all(|round| each(&round.pips) && each(&round.points) && each(&round.scores))
        && record.fault.as_ref().is_none_or(|fault| seats.has(fault.seat))
        && record.winner.is_none_or(|winner| seats.has(winner))
        && record.stderr.as_ref().is_none_or(|said| said.seats() == seats)
        && host.is_none_or(|used| used.seats() == seats)
}

/// Indices into a record's `rounds` and into that round's `actions`.
type Index = (u32, u32);

struct Replay<'a> {
    record: &'a MatchRecord,
    game: Match,
    events: Vec<MatchEvent>,
    /// How many decisions each seat was asked for.
    asked: PerSeat<u64>,
    /// How many of each seat's times were used.
    timed: PerSeat<usize>,
    notes: BTreeMap<Index, &'a ActionNote>,
    strikes: BTreeMap<Index, &'a Strike>,
}

impl Replay<'_> {
    fn round(&mut self, index: usize, round: &RoundRecord) -> Result<(), UnplayableError> {
        let broken = |action| UnplayableError { round: index, action };
        if self.game.round().is_some() || self.game.finish().is_some() {
            return Err(broken(0));
        }
        let deck = Deck::new(self.game.rules().set, &round.deck).map_err(|_| broken(0))?;
        let (number, redeal) = (round.round, round.redeal);
        self.events.push(MatchEvent::Dealt { round: number, redeal, deck: round.deck.clone() });
        let dealt = self.game.deal(&deck);
        for action in 0..round.actions.len() {
            self.action(index, round, action).ok_or_else(|| broken(action))?;
        }
        if dealt == DealOutcome::Round && self.game.settle().is_none() {
            self.ask(); // the match was cut short here
        }
        let RoundRecord { end, pips, points, scores, .. } = *round;
        self.events.push(MatchEvent::Settled { end, pips, points, scores });
        Ok(())
    }

    fn action(&mut self, index: usize, round: &RoundRecord, number: usize) -> Option<()> {
        let entry = round.actions[number];
        if self.game.round()?.to_act()? != entry.seat {
            return None;
        }
        let here = (index as u32, number as u32);
        let asked = self.ask();
        let strike = self.strikes.get(&here).copied().filter(|_| asked);
        let time = if asked { self.time(entry.seat) } else { None };
        let took_us = match strike {
            None => time,
            Some(strike) => {
                let (seat, code) = (entry.seat, strike.code);
                self.events.push(MatchEvent::Struck { seat, code, took_us: time?, message: None });
                None
            }
        };
        let note = self.notes.get(&here).filter(|note| note.seat == entry.seat);
        let note = note.map(|note| note.note.clone());
        let happened = self.game.apply(Action::from(entry.event)).ok()?;
        self.events.push(MatchEvent::Acted { entry, took_us, note });
        (happened == entry).then_some(())
    }

    /// Asks the seat to act, if it has a choice.
    fn ask(&mut self) -> bool {
        let Some(round) = self.game.round() else { return false };
        let (Some(seat), legal) = (round.to_act(), round.legal()) else { return false };
        if legal.forced().is_some() {
            return false;
        }
        self.asked[seat] += 1;
        let (turn, legal) = (self.asked[seat], legal.iter().collect());
        self.events.push(MatchEvent::Asked { seat, turn, legal, clock: None });
        true
    }

    /// Returns how long the next decision of a seat took.
    fn time(&mut self, seat: Seat) -> Option<u64> {
        let time = self.record.think_us[seat].get(self.timed[seat]).copied();
        self.timed[seat] += 1;
        time
    }

    fn end(mut self) -> Vec<MatchEvent> {
        let record = self.record;
        let took_us = record.fault.as_ref().and_then(|fault| self.time(fault.seat));
        self.events.push(MatchEvent::Ended(Box::new(MatchOver {
            scores: record.scores,
            winner: record.winner,
            end: record.end,
            fault: record.fault.clone(),
            took_us,
            stderr: record.stderr.clone(),
            host: record.host.clone(),
        })));
        self.events
    }
}

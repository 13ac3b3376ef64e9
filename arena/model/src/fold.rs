//! From events to a record: a match's record is the fold of its events.

use leyden_protocol::{MatchEnding, PerSeat};

use crate::event::{MatchEvent, MatchHeader, MatchOver};
use crate::record::{
    ActionNote, MatchRecord, RECORD_VERSION, RULES_EDITION, RecordedEnding, RoundRecord, Strike,
};

/// Room for the actions of most rounds, and for a seat's decisions in most matches: nothing is allocated for one of them.
const ROUND_ROOM: usize = 64;
const MATCH_ROOM: usize = 128;

/// Events that are not those of a whole match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IncompleteError {
    #[error("a match starts with the event `started`")]
    NotStarted,
    #[error("the match has not ended")]
    NotEnded,
}

/// The record of a match so far.
#[derive(Clone, Debug)]
pub struct Fold {
    record: MatchRecord,
    ended: bool,
}

impl MatchHeader {
    /// Creates the record of this match before anything has happened in it.
    pub fn record(self) -> MatchRecord {
        let seats = self.rules.seats;
        let Self { id, tournament, rules, seed, block, leg, bots } = self;
        MatchRecord {
            v: RECORD_VERSION,
            id,
            tournament,
            rules,
            rules_edition: RULES_EDITION,
            seed,
            block,
            stage: None,
            leg,
            bots,
            rounds: Vec::new(),
            scores: PerSeat::default_for(seats),
            winner: None,
            end: MatchEnding::Target,
            fault: None,
            think_us: PerSeat::default_for(seats),
            notes: Vec::new(),
            strikes: Vec::new(),
            stderr: None,
            host: None,
        }
    }
}

impl Fold {
    /// Creates the fold of a match that has just started.
    pub fn begin(header: MatchHeader) -> Self {
        let mut record = header.record();
        for (_, times) in record.think_us.iter_mut() {
            times.reserve(MATCH_ROOM);
        }
        Self { record, ended: false }
    }

    /// Adds the next event. An event that cannot come here, such as an action before the first deal, changes nothing.
    pub fn take(&mut self, event: MatchEvent) {
        match event {
            MatchEvent::Started(header) => *self = Self::begin(*header),
            MatchEvent::Dealt { round, redeal, deck } => self.record.rounds.push(RoundRecord {
                round,
                redeal,
                deck,
                actions: Vec::with_capacity(ROUND_ROOM),
                end: RecordedEnding::Unfinished,
                pips: PerSeat::default_for(self.record.rules.seats),
                points: PerSeat::default_for(self.record.rules.seats),
                scores: self.record.scores,
            }),
            MatchEvent::Asked { .. } => {}
            MatchEvent::Struck { seat, code, took_us, .. } => {
                let (round, action) = self.next_turn();
                self.record.think_us[seat].push(took_us);
                self.record.strikes.push(Strike { seat, round, action, code });
            }
            MatchEvent::Acted { entry, took_us, note } => {
                if let Some(took_us) = took_us {
                    self.record.think_us[entry.seat].push(took_us);
                }
                if let Some(note) = note {
                    let (round, action) = self.next_turn();
                    self.record.notes.push(ActionNote { seat: entry.seat, round, action, note });
                }
                if let Some(round) = self.record.rounds.last_mut() {
                    round.actions.push(entry);
                }
            }
            MatchEvent::Settled { end, pips, points, scores } => {
                if let Some(round) = self.record.rounds.last_mut() {
                    (round.end, round.pips, round.points, round.scores) = (end, pips, points, scores);
                    self.record.scores = scores;
                }
            }
            MatchEvent::Ended(over) => self.end(*over),
        }
    }

    /// Returns the indices in `rounds` and `actions` of what happens next.
    fn next_turn(&self) -> (u32, u32) {
        let actions = self.record.rounds.last().map_or(0, |round| round.actions.len());
        (self.record.rounds.len().saturating_sub(1) as u32, actions as u32)
    }

    fn end(&mut self, over: MatchOver) {
        let MatchOver { scores, winner, end, fault, took_us, stderr, host } = over;
        if let (Some(fault), Some(took_us)) = (&fault, took_us) {
            self.record.think_us[fault.seat].push(took_us);
        }
        let record = &mut self.record;
        (record.scores, record.winner, record.end) = (scores, winner, end);
        (record.fault, record.stderr, record.host) = (fault, stderr, host);
        self.ended = true;
    }

    /// Returns the record so far.
    pub fn so_far(&self) -> &MatchRecord {
        &self.record
    }

    /// Returns the record of a match that has ended.
    pub fn finish(self) -> Result<MatchRecord, IncompleteError> {
        if self.ended { Ok(self.record) } else { Err(IncompleteError::NotEnded) }
    }
}

impl MatchRecord {
    /// Returns the record of the match with these events, from `started` to `ended`.
    pub fn from_events(events: impl IntoIterator<Item = MatchEvent>) -> Result<Self, IncompleteError> {
        let mut events = events.into_iter();
        let Some(MatchEvent::Started(header)) = events.next() else {
            return Err(IncompleteError::NotStarted);
        };
        let mut fold = Fold::begin(*header);
        events.for_each(|event| fold.take(event));
        fold.finish()
    }

    /// Returns what was settled about the match before it started.
    pub fn header(&self) -> MatchHeader {
        MatchHeader {
            id: self.id.clone(),
            tournament: self.tournament.clone(),
            rules: self.rules,
            seed: self.seed,
            block: self.block,
            leg: self.leg,
            bots: self.bots.clone(),
        }
    }
}

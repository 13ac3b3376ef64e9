//! Verifies a single record.

use std::fmt;

use leyden_protocol::{Action, FaultCode, MatchEnding, PerSeat, Seat, Seats};
use leyden_rules::{DealOutcome, LegalActions, Match, MatchFinish, Round, RoundOutcome};
use serde::Serialize;

use super::words::{self, in_words, seat_name};
use leyden_model::words::counted;
use leyden_model::{MatchRecord, RECORD_VERSION, RULES_EDITION, RecordedEnding, RoundRecord, Strike};

/// The first error in a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct RecordError {
    /// The record's own id.
    pub id: String,
    pub part: RecordPart,
    /// What was checked.
    pub what: &'static str,
    pub expected: String,
    pub found: String,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, part, what, expected, found } = self;
        write!(f, "match {id}{part}: {what}: expected {expected}, found {found}")
    }
}

/// A part of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecordPart {
    /// The match as a whole.
    #[default]
    Match,
    /// A deal: its index in `rounds`, and its own round and redeal numbers.
    Round { index: usize, round: u32, redeal: u32 },
    /// An action of a deal, by its index in `actions`.
    Action { index: usize, round: u32, redeal: u32, action: usize },
}

impl fmt::Display for RecordPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let deal = |f: &mut fmt::Formatter<'_>, index, round, redeal| {
            write!(f, ", round {}", round + 1)?;
            if redeal > 0 {
                write!(f, " dealt again ({redeal})")?;
            }
            write!(f, " (rounds[{index}])")
        };
        match *self {
            Self::Match => Ok(()),
            Self::Round { index, round, redeal } => deal(f, index, round, redeal),
            Self::Action { index, round, redeal, action } => {
                deal(f, index, round, redeal)?;
                write!(f, ", actions[{action}]")
            }
        }
    }
}

/// Replays a match through the rules.
pub fn verify(record: &MatchRecord) -> Result<(), RecordError> {
    let mut check = Check::begin(record)?;
    for index in 0..record.rounds.len() {
        check.round(index)?;
    }
    check.part = RecordPart::Match;
    check.end()?;
    check.thinking()?;
    check.remarks()
}

/// A replay in progress.
struct Check<'a> {
    record: &'a MatchRecord,
    game: Match,
    part: RecordPart,
    /// Decisions that were asked for and answered, including those with a strike.
    asked: PerSeat<usize>,
    /// The seat whose decision was never answered.
    unanswered: Option<Seat>,
    /// The number of strikes found at their actions.
    struck: usize,
}

impl<'a> Check<'a> {
    /// Checks everything that does not need the game.
    fn begin(record: &'a MatchRecord) -> Result<Self, RecordError> {
        let found = |what, expected: String, found: String| {
            Err(RecordError { id: record.id.clone(), part: RecordPart::Match, what, expected, found })
        };
        if record.v != RECORD_VERSION {
            return found("the version of the record", RECORD_VERSION.to_string(), record.v.to_string());
        }
        if record.rules_edition != RULES_EDITION {
            let expected = format!("{RULES_EDITION}, which this leyden plays");
            return found("the edition of the rules", expected, record.rules_edition.to_string());
        }
        let rules = match record.rules.rules() {
            Ok(rules) => rules,
            Err(impossible) => {
                return found("rules", "rules that can be played".to_owned(), impossible.to_string());
            }
        };
        let seats = rules.seats;
        let lists = [
            ("bots", record.bots.seats()),
            ("scores", record.scores.seats()),
            ("think_us", record.think_us.seats()),
        ];
        let stderr = record.stderr.as_ref().map(|stderr| ("stderr", stderr.seats()));
        if let Some((what, other)) = lists.into_iter().chain(stderr).find(|&(_, other)| other != seats) {
            return found(what, format!("one for each of {seats} seats"), other.to_string());
        }
        if record.leg as usize >= seats.count() {
            return found("leg", format!("one below {seats}"), record.leg.to_string());
        }
        let id = record.seed.match_id(record.leg);
        if record.id != id {
            return found("the match's id, which follows from its seed and leg", id, record.id.clone());
        }
        let bots = record.bots.as_slice();
        if let Some(twice) = bots.iter().enumerate().find(|(i, name)| bots[..*i].contains(name)) {
            return found("bots", "names that differ".to_owned(), format!("{:?} twice", twice.1));
        }
        Ok(Self {
            record,
            game: Match::new(&rules),
            part: RecordPart::Match,
            asked: PerSeat::default_for(seats),
            unanswered: None,
            struck: 0,
        })
    }

    fn seats(&self) -> Seats {
        self.game.rules().seats
    }

    fn wrong<T>(
        &self,
        what: &'static str,
        expected: &dyn fmt::Display,
        found: &dyn fmt::Display,
    ) -> Result<T, RecordError> {
        let (expected, found) = (expected.to_string(), found.to_string());
        Err(RecordError { id: self.record.id.clone(), part: self.part, what, expected, found })
    }

    fn same<T: PartialEq + Serialize>(
        &self,
        what: &'static str,
        expected: &T,
        found: &T,
    ) -> Result<(), RecordError> {
        if expected == found { Ok(()) } else { self.wrong(what, &in_words(expected), &in_words(found)) }
    }

    fn round(&mut self, index: usize) -> Result<(), RecordError> {
        let round = &self.record.rounds[index];
        self.part = RecordPart::Round { index, round: round.round, redeal: round.redeal };
        if self.unanswered.is_some() {
            return self.wrong("the end of the match", &"no deal after an unfinished round", &"another deal");
        }
        if self.game.finish().is_some() {
            return self.wrong("the end of the match", &"no deal after the match was over", &"another deal");
        }
        let seats = self.seats();
        for (what, list) in [("pips", &round.pips), ("points", &round.points), ("scores", &round.scores)] {
            if list.seats() != seats {
                return self.wrong(what, &format!("one for each of {seats} seats"), &list.seats());
            }
        }
        let due = self.game.deal_number();
        self.same("the number of the round", &due.round, &round.round)?;
        self.same("how often it was dealt before", &due.redeal, &round.redeal)?;
        let deck = self.record.seed.deck(self.game.rules().set, due);
        if deck.tiles() != round.deck {
            let differing = deck.tiles().iter().zip(&round.deck).position(|(a, b)| a != b);
            let tile = |tiles: &[leyden_protocol::Tile]| match differing {
                Some(at) => format!("{} as tile {at}", tiles[at]),
                None => counted(tiles.len(), "tile", "tiles"),
            };
            return self.wrong(
                "the deck, which follows from the seed",
                &tile(deck.tiles()),
                &tile(&round.deck),
            );
        }
        match self.game.deal(&deck) {
            DealOutcome::Round => self.play(index, round),
            DealOutcome::NoDouble => self.no_double(round),
        }
    }

    fn no_double(&self, round: &RoundRecord) -> Result<(), RecordError> {
        self.same("how it ended", &RecordedEnding::NoDouble, &round.end)?;
        if !round.actions.is_empty() {
            return self.wrong("actions", &"none in a deal without a double", &round.actions.len());
        }
        self.nothing_scored(round)
    }

    fn nothing_scored(&self, round: &RoundRecord) -> Result<(), RecordError> {
        let none = PerSeat::default_for(self.seats());
        self.same("pips", &none, &round.pips)?;
        self.same("points", &none, &round.points)?;
        self.same("scores", self.game.scores(), &round.scores)
    }

    fn play(&mut self, index: usize, round: &RoundRecord) -> Result<(), RecordError> {
        let deal = self.part;
        for action in 0..round.actions.len() {
            self.part = RecordPart::Action { index, round: round.round, redeal: round.redeal, action };
            self.action(round, action)?;
        }
        self.part = deal;
        let state = self.game.round().map(|round| (round.outcome(), round.to_act(), round.legal().len()));
        match state {
            Some((Some(outcome), ..)) => self.settle(round, outcome),
            Some((None, Some(seat), choices)) => self.unfinished(round, seat, choices),
            _ => self.wrong("the round", &"one that is played", &"none"),
        }
    }

    fn action(&mut self, round: &RoundRecord, action: usize) -> Result<(), RecordError> {
        let entry = round.actions[action];
        let Some((state, seat)) = self.game.round().and_then(|round| Some((*round, round.to_act()?))) else {
            return self.wrong("the action", &"none after the end of the round", &entry);
        };
        if entry.seat != seat {
            return self.wrong(
                "whose turn it is",
                &seat_name(seat),
                &format!("{} ({entry})", seat_name(entry.seat)),
            );
        }
        let legal = state.legal();
        let taken = Action::from(entry.event);
        if !legal.contains(taken) {
            return self.wrong("the action", &listed(&legal), &entry);
        }
        self.strike(index_of(self.part), &legal, seat, taken)?;
        if legal.len() > 1 {
            self.asked[seat] += 1;
        }
        match self.game.apply(taken) {
            Ok(happened) if happened == entry => Ok(()),
            Ok(happened) => self.wrong("what was drawn", &happened, &entry),
            Err(illegal) => self.wrong("the action", &listed(&legal), &illegal.action),
        }
    }

    /// Checks a strike: the first legal action of the decision was played instead.
    fn strike(
        &mut self,
        at: (usize, usize),
        legal: &LegalActions,
        seat: Seat,
        taken: Action,
    ) -> Result<(), RecordError> {
        let here = |strike: &&Strike| (strike.round as usize, strike.action as usize) == at;
        let Some(strike) = self.record.strikes.iter().find(here) else { return Ok(()) };
        self.struck += 1;
        if legal.len() < 2 {
            return self.wrong("the strike", &"none where nothing was asked", &strike.code);
        }
        if strike.seat != seat {
            return self.wrong("the strike", &seat_name(seat), &seat_name(strike.seat));
        }
        let strikable = [FaultCode::Timeout, FaultCode::Illegal, FaultCode::Malformed, FaultCode::Unexpected];
        if !strikable.contains(&strike.code) {
            return self.wrong("the strike", &"a fault that can be a strike", &strike.code);
        }
        match legal.nth(0) {
            Some(first) if first != taken => self.wrong("the action after a strike", &first, &taken),
            _ => Ok(()),
        }
    }

    fn settle(&mut self, round: &RoundRecord, outcome: RoundOutcome) -> Result<(), RecordError> {
        let end = match outcome {
            RoundOutcome::Dominoed { .. } => RecordedEnding::Dominoed,
            RoundOutcome::Blocked { .. } => RecordedEnding::Blocked,
            RoundOutcome::Refused => RecordedEnding::Refused,
        };
        self.same("how it ended", &end, &round.end)?;
        let Some(settled) = self.game.settle() else {
            return self.wrong("the round", &"one that is over", &"another");
        };
        self.same("pips", &settled.pips, &round.pips)?;
        self.same("points", &settled.points, &round.points)?;
        self.same("scores", &settled.scores, &round.scores)
    }

    /// Checks an unfinished round: a fault ended the match, at a decision of the seat that committed it.
    fn unfinished(&mut self, round: &RoundRecord, seat: Seat, choices: usize) -> Result<(), RecordError> {
        if choices < 2 {
            let forced = self.game.round().map(Round::legal).and_then(|legal| legal.forced());
            let forced = forced.map_or_else(String::new, |action| format!(" {seat} {action}"));
            return self.wrong(
                "the actions",
                &format!("the forced one after them,{forced}"),
                &"the end of the round",
            );
        }
        let Some(fault) = &self.record.fault else {
            return self.wrong(
                "the actions",
                &format!("a decision of {} after them", seat_name(seat)),
                &"none",
            );
        };
        self.same("how it ended", &RecordedEnding::Unfinished, &round.end)?;
        if fault.seat != seat {
            return self.wrong(
                "the fault's seat, whose turn it is",
                &seat_name(seat),
                &seat_name(fault.seat),
            );
        }
        self.unanswered = Some(seat);
        self.nothing_scored(round)
    }

    fn end(&self) -> Result<(), RecordError> {
        self.same("scores", self.game.scores(), &self.record.scores)?;
        let seats = self.seats();
        let (end, winner) = match (&self.record.fault, self.game.finish()) {
            (Some(fault), _) if !seats.has(fault.seat) => {
                return self.wrong(
                    "the fault's seat",
                    &format!("one of {seats} seats"),
                    &seat_name(fault.seat),
                );
            }
            (Some(_), Some(_)) => return self.wrong("the fault", &"none after the match was over", &"one"),
            (Some(fault), None) => {
                (MatchEnding::Fault, (seats == Seats::TWO).then(|| seats.after(fault.seat)))
            }
            (None, Some(MatchFinish::Target)) => (MatchEnding::Target, self.game.leading()),
            (None, Some(MatchFinish::RoundLimit)) => (MatchEnding::RoundLimit, self.game.leading()),
            (None, None) => {
                return self.wrong("the end of the match", &"another round, or a fault", &"neither");
            }
        };
        self.same("the end of the match", &end, &self.record.end)?;
        self.same("the winner", &words::winner(winner), &words::winner(self.record.winner))
    }

    /// Checks that there is one time for each decision that was asked for. The one that a fault ended has a time if an answer
    /// came.
    fn thinking(&self) -> Result<(), RecordError> {
        for (seat, times) in self.record.think_us.iter() {
            let asked = self.asked[seat];
            let most = asked + usize::from(self.unanswered == Some(seat));
            if times.len() < asked || times.len() > most {
                let found = format!("{} for {}", times.len(), seat_name(seat));
                return self.wrong("think_us: a time for each decision asked for", &asked, &found);
            }
        }
        Ok(())
    }

    /// Checks that notes and strikes belong to actions of their seats.
    fn remarks(&self) -> Result<(), RecordError> {
        if self.struck != self.record.strikes.len() {
            let at_actions = format!("{} at decisions of the match", self.record.strikes.len());
            return self.wrong("strikes", &at_actions, &self.struck);
        }
        for note in &self.record.notes {
            let round = self.record.rounds.get(note.round as usize);
            let entry = round.and_then(|round| round.actions.get(note.action as usize));
            if entry.map(|entry| entry.seat) != Some(note.seat) {
                let found = format!("rounds[{}], actions[{}]", note.round, note.action);
                return self.wrong(
                    "the turn of a note",
                    &format!("an action of {}", seat_name(note.seat)),
                    &found,
                );
            }
            if let Err(error) = note.note.check() {
                return self.wrong("a note", &"one as it is kept", &error);
            }
        }
        Ok(())
    }
}

fn index_of(part: RecordPart) -> (usize, usize) {
    match part {
        RecordPart::Action { index, action, .. } => (index, action),
        RecordPart::Round { index, .. } => (index, usize::MAX),
        RecordPart::Match => (usize::MAX, usize::MAX),
    }
}

/// The legal actions in words, but not too many of them.
fn listed(legal: &LegalActions) -> String {
    let mut actions: Vec<String> = legal.iter().take(12).map(|action| action.to_string()).collect();
    if legal.len() > actions.len() {
        actions.push("…".to_owned());
    }
    match &actions[..] {
        [one] => one.clone(),
        many => format!("one of {}", many.join(", ")),
    }
}

//! The decisions of a recorded match, in the numbers of the environment.

use leyden_model::{MatchRecord, UnplayableError};
use leyden_protocol::{Action, PerSeat, Seat};
use leyden_rules::{DealOutcome, Deck, Match, Rules};

use crate::actions::ActionTable;
use crate::encoding::Encoding;
use crate::reward;

/// A decision that a seat was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordedDecision {
    pub seat: Seat,
    /// The number of what it chose.
    pub action: u16,
    /// What the match was for the seat: 1 won, -1 lost, 0 neither.
    pub result: f32,
    /// The seat's advantage in the points of this round, in pips; 0 if a fault cut it short.
    pub round_points: f32,
    /// The same from this round to the end of the match.
    pub points_to_come: f32,
}

/// The decisions of a match, with the observation and the mask of each.
#[derive(Clone, Debug, Default)]
pub struct Decisions {
    pub decisions: Vec<RecordedDecision>,
    /// One after the other, [`Encoding::len`] bytes each.
    pub observations: Vec<u8>,
    /// One after the other, [`ActionTable::len`] bytes each.
    pub masks: Vec<u8>,
}

/// Reads the decisions of a match into `into`, replacing what is there. The record must be by the rules of the encoding.
pub fn decisions(
    record: &MatchRecord,
    encoding: &Encoding,
    into: &mut Decisions,
) -> Result<(), UnplayableError> {
    let rules = *encoding.rules();
    into.decisions.clear();
    into.observations.clear();
    into.masks.clear();
    let mut reading = Reading {
        encoding,
        actions: ActionTable::new(rules.set),
        game: Match::new(&rules),
        legal: Vec::new(),
    };
    let mut rounds = Vec::with_capacity(record.rounds.len());
    for (index, round) in record.rounds.iter().enumerate() {
        let broken = |action| UnplayableError { round: index, action };
        let deck = Deck::new(rules.set, &round.deck).map_err(|_| broken(0))?;
        let first = into.decisions.len();
        if reading.game.round().is_some() || reading.game.finish().is_some() {
            return Err(broken(0));
        }
        let dealt = reading.game.deal(&deck);
        for (number, entry) in round.actions.iter().enumerate() {
            let here = (index as u32, number as u32);
            let forgiven = record.strikes.iter().any(|strike| (strike.round, strike.action) == here);
            let taken = reading.take(entry.seat, Action::from(entry.event), forgiven, into);
            taken.ok_or_else(|| broken(number))?;
        }
        let settled = if dealt == DealOutcome::Round { reading.game.settle() } else { None };
        let none = PerSeat::default_for(rules.seats);
        let points = settled.map_or(none, |settled| reward::advantage(rules.better, &settled.points));
        rounds.push((first, points));
    }
    attribute(record, &rules, &rounds, &mut into.decisions);
    Ok(())
}

/// Writes what followed from each decision. `rounds` has the first decision of each round, and the advantages of its points.
fn attribute(
    record: &MatchRecord,
    rules: &Rules,
    rounds: &[(usize, PerSeat<f32>)],
    decisions: &mut [RecordedDecision],
) {
    let result = reward::result(&record.scores, record.winner);
    let mut to_come: PerSeat<f32> = PerSeat::default_for(rules.seats);
    let mut end = decisions.len();
    for (first, points) in rounds.iter().rev() {
        for (seat, sum) in to_come.iter_mut() {
            *sum += points[seat];
        }
        for decision in &mut decisions[*first..end] {
            decision.result = result[decision.seat];
            decision.round_points = points[decision.seat];
            decision.points_to_come = to_come[decision.seat];
        }
        end = *first;
    }
}

/// A match that is played once more.
struct Reading<'a> {
    encoding: &'a Encoding,
    actions: ActionTable,
    game: Match,
    legal: Vec<Action>,
}

impl Reading<'_> {
    /// Takes an action, which is noted if its seat chose it; `None` if it does not follow from the rules. An action in place
    /// of a forgiven fault was not chosen.
    fn take(&mut self, seat: Seat, action: Action, forgiven: bool, into: &mut Decisions) -> Option<()> {
        let Self { encoding, actions, game, legal } = self;
        let round = game.round()?;
        if round.to_act()? != seat {
            return None;
        }
        if round.legal().forced().is_none() && !forgiven {
            let view = game.view(seat, legal)?;
            let (observed, masked) = (into.observations.len(), into.masks.len());
            into.observations.resize(observed + encoding.len(), 0);
            encoding.write(&view, &mut into.observations[observed..]);
            into.masks.resize(masked + actions.len(), 0);
            actions.write_mask(&view.legal, &mut into.masks[masked..]);
            let action = actions.number(action)? as u16;
            let (result, round_points, points_to_come) = (0.0, 0.0, 0.0);
            into.decisions.push(RecordedDecision { seat, action, result, round_points, points_to_come });
        }
        game.apply(action).ok()?;
        Some(())
    }
}

//! Evaluates a decision by independent batches of the coach's calculation.

use std::io;

use leyden_model::position;
use leyden_protocol::{Action, Seat, Seats, Turn};
use leyden_rules::{Round, Rules};
use leyden_sample_bots::strong::{WeighedAction, is_open, outlook, weigh};
use leyden_stats::BatchMean;
use sha2::{Digest, Sha256};

use super::kind::kind;
use super::values::{AnalysedMatch, Estimate, EvaluatedAction, EvaluatedDecision, Loss, rounded};
use crate::rerun::{AskedTurn, RecordedMatch, RerunError, each_turn};

/// How many deals a batch has, and how many batches choose the best action and measure what was lost.
const DEALS: u32 = 64;
const CHOOSING: u32 = 8;
const MEASURING: u32 = 16;

/// How many deals are weighed for a decision.
pub(super) const DEALS_IN_ALL: u32 = DEALS * (CHOOSING + MEASURING);

/// The playouts behind the chance that all hands give.
const OUTLOOK_PLAYOUTS: u32 = 200;

/// What a blunder gives away at least, and how probable it may be to call a decision one that gave away exactly that.
const LEAST_LOSS: f64 = 0.02;
const FALSE_ALARMS: f64 = 0.0005;

/// What the random numbers of a batch are for.
#[derive(Clone, Copy)]
enum Batch {
    Weigh(u32),
    Outlook,
    /// Compares the answer of another bot.
    Compare(u32),
}

/// Evaluates the decisions of one match.
pub struct DecisionEvaluator<'a> {
    rules: Rules,
    id: &'a str,
}

impl<'a> DecisionEvaluator<'a> {
    /// Evaluates a match that was played by these rules; its id decides all random numbers.
    pub fn new(rules: Rules, id: &'a str) -> Self {
        Self { rules, id }
    }

    /// The seed of a batch, from the match, the seat and its question alone.
    fn seed(&self, turn: &Turn<'_>, batch: Batch) -> u64 {
        let (what, number) = match batch {
            Batch::Weigh(number) => ("weigh", number),
            Batch::Outlook => ("outlook", 0),
            Batch::Compare(number) => ("compare", number),
        };
        let text = format!("leyden-arena/analyse/1 {} {} {} {what} {number}", self.id, turn.seat, turn.id);
        let hash = Sha256::digest(text);
        u64::from_be_bytes(std::array::from_fn(|index| hash[index]))
    }

    /// Weighs all actions in these independent batches; in one if nothing is hidden.
    fn batches(&self, turn: &Turn<'_>, batches: impl Iterator<Item = Batch>) -> Vec<Vec<WeighedAction>> {
        let count = if is_open(&self.rules, turn) { 1 } else { usize::MAX };
        let weighed =
            batches.take(count).map(|batch| weigh(&self.rules, turn, DEALS, self.seed(turn, batch)));
        weighed.filter(|weighed| weighed.len() == turn.legal.len()).collect()
    }

    /// Evaluates a decision; `None` if the turn contradicts the rules. `round` holds all hands.
    pub fn decision(&self, asked: &AskedTurn<'_>, round: Option<&Round>) -> Option<EvaluatedDecision> {
        let turn = asked.turn;
        let mut batches = self.batches(turn, (0..CHOOSING).map(Batch::Weigh));
        let actions: Vec<Action> = turn.legal.to_vec();
        let best = best(&batches, actions.len())?;
        let taken = asked.answer.and_then(|taken| actions.iter().position(|action| *action == taken));
        let agrees = taken.is_some_and(|taken| is_same(&batches, best, taken));
        let mut loss = taken.map(|_| Difference::NONE);
        if let Some(taken) = taken.filter(|_| !agrees) {
            let measured = self.batches(turn, (CHOOSING..CHOOSING + MEASURING).map(Batch::Weigh));
            let is_exact = measured.len() == 1;
            loss = Some(difference(if is_exact { &batches } else { &measured }, best, taken)?);
            batches.extend(measured.into_iter().filter(|_| !is_exact));
        }
        let evaluated = |(index, action): (usize, &Action)| EvaluatedAction {
            action: *action,
            chance: mean(&batches, |batch| batch[index].chance).into(),
            points: mean(&batches, |batch| batch[index].margin).into(),
        };
        let is_blunder = loss.is_some_and(|loss| loss.is_blunder());
        let best = if agrees { taken? } else { best };
        Some(EvaluatedDecision {
            turn_ref: asked.turn_ref,
            round: turn.round,
            seat: turn.seat,
            turn: turn.id,
            deals: if is_open(&self.rules, turn) { 1 } else { DEALS * batches.len() as u32 },
            taken: asked.answer,
            best: actions[best],
            lost: loss.map(Loss::from),
            blunder: asked
                .answer
                .filter(|_| is_blunder)
                .map(|taken| kind(&self.rules, turn, taken, actions[best])),
            outlook: round.and_then(|round| self.outlook(turn, round)),
            actions: actions.iter().enumerate().map(evaluated).collect(),
        })
    }

    /// The first seat's chance to win if all hands are known.
    fn outlook(&self, turn: &Turn<'_>, round: &Round) -> Option<f64> {
        if self.rules.seats != Seats::TWO {
            return None;
        }
        let seed = self.seed(turn, Batch::Outlook);
        let chance = outlook(&self.rules, turn, round, OUTLOOK_PLAYOUTS, seed)?;
        Some(rounded(if turn.seat == Seat::FIRST { chance } else { 1.0 - chance }))
    }

    /// What one action is worth more than another. Neither may have been chosen because of its values.
    pub fn gain(&self, turn: &Turn<'_>, of: Action, over: Action) -> Option<Loss> {
        let index = |action| turn.legal.iter().position(|legal| *legal == action);
        let batches = self.batches(turn, (0..MEASURING).map(Batch::Compare));
        difference(&batches, index(of)?, index(over)?).map(Loss::from)
    }
}

/// Evaluates every decision of a match, in order.
pub fn analyse(recorded: &RecordedMatch) -> Result<AnalysedMatch, RerunError> {
    let record = recorded.record();
    let rules = record.rules.rules().map_err(|source| RerunError::Rules { id: record.id.clone(), source })?;
    let evaluator = DecisionEvaluator::new(rules, &record.id);
    let mut decisions = Vec::new();
    for seat in rules.seats.iter() {
        each_turn(recorded, seat, &mut |asked| {
            let position = position(record, asked.turn_ref).map_err(io::Error::other)?;
            decisions.extend(evaluator.decision(asked, position.game.round()));
            Ok(())
        })?;
    }
    decisions.sort_by_key(|decision| decision.turn_ref);
    Ok(AnalysedMatch {
        id: record.id.clone(),
        rules: record.rules,
        bots: record.bots.clone(),
        scores: record.scores,
        winner: record.winner,
        decisions,
    })
}

/// By how much an action is better than another.
#[derive(Clone, Copy)]
pub(super) struct Difference {
    pub(super) chance: BatchMean,
    points: BatchMean,
}

impl Difference {
    const NONE: Self = Self { chance: BatchMean::exact(0.0), points: BatchMean::exact(0.0) };

    fn is_blunder(&self) -> bool {
        self.chance.at_least(FALSE_ALARMS) >= LEAST_LOSS
    }
}

impl From<Difference> for Loss {
    fn from(Difference { chance, points }: Difference) -> Self {
        Self { chance: chance.into(), points: points.into() }
    }
}

fn difference(batches: &[Vec<WeighedAction>], one: usize, other: usize) -> Option<Difference> {
    batches.first()?;
    Some(Difference {
        chance: mean(batches, |batch| batch[one].chance - batch[other].chance),
        points: mean(batches, |batch| batch[one].margin - batch[other].margin),
    })
}

/// The mean over batches; exact if there is one.
fn mean(batches: &[Vec<WeighedAction>], of: impl Fn(&[WeighedAction]) -> f64) -> BatchMean {
    let values: Vec<f64> = batches.iter().map(|batch| of(batch)).collect();
    BatchMean::new(&values).unwrap_or_else(|| BatchMean::exact(values.first().copied().unwrap_or_default()))
}

/// The index of the action with the best chance; of equal ones the one that scores more.
fn best(batches: &[Vec<WeighedAction>], actions: usize) -> Option<usize> {
    batches.first()?;
    let value = |index: usize| -> (f64, f64) {
        let of = |of: fn(&WeighedAction) -> f64| batches.iter().map(|batch| of(&batch[index])).sum();
        (of(|weighed| weighed.chance), of(|weighed| weighed.margin))
    };
    let better = |one: &usize, other: &usize| {
        let ((chance, points), (others, other_points)) = (value(*one), value(*other));
        // The first in the order of the protocol wins a tie.
        chance.total_cmp(&others).then(points.total_cmp(&other_points)).then(other.cmp(one))
    };
    (0..actions).max_by(better)
}

/// Whether two actions have the same values on all deals, as a tile has on two equal arms.
fn is_same(batches: &[Vec<WeighedAction>], one: usize, other: usize) -> bool {
    let bits = |weighed: &WeighedAction| {
        [weighed.chance, weighed.margin, weighed.left, weighed.first].map(f64::to_bits)
    };
    one == other || batches.iter().all(|batch| bits(&batch[one]) == bits(&batch[other]))
}

impl Estimate {
    /// The sum of independent estimates.
    pub fn sum(estimates: impl IntoIterator<Item = Self>) -> Self {
        let (mean, variance) = estimates
            .into_iter()
            .fold((0.0, 0.0), |(mean, variance), one| (mean + one.mean, variance + one.se * one.se));
        Self { mean: rounded(mean), se: rounded(variance.sqrt()) }
    }
}

/// Evaluates a decision once more; `None` if it is not in the record.
pub(super) fn evaluate_again(
    evaluator: &DecisionEvaluator<'_>,
    recorded: &RecordedMatch,
    decision: &EvaluatedDecision,
) -> Option<EvaluatedDecision> {
    let mut again = None;
    let evaluated = each_turn(recorded, decision.seat, &mut |asked| {
        if asked.turn_ref == decision.turn_ref {
            let position = position(recorded.record(), asked.turn_ref).map_err(io::Error::other)?;
            again = evaluator.decision(asked, position.game.round());
        }
        Ok(())
    });
    evaluated.ok().and(again)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The same action by one evaluator's batches against another's, as if these were two actions. `None` if its value is exact.
    pub(in super::super) fn apart(
        one: &DecisionEvaluator<'_>,
        other: &DecisionEvaluator<'_>,
        turn: &Turn<'_>,
        index: usize,
    ) -> Option<Difference> {
        let measured = |evaluator: &DecisionEvaluator<'_>| {
            evaluator.batches(turn, (CHOOSING..CHOOSING + MEASURING).map(Batch::Weigh))
        };
        let pairs: Vec<Vec<WeighedAction>> = measured(one)
            .into_iter()
            .zip(measured(other))
            .map(|(one, other)| vec![one[index], other[index]])
            .collect();
        if pairs.len() == 1 { None } else { difference(&pairs, 0, 1) }
    }

    pub(in super::super) fn is_blunder(difference: &Difference) -> bool {
        difference.is_blunder()
    }
}

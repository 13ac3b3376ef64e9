//! One decision: every candidate is tried on the same likely deals, and the worse half drops out, again and again.

use std::time::Instant;

use leyden_protocol::{Action, Turn};
use leyden_rules::packed::is_packable;
use leyden_rules::{InformationSet, Rules};

use super::belief::{Belief, Evidence, Model};
use super::bias::Bias;
use super::budget::Effort;
use super::duel::Duel;
use super::endgame::{best_ending, positions_within};
use super::playout::Playout;
use super::policy::Policy;
use crate::dice::Dice;
use crate::evaluation::{Evaluation, RoundFinish, is_equivalent};

/// How many deals are played out between two looks at the clock.
const WORLDS_PER_CLOCK_CHECK: u32 = 16;

/// How many tiles to draw before playing, other than all of them: considered one tile at a time, drawing looks worse than it is.
const DRAWS_AHEAD: [u8; 3] = [2, 4, 7];

/// The settings of a search.
#[derive(Clone, Copy)]
pub(crate) struct Search {
    /// Playouts per decision.
    pub(crate) playouts: u32,
    pub(crate) effort: Effort,
    /// The policy by which rounds are played out.
    pub(crate) policy: &'static Policy,
    pub(crate) model: Model,
    pub(crate) evidence: Evidence,
    /// Whether to consider drawing several tiles at once.
    pub(crate) draws_ahead: bool,
    /// Whether to correct what playouts get wrong on average.
    pub(crate) corrects_bias: bool,
}

/// An action to try, and what its playouts add up to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) action: Action,
    /// How often the action is taken before the policy continues: more than once only for draws.
    repeats: u8,
    /// Added to the value of each playout, to correct its average error.
    pub(super) correction: f32,
    total: f32,
}

/// A position that candidates are tried from.
pub(super) enum StartPosition<'a, 'p> {
    /// Between two seats with the double-six set, once a double has been led.
    Duel(Duel<'p>),
    /// The same once all tiles are drawn: nothing is hidden any more. And how many positions a search may examine.
    Open(Duel<'p>, u32),
    Any(&'a Playout<'p>),
}

impl<'a, 'p> StartPosition<'a, 'p> {
    #[inline]
    pub(super) fn new(playout: &'a Playout<'p>, max_positions: u32) -> Self {
        match playout.duel() {
            Some(duel) if playout.round().boneyard().is_empty() => Self::Open(duel, max_positions),
            Some(duel) => Self::Duel(duel),
            None => Self::Any(playout),
        }
    }

    /// Takes the action as often as asked and legal, and plays the round to its end; `value` is what an ending is worth to the seat
    /// that acts.
    #[inline]
    pub(super) fn try_out(&self, candidate: &Candidate, value: &impl Fn(&RoundFinish) -> f32) -> RoundFinish {
        match self {
            Self::Duel(duel) => duel.try_out(candidate.action, candidate.repeats),
            Self::Open(duel, max_positions) => best_ending(*max_positions, duel, candidate.action, value),
            Self::Any(playout) => {
                let mut playout = **playout;
                for _ in 0..candidate.repeats {
                    if !playout.apply(candidate.action) {
                        break;
                    }
                }
                playout.ending()
            }
        }
    }
}

impl Search {
    /// Eliminates candidates until one is left or the time is up, and returns the best. `None` if the turn contradicts the rules.
    pub(crate) fn decide(&self, rules: &Rules, turn: &Turn<'_>, dice: &mut Dice) -> Option<Action> {
        let start = Instant::now();
        let mut candidates = candidates(turn, self.draws_ahead);
        let mut budget = self.effort.budget(self.playouts, turn.clock);
        if is_open(rules, turn) {
            (budget.playouts, budget.worlds) = (1, 1);
        }
        let seen = InformationSet::new(rules, &turn.view()).ok()?;
        let belief = Belief::new(rules, turn, self.evidence, self.model, budget.worlds, dice);
        let evaluation = Evaluation::for_rules(rules.name);
        if self.corrects_bias {
            correct_bias(rules, turn, evaluation, &mut candidates);
        }
        let mut knockout = Knockout { rules, turn, seen, policy: self.policy, evaluation, belief };
        let heats = candidates.len().next_power_of_two().trailing_zeros().max(1);
        for heat in 1.. {
            if candidates.len() < 2 {
                break;
            }
            let deals = (budget.playouts / heats).div_ceil(candidates.len() as u32).max(1);
            let deadline = start + budget.heat_deadline(heat, heats);
            let finished = knockout.heat(deals, deadline, &mut candidates, dice);
            // The sort is stable: of equal candidates the first in the order of the protocol stays first.
            candidates.sort_by(|a, b| b.total.total_cmp(&a.total));
            if !finished && Instant::now() >= start + budget.time {
                break;
            }
            candidates.truncate(candidates.len().div_ceil(2));
        }
        candidates.first().map(|candidate| candidate.action)
    }
}

/// Whether nothing is hidden from the seat to act: between two seats with the double-six set, once no tile is left in the boneyard,
/// only one deal is possible, and it is played out by `endgame`.
pub fn is_open(rules: &Rules, turn: &Turn<'_>) -> bool {
    is_packable(rules) && turn.boneyard == 0
}

/// The legal actions, without those that differ only in which of two equal arms they use. An optional draw becomes several
/// candidates: each draws a different number of tiles.
pub(super) fn candidates(turn: &Turn<'_>, draws_ahead: bool) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = Vec::with_capacity(turn.legal.len() + DRAWS_AHEAD.len());
    for &action in turn.legal.iter() {
        if action == Action::Draw && draws_ahead {
            let some = DRAWS_AHEAD.into_iter().filter(|&repeats| repeats < turn.drawable);
            candidates.extend(some.chain([turn.drawable]).map(|repeats| Candidate {
                action,
                repeats,
                correction: 0.0,
                total: 0.0,
            }));
        } else if !candidates.iter().any(|other| is_equivalent(turn, action, other.action)) {
            candidates.push(Candidate { action, repeats: 1, correction: 0.0, total: 0.0 });
        }
    }
    candidates
}

/// Sets the correction of each candidate.
pub(super) fn correct_bias(
    rules: &Rules,
    turn: &Turn<'_>,
    evaluation: Evaluation,
    candidates: &mut [Candidate],
) {
    let (bias, point_value) = (Bias::for_rules(rules), evaluation.value_of_a_point(rules, turn));
    for candidate in candidates {
        candidate.correction = point_value * bias.points(turn.phase, turn.drawable, candidate.action);
    }
}

/// What stays the same through all heats of a decision.
struct Knockout<'a> {
    rules: &'a Rules,
    turn: &'a Turn<'a>,
    seen: InformationSet,
    policy: &'static Policy,
    evaluation: Evaluation,
    belief: Belief,
}

impl Knockout<'_> {
    /// Tries every candidate on the same deals. Returns false if the time runs out, but even then every candidate has had the same
    /// number of deals.
    fn heat(&mut self, deals: u32, deadline: Instant, candidates: &mut [Candidate], dice: &mut Dice) -> bool {
        let mut start = None;
        let value = |ending: &RoundFinish| self.evaluation.win_probability(self.rules, self.turn, ending);
        let max_positions = positions_within(self.turn.clock.turn_ms, candidates.len());
        for deal in 0..deals {
            if deal % WORLDS_PER_CLOCK_CHECK == 0 && Instant::now() >= deadline {
                return false;
            }
            let Ok(world) = self.seen.suppose(self.belief.next(dice)) else { return false };
            let start: &mut Playout<'_> =
                start.get_or_insert_with(|| Playout::new(&world, &self.turn.history, self.policy));
            *start = start.with_round(&world);
            let start = StartPosition::new(start, max_positions);
            for candidate in &mut *candidates {
                candidate.total += candidate.correction + value(&start.try_out(candidate, &value));
            }
        }
        true
    }
}

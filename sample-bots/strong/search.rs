//! One decision: every candidate is tried on the same likely deals, and the worse half drops out, again and again.

use std::time::Instant;

use leyden_protocol::{Action, Turn};
use leyden_rules::{Rules, Seen};

use super::belief::{Belief, Evidence};
use super::bias::Bias;
use super::budget::Effort;
use super::duel::{Duel, is_duel};
use super::endgame::best_ending;
use super::playout::Playout;
use super::policy::Policy;
use crate::dice::Dice;
use crate::evaluation::{Ending, Evaluation, is_equivalent};

/// How many deals are played out from one look at the clock to the next.
const WORLDS_PER_CLOCK_CHECK: u32 = 16;

/// How many tiles to draw before playing, beside all: seen one tile at a time, drawing looks worse than it is.
const DRAWS_AHEAD: [u8; 3] = [2, 4, 7];

/// How to search.
#[derive(Clone, Copy)]
pub(crate) struct Search {
    /// Playouts for each decision.
    pub(crate) playouts: u32,
    pub(crate) effort: Effort,
    /// By what rounds are played to their end.
    pub(crate) policy: &'static Policy,
    /// By what the others are taken to choose.
    pub(crate) model: &'static Policy,
    pub(crate) evidence: Evidence,
    /// Whether to think of drawing several tiles at once.
    pub(crate) draws_ahead: bool,
    /// Whether to take back what playouts get wrong on average.
    pub(crate) corrects_bias: bool,
}

/// Something to try, and what its playouts came to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) action: Action,
    /// How often the action is taken before the policy goes on: more than once only for draws.
    repeats: u8,
    /// What each trial gets wrong on average.
    pub(super) correction: f32,
    total: f32,
}

/// A position that candidates are tried from.
pub(super) enum StartPosition<'a, 'p> {
    /// Between two seats, once a double is led.
    Duel(Duel<'p>),
    /// The same once every tile is drawn: nothing is hidden any more.
    Open(Duel<'p>),
    Any(&'a Playout<'p>),
}

impl<'a, 'p> StartPosition<'a, 'p> {
    #[inline]
    pub(super) fn of(playout: &'a Playout<'p>) -> Self {
        match Duel::of(playout) {
            Some(duel) if playout.round().boneyard().is_empty() => Self::Open(duel),
            Some(duel) => Self::Duel(duel),
            None => Self::Any(playout),
        }
    }

    /// Tries a candidate, as often as it is legal, and plays the round to its end; `worth` is what an end is worth to the seat
    /// that acts.
    #[inline]
    pub(super) fn try_out(&self, candidate: &Candidate, value: &impl Fn(&Ending) -> f32) -> Ending {
        match self {
            Self::Duel(duel) => duel.try_out(candidate.action, candidate.repeats),
            Self::Open(duel) => best_ending(duel, candidate.action, value),
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
    /// Lets the candidates play against each other until one is left or the time is up, and returns the best.
    /// Nothing if the turn contradicts the rules.
    pub(crate) fn decide(&self, rules: &Rules, turn: &Turn<'_>, dice: &mut Dice) -> Option<Action> {
        let start = Instant::now();
        let mut candidates = candidates(turn, self.draws_ahead);
        let mut budget = self.effort.budget(self.playouts, turn.clock);
        if is_duel(rules) && turn.boneyard == 0 {
            // There is but one deal that fits.
            (budget.playouts, budget.worlds) = (1, 1);
        }
        let seen = Seen::new(rules, &turn.view()).ok()?;
        let belief = Belief::new(rules, turn, self.evidence, self.model, budget.worlds, dice);
        let evaluation = Evaluation::of(rules.name);
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
            // A stable sort: of equals the first in the order of the protocol stays first.
            candidates.sort_by(|a, b| b.total.total_cmp(&a.total));
            if !finished && Instant::now() >= start + budget.time {
                break;
            }
            candidates.truncate(candidates.len().div_ceil(2));
        }
        candidates.first().map(|candidate| candidate.action)
    }
}

/// The legal actions without those that only differ in which of two equal arms they use; and for a draw that is not forced
/// several draws at once.
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

/// Adds to each trial what trials of its kind get wrong on average.
pub(super) fn correct_bias(
    rules: &Rules,
    turn: &Turn<'_>,
    evaluation: Evaluation,
    candidates: &mut [Candidate],
) {
    let (bias, point_value) = (Bias::of(rules), evaluation.value_of_a_point(rules, turn));
    for candidate in candidates {
        candidate.correction = point_value * bias.points(turn.phase, turn.drawable, candidate.action);
    }
}

/// What is the same for all heats of a decision.
struct Knockout<'a> {
    rules: &'a Rules,
    turn: &'a Turn<'a>,
    seen: Seen,
    policy: &'static Policy,
    evaluation: Evaluation,
    belief: Belief,
}

impl Knockout<'_> {
    /// Tries every candidate on the same deals. Every candidate has had the same number of trials afterwards, also if
    /// the time ran out, which it answers with false.
    fn heat(&mut self, deals: u32, deadline: Instant, candidates: &mut [Candidate], dice: &mut Dice) -> bool {
        let mut start = None;
        let value = |ending: &Ending| self.evaluation.win_probability(self.rules, self.turn, ending);
        for deal in 0..deals {
            if deal % WORLDS_PER_CLOCK_CHECK == 0 && Instant::now() >= deadline {
                return false;
            }
            let Ok(world) = self.seen.suppose(self.belief.next(dice)) else { return false };
            let start: &mut Playout<'_> =
                start.get_or_insert_with(|| Playout::new(&world, &self.turn.history, self.policy));
            *start = start.with_round(&world);
            let start = StartPosition::of(start);
            for candidate in &mut *candidates {
                candidate.total += candidate.correction + value(&start.try_out(candidate, &value));
            }
        }
        true
    }
}

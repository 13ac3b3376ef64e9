//! One decision: every candidate is tried on the same likely deals, and the worse half drops out, again and again.

use std::time::Instant;

use leyden_protocol::{Action, Turn};
use leyden_rules::{InformationSet, Rules};

use super::belief::{Belief, Reads};
use super::bias::Bias;
use super::clock::Patience;
use super::duel::{Duel, is_duel};
use super::endgame::best_ending;
use super::playout::Playout;
use super::policy::Policy;
use crate::dice::Dice;
use crate::prospects::{Ending, Outlook, comes_to_the_same};

/// How many deals are played out from one look at the clock to the next.
const DEALS_A_LOOK: u32 = 16;

/// How many tiles to draw before playing, beside all: seen one tile at a time, drawing looks worse than it is.
const DRAWS: [u8; 3] = [2, 4, 7];

/// How to search.
#[derive(Clone, Copy)]
pub(crate) struct Search {
    /// Playouts for each decision.
    pub(crate) playouts: u32,
    pub(crate) patience: Patience,
    /// By what rounds are played to their end.
    pub(crate) policy: &'static Policy,
    /// By what the others are taken to choose.
    pub(crate) model: &'static Policy,
    pub(crate) reads: Reads,
    /// Whether to think of drawing several tiles at once.
    pub(crate) draws_ahead: bool,
    /// Whether to take back what playouts get wrong on average.
    pub(crate) takes_back: bool,
}

/// Something to try, and what its playouts came to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) action: Action,
    /// How often the action is taken before the policy goes on: more than once only for draws.
    times: u8,
    /// What each trial gets wrong on average.
    pub(super) missing: f32,
    total: f32,
}

/// A position that candidates are tried from.
pub(super) enum Start<'a, 'p> {
    /// Between two seats, once a double is led.
    Duel(Duel<'p>),
    /// The same once every tile is drawn: nothing is hidden any more.
    Open(Duel<'p>),
    Any(&'a Playout<'p>),
}

impl<'a, 'p> Start<'a, 'p> {
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
    pub(super) fn try_out(&self, candidate: &Candidate, worth: &impl Fn(&Ending) -> f32) -> Ending {
        match self {
            Self::Duel(duel) => duel.try_out(candidate.action, candidate.times),
            Self::Open(duel) => best_ending(duel, candidate.action, worth),
            Self::Any(playout) => {
                let mut playout = **playout;
                for _ in 0..candidate.times {
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
        let mut field = candidates(turn, self.draws_ahead);
        let mut allowance = self.patience.allowance(self.playouts, turn.clock);
        if is_duel(rules) && turn.boneyard == 0 {
            // There is but one deal that fits.
            (allowance.playouts, allowance.guesses) = (1, 1);
        }
        let seen = InformationSet::new(rules, &turn.view()).ok()?;
        let belief = Belief::new(rules, turn, self.reads, self.model, allowance.guesses, dice);
        let outlook = Outlook::of(rules.name);
        if self.takes_back {
            take_back(rules, turn, outlook, &mut field);
        }
        let mut trial = Trial { rules, turn, seen, policy: self.policy, outlook, belief };
        let heats = field.len().next_power_of_two().trailing_zeros().max(1);
        for heat in 1.. {
            if field.len() < 2 {
                break;
            }
            let deals = (allowance.playouts / heats).div_ceil(field.len() as u32).max(1);
            let deadline = start + allowance.until(heat, heats);
            let finished = trial.heat(deals, deadline, &mut field, dice);
            // A stable sort: of equals the first in the order of the protocol stays first.
            field.sort_by(|a, b| b.total.total_cmp(&a.total));
            if !finished && Instant::now() >= start + allowance.time {
                break;
            }
            field.truncate(field.len().div_ceil(2));
        }
        field.first().map(|candidate| candidate.action)
    }
}

/// The legal actions without those that only differ in which of two equal arms they use; and for a draw that is not forced
/// several draws at once.
pub(super) fn candidates(turn: &Turn<'_>, draws_ahead: bool) -> Vec<Candidate> {
    let mut field: Vec<Candidate> = Vec::with_capacity(turn.legal.len() + DRAWS.len());
    for &action in turn.legal.iter() {
        if action == Action::Draw && draws_ahead {
            let some = DRAWS.into_iter().filter(|&times| times < turn.drawable);
            field.extend(some.chain([turn.drawable]).map(|times| Candidate {
                action,
                times,
                missing: 0.0,
                total: 0.0,
            }));
        } else if !field.iter().any(|other| comes_to_the_same(turn, action, other.action)) {
            field.push(Candidate { action, times: 1, missing: 0.0, total: 0.0 });
        }
    }
    field
}

/// Adds to each trial what trials of its kind get wrong on average.
pub(super) fn take_back(rules: &Rules, turn: &Turn<'_>, outlook: Outlook, field: &mut [Candidate]) {
    let (bias, a_point) = (Bias::of(rules), outlook.worth_of_a_point(rules, turn));
    for candidate in field {
        candidate.missing = a_point * bias.points(turn.phase, turn.drawable, candidate.action);
    }
}

/// What is the same for all heats of a decision.
struct Trial<'a> {
    rules: &'a Rules,
    turn: &'a Turn<'a>,
    seen: InformationSet,
    policy: &'static Policy,
    outlook: Outlook,
    belief: Belief,
}

impl Trial<'_> {
    /// Tries every candidate on the same deals. Every candidate has had the same number of trials afterwards, also if
    /// the time ran out, which it answers with false.
    fn heat(&mut self, deals: u32, deadline: Instant, field: &mut [Candidate], dice: &mut Dice) -> bool {
        let mut start = None;
        let worth = |ending: &Ending| self.outlook.chance_of_winning(self.rules, self.turn, ending);
        for deal in 0..deals {
            if deal % DEALS_A_LOOK == 0 && Instant::now() >= deadline {
                return false;
            }
            let Ok(world) = self.seen.suppose(self.belief.next(dice)) else { return false };
            let start: &mut Playout<'_> =
                start.get_or_insert_with(|| Playout::new(&world, &self.turn.history, self.policy));
            *start = start.with_round(&world);
            let start = Start::of(start);
            for candidate in &mut *field {
                candidate.total += candidate.missing + worth(&start.try_out(candidate, &worth));
            }
        }
        true
    }
}

//! Deals the unseen tiles at random in ways that fit what it has seen, plays each deal out, and takes the action that ends best.
//!
//! A decision works like this. The different legal actions enter a knockout of several heats. In each heat the remaining actions
//! are tried on the same deals (`worlds`), each of which is played to the end of the round by a simple rule (`playout`) and rated
//! by the probability of winning the match with the resulting scores. The worse half drops out, so most of the time goes to
//! actions that are hard to tell apart.

mod playout;
pub(crate) mod worlds;

use std::time::{Duration, Instant};

use leyden_protocol::{Action, Turn};
use leyden_rules::{InformationSet, Rules};

use crate::dice::Dice;
use crate::evaluation::{Evaluation, RoundFinish, is_equivalent};
use crate::strategy::Strategy;

use playout::Playout;
use worlds::{DrawPenalties, Worlds};

/// One over the share of a turn's time that may be used: the rest is a reserve for a busy machine.
const TURN_DIVISOR: u32 = 4;

/// How many deals are played out between two looks at the clock.
const WORLDS_PER_CLOCK_CHECK: u32 = 16;

/// Thinks for a fixed number of playouts, so that the same `bot_seed` plays the same match. It stops earlier, with the best action
/// found so far, only if the clock runs out.
pub struct MonteCarlo {
    rules: Option<Rules>,
    playouts: u32,
    played_out: u64,
    dice: Dice,
}

/// An action, and what its playouts add up to.
struct Candidate {
    action: Action,
    total: f32,
}

impl MonteCarlo {
    /// Playouts per decision: two or three milliseconds.
    pub const PLAYOUTS: u32 = 3_000;

    pub fn new() -> Self {
        Self { rules: None, playouts: Self::PLAYOUTS, played_out: 0, dice: Dice::seeded(0) }
    }

    /// The same with about this many playouts per decision.
    #[must_use]
    pub fn with_playouts(self, playouts: u32) -> Self {
        Self { playouts, ..self }
    }

    /// How many playouts it has made so far.
    pub fn played_out(&self) -> u64 {
        self.played_out
    }

    /// Eliminates candidates until one is left or the time is up, and returns the best.
    fn knockout(&mut self, rules: &Rules, turn: &Turn<'_>, mut candidates: Vec<Candidate>) -> Option<Action> {
        let deadline = Instant::now() + Duration::from_millis(turn.clock.turn_ms) / TURN_DIVISOR;
        let mut worlds = Worlds::new(rules, turn, DrawPenalties::STRICT, &mut self.dice);
        let heats = candidates.len().next_power_of_two().trailing_zeros().max(1);
        while candidates.len() > 1 {
            let deals = (self.playouts / heats).div_ceil(candidates.len() as u32).max(1);
            let finished = self.heat(rules, turn, deadline, deals, &mut worlds, &mut candidates);
            // The sort is stable: of equal candidates the first in the order of the protocol stays first.
            candidates.sort_by(|a, b| b.total.total_cmp(&a.total));
            if !finished {
                break;
            }
            candidates.truncate(candidates.len().div_ceil(2));
        }
        candidates.first().map(|candidate| candidate.action)
    }

    /// Tries every candidate on the same deals. Returns false if the time runs out, but even then every candidate has had the same
    /// number of deals.
    fn heat(
        &mut self,
        rules: &Rules,
        turn: &Turn<'_>,
        deadline: Instant,
        deals: u32,
        worlds: &mut Worlds,
        candidates: &mut [Candidate],
    ) -> bool {
        let Ok(seen) = InformationSet::new(rules, &turn.view()) else { return false };
        for deal in 0..deals {
            if deal % WORLDS_PER_CLOCK_CHECK == 0 && Instant::now() >= deadline {
                return false;
            }
            let Ok(world) = seen.suppose(worlds.next(&mut self.dice)) else { return false };
            let start = Playout::new(&world);
            for candidate in &mut *candidates {
                let mut playout = start;
                if playout.apply(candidate.action) {
                    playout.finish();
                }
                let ending = RoundFinish::from_round(playout.round());
                candidate.total += Evaluation::ROUGH.win_probability(rules, turn, &ending);
            }
            self.played_out += candidates.len() as u64;
        }
        true
    }
}

impl Default for MonteCarlo {
    fn default() -> Self {
        Self::new()
    }
}

impl Strategy for MonteCarlo {
    fn begin(&mut self, rules: &Rules, bot_seed: u64) {
        self.rules = Some(*rules);
        self.dice = Dice::seeded(bot_seed);
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Action {
        let rules = self.rules.unwrap_or_else(|| Rules::standard(turn.rules));
        self.knockout(&rules, turn, candidates(turn)).unwrap_or(Action::Pass)
    }
}

/// The legal actions, without those that differ only in which of two equal arms they use.
fn candidates(turn: &Turn<'_>) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = Vec::with_capacity(turn.legal.len());
    for &action in turn.legal.iter() {
        if !candidates.iter().any(|other| is_equivalent(turn, action, other.action)) {
            candidates.push(Candidate { action, total: 0.0 });
        }
    }
    candidates
}

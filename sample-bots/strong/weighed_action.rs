//! The bot's own evaluation of each legal action, reported rather than acted on.

use leyden_protocol::{Action, Turn, WinningScore};
use leyden_rules::{InformationSet, Rules};

use super::belief::{Belief, Evidence, Model};
use super::endgame::MAX_POSITIONS;
use super::playout::Playout;
use super::policy::Policy;
use super::search::{StartPosition, candidates, correct_bias, is_open};
use crate::dice::Dice;
use crate::evaluation::{Evaluation, RoundFinish, is_equivalent};

/// A legal action, and its average results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeighedAction {
    pub action: Action,
    /// The probability of winning the match after this round, corrected for what playouts get wrong on average: 0 to 1.
    pub chance: f64,
    /// The share of the deals in which this seat goes out first or is left with the lightest hand: 0 to 1.
    pub first: f64,
    /// How many points this seat gains on the best of the others in the round; negative if it loses ground.
    pub margin: f64,
    /// The pips left in its hand.
    pub left: f64,
}

/// Evaluates every legal action of a turn, in the turn's order and on the same deals; a draw by the best number of draws. Only the
/// turn is known: the same turn, number of deals and seed give the same numbers. Empty if the turn contradicts the rules. Where
/// nothing is hidden ([`is_open`]) there is one deal.
pub fn weigh(rules: &Rules, turn: &Turn<'_>, deals: u32, seed: u64) -> Vec<WeighedAction> {
    let deals = if is_open(rules, turn) { 1 } else { deals };
    let Ok(known) = InformationSet::new(rules, &turn.view()) else { return Vec::new() };
    let mut dice = Dice::seeded(seed);
    let policy = Policy::for_rules(rules);
    let mut belief =
        Belief::new(rules, turn, Evidence::Plays, Model::for_rules(rules), deals as usize, &mut dice);
    let evaluation = Evaluation::for_rules(rules.name);
    let mut candidates = candidates(turn, true);
    correct_bias(rules, turn, evaluation, &mut candidates);
    let mut tried: Vec<WeighedAction> =
        candidates.iter().map(|candidate| WeighedAction::nothing(candidate.action)).collect();
    let value = |ending: &RoundFinish| evaluation.win_probability(rules, turn, ending);
    let share = 1.0 / f64::from(deals.max(1));
    for _ in 0..deals {
        let Ok(world) = known.suppose(belief.next(&mut dice)) else { return Vec::new() };
        let start = Playout::new(&world, &turn.history, policy);
        let start = StartPosition::new(&start, MAX_POSITIONS);
        for (candidate, weighed) in candidates.iter().zip(&mut tried) {
            let ending = start.try_out(candidate, &value);
            weighed.count(rules, turn, &ending, f64::from(value(&ending)), share);
        }
    }
    for (candidate, weighed) in candidates.iter().zip(&mut tried) {
        weighed.chance = (weighed.chance + f64::from(candidate.correction)).clamp(0.0, 1.0);
    }
    let best = |&action: &Action| {
        let same = tried.iter().filter(|weighed| is_equivalent(turn, weighed.action, action));
        let best = same.max_by(|one, other| one.chance.total_cmp(&other.chance));
        best.map(|best| WeighedAction { action, ..*best })
    };
    turn.legal.iter().filter_map(best).collect()
}

impl WeighedAction {
    fn nothing(action: Action) -> Self {
        Self { action, chance: 0.0, first: 0.0, margin: 0.0, left: 0.0 }
    }

    /// Adds the result of one deal.
    fn count(&mut self, rules: &Rules, turn: &Turn<'_>, ending: &RoundFinish, chance: f64, share: f64) {
        let added = ending.points(rules);
        let others =
            added.iter().filter(|(seat, _)| *seat != turn.seat).map(|(_, &points)| i64::from(points));
        let own = i64::from(added[turn.seat]);
        let margin = match rules.better {
            WinningScore::Lower => others.min().unwrap_or(own) - own,
            WinningScore::Higher => own - others.max().unwrap_or(own),
        };
        let is_first = ending.outcome.and_then(leyden_rules::RoundOutcome::winner) == Some(turn.seat);
        self.chance += share * chance;
        self.first += share * f64::from(u8::from(is_first));
        self.margin += share * margin as f64;
        self.left += share * f64::from(ending.pips[turn.seat]);
    }
}

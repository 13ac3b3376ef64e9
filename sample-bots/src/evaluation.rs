//! What the end of a round is worth: how likely it makes winning the match.

use leyden_protocol::{Action, PerSeat, RulesName, Turn, WinningScore};
use leyden_rules::{Round, RoundOutcome, Rules, points};

use crate::arithmetic::exp;

/// Whether two actions differ only in which of two arms with equal ends they use.
pub(crate) fn is_equivalent(turn: &Turn<'_>, one: Action, other: Action) -> bool {
    match (one, other) {
        (Action::Play(arm, lay), Action::Play(another, same)) => {
            lay == same && turn.arms.get(arm) == turn.arms.get(another)
        }
        _ => one == other,
    }
}

/// How a round ended, with the pips left in each hand; without an outcome, a round that did not end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RoundFinish {
    pub(crate) outcome: Option<RoundOutcome>,
    pub(crate) pips: PerSeat<u32>,
}

impl RoundFinish {
    pub(crate) fn from_round(round: &Round) -> Self {
        Self { outcome: round.outcome(), pips: round.pips() }
    }

    /// What each seat adds to its score.
    pub(crate) fn points(&self, rules: &Rules) -> PerSeat<u32> {
        match self.outcome {
            Some(outcome) => points(rules, outcome, &self.pips),
            None => PerSeat::default_for(rules.seats),
        }
    }
}

/// A model of how likely a match is won with given scores: a logistic function of the lead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Evaluation {
    /// With `left` points to go to the target, a lead of `swing · √(left + last)` means odds of e to 1.
    swing: f32,
    /// Roughly by how much the last round overshoots the target.
    last: f32,
}

impl Evaluation {
    /// One for every rule set: a round changes the lead by about 25 points and brings the end about 20 points nearer.
    pub(crate) const ROUGH: Self = Self { swing: 3.0, last: 5.0 };

    /// Fitted to the scores after each round of 6,000 matches between two copies of `ladder --level 5`. Where the winner of a round
    /// scores both hands, a single round can turn nearly any match.
    pub(crate) const fn for_rules(rules: RulesName) -> Self {
        let (swing, last) = match rules {
            RulesName::Leyden => (3.45, 18.0),
            RulesName::LeydenCross => (3.75, 15.0),
            RulesName::Leiden | RulesName::Senst => (4.8, 57.0),
            RulesName::LeydenFree => (3.75, 21.0),
            RulesName::Matador => (3.75, 24.0),
        };
        Self { swing, last }
    }

    /// The probability of winning the match after a round that ended like this: certain once the target is reached, otherwise a
    /// matter of this seat's lead and of how much of the match remains.
    pub(crate) fn win_probability(self, rules: &Rules, turn: &Turn<'_>, ending: &RoundFinish) -> f32 {
        let (ahead, left) = standing(rules, turn, &ending.points(rules));
        if left <= 0.0 {
            return if ahead == 0.0 { 0.5 } else { f32::from(u8::from(ahead > 0.0)) };
        }
        1.0 / (1.0 + exp(-ahead / self.spread(left)))
    }

    /// The lead that means odds of e to 1 with `left` points to go to the target.
    fn spread(self, left: f32) -> f32 {
        self.swing * (left + self.last).sqrt()
    }

    /// By how much one more point raises the probability of winning the match at the present scores.
    pub(crate) fn value_of_a_point(self, rules: &Rules, turn: &Turn<'_>) -> f32 {
        let (ahead, left) = standing(rules, turn, &PerSeat::default_for(rules.seats));
        let spread = self.spread(left);
        let chance = 1.0 / (1.0 + exp(-ahead / spread));
        chance * (1.0 - chance) / spread
    }
}

/// This seat's lead over the best of the others once these points are added, and how many points are left to the target.
fn standing(rules: &Rules, turn: &Turn<'_>, added: &PerSeat<u32>) -> (f32, f32) {
    let scores = PerSeat::from_fn(rules.seats, |seat| (turn.scores[seat] + added[seat]) as f32);
    let others = scores.iter().filter(|&(seat, _)| seat != turn.seat).map(|(_, &score)| score);
    let ahead = match rules.better {
        WinningScore::Lower => others.fold(f32::MAX, f32::min) - scores[turn.seat],
        WinningScore::Higher => scores[turn.seat] - others.fold(0.0, f32::max),
    };
    let highest = scores.iter().map(|(_, &score)| score).fold(0.0, f32::max);
    (ahead, rules.target as f32 - highest)
}

//! A round that policies play out. They never draw while they can play or lead, and see no more than their seat does.

use leyden_protocol::{Action, Phase, Seat};
use leyden_rules::Round;

use crate::careful::CarefulEvaluation;
use crate::packed_playout::PackedPlayout;
use crate::policy::{Evaluator, Policies, Policy};
use crate::position::Position;
use crate::round_end::RoundEnd;
use crate::weights::WeightedEvaluation;

/// A position, and the policies that play it out.
#[derive(Clone, Copy)]
pub(crate) struct Simulation {
    pub(crate) position: Position,
    policies: Policies,
}

impl Simulation {
    /// From a round that was just dealt.
    pub(crate) fn new(round: &Round) -> Self {
        Self { position: Position::new(round), policies: [Policy::CAREFUL; 2] }
    }

    /// The same position with other policies, and with other tiles where the seat to act cannot see them.
    pub(crate) fn with(&self, policies: Policies, round: &Round) -> Self {
        Self { position: self.position.with(round), policies }
    }

    /// What the seat to act would choose by these policies; `None` once the round is over. Of equals the first.
    pub(crate) fn choice(&self, policies: Policies) -> Option<Action> {
        Choices::new(self)?.choice(self, policies)
    }

    /// The value of each lead or play of the seat to act. Of arms that show the same, only the first is listed.
    fn evaluated(&self, seat: Seat, evaluator: Evaluator) -> Vec<(Action, f32)> {
        let round = &self.position.round;
        let plays = round.plays();
        let each =
            plays.arms().flat_map(|arm| plays.on(arm).flatten().map(move |lay| Action::Play(arm, *lay)));
        let legal = if round.phase() == Phase::Lead { Some(round.legal()) } else { None };
        let leads = legal
            .iter()
            .flat_map(|legal| legal.iter().take_while(|action| matches!(action, Action::Lead(_))));
        let each = each.chain(leads);
        match evaluator {
            Evaluator::Careful => {
                let careful = CarefulEvaluation::new(&self.position, seat);
                each.map(|action| (action, careful.value(action))).collect()
            }
            Evaluator::Weighted(table) => {
                let weighted = WeightedEvaluation::new(&self.position, seat, table);
                each.map(|action| (action, weighted.value(action))).collect()
            }
        }
    }

    /// Takes an action; false if it is not legal.
    pub(crate) fn apply(&mut self, action: Action) -> bool {
        self.position.apply(action)
    }

    /// Takes an action of a playout; false if it is not legal.
    pub(crate) fn apply_in_playout(&mut self, action: Action) -> bool {
        self.position.apply_in_playout(action)
    }

    /// Plays the round out; `None` if it does not end.
    pub(crate) fn play_out(mut self) -> Option<RoundEnd> {
        loop {
            if let Some(packed) = PackedPlayout::from_position(&self.position) {
                return Some(packed.play_on(self.policies));
            }
            let Some(action) = self.choice(self.policies) else {
                return RoundEnd::from_round(&self.position.round);
            };
            self.apply_in_playout(action).then_some(())?;
        }
    }
}

/// What policies would choose in one position. Each evaluator values its plays once.
pub(crate) struct Choices {
    seat: Seat,
    evaluated: [Option<Vec<(Action, f32)>>; Evaluator::ALL.len()],
    /// The action where nothing can be led or played.
    otherwise: Option<Action>,
}

impl Choices {
    /// `None` once the round is over.
    pub(crate) fn new(simulation: &Simulation) -> Option<Self> {
        let round = &simulation.position.round;
        Some(Self { seat: round.to_act()?, evaluated: [const { None }; 4], otherwise: round.legal().nth(0) })
    }

    /// What the seat to act would choose by these policies. Of equals the first.
    pub(crate) fn choice(&mut self, simulation: &Simulation, policies: Policies) -> Option<Action> {
        let Self { seat, evaluated, otherwise } = self;
        let policy = policies[seat.index() % 2];
        let each = evaluated[policy.evaluator.index()]
            .get_or_insert_with(|| simulation.evaluated(*seat, policy.evaluator));
        let (mut best, mut most) = (None, f32::NEG_INFINITY);
        for (action, value) in each {
            let perturbed = policy.perturbed(*seat, *action, *value);
            if perturbed > most {
                (best, most) = (Some(*action), perturbed);
            }
        }
        best.or(*otherwise)
    }
}

#[cfg(test)]
mod tests {
    use leyden_protocol::RulesName;
    use leyden_rules::{Deck, Lead, RoundOutcome, Rules};

    use super::*;
    use crate::baseline::Baseline;
    use crate::dice::Dice;

    /// How the round ends without a [`PackedPlayout`].
    fn played_out(simulation: &Simulation, first: Option<Action>, policies: Policies) -> Option<RoundEnd> {
        let mut simulation = simulation.with(policies, &simulation.position.round);
        if let Some(first) = first {
            assert!(simulation.apply_in_playout(first));
        }
        while let Some(action) = simulation.choice(policies) {
            assert!(simulation.apply_in_playout(action));
        }
        RoundEnd::from_round(&simulation.position.round)
    }

    /// From every position of rounds with all kinds of actions, unneeded draws among them, after any legal action.
    #[test]
    fn packed_playout_ends_like_the_full_round() {
        let mut dice = Dice::from_text("rounds");
        let mut ends = [0; 3];
        for rules in RulesName::ALL.map(Rules::standard) {
            for _ in 0..60 {
                let mut deck = Deck::in_order(rules.set);
                deck.shuffle(|bound| dice.below(bound));
                let Some(round) = Round::deal(&rules, &deck, Lead::Lowest) else { continue };
                let mut simulation = Simulation::new(&round);
                while !simulation.position.round.legal().is_empty() {
                    let legal = simulation.position.round.legal();
                    for policies in Baseline::ALL.map(|baseline| baseline.policies(&mut dice)) {
                        let Some(packed) = PackedPlayout::from_position(&simulation.position) else {
                            continue;
                        };
                        for first in legal.iter().map(Some).chain([None]) {
                            let ended = packed.play_out(first, policies);
                            assert_eq!(
                                Some(ended),
                                played_out(&simulation, first, policies),
                                "{} {first:?}",
                                rules.name
                            );
                            ends[match ended.outcome {
                                RoundOutcome::Dominoed { .. } => 0,
                                RoundOutcome::Blocked { winner: Some(_) } => 1,
                                _ => 2,
                            }] += 1;
                        }
                    }
                    let draw = legal.contains(Action::Draw) && dice.below(4) == 0;
                    let some = legal.nth(dice.below(legal.len())).expect("one of them");
                    assert!(simulation.apply(if draw { Action::Draw } else { some }));
                }
            }
        }
        assert!(ends.iter().all(|times| *times > 0), "{ends:?}");
    }
}

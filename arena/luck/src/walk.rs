//! A round as a baseline plays it on. It never draws while it can play or lead, and knows no more than its seat.

use leyden_protocol::{Action, Phase, Seat};
use leyden_rules::Round;

use crate::careful::Careful;
use crate::duel::Duel;
use crate::ended::Ended;
use crate::manner::{Manner, Manners, Way};
use crate::position::Position;
use crate::weighed::Glance;

/// A position that is played on in some way.
#[derive(Clone, Copy)]
pub(crate) struct Walk {
    pub(crate) position: Position,
    manners: Manners,
}

impl Walk {
    /// From a round that was just dealt.
    pub(crate) fn new(round: &Round) -> Self {
        Self { position: Position::new(round), manners: [Manner::CAREFUL; 2] }
    }

    /// The same, to be played on in some way, with other tiles where nobody sees them.
    pub(crate) fn with(&self, manners: Manners, round: &Round) -> Self {
        Self { position: self.position.with(round), manners }
    }

    /// What would be done in some way; `None` once the round is over. Of equals the first.
    pub(crate) fn choice(&self, manners: Manners) -> Option<Action> {
        Choices::new(self)?.choice(self, manners)
    }

    /// What each lead or play of the seat to act is worth in some way. Plays on arms that show the same are told once.
    fn judged(&self, seat: Seat, way: Way) -> Vec<(Action, f32)> {
        let round = &self.position.round;
        let plays = round.plays();
        let each =
            plays.arms().flat_map(|arm| plays.on(arm).flatten().map(move |lay| Action::Play(arm, *lay)));
        let legal = if round.phase() == Phase::Lead { Some(round.legal()) } else { None };
        let leads = legal
            .iter()
            .flat_map(|legal| legal.iter().take_while(|action| matches!(action, Action::Lead(_))));
        let each = each.chain(leads);
        match way {
            Way::Careful => {
                let careful = Careful::new(&self.position, seat);
                each.map(|action| (action, careful.worth(action))).collect()
            }
            Way::Weighed(table) => {
                let glance = Glance::new(&self.position, seat, table);
                each.map(|action| (action, glance.worth(action))).collect()
            }
        }
    }

    /// Takes an action; false if it is not legal.
    pub(crate) fn apply(&mut self, action: Action) -> bool {
        self.position.apply(action)
    }

    /// Plays until the round is over, and tells how it ended; `None` if it does not.
    pub(crate) fn finish(mut self) -> Option<Ended> {
        loop {
            if let Some(duel) = Duel::of(&self.position) {
                return Some(duel.finish(self.manners));
            }
            let Some(action) = self.choice(self.manners) else {
                return Ended::of(&self.position.round);
            };
            self.apply(action).then_some(())?;
        }
    }
}

/// What would be done in a position in any way; what plays are worth is found once for each way to judge them.
pub(crate) struct Choices {
    seat: Seat,
    judged: [Option<Vec<(Action, f32)>>; Way::ALL.len()],
    /// Where nothing can be led or played.
    otherwise: Option<Action>,
}

impl Choices {
    /// `None` once the round is over.
    pub(crate) fn new(walk: &Walk) -> Option<Self> {
        let round = &walk.position.round;
        Some(Self { seat: round.to_act()?, judged: [const { None }; 4], otherwise: round.legal().nth(0) })
    }

    /// Of equals the first.
    pub(crate) fn choice(&mut self, walk: &Walk, manners: Manners) -> Option<Action> {
        let Self { seat, judged, otherwise } = self;
        let manner = manners[seat.index() % 2];
        let each = judged[manner.way.index()].get_or_insert_with(|| walk.judged(*seat, manner.way));
        let (mut best, mut most) = (None, f32::NEG_INFINITY);
        for (action, worth) in each {
            let liked = manner.liked(*seat, *action, *worth);
            if liked > most {
                (best, most) = (Some(*action), liked);
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

    /// How the round ends by the rules and the walk alone.
    fn walked(walk: &Walk, first: Option<Action>, manners: Manners) -> Option<Ended> {
        let mut walk = walk.with(manners, &walk.position.round);
        if let Some(first) = first {
            assert!(walk.apply(first));
        }
        while let Some(action) = walk.choice(manners) {
            assert!(walk.apply(action));
        }
        Ended::of(&walk.position.round)
    }

    /// The [`Duel`] and the round itself, from each position of rounds that are played in all ways, by any action, draws without need among them.
    #[test]
    fn it_ends_as_the_round_itself_does() {
        let mut dice = Dice::of_text("rounds");
        let mut ends = [0; 3];
        for rules in RulesName::ALL.map(Rules::standard) {
            for _ in 0..60 {
                let mut deck = Deck::in_order(rules.set);
                deck.shuffle(|bound| dice.below(bound));
                let Some(round) = Round::deal(&rules, &deck, Lead::Lowest) else { continue };
                let mut walk = Walk::new(&round);
                while !walk.position.round.legal().is_empty() {
                    let legal = walk.position.round.legal();
                    for manners in Baseline::ALL.map(|baseline| baseline.manners(&mut dice)) {
                        let Some(duel) = Duel::of(&walk.position) else { continue };
                        for first in legal.iter().map(Some).chain([None]) {
                            let ended = duel.try_out(first, manners);
                            assert_eq!(
                                Some(ended),
                                walked(&walk, first, manners),
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
                    assert!(walk.apply(if draw { Action::Draw } else { some }));
                }
            }
        }
        assert!(ends.iter().all(|times| *times > 0), "{ends:?}");
    }
}
